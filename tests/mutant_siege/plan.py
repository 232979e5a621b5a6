"""Divide a siege into units, and run one of them."""

from __future__ import annotations

import signal
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from dialects.mutant_moments import SETTINGS
from mutant_siege import courses, decoders, live_seats, page
from mutant_siege.units import Outcome, Unit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

DOORS = {"tcp": 0.45, "ws": 0.45, "pipes": 0.03, "page": 0.06, "courses": 0.01}
"""The share of each door in the messages at live seats: less where a message costs more."""
SIZES = {"decoders": 20_000, "tcp": 1_000, "ws": 1_000, "pipes": 200, "page": 1_000, "courses": 100}
"""Messages in a unit: a few seconds of work."""
WAYS: dict[str, Callable[[Unit], Outcome]] = {
    "decoders": decoders.run,
    "tcp": live_seats.run,
    "ws": live_seats.run,
    "pipes": live_seats.run,
    "page": page.run,
    "courses": courses.run,
}
UNIT_SECONDS = 900
"""Seconds after which a unit hangs."""
COURSES = tuple(
    place for place, setting in enumerate(SETTINGS) if setting.dialect in {"fish-course", "labyrinth-course"}
)


def settings_at(where: str) -> Sequence[int]:
    """Return the settings that a door has, as places in SETTINGS; the page has words of its own."""
    return {"courses": COURSES, "page": (0,)}.get(where, range(len(SETTINGS)))


def units(where: str, messages: int, seed: str) -> Iterator[Unit]:
    """Return the units of a decoder or door, the settings in turn."""
    places, number = settings_at(where), 0
    while messages > 0:
        some = min(messages, SIZES[where])
        yield Unit(where, places[number % len(places)], number // len(places), some, seed)
        messages, number = messages - some, number + 1


def plan(messages: int, live: int, seed: str, doors: Sequence[str] = tuple(DOORS)) -> list[Unit]:
    """Return all units of a siege, decoders and doors mixed, so that its parts cost about the same."""
    rows, whole = [units("decoders", messages, seed)], sum(DOORS[door] for door in doors)
    rows += [units(door, round(live * DOORS[door] / whole), seed) for door in doors]
    return [unit for some in zip_longest(*rows) for unit in some if unit is not None]


def run(unit: Unit) -> Outcome:
    """Run a unit."""
    return WAYS[unit.where](unit)


def guarded(unit: Unit) -> Outcome:
    """Run a unit; whatever it raises is a failure, and so is taking too long."""

    def hangs(number: int, frame: Any) -> None:
        raise TimeoutError(f"not done after {UNIT_SECONDS} s")

    signal.signal(signal.SIGALRM, hangs)
    signal.alarm(UNIT_SECONDS)
    try:
        return run(unit)
    except Exception as error:
        outcome = Outcome(unit.where)
        outcome.fail(unit, f"{type(error).__name__}: {error}")
        return outcome
    finally:
        signal.alarm(0)
