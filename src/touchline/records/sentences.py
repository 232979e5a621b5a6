"""The events of a match in sentences: for the page, and for the report of a tournament.

Rules of this file: a sentence says no more than its event, and an event says only what is public; names are
cut, since a record from elsewhere may have any.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec import UNSET

from touchline.core import events
from touchline.core.conduct import LATENESS, Offence, Sanction
from touchline.core.referee import NO_ANSWER
from touchline.records.story import story

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.core.clock import Limits
    from touchline.core.events import Event

MOST_TEXT = 300
"""The length limit of a name, a reason, or a line about one seat, in characters; ours have less than 100."""
MOST_SENTENCE = 2000
"""The length limit of a sentence about an event, in characters: that of the last event is about all seats."""

_COSTS = {
    Sanction.RETRY: "it may try again",
    Sanction.SKIP: "its turn is taken away",
    Sanction.DEFAULT: "the default move is played for it",
    Sanction.RANDOM: "a random move is played for it",
    Sanction.EXPEL: "it is expelled",
    Sanction.FORFEIT: "it forfeits the match",
    Sanction.VOID: "the match is void",
}
RESTARTED = "the server restarted; going on"
_OFFENCES = {
    Offence.ILLEGAL: "made an illegal move",
    Offence.MALFORMED: "sent something that cannot be read",
    Offence.LATE: "was too slow",
    Offence.STARVED: "had too little of the processor",
    Offence.LIMIT: "used more than its program may",
    Offence.OUT_OF_TURN: "spoke out of turn",
    Offence.GONE: "is gone",
    Offence.FLOOD: "sent too much",
    Offence.NOT_READING: "does not read what it is sent",
    Offence.REFUSED: "never sat down",
}


def seconds(micros: int) -> str:
    """Return a time for people to read.

    >>> seconds(1_340_000), seconds(60_000_000), seconds(400)
    ('1.3 s', '60 s', '0 s')
    """
    return f"{round(micros / 1e6, 1):g} s"


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
    """Puts the events of one match into sentences."""

    def __init__(self, names: Sequence[str], limits: Limits) -> None:
        self._names, self._limits = cut_names(names), limits

    def who(self, seat: int) -> str:
        return f"{self._names[seat]} (seat {seat})"

    def of(self, event: Event) -> Told:
        """Return the sentence of an event, which may be longer than `MOST_SENTENCE`."""
        return Told(*self._told(event))

    def _told(self, event: Event) -> tuple[str, int | None, int, bool]:
        match event:
            case events.Begun(game=game):
                return f"{game} begins: {', '.join(self._names)}", None, 0, False
            case events.SatDown(seat=seat):
                return f"{self._names[seat]} is ready", seat, 0, False
            case events.Moved(turn, seat, move, took, _, by):
                return self._moved(seat, move, took, by), seat, turn, by == "referee"
            case events.SentOn(turn, seat):
                return f"{self._names[seat]} knows where to go next", seat, turn, False
            case events.Faulted(turn, seat, offence, reason, sanction):
                timed = event.fuel is UNSET
                return self._fault(seat, offence, reason, sanction, timed=timed), seat, turn, True
            case events.Ignored(turn, seat):
                return f"{self.who(seat)} answered an earlier question; it is ignored", seat, turn, False
            case events.Skipped(turn, seat, reason):
                return f"{self.who(seat)} was skipped: {reason}", seat, turn, True
            case events.PassedOver(turn, seats):
                return f"{', '.join(map(self.who, seats))} cannot move", seats[0], turn, False
            case events.Expelled(turn, seat, reason):
                return f"{self.who(seat)} was expelled: {reason}", seat, turn, True
            case events.Resigned(turn, seat, why):
                said = "" if why == "resigned" else f": {why}"
                return f"{self.who(seat)} resigned{said}", seat, turn, False
            case events.TakenBack(turn, seat):
                return f"{self._names[seat]} took a move back", seat, turn, False
            case events.Resumed(turn):
                return RESTARTED, None, turn, False
            case events.Ended(result):
                return "; ".join(story(result, self._names)), None, result.turns, False

    def _moved(self, seat: int, move: Any, took: int, by: str) -> str:
        if by == "referee":
            return f"the referee moved for {self.who(seat)}: {move_text(move)}"
        return f"{self._names[seat]}: {move_text(move)}, after {seconds(took)}"

    def _fault(self, seat: int, offence: Offence, reason: str, sanction: Sanction, *, timed: bool) -> str:
        # Without a time limit, the reason has the limit of fuel.
        allowed = self._limits.clock_of(seat).per_move if timed else None
        late = offence in LATENESS and allowed is not None and reason in NO_ANSWER
        limit = f", {seconds(allowed or 0)} were allowed" if late else ""
        return f"{self.who(seat)} {_OFFENCES[offence]}: {reason}{limit}; {_COSTS[sanction]}"
