"""`touchline check leaks GAME|DIALECT`: can a seat learn what it may not see?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from touchline.cli._options import PerGame, emit, options_of
from touchline.cli.main import CONTEXT
from touchline.core import registry
from touchline.core.errors import BadOptions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.core.rules import Game
    from touchline.dialects.base import Dialect
    from touchline.testing.leak_report import LeakReport

USUAL = {"labyrinth": {"goals": 3}}
"""Options of games for this command: with several goals there is more to hide."""


class PerGameOrDialect(PerGame):
    """A command whose sub-commands are the games, each with its options, and the dialects."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*super().list_commands(ctx), *registry.names("dialects")]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in registry.names("dialects"):
            return super().get_command(ctx, cmd_name)

        def callback(**given: Any) -> int:
            return check_dialect(cmd_name, **given)

        about = f"The games of {cmd_name}, in this dialect alone."
        return click.Command(
            cmd_name, params=[*self._params], callback=callback, help=f"{self.help}\n\n{about}",
            short_help=about, epilog=self.epilog, context_settings=CONTEXT,
        )  # fmt: skip


def check_game(game: Game, seats: int | None, rounds: int, seed: int, as_json: bool) -> int:
    """Search a game and all dialects that speak it for leaks."""
    return _tell([(game, _found(game, seats, rounds, seed, None))], as_json)


def check_dialect(name: str, seats: int | None, rounds: int, seed: int, as_json: bool) -> int:
    """Search every game of a dialect for leaks, in this dialect alone."""
    kind = registry.dialect(name)
    games = [registry.game(game, USUAL.get(game, {})) for game in kind.games or registry.names("games")]
    if seats is not None:
        games = [game for game in games if seats in game.seats]
    if not games:
        raise BadOptions(f"no game of {name} is for {seats} players")
    return _tell([(game, _found(game, seats, rounds, seed, [kind])) for game in games], as_json)


def _found(
    game: Game, seats: int | None, rounds: int, seed: int, dialects: Sequence[type[Dialect]] | None
) -> LeakReport:
    from touchline.cli._leak_channels import FEED, PAGE_HINT
    from touchline.testing.leaks_check import find_leaks

    return find_leaks(
        game, dialects=dialects, seats=seats, rounds=rounds, seed=seed,
        state_channels=[PAGE_HINT], match_channels=[FEED],
    )  # fmt: skip


def _tell(found: list[tuple[Game, LeakReport]], as_json: bool) -> int:
    """Print the reports; exit code 4 if there is a leak."""
    if as_json:
        emit([{"options": options_of(game), **_plain(report)} for game, report in found])
    else:
        for _, report in found:
            click.echo("\n".join(_in_words(report)))
    return 4 if any(report.leaks for _, report in found) else 0


def _plain(report: LeakReport) -> dict[str, Any]:
    import msgspec

    written: dict[str, Any] = msgspec.to_builtins(report)
    return {**written, "leaks": [{**msgspec.to_builtins(leak), "text": str(leak)} for leak in report.leaks]}


def _in_words(report: LeakReport) -> list[str]:
    total = sum(report.compared.values())
    if not report.hidden and not report.leaks:
        return [f"{report.game}: it hides nothing, and every view is the state ({total} comparisons)"]
    lines = [f"{report.game}, {report.seats} seats"]
    if report.redrawn:
        lines.append(f"  the worlds differ in: {', '.join(report.redrawn)}")
    lines += [f"  {count:>6} × {channel}" for channel, count in report.compared.items()]
    lines += [f"  not checked: {what}" for what in report.not_checked]
    lines += [f"LEAK: {leak}" for leak in report.leaks]
    verdict = f"{len(report.leaks)} found" if report.leaks else "none found"
    return [*lines, f"{report.game}: leaks: {verdict}, {total} comparisons"]


command = PerGameOrDialect(
    "leaks",
    run=check_game,
    usual=USUAL,
    params_of_run=[
        click.Option(["--seats"], type=click.IntRange(1),
                     help="Players.  [default: 3, or as many as there can be]"),
        click.Option(["--rounds"], type=click.IntRange(2), default=4, show_default=True,
                     help="Rounds of each match."),
        click.Option(["--seed"], type=int, default=0, show_default=True, help="Random seed."),
        click.Option(["--json", "as_json"], is_flag=True, help="Print the findings as JSON."),
    ],
    help="Look for ways to learn what a seat may not see: play in pairs of worlds that must look the same to "
    "it, and compare every byte of views, frames, errors, hints, records and the page's feed. Exit code 4 if "
    "one differs.",
    epilog="""\b
Examples:
  touchline check leaks labyrinth
  touchline check leaks labyrinth --goals 0 --seats 2 --seed 7
  touchline check leaks seed-003 --json""",
)  # fmt: skip
