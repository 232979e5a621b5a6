"""Deliberate leaks: each function plants one with monkeypatch and is caught by `find_leaks`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from touchline.core import messages
from touchline.core.events import Faulted
from touchline.core.happenings import Tell
from touchline.core.referee import Referee
from touchline.core.registry import dialect
from touchline.core.rules import IllegalMove
from touchline.drivers import match
from touchline.drivers.event_loop import AsyncMatch
from touchline.games.boards.maze import Pass
from touchline.games.labyrinth import LabyrinthState, Seeker
from touchline.records import analysis
from touchline.web.live.feed import Audience, Feed

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

    Plant = Callable[[pytest.MonkeyPatch], None]

_view, _legal_moves, _judge = LabyrinthState.view, LabyrinthState.legal_moves, LabyrinthState._judge


def _others_goal(state: LabyrinthState, seat: int | None) -> Any:
    """The goal of a seat that this one may not know."""
    return state.seekers[0 if seat else -1].goal


def view_shows_a_goal(patch: pytest.MonkeyPatch) -> None:
    """The view of seat 0 shows where the last seat goes."""

    def view(self: LabyrinthState, seat: int | None) -> LabyrinthState:
        seen = _view(self, seat)
        if seat != 0 or self.ended:
            return seen
        shown = Seeker(self.seekers[-1].home, self.seekers[-1].goal, None, None)
        return replace(seen, seekers=(*seen.seekers[:-1], shown))

    patch.setattr(LabyrinthState, "view", view)


def spectators_see_the_pool(patch: pytest.MonkeyPatch) -> None:
    """Only spectators see how many goals are still to be given out."""

    def view(self: LabyrinthState, seat: int | None) -> LabyrinthState:
        seen = _view(self, seat)
        return seen if seat is not None or self.ended else replace(seen, pool=(self.pool or ())[:1])

    patch.setattr(LabyrinthState, "view", view)


def view_tells_who_reached_a_goal(patch: pytest.MonkeyPatch) -> None:
    """Everybody sees that a seat has just reached its goal: no position at rest shows it."""

    def view(self: LabyrinthState, seat: int | None) -> LabyrinthState:
        return replace(_view(self, seat), reached=self.reached)

    patch.setattr(LabyrinthState, "view", view)


def order_in_a_view(patch: pytest.MonkeyPatch) -> None:
    """The two gems of the spare change places if another seat's goal lies in the upper half."""

    def view(self: LabyrinthState, seat: int | None) -> LabyrinthState:
        seen, goal = _view(self, seat), _others_goal(self, seat)
        if self.ended or goal is None or goal[0] > 1:
            return seen
        gems = seen.maze.spare_treasure
        return replace(seen, maze=replace(seen.maze, spare_treasure=(gems[1], gems[0])))

    patch.setattr(LabyrinthState, "view", view)


def begin_has_the_state(patch: pytest.MonkeyPatch) -> None:
    """The referee greets seats with the full state."""
    begin = Referee.begin

    def leaky(self: Referee, refused: Any = ()) -> Any:
        effects = begin(self, refused)
        return [_told_all(effect, self.state, messages.Begin) for effect in effects]

    patch.setattr(Referee, "begin", leaky)


def _told_all(effect: Any, state: Any, kind: type) -> Any:
    if isinstance(effect, Tell) and isinstance(effect.message, kind):
        return Tell(effect.seat, replace(effect.message, view=state))
    return effect


def updates_of_one_dialect(patch: pytest.MonkeyPatch) -> None:
    """Updates have the full state, and seed-003 writes the goal of every player."""
    show_all, kind = Referee._drain, dialect("seed-003")
    public = kind._public  # type: ignore[attr-defined]

    def drain(self: Referee) -> Any:
        return [_told_all(effect, self.state, messages.Update) for effect in show_all(self)]

    def leaky(self: Any, view: LabyrinthState, seat: int) -> dict[str, Any]:
        return {**public(self, view, seat), "goal": view.seekers[seat].goal}

    patch.setattr(Referee, "_drain", drain)
    patch.setattr(kind, "_public", leaky)


def error_names_a_goal(patch: pytest.MonkeyPatch) -> None:
    """An illegal move is refused with the distance to another seat's goal."""

    def judge(self: LabyrinthState, move: Any) -> None:
        try:
            _judge(self, move)
        except IllegalMove as reason:
            raise IllegalMove(f"{reason}; warmer: {_others_goal(self, self.to_move)}") from None

    patch.setattr(LabyrinthState, "_judge", judge)


def colours_from_the_secrets(patch: pytest.MonkeyPatch) -> None:
    """The lot, by which colours are chosen, follows from the goals."""
    begin = Referee.begin

    def leaky(self: Referee, refused: Any = ()) -> Any:
        state: Any = self.state
        self._seed = sum(seeker.goal[0] * 7 + seeker.goal[1] for seeker in state.seekers)
        return begin(self, refused)

    patch.setattr(Referee, "begin", leaky)


def event_has_a_secret(patch: pytest.MonkeyPatch) -> None:
    """The event of a fault has the goals in its reason; no player is told."""
    note = Referee._note

    def leaky(self: Referee, event: Any) -> None:
        state: Any = self.state
        if isinstance(event, Faulted):
            event = replace(event, reason=f"{event.reason} {[seeker.goal for seeker in state.seekers]}")
        note(self, event)

    patch.setattr(Referee, "_note", leaky)


def default_move_is_a_hint(patch: pytest.MonkeyPatch) -> None:
    """The legal moves of the full state leave out those onto another seat's goal."""

    def legal_moves(self: LabyrinthState) -> Any:
        goal = _others_goal(self, self.to_move)
        return [move for move in _legal_moves(self) if isinstance(move, Pass) or move.to != goal]

    patch.setattr(LabyrinthState, "legal_moves", legal_moves)


def hint_knows_everything(patch: pytest.MonkeyPatch) -> None:
    """A hint is computed from the full state."""
    init = analysis._Analyst.__init__

    def leaky(self: Any, thinker: Any, all_seeing: bool) -> None:
        init(self, thinker, True)

    patch.setattr(analysis._Analyst, "__init__", leaky)


def one_more_frame(patch: pytest.MonkeyPatch) -> None:
    """The last word is repeated if another seat's goal lies in the upper half."""
    end = Referee._end

    def leaky(self: Referee, *words: Any) -> None:
        end(self, *words)
        state: Any = self.state
        if state.seekers[0].goal[0] < 2:
            self._effects += [effect for effect in self._effects if isinstance(effect, Tell) and effect.seat]

    patch.setattr(Referee, "_end", leaky)


def bots_are_handed_the_state(patch: pytest.MonkeyPatch) -> None:
    """The driver hands bots in this process the full state."""
    lane = match._play_fast_lane

    def leaky(*words: Any, hidden: bool) -> Any:
        return lane(*words, hidden=False)

    patch.setattr(match, "_play_fast_lane", leaky)


def fast_lane_sends_the_state(patch: pytest.MonkeyPatch) -> None:
    """On the event loop, the fast lane asks remote players with the full state."""
    init = AsyncMatch.__init__

    def leaky(self: AsyncMatch, *words: Any) -> None:
        init(self, *words)
        self._hidden = False

    patch.setattr(AsyncMatch, "__init__", leaky)


def spectators_are_shown_everything(patch: pytest.MonkeyPatch) -> None:
    """The page draws the full state for spectators."""
    show = Audience._show

    def leaky(self: Audience, progress: Any) -> Any:
        if self._seat is not None:
            return show(self, progress)
        show(self, progress)
        sketch = progress.state.sketch()
        self._shown = progress.state, sketch
        return sketch

    patch.setattr(Audience, "_show", leaky)


def events_tell_who_was_sent_on(patch: pytest.MonkeyPatch) -> None:
    """Only of a seat that reached its goal is noted that it knows where to go next."""
    init = Referee.__init__

    def leaky(self: Referee, *words: Any, **named: Any) -> None:
        init(self, *words, **named)
        self._discreet = False

    patch.setattr(Referee, "__init__", leaky)


def feed_tells_who_was_sent_on(patch: pytest.MonkeyPatch) -> None:
    """The page's log says so too."""
    see = Feed.see

    def leaky(self: Feed, event: Any) -> None:
        see(self, event)
        if event not in self.events:
            self.events.append(event)
            self.touch()

    events_tell_who_was_sent_on(patch)
    patch.setattr(Feed, "see", leaky)


PLANTED: list[tuple[Plant, str, str]] = [
    (view_shows_a_goal, "native", "the position of view()"),
    (spectators_see_the_pool, "native", "the position of view()"),
    (view_tells_who_reached_a_goal, "native", "the position of view()"),
    (order_in_a_view, "native", "the position of view()"),
    (begin_has_the_state, "native", "dialect native"),
    (updates_of_one_dialect, "seed-003", "dialect seed-003"),
    (error_names_a_goal, "native", "the reasons of check()"),
    (colours_from_the_secrets, "labyrinth-course", "dialect labyrinth-course"),
    (event_has_a_secret, "seed-004", "the record"),
    (default_move_is_a_hint, "seed-004", "legal_moves()"),
    (hint_knows_everything, "native", "the hint of greedy"),
    (one_more_frame, "native", "dialect native"),
    (bots_are_handed_the_state, "native", "what a bot in this process is handed"),
    (fast_lane_sends_the_state, "native", "native on the event loop"),
    (spectators_are_shown_everything, "labyrinth-course", "the page's live feed"),
    (events_tell_who_was_sent_on, "labyrinth-course", "the record"),
    (feed_tells_who_was_sent_on, "labyrinth-course", "the page's live feed"),
]
"""Each planted leak, the dialect that is spoken, and a channel in which it must be found."""
