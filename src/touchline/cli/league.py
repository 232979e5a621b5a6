"""`touchline league serve|submit|show|token|pause|resume|eject|rerate|verify`: a cup that never closes."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from touchline.cli import _isolation
from touchline.cli._options import emit, json_option
from touchline.cli._organiser_acts import noted
from touchline.cli._terminal import echo, echo_text
from touchline.cli.main import CONTEXT, Group
from touchline.core.errors import BadInput, BadOptions

if TYPE_CHECKING:
    from touchline.tournament.ledger import Ledger

REJECTED = 3
"""The exit code of `submit --wait` if the version was rejected."""
WRONG = 4
"""The exit code of `verify` if something is wrong."""
LEDGER = click.argument("ledger", metavar="LEDGER")
WHY = click.option("--why", required=True, help="The reason, for the log.")
TOKEN = click.option(
    "--token", envvar="TOUCHLINE_TOKEN", metavar="TOKEN",
    help="Your token; `touchline league token` makes one.  [env: TOUCHLINE_TOKEN]",
)  # fmt: skip


@click.group(
    cls=Group,
    context_settings=CONTEXT,
    epilog="""\b
Examples:
  touchline league serve league.toml                  the ledger is league.db beside it
  touchline league token league.db ann                a token for an entrant
  touchline league submit http://127.0.0.1:8000/ bot.zip --token TOKEN --wait 120
  touchline league show league.db                     the table; also: league show URL
  touchline league pause league.db --why "lunch"
  touchline league resume league.db --why "back"
  touchline league verify league.db                   replay every game
  touchline league eject league.db ann --why "left"
  touchline league rerate league.db --why "the rules were mended" """,
)
def command() -> None:
    """Run a league: a cup that never closes.

    A league is a TOML file: a game, its boards, clock, conduct and quotas. Entrants hand in versions of
    their players, each is checked in the cage, and games are chosen where they teach most about the ratings.
    Everything is in a ledger, as in a cup: whatever crashes, serving the league again resumes it.
    """


@command.command(
    epilog="""\b
Examples:
  touchline league serve league.toml --port 8000 --workers 4""",
)
@click.argument("league", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--ledger", help="A file, or postgresql://...?cup=NAME.  [default: LEAGUE with .db]")
@click.option(
    "--files",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder of handed-in files and private feedback.  [default: LEAGUE with .files]",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="The port; 0 takes a free one.",
)
@click.option("--public", is_flag=True, help="Allow an address that other machines can reach.")
@click.option(
    "--host-name",
    multiple=True,
    metavar="NAME",
    help="A host name that clients may use for this server; may be repeated.",
)
@click.option(
    "--trusted-proxy",
    multiple=True,
    metavar="ADDRESS",
    help="A proxy that says whose connections it brings; may be repeated.",
)
@click.option(
    "--on",
    default="cores",
    show_default=True,
    help="Where games are played: here, cores, dask, or tcp://SCHEDULER:PORT.",
)
@click.option("--workers", type=click.IntRange(1, 1024), help="Games at a time.  [default: the cores]")
@_isolation.options(*_isolation.CUP_OPTIONS)
@json_option
def serve(
    league: Path, ledger: str | None, files: Path | None, on: str, workers: int | None, isolation: str,
    allow_weak_isolation: bool, **where: Any,
) -> int:  # fmt: skip
    """Serve a league: take submissions, check them, and play on. Ctrl-C lets running games finish."""
    from touchline.cli._league_server import ServerOptions
    from touchline.cli._league_server import serve as run
    from touchline.league.league_file import load
    from touchline.sandbox.tiers import chosen, require_strong
    from touchline.tournament.executors.base import worker_pool

    made = load(league)
    tier = chosen(isolation)
    require_strong(tier, allow_weak=allow_weak_isolation)
    options = ServerOptions(
        ledger=ledger or str(league.with_suffix(".db")), files=files or league.with_suffix(".files"),
        folder=league.parent, isolation=tier, **where,
    )  # fmt: skip
    options.check()
    _isolation.say_tier(tier)
    return run(made, worker_pool(on, workers), options)


@command.command(
    epilog="""\b
Examples:
  touchline league submit http://127.0.0.1:8000/ mybot.py --token TOKEN --wait 120""",
)
@click.argument("url")
@click.argument("player", type=click.Path(exists=True, path_type=Path))
@TOKEN
@click.option(
    "--wait",
    "seconds",
    type=click.FloatRange(0),
    default=0,
    metavar="SECONDS",
    help="Wait so long for the verdict of the check; the exit code is 3 if it is rejected.",
)
@json_option
def submit(url: str, player: Path, token: str | None, seconds: float, as_json: bool) -> int:
    """Hand in a version of a player: a zip, a folder, a Python file or a WebAssembly module."""
    from touchline.league.client import LeagueClient, upload_of

    if not token:
        raise BadOptions("a submission needs your token: --token TOKEN, or TOUCHLINE_TOKEN")
    client = LeagueClient(url, token)
    found = client.submit(*upload_of(player))
    if found["status"] == "checking" and seconds:
        found = client.wait(found["version"], seconds)
    if as_json:
        emit(found)
    else:
        echo(f"{found['version']}: {found['status']}" + (f": {found['reason']}" if found["reason"] else ""))
        if found.get("check_stderr"):
            echo_text("stderr of its check:", found["check_stderr"], err=False)
    return REJECTED if found["status"] == "rejected" else 0


@command.command(
    epilog="""\b
Examples:
  touchline league show league.db --log
  touchline league show http://127.0.0.1:8000/ --token TOKEN""",
)
@click.argument("place", metavar="LEDGER|URL")
@TOKEN
@click.option("--log", "with_log", is_flag=True, help="Print the log of a ledger, too: verdicts and reasons.")
@json_option
def show(place: str, token: str | None, with_log: bool, as_json: bool) -> None:
    """Show the table of a league: from its ledger, or from its server.

    With a token, show your own versions on the server, with faults and stderr.
    """
    from touchline.cli import _league_table

    if not place.startswith(("http://", "https://")):
        with _open(place) as book:
            view, log = _league_table.view_of(book, place), _league_table.log_of(book) if with_log else []
        if as_json:
            emit(_league_table.with_log(view, log) if with_log else view)
            return
        _league_table.print_view(view)
        for entry in log:
            at = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(entry.at))
            echo(f"{at} {entry.act} {entry.about}: {entry.why}")
        return
    from touchline.league.client import LeagueClient

    client = LeagueClient(place, token or "")
    if token:
        own = client.versions()
        emit(own) if as_json else _league_table.print_versions(own)
        return
    seen = client.seen()
    emit(seen) if as_json else _league_table.print_view(_league_table.view_in(seen))


@command.command(
    "token",
    epilog="""\b
Examples:
  touchline league token league.db ann""",
)
@click.argument("ledger", metavar="LEDGER|LEAGUE.toml")
@click.argument("name")
@json_option
def make_token(ledger: str, name: str, as_json: bool) -> None:
    """Make a token for an entrant; its earlier token becomes invalid.

    The ledger stores a hash of it only: hand the token to the entrant now. With the league's TOML file, the
    ledger beside it is created if it is not there.
    """
    from touchline.league.opening import begin, cup_of
    from touchline.league.roster import TOKEN as MADE
    from touchline.league.roster import new_token, read_roster

    place = ledger
    if ledger.endswith(".toml"):
        from touchline.league.league_file import load
        from touchline.tournament.ledger import open_ledger

        league, place = load(Path(ledger)), str(Path(ledger).with_suffix(".db"))
        if not Path(place).exists():
            with open_ledger(place) as book:
                begin(book, league.cup)
    with _open(place, readonly=False) as book:
        roster = read_roster(cup_of(book, place), book.log(), 1)
        token, hashed = new_token(roster, name)
        book.note(MADE, hashed, name, time.time())
    if as_json:
        emit({"entrant": name, "token": token})
    else:
        click.echo(token)


@command.command(
    epilog="""\b
Examples:
  touchline league pause league.db --why "the machine is needed" """,
)
@LEDGER
@WHY
@json_option
def pause(ledger: str, why: str, as_json: bool) -> None:
    """Pause a league: running games are finished, and no more are begun. Submissions are taken."""
    _note(ledger, "pause", "", why)
    noted("pause", "", why, f"paused; resume with: touchline league resume {ledger} --why REASON", as_json)


@command.command(
    epilog="""\b
Examples:
  touchline league resume league.db --why "the machine is free" """,
)
@LEDGER
@WHY
@json_option
def resume(ledger: str, why: str, as_json: bool) -> None:
    """Resume a paused league."""
    _note(ledger, "go on", "", why)
    noted("go on", "", why, "resumed", as_json)


@command.command(
    epilog="""\b
Examples:
  touchline league eject league.db ann --why "copied from bob" """,
)
@LEDGER
@click.argument("entrant")
@WHY
@json_option
def eject(ledger: str, entrant: str, why: str, as_json: bool) -> None:
    """Eject an entrant: none of its versions plays any more, and its token is invalid. Its games count."""
    from touchline.league.opening import cup_of
    from touchline.league.roster import EJECT, read_roster

    with _open(ledger, readonly=False) as book:
        cup = cup_of(book, ledger)
        known = [name for name in read_roster(cup, book.log(), 1).entrants() if name not in cup.names]
        if entrant not in known:
            raise BadOptions(f"no entrant is called {entrant!r}; there are: {', '.join(known) or 'none'}")
        book.note(EJECT, entrant, why, time.time())
    noted(EJECT, entrant, why, f"{entrant} is out", as_json)


@command.command(
    epilog="""\b
Examples:
  touchline league rerate league.db --why "the clock was wrong"
  touchline league rerate league.db "ann v2" --why "its worker was broken" """,
)
@LEDGER
@click.argument("version", required=False)
@WHY
@json_option
def rerate(ledger: str, version: str | None, why: str, as_json: bool) -> None:
    """Begin ratings anew, of all versions or of one: games before this do not count for them any more."""
    from touchline.league.opening import cup_of
    from touchline.league.roster import RERATE, read_roster

    with _open(ledger, readonly=False) as book:
        known = read_roster(cup_of(book, ledger), book.log(), 1).versions
        if version is not None and version not in known:
            raise BadOptions(f"no version is called {version!r}: see `touchline league show {ledger}`")
        book.note(RERATE, version or "", why, time.time())
    said = f"the rating of {version} begins anew" if version else "all ratings begin anew"
    noted(RERATE, version or "", why, said, as_json)


@command.command(
    epilog="""\b
Examples:
  touchline league verify league.db""",
)
@LEDGER
@json_option
def verify(ledger: str, as_json: bool) -> int:
    """Replay every game of a league, and say what that shows. The exit code is 4 if something is wrong."""
    from touchline.league.verification import verify as verified

    with _open(ledger) as book:
        found = verified(book, ledger)
    if as_json:
        emit(found)
        return WRONG if found.wrong else 0
    for line in found.wrong:
        echo(f"wrong: {line}")
    for line in found.not_checked:
        echo(f"not checked: {line}")
    echo(f"seal {found.seal}")
    if not found.wrong:
        echo(f"verified: {found.games} games follow from their records")
    return WRONG if found.wrong else 0


def _open(place: str, *, readonly: bool = True) -> Ledger:
    """Open a ledger that must exist already."""
    from touchline.tournament.ledger import open_ledger

    if "://" not in place and not Path(place).is_file():
        raise BadInput("there is no such ledger; `touchline league serve LEAGUE.toml` creates one", place)
    return open_ledger(place, readonly=readonly)


def _note(ledger: str, act: str, about: str, why: str) -> None:
    from touchline.league.opening import cup_of

    with _open(ledger, readonly=False) as book:
        cup_of(book, ledger)
        book.note(act, about, why, time.time())
