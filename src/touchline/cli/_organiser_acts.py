"""The acts of an organiser while a cup runs or later: pause, stop, eject, void. The log has each of them."""

from __future__ import annotations

import time

import click

from touchline.cli._ledgers import LEDGER, cup_of, open_existing
from touchline.cli._options import emit, json_option
from touchline.cli._terminal import echo
from touchline.core.errors import BadOptions

WHY = click.option("--why", required=True, help="The reason, for the log.")


def noted(act: str, about: str, why: str, sentence: str, as_json: bool) -> None:
    """Print what was noted in the log."""
    if as_json:
        emit({"act": act, "about": about, "why": why})
    else:
        echo(sentence)


@click.command(
    epilog="""\b
Examples:
  touchline tournament pause cup.db --why "lunch"
  touchline tournament resume cup.db                the waiting process goes on"""
)
@LEDGER
@WHY
@json_option
def pause(ledger: str, why: str, as_json: bool) -> None:
    """Pause a cup: its running games are finished, and no more are begun.

    The process that runs it stays, and says that it is paused. `resume` lets it go on, from any terminal.
    """
    from touchline.tournament.ledger.base import PAUSE

    with open_existing(ledger, readonly=False) as book:
        cup_of(book, ledger)
        book.note(PAUSE, "", why, time.time())
    noted(PAUSE, "", why, f"paused; go on with: touchline tournament resume {ledger}", as_json)


@click.command(
    epilog="""\b
Examples:
  touchline tournament stop cup.db --why "the night"
  touchline tournament resume cup.db                go on, in a new process"""
)
@LEDGER
@WHY
@json_option
def stop(ledger: str, why: str, as_json: bool) -> None:
    """Stop the process that runs a cup: it finishes its running games and ends with exit code 5.

    `run` or `resume` goes on with the cup later.
    """
    from touchline.tournament.ledger.base import STOP

    with open_existing(ledger, readonly=False) as book:
        cup_of(book, ledger)
        book.note(STOP, "", why, time.time())
    noted(STOP, "", why, f"stopped; go on with: touchline tournament resume {ledger}", as_json)


@click.command(
    epilog="""\b
Examples:
  touchline tournament eject cup.db ann --why "left\""""
)
@LEDGER
@click.argument("entrant")
@WHY
@json_option
def eject(ledger: str, entrant: str, why: str, as_json: bool) -> None:
    """Eject an entrant: its finished games count, the rest is played without it."""
    with open_existing(ledger, readonly=False) as book:
        cup = cup_of(book, ledger)
        if entrant not in cup.names:
            raise BadOptions(f"no entrant is called {entrant!r}; there are: {', '.join(cup.names)}")
        book.note("eject", entrant, why, time.time())
    noted("eject", entrant, why, f"{entrant} is out", as_json)


@click.command(
    epilog="""\b
Examples:
  touchline tournament void cup.db r0002-t0011 --why "the lights went out\""""
)
@LEDGER
@click.argument("game")
@WHY
@json_option
def void(ledger: str, game: str, why: str, as_json: bool) -> None:
    """Declare a finished game void: it is played again. The old record is kept.

    If an entrant of it was ejected, the others play it without that one; who is left alone has a walkover.
    """
    from touchline.tournament.ledger.base import ejected

    with open_existing(ledger, readonly=False) as book:
        cup_of(book, ledger)
        fresh = book.void(game, why, time.time())
        sat = next((one.played.pairing.entrants for one in book.results() if one.id == game), ())
        gone = [one for one in ejected(book.log()) if one in sat]
    noted("void", game, why, f"{game} {_consequence(fresh, gone, len(sat))}", as_json)


def _consequence(fresh: bool, gone: list[str], seats: int) -> str:
    """Return what follows from a void game, in words."""
    if not fresh:
        return "was void already"
    if not gone:
        return "is void; it is played again when the cup runs"
    if seats - len(gone) >= 2:
        return f"is void; it is played again without {', '.join(gone)}, who was ejected"
    return f"is void; {', '.join(gone)} was ejected: it is a walkover, and not played again"


ACTS = (pause, stop, eject, void)
