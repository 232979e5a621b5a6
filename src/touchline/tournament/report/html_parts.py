"""Pieces of the report's page: tables, names, numbers, links to games.

Law of this file: every name and text passes through `escape` here or at its caller.
"""

from __future__ import annotations

import base64
from html import escape
from typing import TYPE_CHECKING

from touchline.core.errors import UnknownName
from touchline.tournament.report.films import FEW_SPOTS, MOST_SPOTS, Films
from touchline.tournament.report.rounds import MOST_GAMES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from touchline.core.rules import Seat
    from touchline.tournament.ledger import Ledger
    from touchline.tournament.report.data import Report

MOST_RECORDS = 8 << 20
"""The most bytes of records in the page."""


def table(
    heads: Sequence[str], rows: Iterable[Sequence[str]], *, names: Sequence[int] = (), why: int = -1,
    kind: str = "", ids: Sequence[str] = (),
) -> str:  # fmt: skip
    """Return a table. Cells are HTML; `names` are columns of names, `why` is a column of wrapped text.

    `ids` are the ids of the rows, as targets of links.
    """
    shape = [
        ' class="why"' if column == why else ' class="name"' if column in names else ""
        for column in range(len(heads))
    ]
    head = "".join(f"<th scope=col{kind}>{head}</th>" for head, kind in zip(heads, shape, strict=True))
    body = "".join(
        (f'<tr id="{ids[number]}">' if ids else "<tr>")
        + "".join(f"<td{kind}>{cell}</td>" for cell, kind in zip(row, shape, strict=True))
        + "</tr>"
        for number, row in enumerate(rows)
    )
    return scrolled(f'<table class="{kind}"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>')


def scrolled(inner: str) -> str:
    """Make something wide scroll by itself, not with the page."""
    return f'<div class="scroll" tabindex="0">{inner}</div>'


def lead(text: str) -> str:
    """Return a paragraph of HTML in a soft colour."""
    return f'<p class="lead">{text}</p>'


def bullets(lines: Sequence[str]) -> str:
    return "<ul>" + "".join(f"<li>{escape(line)}</li>" for line in lines) + "</ul>"


def name_of(entrant: str) -> str:
    return f'<bdi title="{escape(entrant)}">{escape(entrant)}</bdi>'


def seated(entrants: Sequence[str]) -> str:
    """Return the entrants of a table, in the order of their seats."""
    return " – ".join(map(name_of, entrants))


def bad(count: int) -> str:
    """Return a number that should be zero."""
    return f'<span class="bad">{count}</span>' if count else "0"


def gauge(share: float) -> str:
    return f'<span class="gauge" style="width:{8 * share:.2f}rem"></span>'


def format_seconds(seconds: float) -> str:
    """
    >>> format_seconds(0.00025), format_seconds(0.25), format_seconds(2.5)
    ('0.25 ms', '250 ms', '2.5 s')
    """
    return f"{seconds:.3g} s" if seconds >= 1 else f"{1000 * seconds:.3g} ms"


class GameLinks:
    """Links to games: to their replay in the page, and to their record as a file, while there is room."""

    def __init__(self, found: Report, ledger: Ledger) -> None:
        self._ledger, self._room = ledger, MOST_RECORDS
        self._records: dict[str, str] = {}
        self._listed = {game.game for part in found.rounds for game in part.games}
        self.films = Films(ledger, MOST_SPOTS if found.results <= MOST_GAMES else FEW_SPOTS)

    def replay(self, game: str, at_fault: Sequence[Seat] = (), text: str = "") -> str:
        """Return a link that opens a game; to its row in the list, or no link, if there is no room for it."""
        said = escape(text or game)
        if self.films.add(game, at_fault):
            return f'<a href="#game={game}" data-film="{game}">{said}</a>'
        return f'<a href="#{game}">{said}</a>' if game in self._listed else said

    def record(self, game: str) -> str:
        """Return a link that saves a record as a file; each record is in the page once."""
        if game not in self._records:
            self._records[game] = self._made(game)
            return self._records[game]
        return "above" if self._records[game].startswith("<a") else self._records[game]

    def _made(self, game: str) -> str:
        if self._room <= 0:
            return "in the ledger"
        try:
            record = self._ledger.record(game)
        except UnknownName:
            record = b""
        self._room -= len(record)
        if not record:
            return "none"
        data = base64.b64encode(record).decode()
        return f'<a download="{game}.jsonl" href="data:application/x-ndjson;base64,{data}">record</a>'
