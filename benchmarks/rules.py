"""How fast the rules are, beside OpenSpiel and python-chess on the same machine in the same minute.

Random legal play from Python: ask for the legal moves, draw one, play it, until the game is over.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import chess
import pyspiel
from measure import Claim, interleaved, report

from touchline.games.fish import Fish
from touchline.games.hexapawn import Hexapawn
from touchline.games.labyrinth import Labyrinth

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.core.rules import Game, State

MIDDLE_GAME = "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9"


def ours(game: Game, seats: int) -> Callable[[], int]:
    """One game of random moves; how many moves it took."""
    rng = Random(1)
    draw = rng.random

    def play() -> int:
        state: State = game.start(seats, rng)
        count = 0
        while state.to_move is not None:
            moves = state.legal_moves()
            state = state.play(moves[int(draw() * len(moves))])
            count += 1
        return count

    return play


def open_spiel(name: str) -> Callable[[], int]:
    """The same in OpenSpiel, in C++ through its Python binding."""
    game = pyspiel.load_game(name)
    draw = Random(1).random

    def play() -> int:
        state = game.new_initial_state()
        count = 0
        while not state.is_terminal():
            moves = state.legal_actions()
            state.apply_action(moves[int(draw() * len(moves))])
            count += 1
        return count

    return play


def judged(game: Game, seats: int, turns: int) -> Callable[[], int]:
    """check() and play() of given moves, those of the first `turns` of a random game."""
    rng = Random(1)
    state: Any = game.start(seats, rng)
    script = []
    for _ in range(turns):
        slides = [move for move in state.legal_moves() if type(move).__name__ != "Pass"]
        script.append((state, rng.choice(slides)))
        state = state.play(script[-1][1])

    def judge() -> int:
        for position, move in script:
            position.check(move)
            position.play(move)
        return len(script)

    return judge


def labyrinth_moves() -> Callable[[], int]:
    """legal_moves() of ten positions of a random game."""
    rng = Random(1)
    state = Labyrinth().start(4, rng)
    states = []
    for _ in range(10):
        for _ in range(5):
            state = state.play(rng.choice(state.legal_moves()))
        states.append(state)

    def generate() -> int:
        for position in states:
            position.legal_moves()
        return len(states)

    return generate


def chess_moves() -> Callable[[], int]:
    board = chess.Board(MIDDLE_GAME)

    def generate() -> int:
        for _ in range(10):
            list(board.legal_moves)
        return 10

    return generate


def process(*words: str) -> Callable[[], int]:
    """A fresh process that runs to its end."""

    def run() -> int:
        subprocess.run(words, stdout=subprocess.DEVNULL, check=True)
        return 1

    return run


def contenders() -> dict[str, Callable[[], int]]:
    python = sys.executable
    touchline = str(Path(python).with_name("touchline"))
    return {
        "hexapawn 5x5, moves": ours(Hexapawn(), 2),
        "OpenSpiel breakthrough 5x5, moves": open_spiel("breakthrough(rows=5,columns=5)"),
        "fish 5x5, moves": ours(Fish(), 2),
        "OpenSpiel connect_four, moves": open_spiel("connect_four"),
        "fish 5x5, check + play": judged(Fish(), 2, 16),
        "labyrinth 7x7, check + play": judged(Labyrinth(), 4, 16),
        "labyrinth 7x7, legal_moves": labyrinth_moves(),
        "python-chess middle game, legal_moves": chess_moves(),
        "import touchline": process(python, "-c", "import touchline"),
        "import click": process(python, "-c", "import click"),
        "touchline --help": process(touchline, "--help"),
    }


CLAIMS = [
    Claim(
        "hexapawn moves/s : OpenSpiel breakthrough",
        "hexapawn 5x5, moves",
        "OpenSpiel breakthrough 5x5, moves",
        0.5,
    ),
    Claim("fish moves/s : OpenSpiel connect_four", "fish 5x5, moves", "OpenSpiel connect_four, moves", 0.25),
    Claim(
        "cost of a labyrinth move : of a fish move",
        "labyrinth 7x7, check + play",
        "fish 5x5, check + play",
        12,
        cost=True,
    ),
    Claim(
        "cost of labyrinth legal_moves : of python-chess's",
        "labyrinth 7x7, legal_moves",
        "python-chess middle game, legal_moves",
        15,
        cost=True,
    ),
    Claim("time of import touchline : of import click", "import touchline", "import click", 1.5, cost=True),
    Claim("time of touchline --help : of import click", "touchline --help", "import click", 3, cost=True),
]

if __name__ == "__main__":
    sys.exit(report(interleaved(contenders()), CLAIMS))
