"""A match to be played: a game, players of any kind, and the terms.

Laws of this file: the players of a match are made for it and stopped with it, except bot objects, which
belong to the caller; the same game, players and seed give the same match as on the command line.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from inspect import signature
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import UNSET, Struct
from msgspec.structs import replace

from touchline.bots.base import Bot, HouseBot, is_clocked
from touchline.conducts.base import conduct_of
from touchline.core import registry
from touchline.core.clock import Clock, Limits, micros
from touchline.core.errors import BadOptions
from touchline.core.rules import check_seats
from touchline.drivers.lineup import Lineup, sandbox_for
from touchline.drivers.match import TURN_CAP, MatchSpec, agreed
from touchline.drivers.terms import Terms, terms_of
from touchline.matches.result import MatchResult
from touchline.players.by_name import PERSON, player, spoken_by, without_dialect
from touchline.players.project import path_in, resolved
from touchline.records.recording import Observer, Recording
from touchline.records.side_file import SeatSecret, Secret, side_file
from touchline.sandbox.launch import NONE, Sandbox
from touchline.sandbox.limits import DEFAULT, ProgramLimits, limits_beside

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from touchline.core.conduct import Conduct
    from touchline.core.events import Result
    from touchline.core.rules import Game
    from touchline.players.output import PlayerOutput

AnyPlayer: TypeAlias = str | Path | Bot | type[Bot]
"""A house player ("mcts:seconds=1"), a Python file, "process:COMMAND", a folder with a `touchline.toml`, a
bot object, or the class of one."""
Maker: TypeAlias = "Callable[..., Any]"
"""Make a player from its word, for this game, with this seed; a program in `sandbox`, a bot for `seats`."""


class Fixture(Struct, frozen=True):
    """A match to be played: the game, the players and the terms."""

    game: Any
    players: tuple[Any, ...]
    names: tuple[str, ...]
    terms: Terms
    turn_cap: int
    make: Maker
    sandbox: Sandbox = NONE
    """How the programs among the players are confined."""
    own_sandboxes: Mapping[int, Sandbox] = MappingProxyType({})
    """How the programs of single seats are confined, if not like the others."""

    def seat(self, seed: int | None, output: PlayerOutput | None = None) -> tuple[MatchSpec, Lineup]:
        """Make the players and start the programs of one match; `output` gets what they write to stderr."""
        spec = agreed(
            self.game, self.names, seed,
            conduct=self.terms.conduct, limits=self.terms.limits, turn_cap=self.turn_cap,
        )  # fmt: skip
        seeds = [f"{spec.seed} {seat}" for seat in range(len(self.players))]
        words = [one if isinstance(one, str) else "" for one in self.players]
        listen = None if output is None else output.listen
        lineup = Lineup(
            words, seeds, self.make, sandbox=self.sandbox, own_sandboxes=self.own_sandboxes,
            listen=listen,
        )  # fmt: skip
        guests = {
            seat: _ready_bot(one, self.game, seeds[seat])
            for seat, one in enumerate(self.players)
            if not isinstance(one, str)
        }
        return lineup.fill(spec, guests), lineup

    def rotated(self, by: int) -> Fixture:
        """Return this fixture with every player moved by this many seats; each keeps its clock."""
        turned, limits = rotation(by, len(self.players)), self.terms.limits
        if limits.untimed is not UNSET:
            people = tuple(seat for seat, who in enumerate(turned) if who in limits.untimed)
            limits = replace(limits, untimed=people)
        return replace(
            self,
            terms=self.terms._replace(limits=limits),
            players=tuple(self.players[who] for who in turned),
            names=tuple(self.names[who] for who in turned),
        )

    def play(
        self,
        seed: int | None,
        observers: Sequence[Observer] = (),
        recording: Recording | None = None,
        output: PlayerOutput | None = None,
    ) -> MatchResult:
        """Play one match; `output` gets what programs write to stderr, while they write it."""
        recording = recording or Recording()
        with output or nullcontext():
            spec, lineup = self.seat(seed, output)
            try:
                seen = [*observers, *recording.open(self.secret(spec))]
                if output is not None:
                    seen.append(output)
                result = _outside_event_loop(lambda: lineup.play(spec, seen))
            finally:
                recording.end()
                lineup.clear(spec)
        return self._result(spec, lineup, result, recording)

    async def play_async(
        self, seed: int | None, observers: Sequence[Observer] = (), recording: Recording | None = None
    ) -> MatchResult:
        """Play one match on the running event loop, without blocking it."""
        recording = recording or Recording()
        spec, lineup = await asyncio.to_thread(self.seat, seed)
        try:
            seen = [*observers, *recording.open(self.secret(spec))]
            with ThreadPoolExecutor(len(self.players), "touchline-bot") as threads:
                result = await lineup.play_among_others(spec, seen, threads=threads)
        finally:
            recording.end()
            lineup.clear(spec)
        return self._result(spec, lineup, result, recording)

    def secret(self, spec: MatchSpec) -> Secret:
        """Return what is needed to resume the match; a player that is an object cannot be made again."""
        seats = tuple(
            SeatSecret(word=one if isinstance(one, str) else None, seed=f"{spec.seed} {seat}")
            for seat, one in enumerate(self.players)
        )
        return Secret(
            origin="play", seed=spec.seed, nonce=spec.nonce, seats=seats, folder=str(Path().resolve()),
            program=UNSET if self.sandbox.limits == DEFAULT else self.sandbox.limits,
        )  # fmt: skip

    def _result(self, spec: MatchSpec, lineup: Lineup, result: Result, recording: Recording) -> MatchResult:
        whole = recording.digest is not None
        return MatchResult(
            game=self.game, players=self.names, seed=spec.seed, result=result, stderr=lineup.notes,
            record=recording.path if whole else None, digest=recording.digest, isolation=spec.isolation,
        )  # fmt: skip


def fixture(
    game: Game | str,
    players: Sequence[AnyPlayer],
    *,
    conduct: Conduct | str | None = None,
    seconds: float | None = None,
    limits: Limits | None = None,
    paced: bool | None = None,
    names: Sequence[str] | None = None,
    turn_cap: int = TURN_CAP,
    make: Maker = player,
    isolation: str = "auto",
    program: ProgramLimits | None = None,
    ponder: bool = True,
    hidden: Sequence[Path] = (),
) -> Fixture:
    """Return a match to be played. BadOptions if the game, the players or the terms do not fit together.

    `paced` says whether the clock of `limits` was chosen; otherwise the dialect of the players sets it.
    `isolation`, `program` and `ponder` are about programs: the tier of their cage, what they may use, and
    whether they may think in the turns of others. They never see `hidden` paths.
    """
    rules = registry.game(game) if isinstance(game, str) else game
    seated = tuple(resolved(str(one)) if isinstance(one, (str, Path)) else one for one in players)
    check_seats(rules, len(seated), BadOptions)
    called = tuple(map(_name, players, seated) if names is None else names)
    if len(called) != len(seated):
        raise BadOptions(f"{len(called)} names for {len(seated)} players")
    terms = terms_of(
        [spoken_by(one) if isinstance(one, str) else None for one in seated],
        conduct=conduct_of(conduct) if isinstance(conduct, str) else conduct,
        limits=_limits(limits, seconds),
        paced=(limits is not None or seconds is not None) if paced is None else paced,
        people=[seat for seat, one in enumerate(seated) if _is_person(one)],
    )
    words = [one for one in seated if isinstance(one, str)]
    caged = sandbox_for(words, isolation, program or _limits_beside(conduct), ponder=ponder, hidden=hidden)
    return Fixture(rules, seated, called, terms, turn_cap, make, caged)


def hidden_files(record: str | Path | None) -> tuple[Path, ...]:
    """Return what programs must not see of a record that is being written."""
    return () if record is None else (Path(record), side_file(Path(record)))


def _limits_beside(conduct: Conduct | str | None) -> ProgramLimits:
    return limits_beside(Path(conduct)) if isinstance(conduct, str) else DEFAULT


def rotation(by: int, seats: int) -> list[int]:
    """Return the index of the player in each seat, after all players have moved by this many seats.

    >>> rotation(1, 3)
    [1, 2, 0]
    """
    return [(seat + by) % seats for seat in range(seats)]


def _limits(limits: Limits | None, seconds: float | None) -> Limits:
    chosen = Limits() if limits is None else limits
    return chosen if seconds is None else replace(chosen, clock=Clock(micros(seconds)))


def _is_person(one: AnyPlayer) -> bool:
    """Return whether this player is a person at this terminal."""
    return without_dialect(one) == PERSON if isinstance(one, str) else is_clocked(one)


def _name(one: AnyPlayer, seated: AnyPlayer) -> str:
    """Return the name of a player: its word, the name of its folder or of its class."""
    if isinstance(one, (str, Path)):
        return str(one) if str(one) == seated else Path(path_in(str(one))).resolve().name
    return one.__name__ if isinstance(one, type) else type(one).__name__


def _ready_bot(one: Path | Bot | type[Bot], game: Game, seed: str) -> Bot:
    """Return a bot that is ready for the game: the object, or an instance of the class."""
    if isinstance(one, type):
        chance = {"rng": Random(seed)} if "rng" in signature(one).parameters else {}
        one = one(**chance)
    if not isinstance(one, Bot):
        raise BadOptions(f"{one!r} is no player: it has no method choose(view, turn)")
    if isinstance(one, HouseBot):
        one.prepare(game)
    return one


def _outside_event_loop(play: Callable[[], Result]) -> Result:
    """Play in this thread, or in a new one if an event loop runs in this one already (in a notebook)."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return play()
    with ThreadPoolExecutor(1, "touchline-match") as thread:
        return thread.submit(play).result()
