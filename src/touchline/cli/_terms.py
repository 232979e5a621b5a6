"""The terms of a match on the command line: conduct and clock, with the defaults of the dialect in use."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from touchline import registry
from touchline.errors import BadInput, BadOptions

if TYPE_CHECKING:
    from collections.abc import Collection

    from touchline.clock import Limits
    from touchline.conduct import Conduct

SECONDS = click.FloatRange(0)

OPTIONS: list[click.Parameter] = [
    click.Option(
        ["--conduct"],
        help="What an offence costs: a name, or a TOML file.  [default: the dialect's, else course]",
    ),
    click.Option(
        ["--seconds"], type=click.FloatRange(0, min_open=True),
        help="Time for a move.  [default: the dialect's, else 10]",
    ),
    click.Option(["--bank"], type=SECONDS, default=0, help="Seconds in the bank on top of it."),
    click.Option(["--increment"], type=SECONDS, default=0, help="Seconds a move adds to the bank."),
    click.Option(["--no-timeout"], is_flag=True, help="Nobody is ever late: for debugging."),
]  # fmt: skip


def terms(
    spoken: Collection[str],
    conduct: str | None,
    seconds: float | None,
    bank: float,
    increment: float,
    no_timeout: bool,
) -> dict[str, Any]:
    """Conduct and limits. Where everybody speaks one dialect its own are the default, else the course's."""
    only = registry.dialect(next(iter(spoken))).DIALECT if len(set(spoken)) == 1 else None
    if seconds is None:
        seconds = 10.0 if only is None else only.per_move / 1e6
    return {
        "conduct": _conduct(conduct or ("course" if only is None else only.conduct)),
        "limits": _limits(seconds, bank, increment, no_timeout),
    }


def _conduct(word: str) -> Conduct:
    from touchline.conduct import CONDUCTS, read

    if word in CONDUCTS:
        return CONDUCTS[word]
    path = Path(word)
    if not path.is_file():
        raise BadOptions(
            f"no conduct is called {word!r} (there are: {', '.join(CONDUCTS)}), and no such file"
        )
    try:
        return read(path.read_text(), word)
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(str(error), word) from None


def _limits(seconds: float, bank: float, increment: float, no_timeout: bool) -> Limits:
    from touchline.clock import UNTIMED, Clock, Limits, micros

    if no_timeout:
        return UNTIMED
    for number in (seconds, bank, increment):
        if not math.isfinite(number):
            raise BadOptions(f"{number} is no time; --no-timeout is for as long as they like")
    return Limits(clock=Clock(micros(seconds), micros(bank), micros(increment)))
