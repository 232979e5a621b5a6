"""The events of a match in sentences: for the page, and for the report of a tournament.

Rules of this file: a sentence says no more than its event, and an event says only what is public; names are
cut, since a record from elsewhere may have any.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec import UNSET

from touchline.core import events
from touchline.core.conduct import Offence, Sanction
from touchline.draw.words import narrated
from touchline.records.fault_words import deed
from touchline.records.story import LastMover, distinct, headline, listed
from touchline.records.story import why as why_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.core.clock import Limits
    from touchline.core.events import Event
    from touchline.core.rules import State

MOST_TEXT = 300
"""The length limit of a name, a reason, or a line about one seat, in characters; ours have less than 100."""
MOST_SENTENCE = 2000
"""The length limit of a sentence about an event, in characters: that of the last event is about all seats."""

_COSTS = {
    Sanction.RETRY: "and may try again",
    Sanction.SKIP: "and lost the turn",
    Sanction.DEFAULT: "so a move was made instead",
    Sanction.RANDOM: "so a random move was made instead",
    Sanction.EXPEL: "and was removed",
    Sanction.FORFEIT: "and lost the match",
    Sanction.VOID: "so the match does not count",
}
RESTARTED = "The server restarted; going on"


def cut(text: str, most: int = MOST_TEXT) -> str:
    """Return a text, or its beginning with an ellipsis if it is longer than the limit.

    >>> cut("too slow"), cut("too slow", 5)
    ('too slow', 'too …')
    """
    return text if len(text) <= most else text[: most - 1] + "…"


def cut_names(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(map(cut, names))


def _worded(value: Any) -> str:
    """Return a part of a move as text; a cell is `row,column`."""
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def move_text(move: Any) -> str:
    """Return a move in words, made from its JSON form.

    >>> from touchline.games.hexapawn import Step
    >>> move_text(Step((1, 2), (2, 2)))
    'from 1,2 to 2,2'
    """
    written = msgspec.to_builtins(move)
    if not isinstance(written, dict):
        return _worded(written)
    tag = [str(written["type"])] if "type" in written else []
    return " ".join([*tag, *(f"{name} {_worded(part)}" for name, part in written.items() if name != "type")])


class Told(NamedTuple):
    """What an event says: its sentence, its seat and turn, and whether it is a fault."""

    text: str
    seat: int | None
    turn: int
    fault: bool


class Sentences:
    """Puts the events of one match into sentences, in their order."""

    technical = True
    """Whether faults are told with what only the author of a program understands."""

    def __init__(self, names: Sequence[str], limits: Limits) -> None:
        self._all, self._limits = cut_names(names), limits
        self._names = distinct(self._all)
        self._mover = LastMover()

    def who(self, seat: int) -> str:
        return self._names[seat]

    def of(self, event: Event, before: State | None = None) -> Told:
        """Return the sentence of an event, which may be longer than `MOST_SENTENCE`.

        `before` is the state in which a move was made: with it, the move is told in the words of its game.
        """
        self._mover(event)
        return Told(*self._told(event, before))

    def _told(self, event: Event, before: State | None) -> tuple[str, int | None, int, bool]:
        match event:
            case events.Begun():
                return f"The game begins: {listed([*map(self.who, range(len(self._names)))])}", None, 0, False
            case events.SatDown(seat=seat):
                return f"{self.who(seat)} is ready", seat, 0, False
            case events.Moved(turn, seat, move, _, _, by):
                return self._moved(seat, move, by, before), seat, turn, by == "referee"
            case events.SentOn(turn, seat):
                return f"{self.who(seat)} knows where to go next", seat, turn, False
            case events.Faulted(turn, seat, offence, reason, sanction):
                timed = event.fuel is UNSET
                return self._fault(seat, offence, reason, sanction, timed=timed), seat, turn, True
            case events.Ignored(turn, seat):
                return f"{self.who(seat)} answered too late; that is ignored", seat, turn, False
            case events.Skipped(turn, seat):
                return f"{self.who(seat)} misses this turn", seat, turn, True
            case events.PassedOver(turn, seats):
                return f"{listed([*map(self.who, seats)])} cannot move", seats[0], turn, False
            case events.Expelled(turn, seat):
                return f"{self.who(seat)} is out of the game", seat, turn, True
            case events.Resigned(turn, seat, why):
                said = "" if why == "resigned" else f": {why}"
                return f"{self.who(seat)} resigned{said}", seat, turn, False
            case events.TakenBack(turn, seat):
                return f"{self.who(seat)} took a move back", seat, turn, False
            case events.Resumed(turn):
                return RESTARTED, None, turn, False
            case events.Ended(result):
                why = why_of(result, self._all, self._mover.seat)
                return f"{headline(result, self._all)}. {why}", None, result.turns, False

    def _moved(self, seat: int, move: Any, by: str, before: State | None) -> str:
        said = "moved" if before is None else narrated(before.view(None), move)[0]
        if by == "referee":
            return f"The referee played for {self.who(seat)}: {said}"
        return f"{self.who(seat)} {said}"

    def _fault(self, seat: int, offence: Offence, reason: str, sanction: Sanction, *, timed: bool) -> str:
        # Without a time limit, the reason has the limit of fuel.
        found = deed(offence, reason, self._limits.clock_of(seat).per_move if timed else None)
        if found.ours:
            return f"Our helper process stopped, so {self.who(seat)} could not go on. That is our fault"
        detail = f": {found.detail}" if found.detail and (self.technical or not found.technical) else ""
        return f"{self.who(seat)} {found.did} {_COSTS[sanction]}{detail}"
