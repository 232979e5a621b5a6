"""`touchline verify LEDGER|RECORD`: verify a cup from its ledger, or records."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from touchline.cli._options import emit, json_option
from touchline.cli._terminal import echo
from touchline.cli._verify_records import are_records, given_module, verify_records, wasm_option
from touchline.cli.main import CONTEXT
from touchline.core.errors import BadOptions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.tournament.verify import Verified


@click.command(
    context_settings=CONTEXT,
    epilog="""\b
Examples:
  touchline verify cup.db
  touchline verify cup.db --digest 5f1c...          compare the seal with a published one
  touchline verify cup.db --key organiser.key.pub   check who signed it
  touchline verify cup.db --wasm ann.wasm --wasm bob.wasm   run the modules again
  touchline verify cup.db --json | jq .not_checked
  touchline verify match.jsonl --key ann.key.pub""",
)
@click.argument("ledger", metavar="LEDGER|RECORD")
@click.option("--digest", metavar="HEX", help="The seal that was published: it must be that of the ledger.")
@click.option(
    "--key", metavar="PUB", help="The organiser's public key, or its file: it must have signed the seal."
)
@wasm_option
@json_option
def command(ledger: str, digest: str | None, key: str | None, wasm: Sequence[str], as_json: bool) -> int:
    """Verify a cup: replay every game, draw its schedule again, and say exactly what was shown.

    follows: rules, referee and conduct give every game from what was said, the seeds follow from the salt,
    and the salt fits its commitment. sealed: the seal over every stored byte was compared with --digest or
    --key. signed: by this --key. What was not checked is named, with the reason. The exit code is 4 if
    something is wrong.

    Of a record (*.jsonl), or a folder of records, it shows the same as `touchline replay verify`.
    """
    if are_records(ledger):
        return verify_records([ledger], digest=digest, key=key, wasm=wasm, as_json=as_json)
    from rich.progress import Progress

    from touchline.cli._draw import console
    from touchline.cli._ledgers import open_existing
    from touchline.tournament.verify import verify

    public, modules = None if key is None else _public(key), [given_module(word) for word in wasm]
    if any(given.seat is not None for given in modules):
        raise BadOptions("the seats change from game to game: give --wasm FILE, without a seat")
    screen = console(stderr=True)
    with (
        open_existing(ledger) as found,
        Progress(console=screen, transient=True, disable=not screen.is_terminal) as bar,
    ):
        games = bar.add_task("verifying", total=None)
        proven = verify(
            found, lambda done: bar.update(games, completed=done), digest=digest, key=public, modules=modules
        )
    if as_json:
        emit(proven)
    else:
        _print(proven)
    return 4 if proven.wrong else 0


def _public(key: str) -> str:
    from touchline.records.signing import public_key

    return public_key(key)


def _print(proven: Verified) -> None:
    from touchline.cli._cup_tables import evidence, print_standings

    if not proven.wrong:
        print_standings(proven.standings, proven.ratings)
    state = "" if proven.over else "; the cup is not over"
    click.echo(f"{proven.games} games{state}: {proven.words or 'nothing was shown'}")
    if proven.modules:
        click.echo(
            f"fuel: run again, the modules in {proven.modules} seats of games give these answers with it"
        )
    for line in proven.wrong:
        echo(f"wrong: {line}")
    for line in proven.not_checked:
        echo(f"not checked: {line}")
    for line in proven.notes:
        echo(f"note: {line}")
    for line in evidence(proven.commitment, proven.salt, proven.games_digest, proven.seal, proven.key):
        echo(line)
