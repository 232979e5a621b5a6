"""What happens in a match, entry by entry, for people at a terminal: who moved what, and who was at fault.

Laws of this file: seats are called by their names and colours; a log that follows a live match knows what a
spectator may see and no more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from touchline.core import events
from touchline.core.fold import Fold
from touchline.core.printable import printable
from touchline.draw.words import side, spelled
from touchline.records.positions import keys_of
from touchline.records.sentences import Sentences, cut, cut_names
from touchline.records.story import LastMover, reason_of

if TYPE_CHECKING:
    from touchline.core.events import Event, Result
    from touchline.core.rules import Game, Seat, State
    from touchline.core.sketch import Key, Sketch
    from touchline.records.replay import Replay

_QUIET = (events.SatDown, events.SentOn, events.Ignored)
"""Events that nobody at a terminal misses."""


class Entry(NamedTuple):
    """An event, and the state after it."""

    turn: int
    seat: Seat | None
    text: str
    """The event as a sentence, in one printable line."""
    fault: bool
    keys: tuple[Key, ...]
    """The spots of a move."""
    state: State


class Table(NamedTuple):
    """The players of a match: what each is called, and its colour."""

    names: tuple[str, ...]
    sketch: Sketch
    """Any sketch of the match, for the colours."""

    def who(self, seat: Seat) -> str:
        """Return the name and the colour of a seat: `greedy (red)`."""
        return f"{self.names[seat]} ({side(self.sketch, seat)})"


class _Sentences(Sentences):
    """Sentences that call the seats by their colours."""

    def __init__(self, table: Table, limits: Any) -> None:
        super().__init__(table.names, limits)
        self._table = table

    def who(self, seat: int) -> str:
        return self._table.who(seat)


class MatchLog:
    """The log of one match: an observer of a live one, or all of a record."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.table: Table | None = None
        """The players; None before the match begins."""
        self.entries: list[Entry] = []
        self._fold: Fold | None = None
        self.result: Result | None = None
        self._mover = LastMover()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players, printable; empty before the match begins."""
        return () if self.table is None else self.table.names

    @property
    def state(self) -> State | None:
        """The latest state; None before the match begins."""
        return self.entries[-1].state if self.entries else None

    def see(self, event: Event) -> None:
        """Follow a live match, as an observer."""
        self.follow(event)

    def follow(self, event: Event) -> Entry | None:
        """Follow a live match, as a spectator; return the new entry, None for an event of no interest."""
        if isinstance(event, events.Begun):
            self._fold = Fold(self.game.restore(event.position))
        return None if self._fold is None else self.add(event, self._fold.take(event))

    def add(self, event: Event, state: State) -> Entry | None:
        """Add an event, and the state after it."""
        if isinstance(event, events.Begun):
            names = tuple(map(printable, cut_names(event.names)))
            self.table = Table(names, state.sketch())
            self._sentences = _Sentences(self.table, event.limits)
        self._mover(event)
        if self.table is None or isinstance(event, _QUIET):
            return None
        if isinstance(event, events.Ended):
            self.result = event.result
        entry = self._entry(event, state, self.table)
        self.entries.append(entry)
        return entry

    def _entry(self, event: Event, state: State, table: Table) -> Entry:
        told = self._sentences.of(event)
        text, keys = told.text, tuple[Any, ...]()
        if isinstance(event, events.Moved) and self.state is not None:
            keys = keys_of(self.state, self.state.sketch(), event.move) or ()
            by = "" if event.by == "seat" else ", moved by the referee"
            text = f"{table.who(event.seat)}{by}: {spelled(keys)}" if keys else told.text
        elif isinstance(event, events.Ended):
            text = self.ending()
        elif isinstance(event, events.Resumed):
            text = "the match was resumed"
        return Entry(told.turn, told.seat, printable(text), told.fault, keys, state)

    def since(self, seat: Seat) -> list[Entry]:
        """Return what happened since a seat moved for the last time."""
        news: list[Entry] = []
        for entry in reversed(self.entries):
            if entry.seat == seat and entry.keys:
                break
            news.append(entry)
        return [entry for entry in reversed(news) if entry.turn or entry.seat is not None]

    def ending(self, you: Seat | None = None) -> str:
        """Return the result in words: who won, the scores, and why. `you` is the seat of the reader."""
        assert self.result is not None
        assert self.table is not None
        outcome = self.result.outcome
        if outcome is None:
            return f"the match is void: {cut(self.result.reason)}; nobody has lost"

        def who(seat: Seat) -> str:
            return "you" if seat == you else self._named(seat)

        winners = " and ".join(map(who, outcome.winners)) or "nobody"
        scores = ", ".join(f"{who(seat)} {score}" for seat, score in enumerate(outcome.scores))
        reason = reason_of(self.result, [*map(who, range(len(outcome.scores)))], self._mover.seat)
        return f"{winners} won: {cut(reason)}. Scores: {scores}"

    def _named(self, seat: Seat) -> str:
        assert self.table is not None
        return self.table.who(seat)


def log_of(replay: Replay) -> MatchLog:
    """Return the log of a whole record. BadInput names a line that breaks the rules."""
    log = MatchLog(replay.game)
    for event, state in replay.states():
        log.add(_with_move(replay, event), state)
    return log


def _with_move(replay: Replay, event: Event) -> Event:
    from msgspec.structs import replace

    return replace(event, move=replay.move_of(event.move)) if isinstance(event, events.Moved) else event
