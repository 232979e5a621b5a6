"""The page that `touchline serve` serves beside the players' ports: its options, and bringing it up."""

from __future__ import annotations

import webbrowser
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from touchline.bots.shared import factory
from touchline.core import registry
from touchline.core.errors import BadOptions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from touchline.core.events import Event
    from touchline.core.rules import Game
    from touchline.drivers.match import MatchSpec

USUAL = "127.0.0.1:8000"
MISSING = "there is no page: it needs aiohttp: pip install 'touchline[web]'"

OPTIONS: list[click.Parameter] = [
    click.Option(
        ["--page"], metavar="HOST:PORT",
        help=f"Where the page is; port 0 takes a free one.  [default: {USUAL}, or a free port]",
    ),
    click.Option(["--no-page"], is_flag=True, help="Serve players only."),
    click.Option(["--open", "browse"], is_flag=True, help="Open the page in a browser."),
    click.Option(
        ["--host-name"], multiple=True, metavar="NAME",
        help="What browsers call this server, where that is not an address of this machine's own.",
    ),
    click.Option(
        ["--show"], multiple=True, metavar="'GAME PLAYER PLAYER...'",
        help="Keep a table of house players going for people to watch; may be given again.",
    ),
    click.Option(
        ["--cup"], multiple=True, metavar="LEDGER",
        help="Show a tournament from its ledger, also while it is played; may be given again.",
    ),
]  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class PageOptions:
    """What was asked for on the command line."""

    page: str | None
    no_page: bool
    browse: bool
    host_name: tuple[str, ...]
    show: tuple[str, ...]
    cup: tuple[str, ...]

    def place(self, *, public: bool) -> tuple[str, int]:
        """Host and port; what strangers could reach must be meant, and must say its name."""
        host, colon, port = (self.page or USUAL).rpartition(":")
        host = host.strip("[]")
        if not colon or not host or not port.isdecimal() or int(port) > 65535:
            raise BadOptions(f"{self.page!r} is not where a page can be: HOST:PORT, as in {USUAL}")
        if host not in ("127.0.0.1", "localhost", "::1"):
            if not public:
                raise BadOptions(f"{self.page} can be reached from elsewhere: say --public if you want that")
            if not self.host_name:
                raise BadOptions("a page for others needs --host-name: what their browsers will call it")
        return host, int(port)


async def opened(
    options: PageOptions,
    *,
    public: bool,
    observers: Callable[[MatchSpec], Sequence[Callable[[Event], None]]],
    records: Sequence[Path] = (),
) -> tuple[Any, str] | None:
    """The site and its address; None if there is none to be."""
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
    site = Site(names=options.host_name, cups=_cups(options.cup), observers=observers)
    shows = [_shown(words) for words in options.show]
    try:
        url = await site.start(host, port)
    except BadOptions:
        if options.page is not None:
            raise
        url = await site.start(host, 0)  # the usual port is taken, by another of us perhaps
    site.shelve(records)
    for new in shows:
        site.show(new)
    return site, url


def announce(url: str, options: PageOptions) -> None:
    """Say where the page is, and open it if that was asked."""
    click.echo(f"the page is at {url}", err=True)
    if options.browse and not webbrowser.open(url):
        click.echo("no browser could be opened here", err=True)


def _shown(words: str) -> Any:
    """A table of house players, from `GAME PLAYER PLAYER...`."""
    from touchline.core.rules import check_seats
    from touchline.web import schema

    name, *players = words.split()
    game = registry.game(name)
    check_seats(game, len(players), BadOptions)
    seats = tuple(schema.SeatForHouse(*_player(player, name)) for player in players)
    return schema.NewTable(game=name, seats=seats, pace=1.0)


def _cups(places: Sequence[str]) -> Any:
    """The tournaments of these ledgers."""
    from touchline.cli.tournament import open_existing
    from touchline.web.live.cups import cup_sources

    with ExitStack() as stack:
        return cup_sources((place, stack.enter_context(open_existing(place))) for place in places)


def _player(word: str, game: str) -> tuple[str, dict[str, Any]]:
    """Return the name and the options of a house bot that plays this game."""
    name, options = factory.split(word)
    factory.check_game(name, game)
    return name, options


def thinker(site: Any, game: Game, word: str, seed: str) -> Any:
    """Make a house player for the server's own tables; it thinks in a worker process."""
    from touchline.web.seats import HouseSeat

    player, options = _player(word, game.name)
    return HouseSeat(site.workers, game, player, options, seed, 0.0)
