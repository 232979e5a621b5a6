"""`touchline tournament show`: the standings and the progress of a cup, also while it runs."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from touchline.cli._ledgers import LEDGER, cup_of, open_existing
from touchline.cli._options import emit, json_option
from touchline.cli._terminal import echo

if TYPE_CHECKING:
    from touchline.tournament.cup import Cup
    from touchline.tournament.forecast import Forecast
    from touchline.tournament.ledger import Counts, Ledger
    from touchline.tournament.pairing import Played

RECENT = 200
"""The latest games from which the pace of a running cup is taken."""


@click.command(
    epilog="""\b
Examples:
  touchline tournament show cup.db           while it runs: with the time left
  touchline tournament show cup.db --json"""
)
@LEDGER
@json_option
def show(ledger: str, as_json: bool) -> None:
    """Show the standings and the progress of a cup, also while it runs."""
    from touchline.cli._cup_tables import evidence_in, print_standings
    from touchline.tournament.ledger.base import ejected, stopped
    from touchline.tournament.opening_notes import unbalanced
    from touchline.tournament.ratings.bradley_terry import bradley_terry
    from touchline.tournament.report.terms import terms_of
    from touchline.tournament.versions import FILES, version_marks

    with open_existing(ledger) as book:
        cup = cup_of(book, ledger)
        counts, paused = book.counts(time.time()), book.paused()
        seen = _Results(book)
        acts = book.log()
    rows, why = cup.rules().standings(cup.names, seen.standing, ejected(acts)), stopped(acts)
    ahead = seen.forecast(cup, counts)
    if as_json:
        shown = {"cup": cup.name, "standings": rows, "games": counts, "distinct": seen.distinct.distinct}
        state = {"paused": paused if why is None else None, "stopped": why, "forecast": ahead}
        emit(shown | state | {"terms": terms_of(cup, acts), "log": acts} | evidence_in(acts))
        return
    echo(f"{cup.name}: {cup.game}, {cup.format}, {len(cup.entrants)} entrants")
    ratings = bradley_terry(seen.standing, cup.names, evidence=seen.distinct.evidence)
    print_standings(rows, ratings, version_marks(acts), cup.rules().tiebreaks)
    click.echo(f"{counts.done} games played, {counts.claimed} running, {counts.due} due")
    if ahead is not None and (left := ahead.left()):
        click.echo(left)
    if paused is not None:
        echo(f"{'paused' if why is None else 'stopped'}: {paused}")
    echo("; ".join(f"{term.name}: {term.value}" for term in terms_of(cup, acts)))
    for note in filter(None, (*evidence_in(acts)["notes"], seen.distinct.note(), unbalanced(cup))):
        echo(f"note: {note}")
    for act in acts:
        if act.act != FILES:
            at = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(act.at))
            echo(f"{at} {act.act} {act.about}: {act.why}")


class _Results:
    """What is collected from the results of a ledger in one pass."""

    def __init__(self, book: Ledger) -> None:
        from touchline.tournament.distinct import DistinctGames
        from touchline.tournament.pairing import Interner

        intern = Interner().intern
        self.standing: list[Played] = []
        self.distinct = DistinctGames()
        self._times: list[tuple[float, str]] = []
        for finished in book.results():
            self._times.append((finished.at, finished.worker))
            if finished.voided is None:
                self.standing.append(lean := intern(finished.played))
                self.distinct.add(lean, finished.digest)

    def forecast(self, cup: Cup, counts: Counts) -> Forecast | None:
        """Forecast the rest of a cup that runs, from the times of its latest results; None if none runs."""
        from touchline.tournament.forecast import Expected, expected_games, forecast

        if not counts.claimed:
            return None
        latest = sorted(self._times)[-RECENT:]
        spent = latest[-1][0] - latest[0][0] if latest else 0.0
        known = expected_games(cup.rules(), cup.names)
        games = max(known.games, counts.done + counts.claimed + counts.due)
        workers = len({worker for _, worker in latest}) or 1
        pace = (len(latest) - 1) / spent if spent > 0 else None
        return forecast(counts.done, Expected(games, known.whole), workers, pace)
