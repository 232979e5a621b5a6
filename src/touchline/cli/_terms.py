"""Conduct and limits of a match as options of a command; the rule for them is in `drivers/terms.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from touchline.core.errors import BadOptions

if TYPE_CHECKING:
    from touchline.core.clock import Limits
    from touchline.core.conduct import Conduct

SECONDS = click.FloatRange(0)
LONGEST = 1_000_000
"""Seconds that a limit may have: what can be waited for is bounded by the system."""

OPTIONS: list[click.Parameter] = [
    click.Option(
        ["--conduct"],
        help="What an offence costs: a name, or a TOML file.  [default: the dialect's that all players from "
        "outside speak; course at a mixed table]",
    ),
    click.Option(
        ["--seconds"], type=click.FloatRange(0, min_open=True),
        help="Time for a move.  [default: the dialect's that all players from outside speak, else 10]",
    ),
    click.Option(["--bank"], type=SECONDS, default=0, help="Seconds in the bank on top of it."),
    click.Option(["--increment"], type=SECONDS, default=0, help="Seconds a move adds to the bank."),
    click.Option(
        ["--set-up", "set_up"], type=SECONDS, default=10, show_default=True,
        help="Seconds until a player is ready, or has proposed a board.",
    ),
    click.Option(
        ["--goodbye"], type=SECONDS, default=1, show_default=True,
        help="Seconds in which a player may answer its last words before its line is closed.",
    ),
    click.Option(["--no-timeout"], is_flag=True, help="Nobody is ever late: for debugging."),
]  # fmt: skip


def chosen(
    conduct: str | None,
    seconds: float | None,
    bank: float,
    increment: float,
    set_up: float,
    goodbye: float,
    no_timeout: bool,
    launch: float = 10.0,
) -> dict[str, Any]:
    """Return what these options choose, as arguments of `touchline.drivers.terms.terms_of`."""
    times = (10.0 if seconds is None else seconds, bank, increment, set_up, goodbye, launch)
    return {
        "conduct": None if conduct is None else _conduct(conduct),
        "limits": _limits(*times, no_timeout=no_timeout),
        "paced": seconds is not None or no_timeout,
    }


def _conduct(word: str) -> Conduct:
    from touchline.conducts.base import conduct_of

    return conduct_of(word)


def _limits(
    seconds: float,
    bank: float,
    increment: float,
    set_up: float,
    goodbye: float,
    launch: float,
    *,
    no_timeout: bool,
) -> Limits:
    from msgspec.structs import replace

    from touchline.core.clock import UNTIMED, Clock, Limits, micros

    for number in (seconds, bank, increment, set_up, goodbye, launch):
        if not 0 <= number <= LONGEST:
            raise BadOptions(
                f"{number:g} is no time: a limit has 0 to {LONGEST:,} seconds, and --no-timeout takes it away"
            )
    ends = {"goodbye": micros(goodbye), "launch": micros(launch)}
    if no_timeout:
        return replace(UNTIMED, **ends)
    clock = Clock(micros(seconds), micros(bank), micros(increment))
    return Limits(clock=clock, set_up=micros(set_up), **ends)
