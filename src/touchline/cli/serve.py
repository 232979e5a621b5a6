"""`touchline serve [GAME]`: accept players over the network, referee their matches, serve the web page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.core import ParameterSource

from touchline.cli import _door_options, _isolation, _terms, _web_page
from touchline.cli._options import PerGame, seats_of
from touchline.cli._page_server import page_only
from touchline.cli._players import bot, is_program
from touchline.cli._port_records import report_failures
from touchline.cli._port_server import PortServer
from touchline.cli._server_key import OPTIONS as OPTIONS_OF_KEY
from touchline.cli._server_key import server_key
from touchline.cli._signing import sign_option, signer_of
from touchline.cli._web_page import PageOptions
from touchline.core.errors import BadOptions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from touchline.core.rules import Game
    from touchline.players.address import ServerAddress
    from touchline.sandbox.launch import Sandbox

RETURNING = 60.0
"""Seconds after the start in which players of before a restart may ask for seats that are gone."""
TERMS = ("conduct", "seconds", "bank", "increment", "set_up", "goodbye", "no_timeout", "launch")
"""The options of `_terms.chosen`."""


def serve(game: Game, **given: Any) -> int:
    """Serve a game with the options of the command line; return the exit code."""
    from touchline.drivers.runner import run
    from touchline.records.record_folder import RecordFolder
    from touchline.transports.base import ListenOptions
    from touchline.transports.shared.addresses import TrustedProxies

    public, house = given["public"], given["house"]
    looks = PageOptions(**{name: given[name] for name in PageOptions.__dataclass_fields__})
    looks.place(public=public)
    places = _places(given["listen"], given["dialect"], public=public)
    others = looks.admits_others(public=public)
    key = server_key(public=others, key=given["key"], open_to_all=given["open_to_all"])
    table = _table(game, places, given)
    sandbox = _sandbox(house, given["isolation"], given["conduct"], given["record"])
    files = RecordFolder(given["record"], signer_of(given["sign"]))
    options = {
        "least": table.least, "window": table.window, "last_first": table.last_first,
        "tables": given["tables"], "key": key, "most_per_address": given["per_address"],
        "most_seats_per_address": given["seats_per_address"],
        "listening": ListenOptions(TrustedProxies(given["trusted_proxy"]), given["host_name"]),
        "patience": given["patience"], "returning": RETURNING, "seed": given["seed"],
        "house": [(word, _maker(word, game, sandbox)) for word in house], "isolation": sandbox.tier,
        **_terms.chosen(**{name: given[name] for name in TERMS}),
    }  # fmt: skip
    server = PortServer(
        game=game, seats=table.seats, places=places, options=options, looks=looks, files=files,
        grace=given["grace"], minutes=given["minutes"], as_json=given["as_json"], public=public,
    )  # fmt: skip
    return report_failures(files, run(server.run()))


class SignUpRule(NamedTuple):
    """How players come to a table."""

    seats: int
    least: int | None
    """Guests that suffice when the window closes; None without a window."""
    window: float | None
    last_first: bool


def _table(game: Game, places: Sequence[ServerAddress], given: dict[str, Any]) -> SignUpRule:
    """Return how players come to a table: as the options say, else as the dialect's course has it."""
    from touchline.core import registry
    from touchline.core.rules import check_seats

    asked = {name: given[name] for name in ("seats", "at_least", "window", "last_first")}
    courses = {registry.dialect(place.dialect).course_sign_up for place in places}
    if len(courses) == 1 and (course := courses.pop()) and not any(map(bool, asked.values())):
        asked = course._asdict()
    count, house = seats_of(game, asked["seats"]), len(given["house"])
    check_seats(game, count, BadOptions)
    if house >= count:
        raise BadOptions(f"{house} house players leave no free seat at a table of {count}")
    least = _least(asked["at_least"], asked["window"], game.seats[0], count, house)
    return SignUpRule(count, least, asked["window"], bool(asked["last_first"]))


def _places(listen: tuple[str, ...], dialect: str | None, *, public: bool) -> list[ServerAddress]:
    """Return the addresses to listen at; BadOptions if others can reach one, and that is not allowed."""
    from msgspec.structs import replace

    from touchline.players.address import DEFAULT_ADDRESS, ServerAddress

    if listen and dialect is not None:
        raise BadOptions("--dialect is for the default address; with --listen, the URL names the dialect")
    usual = DEFAULT_ADDRESS if dialect is None else replace(DEFAULT_ADDRESS, dialect=dialect)
    places = [ServerAddress.read(url) for url in listen] or [usual]
    outside = [place.url() for place in places if not place.is_local]
    if outside and not public:
        raise BadOptions(f"{outside[0]} can be reached from other machines: allow it with --public")
    return places


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


class Serve(PerGame):
    """A command with the games as sub-commands; without a game it serves the page alone."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, invoke_without_command=True, callback=self._alone, **kwargs)

    @staticmethod
    @click.pass_context
    def _alone(ctx: click.Context, /, **given: Any) -> int | None:
        if ctx.invoked_subcommand is None:
            return page_only(**given)
        # Options before the game count as if they stood behind it.
        said = [name for name in given if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE]
        ctx.default_map = {ctx.invoked_subcommand: {name: given[name] for name in said}}
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
            ["--dialect"],
            help="The dialect at the default address, instead of --listen. With labyrinth-course the sign-up "
            "is that of its course: 2 to 6 players in 20 s, and the last to sign up moves first.",
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
        _FOR,
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
  touchline serve labyrinth --dialect labyrinth-course
  touchline serve fish --dialect fish-course --seats 4
  touchline serve fish --seats 4 --listen tcp://127.0.0.1:4500/fish-course \\
      --listen ws://127.0.0.1:4501/seed-001 --house random
  touchline serve labyrinth --listen tcp://127.0.0.1:4500/seed-004 --seats 6 --at-least 2 --window 60
  touchline serve hexapawn --listen tcp://0.0.0.0:4500/native --public
  touchline serve hexapawn --listen ws://127.0.0.1:4501/native --trusted-proxy 127.0.0.1 \\
      --host-name play.example

The tournament of the Fish course, and a game of the Labyrinth course from a given state, are
`touchline course fish serve` and `touchline course labyrinth serve`.

Players connect with `touchline join`, or with a client of their own: docs/dialects has a page for each
note, docs/rulings.md describes the other dialects.
""",
)  # fmt: skip
