"""The report's tables about games: round by round, faults, and irregular games with their reasons."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from touchline.tournament.report.html_parts import (
    GameLinks,
    format_seconds,
    gauge,
    lead,
    name_of,
    seated,
    table,
)
from touchline.tournament.standings import format_points

if TYPE_CHECKING:
    from touchline.tournament.report.data import Report, Trouble
    from touchline.tournament.report.rounds import Rest, Round, RoundGame

OPEN_GAMES = 60
"""The most games of a cup whose rounds are all unfolded; of a longer cup only the last round is."""
MOST_PLACES = 20
"""The most entrants in the standings after a round."""


def faults_table(found: Report, links: GameLinks) -> str:
    """Return the offences by entrant and kind, with a link to the first."""
    if not found.faults:
        return "<p>There were none.</p>"
    most = max(fault.count for fault in found.faults)
    rows = [
        [name_of(fault.entrant), escape(fault.offence), str(fault.count), gauge(fault.count / most),
         links.replay(fault.game), escape(fault.reason)]
        for fault in found.faults
    ]  # fmt: skip
    heads = ["entrant", "offence", "times", "", "first in", "what happened"]
    return table(heads, rows, names=(0, 1, 3, 4), why=5)


def troubles_table(found: Report, links: GameLinks) -> str:
    """Return the void, forfeited and otherwise irregular games; each link opens the game at the fault."""
    if not found.troubled:
        return "<p>None: every game ended on the board.</p>"
    heads = ["game", "table", "what", "who", "why", "record"]
    rows = [
        [links.replay(trouble.game, _seats(trouble)), seated(trouble.entrants), _what(trouble),
         ", ".join(map(name_of, trouble.at_fault)), escape(trouble.voided or trouble.reason),
         links.record(trouble.game)]
        for trouble in found.troubles
    ]  # fmt: skip
    more = found.troubled - len(rows)
    said = lead(f"And {more:,} more, which are in the ledger.") if more else ""
    return table(heads, rows, names=(0, 1, 2, 3), why=4) + said


def _seats(trouble: Trouble) -> list[int]:
    return [trouble.entrants.index(entrant) for entrant in trouble.at_fault]


def _what(trouble: Trouble) -> str:
    if trouble.voided is not None:
        return '<span class="bad">declared void</span>'
    return {"void": "void", "forfeited": "forfeited"}.get(trouble.verdict, "expelled")


def rounds_list(found: Report, links: GameLinks) -> str:
    """Return the games round by round, with byes, and the standings after each round."""
    listed = sum(len(part.games) for part in found.rounds)
    parts = [
        _round(part, links, unfolded=listed <= OPEN_GAMES or part is found.rounds[-1])
        for part in found.rounds
    ]
    left_out = found.results - listed
    if left_out > 0:
        parts.append(
            lead(f"{left_out:,} more games are in the ledger: "
                 "<code>touchline tournament report LEDGER --csv games.csv</code>.")
        )  # fmt: skip
    if (unseen := listed - len(links.films)) > 0:
        parts.append(
            lead(f"{unseen:,} of these games cannot be replayed in this page, which would be too large, or "
                 "have no record: <code>touchline tournament report LEDGER --export FOLDER</code> writes all "
                 "records, and <code>touchline replay step RECORD</code> draws one.")
        )  # fmt: skip
    return "".join(parts) or "<p>None yet.</p>"


def _round(part: Round, links: GameLinks, *, unfolded: bool) -> str:
    heads = ["game", "seats", "result", "why", "board", "time", "record"]
    rows = [
        [links.replay(game.game, game.at_fault), seated(game.entrants), _result(game),
         escape(game.voided or game.reason), str(game.board), format_seconds(game.seconds),
         links.record(game.game)]
        for game in part.games
    ]  # fmt: skip
    games = table(heads, rows, names=(0, 1, 2), why=3, ids=[game.game for game in part.games])
    count = f"{len(part.games)} game{'s' * (len(part.games) != 1)}"
    return (
        f'<details class="round"{" open" * unfolded}><summary>Round {part.number}'
        f'<span class="soft"> · {count}</span></summary>{games}'
        + (lead("Without a game: " + ", ".join(map(_rest, part.rests)) + ".") if part.rests else "")
        + _places(part)
        + "</details>"
    )


def _rest(rest: Rest) -> str:
    worth = f", worth {format_points(rest.points)}" if rest.points else ""
    return f"{name_of(rest.entrant)} ({rest.why}{worth})"


def _places(part: Round) -> str:
    if not part.standings:
        return ""
    shown = [
        f"{place.rank}. {name_of(place.entrant)} ({format_points(place.points)})"
        for place in part.standings[:MOST_PLACES]
    ]
    more = len(part.standings) - len(shown)
    return lead(f"After round {part.number}: " + " · ".join(shown) + (f" · and {more} more" if more else ""))


def _result(game: RoundGame) -> str:
    winners = " and ".join(name_of(game.entrants[seat]) for seat in game.winners)
    if game.voided is not None:
        return '<span class="bad">declared void</span>'
    if game.verdict == "void":
        return '<span class="soft">void</span>'
    how = " by forfeit" if game.verdict == "forfeited" else ""
    scores = f' <span class="soft">{" : ".join(map(str, game.scores))}</span>' if any(game.scores) else ""
    return f"{winners or 'nobody'}{how}{scores}"
