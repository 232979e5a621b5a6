"""`touchline serve [GAME]`: accept players over the network, referee their matches, serve the web page."""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from touchline.cli import _door_options, _isolation, _terms, _web_page
from touchline.cli._options import PerGame, emit, seats_of
from touchline.cli._players import bot, is_program
from touchline.cli._port_records import PortRecords, report_failures
from touchline.cli._server_key import OPTIONS as OPTIONS_OF_KEY
from touchline.cli._server_key import server_key
from touchline.cli._signing import sign_option, signer_of
from touchline.cli._terminal import echo
from touchline.cli._web_page import PageOptions
from touchline.core.errors import BadOptions
from touchline.records.story import story
from touchline.transports.shared import descriptors

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Sequence

    from touchline.core.events import Result
    from touchline.core.rules import Game
    from touchline.drivers.match import MatchSpec
    from touchline.drivers.terms import Terms
    from touchline.records.record_folder import RecordFolder
    from touchline.sandbox.launch import Sandbox
    from touchline.server.server import Server

RETURNING = 60.0
"""Seconds after the start in which players of before a restart may ask for seats that are gone."""


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
    seats_per_address: int,
    patience: float,
    grace: float,
    launch: float,
    seed: int | None,
    record: str | None,
    sign: str | None,
    as_json: bool,
    page: str | None,
    no_page: bool,
    browse: bool,
    host_name: tuple[str, ...],
    trusted_proxy: tuple[str, ...],
    show: tuple[str, ...],
    cup: tuple[str, ...],
    isolation: str,
    **given: Any,
) -> int:
    from touchline.core.rules import check_seats
    from touchline.drivers.runner import run
    from touchline.players.address import DEFAULT_ADDRESS, ServerAddress
    from touchline.records.record_folder import RecordFolder
    from touchline.transports.base import ListenOptions
    from touchline.transports.shared.addresses import TrustedProxies

    looks = PageOptions(
        page=page, no_page=no_page, browse=browse, host_name=host_name, trusted_proxy=trusted_proxy,
        show=show, cup=cup,
    )  # fmt: skip
    looks.place(public=public)
    places = [ServerAddress.read(url) for url in listen] or [DEFAULT_ADDRESS]
    _check_places(places, public=public)
    key = server_key(public=public, key=key, open_to_all=open_to_all)
    count = seats_of(game, seats)
    check_seats(game, count, BadOptions)
    if len(house) >= count:
        raise BadOptions(f"{len(house)} house players leave no free seat at a table of {count}")
    sandbox = _sandbox(house, isolation, given["conduct"], record)
    least = _least(at_least, window, game.seats[0], count, len(house))
    files = RecordFolder(record, signer_of(sign))
    makers = [_maker(word, game, sandbox) for word in house]
    options = {
        "least": least, "window": window, "tables": tables, "last_first": last_first, "key": key,
        "most_per_address": per_address, "most_seats_per_address": seats_per_address,
        "listening": ListenOptions(TrustedProxies(trusted_proxy), host_name),
        "patience": patience, "returning": RETURNING, "seed": seed,
        "house": [*zip(house, makers, strict=True)], "isolation": sandbox.tier,
        "begun": _begun, **_terms.chosen(launch=launch, **given),
    }  # fmt: skip
    code = run(_serve(game, count, places, options, looks, files, grace, as_json, public))
    return report_failures(files, code)


def _least(at_least: int | None, window: float | None, fewest: int, count: int, house: int) -> int | None:
    """Return the number of guests that suffice when the sign-up window closes; None without a window.

    >>> _least(None, 60.0, fewest=2, count=4, house=0)
    2
    """
    if at_least is not None and (window is None or not fewest <= at_least <= count):
        raise BadOptions(f"--at-least takes {fewest} to {count}, and needs --window")
    if window is None:
        return None
    return max((fewest if at_least is None else at_least) - house, 1)


def _check_places(places: Sequence[Any], *, public: bool) -> None:
    """Raise BadOptions if others can reach the server, and that is not allowed."""
    outside = [place.url() for place in places if not place.is_local]
    if outside and not public:
        raise BadOptions(f"{outside[0]} can be reached from other machines: allow it with --public")


def _sandbox(house: tuple[str, ...], isolation: str, conduct: str | None, record: str | None) -> Sandbox:
    """Return how the programs among the house players run, and say it; they see no records."""
    from touchline.drivers.lineup import sandbox_for

    if "human" in house:
        raise BadOptions("a person is no house player: use the page, or `touchline join`")
    hidden = () if record is None else (Path(record),)
    sandbox = sandbox_for(house, isolation, _isolation.limits_of(conduct), hidden=hidden)
    _isolation.say(sandbox, house)
    return sandbox


def _maker(word: str, game: Game, sandbox: Sandbox) -> Callable[[str], Any]:
    """Return a factory of a house player, called for each table with the seed of its random numbers."""
    if is_program(word):
        from touchline.players.by_name import checked
        from touchline.players.house_program import HouseProgram

        checked(word, game)
        return lambda seed: HouseProgram(word, game, seed, sandbox)

    def make(seed: str) -> Any:
        return bot(word, game, seed)

    make("")  # report errors now, and compile kernels before the first match
    return make


def _begun(number: int, spec: MatchSpec, terms: Terms) -> None:
    echo(f"table {number}: {', '.join(spec.names)}; {terms}", err=True)


def _teller(
    as_json: bool, recorded: Callable[[int], bool | None]
) -> Callable[[int, MatchSpec, Result], None]:
    def told(number: int, spec: MatchSpec, result: Result) -> None:
        whole = recorded(number)
        if as_json:
            emit({"table": number, "names": spec.names, "result": result, "recorded": whole})
        else:
            for line in story(result, spec.names):
                echo(f"table {number}: {line}")
        sys.stdout.flush()

    return told


async def _serve(
    game: Game,
    seats: int,
    places: Sequence[Any],
    options: dict[str, Any],
    looks: PageOptions,
    files: RecordFolder,
    grace: float,
    as_json: bool,
    public: bool,
) -> int:
    from touchline.drivers.runner import asked_to_stop
    from touchline.server.server import Server

    descriptors.raise_limit()
    asked = asked_to_stop()
    page = await _web_page.opened(looks, public=public, files=files, key=options["key"])
    try:
        records = PortRecords(files, page)
        options |= {"observers": records.begin, "told": _teller(as_json, records.recorded)}
        options["house"] = _house(game, options, page)
        records.server = server = Server(game, seats, **options)
        urls = [await server.listen(place) for place in places]
        _resume(server, records, files)
        if as_json:
            emit({"listening": urls, **({} if page is None else {"page": page[1]})})
            sys.stdout.flush()
        for url in urls:
            click.echo(f"{game.name} for {seats} at {_web_page.known(url, looks.host_name)}", err=True)
        if page is not None:
            _web_page.announce(page[1], looks, options["key"])
        return await _until_stopped(server, page, asked, grace)
    finally:
        if page is not None:
            await page[0].stop()


def _resume(server: Server, records: PortRecords, files: RecordFolder) -> None:
    """Go on with the matches of these ports that were interrupted."""
    for match in files.interrupted("serve"):
        try:
            observers = records.resume(match)
        except BadOptions as error:
            click.echo(f"not resumed: {error}", err=True)
            continue
        number = server.resume(match, observers)
        click.echo(f"table {number}: going on with {match.path} ({', '.join(match.spec.names)})", err=True)


def _house(
    game: Game, options: dict[str, Any], page: tuple[Any, str] | None
) -> list[tuple[str, Callable[[str], Any]]]:
    """Return the house players; the workers of the page run slow ones."""
    from touchline.bots.shared import factory

    def elsewhere(word: str, make: Callable[[str], Any]) -> Callable[[str], Any]:
        if is_program(word):
            return make
        quick = factory.kind(word.partition(":")[0]).quick
        if page is None or quick or options["seed"] is not None:
            return make
        return lambda seed: _web_page.thinker(page[0], game, word, seed)

    return [(word, elsewhere(word, make)) for word, make in options["house"]]


async def _until_stopped(
    server: Any, page: tuple[Any, str] | None, asked: asyncio.Future[int], grace: float
) -> int:
    import asyncio

    from touchline.drivers.runner import asked_to_stop

    idle = asyncio.ensure_future(server.idle.wait())
    await asyncio.wait((asked, idle), return_when=asyncio.FIRST_COMPLETED)
    if asked.done():
        click.echo(f"stopping: running matches have {grace:g} s; Ctrl-C again stops at once", err=True)
    stopping = asyncio.ensure_future(server.stop(grace if asked.done() else 0))
    again = asked_to_stop()
    await asyncio.wait((stopping, again), return_when=asyncio.FIRST_COMPLETED)
    if again.done():
        await server.stop(0)
    await stopping
    if page is not None and asked.done() and not again.done():
        await page[0].stop(grace)
    idle.cancel()
    return 130 if asked.done() and asked.result() == signal.SIGINT else 0


def page_only(
    page: str | None, no_page: bool, browse: bool, host_name: tuple[str, ...],
    trusted_proxy: tuple[str, ...], show: tuple[str, ...], cup: tuple[str, ...], public: bool,
    key: str | None, open_to_all: bool, grace: float,
    record: str | None, sign: str | None, minutes: float | None,
) -> int:  # fmt: skip
    """Serve the page alone; people create tables of any game on it."""
    from touchline.drivers.runner import run
    from touchline.records.record_folder import RecordFolder

    looks = PageOptions(
        page=page, no_page=no_page, browse=browse, host_name=host_name, trusted_proxy=trusted_proxy,
        show=show, cup=cup,
    )  # fmt: skip
    if no_page:
        raise BadOptions("--no-page needs a game: touchline serve GAME --no-page")
    looks.place(public=public)
    key = server_key(public=public, key=key, open_to_all=open_to_all)
    files = RecordFolder(record, signer_of(sign))
    return report_failures(files, run(_serve_page(looks, files, grace, public, minutes, key)))


async def _serve_page(
    looks: PageOptions,
    files: RecordFolder,
    grace: float,
    public: bool,
    minutes: float | None,
    key: str | None,
) -> int:
    import asyncio

    from touchline.drivers.runner import asked_to_stop

    descriptors.raise_limit()
    asked = asked_to_stop()
    page = await _web_page.opened(looks, public=public, files=files, key=key)
    if page is None:
        return 2
    _web_page.announce(page[1], looks, key)
    seconds = None if minutes is None else 60 * minutes
    done, _ = await asyncio.wait({asked}, timeout=seconds)
    number = asked.result() if done else signal.SIGTERM
    again = asked_to_stop()
    stopping = asyncio.ensure_future(page[0].stop(grace))
    await asyncio.wait((stopping, again), return_when=asyncio.FIRST_COMPLETED)
    if again.done():
        stopping.cancel()
        await page[0].stop()
    return 130 if number == signal.SIGINT else 0


class Serve(PerGame):
    """A command with the games as sub-commands; without a game it serves the page alone."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, invoke_without_command=True, callback=self._alone, **kwargs)

    @staticmethod
    @click.pass_context
    def _alone(ctx: click.Context, /, **given: Any) -> int | None:
        if ctx.invoked_subcommand is None:
            return page_only(**given)
        said = [name for name in given if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE]
        if said:
            raise click.UsageError("options come after the game: touchline serve GAME OPTIONS", ctx)
        return None


_GRACE = click.Option(
    ["--grace"], type=click.FloatRange(0), default=10, show_default=True,
    help="Seconds that running matches get when the server is told to stop; then they are void.",
)  # fmt: skip
_FOR = click.Option(
    ["--for", "minutes"], type=click.FloatRange(0, min_open=True), metavar="MINUTES",
    help="Stop after this many minutes.  [default: never]",
)  # fmt: skip
_RECORD = click.Option(
    ["--record"], type=click.Path(),
    help="Write a record of each match to this folder; the page also lists the records already there. A "
    "server that was killed goes on with its matches and tables if it is started again with the same folder.",
)  # fmt: skip
_PUBLIC = click.Option(["--public"], is_flag=True, help="Allow addresses that other machines can reach.")

command = Serve(
    "serve",
    params=[*_web_page.OPTIONS, _PUBLIC, *OPTIONS_OF_KEY, _GRACE, _RECORD, sign_option(), _FOR],
    run=serve,
    params_of_run=[
        click.Option(
            ["--listen"], multiple=True, metavar="URL",
            help="Listen for players at tcp://HOST:PORT/DIALECT or ws://HOST:PORT/DIALECT; may be repeated. "
            "Port 0 takes a free port.  [default: tcp://127.0.0.1:4500/native]",
        ),
        click.Option(
            ["--seats"], type=click.IntRange(1),
            help="Seats at each table, house players included.  [default: the fewest of the game]",
        ),
        click.Option(
            ["--at-least"], type=int,
            help="Players that suffice when the window closes, house players included.  "
            "[default: the fewest of the game]",
        ),
        click.Option(
            ["--window", "--signup-seconds"], type=click.FloatRange(0, min_open=True),
            help="Seconds from the first sign-up until a table starts with --at-least players.  "
            "[default: wait until all seats are taken]",
        ),
        click.Option(
            ["--house"], multiple=True, metavar="PLAYER",
            help="A house player or a program at each table; may be repeated.",
        ),
        click.Option(
            ["--tables"], type=click.IntRange(1), help="Stop after this many tables.  [default: never]"
        ),
        click.Option(["--last-first"], is_flag=True, help="The last player to sign up moves first."),
        _PUBLIC,
        *OPTIONS_OF_KEY,
        *_door_options.OPTIONS,
        _isolation.isolation_option(),
        click.Option(
            ["--patience"], type=click.FloatRange(0), default=30, show_default=True,
            help="Seconds within which a disconnected native player may reconnect; its clock keeps running.",
        ),
        _GRACE,
        click.Option(
            ["--launch"], type=click.FloatRange(0, min_open=True), default=10, show_default=True,
            help="Seconds within which a connection must sign up.",
        ),
        *_terms.OPTIONS,
        click.Option(
            ["--seed"], type=int, help="Random seed of every table, for tests.  [default: a new one each]"
        ),
        _RECORD,
        sign_option(),
        *_web_page.OPTIONS,
        click.Option(["--json", "as_json"], is_flag=True, help="Print results as JSON, one per line."),
    ],
    help="Accept players over TCP or WebSocket, seat them, and referee their matches. A web page shows "
    "every table and lets people play. Without a game, serve the page alone.",
    epilog="""\b
Examples:
  touchline serve --open
  touchline serve --show 'fish greedy greedy' --show 'labyrinth euclid riemann'
  touchline serve --cup cup.db
  touchline serve hexapawn
  touchline serve fish --seats 4 --listen tcp://127.0.0.1:4500/fish-course \\
      --listen ws://127.0.0.1:4501/seed-001 --house random
  touchline serve labyrinth --listen tcp://127.0.0.1:4500/seed-004 --seats 6 --at-least 2 --window 60
  touchline serve hexapawn --listen tcp://0.0.0.0:4500/native --public
  touchline serve hexapawn --listen ws://127.0.0.1:4501/native --trusted-proxy 127.0.0.1 \\
      --host-name play.example

Players connect with `touchline join`, or with a client of their own: docs/dialects has a page for each
note, docs/rulings.md describes the other dialects.
""",
)  # fmt: skip
