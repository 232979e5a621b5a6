"""`touchline harness GAME NAME`: the courses' test harnesses, from values on stdin to a value on stdout."""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

import click

from touchline.cli.course import OVER_TCP
from touchline.cli.main import CONTEXT, Group
from touchline.core.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Callable

GAMES = ("fish", "labyrinth")


class Harnesses(Group):
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
            epilog=f"\b\nExamples:\n  touchline harness {self.name} {cmd_name} < 1-in.json",
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


@click.group(
    cls=Group,
    context_settings=CONTEXT,
    epilog="""\b
Examples:
  echo '{"position": [0, 0], "board": [[1, 2, 3], [4, 0, 5]]}' | touchline harness fish xboard
  touchline harness labyrinth xgames < 1-in.json
  touchline harness fish xserver 45678 & touchline harness fish xclients 10 45678""",
)
def command() -> None:
    """Answer as the test harnesses of the two courses do: values on stdin, the answer on stdout.

    `xserver` and `xclients` play over TCP; `touchline course` has the same commands.
    """


for _game in GAMES:
    _harnesses = Harnesses(
        _game, help=f"The harnesses of the {_game.capitalize()} course.", context_settings=CONTEXT
    )
    for _name, _make in OVER_TCP[_game].items():
        _harnesses.add_command(_make(f"x{_name}".replace("xserve", "xserver")))
    command.add_command(_harnesses)
