"""Small submissions for the tests, and a rubric that they are graded by."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from touchline.bundles.store import BundleStore
from touchline.grading.rubric import parse
from touchline.grading.submissions import read_all

if TYPE_CHECKING:
    from pathlib import Path

    from touchline.grading.rubric import Rubric
    from touchline.grading.submissions import HandedIn

FIRST = "class Bot:\n    def choose(self, view, turn):\n        return view.legal_moves()[0]\n"
WINNER = """
class Bot:
    def choose(self, view, turn):
        return max(view.legal_moves(), key=lambda move: worth(view.play(move), view.to_move))

def worth(state, me):
    if state.to_move is None:
        return 1 if me in state.outcome().winners else -1
    best = max if state.to_move == me else min
    return best(worth(state.play(move), me) for move in state.legal_moves())
"""
CRASHER = "class Bot:\n    def choose(self, view, turn):\n        raise RuntimeError('<b>no idea</b>')\n"
CHEAT = """
from touchline.games.hexapawn import Step
class Bot:
    def choose(self, view, turn):
        return Step((0, 0), (0, 0))
"""
SLEEPER = "import time\nclass Bot:\n    def choose(self, view, turn):\n        time.sleep(1e6)\n"
"""It hangs without work: a busy loop on a busy machine may be starved instead of late."""
BABBLER = "import sys\nfor line in sys.stdin:\n    print('hello', flush=True)\n"
VANDAL = """
import pathlib, sys
class Bot:
    def choose(self, view, turn):
        done = []
        for place in [pathlib.Path(__file__).parent, *sorted(pathlib.Path(__file__).parents[1].glob("*"))]:
            try:
                (place / "bot.py").write_text("broken")
                done.append(place)
            except OSError:
                pass
        sys.stderr.write(f"wrote {len(done)} files")
        return view.legal_moves()[0]
"""
TERMS = """
name = "Small"
seed = 7
[game]
name = "hexapawn"
rows = 3
cols = 3
[clock]
seconds = 30
set_up = 60
"""
GAMES = (
    TERMS
    + """
[[steps]]
name = "games"
against = "random"
games = 2
points = 10
needs = {wins = 1, clean = 1}
"""
)


def rubric(text: str, folder: Path) -> Rubric:
    return parse(text, "rubric.toml", folder, BundleStore(folder / "store"))


def handed_in(folder: Path, **files: str) -> list[HandedIn]:
    """Submissions of one Python file each; `process_NAME` is a program that Python runs."""
    paths = []
    for name, text in files.items():
        place = folder / "in" / name.removeprefix("process_")
        place.mkdir(parents=True, exist_ok=True)
        (place / "bot.py").write_text(text)
        if name.startswith("process_"):
            (place / "touchline.toml").write_text(f'player = "process:{sys.executable} bot.py"')
        paths.append(place)
    return read_all(paths, BundleStore(folder / "store"))
