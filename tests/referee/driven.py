"""A referee driven by anything that can happen, and the laws it must keep whatever happens.

A script is a list of choices, small numbers which mean something only to the match they are put to; so a
seeded generator can make hundreds of thousands of them, and hypothesis can shrink one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from touchline.conducts.course import CONDUCT as COURSE
from touchline.core import conduct, messages
from touchline.core.clock import Clock, Limits
from touchline.core.conduct import ABSENT, FINAL, Conduct, Offence, Sanction, ladder
from touchline.core.events import (
    Ended,
    Event,
    Expelled,
    Fault,
    Faulted,
    Ignored,
    Moved,
    PassedOver,
    Refused,
    Resigned,
    Result,
    SatDown,
    SentOn,
    Skipped,
    TakenBack,
    encode,
)  # fmt: skip
from touchline.core.happenings import (
    Broken,
    Dismiss,
    Effect,
    Failed,
    Happening,
    Heard,
    Lapsed,
    Note,
    Tell,
    TookBack,
)
from touchline.core.messages import Act, FromPlayer, Garbled, Ready, Resign
from touchline.core.registry import CONDUCTS
from touchline.drivers.match import MatchSpec, agreed, announced, opened, referee_for
from touchline.games.fish import Fish
from touchline.games.hexapawn import Hexapawn
from touchline.games.labyrinth import Labyrinth, LabyrinthState

if TYPE_CHECKING:
    from random import Random

    from touchline.core.clock import Micros
    from touchline.core.referee import Referee
    from touchline.core.rules import Game, Seat, State

TABLES: tuple[tuple[Game, int], ...] = (
    (Hexapawn(rows=3, cols=3), 2),
    (Hexapawn(), 2),
    (Fish(rows=4, cols=4), 2),
    (Fish(rows=4, cols=4), 3),
    (Fish(rows=4, cols=4, holes=2), 4),
    (Fish(rows=4, cols=5, rules="commercial"), 2),
    (Fish(rows=5, cols=4, rules="commercial"), 3),
    (Labyrinth(rows=5, cols=5), 2),
    (Labyrinth(rows=5, cols=5, goals=1), 3),
    (Labyrinth(rows=4, cols=4, goals=2), 2),
)
"""Every game, with as many seats."""


def _custom(name: str, *steps: str, counted: Any = "match", idle: int = 3, **others: Any) -> Conduct:
    rungs = ladder(*steps, counted=counted)
    base = msgspec.structs.replace(COURSE, name=name, idle=idle)
    return msgspec.structs.replace(base, **{"illegal": rungs, "late": rungs, **others})


def _gone(*steps: str, **how: Any) -> dict[str, Any]:
    rungs = ladder(*steps, **how)
    return {"gone": rungs, "flood": rungs, "not_reading": rungs, "refused": rungs}


DISCIPLINES: tuple[Conduct, ...] = (
    *CONDUCTS.values(),
    _custom("duel", "retry", "skip", "expel", counted="match", alone="end"),
    _custom("patient", "retry 3", "random", out_of_turn=ladder("retry 2", "random", counted="turn")),
    _custom("lenient", "skip", counted="row", idle=4, **_gone("skip"), out_of_turn=ladder("skip 2", "expel")),
    _custom("rows", "skip 2", "expel", counted="row", malformed=ladder("retry 2", "skip", counted="row")),
    _custom("stand-in", "default", counted="turn", **_gone("random")),
    _custom("two chances", "retry", "default 2", "skip", "forfeit", **_gone("default 2", "expel")),
    _custom("strict", "void", out_of_turn=ladder("void"), **_gone("void")),
    _custom("turns", "retry 2", "skip", "expel", counted="turn", idle=2, **_gone("skip 2", "forfeit")),
)

CLOCKS = (
    Limits(set_up=1000, clock=Clock(per_move=100)),
    Limits(set_up=1000, clock=Clock(per_move=100, bank=60, increment=7)),
    Limits(set_up=None, clock=Clock(per_move=None)),
    Limits(set_up=1000, clock=Clock(per_move=0, bank=500)),
)


class Choice(NamedTuple):
    """What happens next, if it can: the meaning of the numbers depends on the kind."""

    kind: str
    seat: int
    which: int
    took: int
    numbered: bool


KINDS = (
    *["good"] * 24, *["illegal"] * 3, *["garbled"] * 2, *["ready"] * 2, *["stale"] * 2, "future",
    *["wild"] * 2, *["slow"] * 2, *["lapse"] * 3, *["fail"] * 2, "broken", *["owed"] * 2, "resign",
    *["back"] * 3,
)  # fmt: skip

WILD: tuple[Any, ...] = (
    None, 7, True, "e2e4", "", [], {}, (1, 2), {"from": [0, 0], "to": [1, 0]}, 2**80, -1.5, float("nan"),
    "\ud800", b"\xff", object(), Ready(), print, [[[[]]]], {1: 2}, {(1, 2): 3}, int, range(3),
)  # fmt: skip


class Table(NamedTuple):
    """What a script is played at."""

    spec: MatchSpec
    start: State
    talks: tuple[Seat, ...]
    honest: frozenset[Seat]
    """These seats only ever make legal moves in time, and say nothing else."""


def table(rng: Random, number: int) -> Table:
    """A table for a script: all games and disciplines come round in turn."""
    game, seats = TABLES[number % len(TABLES)]
    everybody = tuple(range(seats))
    honest = frozenset(seat for seat in everybody if rng.random() < 0.3)
    spec = agreed(
        game,
        [f"player {seat}" for seat in range(seats)],
        seed=rng.getrandbits(40),
        conduct=DISCIPLINES[number // len(TABLES) % len(DISCIPLINES)],
        limits=rng.choice(CLOCKS),
        turn_cap=rng.choice((3, 12, 30, 45)),
        proposals=_proposed(rng, game, seats),
        refused=_refused(rng, [seat for seat in everybody if seat not in honest]),
        takeback=not game.hidden and rng.random() < 0.4,
    )
    talks = rng.choice((everybody, everybody, (), tuple(seat for seat in everybody if rng.random() < 0.5)))
    return Table(spec, opened(spec), talks, honest)


def _proposed(rng: Random, game: Game, seats: int) -> tuple[Any, ...]:
    """What the seats propose to begin with, where the game has a word for it."""
    if not isinstance(game, Labyrinth) or rng.random() < 0.7:
        return ()
    return tuple(rng.choice((None, game._drawn(rng))) for _ in range(seats))


def _refused(rng: Random, seats: list[Seat]) -> tuple[Refused, ...]:
    """Who has failed before the match; mostly nobody."""
    if not seats or rng.random() < 0.85:
        return ()
    failed = rng.sample(seats, rng.randint(1, len(seats)))
    return tuple(Refused(seat, rng.choice(list(Offence)), "it failed before") for seat in failed)


def choices(rng: Random, count: int) -> list[Choice]:
    """A script."""
    pick, below = rng.choice, rng.randrange
    return [
        Choice(pick(KINDS), below(4), below(1 << 30), below(-1, 130), rng.random() < 0.5)
        for _ in range(count)
    ]


def happening(referee: Referee, table: Table, choice: Choice) -> Happening | None:
    """What this choice means now; None if nothing."""
    kind, number, which, took, numbered = choice
    seat = number % len(table.spec.names)
    if referee._sent_on is not None:
        kind, seat = _meanwhile(referee, choice, seat)
    if kind == "good":
        waiting = sorted(referee.awaited)
        seat = waiting[number % len(waiting)]
        return Heard(
            seat, _answer(referee, table, seat, which, numbered), _in_time(referee, table, seat, took)
        )
    if kind == "broken":
        return Broken("the roof fell in") if which % 8 == 0 else None
    if kind == "back":
        to = referee.last_turn_of(seat) if which % 2 else None
        return TookBack(seat, which // 2 % (referee.turn + 2) if to is None else to)
    if seat in table.honest:
        return None
    if kind == "lapse":
        return Lapsed(seat)
    if kind == "fail":
        offences = sorted(ABSENT, key=lambda offence: offence.value)
        return Failed(seat, offences[which % len(offences)], "it fell over")
    said, took = _said(referee, table, choice._replace(kind=kind)), max(took, 0)
    if kind == "slow":
        took = _just(referee, table, seat) + which % 3 - 1
    return Heard(seat, said, max(took, 0), which % 5)


def _meanwhile(referee: Referee, choice: Choice, seat: Seat) -> tuple[str, Seat]:
    """While a seat is sent on, which is seldom, more happens than usual, to that seat and to the next."""
    kinds = ("lapse", "fail", "owed", "illegal", "resign", "garbled")
    kind = (
        kinds[choice.which // 4 % len(kinds)] if choice.kind == "good" and choice.which % 4 else choice.kind
    )
    assert referee._sent_on is not None
    return kind, (referee._sent_on, referee.state.to_move or 0, seat)[choice.which // 32 % 3]


def _said(referee: Referee, table: Table, choice: Choice) -> FromPlayer:
    kind, _, which, _, numbered = choice
    turn = referee.turn if numbered else None
    match kind:
        case "garbled":
            return Garbled("noise")
        case "owed":
            return Garbled("noise", None if turn is None else turn - which % 2, owed=True)
        case "resign":
            return Resign("it has had enough")
        case "ready":
            return Ready(which % 2 == 0, which % 3 == 0)
        case "stale":
            return Act(_some_move(referee, table, which), referee.turn - 1 - which % 3)
        case "future":
            return Act(_some_move(referee, table, which), referee.turn + 1 + which % 3)
        case "wild":
            return Act(_wild(referee, which), turn)
        case "slow":
            return Act(_legal_move(referee, which), turn)
    return Act(_some_move(referee, table, which), turn)


def _answer(referee: Referee, table: Table, seat: Seat, which: int, numbered: bool) -> FromPlayer:
    """What was asked for."""
    if set_up(referee) or referee._sent_on == seat:
        return Ready(which % 2 == 0, which % 5 != 0)
    return Act(_good_move(referee, which), referee.turn if numbered else None)


def set_up(referee: Referee) -> bool:
    """Whether somebody has still to sit down."""
    return not referee._playing


def _in_time(referee: Referee, table: Table, seat: Seat, took: int) -> Micros:
    """A time that is in time, now and then just so."""
    limit = referee.awaited[seat]
    if limit is None or 0 <= took <= limit:
        return max(took, 0)
    return limit


def _just(referee: Referee, table: Table, seat: Seat) -> Micros:
    return referee.awaited.get(seat) or 0


def _legal_move(referee: Referee, which: int) -> Any:
    moves = referee.state.legal_moves()
    return moves[which % len(moves)] if moves else None


def _good_move(referee: Referee, which: int) -> Any:
    """A legal move; in Labyrinth often one that reaches the goal, if there is one."""
    state = referee.state
    if isinstance(state, LabyrinthState) and which % 4:
        goal = state.seekers[state.due[0]].goal
        there = [move for move in state.legal_moves() if getattr(move, "to", None) == goal]
        if there:
            return there[which % len(there)]
    return _legal_move(referee, which)


def _some_move(referee: Referee, table: Table, which: int) -> Any:
    """Any move of the game; most are not legal now."""
    if which % 4 == 0:
        return _legal_move(referee, which)
    game = table.spec.game
    moves = _moves.get(game)
    if moves is None:
        moves = _moves[game] = game.all_moves()
    return moves[which % len(moves)]


_moves: dict[Any, Any] = {}


def _wild(referee: Referee, which: int) -> Any:
    """Anything at all: also what looks like a legal move and is none."""
    move = _legal_move(referee, which)
    fields = {} if move is None else msgspec.structs.asdict(move)
    cells = {name: value for name, value in fields.items() if isinstance(value, tuple)}
    look = which // 7 % 5
    if look == 0 and fields:
        return msgspec.to_builtins(move)
    if look == 1 and cells:
        return type(move)(**fields | {name: list(cell) for name, cell in cells.items()})
    if look == 2 and cells:
        return type(move)(**fields | {name: tuple(map(float, cell)) for name, cell in cells.items()})
    if look == 3 and cells:
        return type(move)(**fields | dict.fromkeys(cells, (True, "0")))
    return WILD[which % len(WILD)]


class Watch:
    """Sees every effect of one match and objects when a law is broken.

    It keeps its own books, the obvious way: the state by the rules from the events alone, every offence in a
    list, the time a seat has used.
    """

    def __init__(self, table: Table, referee: Referee) -> None:
        self.table, self.referee = table, referee
        self.conduct: Conduct = table.spec.conduct
        self.state = referee.state
        self.lines: list[bytes] = [encode(announced(table.spec, referee.state, table.talks))]
        self.seats = range(len(table.spec.names))
        self.unready = set(table.talks)
        self.curious: set[Seat] = set()
        self.last_words: set[Seat] = set()
        self.dismissed: set[Seat] = set()
        self.guided: set[Seat] = set()
        self.sent_on: Seat | None = None
        """Who has reached its goal and has still to say that it has heard where to go next."""
        self.told_on = False
        """Whether it has been told."""
        self.moved_on: Seat | None = None
        """A guided seat that has moved elsewhere: the same is noted of it as if it had reached its goal."""
        self.beginning = True
        """Whether these are the first effects: those who have failed before the match are out."""
        self.expelled: list[Seat] = []
        """Who is out."""
        self.resigned: list[Seat] = []
        """Those of them who wanted it so."""
        self.faults: list[Fault] = []
        self.offences: list[tuple[Seat, Offence, int]] = []
        """Those that count: a good move takes off its seat's that are counted by the row."""
        self.missed = [0 for _ in self.seats]
        """Turns in a row that were taken away."""
        self.clocks = [table.spec.limits.clock for _ in self.seats]
        self.used = 0
        self.undoable: list[tuple[int, State]] = []
        """The turns that count, each with the state before it."""
        self.asked_in_vain: set[Seat] = set()
        """Who was asked when turns were taken back: its answer may still come."""
        self.owed: Faulted | None = None
        """A fault whose sanction has still to be seen."""
        self.turn = 0
        self.ended: Ended | None = None
        self.sights: set[str] = set()
        """What was seen that is seldom seen."""

    def see(self, effects: list[Effect]) -> None:
        for effect in effects:
            match effect:
                case Note(event):
                    self._note(event)
                case Tell(seat, message):
                    self._tell(seat, message)
                case Dismiss(seat):
                    assert seat not in self.dismissed
                    self.dismissed.add(seat)
        assert self.owed is None, "a sanction was named and not carried out"
        assert self.moved_on is None, "the events show that no goal was reached"
        self.beginning = False
        self._afterwards()

    @property
    def decided(self) -> bool:
        """Whether the match is over: by its rules, or because the conduct ends it when one seat is left."""
        alone = self.conduct.alone == "end" and len(self.expelled) == len(self.seats) - 1
        return self.state.outcome() is not None or alone

    def _afterwards(self) -> None:
        """What holds between two happenings."""
        referee = self.referee
        assert referee.turn >= self.turn
        self.turn = referee.turn
        assert referee.state == self.state
        if self.ended:
            assert referee.result == self.ended.result
            assert not referee.awaited
            assert set(self.seats) == self.dismissed
            present = set(self.table.talks) - referee.absent.keys()
            assert present <= self.last_words <= set(self.table.talks)
            return
        assert referee.result is None
        if self.sent_on is not None:
            self.sights.add("sent on" if self.state.outcome() is None else "sent on when it is over")
            assert self.told_on
            assert referee.awaited == {self.sent_on: self.table.spec.limits.set_up}
            assert not self.decided or self.state.outcome() is not None, "nobody is asked who has won"
        elif self.unready:
            assert not self.decided
            assert referee.awaited.keys() == self.unready
        else:
            assert not self.decided
            assert list(referee.awaited) == [self.state.to_move]
        assert not referee.awaited.keys() & {*self.expelled, *referee.absent}
        assert self.dismissed == set(self.expelled)

    # -- what is noted -------------------------------------------------------------------------

    def _note(self, event: Event) -> None:
        assert self.ended is None, "nothing is noted after the end"
        if self.sent_on is not None:
            who = "another" if getattr(event, "seat", None) != self.sent_on else "it"
            self.sights.add(f"sent on and {who} {type(event).__name__}")
        if isinstance(event, Faulted | Ignored) and isinstance(event.said, Garbled) and event.said.owed:
            self.sights.add(f"owed {event.offence.value if isinstance(event, Faulted) else 'ignored'}")
        self.lines.append(encode(event))
        match event:
            case SatDown(seat, updates, _, guided):
                self.unready.remove(seat)
                if updates:
                    self.curious.add(seat)
                if guided:
                    self.guided.add(seat)
            case SentOn(_, seat, took):
                assert seat == (self.moved_on if self.sent_on is None else self.sent_on)
                assert took == 0, "the time would tell whether a goal was reached"
                self.sent_on = self.moved_on = None
            case Moved():
                self._moved(event)
            case Faulted():
                self._faulted(event)
            case Skipped(turn, seat):
                assert self._due(Sanction.SKIP) == seat == self.state.to_move
                self.missed[seat] += 1
                self.undoable.append((turn, self.state))
                self.state = self.state.skip()  # type: ignore[attr-defined]
                self.used = 0
            case Expelled(_, seat):
                assert self._due(Sanction.EXPEL) == seat
                self._out(seat)
            case Resigned(_, seat):
                assert self.owed is None
                assert seat not in self.table.honest
                self.resigned.append(seat)
                self._out(seat)
            case PassedOver(_, seats):
                assert seats == self.state.passed_over
            case TakenBack():
                self._taken_back(event)
            case Ignored(turn, seat, said):
                assert seat not in self.table.honest or seat in self.asked_in_vain
                assert not isinstance(said, Act) or said.turn is None or said.turn < turn
            case Ended():
                self._ended(event)

    def _out(self, seat: Seat) -> None:
        """A seat is removed."""
        assert seat not in self.expelled
        self.expelled.append(seat)
        self.unready.discard(seat)
        if seat == self.sent_on:
            self.sent_on = None
        if self.state.to_move == seat:
            self.used = 0
        self.state = self.state.without(seat)
        self.undoable.clear()

    def _taken_back(self, event: TakenBack) -> None:
        assert self.table.spec.takeback
        assert self.owed is None
        assert event.turn == self.turn
        ((at, before),) = [(at, state) for at, (turn, state) in enumerate(self.undoable) if turn == event.to]
        assert before.to_move == event.seat
        self.asked_in_vain |= {self.state.to_move} if self.state.to_move is not None else set()
        self.state, self.undoable, self.used = before, self.undoable[:at], 0

    def _due(self, sanction: Sanction) -> Seat | None:
        """Whose sanction this is."""
        fault, self.owed = self.owed, None
        return fault.seat if fault is not None and fault.sanction is sanction else None

    def _moved(self, event: Moved) -> None:
        seat = event.seat
        assert seat == self.state.to_move
        assert not self.unready
        assert self.sent_on is None, "the turn is not over before the seat has heard where to go"
        self.state.check(event.move)
        if event.by == "seat":
            assert not self.clocks[seat].late(self.used + event.took)
            self.clocks[seat] = self.clocks[seat].spend(self.used + event.took)
            self.missed[seat] = 0
            self.offences = [
                offence for offence in self.offences
                if offence[0] != seat or self.conduct.ladder(offence[1]).counted != "row"
            ]  # fmt: skip
        else:
            fault, self.owed = self.owed, None
            assert fault is not None
            assert fault.seat == seat
            assert fault.sanction in conduct.PLAYING
            if fault.sanction is Sanction.DEFAULT:
                assert event.move == self.state.legal_moves()[0]
        self.undoable.append((event.turn, self.state))
        self.state, self.used = self.state.play(event.move), 0
        if isinstance(self.state, LabyrinthState) and self.state.reached in self.guided:
            self.sent_on, self.told_on = self.state.reached, False
            if self.sent_on in self.referee.absent:
                self.sent_on = None
        elif isinstance(self.state, LabyrinthState) and seat in self.guided.difference(self.referee.absent):
            self.moved_on = seat

    def _faulted(self, event: Faulted) -> None:
        seat = event.seat
        known = self.decided and self.sent_on is None and not self.beginning
        assert not known, "nobody is sanctioned once the outcome is known"
        assert self.owed is None
        assert seat not in self.table.honest
        assert seat not in self.expelled
        assert event.sanction is self._expected(event), event
        self.faults.append(Fault(seat, event.turn, event.offence, event.reason, event.sanction))
        on_turn = self._on_turn(seat)
        if seat == self.sent_on:
            self.sent_on = None
        if event.sanction is not Sanction.RETRY:
            self.owed = event if on_turn or event.sanction in FINAL else None
        elif on_turn and not self.unready and event.offence is not Offence.OUT_OF_TURN:
            self.used = 0 if event.offence is Offence.LATE else self.used + event.took

    def _on_turn(self, seat: Seat) -> bool:
        """Whether a seat has a turn that can be taken away."""
        return seat == self.state.to_move and self.sent_on is None

    def _expected(self, event: Faulted) -> Sanction:
        """What the fault must cost."""
        seat, offence = event.seat, self.conduct.counted_as(event.offence)
        rungs = self.conduct.ladder(offence)
        self.offences.append((seat, offence, event.turn))
        alike = [turn for who, what, turn in self.offences if (who, what) == (seat, offence)]
        sanction = rungs.sanction(alike.count(event.turn) if rungs.counted == "turn" else len(alike))
        if sanction in FINAL:
            return sanction
        if self.beginning or self.unready or (not self.turn and not self.referee._playing):
            return Sanction.RETRY if offence is Offence.OUT_OF_TURN else Sanction.EXPEL
        if not self._on_turn(seat):
            return sanction if offence in ABSENT else Sanction.RETRY
        if sanction is Sanction.SKIP and (
            not hasattr(self.state, "skip") or self.missed[seat] + 1 >= self.conduct.idle
        ):
            return Sanction.EXPEL
        return sanction

    def _ended(self, event: Ended) -> None:
        self.ended = event
        result = event.result
        assert result.faults == tuple(self.faults)
        assert result.expelled == tuple(seat for seat in self.expelled if seat not in self.resigned)
        assert result.resigned == tuple(self.resigned)
        assert not {*result.expelled, *result.resigned} & self.table.honest
        match result.verdict:
            case "finished":
                assert result.outcome is not None
                if self.state.outcome() is None:
                    self._ended_alone(result)
                else:
                    assert result.outcome == self.state.outcome()
                assert all(result.outcome.ranks[seat] is None for seat in self.expelled)
            case "forfeited":
                loser = self._due(Sanction.FORFEIT)
                assert loser is not None
                assert result.outcome is not None
                rest = set(self.seats) - {loser, *self.expelled}
                assert set(result.outcome.winners) == rest
            case "void":
                assert result.outcome is None
                capped = result.turns >= self.table.spec.turn_cap and self.owed is None
                assert capped or result.reason == "the roof fell in" or self._due(Sanction.VOID) is not None
        assert (event.seed, event.nonce) == (self.table.spec.seed, self.table.spec.nonce)

    def _ended_alone(self, result: Result) -> None:
        """One seat is left and has won; nobody has a score for a game that was not played to its end."""
        (left,) = set(self.seats) - set(self.expelled)
        assert self.conduct.alone == "end"
        assert result.outcome is not None
        assert result.outcome.winners == (left,)
        assert result.outcome.scores == self.state.scores  # type: ignore[attr-defined]
        self.sights.add("alone")

    # -- what is told --------------------------------------------------------------------------

    def _tell(self, seat: Seat, message: messages.ToPlayer) -> None:
        assert seat not in self.last_words, "nothing is told after the last word"
        assert seat not in self.dismissed
        match message:
            case messages.YourTurn(turn, view, allowance):
                assert (turn, seat) == (self.referee.turn, self.state.to_move)
                assert self.sent_on is None
                assert view == self.state.view(seat)
                budget = self.clocks[seat].budget
                assert allowance == (None if budget is None else max(0, budget - self.used))
            case messages.Onward(turn, view):
                assert (turn, seat) == (self.referee.turn, self.sent_on)
                assert view == self.state.view(seat)
                assert not self.told_on
                self.told_on = True
            case messages.Expelled(_, offence):
                assert self.expelled[-1] == seat
                assert offence == (None if seat in self.resigned else self.faults[-1].offence)
                self.last_words.add(seat)
            case messages.Over():
                assert self.ended
                self.last_words.add(seat)
            case messages.Begin():
                assert seat in self.unready
            case messages.Rejected(_, reason, offence):
                fault = self.faults[-1]
                assert (fault.seat, fault.sanction) == (seat, Sanction.RETRY)
                assert (fault.reason, fault.offence) == (reason, offence)
            case messages.Skipped(_, reason, offence):
                assert seat in self.curious
                assert offence is None or (self.faults[-1].reason, self.faults[-1].offence) == (
                    reason,
                    offence,
                )
            case messages.Accepted() | messages.Update():
                assert seat in self.curious
        assert seat in self.table.talks or isinstance(message, messages.YourTurn)
        assert seat not in self.referee.absent or isinstance(message, messages.Expelled)
        view = getattr(message, "view", None)
        if isinstance(view, LabyrinthState) and not view.ended:
            assert all(seeker.goal is None for other, seeker in enumerate(view.seekers) if other != seat)
            assert view.pool is None


class Played(NamedTuple):
    """A script that was played to the end."""

    record: bytes
    happenings: list[Happening]
    watch: Watch


def play(table: Table, script: list[Choice]) -> Played:
    """Play a script, then let everybody sleep until the match is over, as it must be some day."""
    referee = referee_for(table.spec, table.start, table.talks)
    watch = Watch(table, referee)
    happenings: list[Happening] = []
    watch.see(referee.begin(table.spec.refused))
    for choice in script:
        if referee.result is not None:
            assert referee.take(Lapsed(choice.seat % len(watch.seats))) == []
            break
        what = happening(referee, table, choice)
        if what is not None:
            happenings.append(what)
            watch.see(referee.take(what))
    honest = table.honest
    for _ in range(8 * table.spec.turn_cap + 8 * len(watch.seats)):
        for seat in sorted(referee.awaited):
            what = (
                happening(referee, table, Choice("good", 0, 0, 0, False)) if seat in honest else Lapsed(seat)
            )
            assert what is not None
            happenings.append(what)
            watch.see(referee.take(what))
            break
    assert referee.result is not None, "every match ends"
    for what in (Broken("late"), Lapsed(0), Heard(0, Garbled("late")), Failed(1, Offence.GONE, "late")):
        assert referee.take(what) == []
    return Played(b"".join(line + b"\n" for line in watch.lines), happenings, watch)


def again(table: Table, happenings: list[Happening]) -> bytes:
    """The record of the same happenings in a match of its own."""
    referee = referee_for(table.spec, table.start, table.talks)
    effects = referee.begin(table.spec.refused)
    lines = [encode(announced(table.spec, table.start, table.talks))]
    for what in happenings:
        effects += referee.take(what)
    lines += [encode(effect.event) for effect in effects if isinstance(effect, Note)]
    return b"".join(line + b"\n" for line in lines)
