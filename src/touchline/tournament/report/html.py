"""Write the report of a cup as one self-contained HTML page.

Law of this file: names and reasons are escaped; the page runs no script and fetches nothing; and its size is
bounded, however large the cup is: it says what it leaves out.
"""

from __future__ import annotations

import base64
from html import escape
from itertools import islice
from typing import TYPE_CHECKING

from touchline.core.errors import UnknownName
from touchline.tournament.report.charts import rating_bars, rating_curves
from touchline.tournament.standings import format_points

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from touchline.tournament.ledger import Finished, Ledger
    from touchline.tournament.report.data import Cross, Report, Trouble

MOST_ROWS = 2_000
"""The most games that are listed on the page."""
MOST_RECORDS = 8 << 20
"""The most bytes of records in the page."""
MOST_CROSSED = 60
"""The most entrants in the cross table: the first ones of the standings."""
WORDY = 8
"""The most entrants for which the cross table has names on top; with more it has their ranks."""

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
STYLE = """
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5b6675; --paper: #fff; --line: #d9dee5;
  --accent: #1f5fa8; --wash: #f3f6f9; --bad: #a12622; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eaf0; --soft: #a3adba; --paper: #14181d;
  --line: #323b47; --accent: #7fb4ee; --wash: #1d242d; --bad: #f0918c; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 0 auto;
  max-width: 72rem; padding: 2rem 1rem 4rem; }
h1 { font-size: 1.9rem; margin: 0 0 .3rem; overflow-wrap: anywhere; }
h2 { margin: 2.6rem 0 .6rem; font-size: 1.25rem; }
p { max-width: 46rem; } p.lead { color: var(--soft); margin: .4rem 0 1rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .7rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
th { color: var(--soft); font-weight: 600; } thead th { vertical-align: bottom; }
bdi { display: inline-block; max-width: 15rem; overflow: hidden; text-overflow: ellipsis;
  vertical-align: bottom; }
.name { text-align: left; } .why { text-align: left; white-space: normal; overflow-wrap: anywhere;
  min-width: 12rem; }
table.standings tbody tr:first-child td { font-weight: 600; }
tr:target td { background: var(--wash); }
.bad { color: var(--bad); } .soft { color: var(--soft); }
.share { background: color-mix(in srgb, var(--accent) calc(var(--share) * 42%), transparent); }
.self { background: var(--wash); }
.gauge { display: inline-block; height: .7rem; border-radius: .2rem; background: var(--accent); opacity: .75;
  vertical-align: middle; min-width: 2px; }
code { background: var(--wash); padding: .1rem .3rem; border-radius: .25rem; word-break: break-all; }
a { color: var(--accent); } svg { display: block; max-width: 100%; height: auto; margin: .6rem 0 1.2rem; }
svg.rated text { fill: var(--ink); font-size: 14px; } svg.rated text.soft { fill: var(--soft);
  font-size: 12px; }
.bar { stroke: var(--accent); stroke-width: 2.5; stroke-linecap: round; } .dot { fill: var(--accent); }
.axis { stroke: var(--line); }
"""


def html_page(found: Report, ledger: Ledger) -> str:
    """Return the page."""
    records = _Records(ledger)
    parts = [
        f"<h1>{escape(found.cup)}</h1>", f'<p class="lead">{_lead(found)}</p>',
        "<h2>Standings</h2>", _standings(found),
        "<h2>Ratings</h2>", rating_bars(found.ratings), rating_curves(found),
        "<h2>Who beat whom</h2>", _cross_table(found),
        "<h2>Time</h2>", _times(found),
        "<h2>Faults</h2>", _faults(found),
        "<h2>Void, forfeited, expelled</h2>", _troubles(found, records),
        *(["<h2>The organiser's log</h2>", _list(found.acts)] if found.acts else []),
        "<h2>Games</h2>", _games(found, ledger, records),
        "<h2>Evidence</h2>", _evidence(found),
    ]  # fmt: skip
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f"<title>{escape(found.cup)}</title><style>{STYLE}</style></head><body><main>"
        + "\n".join(parts)
        + "</main></body></html>\n"
    )


def _evidence(found: Report) -> str:
    """Return the commitment, the salt, the games digest and the seal, and how to check them."""
    lines = {
        "commitment": found.commitment, "salt": found.salt, "games digest": found.games_digest,
        "seal": found.seal, "signed by": found.key,
    }  # fmt: skip
    rows = [[name, f"<code>{escape(value)}</code>"] for name, value in lines.items() if value]
    return (
        _table(["", ""], rows, names=(0,), why=1)
        + _list(found.notes)
        + "<p>Anybody who has the ledger can verify all of this: <code>touchline verify LEDGER</code> "
        "replays every game, and <code>--digest</code> compares the seal with a published one.</p>"
    )


class _Records:
    """Links to records: embedded in the page until its size limit is reached."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger, self._room = ledger, MOST_RECORDS
        self._links: dict[str, str] = {}

    def link(self, game: str) -> str:
        """Return a link that saves the record as a file."""
        if game not in self._links:
            self._links[game] = self._made(game)
        return self._links[game]

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


def _lead(found: Report) -> str:
    state = "over" if found.over else "not over yet"
    notes = [f"{found.games:,} games of {escape(found.game)}, {escape(found.format)}, {state}"]
    if found.void:
        notes.append(f"{found.void} void")
    if found.oversubscribed:
        notes.append(f"{found.oversubscribed} played with more players thinking than there were cores")
    return "; ".join(notes)


def _table(
    heads: Sequence[str], rows: Iterable[Sequence[str]], *, names: Sequence[int] = (), why: int = -1,
    kind: str = "",
) -> str:  # fmt: skip
    """Return a table. Cells are HTML; `names` are columns of names, `why` is a column of wrapped text.

    A row may have one more cell than there are heads: the id of the row, as a target of links.
    """
    shape = [
        ' class="why"' if column == why else ' class="name"' if column in names else ""
        for column in range(len(heads))
    ]
    head = "".join(f"<th scope=col{kind}>{head}</th>" for head, kind in zip(heads, shape, strict=True))
    body = "".join(
        (f'<tr id="{row[-1]}">' if len(row) > len(heads) else "<tr>")
        + "".join(f"<td{kind}>{cell}</td>" for cell, kind in zip(row, shape, strict=False))
        + "</tr>"
        for row in rows
    )
    return _scrolled(f'<table class="{kind}"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>')


def _scrolled(table: str) -> str:
    """Make a wide table scroll by itself, not with the page."""
    return f'<div class="scroll" tabindex="0">{table}</div>'


def _name(entrant: str) -> str:
    return f'<bdi title="{escape(entrant)}">{escape(entrant)}</bdi>'


def _standings(found: Report) -> str:
    ratings = {rating.entrant: rating for rating in found.ratings}
    skills = {skill.entrant: skill for skill in found.skills}
    heads = ["rank", "entrant", "points", "games", "won", "tied", "lost", "forfeits", "expulsions", "void",
             "rating", *(["skill"] if skills else [])]  # fmt: skip
    rows = []
    for line in found.standings:
        cells = [
            str(line.rank),
            _name(line.entrant) + (" (out)" if line.out else ""),
            format_points(line.points),
        ]
        cells += map(str, (line.games, line.won, line.tied, line.lost))
        cells += (_bad(line.forfeits), _bad(line.expulsions), str(line.voids))
        cells.append(ratings[line.entrant].text if line.entrant in ratings else "")
        if skills:
            one = skills.get(line.entrant)
            cells.append("" if one is None else f"{one.value:.1f} ± {(one.high - one.low) / 2:.1f}")
        rows.append(cells)
    order = ", then ".join(map(escape, found.tiebreaks))
    said = "Ratings are Elo by Bradley and Terry" + (", skills by Plackett and Luce" if skills else "")
    return _table(heads, rows, names=(1,), kind="standings") + (
        f'<p class="lead">Ranked by {order}. {said}; brackets and ± are 95 % confidence intervals.</p>'
    )


def _bad(count: int) -> str:
    return f'<span class="bad">{count}</span>' if count else "0"


def _cross_table(found: Report) -> str:
    """Return the cross table: the score of the row's entrant against the column's, coloured by share."""
    lines = found.standings[:MOST_CROSSED]
    scores = {(cross.entrant, cross.other): cross for cross in found.cross}
    few = len(lines) <= WORDY
    heads = ['<th scope="col" class="name"></th>']
    heads += (
        f'<th scope="col">{_name(line.entrant) if few else place}</th>' for place, line in enumerate(lines, 1)
    )
    rows = []
    for place, one in enumerate(lines, 1):
        label = _name(one.entrant) if few else f"{place} {_name(one.entrant)}"
        cells = [
            '<td class="self"></td>' if one is other else _crossed(scores.get((one.entrant, other.entrant)))
            for other in lines
        ]
        rows.append(f'<tr><th scope="row" class="name">{label}</th>{"".join(cells)}</tr>')
    left_out = len(found.standings) - len(lines)
    more = f'<p class="lead">{left_out:,} more entrants are not in this table.</p>' if left_out else ""
    head, body = f"<thead><tr>{''.join(heads)}</tr></thead>", f"<tbody>{''.join(rows)}</tbody>"
    return _scrolled(f"<table>{head}{body}</table>") + more


def _crossed(cross: Cross | None) -> str:
    if cross is None:
        return "<td></td>"
    share = cross.points / cross.games
    return (
        f'<td class="share" style="--share:{share:.2f}" title="{share:.0%}">'
        f'{format_points(cross.points)}<span class="soft"> / {cross.games}</span></td>'
    )


def _times(found: Report) -> str:
    slowest = max((time.mean for time in found.times), default=0) or 1
    rows = [
        [_name(time.entrant), f"{time.moves:,}", _format_seconds(time.mean), _gauge(time.mean / slowest),
         _format_seconds(time.slowest), f"{time.share:.0%}" if time.share else ""]
        for time in found.times
    ]  # fmt: skip
    heads = ["entrant", "moves", "a move on average", "", "slowest", "of the time allowed"]
    said = "" if found.records_read >= found.games - found.void else (
        f'<p class="lead">From {found.records_read:,} records, evenly spread over {found.games:,} games.</p>'
    )  # fmt: skip
    return _table(heads, rows, names=(0, 3)) + said if rows else "<p>Nobody has moved yet.</p>"


def _format_seconds(seconds: float) -> str:
    """
    >>> _format_seconds(0.00025), _format_seconds(0.25), _format_seconds(2.5)
    ('0.25 ms', '250 ms', '2.5 s')
    """
    return f"{seconds:.3g} s" if seconds >= 1 else f"{1000 * seconds:.3g} ms"


def _gauge(share: float) -> str:
    return f'<span class="gauge" style="width:{8 * share:.2f}rem"></span>'


def _faults(found: Report) -> str:
    if not found.faults:
        return "<p>There were none.</p>"
    most = max(fault.count for fault in found.faults)
    rows = [
        [_name(fault.entrant), escape(fault.offence), str(fault.count), _gauge(fault.count / most),
         f'<a href="#{fault.game}">{fault.game}</a>', escape(fault.reason)]
        for fault in found.faults
    ]  # fmt: skip
    heads = ["entrant", "offence", "times", "", "first in", "what happened"]
    return _table(heads, rows, names=(0, 1, 3, 4), why=5)


def _troubles(found: Report, records: _Records) -> str:
    if not found.troubled:
        return "<p>None: every game ended on the board.</p>"
    heads = ["game", "table", "what", "who", "why", "record"]
    rows = [
        [trouble.game, _seats(trouble.entrants), _what(trouble), ", ".join(map(_name, trouble.at_fault)),
         escape(trouble.voided or trouble.reason), records.link(trouble.game), trouble.game]
        for trouble in found.troubles
    ]  # fmt: skip
    more = found.troubled - len(rows)
    said = f'<p class="lead">And {more:,} more, which are in the ledger.</p>' if more else ""
    return _table(heads, rows, names=(0, 1, 2, 3), why=4) + said


def _what(trouble: Trouble) -> str:
    if trouble.voided is not None:
        return '<span class="bad">declared void</span>'
    return {"void": "void", "forfeited": "forfeited"}.get(trouble.verdict, "expelled")


def _list(lines: Sequence[str]) -> str:
    return "<ul>" + "".join(f"<li>{escape(line)}</li>" for line in lines) + "</ul>"


def _seats(entrants: Sequence[str]) -> str:
    return " – ".join(map(_name, entrants))


def _games(found: Report, ledger: Ledger, records: _Records) -> str:
    listed = {trouble.game for trouble in found.troubles}
    rows = [_game(finished, records, listed) for finished in islice(ledger.results(), MOST_ROWS)]
    left_out = found.games + sum(trouble.voided is not None for trouble in found.troubles) - len(rows)
    more = (
        f'<p class="lead">{left_out:,} more games are in the ledger: '
        "<code>touchline tournament report LEDGER --csv games.csv</code>.</p>"
        if left_out > 0
        else ""
    )
    heads = ["game", "table", "winner", "why", "time", "record"]
    return _table(heads, rows, names=(0, 1, 2), why=3) + more


def _game(finished: Finished, records: _Records, listed: set[str]) -> list[str]:
    played, game = finished.played, finished.id
    winners = ", ".join(_name(played.pairing.entrants[seat]) for seat in played.winners)
    if finished.voided is not None or played.verdict == "void":
        winners = '<span class="soft">void</span>'
    elif played.verdict == "forfeited":
        winners = f"{winners or 'nobody'} by forfeit"
    cells = [game, _seats(played.pairing.entrants), winners or "nobody", escape(played.reason),
             _format_seconds(finished.seconds)]  # fmt: skip
    if game in listed:  # its record is linked there
        return [*cells, f'<a href="#{game}">above</a>']
    return [*cells, records.link(game), game]
