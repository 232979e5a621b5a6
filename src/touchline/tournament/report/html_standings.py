"""The report's tables about entrants: standings, what decided their order, who they are, who beat whom."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from touchline.tournament.report.decisions import tiebreak_text
from touchline.tournament.report.html_parts import bad, format_seconds, gauge, lead, name_of, scrolled, table
from touchline.tournament.standings import format_points

if TYPE_CHECKING:
    from touchline.tournament.ratings.base import Rating
    from touchline.tournament.report.data import Cross, Report
    from touchline.tournament.report.terms import EntrantFacts

MOST_CROSSED = 60
"""The most entrants in the cross table: the first ones of the standings."""
WORDY = 8
"""The most entrants for which the cross table has names on top; with more it has their ranks."""
HASH = 12
"""Digits of a version's hash that are shown; the whole hash is its tooltip."""


def standings_table(found: Report) -> str:
    """Return the standings. Byes and walkovers have columns only if there are any."""
    ratings = {rating.entrant: rating for rating in found.ratings}
    skills = {skill.entrant: skill for skill in found.skills}
    rests = [name for name in ("byes", "walkovers") if any(getattr(line, name) for line in found.standings)]
    heads = ["rank", "entrant", "points", "rating", "games", "won", "tied", "lost", "forfeits", "expulsions",
             "void", *rests, *(["skill"] if skills else [])]  # fmt: skip
    marks = {one.entrant: f" ({escape(one.mark)})" for one in found.entrants if one.mark}
    rows = []
    for line in found.standings:
        cells = [
            str(line.rank), f"{name_of(line.entrant)}{marks.get(line.entrant, '')}{' (out)' * line.out}",
            format_points(line.points), ratings[line.entrant].text if line.entrant in ratings else "",
            *map(str, (line.games, line.won, line.tied, line.lost)), bad(line.forfeits), bad(line.expulsions),
            str(line.voids), *(format_points(getattr(line, name)) for name in rests),
        ]  # fmt: skip
        rows.append([*cells, _skill(skills.get(line.entrant))] if skills else cells)
    said = "Ratings are Elo by Bradley and Terry" + (", skills by Plackett and Luce" if skills else "")
    byes = " Byes are the points for rounds without an opponent." if "byes" in rests else ""
    return table(heads, rows, names=(1,), kind="standings") + lead(
        f"{said}; brackets and ± are 95 % confidence intervals.{byes}"
    )


def _skill(one: Rating | None) -> str:
    return "" if one is None else f"{one.value:.1f} ± {(one.high - one.low) / 2:.1f}"


def decisions_table(found: Report) -> str:
    """Return the tie-breaks of each entrant, and which one put it above the next."""
    decided = {one.entrant: one for one in found.decisions}
    rows = []
    for line in found.standings:
        values = [*line.tiebreaks, *[0.0] * (len(found.tiebreaks) - len(line.tiebreaks))]
        one = decided.get(line.entrant)
        cells = [
            f"<b>{text}</b>" if one is not None and one.tiebreak == name else text
            for name, value in zip(found.tiebreaks, values, strict=False)
            for text in [tiebreak_text(name, value)]
        ]
        rows.append(
            [str(line.rank), name_of(line.entrant), "" if one is None else escape(one.text()), *cells]
        )
    heads = ["rank", "entrant", "why here", *map(escape, found.tiebreaks)]
    order = ", then ".join(map(escape, found.tiebreaks))
    return lead(f"Ranked by {order}. The number that decided is bold.") + table(
        heads, rows, names=(1,), why=2, kind="decided"
    )


def entrants_table(found: Report) -> str:
    """Return what each entrant is: player, versions, starved turns."""
    heads = ["entrant", "player", "version of its files", "starved turns"]
    rows = [
        [name_of(one.entrant), f"<code>{escape(one.player)}</code>{' (untrusted)' * one.untrusted}",
         _versions(one), bad(one.starved)]
        for one in found.entrants
    ]  # fmt: skip
    return table(heads, rows, names=(0,), why=1)


def _versions(one: EntrantFacts) -> str:
    shown = [f'<code title="{escape(hash)}">{escape(hash[:HASH])}</code>' for hash in one.versions]
    return ", then ".join(shown) or '<span class="soft">none</span>'


def terms_table(found: Report) -> str:
    """Return the terms of the cup."""
    return table(["term", "value"], [[escape(term.name), escape(term.value)] for term in found.terms],
                 names=(0,), why=1)  # fmt: skip


def cross_table(found: Report) -> str:
    """Return the cross table: the score of the row's entrant against the column's, coloured by share."""
    lines = found.standings[:MOST_CROSSED]
    scores = {(cross.entrant, cross.other): cross for cross in found.cross}
    few = len(lines) <= WORDY
    heads = ['<th scope="col" class="name"></th>']
    heads += (
        f'<th scope="col">{name_of(line.entrant) if few else place}</th>'
        for place, line in enumerate(lines, 1)
    )
    rows = []
    for place, one in enumerate(lines, 1):
        label = name_of(one.entrant) if few else f"{place} {name_of(one.entrant)}"
        cells = [
            '<td class="self"></td>' if one is other else _crossed(scores.get((one.entrant, other.entrant)))
            for other in lines
        ]
        rows.append(f'<tr><th scope="row" class="name">{label}</th>{"".join(cells)}</tr>')
    left_out = len(found.standings) - len(lines)
    more = lead(f"{left_out:,} more entrants are not in this table.") if left_out else ""
    head, body = f"<thead><tr>{''.join(heads)}</tr></thead>", f"<tbody>{''.join(rows)}</tbody>"
    return scrolled(f"<table>{head}{body}</table>") + more


def _crossed(cross: Cross | None) -> str:
    if cross is None:
        return "<td></td>"
    share = cross.points / cross.games
    return (
        f'<td class="share" style="--share:{share:.2f}" title="{share:.0%}">'
        f'{format_points(cross.points)}<span class="soft"> / {cross.games}</span></td>'
    )


def times_table(found: Report) -> str:
    """Return the time that each entrant took for its moves."""
    slowest = max((time.mean for time in found.times), default=0) or 1
    rows = [
        [name_of(time.entrant), f"{time.moves:,}", format_seconds(time.mean), gauge(time.mean / slowest),
         format_seconds(time.slowest), f"{time.share:.0%}" if time.share else ""]
        for time in found.times
    ]  # fmt: skip
    heads = ["entrant", "moves", "a move on average", "", "slowest", "of the time allowed"]
    said = "" if found.records_read >= found.games - found.void else lead(
        f"From {found.records_read:,} records, evenly spread over {found.games:,} games."
    )  # fmt: skip
    return table(heads, rows, names=(0, 3)) + said if rows else "<p>Nobody has moved yet.</p>"
