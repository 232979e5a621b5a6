"""A fault in words of people: what the player did, without seat numbers and terms of the protocol.

Rule of this file: a failure of our own is told as ours, never as the player's.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from touchline.core.conduct import LATENESS, Offence
from touchline.core.referee import NO_ANSWER

if TYPE_CHECKING:
    from touchline.core.clock import Micros

OURS = "our helper process stopped"
"""The reason of a fault that is the server's own: begin with it, and it is told as ours."""
_OURS = (
    "our helper process",
    "a worker process died",
    "a worker died",
    "the answer of a worker",
    "the job took longer",
)
"""How reasons of our own begin, in older records as well."""
_LEFT = "left the table"
_LATE = re.compile(r"(no move|not ready|did not confirm its goal) within ([\d.]+ s)(?:[;,] (.*))?", re.DOTALL)
_NEEDLESS = (*NO_ANSWER, "the answer came too late", "was not ready in time", "nobody is there")
"""Reasons that add nothing to the kind of fault."""
_CODE = re.compile(r"\w(?:Error|Exception|Warning)\b|Traceback|\braised\b|\w\(\)|[`{}\\\\]")
"""What only the author of a program understands."""
_DEEDS = {
    Offence.ILLEGAL: "tried a move that the rules forbid",
    Offence.MALFORMED: "sent something that cannot be read",
    Offence.LATE: "took too long",
    Offence.STARVED: "took too long on a busy machine",
    Offence.LIMIT: "used more than its program may",
    Offence.OUT_OF_TURN: "spoke out of turn",
    Offence.GONE: "stopped playing",
    Offence.FLOOD: "sent too much",
    Offence.NOT_READING: "stopped reading",
    Offence.REFUSED: "never sat down",
}


class Deed(NamedTuple):
    """A fault in words: what somebody did, and what else is known about it."""

    did: str
    """The end of a sentence that begins with the name of the player; a whole one if the fault is ours."""
    detail: str = ""
    ours: bool = False

    @property
    def technical(self) -> bool:
        """Whether the detail is for the author of a program, and not for everybody."""
        return _CODE.search(self.detail) is not None


def seconds(micros: int) -> str:
    """Return a time for people to read.

    >>> seconds(1_340_000), seconds(60_000_000), seconds(400)
    ('1.3 s', '60 s', '0 s')
    """
    return f"{round(micros / 1e6, 1):g} s"


def deed(offence: Offence, reason: str, allowed: Micros | None = None) -> Deed:
    """Return a fault in words; `allowed` is the time limit of a move, if it is known.

    >>> deed(Offence.LATE, "no move within 60 s").did
    'took too long (60 s)'
    >>> deed(Offence.GONE, "left the table and did not come back").did
    'left the table'
    >>> deed(Offence.ILLEGAL, "that is a hole")
    Deed(did='tried a move that the rules forbid', detail='that is a hole', ours=False)
    """
    if reason.startswith(_OURS):
        return Deed("our helper process stopped", ours=True)
    if reason.startswith(_LEFT):
        return Deed(_LEFT)
    if offence in LATENESS:
        return _late(offence, reason, allowed)
    return Deed(_DEEDS[offence], "" if reason in _NEEDLESS else reason)


def _late(offence: Offence, reason: str, allowed: Micros | None) -> Deed:
    found, did = _LATE.fullmatch(reason), _DEEDS[offence]
    if found is not None:
        what, limit, detail = found.groups()
        if what == "not ready":
            did = "was not ready in time"
        return Deed(f"{did} ({limit})", "" if offence is Offence.STARVED else detail or "")
    if reason == "was not ready in time":
        return Deed(reason)
    limit = f" ({seconds(allowed)})" if allowed is not None and reason in _NEEDLESS else ""
    return Deed(did + limit, "" if reason in _NEEDLESS else reason)
