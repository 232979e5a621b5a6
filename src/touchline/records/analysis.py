"""What a match was worth, turn by turn, to somebody who can say what it thinks: where it was lost, and why.

A `Thinker` looks at every position of a record. Unless it is told to see all, it looks with the eyes of the
seat to move, so the analysis says what the player could have known. Where something is hidden, the next seat
does not see what the mover sees, so a move is weighed when it is the mover's turn again: in worlds that the
mover could not tell from the true one, the same ones for the move that was made and for the best.

Law of this file: it changes nothing and decides nothing; given the same record and a thinker that thinks the
same, it says the same.
"""

from __future__ import annotations

import enum
from random import Random
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from touchline.bots.shared.evaluation import worth
from touchline.core import registry
from touchline.core.errors import BadInput
from touchline.core.events import Expelled, Faulted, Moved, PassedOver, Resigned, Result, Skipped
from touchline.core.rules import Seat
from touchline.players.terminal import typed

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

    from touchline.bots.base import Thinker, Thought
    from touchline.core.rules import State
    from touchline.records.replay import Replay

WORLDS = 4
"""In how many worlds a move is weighed where something is hidden."""
SPELLED = 8
"""Moves of a line that are put into words."""
NOISE = 1e-9


class Verdict(enum.Enum):
    """How good a move was, by what it gave away; a fair share is 1 / seats."""

    BEST = "best"
    """As good as what the thinker would have played."""
    FINE = "fine"
    """Less than a tenth of a fair share."""
    DOUBTFUL = "doubtful"
    """Less than a quarter."""
    MISTAKE = "mistake"
    """Less than a half."""
    BLUNDER = "blunder"


_LIMITS = ((0.1, Verdict.FINE), (0.25, Verdict.DOUBTFUL), (0.5, Verdict.MISTAKE))
FAULTY = (Verdict.MISTAKE, Verdict.BLUNDER)


def verdict(gave: float, seats: int) -> Verdict:
    """The verdict on a move that gave away so much.

    >>> [verdict(gave, 2).value for gave in (0, 0.04, 0.1, 0.2, 0.3)]
    ['best', 'fine', 'doubtful', 'mistake', 'blunder']
    """
    if gave <= NOISE:
        return Verdict.BEST
    return next((kind for limit, kind in _LIMITS if gave < limit / seats), Verdict.BLUNDER)


class Advice(Struct, frozen=True, kw_only=True):
    """What a thinker makes of a position."""

    seat: Seat
    """Who is to move."""
    line: tuple[Any, ...]
    """The moves it expects, the best one first; none if it would give up."""
    spelled: tuple[str, ...]
    """The first of them, as a person types them."""
    values: tuple[float, ...]
    """For each seat what it can expect, from 0, lost, to 1, won alone."""
    says: str

    @property
    def best(self) -> str:
        """What a person would type; a thinker that sees nothing left to play gives up."""
        return self.spelled[0] if self.spelled else "resign"


class Choice(Struct, frozen=True, kw_only=True):
    """A move, weighed."""

    move: Any
    typed: str
    """As a person types it."""
    after: float
    """What the mover can expect once it has moved so."""
    gave: float
    """How much less that is than before; never below 0."""
    verdict: Verdict


class Turn(Struct, frozen=True, kw_only=True):
    """A turn of a match: what was played, and what should have been."""

    turn: int
    by: Literal["seat", "referee"]
    """Who chose the move; the referee plays in the place of a seat that did not answer as it should."""
    before: Advice
    played: Choice

    @property
    def seat(self) -> Seat:
        return self.before.seat

    @property
    def stood(self) -> float:
        """What the mover could expect before."""
        return self.before.values[self.seat]


class Incident(Struct, frozen=True):
    """Something else than a move that happened to a seat."""

    turn: int
    seat: Seat
    what: Literal["faulted", "skipped", "expelled", "resigned", "passed over"]
    why: str


class Loss(Struct, frozen=True, kw_only=True):
    """Where a seat lost."""

    seat: Seat
    how: Literal["move", "others", "beginning", "expelled", "resigned", "forfeited", "unknown"]
    turn: int | None
    words: str


class Analysis(Struct, frozen=True, kw_only=True):
    """A recorded match, analysed."""

    game: str
    options: dict[str, Any]
    names: tuple[str, ...]
    thinker: str
    all_seeing: bool
    complete: bool
    """Whether every move of the record was looked at."""
    turns: tuple[Turn, ...]
    incidents: tuple[Incident, ...]
    result: Result | None
    """None if the record stops before the end."""
    values: tuple[float, ...] | None
    """What the outcome is worth to each seat, if there is one."""
    losses: tuple[Loss, ...]


def strongest(game: str | None) -> str:
    """The name of the player whose thoughts are worth most: one that is marked `strongest`, else `mcts`.

    >>> strongest("a game that nobody knows")
    'mcts'
    """
    for name in registry.names("bots") if game is not None else ():
        kind = registry.find("bots", name)
        if kind.game == game and getattr(kind, "strongest", False) and hasattr(kind, "think"):
            return name
    return "mcts"


def spelled(state: State, line: Sequence[Any]) -> tuple[str, ...]:
    """The first moves of a line as a person types them, as far as this state can follow."""
    words: list[str] = []
    for move in line[:SPELLED]:
        found = [text for text, legal in typed(state).items() if legal == move]
        if not found:
            break
        words += found
        state = state.play(move)
    return tuple(words)


class _Mind:
    """A thinker that is asked about one position after another, and about none twice in a row."""

    def __init__(self, thinker: Thinker, all_seeing: bool) -> None:
        self._thinker, self._all_seeing = thinker, all_seeing
        self._last: tuple[State, Thought] | None = None
        self._best: tuple[State, float] | None = None
        """What the best move of a state is worth in its worlds."""

    def thought(self, state: State) -> Thought:
        """What it thinks, with the eyes of the seat to move."""
        if self._last is None or self._last[0] != state:
            seen = state if self._all_seeing else state.view(state.to_move)
            self._last = state, self._thinker.think(seen)
        return self._last[1]

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

    def choice(self, state: State, before: Advice, move: Any, hidden: bool) -> Choice:
        """A move from a state, weighed."""
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
        return Choice(move=move, typed=text, after=stands, gave=gave, verdict=verdict(gave, seats))

    def _value(self, state: State, seat: Seat, seats: int) -> float:
        return (worth(state, seats) if state.to_move is None else self.thought(state).values)[seat]

    def _later(self, state: State, seat: Seat, move: Any, seats: int) -> float:
        """What a seat can expect one round after its move, in worlds that it cannot tell from this one."""
        rng, view = Random(0), state.view(seat)
        worlds = [state] if self._all_seeing else [view.imagine(rng) for _ in range(WORLDS)]
        rounds = (self._answered(world.play(move), seat, seats) for world in worlds)
        return sum(self._value(came, seat, seats) for came in rounds) / len(worlds)

    def _answered(self, state: State, seat: Seat, seats: int) -> State:
        """The state when it is this seat's turn again, the others having played as the thinker would."""
        for _ in range(seats):
            if state.to_move in (None, seat) or not (line := self.thought(state).line):
                break
            state = state.play(line[0])
        return state


def advised(state: State, thinker: Thinker, *, all_seeing: bool = False) -> Advice:
    """What a thinker makes of one position that is not over; it sees what the seat to move may see."""
    return _Mind(thinker, all_seeing).advice(state)


def weighed(
    state: State, before: Advice, thinker: Thinker, *, hidden: bool, all_seeing: bool = False
) -> Iterator[Choice]:
    """Every legal move of a position, weighed; a thought or more for each."""
    mind = _Mind(thinker, all_seeing)
    for move in state.legal_moves():
        yield mind.choice(state, before, move, hidden)


def judged(
    replay: Replay, thinker: Thinker, *, all_seeing: bool = False, turns: Container[int] | None = None
) -> Iterator[Turn]:
    """Every move of a record, or those in these turns, as the thinker sees it."""
    mind, state = _Mind(thinker, all_seeing), None
    for number, (event, after) in enumerate(replay.states(), 1):
        if isinstance(event, Moved) and (turns is None or event.turn in turns):
            assert state is not None, "the first line of a record is no move"
            if event.seat != state.to_move:
                raise BadInput(f"seat {event.seat} was not to move", f"{replay.where}, line {number}")
            before = mind.advice(state)
            played = mind.choice(state, before, replay.move_of(event.move), replay.game.hidden)
            yield Turn(turn=event.turn, by=event.by, before=before, played=played)
        state = after


def concluded(replay: Replay, turns: Sequence[Turn], thinker: str, *, all_seeing: bool = False) -> Analysis:
    """What the judged turns of a record come to; where it was lost is told only if all were judged."""
    moves = sum(isinstance(event, Moved) for event in replay.events)
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
        if getattr(event, "seat", 0) not in seats:
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
    """Where each seat that lost a match lost it; nobody has lost a void one."""
    if result.outcome is None:
        return
    for seat in range(seats):
        if seat not in result.outcome.winners:
            own = [turn for turn in turns if turn.seat == seat]
            met = [incident for incident in incidents if incident.seat == seat]
            yield _out(result, own, met) or _on_the_board(seat, own, 1 / seats)


def _out(result: Result, own: Sequence[Turn], met: Sequence[Incident]) -> Loss | None:
    """How a seat lost that did not stay to the end; None if it stayed."""
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
    """The last turn of its own at which a seat could expect its fair share, and what became of that."""
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
