"""Draw the matches that the documentation shows, docs/matches/*.svg; with --record, play them anew.

Times, commitments and the moves of players that search by the clock differ from run to run.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import touchline
from touchline.draw.sheet import sheet_of
from touchline.draw.svg import picture, svg

if TYPE_CHECKING:
    from touchline.records.replay import Replay

FOLDER = Path(__file__).parent.parent / "docs" / "matches"


class Cheat:
    """A player that moves like a pawn until it can win by moving like a rook."""

    def __init__(self) -> None:
        self._rng = Random(3)

    def choose(self, view: Any, turn: int) -> Any:
        if turn < 6:
            return self._rng.choice(view.legal_moves())
        origin = view.legal_moves()[0].origin
        return touchline.Hexapawn.Move(origin, (0, origin[1]))


MATCHES: dict[str, tuple[str, dict[str, Any], dict[str, Any], int]] = {
    "fish": (
        "fish", {"rows": 6, "cols": 4, "holes": 2},
        {"shark": "shark:seconds=0.1", "greedy": "greedy", "minimax": "minimax:depth=2"}, 7,
    ),
    "labyrinth": ("labyrinth", {"rows": 5, "cols": 5}, {"riemann": "riemann", "euclid": "euclid"}, 5),
    "hexapawn-cheat": (
        "hexapawn", {"rows": 5, "cols": 5}, {"minimax": "minimax:depth=2", "cheat": Cheat()}, 3,
    ),
}  # fmt: skip
"""By file name: the game, its options, the players by their names, and the seed."""


def drawn(replay: Replay) -> str:
    """Return a picture of the position in the middle of a match."""
    states = [state for _, state in replay.states()]
    state = states[len(states) // 2]
    sheet = sheet_of(type(replay.game))
    title = f"{replay.begun.game}: {', '.join(replay.begun.names)}"
    return svg(picture(state.view(None).sketch(), sheet), "auto", title)


def record(name: str) -> None:
    """Record one match."""
    kind, options, players, seed = MATCHES[name]
    board = touchline.game(kind, **options)
    match = touchline.play(
        board,
        [*players.values()],
        names=[*players],
        seed=seed,
        record=FOLDER / f"{name}.jsonl",
        overwrite=True,
    )
    print(f"wrote docs/matches/{name}.jsonl: {match}")


def draw(name: str) -> None:
    """Draw the picture of a recorded match."""
    path = FOLDER / f"{name}.jsonl"
    path.with_suffix(".svg").write_text(drawn(touchline.read_record(path)))
    print(f"wrote docs/matches/{name}.svg")


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for each in MATCHES:
        if "--record" in sys.argv:
            record(each)
        draw(each)
