"""`touchline check game|player|leaks`: check a game, or a program that plays one, against its contract."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import click

from touchline.cli import _isolation, _leaks
from touchline.cli._options import PerGame, emit, json_option, options_of
from touchline.cli._project import project_player
from touchline.cli._terminal import echo, echo_text
from touchline.cli.main import CONTEXT, Group
from touchline.core.errors import BadOptions

if TYPE_CHECKING:
    from collections.abc import Callable

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


@click.group(cls=Group, context_settings=CONTEXT)
def command() -> None:
    """Check that a game or a player keeps its contract with the referee."""


@command.command(
    context_settings={**CONTEXT, "ignore_unknown_options": True},
    epilog="""\b
Examples:
  touchline check player mybot.py
  touchline check player -- ./mybot --fast
  touchline check player --all --seconds 2 mybot.py
  touchline check player --dialect seed-003 mybot.py
  touchline check player --dialect seed-001 -- ./mybot --fast
  touchline check player --game fish mybot/
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
@click.option(
    "--set-up",
    type=click.FloatRange(0, min_open=True),
    default=10.0,
    show_default=True,
    help="Timeout of the first answer in seconds, if it is longer: it includes the start of the player.",
)
@click.option("--all", "all_steps", is_flag=True, help="Run every step, also after one that failed.")
@_isolation.options(click.option("--isolation", **_isolation.ISOLATION))
@json_option
@click.argument("program", nargs=-1, type=click.UNPROCESSED, metavar="[PROGRAM...]")
def player(
    spoken: str | None,
    name: str | None,
    seconds: float,
    listen: str | None,
    connect: float,
    set_up: float,
    all_steps: bool,
    isolation: str,
    as_json: bool,
    program: tuple[str, ...],
) -> int:
    """Put a player through nine steps in its dialect, and stop at the first that fails.

    PROGRAM is a Python file with a class that has choose(view, turn) or the methods of the dialect's note,
    or a command with its arguments, which speaks the dialect over its stdin and stdout; or a folder whose
    touchline.toml names the player and its game. Without PROGRAM it is the current folder.

    With --listen the player connects and signs up, once for each step and twice for the last one. A PROGRAM
    is then a client: it is started for each step and stopped after it, with {host} and {port} replaced in its
    arguments. Port 0 takes a free port.
    """
    from touchline.drivers.runner import run
    from touchline.sandbox.tiers import chosen

    place, spoken = _place(listen, spoken)
    if place is None:
        program, name = project_player(program, name)
    tier = chosen(isolation) if place is None else "none"  # a client needs the network
    told = _nothing if as_json else _Report(all_steps=all_steps).tell
    times = (seconds, max(seconds, set_up), connect)
    steps = run(_checked(place, spoken, name, program, times, told, tier, stop=not all_steps))
    if as_json:
        emit([step._asdict() for step in steps])
    else:
        click.echo(_summary(steps))
    return 4 if any(step.failure is not None for step in steps) else 0


def _summary(steps: list[StepResult]) -> str:
    """Return how many steps were passed, and how to run those that were not."""
    from touchline.testing.player_check import NOT_RUN

    unrun = sum(step.skipped == NOT_RUN for step in steps)
    failed = sum(step.failure is not None for step in steps)
    passed = sum(step.failure is None and step.skipped is None for step in steps)
    stopped = f"; stopped here: --all runs the other {unrun}" if unrun else ""
    return f"{passed} of {passed + failed + unrun} steps passed{stopped}"


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
    times: tuple[float, float, float],
    told: Callable[[StepResult], None],
    tier: str,
    *,
    stop: bool,
) -> list[StepResult]:
    """Run the steps; `times` are the seconds for an answer, for the first one, and for a connection."""
    from touchline.core import registry
    from touchline.players.by_name import check_spoken
    from touchline.sandbox.launch import Sandbox
    from touchline.testing.player_check import run_player_check
    from touchline.testing.player_source import Address, Programs

    kind = registry.dialect(spoken)
    game = registry.game(name or next(iter(kind.games), "hexapawn"))
    check_spoken(spoken, game)
    seconds, set_up, connect = times
    if place is None:
        command, sandbox = _command(spoken, program), Sandbox(tier=tier)
        _isolation.say_tier(tier)
        programs = Programs(command, kind, game, seconds, sandbox, set_up=set_up)
        return await run_player_check(programs, kind, game, seconds, told, stop=stop)

    def waiting(text: str) -> None:
        echo(f"{text}, for at most {connect:g} s", err=True)

    client = _command(spoken, ("process:" + shlex.join(program),)) if program else ()
    address = Address(place, kind, game, seconds, connect, client, waiting, set_up)
    async with address.open():
        return await run_player_check(address, kind, game, seconds, told, stop=stop)


def _command(spoken: str, program: tuple[str, ...]) -> list[str]:
    """Return the command that starts a program, or that hosts the class in a Python file."""
    from touchline.cli._players import command_of, is_program

    if len(program) == 1 and is_program(program[0]):
        return command_of(f"{spoken}+{program[0]}")
    return command_of("process:" + shlex.join(program))


def _nothing(step: StepResult) -> None:
    """Print nothing: with --json all steps are printed at the end."""


class _Report:
    """Prints each step, and a cause of failure once."""

    def __init__(self, *, all_steps: bool) -> None:
        self._all = all_steps
        self._told: dict[str, int] = {}
        """The causes that were told, without what was expected in their step, and the step of each."""

    def tell(self, step: StepResult) -> None:
        from touchline.testing.player_check import NOT_RUN

        if step.skipped == NOT_RUN:
            return
        echo(f"{step.number:>2}. {step.what}: {'FAILED' if step.failure else step.skipped or 'ok'}")
        if step.failure is None:
            return
        first = next((number for cause, number in self._told.items() if cause in step.failure), None)
        if first is not None:
            echo(f"    as in step {first}")
            return
        self._told[step.failure.partition(": ")[2] or step.failure] = step.number
        echo(f"    {step.failure}")
        if self._all:
            self._show(step)
        elif crash := _untold(step):
            echo(f"    the last line of its stderr: {crash}")

    def _show(self, step: StepResult) -> None:
        """Print the last frames of a step, and what the program wrote to stderr."""
        for line in step.talk:
            echo(f"      {line}")
        if step.stderr.strip():
            echo_text("    it wrote to stderr:", step.stderr, err=False)


def _untold(step: StepResult) -> str:
    """Return the last line that a program wrote to stderr, if the failure does not have it."""
    from touchline.players.crash_report import crash_of

    crash = crash_of(step.stderr)
    return "" if crash is None or crash.line in (step.failure or "") else crash.line


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
