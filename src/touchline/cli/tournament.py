"""`touchline tournament run|resume|show|check|report|stop|...`: hold a tournament, and lose nothing of it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from touchline.cli._options import emit, json_option
from touchline.cli.main import CONTEXT
from touchline.core.errors import BadInput, BadOptions

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

    from touchline.tournament.cup import Cup
    from touchline.tournament.ledger import Ledger

NOT_OVER = 5
"""The exit code of a run that was stopped before the end."""

CUP = click.argument("cup", type=click.Path(exists=True, dir_okay=False, path_type=Path))
LEDGER = click.argument("ledger", metavar="LEDGER")
WHY = click.option("--why", required=True, help="The reason; it stays in the log.")
RUNNING: list[Callable[[Any], Any]] = [
    click.option(
        "--on",
        default="cores",
        show_default=True,
        help="Where games are played: here (this process), cores, dask (a cluster on this machine), or "
        "tcp://SCHEDULER:PORT.",
    ),
    click.option("--workers", type=click.IntRange(1, 1024), help="So many at once.  [default: the cores]"),
    click.option(
        "--listen",
        multiple=True,
        help="Where remote entrants come in.  [default: tcp://127.0.0.1:4500/native]",
    ),
    click.option(
        "--patience",
        type=click.FloatRange(0),
        default=30,
        show_default=True,
        help="Seconds in which a remote entrant must come when its game is called.",
    ),
    click.option("--folder", type=click.Path(exists=True, file_okay=False, path_type=Path),
                 help="Where the entrants' files are.  [default: beside the cup or the ledger]"),
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
  touchline tournament stop cup.db --why "lunch"    and resume it later
  touchline tournament report cup.db --html cup.html
  touchline verify cup.db""",
)
def command() -> None:
    """Hold a tournament that survives anything.

    A cup is a TOML file: a game, its boards, a format, entrants, conduct and clock. Results and records are
    committed to a ledger as they come, so that whatever dies, running it again goes on where it was.
    """


@command.command()
@CUP
@click.option("--ledger", help="A file, or postgresql://...?cup=NAME.  [default: the cup's name with .db]")
@_running
@json_option
def run(cup: Path, ledger: str | None, as_json: bool, **where: Any) -> int:
    """Play a cup from its TOML file, or go on with it.

    Ctrl-C once lets the running games finish, twice stops now; either way it can be gone on with. The exit
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
    """Go on with a cup from its ledger alone.

    A cup with remote entrants is gone on with by `run` and its file, for the ledger does not know their keys.
    """
    with opened(ledger, readonly=False) as book:
        made = _cup(book, ledger)
        if made.remote:
            raise BadOptions(
                f"the ledger does not know the keys of remote entrants: go on with "
                f"`touchline tournament run CUP.toml --ledger {ledger}`"
            )
        where["folder"] = where["folder"] or (Path() if "://" in ledger else Path(ledger).parent)
        return _play(book, made, ledger, f"resume {ledger}", as_json=as_json, **where)


def _go_on(ledger: Ledger, name: str) -> bool:
    """Whoever runs a cup that was stopped wants it to go on; whether it had been stopped."""
    stopped = ledger.spec() is not None and ledger.paused() is not None
    if stopped:
        ledger.note("go on", "", f"{name} is run again", time.time())
    return stopped


def opened(place: str, *, readonly: bool = True) -> Any:
    from touchline.tournament.ledger import open_ledger

    if "://" not in place and not Path(place).is_file():
        raise BadInput("there is no such ledger; `touchline tournament run CUP.toml` makes one", place)
    return open_ledger(place, readonly=readonly)


def _cup(ledger: Ledger, place: str) -> Cup:
    from touchline.tournament.cup import unpacked

    packed = ledger.spec()
    if packed is None:
        raise BadInput("no cup has been begun in this ledger", place)
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
) -> int:
    from touchline.cli._cup_progress import Live, stopping, table_of
    from touchline.tournament.executors import engine
    from touchline.tournament.ledger import Conflict
    from touchline.tournament.ratings.bradley_terry import bradley_terry
    from touchline.tournament.run import Run

    chosen = _hall(cup, listen, patience, workers) if cup.remote else engine(on, workers)
    for url in getattr(chosen, "urls", ()):
        click.echo(f"remote entrants come in at {url}", err=True)
    click.echo(f"conduct {cup.conduct.name}", err=True)
    over, resumed = False, _go_on(ledger, cup.name)
    with Live(cup, chosen.slots) as live:
        running = Run(ledger, cup, chosen, folder.resolve(), live.see)
        try:
            with stopping(running, live.say):
                over = running.go()
        except Conflict:
            if not resumed:
                raise
            click.echo("the process that runs this cup goes on with it", err=True)
            return 0
    for worker in running.odd_workers():
        click.echo(f"note: games of {worker} fail oddly often; look at that machine", err=True)
    rows = cup.rules().standings(cup.names, [*running.played.values()], running.out)
    if as_json:
        emit({"cup": cup.name, "over": over, "standings": rows, "digest": ledger.digest()})
    else:
        table_of(rows, bradley_terry(running.played.values(), cup.names))
        click.echo(f"digest {ledger.digest()}")
    if not over:
        click.echo(f"not over yet; go on with: touchline tournament {again}", err=True)
        return NOT_OVER
    click.echo(f"the whole story: touchline tournament report {place} --html report.html", err=True)
    return 0


def _hall(cup: Cup, listen: tuple[str, ...], patience: float, tables: int | None) -> Any:
    """Where remote entrants play."""
    from touchline.players.address import DEFAULT_ADDRESS, ServerAddress
    from touchline.tournament.remote_entrants import TABLES, Hall

    places = [ServerAddress.read(url) for url in listen] or [DEFAULT_ADDRESS]
    return Hall(cup, places, tables=tables or TABLES, patience=patience)


@command.command()
@LEDGER
@json_option
def show(ledger: str, as_json: bool) -> None:
    """The standings, and how far it is; also while it runs."""
    from touchline.cli._cup_progress import table_of
    from touchline.tournament.ratings.bradley_terry import bradley_terry
    from touchline.tournament.report.data import read

    with opened(ledger) as book:
        cup = _cup(book, ledger)
        standing, out = read(book)
        counts, paused = book.counts(time.time()), book.paused()
        acts = book.log()
    rows = cup.rules().standings(cup.names, standing, out)
    if as_json:
        emit({"cup": cup.name, "standings": rows, "games": counts, "paused": paused, "log": acts})
        return
    click.echo(f"{cup.name}: {cup.game}, {cup.format}, {len(cup.entrants)} entrants")
    table_of(rows, bradley_terry(standing, cup.names))
    click.echo(f"{counts.done} games played, {counts.claimed} running, {counts.due} due")
    if paused is not None:
        click.echo(f"paused: {paused}")
    for act in acts:
        click.echo(
            f"{time.strftime('%Y-%m-%d %H:%M:%S', time.localtime(act.at))} {act.act} {act.about}: {act.why}"
        )


@command.command()
@CUP
@click.option("--games", type=click.IntRange(1), default=3, show_default=True, help="Games for each entrant.")
@json_option
def check(cup: Path, games: int, as_json: bool) -> int:
    """Start every entrant, let it play, and say what would fail. Exit code 3 if something would."""
    from touchline.tournament.check import examined
    from touchline.tournament.cup import load

    rows = []
    for row in examined(load(cup), cup.parent.resolve(), games):
        rows.append(row)
        if as_json:
            continue
        if not row.games:
            click.echo(f"{row.entrant}: {row.notes}")
            continue
        click.echo(
            f"{row.entrant}: {row.wrong or 'ok'} ({row.games} games, slowest move {row.slowest:.3f} s)"
        )
        if row.notes:
            click.echo(f"what {row.entrant} wrote to stderr:\n{row.notes}", err=True)
    if as_json:
        emit(rows)
    return 3 if any(row.wrong for row in rows) else 0


@command.command()
@LEDGER
@click.option("--html", type=click.Path(dir_okay=False, path_type=Path), help="One self-contained page.")
@click.option("--csv", "csv_file", type=click.Path(dir_okay=False, path_type=Path), help="A row a game.")
@click.option(
    "--export",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Everything as plain files, a record a file, into a new folder.",
)
@json_option
def report(ledger: str, html: Path | None, csv_file: Path | None, folder: Path | None, as_json: bool) -> None:
    """Standings with error bars, cross table, ratings, time, faults, and every game with its record."""
    from touchline.tournament.ledger.export import export
    from touchline.tournament.report.csv_export import write_rows
    from touchline.tournament.report.data import report as made
    from touchline.tournament.report.html import page

    with opened(ledger) as book:
        found = made(book)
        if html is not None:
            _write(html, lambda file: file.write(page(found, book)))
        if csv_file is not None:
            _write(csv_file, lambda file: write_rows(book, file))
        if folder is not None:
            count = export(book, folder)
            click.echo(f"{count} games with their records in {folder}", err=True)
    if as_json:
        emit(found)
    elif html is None and csv_file is None and folder is None:
        from touchline.cli._cup_progress import report_of

        report_of(found)


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
    """Pause a cup that is running somewhere: running games are finished, no more are begun."""
    with opened(ledger, readonly=False) as book:
        _cup(book, ledger)
        book.note("pause", "", why, time.time())
    click.echo(f"paused; go on with: touchline tournament resume {ledger}")


@command.command()
@LEDGER
@click.argument("entrant")
@WHY
def eject(ledger: str, entrant: str, why: str) -> None:
    """Send an entrant away: what it played counts, the rest is played without it."""
    with opened(ledger, readonly=False) as book:
        cup = _cup(book, ledger)
        if entrant not in cup.names:
            raise BadOptions(f"nobody is called {entrant!r}; there are: {', '.join(cup.names)}")
        book.note("eject", entrant, why, time.time())
    click.echo(f"{entrant} is out")


@command.command()
@LEDGER
@click.argument("game")
@WHY
def void(ledger: str, game: str, why: str) -> None:
    """Declare a finished game void: it is played again. Its record is kept."""
    with opened(ledger, readonly=False) as book:
        _cup(book, ledger)
        fresh = book.void(game, why, time.time())
    click.echo(
        f"{game} is void; it is played again when the cup runs" if fresh else f"{game} was void already"
    )
