"""Options for the isolation of programs, and the line that says which tier is in force."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from touchline.sandbox.launch import Sandbox
    from touchline.sandbox.limits import ProgramLimits
    from touchline.tournament.cup import Cup

TIERS = ("auto", "A", "B", "C", "none")
ISOLATION: dict[str, Any] = {
    "type": click.Choice(TIERS, case_sensitive=False),
    "default": "auto",
    "show_default": True,
    "help": "The cage of programs: A (bubblewrap), B (Landlock), C (limits only), none; auto takes the best "
    "that works.",
}
CUP_OPTIONS: list[Callable[[Any], Any]] = [
    click.option("--isolation", **ISOLATION),
    click.option(
        "--allow-weak-isolation", is_flag=True,
        help="Run programs of untrusted entrants although neither A nor B works here.",
    ),
]  # fmt: skip


def options(*given: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a decorator that adds these options to a command."""

    def decorate(command: Any) -> Any:
        for option in reversed(given):
            command = option(command)
        return command

    return decorate


def isolation_option() -> click.Option:
    """Return the option `--isolation`."""
    return click.Option(["--isolation"], **ISOLATION)


def ponder_option() -> click.Option:
    """Return the option `--ponder`."""
    return click.Option(
        ["--ponder"], type=click.Choice(("yes", "no")), default="yes", show_default=True,
        help="Whether programs may think in the turns of others; if not, they are frozen.",
    )  # fmt: skip


def limits_of(conduct: str | None) -> ProgramLimits:
    """Return what programs may use: as the file of the conduct says, if it is one; else the default."""
    from pathlib import Path

    from touchline.sandbox.limits import DEFAULT, limits_beside

    return DEFAULT if conduct is None else limits_beside(Path(conduct))


def say_tier(tier: str) -> None:
    """Say on stderr which tier of isolation programs run in."""
    from touchline.sandbox.tiers import STRONG, WHAT, problem

    line = f"isolation {tier}: {WHAT[tier]}"
    if tier not in STRONG and (why := problem("A")):
        line += f" (A does not work here: {why})"
    click.echo(line, err=True)


def say(sandbox: Sandbox, words: Sequence[str]) -> None:
    """Say which tier is in force, if one of the players is a program."""
    from touchline.players.by_name import is_program

    if any(map(is_program, words)):
        say_tier(sandbox.tier)


def for_cup(cup: Cup, asked: str, *, allow_weak: bool) -> str:
    """Return the tier for the programs of a cup, and say it. BadOptions if it is too weak for strangers."""
    from touchline.players.by_name import is_program
    from touchline.sandbox.tiers import chosen, require_strong

    if not any(is_program(entrant.player) for entrant in cup.entrants):
        return "none"
    tier = chosen(asked)
    if cup.untrusted:
        require_strong(tier, allow_weak=allow_weak)
    say_tier(tier)
    return tier
