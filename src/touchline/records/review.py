"""The review of a finished match by somebody who sees everything: values, worst moves, the decisive moment.

Every position has one value per seat, whoever is to move: a house player judges the whole state, hidden parts
too, and equal states are judged once. What a move gave away is the difference between the positions after
the best move and after the one that was played; in both the same seat is to move, so none gains by its turn.

Law of this file: a review depends only on the record, on the house player, and on which turns are looked at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct

from touchline.bots.base import Thought
from touchline.bots.shared.evaluation import worth
from touchline.core.events import Expelled, Moved, Resigned
from touchline.core.fold import turns_taken_back
from touchline.core.sketch import Key
from touchline.draw.words import narrated
from touchline.records.positions import keys_of
from touchline.records.sentences import cut_names
from touchline.records.story import distinct, listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from touchline.bots.base import HouseBot
    from touchline.core.rules import Seat, State
    from touchline.records.replay import Replay

MOST_WORST = 3
"""The worst moves of each seat that are named."""
LEAST_LOSS = 0.1
"""A move that gave away less than this part of a fair share (1 / seats) is not a bad one."""
SWING = 0.15
"""The least gain of the winner that decides a match in which it was ahead all the time."""


class PositionValue(Struct, frozen=True):
    """The value of the position before a turn, for each seat; the last one is that of the end."""

    turn: int
    values: tuple[float, ...]
    says: str


class WorstMove(Struct, frozen=True, kw_only=True):
    """A move that gave something away."""

    seat: int
    turn: int
    n: int
    """The number of its event in the record."""
    loss: float
    """How much of the expected result it gave away, from 0 to 1."""
    played: str
    """What was done, in words: `slid from (0, 3) to (1, 3) and ate 1`."""
    better: str
    """What to do instead, in words."""
    keys: tuple[Key, ...]
    """The spots of the better move, in the position before."""
    text: str
    """What was done, as a sentence without the name."""


class DecisiveMoment(Struct, frozen=True):
    """The event after which the winner was ahead until the end, or which took it furthest."""

    turn: int
    n: int
    seat: int
    text: str


class Review(Struct, frozen=True):
    """What there is to say about a match."""

    values: tuple[PositionValue, ...]
    worst: tuple[WorstMove, ...]
    decisive: DecisiveMoment | None


class PlayedTurn(NamedTuple):
    """A move of the record, and the states around it."""

    n: int
    event: Moved
    move: Any
    before: State
    after: State


class Reviewer:
    """Looks at the turns of a record, in any order, and then concludes."""

    def __init__(self, replay: Replay, judge: HouseBot) -> None:
        """`judge` must be able to judge every position of the game."""
        self._replay, self._judge = replay, judge
        self.names = distinct(cut_names(replay.begun.names))
        self._judged: dict[State, Thought] = {}
        self._seen: dict[int, PlayedTurn] = {}
        undone, before = turns_taken_back(replay.events), None
        self.turns: list[PlayedTurn] = []
        """The moves that count: not those that were taken back."""
        for n, (event, state) in enumerate(replay.states()):
            if isinstance(event, Moved) and event.turn not in undone:
                assert before is not None, "a record begins with its terms, not with a move"
                self.turns.append(PlayedTurn(n, event, replay.move_of(event.move), before, state))
            before = state
        self._end = before

    def judged(self, state: State) -> Thought:
        """Return the values of a state, and the best move; equal states are judged once."""
        if state not in self._judged:
            over = state.to_move is None
            self._judged[state] = (
                Thought(tuple(worth(state, len(self.names))), (), "over")
                if over
                else self._judge.judge(state)
            )
        return self._judged[state]

    def look(self, number: int) -> None:
        """Look at one of `turns`: judge the positions before and after it, and after the best move."""
        turn = self.turns[number]
        line = self.judged(turn.before).line
        self.judged(turn.after)
        if line and line[0] != turn.move:
            self.judged(turn.before.play(line[0]))
        self._seen[number] = turn

    def loss(self, number: int) -> float:
        """Return what a move gave away, from 0 to 1."""
        turn = self.turns[number]
        line, seat = self.judged(turn.before).line, turn.event.seat
        if not line or line[0] == turn.move:
            return 0.0
        best = self.judged(turn.before.play(line[0])).values[seat]
        return max(0.0, best - self.judged(turn.after).values[seat])

    def review(self) -> Review:
        """Return the values, worst moves and decisive moment of the turns that were looked at."""
        seen = [self._seen[number] for number in sorted(self._seen)]
        values = [self._value(turn.event.turn, turn.before) for turn in seen]
        if self._end is not None and self._end.to_move is None and self._replay.ended is not None:
            values.append(self._value(self._replay.ended.result.turns, self._end))
        worst = [move for seat in range(len(self.names)) for move in self._worst(seat)]
        return Review(tuple(values), tuple(worst), self._decisive(seen))

    def _value(self, turn: int, state: State) -> PositionValue:
        thought = self.judged(state)
        return PositionValue(turn, thought.values, thought.says)

    def _worst(self, seat: Seat) -> Iterator[WorstMove]:
        """Yield the worst moves that a seat chose itself, the worst first."""
        own = [
            (self.loss(number), -number)
            for number, turn in self._seen.items()
            if turn.event.seat == seat and turn.event.by == "seat"
        ]
        for loss, number in sorted(own, reverse=True)[:MOST_WORST]:
            if loss >= LEAST_LOSS / len(self.names):
                yield self._described(self.turns[-number], loss)

    def _described(self, turn: PlayedTurn, loss: float) -> WorstMove:
        best = self.judged(turn.before).line[0]
        played, better = narrated(turn.before, turn.move)[0], narrated(turn.before, best)[1]
        if better == narrated(turn.before, turn.move)[1]:
            better += ", in another way"  # the words of a game need not tell all moves apart
        return WorstMove(
            seat=turn.event.seat,
            turn=turn.event.turn,
            n=turn.n,
            loss=round(loss, 4),
            played=played,
            better=better,
            keys=keys_of(turn.before, turn.before.sketch(), best) or (),
            text=played[:1].upper() + played[1:],
        )

    def _decisive(self, seen: list[PlayedTurn]) -> DecisiveMoment | None:
        """Return when the match was decided: the last time that the winners were not ahead."""
        ended = self._replay.ended
        outcome = ended.result.outcome if ended is not None else None
        if outcome is None or not outcome.winners or not seen:
            return None
        mine, best = self._share(seen[-1].after, outcome.winners)
        if mine <= best and (left := self._departure(seen[-1].n)) is not None:
            return left
        shares = [self._share(turn.before, outcome.winners) for turn in seen]
        behind = [number for number, (mine, best) in enumerate(shares) if mine <= best]
        if not behind:
            return self._swing(seen, [mine for mine, _ in shares], outcome.winners)
        turn = seen[behind[-1]]
        name, winners = self.names[turn.event.seat], listed([self.names[seat] for seat in outcome.winners])
        did = f"{name} {narrated(turn.before, turn.move)[0]}"
        if outcome.winners == (turn.event.seat,):
            return self._moment(turn, f"{did}, and was ahead from then on.")
        was = "were" if len(outcome.winners) > 1 else "was"
        return self._moment(turn, f"{did}. From then on {winners} {was} ahead.")

    def _share(self, state: State, winners: tuple[Seat, ...]) -> tuple[float, float]:
        """Return the value of the winners, and that of the best other seat."""
        values = self.judged(state).values
        mine = sum(values[seat] for seat in winners) / len(winners)
        others = (value for seat, value in enumerate(values) if seat not in winners)
        return mine, max(others, default=0.0)

    def _swing(
        self, seen: list[PlayedTurn], mine: list[float], winners: tuple[Seat, ...]
    ) -> DecisiveMoment | None:
        """Return the move that gained most for winners who were ahead all the time."""
        gains = [self._share(turn.after, winners)[0] - mine[number] for number, turn in enumerate(seen)]
        best = max(range(len(gains)), key=lambda number: gains[number])
        if gains[best] < SWING:
            return None
        turn = seen[best]
        return self._moment(
            turn, f"{self.names[turn.event.seat]} {narrated(turn.before, turn.move)[0]}. That settled it."
        )

    def _moment(self, turn: PlayedTurn, text: str) -> DecisiveMoment:
        return DecisiveMoment(turn.event.turn, turn.n, turn.event.seat, text)

    def _departure(self, after: int) -> DecisiveMoment | None:
        """Return the first seat that left after this event, if any."""
        for n, event in enumerate(self._replay.events):
            if n > after and isinstance(event, Expelled | Resigned):
                what = "resigned" if isinstance(event, Resigned) else "was removed"
                return DecisiveMoment(event.turn, n, event.seat, f"{self.names[event.seat]} {what}.")
        return None
