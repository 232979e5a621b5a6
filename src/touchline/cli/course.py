"""`touchline course GAME serve|clients`: the courses' servers and clients over TCP.

`touchline harness GAME xserver|xclients` are the same commands under the names that the courses gave them.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, TypeVar

import click

from touchline.cli._terminal import echo
from touchline.cli.main import CONTEXT

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence

    from touchline.coursework.courses.clients import ClientOptions, Fate
    from touchline.coursework.courses.news import News, Tell
    from touchline.coursework.courses.signup import ServerOptions

F = TypeVar("F", bound="Callable[..., Any] | click.Command")

PORT = click.argument("port", type=click.IntRange(0, 65535))
IP = click.argument("ip", default="127.0.0.1")
NOT_RECORDED = 1


def _seconds(name: str, default: float, text: str) -> Callable[[F], F]:
    return click.option(name, type=click.FloatRange(0), default=default, show_default=True, help=text)


def _serving(sign_up: float, name: float, call: float, least: int, lenient: str) -> Callable[[F], F]:
    """Return a decorator that adds the options of a server."""
    options = [
        PORT,
        _seconds(
            "--sign-up", sign_up, f"Seconds of a sign-up period; a second follows if fewer than {least} came."
        ),
        _seconds("--name-seconds", name, "Seconds within which a connection must send its name."),
        _seconds("--call-seconds", call, "Timeout of each call in seconds."),
        click.option(
            "--host", default="127.0.0.1", show_default=True,
            help="The address to listen at; 0.0.0.0 is every address of this machine.",
        ),
        click.option(
            "--record", type=click.Path(), metavar="PATH",
            help="Record every game in this new file, or in this folder (an existing one, or PATH/), "
            "for `touchline verify`.",
        ),
        click.option("--lenient", is_flag=True, help=lenient),
        click.option("--verbose", is_flag=True, help="Print every message to and from the players."),
        click.option("--json", "as_json", is_flag=True, help="Print what happens as JSON, a line per event."),
    ]  # fmt: skip
    return _decorated(options)


def _playing() -> Callable[[F], F]:
    """Return a decorator that adds the options of clients."""
    return _decorated([
        _seconds("--retry", 60, "Seconds to keep trying to connect."),
        click.option(
            "--lenient", is_flag=True,
            help="Also read colours with capital letters, and flat arguments of playing-with.",
        ),
        click.option("--verbose", is_flag=True, help="Print every call of the server."),
        click.option(
            "--json", "as_json", is_flag=True, help="Print what became of each client, and events, as JSON."
        ),
    ])  # fmt: skip


def _decorated(options: Sequence[Callable[[Any], Any]]) -> Callable[[F], F]:
    def decorate(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def _teller(as_json: bool) -> Tell:
    """Return what prints events on stderr."""
    import msgspec

    from touchline.core.printable import printable_json
    from touchline.coursework.courses.news import sentence

    def tell(news: News) -> None:
        if as_json:
            click.echo(printable_json(msgspec.json.encode(news).decode()), err=True)
        else:
            echo(sentence(news), err=True)

    return tell


def _served(
    run_it: Callable[[ServerOptions], Coroutine[Any, Any, Any]],
    given: dict[str, Any],
) -> int:
    """Run a server, print its result, and report records that failed."""
    import json

    from touchline.coursework.courses.game_records import GameRecords
    from touchline.coursework.courses.signup import ServerOptions
    from touchline.drivers.runner import run

    records = GameRecords(given["record"])
    options = ServerOptions(
        host=given["host"], lenient=given["lenient"], verbose=given["verbose"], records=records,
        tell=_teller(given["as_json"]),
    )  # fmt: skip
    try:
        result = run(run_it(options))
    finally:
        records.close()
    click.echo(json.dumps(result))
    for path, why in records.failed.items():
        echo(f"not recorded: {path}: {why}", err=True)
    return NOT_RECORDED if records.failed else 0


def _sent(
    run_it: Callable[[ClientOptions], Coroutine[Any, Any, list[Fate]]],
    lenient: bool,
    verbose: bool,
    as_json: bool,
) -> int:
    """Run clients, and print what became of each.

    Under the course's name the command prints nothing on stdout, as the courses have it.
    """
    from touchline.cli._options import emit
    from touchline.coursework.courses.clients import ClientOptions, exit_code
    from touchline.drivers.runner import run

    fates = run(run_it(ClientOptions(lenient=lenient, verbose=verbose, tell=_teller(as_json))))
    if as_json:
        emit({"players": fates})
    else:
        by_course = click.get_current_context().info_name == "xclients"
        for fate in fates:
            echo(str(fate), err=by_course)
    code = exit_code(fates)
    if code:
        echo(f"Error: none of the {len(fates)} clients played to the end", err=True)
    return code


def _stdin(what: str) -> bytes:
    from touchline.dialects.notation.json_stream import MOST_BYTES

    if sys.stdin.isatty():
        click.echo(f"reading a {what} from the terminal; end it with Ctrl-D", err=True)
    return sys.stdin.buffer.read(MOST_BYTES + 1)


LENIENT = "Also read {0}, and send messages as a player sends its own; docs/how-to/run-a-course-server.md."
BARE = "names and answers without quotes, and messages with their length in front"


def fish_serve(name: str) -> click.Command:
    """Return the server of the Fish course under a name."""

    @click.command(
        name, context_settings=CONTEXT,
        epilog=f"""\b
Examples:
  touchline {_path('fish', name)} 45678
  touchline {_path('fish', name)} 45678 --host 0.0.0.0 --record games/ --verbose
  touchline {_path('fish', name)} 45678 --lenient 2> log.txt

\b
It says on stderr who signed up, who was refused or expelled and why, and who won.
Players: touchline course fish clients 5 45678
         touchline join tcp://127.0.0.1:45678/fish-course --name ann mybot.py""",
    )  # fmt: skip
    @_serving(30, 10, 10, 5, LENIENT.format(BARE))
    def command(
        port: int, sign_up: float, name_seconds: float, call_seconds: float, **given: Any
    ) -> int:  # fmt: skip
        """Run a knock-out tournament over TCP, and print [winners, cheaters and failures], two numbers.

        5 to 10 players sign up. If fewer do there is no tournament, and [0, 0] is printed.
        """
        from touchline.coursework.courses.fish import xserver

        async def run_it(options: ServerOptions) -> tuple[int, int]:
            said = await xserver(port, sign_up=sign_up, name=name_seconds, call=call_seconds, options=options)
            return said or (0, 0)

        return _served(run_it, given)

    return command


def fish_clients(name: str) -> click.Command:
    """Return the clients of the Fish course under a name."""

    @click.command(
        name, context_settings=CONTEXT,
        epilog=f"""\b
Examples:
  touchline {_path('fish', name)} 10 45678
  touchline {_path('fish', name)} 5 45678 192.168.0.7 --depth 2 --json

{_CODES}""",
    )  # fmt: skip
    @click.argument("n", type=click.IntRange(1, 26))
    @PORT
    @IP
    @click.option(
        "--depth", type=click.IntRange(0), default=1, show_default=True,
        help="Own turns that they look ahead.",
    )  # fmt: skip
    @_playing()
    def command(n: int, port: int, ip: str, depth: int, retry: float, **given: Any) -> int:
        """Connect N house players to a server at PORT, and say what became of each."""
        from touchline.coursework.courses.fish import xclients

        return _sent(
            lambda options: xclients(n, port, ip, depth=depth, retry=retry, options=options), **given
        )

    return command


def labyrinth_serve(name: str) -> click.Command:
    """Return the server of the Labyrinth course under a name."""

    @click.command(
        name, context_settings=CONTEXT,
        epilog=f"""\b
Examples:
  touchline {_path('labyrinth', name)} 45678 < state.json
  touchline {_path('labyrinth', name)} 45678 --host 0.0.0.0 --record game.jsonl < state.json
  touchline {_path('labyrinth', name)} 45678 --sign-up 5 --verbose < state.json

\b
It says on stderr who signed up, who was refused or expelled and why, and who won.
Players: touchline course labyrinth clients 45678 < players.json
         touchline join tcp://127.0.0.1:45678/labyrinth-course --name ann riemann""",
    )  # fmt: skip
    @_serving(20, 2, 4, 2, LENIENT.format(BARE))
    def command(
        port: int, sign_up: float, name_seconds: float, call_seconds: float, **given: Any
    ) -> int:  # fmt: skip
        """Referee one game over TCP from the RefereeState on stdin, and print [winners, misbehaving].

        2 to 6 players sign up; the last to sign up moves first. If the state has fewer places, those who
        signed up first play. If fewer than 2 sign up, [[], []] is printed.
        """
        from touchline.coursework.courses.labyrinth import xserver

        state = _stdin("RefereeState")

        def run_it(options: ServerOptions) -> Coroutine[Any, Any, Any]:
            return xserver(
                port, state, sign_up=sign_up, name=name_seconds, call=call_seconds, options=options
            )

        return _served(run_it, given)

    return command


def labyrinth_clients(name: str) -> click.Command:
    """Return the clients of the Labyrinth course under a name."""

    @click.command(
        name, context_settings=CONTEXT,
        epilog=f"""\b
Examples:
  echo '[["ann", "Riemann"], ["bob", "Euclid", "takeTurn", 2]]' | touchline {_path('labyrinth', name)} 45678
  touchline {_path('labyrinth', name)} 45678 192.168.0.7 --pause 0.1 < players.json

{_CODES}""",
    )  # fmt: skip
    @PORT
    @IP
    @_seconds("--pause", 3, "Seconds between the starts of two clients.")
    @_playing()
    def command(port: int, ip: str, pause: float, retry: float, **given: Any) -> int:
        """Connect the players of the BadPlayerSpec2 on stdin to a server at PORT, in that order."""
        from touchline.coursework.courses.labyrinth import xclients

        spec = _stdin("BadPlayerSpec2")
        return _sent(
            lambda options: xclients(port, spec, ip, pause=pause, retry=retry, options=options), **given
        )

    return command


_CODES = """\b
Exit codes: 0 if at least one played to the end, 2 if none could connect,
            3 if all were refused or expelled."""


def _path(game: str, name: str) -> str:
    return f"{'harness' if name.startswith('x') else 'course'} {game} {name}"


OVER_TCP = {
    "fish": {"serve": fish_serve, "clients": fish_clients},
    "labyrinth": {"serve": labyrinth_serve, "clients": labyrinth_clients},
}
"""The makers of commands, by game and by their names here."""


@click.group(
    context_settings=CONTEXT,
    epilog="""\b
Examples:
  touchline course fish serve 45678
  touchline course fish clients 10 45678
  touchline course labyrinth serve 45678 < state.json
  touchline course labyrinth clients 45678 < players.json
  touchline serve labyrinth --listen tcp://127.0.0.1:4500/labyrinth-course   # one game after another""",
)
def command() -> None:
    """Run the server or the clients of one of the two courses, over TCP, as the courses specify them.

    `touchline harness GAME xserver|xclients` are the same under the courses' names.
    docs/how-to/run-a-course-server.md shows them step by step.
    """


for _game, _makers in OVER_TCP.items():
    _group = click.Group(
        _game,
        help=f"The server and the clients of the {_game.capitalize()} course.",
        context_settings=CONTEXT,
    )
    for _name, _make in _makers.items():
        _group.add_command(_make(_name))
    command.add_command(_group)
