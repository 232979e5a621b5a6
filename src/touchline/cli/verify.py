"""`touchline verify LEDGER`: verify a cup from its ledger."""

from __future__ import annotations

import click

from touchline.cli._options import emit, json_option
from touchline.cli._terminal import echo
from touchline.cli.main import CONTEXT


@click.command(
    context_settings=CONTEXT,
    epilog="""\b
Examples:
  touchline verify cup.db
  touchline verify cup.db --json | jq .digest""",
)
@click.argument("ledger")
@json_option
def command(ledger: str, as_json: bool) -> int:
    """Verify a cup: replay every game, compute its schedule again, and compare both with the ledger.

    Anybody who has the ledger can do this, and gets the same digest. The exit code is 4 if something does not
    match.
    """
    from rich.progress import Progress

    from touchline.cli._cup_progress import print_standings
    from touchline.cli._draw import console
    from touchline.cli.tournament import open_existing
    from touchline.tournament.verify import verify

    screen = console(stderr=True)
    with (
        open_existing(ledger) as found,
        Progress(console=screen, transient=True, disable=not screen.is_terminal) as bar,
    ):
        games = bar.add_task("verifying", total=None)
        proven = verify(found, lambda done: bar.update(games, completed=done))
    if as_json:
        emit(proven)
        return 4 if proven.wrong else 0
    for line in proven.wrong:
        echo(line)
    if proven.wrong:
        click.echo(f"not verified: {len(proven.wrong)} errors in {proven.games} games")
        return 4
    print_standings(proven.standings, proven.ratings)
    without = f", {proven.unproven} of them void before they began" if proven.unproven else ""
    state = "" if proven.over else "; the cup is not over"
    click.echo(f"verified: {proven.games} games{without}, and the schedule{state}")
    click.echo(f"digest {proven.digest}")
    return 0
