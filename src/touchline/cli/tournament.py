"""`touchline tournament run|resume|show|check|report|stop|...`: run a tournament that survives crashes."""

from __future__ import annotations

import time
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from touchline.cli import _isolation
from touchline.cli._cup_show import show
from touchline.cli._ledgers import LEDGER, cup_of, open_existing
from touchline.cli._options import emit, json_option
from touchline.cli._organiser_acts import ACTS
from touchline.cli._terminal import echo, echo_text
from touchline.cli.main import CONTEXT, Group
from touchline.core.errors import BadOptions

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

    from touchline.tournament.cup import Cup
    from touchline.tournament.executors.base import WorkerPool
    from touchline.tournament.forecast import Forecast
    from touchline.tournament.ledger import Ledger
    from touchline.tournament.run import Run

NOT_OVER = 5
"""The exit code of a run that was stopped before the cup was over."""

PAST_GAMES = 200
"""The games of earlier runs from which the pace is taken until a run has its own."""
CUP = click.argument("cup", type=click.Path(exists=True, dir_okay=False, path_type=Path))
RUNNING: list[Callable[[Any], Any]] = [
    click.option(
        "--on",
        default="cores",
        show_default=True,
        help="Where games are played: here (this process), cores, dask (a cluster on this machine), or "
        "tcp://SCHEDULER:PORT.",
    ),
    click.option("--workers", type=click.IntRange(1, 1024), help="Games at a time.  [default: the cores]"),
    click.option(
        "--listen",
        multiple=True,
        help="Where remote entrants sign up.  [default: tcp://127.0.0.1:4500/native]",
    ),
    click.option(
        "--patience",
        type=click.FloatRange(0),
        default=30,
        show_default=True,
        help="Seconds to wait for a remote entrant when its game is called.",
    ),
    click.option("--folder", type=click.Path(exists=True, file_okay=False, path_type=Path),
                 help="Where the entrants' files are.  [default: beside the cup or the ledger]"),
    click.option("--salt", metavar="HEX",
                 help="Give the secret salt, to repeat a cup. Hidden information is predictable for whoever "
                 "knows it."),
    click.option("--sign", metavar="KEY", type=click.Path(dir_okay=False),
                 help="Sign the seal at the end with the private key in this file; `touchline keys new` "
                 "makes one."),
    click.option("--accept-changes", is_flag=True,
                 help="Resume though the files of an entrant have changed: it goes on as a new version, as "
                 "every table says."),
    *_isolation.CUP_OPTIONS,
]  # fmt: skip


def _running(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(RUNNING):
        command = option(command)
    return command


@click.group(
    cls=Group,
    context_settings=CONTEXT,
    epilog="""\b
Examples:
  touchline tournament check cup.toml
  touchline tournament run cup.toml                 the ledger is cup.db beside it
  touchline tournament show cup.db                  while it runs, or afterwards
  touchline tournament pause cup.db --why "lunch"   the process waits; resume it later
  touchline tournament stop cup.db --why "night"    the process ends; resume it later
  touchline tournament report cup.db --html cup.html
  touchline tournament run cup.toml --sign my.key   sign the seal at the end
  touchline verify cup.db --key my.key.pub""",
)
def command() -> None:
    """Run a tournament that survives crashes.

    A cup is a TOML file: a game, its boards, a format, entrants, conduct and clock. Results and records are
    committed to a ledger at once, so whatever crashes, running the cup again resumes it.
    """


@command.command(
    epilog="""\b
Examples:
  touchline tournament run cup.toml                          says how long it takes, and plays it
  touchline tournament run cup.toml --workers 4 --json"""
)
@CUP
@click.option("--ledger", help="A file, or postgresql://...?cup=NAME.  [default: the cup's name with .db]")
@_running
@json_option
def run(cup: Path, ledger: str | None, as_json: bool, **where: Any) -> int:
    """Play a cup from its TOML file, or resume it.

    Ctrl-C once lets the running games finish, twice stops now; either way the cup can be resumed. The exit
    code is 0 when the cup is over and 5 when it was stopped before.
    """
    from touchline.tournament.cup import load
    from touchline.tournament.entrant_bundles import entrant_bundles
    from touchline.tournament.ledger import open_ledger

    made = load(cup, where["folder"])
    place = ledger or str(cup.with_suffix(".db"))
    where["folder"] = where["folder"] or cup.parent
    if not made.remote and "://" not in place and not Path(place).exists():
        entrant_bundles(made, where["folder"].resolve())  # a mistake in the file creates no ledger
    with open_ledger(place) as book:
        again = f"run {cup} --ledger {place}" if made.remote else f"resume {place}"
        return _play(book, made, place, again, as_json=as_json, **where)


@command.command(
    epilog="""\b
Examples:
  touchline tournament resume cup.db
  touchline tournament resume cup.db --workers 4 --json"""
)
@LEDGER
@_running
@json_option
def resume(ledger: str, as_json: bool, **where: Any) -> int:
    """Resume a cup from its ledger alone.

    A cup with remote entrants is resumed by `run` with its file, because the ledger does not hold their keys.
    """
    with open_existing(ledger, readonly=False) as book:
        made = cup_of(book, ledger)
        if made.remote:
            raise BadOptions(
                "the ledger does not hold the keys of remote entrants: resume with "
                f"`touchline tournament run CUP.toml --ledger {ledger}`"
            )
        where["folder"] = where["folder"] or (Path() if "://" in ledger else Path(ledger).parent)
        return _play(book, made, ledger, f"resume {ledger}", as_json=as_json, **where)


def _unpause(ledger: Ledger, name: str) -> bool:
    """Resume a paused or stopped cup; return whether it was paused.

    A stopped cup is taken over first: the process that was told to stop may still be finishing its games, and
    does not take the stop back.
    """
    from touchline.tournament.ledger.base import GO_ON, stopped

    if ledger.spec() is None or ledger.paused() is None:
        return False
    paused = stopped(ledger.log()) is None
    if not paused:
        ledger.take_over()
    ledger.note(GO_ON, "", f"{name} is run again", time.time())
    return paused


def _play(
    ledger: Ledger,
    cup: Cup,
    place: str,
    again: str,
    *,
    as_json: bool,
    on: str,
    workers: int | None,
    listen: tuple[str, ...],
    patience: float,
    folder: Path,
    salt: str | None,
    sign: str | None,
    accept_changes: bool,
    isolation: str,
    allow_weak_isolation: bool,
) -> int:
    from touchline.cli._cup_progress import CupProgress, stopping
    from touchline.cli._signing import signer_of
    from touchline.tournament.commitment import salt_of
    from touchline.tournament.executors.base import worker_pool
    from touchline.tournament.fleet import FleetLost
    from touchline.tournament.ledger import Conflict
    from touchline.tournament.run import Run

    fixed = None if salt is None else salt_of(salt)
    signer = signer_of(sign)
    pool = _remote_tables(cup, listen, patience, workers) if cup.remote else worker_pool(on, workers)
    click.echo(f"conduct {cup.conduct.name}", err=True)
    tier = _isolation.for_cup(cup, isolation, allow_weak=allow_weak_isolation)
    over, resumed = False, _unpause(ledger, cup.name)
    with CupProgress(cup, pool.slots, _past_seconds(ledger)) as live:
        running = Run(
            ledger, cup, pool, folder.resolve(), live.see,
            salt=fixed, signer=signer, accept_changes=accept_changes, isolation=tier,
        )  # fmt: skip
        try:
            with stopping(running, live.say):
                over = running.go()
        except Conflict:
            if not resumed:
                raise
            click.echo("the process that runs this cup resumes it", err=True)
            return 0
        except FleetLost as error:
            echo(str(error), err=True)
    live.tell_news(running)
    if running.given_up:
        echo(f"note: {len(running.given_up)} games are void, because no worker could start them", err=True)
    _print_run(ledger, running, live.ahead, over=over, as_json=as_json)
    if running.stopped is not None:
        echo(f"stopped: {running.stopped}", err=True)
    if not over:
        where = "" if on == "cores" or cup.remote else f" --on {on}"
        click.echo(f"not over yet; resume with: touchline tournament {again}{where}", err=True)
        return NOT_OVER
    click.echo(f"for the full report: touchline tournament report {place} --html report.html", err=True)
    return 0


def _past_seconds(ledger: Ledger) -> list[float]:
    """Return how long games of this cup took in earlier runs; none if the ledger is not available now."""
    from touchline.tournament.ledger import Unavailable

    try:
        return [] if ledger.spec() is None else [one.seconds for one in islice(ledger.results(), PAST_GAMES)]
    except Unavailable:
        return []


def _print_run(ledger: Ledger, running: Run, ahead: Forecast | None, *, over: bool, as_json: bool) -> None:
    """Print the standings and the hashes of a cup that has run."""
    from touchline.cli._cup_tables import evidence, evidence_in, print_standings
    from touchline.tournament.ratings.bradley_terry import bradley_terry
    from touchline.tournament.versions import version_marks

    cup, played = running.cup, [*running.played.values()]
    digest = running.digest or ledger.digest()
    rows, said = cup.rules().standings(cup.names, played, running.out), evidence_in(ledger.log())
    if as_json:
        shown = {"cup": cup.name, "over": over, "stopped": running.stopped, "forecast": ahead}
        emit({**shown, "standings": rows, "games_digest": digest, **said})
        return
    ratings = bradley_terry(played, cup.names, evidence=running.distinct.evidence)
    print_standings(rows, ratings, version_marks(ledger.log()), cup.rules().tiebreaks)
    if (note := running.distinct.note()) is not None:
        echo(f"note: {note}")
    for line in evidence(said["commitment"], said["salt"], digest, said["seal"], said["key"]):
        click.echo(line)


def _remote_tables(cup: Cup, listen: tuple[str, ...], patience: float, tables: int | None) -> WorkerPool:
    """Listen for remote entrants, and print where; return the pool of tables at which they play."""
    from touchline.players.address import DEFAULT_ADDRESS, ServerAddress
    from touchline.tournament.remote_entrants import TABLES, Hall

    places = [ServerAddress.read(url) for url in listen] or [DEFAULT_ADDRESS]
    hall = Hall(cup, places, tables=tables or TABLES, patience=patience)
    for url in hall.urls:
        click.echo(f"remote entrants sign up at {url}", err=True)
    return hall


@command.command(
    epilog="""\b
Examples:
  touchline tournament check cup.toml
  touchline tournament check cup.toml --games 10 --json"""
)
@CUP
@click.option("--games", type=click.IntRange(1), default=3, show_default=True, help="Games for each entrant.")
@_isolation.options(*_isolation.CUP_OPTIONS)
@json_option
def check(cup: Path, games: int, as_json: bool, isolation: str, allow_weak_isolation: bool) -> int:
    """Start every entrant, let it play, and report faults. The exit code is 3 if there are any."""
    from touchline.tournament.check import check_entrants
    from touchline.tournament.cup import load
    from touchline.tournament.opening_notes import opening_notes

    made, rows = load(cup), []
    tier = _isolation.for_cup(made, isolation, allow_weak=allow_weak_isolation)
    for note in opening_notes(made):
        echo(f"note: {note}", err=True)
    for row in check_entrants(made, cup.parent.resolve(), games, tier):
        rows.append(row)
        if as_json:
            continue
        if not row.games:
            echo(f"{row.entrant}: {row.notes}")
            continue
        echo(f"{row.entrant}: {row.wrong or 'ok'} ({row.games} games, slowest move {row.slowest:.3f} s)")
        if row.notes:
            echo_text(f"stderr of {row.entrant}:", row.notes)
    if as_json:
        emit(rows)
    return 3 if any(row.wrong for row in rows) else 0


@command.command(
    epilog="""\b
Examples:
  touchline tournament report cup.db                         a summary on the terminal
  touchline tournament report cup.db --html cup.html         one page: why, round by round, games to replay
  touchline tournament report cup.db --csv games.csv --export everything"""
)
@LEDGER
@click.option(
    "--html", type=click.Path(dir_okay=False, path_type=Path), help="Write one self-contained page."
)
@click.option(
    "--csv", "csv_file", type=click.Path(dir_okay=False, path_type=Path), help="Write a row for each game."
)
@click.option(
    "--export",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write everything as plain files into a new folder.",
)
@json_option
def report(ledger: str, html: Path | None, csv_file: Path | None, folder: Path | None, as_json: bool) -> None:
    """Report standings with error bars, cross table, ratings, time use, faults, and games with records."""
    from touchline.tournament.report import build_report, html_page, write_csv, write_folder

    with open_existing(ledger) as book:
        found = build_report(book)
        if html is not None:
            _write(html, lambda file: file.write(html_page(found, book)))
        if csv_file is not None:
            _write(csv_file, lambda file: write_csv(book, file))
        if folder is not None:
            count = write_folder(book, folder)
            click.echo(f"{count} games with their records in {folder}", err=True)
    if as_json:
        emit(found)
    elif html is None and csv_file is None and folder is None:
        from touchline.cli._cup_tables import print_report

        print_report(found)


def _write(path: Path, write: Callable[[TextIO], object]) -> None:
    try:
        with path.open("w", encoding="utf-8", newline="") as file:
            write(file)
    except OSError as error:
        raise BadOptions(f"cannot write {path}: {error.strerror}") from None
    click.echo(f"written to {path}", err=True)


for other in (show, *ACTS):
    command.add_command(other)
