"""`touchline check game|player`: does a game, or a program that plays one, keep its contract?"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import click

from touchline.cli._options import PerGame, emit, json_option, options_of
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


@command.command(
    context_settings={**CONTEXT, "ignore_unknown_options": True},
    epilog="""\b
Examples:
  touchline check player mybot.py
  touchline check player --game hexapawn -- ./mybot --fast""",
)
@click.option("--game", "name", default="hexapawn", show_default=True, help="The game it is asked to play.")
@click.option(
    "--seconds",
    type=click.FloatRange(0, min_open=True),
    default=5.0,
    show_default=True,
    help="How long each answer may take.",
)
@json_option
@click.argument("program", nargs=-1, required=True, type=click.UNPROCESSED, metavar="PROGRAM...")
def player(name: str, seconds: float, as_json: bool, program: tuple[str, ...]) -> int:
    """Put a program through its paces in the native dialect, and show what was said where a step fails.

    PROGRAM is a Python file with a class that has choose(view, turn), or a command with its arguments.
    """
    from touchline import registry
    from touchline.cli._players import command_of, is_program
    from touchline.testing.compliance import check_player

    single = len(program) == 1 and is_program(program[0])
    words = command_of(program[0]) if single else command_of("process:" + shlex.join(program))
    steps = []
    for step in check_player(words, registry.game(name), seconds):
        steps.append(step)
        if as_json:
            continue
        click.echo(f"{step.number:>2}. {step.what}: {'FAILED' if step.failure else 'ok'}")
        if step.failure:
            click.echo(f"    {step.failure}")
            for line in step.talk:
                click.echo(f"      {line}")
            if step.stderr.strip():
                click.echo("    it wrote to stderr:\n" + step.stderr.strip())
    failed = sum(step.failure is not None for step in steps)
    if as_json:
        emit([step._asdict() for step in steps])
    else:
        click.echo(f"{len(steps) - failed} of {len(steps)} steps passed")
    return 4 if failed else 0


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
