"""`check_leaks`: can a seat, or a spectator, tell apart two worlds that differ only in what it may not see?

Two worlds with the same public part must give a seat the same bytes: in its view, in the reasons of illegal
moves, in hints, in every frame of every dialect, in the record and in whatever channel is passed in. It
knows no game and no dialect by name.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from touchline.bots.greedy import Greedy
from touchline.core import registry
from touchline.core.rules import Redrawable
from touchline.testing.game_check import CheckFailed
from touchline.testing.leak_matches import (
    OWNERS_ONLY,
    RECORD,
    Scene,
    Script,
    common_moves,
    dialects_for,
    handed_to_bots,
    parting,
    played,
    scenes,
)
from touchline.testing.leak_report import Leak, LeakReport
from touchline.testing.leak_states import STATE_CHANNELS, hint_channels, shown
from touchline.testing.leak_worlds import different_parts, redrawn, started

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.core.rules import Game, Seat, State
    from touchline.dialects.base import Dialect
    from touchline.testing.leak_matches import MatchChannel, PlayedWorld
    from touchline.testing.leak_states import StateChannel

MOST_SEATS = 3
"""Seats of a match, if the game allows as many: with three there are two sets of secrets beside one's own."""
WORLDS = 2
"""Other worlds for each state and each match."""
TURNS = 8
"""Turns of the game whose states are looked at."""
THINKING_TURNS = 3
"""Turns in which hints are compared; a hint is slow."""


def check_leaks(
    game: str | Game, *, dialects: Sequence[type[Dialect]] | None = None, seed: int = 0
) -> LeakReport:
    """Raise CheckFailed if a seat or a spectator can learn what it may not see; return what was compared.

    >>> from touchline.games.hexapawn import Hexapawn
    >>> check_leaks(Hexapawn(rows=3, cols=3)).hidden
    False
    """
    report = find_leaks(registry.game(game) if isinstance(game, str) else game, dialects=dialects, seed=seed)
    if report.leaks:
        raise CheckFailed("; ".join(map(str, report.leaks)))
    return report


def find_leaks(
    game: Game,
    *,
    dialects: Sequence[type[Dialect]] | None = None,
    seats: int | None = None,
    seed: int = 0,
    state_channels: Sequence[StateChannel] = (),
    match_channels: Sequence[MatchChannel] = (),
) -> LeakReport:
    """Compare every channel in pairs of worlds, and return the findings.

    Without `dialects`, all that have words for the game are compared. The page's channels are passed in.
    """
    seats = min(MOST_SEATS, game.seats[-1]) if seats is None else seats
    spoken = dialects_for(game) if dialects is None else list(dialects)
    report = LeakReport(
        game=game.name, hidden=game.hidden, seats=seats, dialects=tuple(kind.name for kind in spoken)
    )
    search = _Search(game, seats, seed, report)
    if not game.hidden:
        search.compare_views_with_states()
        return report
    search.compare_states([*STATE_CHANNELS, *state_channels])
    search.compare_bots()
    for number, kind in enumerate(spoken):
        channels = [RECORD, *match_channels] if number == 0 else [RECORD]
        for scene in scenes(kind, seats):
            search.compare_matches(scene, channels)
    search.conclude()
    return report


class _Search:
    """The search for leaks in one game."""

    def __init__(self, game: Game, seats: int, seed: int, report: LeakReport) -> None:
        self._game, self._seats, self._seed, self._report = game, seats, seed, report
        self._start = started(game, seats, seed)
        self._audiences: tuple[Seat | None, ...] = (*range(seats), None)
        self._known: dict[State, Any] = {}
        self._redrawn: set[str] = set()
        self._veiled: set[str] = set()

    def _other(self, state: State, seat: Seat | None, world: int) -> State:
        return redrawn(state, seat, Random(f"world {world} {self._seed} {seat}"))

    def _line(self) -> list[State]:
        """Return the states of a short game of bots that follow their goals, except the last of a game."""
        states, bot = [self._start], Greedy(Random(self._seed))
        while len(states) < TURNS * self._seats and states[-1].to_move is not None:
            states.append(states[-1].play(bot.choose(states[-1].view(states[-1].to_move))))
        return [state for state in states if state.to_move is not None]

    # -- games without secrets ----------------------------------------------------------------

    def compare_views_with_states(self) -> None:
        """In a game that hides nothing, every view is the state."""
        channel = "view() of a game that declares hidden = False"
        for turn, state in enumerate(self._line()):
            for seat in self._audiences:
                self._report.compared[channel] = self._report.compared.get(channel, 0) + 1
                if state.view(seat) != state:
                    parts = ", ".join(sorted(different_parts(state, state.view(seat)))) or "its type"
                    self._report.leaks.append(Leak(seat, channel, f"turn {turn}, it differs in {parts}"))
                    return

    # -- states -------------------------------------------------------------------------------

    def compare_states(self, channels: Sequence[StateChannel]) -> None:
        """Compare what each audience can learn from each state, and from another one that looks the same."""
        hints = list(hint_channels(self._game))
        for turn, state in enumerate(self._line()):
            asked = [*channels, *(hints if turn < THINKING_TURNS * self._seats else ())]
            for seat in self._audiences:
                self._veiled |= different_parts(state, state.view(seat))
                mine = shown(asked, self._game, state, seat)
                for world in range(WORLDS):
                    other = self._other(state, seat, world)
                    self._redrawn |= different_parts(state, other)
                    theirs = shown(asked, self._game, other, seat)
                    for name in sorted({*mine, *theirs}):
                        both = [mine.get(name, b"")], [theirs.get(name, b"")]
                        self._report.compare(seat, name, f"turn {turn}", *both)

    def compare_bots(self) -> None:
        """Compare what the driver hands to bots in this process."""
        for seat in range(self._seats):
            script = Script(self._game, self._seed, seat, self._known)
            starts = self._start, self._other(self._start, seat, 0)
            moves = common_moves(script, *starts, seat, TURNS * self._seats)
            mine, theirs = (
                [data for who, data in handed_to_bots(self._game, start, moves, self._seats) if who == seat]
                for start in starts
            )
            self._report.compare(seat, "what a bot in this process is handed", "a match of bots", mine, theirs)

    # -- matches ------------------------------------------------------------------------------

    def compare_matches(self, scene: Scene, channels: Sequence[MatchChannel]) -> None:
        """Play a match in the true world and in others, and compare what each audience is sent."""
        for seat in self._audiences:
            script = Script(self._game, self._seed, seat, self._known)
            true = played(scene, self._game, self._start, script, self._seats)
            for world in range(WORLDS if scene.slip == "none" else 1):
                start = self._other(self._start, seat, world)
                other = played(scene, self._game, start, script, self._seats)
                self._compare_worlds(scene, seat, (true, other), channels)

    def _compare_worlds(
        self,
        scene: Scene,
        seat: Seat | None,
        worlds: tuple[PlayedWorld, PlayedWorld],
        channels: Sequence[MatchChannel],
    ) -> None:
        until, name = parting(*worlds, seat), scene.dialect.name
        if seat is not None:
            mine, theirs = (world.frames_of(seat, until) for world in worlds)
            self._report.compare(seat, f"dialect {name}", str(scene), mine, theirs)
        for channel in channels:
            mine, theirs = (
                [*channel.show(world.spec, world.start, world.events_before(until), seat)]
                for world in worlds
            )
            self._report.compare(seat, channel.name, f"{name}, {scene}", mine, theirs)

    # -- what was not checked -----------------------------------------------------------------

    def conclude(self) -> None:
        """Say which parts of a position were redrawn, and what was not checked."""
        report = self._report
        report.redrawn = tuple(sorted(self._redrawn))
        if not isinstance(self._start, Redrawable):
            report.not_checked.append(
                "whether view() itself shows too much: the state has no method redraw(seat, rng), "
                "so what a seat may not see was taken from view() and imagine()"
            )
        if still := sorted(self._veiled - self._redrawn):
            report.not_checked.append(
                f"{', '.join(still)}: the view hides it, but it was the same in all worlds"
            )
        kinds = ", ".join(str(kind.__struct_config__.tag) for kind in OWNERS_ONLY)
        report.not_checked += [
            f"the record's lines of type {kinds}: until the end they are for the owner of the record alone",
            "what follows from the seed, which is the same in all worlds, and how long anything takes",
        ]
