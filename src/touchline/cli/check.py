"""`touchline check game|player`: does a game, or a program that plays one, keep its contract?"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import click

from touchline.cli._options import PerGame, emit, json_option, options_of
from touchline.cli.main import CONTEXT
from touchline.core.errors import BadOptions

if TYPE_CHECKING:
    from touchline.core.rules import Game
    from touchline.players.address import ServerAddress
    from touchline.testing.compliance import Step


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
  touchline check player --dialect seed-003 mybot.py
  touchline check player --dialect seed-001 -- ./mybot --fast
  touchline check player --dialect seed-004 --listen tcp://127.0.0.1:4500
  touchline check player --dialect seed-004 --listen tcp://127.0.0.1:0 -- ./myclient {host} {port}""",
)
@click.option("--dialect", "spoken", help="The dialect that it speaks.  [default: native]")
@click.option("--game", "name", help="The game it is asked to play.  [default: the dialect's; hexapawn]")
@click.option(
    "--seconds",
    type=click.FloatRange(0, min_open=True),
    default=5.0,
    show_default=True,
    help="How long each answer may take.",
)
@click.option(
    "--listen", metavar="URL", help="Let it connect here: tcp://HOST:PORT or ws://HOST:PORT/DIALECT."
)
@click.option(
    "--connect",
    type=click.FloatRange(0, min_open=True),
    default=60.0,
    show_default=True,
    help="How long to wait for a connection, with --listen.",
)
@json_option
@click.argument("program", nargs=-1, type=click.UNPROCESSED, metavar="[PROGRAM...]")
def player(
    spoken: str | None,
    name: str | None,
    seconds: float,
    listen: str | None,
    connect: float,
    as_json: bool,
    program: tuple[str, ...],
) -> int:
    """Put a player through nine steps in its dialect, and show what was said where one fails.

    PROGRAM is a Python file with a class that has choose(view, turn) or the methods of the dialect's note,
    or a command with its arguments, which speaks the dialect over its stdin and stdout.

    With --listen the player connects and signs up, anew for every step and twice for the last. A PROGRAM is
    then a client: it is started for every step and ended after it, and the words {host} and {port} in it
    are replaced. Port 0 takes a free one.
    """
    from touchline.drivers.runner import run

    place, spoken = _place(listen, spoken)
    if place is None and not program:
        raise click.UsageError("what is to be checked? Name a PROGRAM, or an address with --listen.")
    steps = run(_checked(place, spoken, name, program, seconds, connect, as_json))
    passed = sum(step.failure is None and step.skipped is None for step in steps)
    failed = sum(step.failure is not None for step in steps)
    if as_json:
        emit([step._asdict() for step in steps])
    else:
        click.echo(f"{passed} of {passed + failed} steps passed")
    return 4 if failed else 0


def _place(url: str | None, spoken: str | None) -> tuple[ServerAddress | None, str]:
    """Where to listen, if anywhere, and the dialect: as the URL says or the option, which must agree."""
    from msgspec.structs import replace

    from touchline.dialects import DEFAULT
    from touchline.players.address import ServerAddress

    if url is None:
        return None, spoken or DEFAULT
    place, in_url = ServerAddress.read(url), url.partition("://")[2].partition("/")[2].strip("/")
    if spoken is not None and in_url not in ("", spoken):
        raise BadOptions(f"--dialect says {spoken} and {url} says {in_url}: which is it?")
    spoken = spoken or place.dialect
    return replace(place, dialect=spoken), spoken


async def _checked(
    place: ServerAddress | None,
    spoken: str,
    name: str | None,
    program: tuple[str, ...],
    seconds: float,
    connect: float,
    as_json: bool,
) -> list[Step]:
    from touchline.core import registry
    from touchline.players.by_name import check_spoken
    from touchline.testing.compliance import check_player
    from touchline.testing.entrance import Address, Programs

    kind = registry.dialect(spoken)
    game = registry.game(name or next(iter(kind.games), "hexapawn"))
    check_spoken(spoken, game)
    told = _nothing if as_json else _tell
    if place is None:
        programs = Programs(_command(spoken, program), kind, game, seconds)
        return await check_player(programs, kind, game, seconds, told)

    def waiting(text: str) -> None:
        click.echo(f"{text}, for at most {connect:g} s", err=True)

    client = _command(spoken, ("process:" + shlex.join(program),)) if program else ()
    address = Address(place, kind, game, seconds, connect, client, waiting)
    async with address.open():
        return await check_player(address, kind, game, seconds, told)


def _command(spoken: str, program: tuple[str, ...]) -> list[str]:
    """The command that starts a program, or hosts the class in a Python file."""
    from touchline.cli._players import command_of, is_program

    if len(program) == 1 and is_program(program[0]):
        return command_of(f"{spoken}+{program[0]}")
    return command_of("process:" + shlex.join(program))


def _nothing(step: Step) -> None:
    """With --json the steps come all at once."""


def _tell(step: Step) -> None:
    verdict = "FAILED" if step.failure else step.skipped or "ok"
    click.echo(f"{step.number:>2}. {step.what}: {verdict}")
    if step.failure:
        click.echo(f"    {step.failure}")
        for line in step.talk:
            click.echo(f"      {line}")
        if step.stderr.strip():
            click.echo("    it wrote to stderr:\n" + step.stderr.strip())


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
        help="Check that a game keeps the contract of touchline.core.rules.",
        epilog="""\b
Examples:
  touchline check game fish
  touchline check game my-game --plays 20 --json""",
    )
)  # fmt: skip
