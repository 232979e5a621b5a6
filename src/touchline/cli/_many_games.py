"""`play --games N`: play the games, and show the table, the rows and the strength of the players."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Any

import click

from touchline.cli._csv_rows import CsvRows
from touchline.cli._options import emit
from touchline.cli._players import is_program
from touchline.core.printable import printable

if TYPE_CHECKING:
    from touchline.cli._player_output import OutputPlan
    from touchline.matches.fixture import Fixture
    from touchline.matches.many import Matches, RecordFiles
    from touchline.tournament.comparison import Comparison

INTERRUPTED = 130


def play_many(
    match: Fixture,
    games: int,
    seed: int | None,
    files: RecordFiles,
    output: OutputPlan,
    *,
    csv_file: str | None,
    force: bool,
    strict: bool,
    as_json: bool,
) -> int:
    """Play many matches, the players changing seats after each, and show a table; return the exit code."""
    from touchline.matches.series import Series

    began = monotonic()
    series = Series(match, games, seed, files, output.game)
    rows = CsvRows(csv_file, overwrite=force)
    interrupted = _play(series, rows, bar=not output.shows)
    spent, matches = monotonic() - began, series.matches()
    for number in range(rows.games, len(matches)):  # Ctrl-C came after a game, and before its rows
        rows.add(number, matches[number])
    rows.close()
    if as_json:
        _emit(match, matches, seed, files, interrupted=interrupted, spent=spent)
    else:
        print_table(matches, spent, err=csv_file == "-")
    if interrupted:
        click.echo(f"interrupted after {len(matches):,} of {games:,} games", err=True)
        return INTERRUPTED
    if seed is None:
        click.echo("each game drew a seed of its own; --seed N makes them repeatable", err=True)
    _check_files(games, files, rows, output)
    faulty = any(total["faulty"] for total in matches.totals())
    return 3 if strict and (matches.void or faulty) else 0


def _play(series: Any, rows: CsvRows, *, bar: bool) -> bool:
    """Play the games; return whether the user interrupted them."""
    from touchline.matches.progress import shown_progress

    try:
        never = click.get_current_context().find_root().obj == "never"
        with shown_progress(bar=bar, no_color=never or None) as told:
            for number, played in enumerate(series):
                rows.add(number, played)
                told(number + 1, series.games)
    except KeyboardInterrupt:
        return True
    return False


def _check_files(games: int, files: RecordFiles, rows: CsvRows, output: OutputPlan) -> None:
    """Say where the games were recorded. NotRecorded if something could not be written."""
    from touchline.records.recording import NotRecorded

    files.check()
    if files.place is not None:
        click.echo(f"{games} games recorded in {files.place}", err=True)
    output.check()
    if rows.failed is not None:
        raise NotRecorded(rows.failed)


def _emit(
    match: Fixture, matches: Matches, seed: int | None, files: RecordFiles, *, interrupted: bool, spent: float
) -> None:
    """Print totals, strengths and a row per game and player as JSON."""
    from touchline.tournament.comparison import compare

    found = compare(matches)
    key = "elo" if len(matches.players) == 2 else "rating"
    totals = [
        {**total, key: strength and {"value": strength.value, "low": strength.low, "high": strength.high}}
        for total, strength in zip(matches.totals(), found.strengths, strict=True)
    ]
    recorded = {} if files.place is None else {"recorded": len(matches) - len(files.failed)}
    tier = match.sandbox.tier if any(map(is_program, match.players)) else None
    emit({
        "seed": seed, "games": len(matches), "void": matches.void, "tied": matches.tied,
        "distinct": found.distinct, "seconds": round(spent, 6), "interrupted": interrupted, "isolation": tier,
        "players": totals, "rows": matches.rows(), **recorded,
    })  # fmt: skip


def print_table(matches: Matches, spent: float, *, err: bool = False) -> None:
    """Print a line per player, and what is to be said about all games."""
    from touchline.tournament.comparison import compare

    found = compare(matches)
    for line in [*_table(matches, found), *_remarks(matches, found, spent)]:
        click.echo(printable(line), err=err)


def _table(matches: Matches, found: Comparison) -> list[str]:
    rating = "Elo [95 %]" if len(matches.players) == 2 else "rating [95 %]"
    head = ["player", "won", "tied", "lost", "points", "%", rating, "a move", "faulty games"]
    lines = [head]
    for total, strength in zip(matches.totals(), found.strengths, strict=True):
        points = f"{total['points']:.2f}".rstrip("0").rstrip(".")
        share = f"{100 * total['points'] / total['games']:.1f}" if total["games"] else "-"
        lines.append([
            printable(total["player"]), f"{total['won']}", f"{total['tied']}", f"{total['lost']}",
            points, share, "-" if strength is None else strength.text,
            time_text(total["seconds"] / total["moves"]) if total["moves"] else "-", f"{total['faulty']}",
        ])  # fmt: skip
    wide = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return [
        "  ".join(cell.ljust(width) if not place else cell.rjust(width) for place, (cell, width) in enumerate(
            zip(line, wide, strict=True)
        ))
        for line in lines
    ]  # fmt: skip


def _remarks(matches: Matches, found: Comparison, spent: float) -> list[str]:
    """Return sentences about all games."""
    from touchline.matches.progress import duration

    each = f", {time_text(spent / len(matches))} each" if len(matches) else ""
    said = [f"{len(matches):,} games in {time_text(spent) if spent < 60 else duration(spent)}{each}"]
    if matches.void:
        said.append(f"{matches.void:,} games were void: they count for nobody")
    if found.note is not None:
        said.append(found.note)
    return said


def time_text(seconds: float) -> str:
    """Return a short time with three digits.

    >>> time_text(0.00001234), time_text(0.0456), time_text(1.5)
    ('12.3 µs', '45.6 ms', '1.5 s')
    """
    for unit, name in ((1.0, "s"), (1e-3, "ms")):
        if seconds >= unit:
            return f"{seconds / unit:.3g} {name}"
    return f"{seconds / 1e-6:.3g} µs"
