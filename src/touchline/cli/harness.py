"""`touchline harness GAME NAME`: the courses' test harnesses, from values on stdin to a value on stdout."""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any, TypeVar

import click

from touchline.cli.main import CONTEXT
from touchline.core.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Callable

F = TypeVar("F", bound="Callable[..., Any] | click.Command")
GAMES = ("fish", "labyrinth")


class Harnesses(click.Group):
    """The harnesses of one course."""

    def _all(self) -> dict[str, Callable[[bytes], Any]]:
        found: dict[str, Callable[[bytes], Any]] = importlib.import_module(
            f"touchline.coursework.harness.{self.name}"
        ).HARNESSES
        return found

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*self._all(), *self.commands]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in self.commands:
            return self.commands[cmd_name]
        run = self._all().get(cmd_name)
        if run is None:
            return None
        return click.Command(
            cmd_name,
            callback=lambda as_json: answer(run, as_json),
            params=[
                click.Option(
                    ["--json", "as_json"],
                    is_flag=True,
                    help="Print errors as JSON on stderr; the answer is always JSON.",
                )
            ],
            help=run.__doc__,
            context_settings=CONTEXT,
        )


def answer(run: Callable[[bytes], Any], as_json: bool) -> int:
    """Read the in-values from stdin and print the out-value."""
    import json

    from touchline.dialects.notation.json_stream import MOST_BYTES

    if sys.stdin.isatty():
        click.echo("reading JSON from the terminal; end it with Ctrl-D", err=True)
    try:
        value = run(sys.stdin.buffer.read(MOST_BYTES + 1))
    except BadInput as error:
        if not as_json:
            raise
        click.echo(json.dumps({"error": str(error)}), err=True)
        return 2
    click.echo(json.dumps(value))
    return 0


PORT = click.argument("port", type=click.IntRange(0, 65535))
IP = click.argument("ip", default="127.0.0.1")


def _seconds(name: str, default: float, text: str) -> Callable[[F], F]:
    return click.option(name, type=click.FloatRange(0), default=default, show_default=True, help=text)


def _listening(port: int) -> None:
    click.echo(f"waiting for players at 127.0.0.1:{port}", err=True)


def _stdin() -> bytes:
    from touchline.dialects.notation.json_stream import MOST_BYTES

    return sys.stdin.buffer.read(MOST_BYTES + 1)


@click.command("xserver", context_settings=CONTEXT)
@PORT
@_seconds("--sign-up", 20, "Seconds of a sign-up period; a second one follows if fewer than 2 signed up.")
@_seconds("--name-seconds", 2, "Seconds within which a connection must send its name.")
@_seconds("--call-seconds", 4, "Timeout of each call in seconds.")
def labyrinth_xserver(port: int, sign_up: float, name_seconds: float, call_seconds: float) -> None:
    """Referee one game over TCP from the RefereeState on stdin, and print [winners, misbehaving]."""
    import json

    from touchline.coursework.courses.labyrinth import xserver
    from touchline.drivers.runner import run

    said = xserver(
        port, _stdin(), sign_up=sign_up, name=name_seconds, call=call_seconds, listening=_listening
    )
    click.echo(json.dumps(run(said)))


@click.command("xclients", context_settings=CONTEXT)
@PORT
@IP
@_seconds("--pause", 3, "Seconds between the starts of two clients.")
@_seconds("--retry", 60, "Seconds to keep trying to connect.")
def labyrinth_xclients(port: int, ip: str, pause: float, retry: float) -> None:
    """Connect the players of the BadPlayerSpec2 on stdin to a server, in that order."""
    from touchline.coursework.courses.labyrinth import xclients
    from touchline.drivers.runner import run

    run(xclients(port, _stdin(), ip, pause=pause, retry=retry))


@click.command("xserver", context_settings=CONTEXT)
@PORT
@_seconds("--sign-up", 30, "Seconds of a sign-up period; a second one follows if fewer than 5 signed up.")
@_seconds("--name-seconds", 10, "Seconds within which a connection must send its name.")
@_seconds("--call-seconds", 10, "Timeout of each call in seconds.")
def fish_xserver(port: int, sign_up: float, name_seconds: float, call_seconds: float) -> None:
    """Run a knock-out tournament over TCP, and print [number of winners, number of cheaters and failures].

    If fewer than 5 sign up there is no tournament, and [0, 0] is printed.
    """
    import json

    from touchline.coursework.courses.fish import xserver
    from touchline.drivers.runner import run

    counts = run(xserver(port, sign_up=sign_up, name=name_seconds, call=call_seconds, listening=_listening))
    if counts is None:
        click.echo("fewer than 5 players signed up: no tournament", err=True)
    click.echo(json.dumps(counts or (0, 0)))


@click.command("xclients", context_settings=CONTEXT)
@click.argument("n", type=click.IntRange(1, 26))
@PORT
@IP
@click.option(
    "--depth", type=click.IntRange(0), default=1, show_default=True, help="Own turns that they look ahead."
)
@_seconds("--retry", 60, "Seconds to keep trying to connect.")
def fish_xclients(n: int, port: int, ip: str, depth: int, retry: float) -> None:
    """Connect N house players to a server."""
    from touchline.coursework.courses.fish import xclients
    from touchline.drivers.runner import run

    run(xclients(n, port, ip, depth=depth, retry=retry))


OVER_TCP = {
    "fish": (fish_xserver, fish_xclients),
    "labyrinth": (labyrinth_xserver, labyrinth_xclients),
}


@click.group(
    context_settings=CONTEXT,
    epilog="""\b
Examples:
  echo '{"position": [0, 0], "board": [[1, 2, 3], [4, 0, 5]]}' | touchline harness fish xboard
  touchline harness labyrinth xgames < 1-in.json
  touchline harness fish xserver 45678 & touchline harness fish xclients 10 45678""",
)
def command() -> None:
    """Answer as the test harnesses of the two courses do: values on stdin, the answer on stdout."""


for _game in GAMES:
    _harnesses = Harnesses(
        _game, help=f"The harnesses of the {_game.capitalize()} course.", context_settings=CONTEXT
    )
    for _over_tcp in OVER_TCP[_game]:
        _harnesses.add_command(_over_tcp)
    command.add_command(_harnesses)
