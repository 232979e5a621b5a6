"""`touchline join URL PLAYER`: connect a player to a server."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from touchline.cli._options import emit
from touchline.cli._players import HELP, bot, command_of
from touchline.cli._terminal import echo, echo_text
from touchline.core.errors import BadOptions
from touchline.dialects import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from touchline.dialects.base import Dialect
    from touchline.players.address import ServerAddress

PAUSES = (2.0, 8.0, 20.0, 30.0, 60.0)
"""Seconds before each message that the match has not begun; the last one repeats."""


@click.command(
    epilog=f"""{HELP}

\b
Examples:
  touchline join tcp://127.0.0.1:4500/native --name ann mybot.py
  touchline join ws://127.0.0.1:4501/seed-001 --name bob random
  touchline join tcp://127.0.0.1:45678 --dialect fish-course --name cyd fish_course:depth=2
  touchline join tcp://127.0.0.1:45678/labyrinth-course --name eve riemann
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
    from touchline.core import registry

    address = _address(url, dialect)
    kind = registry.dialect(address.dialect)
    if key is not None and not kind.has_keys:
        raise BadOptions(f"{address.dialect} cannot send a key: leave out --key and TOUCHLINE_KEY")
    _check_name(name, kind)
    told = _Messages(name, retry, show, as_json, kind)
    options = {"seconds": retry, "key": key, "waiting": told.waiting, "heard": told.heard}
    _play(address, kind, who, name, seed, told, options, as_json)
    told.done()
    if stay:
        _stay(lambda: _play(address, kind, who, name, seed, told, options, as_json), told.done)
    return 0


def _address(url: str, dialect: str | None) -> ServerAddress:
    """Return the address of the server; ask for its dialect if neither the URL nor an option names it."""
    from msgspec.structs import replace

    from touchline.players.address import ServerAddress
    from touchline.transports.base import transport

    address = ServerAddress.read(url)
    if dialect is not None:
        return replace(address, dialect=dialect)
    if not transport(address.scheme).read(url.partition("://")[2]).path:
        return replace(address, dialect=_asked(address))
    return address


def _asked(address: ServerAddress) -> str:
    """Ask the person at the terminal for the server's dialect; BadOptions lists them if nobody is there."""
    from touchline.core import registry

    spoken = _dialects()
    if sys.stdin.isatty() and sys.stderr.isatty():
        click.echo(f"{address.host} does not say which dialect it speaks: {spoken}", err=True)
        chosen = click.prompt(
            "dialect",
            type=click.Choice(registry.names("dialects")),
            default=DEFAULT,
            show_choices=False,
            err=True,
        )
        return str(chosen)
    raise BadOptions(
        "which dialect does the server speak? "
        f"Add it to the address, as in {address.url()}, or use --dialect: {spoken}"
    )


def _dialects() -> str:
    """Return the dialects of each game, as a list to read."""
    from touchline.core import registry

    kinds = [registry.dialect(name) for name in registry.names("dialects")]
    everywhere = ", ".join(kind.name for kind in kinds if not kind.games)
    games = [
        f"{game}: {', '.join(kind.name for kind in kinds if game in kind.games)}"
        for game in registry.names("games")
        if any(game in kind.games for kind in kinds)
    ]
    return "; ".join((f"{everywhere} (any game)", *games))


def _check_name(name: str, kind: type[Dialect]) -> None:
    """Raise BadOptions if the dialect's own rule, or ours where it has none, does not allow a name."""
    from touchline.dialects.base import Refusal
    from touchline.server.names import problem_with

    why = None if kind.own_name_rule else problem_with(name)
    try:
        kind.read_sign_up(kind.face(None).sign_up(name)[0])
    except Refusal as refusal:
        why = why or str(refusal)
    if why is not None:
        raise BadOptions(f"no server of {kind.name} lets in --name {name!r}: {why}")


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

    def __init__(self, name: str, retry: float, show: bool, as_json: bool, kind: type[Dialect]) -> None:
        self._name, self._retry, self._show, self._as_json, self._kind = name, retry, show, as_json, kind
        self._last = b""
        self._waited = False
        self.begun = False
        """Whether the match has begun."""

    def waiting(self, why: str) -> None:
        if not self._waited:
            echo(f"cannot connect yet ({why}); retrying for {self._retry:g} s ...", err=True)
        self._waited = True

    def heard(self, frame: bytes) -> None:
        from touchline.dialects.base import Word

        self._last = frame
        self.begun = self.begun or self._kind.face.classify(frame) is not Word.WELCOME
        if self._show:
            echo(f"< {frame.decode(errors='replace')}", err=True)

    async def until_begun(self, play: Coroutine[Any, Any, None]) -> None:
        """Play a match, and say now and then that it has not begun."""
        import asyncio

        self.begun = self._waited = False
        playing = asyncio.ensure_future(play)
        since, pauses = asyncio.get_running_loop().time(), iter(PAUSES)
        try:
            while not playing.done() and not self.begun:
                await asyncio.wait((playing,), timeout=next(pauses, PAUSES[-1]))
                if not playing.done() and not self.begun:
                    passed = round(asyncio.get_running_loop().time() - since)
                    what = "to connect" if self._waited and not self._last else "for the match to begin"
                    echo(f"{self._name}: waiting {what} ({passed} s)", err=True)
            await playing
        finally:
            playing.cancel()

    def done(self) -> None:
        from touchline.dialects.base import Word

        last, face = self._last.decode(errors="replace"), self._kind.face
        expelled = face.welcomes and face.classify(self._last) is Word.REFUSAL
        if self._as_json:
            emit({"name": self._name, "last": last})
        elif expelled:
            echo(f"{self._name} was expelled: {face.reason(self._last)}")
        else:
            echo(f"{self._name}: the match is over; the last message was {last}")


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
    from touchline.players.project import resolved

    framing, who = kind.framing, resolved(who)
    if who.startswith(("process:", "wasm:")):
        from touchline.cli._output_terminal import shown_live
        from touchline.players.process import Program

        program = Program(command_of(who))
        live = shown_live(program, name)
        try:
            run(told.until_begun(lend(address, program, kind.face(None), framing, name, **options)))
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
        run(told.until_begun(join(address, face, framing, name, **options)))
    except Crashed as error:
        echo_text("the player failed:", "".join(format_exception(error.__cause__)))
        raise
