"""Print the table of a league, and an entrant's own versions, on the terminal."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import msgspec

from touchline.cli._draw import console
from touchline.cli._terminal import echo, echo_text
from touchline.core.errors import BadInput
from touchline.core.printable import printable
from touchline.league.standings import LeagueView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.league.standings import TableRow
    from touchline.tournament.ledger import Ledger, LogEntry

MOST_PLAYING = 1_000_000
"""The quota of versions is not in the ledger: `show` lists every accepted version."""


def view_of(ledger: Ledger, where: str) -> LeagueView:
    """Return the public view of a league from its ledger."""
    from touchline.league.opening import cup_of
    from touchline.league.roster import read_roster
    from touchline.league.skills import rated
    from touchline.league.standings import RANKED, UNRANKED, Gallery, table

    cup, counts, gallery = cup_of(ledger, where), ledger.counts(time.time()), Gallery()
    roster = read_roster(cup, ledger.log(), MOST_PLAYING)
    games = sorted(ledger.results(), key=lambda game: (game.at, game.played.pairing))
    skills = rated(games, roster.resets)
    skills.settle(time.time())
    for game in games:
        if game.voided is None:
            gallery.add(game)
    return LeagueView(
        name=cup.name, game=cup.game, table=table(roster, skills, RANKED),
        older=table(roster, skills, UNRANKED), recent=tuple(reversed(gallery.recent)), games=gallery.games,
        running=counts.claimed, paused=ledger.paused(),
        checking=sum(one.status == "checking" for one in roster.versions.values()),
    )  # fmt: skip


def log_of(ledger: Ledger) -> list[LogEntry]:
    """Return the log without the hashes of tokens and files."""
    from touchline.league.roster import SUBMIT, TOKEN

    return [entry for entry in ledger.log() if entry.act not in (TOKEN, SUBMIT)]


def with_log(view: LeagueView, log: Sequence[LogEntry]) -> dict[str, Any]:
    """Return a view and a log as one value."""
    return {**msgspec.structs.asdict(view), "log": log}


def view_in(seen: dict[str, Any]) -> LeagueView:
    """Return the view in the answer of a server."""
    try:
        return msgspec.convert(seen["league"], LeagueView)
    except (KeyError, msgspec.ValidationError) as error:
        raise BadInput(f"the server's answer is not that of a league: {error}") from None


def print_view(view: LeagueView) -> None:
    """Print the table, and what goes on."""
    echo(f"{view.name}: {view.game}, {view.games} games played, {view.running} running, "
         f"{view.checking} versions being checked")  # fmt: skip
    if view.paused is not None:
        echo(f"paused: {view.paused}")
    _print_rows(view.table)
    if view.older:
        echo("older versions")
        _print_rows(view.older)


def _print_rows(rows: Sequence[TableRow]) -> None:
    from rich.table import Table
    from rich.text import Text

    made = Table(box=None, pad_edge=False)
    for head in ("", "version", "rating", "games", "won", "tied", "lost", "faults", "status"):
        name = head in ("version", "status")
        made.add_column(head, justify="left" if name else "right", no_wrap=not name, overflow="fold")
    for row in rows:
        made.add_row(
            str(row.place or ""), Text(printable(row.version)),
            f"{row.rating:.1f} ± {(row.high - row.low) / 2:.1f}", str(row.games), str(row.won),
            str(row.tied), str(row.lost), str(row.faults), row.status,
        )  # fmt: skip
    console().print(made)


def print_versions(own: dict[str, Any]) -> None:
    """Print what an entrant sees of its own versions."""
    for one in own["versions"]:
        echo(f"{one['version']}: {one['status']}" + (f": {one['reason']}" if one["reason"] else ""))
        for fault in one["faults"]:
            echo(f"  {fault['game']} turn {fault['turn']}: {fault['offence']}: {fault['reason']}")
        if one["check_stderr"]:
            echo_text(f"  stderr of the check of {one['version']}:", one["check_stderr"], err=False)
        for notes in one["stderr"]:
            echo_text(f"  stderr in {notes['game']}:", notes["text"], err=False)
