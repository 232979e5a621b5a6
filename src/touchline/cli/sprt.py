"""`touchline sprt NEW OLD`: test whether a new version is better."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from touchline.cli import _terms
from touchline.cli._options import emit, json_option
from touchline.cli._players import HELP, spoken_by
from touchline.cli.main import CONTEXT
from touchline.core.errors import BadOptions
from touchline.core.exit_codes import ExitCode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from touchline.tournament.cup import Cup
    from touchline.tournament.ratings.sprt import Judgement
    from touchline.tournament.sprt_run import SprtRun

SAID = {
    "H1": "the new one is better: it gains at least {elo1:g} Elo",
    "H0": "the new one is not better: it gains no more than {elo0:g} Elo",
    "continue": "not decided yet",
}
EXITS = {"H1": ExitCode.DONE, "H0": ExitCode.FAILED, "continue": ExitCode.UNDECIDED}
EXHAUSTED = "no more distinct openings: undecided after {count} distinct pairs"


@click.command(
    context_settings=CONTEXT,
    epilog=f"""{HELP}

\b
Examples:
  touchline sprt new.py old.py --elo0 0 --elo1 10
  touchline sprt minimax:depth=3 minimax:depth=2 --openings 6
  touchline sprt mcts:playouts=200 mcts:playouts=100 --game fish:rows=5,cols=5 --seconds 1""",
)
@click.argument("new")
@click.argument("old")
@click.option(
    "--game",
    "word",
    default="hexapawn",
    show_default=True,
    metavar="GAME[:OPTION=VALUE,...]",
    help="The game to play.",
)
@click.option(
    "--elo0", type=float, default=0, show_default=True, help="H0: the gain in Elo that is not enough."
)
@click.option("--elo1", type=float, default=10, show_default=True, help="H1: the gain in Elo to detect.")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Probability of a wrong yes.")
@click.option("--beta", type=float, default=0.05, show_default=True, help="Probability of a wrong no.")
@click.option(
    "--pairs", type=click.IntRange(1), default=20_000, show_default=True, help="The most pairs to play."
)
@click.option(
    "--openings",
    type=click.IntRange(0, 40),
    help="Random moves with which a pair of games begins.  [default: two of each seat where the game has a "
    "single start, else 0]",
)
@click.option(
    "--on",
    default="cores",
    show_default=True,
    help="Where games are played: here, cores, dask, tcp://SCHEDULER:PORT.",
)
@click.option(
    "--workers", type=click.IntRange(1, 1024), help="Games at the same time.  [default: the number of cores]"
)
@click.option(
    "--seed", type=int, default=0, show_default=True, help="Seed of the boards and of the players' chance."
)
@json_option
def command(new: str, old: str, word: str, elo0: float, elo1: float, alpha: float, beta: float, pairs: int,
            openings: int | None, on: str, workers: int | None, seed: int, as_json: bool,
            **given: Any) -> int:  # fmt: skip
    """Test whether NEW is better than OLD: play pairs of games, seats swapped on the same board.

    This is a sequential probability ratio test: it stops as soon as the result is significant. A pair that is
    a copy of an earlier one is no evidence; when two players only repeat themselves, the test ends undecided.
    The exit code is 0 if NEW is better, 4 if it is not, and 5 if the test has not decided.
    """
    from touchline.drivers.terms import terms_of
    from touchline.tournament.executors.base import worker_pool
    from touchline.tournament.ratings.sprt import Sprt
    from touchline.tournament.sprt_run import SprtRun

    try:
        test = Sprt(elo0, elo1, alpha, beta)
    except ValueError as error:
        raise BadOptions(str(error)) from None
    agreed = terms_of(map(spoken_by, (new, old)), **_terms.chosen(**given))
    cup = _cup(word, new, old, seed, openings, {"conduct": agreed.conduct, "limits": agreed.limits})
    run = SprtRun(cup, Path().resolve(), worker_pool(on, workers), test, pairs)
    judgement, interrupted = None, False
    try:
        for said in _shown(run):
            judgement = said
    except KeyboardInterrupt:
        if judgement is None:
            raise
        click.echo("interrupted", err=True)
        interrupted = True
    if judgement is None:
        raise BadOptions(f"no pair counts: {run.void} pairs had a void game")
    if as_json:
        emit({"judgement": judgement, "counts": run.counts, "void": run.void, "copies": run.copies,
              "exhausted": run.exhausted})  # fmt: skip
    else:
        low, high = judgement.elo.low, judgement.elo.high
        verdict = EXHAUSTED if run.exhausted else SAID[judgement.verdict]
        click.echo(verdict.format(elo0=elo0, elo1=elo1, count=judgement.count))
        click.echo(f"{judgement.count} pairs: {', '.join(map(str, run.counts))} with 0, ½, 1, 1½, 2 points")
        click.echo(f"Elo {judgement.elo.value:+.1f} [{low:+.1f}, {high:+.1f}], log-likelihood ratio "
                   f"{judgement.llr:.2f} of [{judgement.lower:.2f}, {judgement.upper:.2f}]")  # fmt: skip
        if run.copies:
            click.echo(f"{run.copies} pairs were copies of others: they are no evidence")
        if run.void:
            click.echo(f"{run.void} pairs were void")
    return ExitCode.INTERRUPTED if interrupted else EXITS[judgement.verdict]


for _option in (*_terms.OPTIONS, _terms.fuel_option()):
    command.params.insert(-2, _option)


def _cup(word: str, new: str, old: str, seed: int, openings: int | None, terms: dict[str, Any]) -> Cup:
    from msgspec.structs import replace

    from touchline.players.by_name import checked
    from touchline.tournament.cup import Cup, Entrant
    from touchline.tournament.openings import moves_on_boards
    from touchline.tournament.sprt_run import NEW, OLD

    name, _, rest = word.partition(":")
    options = dict(part.partition("=")[::2] for part in rest.split(",") if part)
    cup = Cup(
        name="a duel", seed=seed, game=name, boards=(options,), format="round_robin", options={},
        entrants=(Entrant(NEW, new), Entrant(OLD, old)), turn_cap=10_000, **terms,
    )  # fmt: skip
    game = cup.board(0)
    if 2 not in game.seats:
        raise BadOptions(f"{name} cannot be played by two")
    for player in (new, old):  # fail now: a win against a player that cannot start says nothing
        checked(player, game)
    return replace(cup, openings=moves_on_boards(cup, openings))


def _shown(run: SprtRun) -> Iterator[Judgement]:
    """Yield the judgements, and show the latest on stderr if that is a terminal."""
    from rich.live import Live
    from rich.text import Text

    from touchline.cli._draw import console

    screen = console(stderr=True)
    if not screen.is_terminal:
        yield from run.go()
        return
    with Live(console=screen, transient=True, refresh_per_second=8) as live:
        for said in run.go():
            live.update(Text(
                f"{said.count} pairs, log-likelihood ratio {said.llr:+.2f} of [{said.lower:.2f}, "
                f"{said.upper:.2f}], Elo {said.elo.value:+.0f} ± {(said.elo.high - said.elo.low) / 2:.0f}"
            ))  # fmt: skip
            yield said
