"""`touchline tournament run|resume|show|check|report|stop|...`: run a tournament that survives crashes."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from touchline.cli import _isolation
from touchline.cli._options import emit, json_option
from touchline.cli._terminal import echo, echo_text
from touchline.cli.main import CONTEXT
from touchline.core.errors import BadInput, BadOptions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TextIO

    from touchline.tournament.cup import Cup
    from touchline.tournament.executors.base import WorkerPool
    from touchline.tournament.ledger import Ledger, LogEntry
    from touchline.tournament.run import Run

NOT_OVER = 5
"""The exit code of a run that was stopped before the cup was over."""

CUP = click.argument("cup", type=click.Path(exists=True, dir_okay=False, path_type=Path))
LEDGER = click.argument("ledger", metavar="LEDGER")
WHY = click.option("--why", required=True, help="The reason, for the log.")
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
    context_settings=CONTEXT,
    epilog="""\b
Examples:
  touchline tournament check cup.toml
  touchline tournament run cup.toml                 the ledger is cup.db beside it
  touchline tournament show cup.db                  while it runs, or afterwards
  touchline tournament stop cup.db --why "lunch"    pause it; resume it later
  touchline tournament report cup.db --html cup.html
  touchline tournament run cup.toml --sign my.key   sign the seal at the end
  touchline verify cup.db --key my.key.pub""",
)
def command() -> None:
    """Run a tournament that survives crashes.

    A cup is a TOML file: a game, its boards, a format, entrants, conduct and clock. Results and records are
    committed to a ledger at once, so whatever crashes, running the cup again resumes it.
    """


@command.command()
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
    from touchline.tournament.ledger import open_ledger

    made = load(cup)
    place = ledger or str(cup.with_suffix(".db"))
    where["folder"] = where["folder"] or cup.parent
    with open_ledger(place) as book:
        again = f"run {cup} --ledger {place}" if made.remote else f"resume {place}"
        return _play(book, made, place, again, as_json=as_json, **where)


@command.command()
@LEDGER
@_running
@json_option
def resume(ledger: str, as_json: bool, **where: Any) -> int:
    """Resume a cup from its ledger alone.

    A cup with remote entrants is resumed by `run` with its file, because the ledger does not hold their keys.
    """
    with open_existing(ledger, readonly=False) as book:
        made = _cup(book, ledger)
        if made.remote:
            raise BadOptions(
                "the ledger does not hold the keys of remote entrants: resume with "
                f"`touchline tournament run CUP.toml --ledger {ledger}`"
            )
        where["folder"] = where["folder"] or (Path() if "://" in ledger else Path(ledger).parent)
        return _play(book, made, ledger, f"resume {ledger}", as_json=as_json, **where)


def _unpause(ledger: Ledger, name: str) -> bool:
    """Resume a paused cup; return whether it was paused."""
    stopped = ledger.spec() is not None and ledger.paused() is not None
    if stopped:
        ledger.note("go on", "", f"{name} is run again", time.time())
    return stopped


def open_existing(place: str, *, readonly: bool = True) -> Ledger:
    """Open a ledger that must exist already."""
    from touchline.tournament.ledger import open_ledger

    if "://" not in place and not Path(place).is_file():
        raise BadInput("there is no such ledger; `touchline tournament run CUP.toml` creates one", place)
    return open_ledger(place, readonly=readonly)


def _cup(ledger: Ledger, place: str) -> Cup:
    from touchline.tournament.cup import unpacked

    packed = ledger.spec()
    if packed is None:
        raise BadInput("no cup has been started in this ledger", place)
    return unpacked(packed)


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
    with CupProgress(cup, pool.slots) as live:
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
    _print_run(ledger, running, over=over, as_json=as_json)
    if not over:
        where = "" if on == "cores" or cup.remote else f" --on {on}"
        click.echo(f"not over yet; resume with: touchline tournament {again}{where}", err=True)
        return NOT_OVER
    click.echo(f"for the full report: touchline tournament report {place} --html report.html", err=True)
    return 0


def _print_run(ledger: Ledger, running: Run, *, over: bool, as_json: bool) -> None:
    """Print the standings and the hashes of a cup that has run."""
    from touchline.cli._cup_progress import evidence, print_standings
    from touchline.tournament.ratings.bradley_terry import bradley_terry
    from touchline.tournament.versions import version_marks

    cup, played = running.cup, [*running.played.values()]
    digest = running.digest or ledger.digest()
    rows, said = cup.rules().standings(cup.names, played, running.out), _evidence(ledger.log())
    if as_json:
        emit({"cup": cup.name, "over": over, "standings": rows, "games_digest": digest, **said})
        return
    print_standings(rows, bradley_terry(played, cup.names), version_marks(ledger.log()))
    for line in evidence(said["commitment"], said["salt"], digest, said["seal"], said["key"]):
        click.echo(line)


def _evidence(log: Sequence[LogEntry]) -> dict[str, Any]:
    """Return what a log says about salt and seal, for `--json`."""
    from touchline.tournament.commitment import notes_on, secrecy
    from touchline.tournament.versions import versions

    said = secrecy(log)
    return {
        "commitment": said.commitment, "salt": said.salt.hex() if said.salt else None,
        "seal": said.final.seal if said.final else None, "key": said.final.key if said.final else None,
        "notes": notes_on(log),
        "versions": {name: [one._asdict() for one in known] for name, known in versions(log).items()},
    }  # fmt: skip


def _remote_tables(cup: Cup, listen: tuple[str, ...], patience: float, tables: int | None) -> WorkerPool:
    """Listen for remote entrants, and print where; return the pool of tables at which they play."""
    from touchline.players.address import DEFAULT_ADDRESS, ServerAddress
    from touchline.tournament.remote_entrants import TABLES, Hall

    places = [ServerAddress.read(url) for url in listen] or [DEFAULT_ADDRESS]
    hall = Hall(cup, places, tables=tables or TABLES, patience=patience)
    for url in hall.urls:
        click.echo(f"remote entrants sign up at {url}", err=True)
    return hall


@command.command()
@LEDGER
@json_option
def show(ledger: str, as_json: bool) -> None:
    """Show the standings and the progress of a cup, also while it runs."""
    from touchline.cli._cup_progress import print_standings
    from touchline.tournament.ledger.base import ejected
    from touchline.tournament.ratings.bradley_terry import bradley_terry
    from touchline.tournament.report import standing_results
    from touchline.tournament.versions import FILES, version_marks

    with open_existing(ledger) as book:
        cup = _cup(book, ledger)
        standing = standing_results(book)
        counts, paused = book.counts(time.time()), book.paused()
        acts = book.log()
    rows = cup.rules().standings(cup.names, standing, ejected(acts))
    if as_json:
        shown = {"cup": cup.name, "standings": rows, "games": counts, "paused": paused, "log": acts}
        emit(shown | _evidence(acts))
        return
    echo(f"{cup.name}: {cup.game}, {cup.format}, {len(cup.entrants)} entrants")
    print_standings(rows, bradley_terry(standing, cup.names), version_marks(acts))
    click.echo(f"{counts.done} games played, {counts.claimed} running, {counts.due} due")
    if paused is not None:
        echo(f"paused: {paused}")
    for note in _evidence(acts)["notes"]:
        echo(f"note: {note}")
    for act in acts:
        if act.act != FILES:
            at = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(act.at))
            echo(f"{at} {act.act} {act.about}: {act.why}")


@command.command()
@CUP
@click.option("--games", type=click.IntRange(1), default=3, show_default=True, help="Games for each entrant.")
@_isolation.options(*_isolation.CUP_OPTIONS)
@json_option
def check(cup: Path, games: int, as_json: bool, isolation: str, allow_weak_isolation: bool) -> int:
    """Start every entrant, let it play, and report faults. The exit code is 3 if there are any."""
    from touchline.tournament.check import check_entrants
    from touchline.tournament.cup import load

    made, rows = load(cup), []
    tier = _isolation.for_cup(made, isolation, allow_weak=allow_weak_isolation)
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


@command.command()
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
    from touchline.tournament.versions import version_marks

    with open_existing(ledger) as book:
        found, marks = build_report(book), version_marks(book.log())
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
        from touchline.cli._cup_progress import print_report

        print_report(found, marks)


def _write(path: Path, write: Callable[[TextIO], object]) -> None:
    try:
        with path.open("w", encoding="utf-8", newline="") as file:
            write(file)
    except OSError as error:
        raise BadOptions(f"cannot write {path}: {error.strerror}") from None
    click.echo(f"written to {path}", err=True)


@command.command()
@LEDGER
@WHY
def stop(ledger: str, why: str) -> None:
    """Pause a cup that runs somewhere: its running games are finished, and no more are begun."""
    with open_existing(ledger, readonly=False) as book:
        _cup(book, ledger)
        book.note("pause", "", why, time.time())
    click.echo(f"paused; resume with: touchline tournament resume {ledger}")


@command.command()
@LEDGER
@click.argument("entrant")
@WHY
def eject(ledger: str, entrant: str, why: str) -> None:
    """Eject an entrant: its finished games count, the rest is played without it."""
    with open_existing(ledger, readonly=False) as book:
        cup = _cup(book, ledger)
        if entrant not in cup.names:
            raise BadOptions(f"no entrant is called {entrant!r}; there are: {', '.join(cup.names)}")
        book.note("eject", entrant, why, time.time())
    echo(f"{entrant} is out")


@command.command()
@LEDGER
@click.argument("game")
@WHY
def void(ledger: str, game: str, why: str) -> None:
    """Declare a finished game void: it is played again. The old record is kept."""
    with open_existing(ledger, readonly=False) as book:
        _cup(book, ledger)
        fresh = book.void(game, why, time.time())
    click.echo(
        f"{game} is void; it is played again when the cup runs" if fresh else f"{game} was void already"
    )
