"""How much of its game's kernels a player compiles for its first match, in CPU time of the compiler.

Each measurement is a process of its own with an empty cache. What a player needs is compared with all kernels
of its game, each callable from Python: what was compiled when importing a kernel compiled it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from functools import partial
from typing import TYPE_CHECKING

from measure import Claim, in_rounds, report

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rows import Measure

PLAYERS = {"shark": ("fish", 2), "perfect": ("hexapawn", 2), "minotaur": ("labyrinth", 2)}
NEEDED = """
import sys
from time import process_time
from touchline.bots.shared import factory
from touchline.core import registry
player, game, seats = sys.argv[1:]
factory.check(player, game)  # import it
start = process_time()
factory.kind(player).compile_kernels(registry.game(game, {}), int(seats))
print(process_time() - start)
"""
ALL = """
import sys
from time import process_time
from touchline.bots.kernels import __main__ as every
start = process_time()
every.main([sys.argv[1]])
print(process_time() - start)
"""
BARS = {"shark": 0.6, "perfect": 0.5, "minotaur": 0.8}
CLAIMS = [
    Claim(
        f"{player}: for a first match, beside all of {game}", f"{player} needs", f"all of {game}", bar, True
    )
    for (player, (game, _)), bar in zip(PLAYERS.items(), BARS.values(), strict=True)
]


def compiled(row: str, code: str, *words: str) -> dict[str, float]:
    """Compile in another process; return how often per 1,000 seconds of CPU time."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-c", code, *words],
            capture_output=True, text=True, check=True, env={**os.environ, "TOUCHLINE_CACHE": folder},
        )  # fmt: skip
    return {row: 1000 / float(done.stdout)}


def contenders() -> Mapping[str, Measure]:
    found: dict[str, Measure] = {}
    for player, (game, seats) in PLAYERS.items():
        row = f"{player} needs"
        found[row] = partial(compiled, row, NEEDED, player, game, str(seats))
        found[f"all of {game}"] = partial(compiled, f"all of {game}", ALL, game)
    return found


def main() -> int:
    return report(in_rounds(contenders()), CLAIMS)


if __name__ == "__main__":
    sys.exit(main())
