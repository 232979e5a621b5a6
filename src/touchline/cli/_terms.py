"""Command-line options for the conduct and the time limits of a match; `drivers/terms.py` applies them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from touchline.core.errors import BadOptions

if TYPE_CHECKING:
    from touchline.core.clock import Limits
    from touchline.core.conduct import Conduct

SECONDS = click.FloatRange(0)
LONGEST = 1_000_000
"""Longest limit in seconds; the system's timers are bounded."""

OPTIONS: list[click.Parameter] = [
    click.Option(
        ["--conduct"],
        help="The sanctions for offences: the name of a conduct, or a TOML file.  [default: that of the "
        "dialect, if all players but house players speak one; else course]",
    ),
    click.Option(
        ["--seconds"], type=click.FloatRange(0, min_open=True),
        help="Seconds for a move.  [default: those of the dialect, if all players but house players speak "
        "one; else 10]",
    ),
    click.Option(
        ["--bank"], type=SECONDS, default=0, show_default=True,
        help="Seconds of a time bank, used when a move takes longer than --seconds.",
    ),
    click.Option(
        ["--increment"], type=SECONDS, default=0, show_default=True,
        help="Seconds that each move adds to the time bank.",
    ),
    click.Option(
        ["--set-up", "set_up"], type=SECONDS, default=10, show_default=True,
        help="Seconds within which a player must be ready, or propose a board.",
    ),
    click.Option(
        ["--goodbye"], type=SECONDS, default=1, show_default=True,
        help="Seconds that a player has to answer the last messages before its connection is closed.",
    ),
    click.Option(["--no-timeout"], is_flag=True, help="Disable all time limits, for debugging."),
]  # fmt: skip


class FuelParam(click.ParamType[int]):
    """A limit of fuel on the command line: 5M."""

    name = "fuel"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        from touchline.core.fuel import fuel_of

        try:
            return fuel_of(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)


def fuel_option() -> click.Option:
    """Return the option for the fuel of a move, of commands that start players themselves."""
    return click.Option(
        ["--fuel"], type=FuelParam(), metavar="N",
        help="Fuel for a move of a WebAssembly player (wasm:FILE): instructions, as in 5M. The same limit on "
        "every machine, and a record proves who was late.  [default: no limit but the time]",
    )  # fmt: skip


def chosen(
    conduct: str | None,
    seconds: float | None,
    bank: float,
    increment: float,
    set_up: float,
    goodbye: float,
    no_timeout: bool,
    launch: float = 10.0,
    fuel: int | None = None,
) -> dict[str, Any]:
    """Return these options as arguments of `touchline.drivers.terms.terms_of`."""
    from msgspec.structs import replace

    times = (10.0 if seconds is None else seconds, bank, increment, set_up, goodbye, launch)
    limits = _limits(*times, no_timeout=no_timeout)
    return {
        "conduct": None if conduct is None else _conduct(conduct),
        "limits": limits if fuel is None else replace(limits, fuel=fuel),
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
                f"{number:g} is not a time limit: use 0 to {LONGEST:,} seconds, or --no-timeout for none"
            )
    ends: dict[str, Any] = {"goodbye": micros(goodbye), "launch": micros(launch)}
    if no_timeout:
        return replace(UNTIMED, **ends)
    clock = Clock(micros(seconds), micros(bank), micros(increment))
    return Limits(clock=clock, set_up=micros(set_up), **ends)
