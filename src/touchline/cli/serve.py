"""`touchline serve GAME`: let players sign up from anywhere, and play."""

from __future__ import annotations

import secrets
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from touchline.cli import _terms
from touchline.cli._options import PerGame, emit, seats_of
from touchline.cli._players import bot, is_program
from touchline.cli.play import story
from touchline.errors import BadOptions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from touchline.events import Event, Result
    from touchline.match import MatchSpec
    from touchline.rules import Game


def serve(
    game: Game,
    listen: tuple[str, ...],
    seats: int | None,
    at_least: int | None,
    window: float | None,
    house: tuple[str, ...],
    tables: int | None,
    last_first: bool,
    public: bool,
    key: str | None,
    open_to_all: bool,
    per_address: int,
    patience: float,
    grace: float,
    seed: int | None,
    record: str | None,
    as_json: bool,
    **given: Any,
) -> int:
    from touchline.cli._loop import run
    from touchline.door import Listen

    places = [Listen.read(url) for url in listen or ("tcp://127.0.0.1:4500/native",)]
    key = _key(places, public=public, key=key, open_to_all=open_to_all)
    count = seats_of(game, seats)
    if count not in game.seats:
        raise BadOptions(f"{game.name} is for {game.seats[0]} to {game.seats[-1]} players, not {count}")
    if len(house) >= count:
        raise BadOptions(f"{len(house)} house players leave no seat of {count} for anybody")
    if any(is_program(word) or word == "human" for word in house):
        raise BadOptions("--house takes house players by name; programs join by `touchline join`")
    least = None if at_least is None else max(at_least - len(house), 1)
    if at_least is not None and (window is None or not game.seats[0] <= at_least <= count):
        raise BadOptions(f"--at-least is from {game.seats[0]} to {count}, and needs a --window to close")
    folder = None if record is None else Path(record)
    if folder is not None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadOptions(f"cannot make the folder {folder}: {error.strerror}") from None
    options = {
        "least": least, "window": window, "tables": tables, "last_first": last_first, "key": key,
        "most_per_address": per_address, "patience": patience, "seed": seed,
        "house": [(word, _maker(word, game.name, seed, seat)) for seat, word in enumerate(house)],
        "observers": _observers(folder), "told": _teller(as_json),
        **_terms.terms([place.dialect for place in places], **given),
    }  # fmt: skip
    return run(_serve(game, count, places, options, grace, as_json))


def _key(places: Sequence[Any], *, public: bool, key: str | None, open_to_all: bool) -> str | None:
    """What a seat needs where others than this machine can come in; None if nothing."""
    outside = [place.url(place.port) for place in places if not place.here]
    if outside and not public:
        raise BadOptions(f"{outside[0]} can be reached from elsewhere: say --public if you want that")
    if open_to_all:
        return None
    if not outside:
        return key
    if key is None:
        key = secrets.token_urlsafe(16)
        click.echo(f"a seat needs this key: {key}", err=True)
    return key


def _maker(word: str, game: str, seed: int | None, seat: int) -> Callable[[], Any]:
    """A new one for every table; where no seed is given its chance is new as well, so nobody can learn it."""
    bot(word, game, seed)  # what is wrong with it is said now
    return lambda: bot(word, game, secrets.token_hex(8) if seed is None else f"{seed} house {seat}")


def _observers(folder: Path | None) -> Callable[[int, MatchSpec], Sequence[Callable[[Event], None]]]:
    """Write every match to a file of its own, after those that are there."""
    there = (
        []
        if folder is None
        else [int(file.stem) for file in folder.glob("[0-9]*.jsonl") if file.stem.isdecimal()]
    )
    first = 1 + max(there, default=-1)

    def observers(number: int, spec: MatchSpec) -> Sequence[Callable[[Event], None]]:
        if folder is None:
            return ()
        from touchline.observers.record import recorder

        return [recorder((folder / f"{first + number:06}.jsonl").open("xb", buffering=0))]

    return observers


def _teller(as_json: bool) -> Callable[[int, MatchSpec, Result], None]:
    def told(number: int, spec: MatchSpec, result: Result) -> None:
        if as_json:
            emit({"table": number, "names": spec.names, "result": result})
        else:
            for line in story(result, spec.names):
                click.echo(f"table {number}: {line}")
        sys.stdout.flush()

    return told


async def _serve(
    game: Game, seats: int, places: Sequence[Any], options: dict[str, Any], grace: float, as_json: bool
) -> int:
    import asyncio

    from touchline.cli._loop import asked_to_stop
    from touchline.server import Server

    server, asked = Server(game, seats, **options), asked_to_stop()
    urls = [await server.listen(place) for place in places]
    if as_json:
        emit({"listening": urls})
        sys.stdout.flush()
    for url in urls:
        click.echo(f"{game.name} for {seats} at {url}", err=True)
    idle = asyncio.ensure_future(server.idle.wait())
    await asyncio.wait((asked, idle), return_when=asyncio.FIRST_COMPLETED)
    if asked.done():
        click.echo(f"stopping: running matches have {grace:g} s; once more stops at once", err=True)
    stopping = asyncio.ensure_future(server.stop(grace if asked.done() else 0))
    again = asked_to_stop()
    await asyncio.wait((stopping, again), return_when=asyncio.FIRST_COMPLETED)
    if again.done():
        await server.stop(0)
    await stopping
    idle.cancel()
    return 130 if asked.done() and asked.result() == signal.SIGINT else 0


command = PerGame(
    "serve",
    run=serve,
    params_of_run=[
        click.Option(
            ["--listen"], multiple=True, metavar="URL",
            help="tcp://HOST:PORT/DIALECT or ws://HOST:PORT/DIALECT; may be given again. Port 0 takes a "
            "free one.  [default: tcp://127.0.0.1:4500/native]",
        ),
        click.Option(["--seats"], type=click.IntRange(1), help="At a table.  [default: the fewest]"),
        click.Option(["--at-least"], type=int, help="So many are enough when the window closes."),
        click.Option(
            ["--window", "--signup-seconds"], type=click.FloatRange(0, min_open=True),
            help="Seconds after the first sign-up; then those who are there begin, if they are enough.",
        ),
        click.Option(["--house"], multiple=True, metavar="PLAYER", help="A house player at every table."),
        click.Option(["--tables"], type=click.IntRange(1), help="Stop after so many.  [default: never]"),
        click.Option(["--last-first"], is_flag=True, help="The last to sign up moves first."),
        click.Option(["--public"], is_flag=True, help="Listening beyond this machine is meant."),
        click.Option(["--key"], envvar="TOUCHLINE_KEY", help="What a seat needs then; drawn if not given."),
        click.Option(["--open", "open_to_all"], is_flag=True, help="Nobody needs a key."),
        click.Option(
            ["--per-address"], type=click.IntRange(1), default=64, show_default=True,
            help="Connections from one address that have not signed up yet.",
        ),
        click.Option(
            ["--patience"], type=click.FloatRange(0), default=30, show_default=True,
            help="Seconds that a native player may be away; its clock runs on.",
        ),
        click.Option(
            ["--grace"], type=click.FloatRange(0), default=10, show_default=True,
            help="Seconds for running matches when we are asked to stop; then they are void.",
        ),
        *_terms.OPTIONS,
        click.Option(["--seed"], type=int, help="The same start at every table: for tests."),
        click.Option(["--record"], type=click.Path(), help="Write every match to a file in this folder."),
        click.Option(["--json", "as_json"], is_flag=True, help="Print results as JSON, a line each."),
    ],
    help="Let players sign up over TCP or WebSocket, seat them, and referee their matches.",
    epilog="""\b
Examples:
  touchline serve hexapawn
  touchline serve fish --seats 4 --listen tcp://127.0.0.1:4500/fish-course \\
      --listen ws://127.0.0.1:4501/seed-001 --house random
  touchline serve labyrinth --listen tcp://127.0.0.1:4500/seed-004 --seats 6 --at-least 2 --window 60
  touchline serve hexapawn --listen tcp://0.0.0.0:4500/native --public

Players join with `touchline join`, or with a program of their own: docs/rulings.md says what each
dialect sounds like on the wire.
""",
)  # fmt: skip
