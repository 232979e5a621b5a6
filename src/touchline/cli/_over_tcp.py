"""Options and runs that the courses' commands share: servers and clients over TCP."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, TypeVar

import click

from touchline.cli._terminal import echo

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence

    from touchline.coursework.courses.clients import ClientOptions, Fate
    from touchline.coursework.courses.news import News, Tell
    from touchline.coursework.courses.signup import ServerOptions

F = TypeVar("F", bound="Callable[..., Any] | click.Command")

PORT = click.argument("port", type=click.IntRange(0, 65535))
IP = click.argument("ip", default="127.0.0.1")
NOT_RECORDED = 1


def seconds(name: str, default: float, text: str) -> Callable[[F], F]:
    return click.option(name, type=click.FloatRange(0), default=default, show_default=True, help=text)


def serving(sign_up: float, name: float, call: float, least: int, lenient: str) -> Callable[[F], F]:
    """Return a decorator that adds the options of a server."""
    options = [
        PORT,
        seconds(
            "--sign-up", sign_up, f"Seconds of a sign-up period; a second follows if fewer than {least} came."
        ),
        seconds("--name-seconds", name, "Seconds within which a connection must send its name."),
        seconds("--call-seconds", call, "Timeout of each call in seconds."),
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


def playing() -> Callable[[F], F]:
    """Return a decorator that adds the options of clients."""
    return _decorated([
        seconds("--retry", 60, "Seconds to keep trying to connect."),
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


def served(
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


def sent(
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


def stdin_bytes(what: str) -> bytes:
    from touchline.dialects.notation.json_stream import MOST_BYTES

    if sys.stdin.isatty():
        click.echo(f"reading a {what} from the terminal; end it with Ctrl-D", err=True)
    return sys.stdin.buffer.read(MOST_BYTES + 1)
