"""`touchline join URL PLAYER`: connect a player to a server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from touchline.cli._options import emit
from touchline.cli._players import HELP, bot, command_of
from touchline.cli._terminal import echo, echo_text
from touchline.core.errors import BadOptions

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.dialects.base import Dialect
    from touchline.players.address import ServerAddress


@click.command(
    epilog=f"""{HELP}

\b
Examples:
  touchline join tcp://127.0.0.1:4500/native --name ann mybot.py
  touchline join ws://127.0.0.1:4501/seed-001 --name bob random
  touchline join tcp://127.0.0.1:45678 --dialect fish-course --name cyd fish_course:depth=2
  touchline join tcp://127.0.0.1:4500/native --name me human
  touchline join tcp://127.0.0.1:4500/native --name dan --key SECRET --stay --retry 5 mybot.py""",
)
@click.argument("url")
@click.argument("who", metavar="PLAYER")
@click.option("--name", required=True, help="The name to sign up with.")
@click.option("--dialect", help="The dialect of the server, if the URL does not name it.")
@click.option(
    "--retry",
    type=click.FloatRange(0),
    default=60,
    show_default=True,
    help="Seconds to keep trying to connect.",
)
@click.option("--key", envvar="TOUCHLINE_KEY", help="The key of the organiser, if the server requires one.")
@click.option("--stay", is_flag=True, help="Play one match after another until the server accepts no more.")
@click.option("--seed", default=0, show_default=True, help="Random seed of a house player.")
@click.option("--show", is_flag=True, help="Print each frame from the server on stderr.")
@click.option("--json", "as_json", is_flag=True, help="Print the last frame as JSON.")  # fmt: skip
def command(
    url: str,
    who: str,
    name: str,
    dialect: str | None,
    retry: float,
    key: str | None,
    stay: bool,
    seed: int,
    show: bool,
    as_json: bool,
) -> int:
    """Connect a Python class, a house player, a program or yourself to a server, for one match or many.

    Retries until the server answers. A player whose connection breaks reconnects to its seat, if its dialect
    can. An entrant of a tournament stays connected until the tournament is over.
    """
    from msgspec.structs import replace

    from touchline.core import registry
    from touchline.players.address import ServerAddress

    address = ServerAddress.read(url)
    if dialect is not None:
        address = replace(address, dialect=dialect)
    kind = registry.dialect(address.dialect)
    if key is not None and not kind.has_keys:
        raise BadOptions(f"{address.dialect} cannot send a key: leave out --key and TOUCHLINE_KEY")
    told = _Messages(show, as_json)
    options = {"seconds": retry, "key": key, "waiting": told.waiting}
    _play(address, kind, who, name, seed, told, options, as_json)
    told.done(name)
    if stay:
        _stay(lambda: _play(address, kind, who, name, seed, told, options, as_json), lambda: told.done(name))
    return 0


def _stay(play: Callable[[], None], done: Callable[[], None]) -> None:
    """Play matches until the server is gone or refuses us."""
    from touchline.client.connect import Away, NotLetIn

    while True:
        try:
            play()
        except (Away, NotLetIn) as error:
            echo(f"no more matches: {error}", err=True)
            return
        done()


class _Messages:
    """Messages to the person at the terminal."""

    def __init__(self, show: bool, as_json: bool) -> None:
        self._show, self._as_json = show, as_json
        self._last = b""
        self._waited = False

    def waiting(self, why: str) -> None:
        if not self._waited:
            echo(f"cannot connect yet ({why}); retrying ...", err=True)
        self._waited = True

    def heard(self, frame: bytes) -> None:
        self._last = frame
        if self._show:
            echo(f"< {frame.decode(errors='replace')}", err=True)

    def done(self, name: str) -> None:
        last = self._last.decode(errors="replace")
        if self._as_json:
            emit({"name": name, "last": last})
        else:
            echo(f"{name}: the match is over; the last message was {last}")


def _play(
    address: ServerAddress,
    kind: type[Dialect],
    who: str,
    name: str,
    seed: int,
    told: _Messages,
    options: dict[str, Any],
    as_json: bool,
) -> None:
    from random import Random
    from traceback import format_exception

    from touchline.client.connect import Crashed
    from touchline.client.join import join
    from touchline.client.lend import lend
    from touchline.drivers.runner import run

    framing = kind.framing
    if who.startswith(("process:", "wasm:")):
        from touchline.cli._output_terminal import shown_live
        from touchline.players.process import Program

        program = Program(command_of(who))
        live = shown_live(program, name)
        try:
            run(lend(address, program, kind.face(None), framing, name, heard=told.heard, **options))
        finally:
            program.stop(0.5)
            live.end()
        return
    if who.partition(":")[0].endswith(".py"):
        from touchline.players.coroutines import CoroutinePlayer
        from touchline.players.player_class import loaded

        chosen: Any = CoroutinePlayer(loaded(who, kind.face.asked))
    else:
        games = kind.games
        chosen = bot(who, games[0] if games else None, seed, as_json=as_json)
    face = kind.face(chosen, rng=Random(seed))
    try:
        run(join(address, face, framing, name, heard=told.heard, **options))
    except Crashed as error:
        echo_text("the player failed:", "".join(format_exception(error.__cause__)))
        raise
