"""One match between any players: house players, Python files, programs, and bot objects.

Laws of this file: the players of a match are made for it and stopped with it, except bot objects, which
belong to the caller; the same game, players and seed give the same match as on the command line.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from inspect import signature
from io import FileIO
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from touchline.bots.base import HouseBot
from touchline.conducts.base import conduct_of
from touchline.core import registry
from touchline.core.clock import Clock, Limits, micros
from touchline.core.errors import BadInput, BadOptions
from touchline.core.events import Result
from touchline.core.rules import check_seats
from touchline.drivers.lineup import Lineup
from touchline.drivers.match import TURN_CAP, Bot, MatchSpec, agreed
from touchline.drivers.terms import Terms, terms_of
from touchline.players.by_name import player, spoken_by
from touchline.records.recorder import recorder
from touchline.records.replay import Replay
from touchline.records.story import story

if TYPE_CHECKING:
    from touchline.core.conduct import Conduct
    from touchline.core.events import Event, Fault
    from touchline.core.rules import Game, Outcome

AnyPlayer: TypeAlias = str | Path | Bot | type[Bot]
"""A house player ("mcts:seconds=1"), a Python file, "process:COMMAND", a bot object, or the class of one."""
Observer: TypeAlias = "Callable[[Event], None]"
Maker: TypeAlias = "Callable[[str, Game, object], Any]"
"""Make a player from its word, for this game, with this seed."""


class MatchResult(Struct, frozen=True, kw_only=True):
    """The result of a match, with its game and players. A notebook shows it as a table.

    >>> import touchline
    >>> match = touchline.play("hexapawn", ["random", "greedy"], seed=1)
    >>> match.verdict, match.winners, match.scores
    ('finished', ('greedy',), (0, 1))
    >>> match
    <MatchResult hexapawn: greedy won, 0-1 after 18 turns: reached the far row>
    """

    game: Any
    """The game with its options."""
    players: tuple[str, ...]
    """The name of the player in each seat."""
    seed: int
    """The seed of the match: with it the same bots play the same match again."""
    result: Result
    """The result as the referee reports it: the outcome, and every fault."""
    stderr: Mapping[int, str] = {}
    """The stderr output of programs, by seat."""
    record: Path | None = None
    """The file of its record, if there is one."""

    @property
    def verdict(self) -> str:
        """`finished`, `forfeited`, or `void` for a match that does not count."""
        return self.result.verdict

    @property
    def outcome(self) -> Outcome | None:
        """Ranks, scores and winning seats; None if the match is void."""
        return self.result.outcome

    @property
    def winners(self) -> tuple[str, ...]:
        """The names of the players that won."""
        outcome = self.result.outcome
        return () if outcome is None else tuple(self.players[seat] for seat in outcome.winners)

    @property
    def scores(self) -> tuple[int, ...]:
        """The score of each seat, in the game's own unit; empty if the match is void."""
        return () if self.result.outcome is None else self.result.outcome.scores

    @property
    def faults(self) -> tuple[Fault, ...]:
        """Every offence of a player."""
        return self.result.faults

    @property
    def reason(self) -> str:
        """Why the match is over."""
        return self.result.reason

    @property
    def turns(self) -> int:
        """The number of turns played."""
        return self.result.turns

    def replay(self) -> Replay:
        """Return the record, state by state. BadInput if the match was not recorded."""
        if self.record is None:
            raise BadInput("the match was not recorded: play it with record=PATH")
        return read_record(self.record)

    def rows(self) -> list[dict[str, Any]]:
        """Return a row per seat, of plain values that a data frame takes."""
        outcome, result = self.result.outcome, self.result
        return [
            {
                "game": self.game.name, "seed": self.seed, "seat": seat, "player": name,
                "won": outcome is not None and seat in outcome.winners,
                "rank": None if outcome is None else outcome.ranks[seat],
                "score": None if outcome is None else outcome.scores[seat],
                "turns": result.turns, "verdict": result.verdict, "reason": result.reason,
                "faults": sum(fault.seat == seat for fault in result.faults),
                "expelled": seat in result.expelled, "resigned": seat in result.resigned,
            }
            for seat, name in enumerate(self.players)
        ]  # fmt: skip

    def __str__(self) -> str:
        return "\n".join(story(self.result, self.players))

    def __repr__(self) -> str:
        if self.result.outcome is None:
            return f"<MatchResult {self.game.name}: void: {self.reason}>"
        who = " and ".join(self.winners) or "nobody"
        score = "-".join(map(str, self.scores))
        return f"<MatchResult {self.game.name}: {who} won, {score} after {self.turns} turns: {self.reason}>"

    def _repr_html_(self) -> str:
        from touchline.draw.notebook import html_table

        shown = ("seat", "player", "rank", "score", "faults")
        title = f"{self.game.name}, {self.turns} turns, {self.verdict}: {self.reason}"
        return html_table([{key: row[key] for key in shown} for row in self.rows()], title)


class Recording:
    """The record of a match, written while it is played. A failing disk stops it, but not the match."""

    def __init__(self, path: str | Path | None = None) -> None:
        """Without a path nothing is recorded."""
        self.path = None if path is None else Path(path)
        self._file: FileIO | None = None
        self._failed: OSError | None = None

    def open(self) -> list[Observer]:
        """Open the file and return the observer that writes to it. Call it once all players exist."""
        if self.path is None:
            return []
        try:
            self._file = FileIO(self.path, "wb")
        except OSError as error:
            raise BadOptions(f"cannot record to {self.path}: {error.strerror}") from None
        write = recorder(self._file)

        def see(event: Event) -> None:
            if self._failed is None:
                try:
                    write(event)
                except OSError as error:
                    self._failed = error

        return [see]

    def close(self) -> None:
        """Close the file, whether the match ended or not."""
        if self._file is not None:
            self._file.close()

    def check(self) -> None:
        """Raise BadInput if the record is incomplete."""
        if self._failed is not None:
            raise BadInput(f"the record is incomplete: {self._failed.strerror}", str(self.path))


class Fixture(Struct, frozen=True):
    """A match to be played: the game, the players and the terms."""

    game: Any
    players: tuple[Any, ...]
    names: tuple[str, ...]
    terms: Terms
    turn_cap: int
    make: Maker

    def seat(self, seed: int | None) -> tuple[MatchSpec, Lineup]:
        """Make the players and start the programs of one match."""
        spec = agreed(
            self.game, self.names, seed,
            conduct=self.terms.conduct, limits=self.terms.limits, turn_cap=self.turn_cap,
        )  # fmt: skip
        seeds = [f"{spec.seed} {seat}" for seat in range(len(self.players))]
        words = [one if isinstance(one, str) else "" for one in self.players]
        lineup = Lineup(words, seeds, self.make)
        guests = {
            seat: _ready_bot(one, self.game, seeds[seat])
            for seat, one in enumerate(self.players)
            if not isinstance(one, str)
        }
        return lineup.fill(spec, guests), lineup

    def rotated(self, by: int) -> Fixture:
        """Return this fixture with every player moved by this many seats; the terms stay."""
        turned = rotation(by, len(self.players))
        return replace(
            self,
            players=tuple(self.players[who] for who in turned),
            names=tuple(self.names[who] for who in turned),
        )

    def play(
        self, seed: int | None, observers: Sequence[Observer] = (), recording: Recording | None = None
    ) -> MatchResult:
        """Play one match."""
        recording = recording or Recording()
        spec, lineup = self.seat(seed)
        try:
            seen = [*observers, *recording.open()]
            result = _outside_event_loop(lambda: lineup.play(spec, seen))
        finally:
            recording.close()
            lineup.clear(spec)
        return self._result(spec, lineup, result)

    async def play_async(
        self, seed: int | None, observers: Sequence[Observer] = (), recording: Recording | None = None
    ) -> MatchResult:
        """Play one match on the running event loop, without blocking it."""
        recording = recording or Recording()
        spec, lineup = await asyncio.to_thread(self.seat, seed)
        try:
            seen = [*observers, *recording.open()]
            with ThreadPoolExecutor(len(self.players), "touchline-bot") as threads:
                result = await lineup.play_among_others(spec, seen, threads=threads)
        finally:
            recording.close()
            lineup.clear(spec)
        return self._result(spec, lineup, result)

    def _result(self, spec: MatchSpec, lineup: Lineup, result: Result) -> MatchResult:
        return MatchResult(
            game=self.game, players=self.names, seed=spec.seed, result=result, stderr=lineup.notes
        )


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
) -> Fixture:
    """Return a match to be played. BadOptions if the game, the players or the terms do not fit together.

    `paced` says whether the clock of `limits` was chosen; otherwise the dialect of the players sets it.
    """
    rules = registry.game(game) if isinstance(game, str) else game
    seated = tuple(str(one) if isinstance(one, Path) else one for one in players)
    check_seats(rules, len(seated), BadOptions)
    called = tuple(map(_name, seated) if names is None else names)
    if len(called) != len(seated):
        raise BadOptions(f"{len(called)} names for {len(seated)} players")
    terms = terms_of(
        [spoken_by(one) if isinstance(one, str) else None for one in seated],
        conduct=conduct_of(conduct) if isinstance(conduct, str) else conduct,
        limits=_limits(limits, seconds),
        paced=(limits is not None or seconds is not None) if paced is None else paced,
    )
    return Fixture(rules, seated, called, terms, turn_cap, make)


def rotation(by: int, seats: int) -> list[int]:
    """Return the index of the player in each seat, after all players have moved by this many seats.

    >>> rotation(1, 3)
    [1, 2, 0]
    """
    return [(seat + by) % seats for seat in range(seats)]


def play(
    game: Game | str,
    players: Sequence[AnyPlayer],
    *,
    seed: int | None = None,
    conduct: Conduct | str | None = None,
    seconds: float | None = None,
    limits: Limits | None = None,
    record: str | Path | None = None,
    observers: Sequence[Observer] = (),
    names: Sequence[str] | None = None,
    turn_cap: int = TURN_CAP,
) -> MatchResult:
    """Play a match and return its result.

    A player is a house player by name with options ("mcts:seconds=0.5"), a Python file ("mybot.py", or
    "mybot.py:Name"), a program ("process:./mybot"), or a bot: an object or a class with
    `choose(view, turn)`. Files and programs run in processes of their own; a bot runs here and is trusted.

    `seconds` is the time for a move, `limits` all times; without them the terms are those of the command
    line, 10 seconds a move. `conduct` says what an offence costs. `record` is a file to write the record to.

    >>> import touchline
    >>> class First:
    ...     def choose(self, view, turn):
    ...         return view.legal_moves()[0]
    >>> match = touchline.play("fish", ["random", First], seed=2)
    >>> match.players, match.winners, match.scores
    (('random', 'First'), ('random',), (31, 13))
    >>> print(match)
    random (seat 0) won with 31: nobody can move
    First (seat 1) lost with 13, rank 2
    """
    match = fixture(
        game, players, conduct=conduct, seconds=seconds, limits=limits, names=names, turn_cap=turn_cap
    )
    recording = Recording(record)
    return recorded(match.play(seed, observers, recording), recording)


async def play_async(
    game: Game | str,
    players: Sequence[AnyPlayer],
    *,
    seed: int | None = None,
    conduct: Conduct | str | None = None,
    seconds: float | None = None,
    limits: Limits | None = None,
    record: str | Path | None = None,
    observers: Sequence[Observer] = (),
    names: Sequence[str] | None = None,
    turn_cap: int = TURN_CAP,
) -> MatchResult:
    """Play a match as `play` does, on the running event loop: bots think in threads, and nothing blocks.

    >>> import asyncio, touchline
    >>> async def both():
    ...     return await asyncio.gather(
    ...         touchline.play_async("hexapawn", ["random", "random"], seed=1),
    ...         touchline.play_async("fish", ["random", "greedy"], seed=1),
    ...     )
    >>> [match.verdict for match in asyncio.run(both())]
    ['finished', 'finished']
    """
    match = fixture(
        game, players, conduct=conduct, seconds=seconds, limits=limits, names=names, turn_cap=turn_cap
    )
    recording = Recording(record)
    return recorded(await match.play_async(seed, observers, recording), recording)


def read_record(path: str | Path) -> Replay:
    """Read the record of a match, to step through it or to verify it.

    >>> import touchline, tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "match.jsonl"
    >>> match = touchline.play("hexapawn", ["random", "random"], seed=1, record=path)
    >>> replay = touchline.read_record(path)
    >>> replay.verify()  # plays it again; raises BadInput at the first line that differs
    >>> *_, (event, state) = replay.states()  # every event with the state after it
    >>> state.outcome() == match.outcome
    True
    """
    path = Path(path)
    try:
        return Replay(path.read_bytes(), str(path))
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror}", str(path)) from None


def recorded(played: MatchResult, recording: Recording) -> MatchResult:
    """Return the result with the file of its record. BadInput if the record is incomplete."""
    recording.check()
    return replace(played, record=recording.path)


def _limits(limits: Limits | None, seconds: float | None) -> Limits:
    chosen = Limits() if limits is None else limits
    return chosen if seconds is None else replace(chosen, clock=Clock(micros(seconds)))


def _name(one: AnyPlayer) -> str:
    if isinstance(one, str):
        return one
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
