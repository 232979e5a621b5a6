"""Replay a whole record without looking at each line: rows of legal moves take the fast lane.

Law of this file: what is accepted here is what `Replay.verify_by_line` accepts. The same input goes to the
same referee, and the bytes of all its events are compared at the end, with one call. Where they differ, or
where anything fails, the answer is no, and the slow replay finds the line and the reason.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import UNSET

from touchline.core.errors import TouchlineError
from touchline.core.events import Moved, encode_lines
from touchline.core.fast_lane import FastLane
from touchline.core.happenings import Note
from touchline.drivers.match import announced, commitment, opened, referee_for

if TYPE_CHECKING:
    from touchline.core.events import Event
    from touchline.core.happenings import Effect
    from touchline.core.referee import Referee
    from touchline.drivers.match import MatchSpec
    from touchline.records.replay import Replay


def follows_quickly(replay: Replay, spec: MatchSpec) -> bool:
    """Return whether the events follow from the terms and from what was said; False also if in doubt."""
    begun, recorded = replay.begun, replay.events
    if commitment(spec.seed, spec.nonce) != begun.commitment:
        return False
    try:
        state = opened(spec)
        referee = referee_for(spec, state, begun.talks)
        noted: list[Event] = [announced(spec, state, begun.talks)]
        _note(noted, referee.begin(spec.refused))
        while len(noted) < len(recorded):
            _make_moves(replay, referee, noted)
            if len(noted) < len(recorded) and not _take(replay, referee, noted):
                return False
        return _same(replay, noted)
    except TouchlineError:
        return False


def _note(noted: list[Event], effects: list[Effect]) -> None:
    noted += [effect.event for effect in effects if type(effect) is Note]


def _take(replay: Replay, referee: Referee, noted: list[Event]) -> bool:
    """Give the referee the input of the next event; False if it has none, or if something else comes."""
    before = len(noted)
    event = replay.events[before]
    happening = replay.happening_of(event)
    if happening is not None:
        _note(noted, referee.take(happening))
    return len(noted) > before and type(noted[before]) is type(event)


def _make_moves(replay: Replay, referee: Referee, noted: list[Event]) -> None:
    """Make the legal moves that come next, as long as nobody has to be told about them."""
    if not referee.fresh or referee.owed:
        return
    recorded, move_of = replay.events, replay.move_of
    seats = [seat for seat in range(len(referee.names)) if seat not in referee.absent]
    lane = FastLane(referee, seats, noted.append)
    while len(noted) < len(recorded):
        event = recorded[len(noted)]
        if type(event) is not Moved or event.seat != lane.seat or event.turn != lane.turn:
            break
        if event.by != "seat" or event.fuel is not UNSET:  # only the referee compares fuel with its limit
            break
        if not lane.move(move_of(event.move), event.took, event.wire, event.raw, event.cpu):
            break
    lane.end()
    _note(noted, referee.proceed())


def _same(replay: Replay, noted: list[Event]) -> bool:
    """Return whether the referee noted these events and no others; more, if the match did not end."""
    more = len(noted) - len(replay.events)
    if replay.ended is not None and more:
        return False
    return encode_lines(noted[: len(replay.events)]) == replay.written
