"""Matches between bots in this process."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from touchline.core.events import Event, encode
from touchline.drivers.match import play_now
from touchline.records.recorder import RecordWriter
from touchline.records.replay import Replay

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.drivers.match import Bot, MatchSpec


def lines(seen: list[Event]) -> list[Any]:
    """Events without their times."""
    written = [json.loads(encode(event)) for event in seen]
    for line in written:
        line.pop("took", None)
    return written


class Scripted:
    """Does what it is told, then plays on with the first legal move."""

    def __init__(self, *acts: Callable[[Any], Any]) -> None:
        self.acts, self.views = list(acts), list[Any]()

    def choose(self, view: Any, turn: int = 0) -> Any:
        self.views.append(view)
        return self.acts.pop(0)(view) if self.acts else view.legal_moves()[0]


def returns(value: Any) -> Callable[[Any], Any]:
    return lambda view: value


def played(spec: MatchSpec, *bots: Bot) -> list[Event]:
    """The events of a match, which can be verified."""
    written, seen = list[bytes](), list[Event]()
    play_now(spec, bots, [seen.append, RecordWriter(written.append).see])
    Replay(b"".join(written), "x").verify()
    return seen
