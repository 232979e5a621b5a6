"""The web page of `touchline serve`: its options, and starting it."""

from __future__ import annotations

import webbrowser
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import click

from touchline.core import registry
from touchline.core.errors import BadOptions
from touchline.transports.shared.addresses import TrustedProxies

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.core.rules import Game
    from touchline.records.record_folder import RecordFolder

USUAL = "127.0.0.1:8000"
LOCAL = ("127.0.0.1", "localhost", "::1")
MISSING = "the page needs aiohttp, which is not installed: pip install 'touchline[web]'"

OPTIONS: list[click.Parameter] = [
    click.Option(
        ["--page"], metavar="HOST:PORT",
        help=f"The address of the page; port 0 takes a free port.  [default: {USUAL}, or a free port]",
    ),
    click.Option(
        ["--host"], metavar="ADDRESS",
        help="Let others play: listen at this address of the machine, 0.0.0.0 for all of them. They need the "
        "key that is printed, or a link from the page.  [default: this machine only]",
    ),
    click.Option(
        ["--no-record"], is_flag=True,
        help="Keep no games of the page: without --record they are kept in a folder of your own, so that a "
        "restarted server goes on with them.",
    ),
    click.Option(["--no-page"], is_flag=True, help="Serve players only, without the page."),
    click.Option(["--open", "browse"], is_flag=True, help="Open the page in a browser."),
    click.Option(
        ["--host-name"], multiple=True, metavar="NAME",
        help="A host name that clients may use for this server besides its own addresses; may be repeated.",
    ),
    click.Option(
        ["--trusted-proxy"], multiple=True, metavar="ADDRESS",
        help="A proxy, or a network of proxies, that says whose connections it brings: by the PROXY protocol "
        "over TCP, by X-Forwarded-For or Forwarded elsewhere; may be repeated.",
    ),
    click.Option(
        ["--show"], multiple=True, metavar="'GAME PLAYER PLAYER...'",
        help="Play one match of these house players after another, to watch; may be repeated.",
    ),
    click.Option(
        ["--cup"], multiple=True, metavar="LEDGER",
        help="Show the tournament in this ledger, finished or running; may be repeated.",
    ),
]  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class PageOptions:
    """The options of the page on the command line."""

    page: str | None
    host: str | None
    no_record: bool
    no_page: bool
    browse: bool
    host_name: tuple[str, ...]
    trusted_proxy: tuple[str, ...]
    show: tuple[str, ...]
    cup: tuple[str, ...]

    def admits_others(self, *, public: bool) -> bool:
        """Return whether other machines may reach the page: with --public, or with --host."""
        return public or (self.host is not None and self.host not in LOCAL)

    def place(self, *, public: bool) -> tuple[str, int]:
        """Return host and port; an address beyond this machine needs --public or --host."""
        if self.host is not None:
            if self.page is not None:
                raise BadOptions("--host and --page both name an address: use --page HOST:PORT --public")
            return self.host.strip("[]"), int(USUAL.rpartition(":")[2])
        host, colon, port = (self.page or USUAL).rpartition(":")
        host = host.strip("[]")
        if not colon or not host or not port.isdecimal() or int(port) > 65535:
            raise BadOptions(f"{self.page!r} is not an address of a page: use HOST:PORT, as in {USUAL}")
        if host not in LOCAL and not public:
            raise BadOptions(f"{self.page} can be reached from other machines: allow it with --public")
        return host, int(port)


async def opened(
    options: PageOptions, *, public: bool, files: RecordFolder, key: str | None
) -> tuple[Any, str] | None:
    """Start the page and return it with its URL; None with --no-page or without aiohttp."""
    if options.no_page:
        return None
    host, port = options.place(public=public)
    try:
        from touchline.web.app import Site
    except ImportError:
        if options.page is not None or options.browse or options.show or options.cup:
            raise BadOptions(MISSING) from None
        click.echo(f"note: {MISSING}", err=True)
        return None
    files = _kept_games(files, options)
    proxies = TrustedProxies(options.trusted_proxy)
    site = Site(names=options.host_name, proxies=proxies, cups=_cups(options.cup), files=files, key=key)
    shows = [_shown(words) for words in options.show]
    url = await _started(site, host, _ports(options, port, site.left.ports))
    site.look_up_soon()
    for table in site.tables.by_id.values():
        names = ", ".join(seat.name or "open seat" for seat in table.describe().seats)
        click.echo(f"going on with table {table.id} of {table.game.name} ({names})", err=True)
    site.shelve(files.earlier())
    for new in shows:
        site.show(new)
    return site, url


def _kept_games(files: RecordFolder, options: PageOptions) -> RecordFolder:
    """Return the folder for the games of the page: that of --record, else one of the user's own."""
    from touchline.records.record_folder import RecordFolder
    from touchline.web.state_folder import MOST_RECORDS, page_folder

    if files.path is not None or options.no_record or (folder := page_folder()) is None:
        return files
    kept = RecordFolder(folder, most=MOST_RECORDS)
    kept.tidy()
    return kept


def _ports(options: PageOptions, port: int, before: Any) -> list[int]:
    """Return the ports to try: unless one was asked for, first that at which browsers know the page."""
    if options.page is not None and port:
        return [port]
    usual = [port] if options.page is not None else [port, 0]  # another `touchline serve` may have the port
    return usual if before is None else [before.page, *usual]


async def _started(site: Any, host: str, ports: Sequence[int]) -> str:
    """Start the page at the first of these ports that is free; return its URL."""
    *first, last = ports
    for port in first:
        with suppress(BadOptions):
            started: str = await site.start(host, port)
            return started
    found: str = await site.start(host, last)
    return found


def known(url: str, names: Sequence[str]) -> str:
    """Return the URL by which others reach a server that listens at `url`.

    >>> known("tcp://0.0.0.0:4500/native", ["play.example"])
    'tcp://play.example:4500/native'
    """
    from msgspec.structs import replace

    from touchline.players.address import ServerAddress
    from touchline.transports.shared.reachable import EVERYWHERE, reachable

    place = ServerAddress.read(url)
    return replace(place, host=reachable(place.host, names)).url() if place.host in EVERYWHERE else url


def announce(url: str, options: PageOptions, key: str | None) -> None:
    """Print the URL of the page, and open it in a browser with --open; a link passes the key on."""
    from touchline.transports.shared.reachable import reachable

    host, _, port = url.removeprefix("http://").rstrip("/").rpartition(":")
    if (known := reachable(host.strip("[]"), options.host_name)) != host.strip("[]"):
        url = f"http://{known}:{port}/"
    click.echo(f"the page is at {url}", err=True)
    if key is not None:
        url += f"#key={quote(key, safe='')}"
        click.echo(f"anybody may watch; to play there, open {url}", err=True)
    if options.browse and not webbrowser.open(url):
        click.echo("no browser could be opened: open the address yourself", err=True)


def _shown(words: str) -> Any:
    """Return the table of `--show 'GAME PLAYER PLAYER...'`."""
    from touchline.core.rules import check_seats
    from touchline.web import schema

    name, *players = words.split()
    game = registry.game(name)
    check_seats(game, len(players), BadOptions)
    seats = tuple(schema.SeatForHouse(*_player(player, name)) for player in players)
    return schema.NewTable(game=name, seats=seats, pace=1.0)


def _cups(places: Sequence[str]) -> Any:
    """Return the tournaments in these ledgers."""
    from touchline.cli._ledgers import open_existing
    from touchline.web.live.cups import cup_sources

    with ExitStack() as stack:
        return cup_sources((place, stack.enter_context(open_existing(place))) for place in places)


def _player(word: str, game: str) -> tuple[str, dict[str, Any]]:
    """Return the name and the options of a house bot that plays this game."""
    from touchline.bots.shared import factory

    name, options = factory.split(word)
    factory.check_game(name, game)
    return name, options


def thinker(site: Any, game: Game, word: str, seed: str) -> Any:
    """Return a house player that runs in a worker process, for the server's own tables."""
    from touchline.web.tables.seats import HouseSeat

    player, options = _player(word, game.name)
    return HouseSeat(site.workers, game, player, options, seed, 0.0)
