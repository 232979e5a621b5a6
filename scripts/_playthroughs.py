"""Regenerate the golden play-throughs: tests/playthroughs/<name>.txt, one for each entry of GAMES."""

from __future__ import annotations

from pathlib import Path

from touchline import game
from touchline.testing import playthrough

FOLDER = Path(__file__).parent.parent / "tests" / "playthroughs"

GAMES: dict[str, tuple[str, dict[str, object], int, int]] = {
    "fish": ("fish", {}, 2, 1),
    "fish-4-seats-holes": ("fish", {"rows": 6, "cols": 4, "holes": 6}, 4, 1),
    "fish-commercial": ("fish", {"rules": "commercial"}, 3, 1),
    "hexapawn": ("hexapawn", {}, 2, 1),
    "hexapawn-3x3": ("hexapawn", {"rows": 3, "cols": 3}, 2, 1),
    "labyrinth-3x5": ("labyrinth", {"rows": 3, "cols": 5}, 2, 206),
    "labyrinth-4x5-goals": ("labyrinth", {"rows": 4, "cols": 5, "goals": 2}, 2, 1136),
    "labyrinth-6-seats": ("labyrinth", {"rows": 7, "cols": 9}, 6, 1),
}
"""By file name: the game, its options, the number of seats, and the seed."""


def written() -> dict[str, str]:
    """Return every play-through by the name of its file."""
    return {
        f"{name}.txt": playthrough(game(kind, options), seats, seed)
        for name, (kind, options, seats, seed) in GAMES.items()
    }


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for stale in set(FOLDER.glob("*.txt")):
        stale.unlink()
    for name, text in written().items():
        (FOLDER / name).write_text(text)
        print(f"wrote tests/playthroughs/{name}")
