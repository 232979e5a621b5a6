"""From words to a match: make the players that words name, seat them, and see them off.

Laws of this file: a match is played by the driver that serves its players best; in a tournament whoever
cannot be made does not sit down, which is that seat's own fault and nobody else's trouble; and no program
outlives its match.
"""

from __future__ import annotations

import asyncio
from time import monotonic
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from touchline.core import registry
from touchline.core.conduct import Offence
from touchline.core.errors import TouchlineError
from touchline.core.events import Refused
from touchline.dialects import DEFAULT
from touchline.drivers.event_loop import play
from touchline.drivers.match import Bot, play_now
from touchline.drivers.pipes import play_local
from touchline.drivers.proposals import proposed
from touchline.drivers.runner import run
from touchline.players.by_name import dialect_of, player
from touchline.players.dialect_line import FaceLine
from touchline.players.in_dialect import Faced
from touchline.players.in_thread import aside
from touchline.players.process import Program
from touchline.players.process_connection import PipedConnection
from touchline.players.remote import Remote
from touchline.transports.shared.framing import MOST_FRAME

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from concurrent.futures import Executor

    from touchline.core.events import Event, Result
    from touchline.core.rules import Game
    from touchline.dialects.base import Dialect
    from touchline.drivers.match import MatchSpec


class Absent:
    """Sits where somebody should who did not come; it is never asked."""

    def choose(self, view: Any, turn: int) -> Any:
        raise RuntimeError("a seat that was refused was asked for a move")


class Seating:
    """The players of one match, by their words."""

    def __init__(
        self,
        words: Sequence[str],
        seeds: Sequence[object],
        make: Callable[[str, Game, object], Any] = player,
        *,
        lenient: bool = False,
    ) -> None:
        """A word for each seat, where its chance begins, and what makes a player of both.

        If it is lenient a match begins without those who cannot be made.
        """
        self._words, self._seeds, self._make, self._lenient = words, seeds, make, lenient
        self._made: list[Any] = []
        self._pipes: list[PipedConnection] = []
        self.notes: dict[int, str] = {}
        """What programs wrote to stderr, by seat."""

    def fill(self, spec: MatchSpec, guests: Mapping[int, Any] = MappingProxyType({})) -> MatchSpec:
        """Make the players, but for guests who have come by themselves.

        What is agreed then: the match may have to begin without those that could not be made.
        """
        refused = [*spec.refused]
        try:
            for seat, word in enumerate(self._words):
                if seat in guests:
                    self._made.append(guests[seat])
                    continue
                try:
                    self._made.append(self._make(word, spec.game, self._seeds[seat]))
                except (TouchlineError, OSError) as error:
                    if not self._lenient:
                        raise
                    self._made.append(Absent())
                    refused.append(Refused(seat, Offence.REFUSED, str(error)))
        except BaseException:
            self.clear(spec)
            raise
        return replace(spec, refused=tuple(refused))

    def play(self, spec: MatchSpec, observers: Sequence[Callable[[Event], None]] = ()) -> Result:
        """Play the match with the players that were made, and see them off."""
        try:
            if all(isinstance(one, Bot) for one in self._made):
                return play_now(spec, self._made, observers)
            dialects = self._dialects(spec)
            proposing = any(dialect.proposes for dialect in dialects.values())
            if not proposing and all(isinstance(one, Bot | Program) for one in self._made):
                return play_local(spec, self._made, observers, dialects)
            return run(self._on_a_loop(spec, observers))
        finally:
            self.clear(spec)

    def _dialects(self, spec: MatchSpec) -> dict[int, Dialect]:
        return {
            seat: registry.dialect(dialect_of(self._words[seat]) or DEFAULT)(spec.game)
            for seat, one in enumerate(self._made)
            if isinstance(one, Program)
        }

    async def _on_a_loop(
        self,
        spec: MatchSpec,
        observers: Sequence[Callable[[Event], None]],
        threads: Executor | None = None,
    ) -> Result:
        try:
            seated = self._seated(spec, threads)
            return await play(await self._with_proposals(spec, seated, threads), seated, observers)
        finally:
            self._release()

    async def _with_proposals(
        self, spec: MatchSpec, seated: Sequence[Any], threads: Executor | None
    ) -> MatchSpec:
        """Ask those whose dialect has a word for it what they propose to begin with."""
        speakers = [
            FaceLine(one, threads) if isinstance(one, Faced) else one if isinstance(one, Remote) else None
            for one in seated
        ]
        seconds = None if spec.limits.set_up is None else spec.limits.set_up / 1e6
        proposals, refused = await proposed(speakers, seconds)
        return replace(spec, proposals=proposals, refused=(*spec.refused, *refused))

    async def play_among_others(
        self,
        spec: MatchSpec,
        observers: Sequence[Callable[[Event], None]] = (),
        *,
        threads: Executor,
    ) -> Result:
        """As `play()`, on an event loop that serves others as well: players of this process think in these
        threads, and nobody waits for a program to end."""
        try:
            return await self._on_a_loop(spec, observers, threads)
        finally:
            await asyncio.to_thread(self.clear, spec)

    def _seated(self, spec: MatchSpec, threads: Executor | None) -> list[Any]:
        dialects, seated, goodbye = self._dialects(spec), list[Any](), (spec.limits.goodbye or 0) / 1e6
        for seat, one in enumerate(self._made):
            if isinstance(one, Program):
                most = max(MOST_FRAME, dialects[seat].longest)
                self._pipes.append(PipedConnection(one, goodbye, most))
                seated.append(Remote(self._pipes[-1], dialects[seat], goodbye=goodbye))
            elif threads is not None and isinstance(one, Bot | Faced) and not isinstance(one, Absent):
                seated.append(aside(one, spec.game, threads, goodbye))
            else:
                seated.append(one)
        return seated

    def _release(self) -> None:
        """Let go of the programs' pipes, as long as there is a loop."""
        while self._pipes:
            self._pipes.pop().release()

    def clear(self, spec: MatchSpec) -> None:
        """See the programs off, and keep what they wrote."""
        self._release()
        for one in self._made:
            if isinstance(one, Program):
                one.hang_up()
        deadline = monotonic() + (spec.limits.goodbye or 0) / 1e6  # one for all of them
        for seat, one in enumerate(self._made):
            if isinstance(one, Program):
                one.stop(max(0.0, deadline - monotonic()))
                self.notes[seat] = one.notes.text()
