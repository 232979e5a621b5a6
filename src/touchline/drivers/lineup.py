"""Create the players of a match from their words, play it with the right driver, and stop the programs.

A word names a player: "greedy", "mybot.py", "process:./mybot". Laws of this file: the fastest driver that can
serve all players plays the match; where a player that cannot be created is refused its seat, the other seats
are not affected; no program outlives its match.
"""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from time import monotonic
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from touchline.core import registry
from touchline.core.conduct import Offence
from touchline.core.errors import BadOptions, TouchlineError
from touchline.core.events import Refused
from touchline.dialects import DEFAULT
from touchline.drivers.event_loop import play
from touchline.drivers.match import Bot, play_now
from touchline.drivers.programs import play_local
from touchline.drivers.proposals import proposed
from touchline.drivers.runner import run
from touchline.players.by_name import dialect_of, is_program, player, program_files
from touchline.players.in_dialect import InDialect, InProcessConnection
from touchline.players.in_thread import in_thread
from touchline.players.process import Program
from touchline.players.process_connection import ProcessConnection
from touchline.players.remote import Remote
from touchline.players.wasm import WasmProgram
from touchline.sandbox.launch import NONE, Sandbox
from touchline.sandbox.tiers import chosen
from touchline.transports.shared.framing import MOST_FRAME

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from concurrent.futures import Executor

    from touchline.core.events import Event, Module, Result
    from touchline.dialects.base import Dialect
    from touchline.drivers.match import MatchSpec
    from touchline.drivers.past import Past
    from touchline.sandbox.limits import ProgramLimits


def sandbox_for(
    words: Sequence[str],
    isolation: str,
    limits: ProgramLimits,
    *,
    ponder: bool = True,
    hidden: Sequence[Path] = (),
    folder: Path = Path(),
    others: Sequence[str] | None = None,
) -> Sandbox:
    """Return how the programs among these players are confined. BadOptions if that does not work here.

    None sees the files of the others; `others` are these players, unless others are given.
    """
    if not any(map(is_program, words)):
        return NONE
    unseen = (*program_files(words if others is None else others, folder), *hidden)
    return Sandbox(tier=chosen(isolation), limits=limits, hidden=unseen, freezes=not ponder)


class Absent:
    """Placeholder for a player that could not be created; its seat is refused, so it is never asked."""

    def choose(self, view: Any, turn: int) -> Any:
        raise RuntimeError("a seat that was refused was asked for a move")


class Lineup:
    """The players of one match, created from their words."""

    def __init__(
        self,
        words: Sequence[str],
        seeds: Sequence[object],
        make: Callable[..., Any] = player,
        *,
        refuses: tuple[type[Exception], ...] = (),
        sandbox: Sandbox = NONE,
        own_sandboxes: Mapping[int, Sandbox] = MappingProxyType({}),
        folders: Sequence[Path | None] = (),
        listen: Callable[[int, bytes], None] | None = None,
    ) -> None:
        """Take a word and a random seed for each seat; `make` creates a player from them and the game.

        If a player cannot be created, the error is raised; if it is one of `refuses`, the match begins
        without that player instead. Programs run in the sandbox, except seats with one of their own, and each
        in the folder that `folders` has for its seat, of which it sees everything; `make` gets both by name.
        For any other player it gets the number of `seats`. `listen` gets what the program of a seat writes to
        stderr, as it is read.
        """
        self._words, self._seeds, self._make, self._refuses = words, seeds, make, refuses
        self._sandbox, self._own_sandboxes = sandbox, own_sandboxes
        self._folders, self._listen = folders, listen
        self._made: list[Any] = []
        self._pipes: list[ProcessConnection] = []
        self.notes: dict[int, str] = {}
        """The stderr output of programs, by seat."""

    def fill(self, spec: MatchSpec, guests: Mapping[int, Any] = MappingProxyType({})) -> MatchSpec:
        """Create the players of all seats but those of `guests`, who exist already.

        Return the spec, with the seats refused whose players could not be created.
        """
        refused = [*spec.refused]
        try:
            for seat, word in enumerate(self._words):
                if seat in guests:
                    self._made.append(guests[seat])
                    continue
                try:
                    self._made.append(self._make(word, spec.game, self._seeds[seat], **self._place(seat)))
                except (TouchlineError, OSError) as error:
                    if not isinstance(error, self._refuses):
                        if isinstance(error, OSError):
                            raise BadOptions(f"{word} cannot be started: {error.strerror or error}") from None
                        raise
                    self._made.append(Absent())
                    refused.append(Refused(seat, Offence.REFUSED, str(error)))
        except BaseException:
            self.clear(spec)
            raise
        self._attach_listeners()
        spoken = tuple(self._spoken(seat, one) for seat, one in enumerate(self._made))
        tiers = tuple(one.sandbox.tier if isinstance(one, Program) else None for one in self._made)
        return replace(
            spec, refused=tuple(refused), dialects=spoken, isolation=tiers,
            ponders=not self._sandbox.freezes, modules=self._fuelled(spec),
        )  # fmt: skip

    def _attach_listeners(self) -> None:
        for seat, one in enumerate(self._made):
            if self._listen is not None and isinstance(one, Program):
                one.listener = partial(self._listen, seat)

    def _place(self, seat: int) -> dict[str, Any]:
        """Return where and how the program of a seat runs, as arguments of `make`."""
        if not is_program(self._words[seat]):
            return {"seats": len(self._words)}
        own = self._folders[seat] if self._folders else None
        sandbox = self._own_sandboxes.get(seat, self._sandbox)
        if own is None:
            return {} if sandbox == NONE else {"sandbox": sandbox}
        return {"folder": own, "sandbox": replace(sandbox, own=own)}

    def unstarted(self) -> str | None:
        """Return why a program could not be started on this machine, once all were stopped; None if none."""
        programs = [one for one in self._made if isinstance(one, Program)]
        return next((one.unstarted for one in programs if one.unstarted is not None), None)

    def _fuelled(self, spec: MatchSpec) -> tuple[Module | None, ...]:
        """Tell the players that count fuel their limit; return the modules, empty if there are none."""
        programs = [one if isinstance(one, WasmProgram) else None for one in self._made]
        modules = tuple(None if one is None else one.module for one in programs)
        if spec.modules and spec.modules != modules:
            raise BadOptions("a WebAssembly module, or what runs it, has changed since the match began")
        for one in programs:
            if one is not None:
                one.limit(spec.limits.fuel)
        return modules if any(modules) else ()

    def _spoken(self, seat: int, one: Any) -> str | None:
        if isinstance(one, Program):
            return dialect_of(self._words[seat]) or DEFAULT
        return one.dialect.name if isinstance(one, InDialect) else None

    def play(
        self,
        spec: MatchSpec,
        observers: Sequence[Callable[[Event], None]] = (),
        past: Past | None = None,
    ) -> Result:
        """Play the match with the players that were created, and stop their programs.

        With a past, the match is resumed.
        """
        try:
            if all(isinstance(one, Bot) for one in self._made):
                return play_now(spec, self._made, observers, past)
            dialects = self._dialects(spec)
            proposing = any(dialect.proposes for dialect in dialects.values())
            if not proposing and all(isinstance(one, Bot | Program) for one in self._made):
                return play_local(spec, self._made, observers, dialects, past)
            return run(self._play_on_loop(spec, observers, past=past))
        finally:
            self.clear(spec)

    def _dialects(self, spec: MatchSpec) -> dict[int, Dialect]:
        return {
            seat: registry.dialect(dialect_of(self._words[seat]) or DEFAULT)(spec.game)
            for seat, one in enumerate(self._made)
            if isinstance(one, Program)
        }

    async def _play_on_loop(
        self,
        spec: MatchSpec,
        observers: Sequence[Callable[[Event], None]],
        threads: Executor | None = None,
        past: Past | None = None,
    ) -> Result:
        try:
            seated = self._seated(spec, threads)
            with_proposals = await self._with_proposals(spec, seated, threads)
            # Restarted players are asked for proposals, too; those in the record stand.
            return await play(with_proposals if past is None else spec, seated, observers, past)
        finally:
            self._release()

    async def _with_proposals(
        self, spec: MatchSpec, seated: Sequence[Any], threads: Executor | None
    ) -> MatchSpec:
        """Return the spec with the proposals of the players whose dialect supports them."""
        lines = [InProcessConnection(one, threads) if isinstance(one, InDialect) else one for one in seated]
        speakers = [one if isinstance(one, InProcessConnection | Remote) else None for one in lines]
        seconds = None if spec.limits.set_up is None else spec.limits.set_up / 1e6
        proposals, refused = await proposed(speakers, seconds, spec.limits.untimed or ())
        return replace(spec, proposals=proposals, refused=(*spec.refused, *refused))

    async def play_among_others(
        self,
        spec: MatchSpec,
        observers: Sequence[Callable[[Event], None]] = (),
        *,
        threads: Executor,
    ) -> Result:
        """Play the match on a running event loop, without blocking it.

        Players of this process think in `threads`; a worker thread waits for the programs to end.
        """
        try:
            return await self._play_on_loop(spec, observers, threads)
        finally:
            await asyncio.to_thread(self.clear, spec)

    def _seated(self, spec: MatchSpec, threads: Executor | None) -> list[Any]:
        dialects, seated, goodbye = self._dialects(spec), list[Any](), (spec.limits.goodbye or 0) / 1e6
        for seat, one in enumerate(self._made):
            if isinstance(one, Program):
                most = max(MOST_FRAME, dialects[seat].longest)
                self._pipes.append(ProcessConnection(one, goodbye, most))
                seated.append(Remote(self._pipes[-1], dialects[seat], goodbye=goodbye, meter=one.meter))
            elif threads is not None and isinstance(one, Bot | InDialect) and not isinstance(one, Absent):
                seated.append(in_thread(one, spec.game, threads, goodbye))
            else:
                seated.append(one)
        return seated

    def _release(self) -> None:
        """Release the programs' pipes; the event loop must still run."""
        while self._pipes:
            self._pipes.pop().release()

    def clear(self, spec: MatchSpec) -> None:
        """Stop the programs, and keep in `notes` what they wrote to stderr."""
        self._release()
        for one in self._made:
            if isinstance(one, Program):
                one.hang_up()
        deadline = monotonic() + (spec.limits.goodbye or 0) / 1e6  # shared by all programs
        for seat, one in enumerate(self._made):
            if isinstance(one, Program):
                one.stop(max(0.0, deadline - monotonic()))
                self.notes[seat] = one.notes.text()
