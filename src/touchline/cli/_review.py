"""`touchline analyse RECORD --worst`: the worst moves and the decisive moment, with everything in sight."""

from __future__ import annotations

from typing import TYPE_CHECKING

from touchline.bots.base import HouseBot
from touchline.bots.shared import factory
from touchline.cli._options import emit
from touchline.cli._terminal import echo
from touchline.cli._thinkers import thinker
from touchline.core.errors import BadOptions
from touchline.core.printable import printable
from touchline.records.review import Reviewer

if TYPE_CHECKING:
    from touchline.records.replay import Replay
    from touchline.records.review import Review


def judge_of(word: str | None, game: str, seconds: float | None) -> tuple[str, HouseBot]:
    """Return the house player that judges: the strongest for the game, or one that is named."""
    if word is None and seconds is None:
        name = factory.strongest(game)
        return name, factory.make(name, game, "analysis", factory.kind(name).judging)
    name, found = thinker(word, game, seconds)
    if not isinstance(found, HouseBot):
        raise BadOptions(f"--worst needs a house player, and {name} is none")
    return name, found


def review(replay: Replay, name: str, judge: HouseBot, as_json: bool) -> int:
    """Print what a review found; the exit code is 0."""
    reviewer = Reviewer(replay, judge)
    for number in range(len(reviewer.turns)):
        reviewer.look(number)
    found = reviewer.review()
    if as_json:
        emit({"game": replay.begun.game, "names": reviewer.names, "thinker": name, "review": found})
    else:
        _print(reviewer.names, name, found)
    return 0


def _print(names: tuple[str, ...], thinker: str, found: Review) -> None:
    echo(f"{thinker} judges, with everything in sight")
    for seat, name in enumerate(names):
        own = [move for move in found.worst if move.seat == seat]
        echo(printable(f"worst moves of {name}:{'' if own else ' none'}"))
        for move in own:
            echo(f"  turn {move.turn}: {move.played}; better: {move.better} (-{100 * move.loss:.0f} %)")
    if found.decisive is not None:
        echo(printable(f"decisive, turn {found.decisive.turn}: {found.decisive.text}"))
