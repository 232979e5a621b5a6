"""Analysis of a recorded match: the value of every move, and where each loser lost.

A `Thinker` evaluates every position of a record. By default it sees only the view of the seat to move, so the
analysis says what the player could have known. In a game with hidden information the next seat's view differs
from the mover's, so a move is valued when it is the mover's turn again: in sampled worlds that the mover
cannot distinguish from the true one, the same ones for the played move and for the best.

Law of this file: an analysis depends only on the record and on the thinker.
"""

from __future__ import annotations

import enum
from random import Random
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from touchline.bots.base import HouseBot
from touchline.bots.shared.evaluation import worth
from touchline.core.errors import BadInput
from touchline.core.events import (
    Begun,
    Ended,
    Expelled,
    Faulted,
    Moved,
    PassedOver,
    Resigned,
    Result,
    Resumed,
    Skipped,
)
from touchline.core.fold import turns_taken_back
from touchline.core.rules import Seat
from touchline.draw.words import typed

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

    from touchline.bots.base import Thinker, Thought
    from touchline.core.rules import State
    from touchline.records.replay import Replay

WORLDS = 4
"""Sampled worlds per move in games with hidden information; the time of an analysis grows with it."""
SPELLED = 8
"""Moves of a line that are written out; a longer line is cut, to stay readable."""
NOISE = 1e-9
"""Differences of values up to this are rounding errors."""


class Verdict(enum.Enum):
    """The quality of a move, by the value it gave away; a fair share is 1 / seats."""

    BEST = "best"
    """As good as the thinker's own choice."""
    FINE = "fine"
    """Gave away less than a tenth of a fair share."""
    DOUBTFUL = "doubtful"
    """Gave away less than a quarter."""
    MISTAKE = "mistake"
    """Gave away less than a half."""
    BLUNDER = "blunder"


_LIMITS = ((0.1, Verdict.FINE), (0.25, Verdict.DOUBTFUL), (0.5, Verdict.MISTAKE))
FAULTY = (Verdict.MISTAKE, Verdict.BLUNDER)


def verdict(gave: float, seats: int) -> Verdict:
    """Return the verdict on a move that gave away this much.

    >>> [verdict(gave, 2).value for gave in (0, 0.04, 0.1, 0.2, 0.3)]
    ['best', 'fine', 'doubtful', 'mistake', 'blunder']
    """
    if gave <= NOISE:
        return Verdict.BEST
    return next((kind for limit, kind in _LIMITS if gave < limit / seats), Verdict.BLUNDER)


class Advice(Struct, frozen=True, kw_only=True):
    """A thinker's evaluation of a position."""

    seat: Seat
    """The seat to move."""
    line: tuple[Any, ...]
    """The expected moves, the best one first; empty if the thinker would resign."""
    spelled: tuple[str, ...]
    """The first moves of the line, as a person types them."""
    values: tuple[float, ...]
    """The expected result per seat, from 0 (lost) to 1 (sole winner)."""
    says: str

    @property
    def best(self) -> str:
        """Return the best move as a person types it; `resign` if there is none."""
        return self.spelled[0] if self.spelled else "resign"


class WeighedMove(Struct, frozen=True, kw_only=True):
    """A move and its value."""

    move: Any
    typed: str
    """The move as a person types it."""
    after: float
    """The mover's value after the move."""
    gave: float
    """The value that the mover lost by the move; never below 0."""
    verdict: Verdict


class Turn(Struct, frozen=True, kw_only=True):
    """A turn of a match: the move that was played, and the evaluation before it."""

    turn: int
    by: Literal["seat", "referee"]
    """The chooser of the move: the referee plays for a seat under a sanction."""
    before: Advice
    played: WeighedMove

    @property
    def seat(self) -> Seat:
        return self.before.seat

    @property
    def stood(self) -> float:
        """The mover's value before the move."""
        return self.before.values[self.seat]


class Incident(Struct, frozen=True):
    """An event other than a move that concerns a seat."""

    turn: int
    seat: Seat
    what: Literal["faulted", "skipped", "expelled", "resigned", "passed over"]
    why: str


class Loss(Struct, frozen=True, kw_only=True):
    """The turn and the way in which a seat lost."""

    seat: Seat
    how: Literal["move", "others", "beginning", "expelled", "resigned", "forfeited", "unknown"]
    turn: int | None
    words: str


class Analysis(Struct, frozen=True, kw_only=True):
    """The analysis of a recorded match."""

    game: str
    options: dict[str, Any]
    names: tuple[str, ...]
    thinker: str
    all_seeing: bool
    complete: bool
    """Whether every move of the record was analysed."""
    turns: tuple[Turn, ...]
    incidents: tuple[Incident, ...]
    result: Result | None
    """None if the record stops before the end."""
    values: tuple[float, ...] | None
    """The value of the outcome per seat, if there is one."""
    losses: tuple[Loss, ...]


def spelled(state: State, line: Sequence[Any]) -> tuple[str, ...]:
    """Return the first moves of a line as a person types them, as far as they are legal from this state."""
    words: list[str] = []
    for move in line[:SPELLED]:
        found = [text for text, legal in typed(state).items() if legal == move]
        if not found:
            break
        words += found
        state = state.play(move)
    return tuple(words)


class _Analyst:
    """A thinker with a cache of its last evaluation."""

    def __init__(self, thinker: Thinker, all_seeing: bool) -> None:
        self._thinker, self._all_seeing = thinker, all_seeing
        self._last: tuple[State, Thought] | None = None
        self._best: tuple[State, float] | None = None
        """The last state with hidden information, and the value of its best move."""

    def thought(self, state: State) -> Thought:
        """Return the thinker's evaluation, from the view of the seat to move unless it is all-seeing."""
        if self._last is None or self._last[0] != state:
            self._last = state, self._asked(state)
        return self._last[1]

    def _asked(self, state: State) -> Thought:
        if not self._all_seeing:
            return self._thinker.think(state.view(state.to_move))
        return (
            self._thinker.judge(state) if isinstance(self._thinker, HouseBot) else self._thinker.think(state)
        )

    def advice(self, state: State) -> Advice:
        thought, seat = self.thought(state), state.to_move
        assert seat is not None
        return Advice(
            seat=seat,
            line=thought.line,
            spelled=spelled(state.view(seat), thought.line),
            values=thought.values,
            says=thought.says,
        )

    def choice(self, state: State, before: Advice, move: Any, hidden: bool) -> WeighedMove:
        """Return the value of a move from a state."""
        seat, seats = before.seat, len(before.values)
        stood = before.values[seat]
        if not before.line or move == before.line[0]:
            gave, stands = 0.0, stood
        elif hidden:
            if self._best is None or self._best[0] != state:
                self._best = state, self._later(state, seat, before.line[0], seats)
            gave = max(0.0, self._best[1] - self._later(state, seat, move, seats))
            stands = max(0.0, stood - gave)
        else:
            stands = self._value(state.play(move), seat, seats)
            gave = max(0.0, stood - stands)
        text = spelled(state.view(seat), [move])[0]
        return WeighedMove(move=move, typed=text, after=stands, gave=gave, verdict=verdict(gave, seats))

    def _value(self, state: State, seat: Seat, seats: int) -> float:
        return (worth(state, seats) if state.to_move is None else self.thought(state).values)[seat]

    def _later(self, state: State, seat: Seat, move: Any, seats: int) -> float:
        """Return a seat's mean value one round after its move, in worlds that look the same to it."""
        rng, view = Random(0), state.view(seat)
        worlds = [state] if self._all_seeing else [view.imagine(rng) for _ in range(WORLDS)]
        rounds = (self._answered(world.play(move), seat, seats) for world in worlds)
        return sum(self._value(came, seat, seats) for came in rounds) / len(worlds)

    def _answered(self, state: State, seat: Seat, seats: int) -> State:
        """Return the state at this seat's next turn, if the others play as the thinker would."""
        for _ in range(seats):
            if state.to_move in (None, seat) or not (line := self.thought(state).line):
                break
            state = state.play(line[0])
        return state


def advised(state: State, thinker: Thinker, *, all_seeing: bool = False) -> Advice:
    """Return the evaluation of one position that is not over, from the view of the seat to move."""
    return _Analyst(thinker, all_seeing).advice(state)


def weighed(
    state: State, before: Advice, thinker: Thinker, *, hidden: bool, all_seeing: bool = False
) -> Iterator[WeighedMove]:
    """Yield every legal move of a position with its value; each takes at least one evaluation."""
    analyst = _Analyst(thinker, all_seeing)
    for move in state.legal_moves():
        yield analyst.choice(state, before, move, hidden)


def judged(
    replay: Replay, thinker: Thinker, *, all_seeing: bool = False, turns: Container[int] | None = None
) -> Iterator[Turn]:
    """Yield the evaluation of every move of a record, or of those in these turns; not of moves taken back."""
    analyst, state, undone = _Analyst(thinker, all_seeing), None, turns_taken_back(replay.events)
    for number, (event, after) in enumerate(replay.states(), 1):
        if isinstance(event, Moved) and (turns is None or event.turn in turns) and event.turn not in undone:
            assert state is not None, "a record begins with its terms, not with a move"
            if event.seat != state.to_move:
                raise BadInput(f"seat {event.seat} was not to move", f"{replay.where}, line {number}")
            before = analyst.advice(state)
            played = analyst.choice(state, before, replay.move_of(event.move), replay.game.hidden)
            yield Turn(turn=event.turn, by=event.by, before=before, played=played)
        state = after


def concluded(replay: Replay, turns: Sequence[Turn], thinker: str, *, all_seeing: bool = False) -> Analysis:
    """Return the analysis of a record from its judged turns; losses are explained only if all were judged."""
    undone = turns_taken_back(replay.events)
    moves = sum(isinstance(event, Moved) and event.turn not in undone for event in replay.events)
    result = replay.ended.result if replay.ended else None
    seats, values = len(replay.begun.names), None
    if result is not None and result.outcome is not None:
        values = tuple(_won(result, seat) for seat in range(seats))
    complete, incidents = len(turns) == moves, tuple(_incidents(replay))
    return Analysis(
        game=replay.begun.game,
        options=replay.begun.options,
        names=replay.begun.names,
        thinker=thinker,
        all_seeing=all_seeing,
        complete=complete,
        turns=tuple(turns),
        incidents=incidents,
        result=result,
        values=values,
        losses=tuple(_losses(result, turns, incidents, seats)) if result and complete else (),
    )


def _won(result: Result, seat: Seat) -> float:
    assert result.outcome is not None
    winners = result.outcome.winners
    return 1 / len(winners) if seat in winners else 0.0


def _incidents(replay: Replay) -> Iterator[Incident]:
    seats = range(len(replay.begun.names))
    for number, event in enumerate(replay.events, 1):
        if not isinstance(event, Begun | PassedOver | Resumed | Ended) and event.seat not in seats:
            raise BadInput("there is no such seat", f"{replay.where}, line {number}")
        match event:
            case Faulted(turn, seat, offence, reason):
                yield Incident(turn, seat, "faulted", f"{offence.value}: {reason}")
            case Skipped(turn, seat, reason):
                yield Incident(turn, seat, "skipped", reason)
            case Expelled(turn, seat, reason):
                yield Incident(turn, seat, "expelled", reason)
            case Resigned(turn, seat, why):
                yield Incident(turn, seat, "resigned", why)
            case PassedOver(turn, stuck):
                yield from (Incident(turn, seat, "passed over", "cannot move") for seat in stuck)


def _losses(
    result: Result, turns: Sequence[Turn], incidents: Sequence[Incident], seats: int
) -> Iterator[Loss]:
    """Yield where each losing seat lost; a void match has no losers."""
    if result.outcome is None:
        return
    for seat in range(seats):
        if seat not in result.outcome.winners:
            own = [turn for turn in turns if turn.seat == seat]
            met = [incident for incident in incidents if incident.seat == seat]
            yield _out(result, own, met) or _on_the_board(seat, own, 1 / seats)


def _out(result: Result, own: Sequence[Turn], met: Sequence[Incident]) -> Loss | None:
    """Return how a seat lost that left before the end; None if it stayed."""
    fault = next((each for each in reversed(met) if each.what == "faulted"), None)
    last = next((each for each in reversed(met) if each.what in ("expelled", "resigned")), None)
    how: Literal["expelled", "resigned", "forfeited"]
    if last is not None and last.what == "resigned":
        how, words = "resigned", f"seat {last.seat} gave up at turn {last.turn}"
    elif last is not None:
        why = last.why if fault is None else fault.why
        how, words = "expelled", f"seat {last.seat} lost by expulsion at turn {last.turn}: {why}"
    elif fault is not None and result.verdict == "forfeited":
        last = fault
        how, words = "forfeited", f"seat {last.seat} lost by forfeit at turn {last.turn}: {fault.why}"
    else:
        return None
    if own:
        words += f"; after its last move it stood at {own[-1].played.after:.2f}"
    return Loss(seat=last.seat, how=how, turn=last.turn, words=words)


def _on_the_board(seat: Seat, own: Sequence[Turn], share: float) -> Loss:
    """Return the last own turn at which a seat had its fair share, and what it played there."""
    if not own:
        return Loss(seat=seat, how="unknown", turn=None, words=f"seat {seat} never moved")
    stands = [turn for turn in own if turn.stood >= share - NOISE]
    if not stands:
        best = max(own, key=lambda turn: turn.stood)
        words = f"seat {seat} was lost from the beginning"
        if best.stood > NOISE:
            words = f"seat {seat} never had its share: {best.stood:.2f} at best, at turn {best.turn}"
        return Loss(seat=seat, how="beginning", turn=None, words=words)
    last = stands[-1]
    played = last.played
    if played.verdict in (Verdict.BEST, Verdict.FINE):
        words = f"seat {seat} stood at {last.stood:.2f} at turn {last.turn} for the last time"
        return Loss(seat=seat, how="others", turn=last.turn, words=f"{words}; no one move of its own lost it")
    whose = "" if last.by == "seat" else " (played by the referee)"
    words = (
        f"seat {seat} lost it at turn {last.turn}: {played.typed}{whose} "
        f"instead of {last.before.best}; {last.stood:.2f} -> {played.after:.2f}"
    )
    return Loss(seat=seat, how="move", turn=last.turn, words=words)
