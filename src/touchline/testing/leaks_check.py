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
from touchline.testing.leak_drivers import check_honest, common_moves, handed_to_bots, sent_on_loop
from touchline.testing.leak_matches import (
    RECORD,
    Scene,
    Script,
    dialects_for,
    parting,
    played,
    scenes,
)
from touchline.testing.leak_report import Leak, LeakReport
from touchline.testing.leak_states import STATE_CHANNELS, hint_channels, shown
from touchline.testing.leak_worlds import alike, different_parts, redrawn, started

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
ROUNDS = 4
"""Rounds of each match; offences are committed in the second."""


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
    rounds: int = ROUNDS,
    state_channels: Sequence[StateChannel] = (),
    match_channels: Sequence[MatchChannel] = (),
) -> LeakReport:
    """Compare every channel in pairs of worlds, and return the findings.

    Without `dialects`, all that have words for the game are compared. The page's channels are passed in.
    """
    seats = min(MOST_SEATS, game.seats[-1]) if seats is None else seats
    installed = game.name in registry.names("games")
    spoken = [] if not installed else dialects_for(game) if dialects is None else list(dialects)
    report = LeakReport(
        game=game.name, hidden=game.hidden, seats=seats, dialects=tuple(kind.name for kind in spoken)
    )
    search = _Search(game, seats, rounds, seed, report)
    if not game.hidden:
        search.compare_views_with_states()
        return report
    search.compare_states([*STATE_CHANNELS, *state_channels])
    search.compare_drivers(spoken)
    for number, kind in enumerate(spoken):
        for scene in scenes(kind, seats, rounds):
            # Events hardly depend on the dialect, so what shows them is compared in one.
            further = match_channels if number == 0 and scene.by in (None, seats - 1) else ()
            search.compare_matches(scene, [RECORD, *further])
    search.conclude()
    return report


class _Search:
    """The search for leaks in one game."""

    def __init__(self, game: Game, seats: int, rounds: int, seed: int, report: LeakReport) -> None:
        self._game, self._seats, self._seed, self._report = game, seats, seed, report
        self._turns = rounds * seats
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
        while len(states) < self._turns and states[-1].to_move is not None:
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
        asked = [*channels, *hint_channels(self._game)]
        for turn, state in enumerate(self._line()):
            for seat in self._audiences:
                self._veiled |= different_parts(state, state.view(seat))
                mine = shown(asked, self._game, state, seat)
                for world in range(WORLDS):
                    other = self._other(state, seat, world)
                    self._check_redrawn(state, other, seat)
                    self._redrawn |= different_parts(state, other)
                    theirs = shown(asked, self._game, other, seat)
                    for name in sorted({*mine, *theirs}):
                        both = [mine.get(name, b"")], [theirs.get(name, b"")]
                        self._report.compare(seat, name, f"turn {turn}", *both)

    def _check_redrawn(self, state: State, other: State, seat: Seat | None) -> None:
        """`redraw()` is a function of `rng` and of what the seat may see, so it can be trusted here."""
        if not alike(state, other, seat):
            parts = ", ".join(sorted(different_parts(state, other)))
            law = "depends only on what the seat may see, and keeps it"
            raise CheckFailed(f"redraw() of seat {seat} {law}; look at: {parts}")

    def compare_drivers(self, spoken: Sequence[type[Dialect]]) -> None:
        """Compare what the drivers hand to bots in this process and send to remote players."""
        game, seats = self._game, self._seats
        for seat in range(seats):
            script = Script(game, self._seed, seat, self._known)
            starts = self._start, self._other(self._start, seat, 0)
            moves = common_moves(script, *starts, seat, self._turns)
            handed = [handed_to_bots(game, start, moves, seats) for start in starts]
            self._compare_logs(seat, "what a bot in this process is handed", handed)
            for kind in spoken:
                sent = [sent_on_loop(kind, game, start, moves, seats) for start in starts]
                self._compare_logs(seat, f"{kind.name} on the event loop", sent)

    def _compare_logs(self, seat: Seat, channel: str, logs: Sequence[Sequence[tuple[Seat, bytes]]]) -> None:
        mine, theirs = ([data for who, data in log if who == seat] for log in logs)
        self._report.compare(seat, channel, "an honest match", mine, theirs)

    # -- matches ------------------------------------------------------------------------------

    def compare_matches(self, scene: Scene, channels: Sequence[MatchChannel]) -> None:
        """Play a match in the true world and in others, and compare what each audience is sent."""
        for seat in self._audiences:
            script = Script(self._game, self._seed, seat, self._known)
            true = played(scene, self._game, self._start, script)
            if scene.slip == "none":
                check_honest(true.referee.result, f"{scene.dialect.name}, {scene}")
            for world in range(WORLDS if scene.slip == "none" else 1):
                start = self._other(self._start, seat, world)
                other = played(scene, self._game, start, script)
                self._compare_worlds(scene, seat, (true, other), channels)

    def _compare_worlds(
        self,
        scene: Scene,
        seat: Seat | None,
        worlds: tuple[PlayedWorld, PlayedWorld],
        channels: Sequence[MatchChannel],
    ) -> None:
        until, name = parting(*worlds, seat), scene.dialect.name
        whole = until > max(*worlds[0].states, *worlds[1].states)
        if seat is not None:
            mine, theirs = (world.frames_of(seat, until) for world in worlds)
            self._report.compare(seat, f"dialect {name}", str(scene), mine, theirs, whole=whole)
        for channel in channels:
            mine, theirs = (
                [*channel.show(world.spec, world.start, world.events_before(until), seat)] for world in worlds
            )
            self._report.compare(seat, channel.name, f"{name}, {scene}", mine, theirs, whole=whole)

    # -- what was not checked -----------------------------------------------------------------

    def conclude(self) -> None:
        """Say which parts of a position were redrawn, and what was not checked."""
        report = self._report
        report.redrawn = tuple(sorted(self._redrawn))
        if not report.dialects:
            why = f"no dialect was asked for, or {report.game} is not installed as a plug-in"
            report.not_checked.append(f"frames, errors and records: {why}")
        if not isinstance(self._start, Redrawable):
            report.not_checked.append(
                "whether view() itself shows too much: the state has no method redraw(seat, rng), "
                "so what a seat may not see was taken from view() and imagine()"
            )
        if still := sorted(self._veiled - self._redrawn):
            report.not_checked.append(
                f"{', '.join(still)}: the view hides it, but it was the same in all worlds"
            )
        report.not_checked += [
            "a seat that fails while it is told its next goal: its offence tells that it has reached one",
            "what follows from the seed, which is the same in all worlds, and how long anything takes",
            "programs on pipes: they are asked by the same referee, but their driver was not run",
        ]
