"""How strong the house players are: paired games, the same boards with seats swapped, and a 95 % bound.

A bar is met when the lower end of the 95 % interval of the mean score is above it; a shared win counts half.
Players that think for so many seconds need a core each to themselves, so as many games run at once as there
are cores.

    scripts/bench strength [--games 400] [--only WORD] [--json]
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from random import Random
from typing import Any, NamedTuple

from touchline.bots import make
from touchline.core import registry
from touchline.drivers.match import agreed, play_now
from touchline.games.hexapawn import Hexapawn
from touchline.tournament.ratings.intervals import mean_of_pairs


class Contest(NamedTuple):
    """`ours` should score more than the bar against `theirs` on these boards, which are taken in turn."""

    what: str
    ours: str
    theirs: str
    game: str
    boards: tuple[dict[str, Any], ...]
    bar: float


HOLES = tuple(
    {"rows": rows, "cols": cols, "holes": holes}
    for rows, cols, holes in ((5, 5, 3), (5, 5, 6), (6, 5, 8), (6, 6, 10), (8, 6, 12), (8, 8, 20))
)
CONTESTS = (
    Contest("shark against the course's depth 2, Fish 5x5", "shark:seconds=0.2", "fish_course:depth=2",
            "fish", ({"rows": 5, "cols": 5},), 0.90),
    Contest("shark against the course's depth 2, Fish with holes", "shark:seconds=0.2",
            "fish_course:depth=2", "fish", HOLES, 0.75),
    Contest("minotaur against euclid, Labyrinth 7x7", "minotaur:seconds=0.2", "euclid",
            "labyrinth", ({"rows": 7, "cols": 7},), 0.80),
    Contest("mcts against greedy, Hexapawn 5x5", "mcts:playouts=100", "greedy",
            "hexapawn", ({"rows": 5, "cols": 5},), 0.50),
    Contest("mcts against greedy, Fish 5x5", "mcts:playouts=100", "greedy",
            "fish", ({"rows": 5, "cols": 5},), 0.50),
    Contest("mcts against greedy, Labyrinth 7x7", "mcts:playouts=200", "greedy",
            "labyrinth", ({"rows": 7, "cols": 7},), 0.50),
)  # fmt: skip

PERFECT_AGAINST = ("random", "greedy", "minimax:depth=4", "mcts:playouts=60", "her", "perfect")
PERFECT_BOARDS = ((3, 3), (4, 3), (4, 4), (5, 3), (4, 5), (5, 4), (5, 5))


def pair(contest: Contest, number: int) -> float:
    """Two games on one board, each side once in the first seat: what ours scored of the two, halved."""
    game = registry.game(contest.game, contest.boards[number % len(contest.boards)])
    score = 0.0
    for seat in (0, 1):
        words = [contest.theirs, contest.theirs]
        words[seat] = contest.ours
        players = [make(word, game, f"{number} {place}") for place, word in enumerate(words)]
        result = play_now(agreed(game, words, number), players)
        assert result.outcome is not None
        assert not result.faults, result.faults
        winners = result.outcome.winners
        score += (seat in winners) / len(winners) if winners else 0
    return score / 2


def perfection(number: int) -> tuple[int, int]:
    """One game of perfect from a random position: (1 if it stood in a won position, 1 if it then lost)."""
    rng = Random(number)
    rows, cols = PERFECT_BOARDS[number % len(PERFECT_BOARDS)]
    game = Hexapawn(rows=rows, cols=cols)
    state: Any = game.start(2, rng)
    for _ in range(rng.randrange(0, rows * 2)):
        after = state.play(rng.choice(state.legal_moves()))
        if after.to_move is None:
            break
        state = after
    seat = rng.randrange(2)
    perfect: Any = make("perfect", game, number)
    other = make(PERFECT_AGAINST[number % len(PERFECT_AGAINST)], "hexapawn", number)
    stood = False
    while state.to_move is not None:
        mine = state.to_move == seat
        stood |= mine and perfect.think(state).values[seat] > 0.5
        state = state.play((perfect if mine else other).choose(state, 0))
    return int(stood), int(stood and seat not in state.outcome().winners)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--games", type=int, default=400, help="games a contest, two a board (400)")
    parser.add_argument("--only", default="", help="contests whose title has this word")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows: list[dict[str, Any]] = []
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for contest in CONTESTS:
            if options.only not in contest.what:
                continue
            scores = []
            for score in pool.map(pair, [contest] * (options.games // 2), range(options.games // 2)):
                scores.append(score)
                print(
                    f"\r{contest.what}: {2 * len(scores)} of {options.games} games", end="", file=sys.stderr
                )
            print(file=sys.stderr)
            found = mean_of_pairs(scores)
            rows.append({"contest": contest.what, "games": 2 * len(scores), "score": found.value,
                         "low": found.low, "high": found.high, "bar": contest.bar,
                         "kept": found.low > contest.bar})  # fmt: skip
        if options.only in "perfect":
            games = list(pool.map(perfection, range(1000), chunksize=10))
            won, lost = (sum(game[part] for game in games) for part in (0, 1))
            rows.append({"contest": "perfect loses no won position, Hexapawn up to 5x5", "games": 1000,
                         "stood_won": won, "lost": lost, "kept": won > 0 and not lost})  # fmt: skip
    if options.json:
        print(json.dumps(rows))
    else:
        for row in rows:
            kept = "kept" if row["kept"] else "MISSED"
            if "lost" in row:
                text = f"{row['lost']} of {row['stood_won']} won positions lost"
            else:
                text = f"{row['score']:.3f}  [{row['low']:.3f}, {row['high']:.3f}]  bar {row['bar']:.2f}"
            print(f"{row['contest']:<55} {row['games']:>5} games  {text}  {kept}")
    return 0 if all(row["kept"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
