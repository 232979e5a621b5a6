"""What a request for a new table asks for: its chairs, its terms and its pace.

Rule of this file: names are checked here, whoever brings them; house players are found by a worker.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec import UnsetType

from touchline.core.clock import UNTIMED, Clock, Limits, micros
from touchline.core.errors import BadOptions
from touchline.core.registry import CONDUCTS
from touchline.dialects import DEFAULT
from touchline.drivers.terms import terms_of
from touchline.server.names import problem_with, skeleton
from touchline.web import schema
from touchline.web.tables.chair import Chair

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.core.conduct import Conduct
    from touchline.drivers.terms import Terms
    from touchline.web.workers.table_jobs import HousePlayer

PACE, PACE_WITH_PEOPLE = 0.5, 0.7
"""Seconds of a house player's move at least: people want to see whose move it is before it is made."""


def check_name(name: str, others: Sequence[str | None]) -> None:
    """Raise BadOptions if a name is not allowed, or looks like another at the table."""
    why = problem_with(name)
    if why is not None:
        raise BadOptions(why)
    if any(other is not None and skeleton(other) == skeleton(name) for other in others):
        raise BadOptions(f"the name {name} is taken at this table")


# -- chairs -------------------------------------------------------------------------------------------


def chairs_of(new: schema.NewTable) -> list[Chair]:
    """Make the chairs of a new table; house players are seated later."""
    chairs: list[Chair] = []
    for number, seat in enumerate(new.seats):
        names = [chair.name for chair in chairs]
        match seat:
            case schema.SeatForMe(name):
                check_name(name, names)
                chairs.append(Chair(number, "me", name))
            case schema.SeatForHouse():
                chairs.append(Chair(number, "house"))
            case schema.SeatForAnyone():
                chairs.append(Chair(number, "open"))
            case schema.SeatForProgram():
                chairs.append(Chair(number, "remote"))
    return chairs


def house_seats(new: schema.NewTable) -> tuple[schema.SeatForHouse, ...]:
    """Return the seats of house players. BadOptions unless each names either a level or a player."""
    seats = tuple(seat for seat in new.seats if isinstance(seat, schema.SeatForHouse))
    for seat in seats:
        if (seat.player is None) == (seat.level is None) or (seat.level is not None and seat.options):
            raise BadOptions("a seat of kind house has either a level, or a player with its options")
    return seats


def seat_house_players(chairs: Sequence[Chair], players: Sequence[HousePlayer]) -> None:
    """Seat house players, in their order; those whose name is taken are numbered."""
    found = iter(players)
    for chair in chairs:
        if chair.kind == "house":
            chair.seat_house_player(next(found), [other.name for other in chairs])


# -- terms and pace -----------------------------------------------------------------------------------


def terms_for(new: schema.NewTable, set_up: float) -> Terms:
    """Return the terms of the match; `set_up` is how many seconds players may take to get ready."""
    spoken = [None if isinstance(seat, schema.SeatForHouse) else DEFAULT for seat in new.seats]
    return terms_of(spoken, conduct=_conduct(new), limits=_limits(_clock(new), set_up), paced=True)


def _conduct(new: schema.NewTable) -> Conduct | None:
    """Return the chosen conduct; people who choose none get one that skips late turns, if the game can."""
    if new.conduct is not None:
        return CONDUCTS[new.conduct]
    return CONDUCTS["friendly"] if _of_people(new) else None


def _limits(clock: schema.ClockTerms | None, set_up: float) -> Limits:
    if clock is None:
        return msgspec.structs.replace(UNTIMED, set_up=micros(set_up))
    terms = Clock(micros(clock.seconds), micros(clock.bank), micros(clock.increment))
    return Limits(set_up=micros(set_up), clock=terms)


def _clock(new: schema.NewTable) -> schema.ClockTerms | None:
    if isinstance(new.clock, UnsetType):
        return None if _of_people(new) else schema.ClockTerms()
    return new.clock


def _of_people(new: schema.NewTable) -> bool:
    """Return whether people play, and nobody but them and house players."""
    kinds = {type(seat) for seat in new.seats}
    return schema.SeatForProgram not in kinds and kinds != {schema.SeatForHouse}


def pace_of(new: schema.NewTable) -> float:
    """Return the seconds that a house player's move takes at least."""
    if new.pace is not None:
        return new.pace
    return PACE_WITH_PEOPLE if _of_people(new) else PACE
