"""Compile every kernel into the cache: `python -m touchline.bots.kernels [fish hexapawn labyrinth]`.

An image or a test run compiles them once this way, before many processes need them.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

from touchline.bots.kernels import COMPILES, compile_kernels


def main(games: list[str]) -> None:
    """Compile all kernels of these games, or of all games, so that Python can call each of them."""
    if not COMPILES:
        return
    from touchline.bots.kernels.compiler import Kernel

    files = sorted(path.stem for path in Path(__file__).parent.glob("*.py"))
    for name in files:
        if not name.startswith("_") and (not games or name.partition("_")[0] in games):
            module = importlib.import_module(f"touchline.bots.kernels.{name}")
            found = [one for one in vars(module).values() if isinstance(one, Kernel)]
            compile_kernels(name, [one for one in found if one.__module__ == module.__name__])


if __name__ == "__main__":
    main(sys.argv[1:])
