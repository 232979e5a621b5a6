"""`touchline check game NAME`: does a game keep the contract?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from touchline.cli._options import PerGame, emit, options_of
from touchline.cli.main import CONTEXT

if TYPE_CHECKING:
    from touchline.rules import Game


def check(game: Game, plays: int, seed: int, as_json: bool) -> int:
    from touchline.testing import CheckFailed, check_game

    passed: list[str] = []

    def told(law: str) -> None:
        passed.append(law)
        if not as_json:
            click.echo(f"{len(passed):>2}. {law}: ok")

    failed = None
    try:
        check_game(game, plays=plays, seed=seed, report=told)
    except CheckFailed as failure:
        failed = str(failure)
    if as_json:
        emit({"game": game.name, "options": options_of(game), "passed": passed, "failed": failed})
    elif failed:
        click.echo(f"{game.name} breaks the contract: {failed}")
    else:
        click.echo(f"{game.name} keeps the contract")
    return 4 if failed else 0


@click.group(context_settings=CONTEXT)
def command() -> None:
    """Check that something keeps its contract with the house."""


command.add_command(
    PerGame(
        "game",
        run=check,
        params_of_run=[
            click.Option(["--plays"], type=click.IntRange(1), default=2, show_default=True,
                         help="Random games for each number of seats."),
            click.Option(["--seed"], type=int, default=0, show_default=True, help="Where chance begins."),
            click.Option(["--json", "as_json"], is_flag=True, help="Print the verdict as JSON."),
        ],
        help="Check that a game keeps the contract of touchline.rules.",
        epilog="""\b
Examples:
  touchline check game fish
  touchline check game my-game --plays 20 --json""",
    )
)  # fmt: skip
