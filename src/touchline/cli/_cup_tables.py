"""The tables and lines about a tournament on the terminal: standings, what decided ranks, hashes."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from touchline.cli._draw import console
from touchline.core.printable import printable
from touchline.tournament.report.decisions import decisions
from touchline.tournament.standings import format_points

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from touchline.tournament.ledger import LogEntry
    from touchline.tournament.ratings.base import Rating
    from touchline.tournament.report import Report
    from touchline.tournament.standings import Standing

WIDEST = 200
"""Width in characters when the output is a file or a pipe, so that no row is wrapped."""
HEADS = ("", "entrant", "points", "games", "won", "tied", "lost", "forfeit", "expelled", "void")
NO_MARKS: Mapping[str, str] = MappingProxyType({})
MOST_DECIDED = 30
"""The most lines about ranks that a tie-break decided."""


def standings_table(
    rows: Sequence[Standing], rated: Sequence[Rating], marks: Mapping[str, str] = NO_MARKS
) -> Any:
    """Return the standings as a table. Byes and walkovers have columns only if there are any.

    `marks` are shown behind the names of entrants.
    """
    from rich.table import Table
    from rich.text import Text

    ratings = {rating.entrant: rating for rating in rated}
    table = Table(box=None, pad_edge=False)
    rests = [name for name in ("byes", "walkovers") if any(getattr(row, name) for row in rows)]
    for head in (*HEADS, *rests):
        name = head == "entrant"
        table.add_column(head, justify="left" if name else "right", no_wrap=not name, overflow="fold")
    if ratings:
        table.add_column("rating", justify="right", no_wrap=True)
    for row in rows:
        cells: list[Any] = [
            str(row.rank), Text(_name(row.entrant, marks)),
            format_points(row.points), str(row.games),
            str(row.won), str(row.tied), str(row.lost), str(row.forfeits), str(row.expulsions),
            str(row.voids), *(format_points(getattr(row, name)) for name in rests),
        ]  # fmt: skip
        if ratings:
            rating = ratings.get(row.entrant)
            cells.append("" if rating is None else rating.text)
        table.add_row(*cells)
    return table


def _name(entrant: str, marks: Mapping[str, str]) -> str:
    """Return an entrant's name for a table; an entrant that was changed shows its version."""
    return printable(f"{entrant} ({marks[entrant]})" if entrant in marks else entrant)


def print_standings(
    rows: Sequence[Standing],
    ratings: Sequence[Rating],
    marks: Mapping[str, str] = NO_MARKS,
    tiebreaks: Sequence[str] = (),
) -> None:
    """Print the standings, and which tie-break decided where the first one did not."""
    screen = _wide()
    screen.print(standings_table(rows, ratings, marks))
    _print_lines(screen, decided(rows, tiebreaks))


def decided(rows: Sequence[Standing], tiebreaks: Sequence[str]) -> list[str]:
    """Return a line for each rank that was decided by a later tie-break than the first."""
    later = [
        f"{one.entrant} {one.text()}" for one in decisions(rows, tiebreaks) if one.tiebreak in tiebreaks[1:]
    ]
    more = len(later) - MOST_DECIDED
    return later[:MOST_DECIDED] + ([f"and {more} more ranks by tie-breaks"] if more > 0 else [])


def _print_lines(screen: Any, lines: Sequence[str]) -> None:
    for line in lines:
        screen.print(printable(line), highlight=False, markup=False)


def _wide() -> Any:
    """Return a console that wraps no line of a table unless the terminal is too narrow for it."""
    screen = console()
    if not screen.is_terminal:
        screen.width = max(screen.width, WIDEST)
    return screen


def print_report(found: Report) -> None:
    """Print a short form of a report."""
    screen = _wide()
    screen.print(printable(f"{found.cup}: {found.distinct_text()}"), highlight=False, markup=False)
    marks = {one.entrant: one.mark for one in found.entrants if one.mark}
    screen.print(standings_table(found.standings, found.ratings, marks))
    lines = decided(found.standings, found.tiebreaks)
    lines += [f"{fault.entrant}: {fault.offence} {fault.count} times" for fault in found.faults]
    lines += [f"{one.entrant}: {one.starved} starved turns" for one in found.entrants if one.starved]
    lines += [f"note: {note}" for note in found.notes]
    lines += evidence(found.commitment, found.salt, found.games_digest, found.seal, found.key)
    _print_lines(screen, lines)


def evidence(
    commitment: str | None, salt: str | None, digest: str, seal: str | None, key: str | None
) -> list[str]:
    """Return the hashes of a cup, a line each, as far as they are known."""
    lines = [("commitment", commitment), ("salt", salt), ("signed by", key), ("games digest", digest)]
    return [f"{name} {value}" for name, value in [*lines, ("seal", seal)] if value]


def evidence_in(log: Sequence[LogEntry]) -> dict[str, Any]:
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
