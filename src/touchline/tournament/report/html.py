"""Write the report of a cup as one self-contained HTML page.

Laws of this file: names and reasons are escaped; the page fetches nothing and works from a file; it runs the
replay viewer and no other script, which its Content-Security-Policy enforces by hash; its size is bounded,
however large the cup is, and it says what it leaves out.
"""

from __future__ import annotations

from html import escape
from importlib import resources
from typing import TYPE_CHECKING

from touchline.tournament.report.bracket import bracket
from touchline.tournament.report.charts import rating_bars, rating_curves
from touchline.tournament.report.html_games import faults_table, rounds_list, troubles_table
from touchline.tournament.report.html_parts import GameLinks, bullets, lead, scrolled, table
from touchline.tournament.report.html_standings import (
    cross_table,
    decisions_table,
    entrants_table,
    standings_table,
    terms_table,
    times_table,
)
from touchline.tournament.report.viewer import script_hash, viewer_scripts, viewer_style

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.tournament.ledger import Ledger
    from touchline.tournament.report.data import Report

POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
    "script-src {scripts}"
)


def html_page(found: Report, ledger: Ledger) -> str:
    """Return the page."""
    links = GameLinks(found, ledger)
    drawn = bracket(found)
    parts = [
        f"<h1>{escape(found.cup)}</h1>", lead(_lead(found)),
        "<h2>Standings</h2>", standings_table(found),
        *(["<h2>Bracket</h2>", drawn] if drawn else []),
        "<h2>What decided the order</h2>", decisions_table(found),
        "<h2>Entrants</h2>", entrants_table(found),
        "<h2>Ratings</h2>", scrolled(rating_bars(found.ratings) + rating_curves(found)),
        "<h2>Who beat whom</h2>", cross_table(found),
        "<h2>Time</h2>", times_table(found),
        "<h2>Faults</h2>", faults_table(found, links),
        "<h2>Void, forfeited, expelled</h2>", troubles_table(found, links),
        "<h2>Games, round by round</h2>", rounds_list(found, links),
        "<h2>Terms</h2>", terms_table(found),
        *(["<h2>The organiser's log</h2>", bullets(found.acts)] if found.acts else []),
        "<h2>Evidence</h2>", _evidence(found),
    ]  # fmt: skip
    scripts = viewer_scripts(found.game) if len(links.films) else ()
    return _document(found, "\n".join(parts), links, scripts)


def _document(found: Report, body: str, links: GameLinks, scripts: Sequence[str]) -> str:
    policy = POLICY.format(scripts=" ".join(map(script_hash, scripts)) or "'none'")
    style = (resources.files(__package__) / "report.css").read_text() + (viewer_style() if scripts else "")
    films = (
        f'<script type="application/json" id="films" data-game="{escape(found.game)}">'
        f"{links.films.json()}</script>"
    )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f"<title>{escape(found.cup)}</title><style>{style}</style></head><body><main>{body}</main>"
        + (films if scripts else "")
        + "".join(f"<script>{script}</script>" for script in scripts)
        + "</body></html>\n"
    )


def _lead(found: Report) -> str:
    state = "over" if found.over else "not over yet"
    notes = [f"{found.distinct_text()} of {escape(found.game)}, {escape(found.format)}, {state}"]
    if found.void:
        notes.append(f"{found.void} void")
    if found.oversubscribed:
        notes.append(f"{found.oversubscribed} played with more players thinking than there were cores")
    return "; ".join(notes)


def _evidence(found: Report) -> str:
    """Return the commitment, the salt, the games digest and the seal, and how to check them."""
    lines = {
        "commitment": found.commitment,
        "salt": found.salt or (found.commitment and "secret until the cup is over"),
        "games digest": found.games_digest, "seal": found.seal, "signed by": found.key,
    }  # fmt: skip
    rows = [[name, f"<code>{escape(value)}</code>"] for name, value in lines.items() if value]
    return (
        table(["", ""], rows, names=(0,), why=1)
        + bullets(found.notes)
        + "<p>Anybody who has the ledger can verify all of this: <code>touchline verify LEDGER</code> "
        "replays every game, and <code>--digest</code> compares the seal with a published one.</p>"
    )
