"""How we measure: several contenders in one process, in interleaved rounds, compared by the median of each.

The machine is noisy and drifts by a factor of two from hour to hour, so only ratios taken side by side
count; a bar is missed only when the median misses it by more than `SLACK`.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

ROUNDS = 7
SECONDS = 0.4
"""How long a contender runs in a round."""
SLACK = 0.15


class Claim(NamedTuple):
    """`ours` compared with `theirs`: rates should reach the bar, costs should stay under it."""

    what: str
    ours: str
    theirs: str
    bar: float
    cost: bool = False

    def ratio(self, rates: Mapping[str, float]) -> float:
        ours, theirs = rates[self.ours], rates[self.theirs]
        return theirs / ours if self.cost else ours / theirs

    def kept(self, ratio: float) -> bool:
        return ratio <= self.bar * (1 + SLACK) if self.cost else ratio >= self.bar * (1 - SLACK)


def rate(work: Callable[[], int], seconds: float = SECONDS) -> float:
    """Units of work per second; `work` says how many it did."""
    done, start = 0, time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        done += work()
    return done / spent


def interleaved(contenders: Mapping[str, Callable[[], int]], rounds: int = ROUNDS) -> dict[str, list[float]]:
    """The rates of every contender, one a round, each round running all of them."""
    rates: dict[str, list[float]] = {name: [] for name in contenders}
    gc.collect()
    gc.freeze()  # what the peers have loaded is not for anybody's turn to look through
    for number in range(rounds):
        for name, work in contenders.items():
            rates[name].append(rate(work))
        print(f"round {number + 1} of {rounds}", file=sys.stderr)
    return rates


def report(rates: Mapping[str, Sequence[float]], claims: Sequence[Claim]) -> int:
    """Print the medians and the claims, as JSON with --json; 1 if a claim is not kept."""
    medians = {name: median(found) for name, found in rates.items()}
    kept = True
    rows = []
    for claim in claims:
        ratio = median(
            claim.ratio({name: found[number] for name, found in rates.items()})
            for number in range(len(rates[claim.ours]))
        )
        kept &= claim.kept(ratio)
        rows.append(
            {"claim": claim.what, "ratio": round(ratio, 3), "bar": claim.bar, "kept": claim.kept(ratio)}
        )
    if "--json" in sys.argv:
        print(json.dumps({"per_second": medians, "claims": rows}))
        return 0 if kept else 1
    for name, found in medians.items():
        print(f"{name:<46} {found:>14,.0f} /s")
    print()
    for claim, row in zip(claims, rows, strict=True):
        sign, verdict = ("<=" if claim.cost else ">="), ("kept" if row["kept"] else "MISSED")
        print(f"{claim.what:<70} {row['ratio']:>7} {sign} {claim.bar:<5} {verdict}")
    return 0 if kept else 1
