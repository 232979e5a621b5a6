"""`touchline check game|player|leaks`: check a game, or a program that plays one, against its contract."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import click

from touchline.cli import _isolation, _leaks
from touchline.cli._options import PerGame, emit, json_option, options_of
from touchline.cli._terminal import echo, echo_text
from touchline.cli.main import CONTEXT
from touchline.core.errors import BadOptions

if TYPE_CHECKING:
    from touchline.core.rules import Game
    from touchline.players.address import ServerAddress
    from touchline.testing.player_check import StepResult


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
    """Check that a game or a player keeps its contract with the referee."""


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
@click.option("--dialect", "spoken", help="The dialect of the player.  [default: native]")
@click.option(
    "--game", "name", help="The game to play.  [default: the game of the dialect; hexapawn if it has none]"
)
@click.option(
    "--seconds",
    type=click.FloatRange(0, min_open=True),
    default=5.0,
    show_default=True,
    help="Timeout of each answer in seconds.",
)
@click.option(
    "--listen", metavar="URL", help="Listen for the player at tcp://HOST:PORT or ws://HOST:PORT/DIALECT."
)
@click.option(
    "--connect",
    type=click.FloatRange(0, min_open=True),
    default=60.0,
    show_default=True,
    help="Seconds to wait for each connection, with --listen.",
)
@_isolation.options(click.option("--isolation", **_isolation.ISOLATION))
@json_option
@click.argument("program", nargs=-1, type=click.UNPROCESSED, metavar="[PROGRAM...]")
def player(
    spoken: str | None,
    name: str | None,
    seconds: float,
    listen: str | None,
    connect: float,
    isolation: str,
    as_json: bool,
    program: tuple[str, ...],
) -> int:
    """Put a player through nine steps in its dialect, and show the last frames of a step that fails.

    PROGRAM is a Python file with a class that has choose(view, turn) or the methods of the dialect's note,
    or a command with its arguments, which speaks the dialect over its stdin and stdout.

    With --listen the player connects and signs up, once for each step and twice for the last one. A PROGRAM
    is then a client: it is started for each step and stopped after it, with {host} and {port} replaced in its
    arguments. Port 0 takes a free port.
    """
    from touchline.drivers.runner import run
    from touchline.sandbox.tiers import chosen

    place, spoken = _place(listen, spoken)
    if place is None and not program:
        raise click.UsageError("there is no player to check: name a PROGRAM, or an address with --listen.")
    tier = chosen(isolation) if place is None else "none"  # a client needs the network
    steps = run(_checked(place, spoken, name, program, seconds, connect, as_json, tier))
    passed = sum(step.failure is None and step.skipped is None for step in steps)
    failed = sum(step.failure is not None for step in steps)
    if as_json:
        emit([step._asdict() for step in steps])
    else:
        click.echo(f"{passed} of {passed + failed} steps passed")
    return 4 if failed else 0


def _place(url: str | None, spoken: str | None) -> tuple[ServerAddress | None, str]:
    """Return the address to listen at, if any, and the dialect; URL and option must not contradict."""
    from msgspec.structs import replace

    from touchline.dialects import DEFAULT
    from touchline.players.address import ServerAddress

    if url is None:
        return None, spoken or DEFAULT
    place, in_url = ServerAddress.read(url), url.partition("://")[2].partition("/")[2].strip("/")
    if spoken is not None and in_url not in ("", spoken):
        raise BadOptions(f"--dialect says {spoken}, but {url} says {in_url}: remove one of them")
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
    tier: str,
) -> list[StepResult]:
    from touchline.core import registry
    from touchline.players.by_name import check_spoken
    from touchline.sandbox.launch import Sandbox
    from touchline.testing.player_check import run_player_check
    from touchline.testing.player_source import Address, Programs

    kind = registry.dialect(spoken)
    game = registry.game(name or next(iter(kind.games), "hexapawn"))
    check_spoken(spoken, game)
    told = _nothing if as_json else _tell
    if place is None:
        _isolation.say_tier(tier)
        programs = Programs(_command(spoken, program), kind, game, seconds, Sandbox(tier=tier))
        return await run_player_check(programs, kind, game, seconds, told)

    def waiting(text: str) -> None:
        echo(f"{text}, for at most {connect:g} s", err=True)

    client = _command(spoken, ("process:" + shlex.join(program),)) if program else ()
    address = Address(place, kind, game, seconds, connect, client, waiting)
    async with address.open():
        return await run_player_check(address, kind, game, seconds, told)


def _command(spoken: str, program: tuple[str, ...]) -> list[str]:
    """Return the command that starts a program, or that hosts the class in a Python file."""
    from touchline.cli._players import command_of, is_program

    if len(program) == 1 and is_program(program[0]):
        return command_of(f"{spoken}+{program[0]}")
    return command_of("process:" + shlex.join(program))


def _nothing(step: StepResult) -> None:
    """Print nothing: with --json all steps are printed at the end."""


def _tell(step: StepResult) -> None:
    verdict = "FAILED" if step.failure else step.skipped or "ok"
    echo(f"{step.number:>2}. {step.what}: {verdict}")
    if step.failure:
        echo(f"    {step.failure}")
        for line in step.talk:
            echo(f"      {line}")
        if step.stderr.strip():
            echo_text("    it wrote to stderr:", step.stderr, err=False)


command.add_command(
    PerGame(
        "game",
        run=check,
        params_of_run=[
            click.Option(["--plays"], type=click.IntRange(1), default=2, show_default=True,
                         help="Random games for each number of seats."),
            click.Option(["--seed"], type=int, default=0, show_default=True, help="Random seed."),
            click.Option(["--json", "as_json"], is_flag=True, help="Print the verdict as JSON."),
        ],
        help="Check that a game keeps the contract of touchline.core.rules.",
        epilog="""\b
Examples:
  touchline check game fish
  touchline check game hexapawn --plays 20 --json""",
    )
)  # fmt: skip
command.add_command(_leaks.command)
