"""How fast the compiled kernels are, beside the pure rules and beside the same algorithms in C.

Each game's contenders and claims are in a file of their own; they run in one process, in interleaved rounds.
"""

from __future__ import annotations

import sys

import kernels_fish
import kernels_hexapawn
import kernels_labyrinth
from measure import interleaved, report

PARTS = (kernels_fish, kernels_hexapawn, kernels_labyrinth)


def main() -> int:
    contenders = {name: work for part in PARTS for name, work in part.contenders().items()}
    claims = [claim for part in PARTS for claim in part.CLAIMS]
    return report(interleaved(contenders), claims)


if __name__ == "__main__":
    sys.exit(main())
