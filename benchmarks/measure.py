"""How we measure: several contenders in one process, in interleaved rounds, compared by the median of each.

The machine is noisy and drifts by a factor of two from hour to hour, so only ratios taken side by side
count. Each claim is printed with the interval of its rounds: see `verdict.py`. Options of every benchmark:
`--rounds N`, `--json`, and `--rows` for the row protocol of `rows.py`.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from functools import partial
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

import rows
from verdict import ENOUGH, TOO_FEW, judge

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from verdict import Judged

ROUNDS = 7
SECONDS = 0.4
"""How long a contender runs in a round."""


class Claim(NamedTuple):
    """`ours` compared with `theirs`: rates should reach the bar, costs should stay under it."""

    what: str
    ours: str
    theirs: str
    bar: float | None
    """None: the ratio is printed and not judged."""
    cost: bool = False

    def judged(self, rates: Mapping[str, Sequence[float]]) -> Judged:
        """Judge the ratios of the rounds."""
        pairs = zip(rates[self.ours], rates[self.theirs], strict=True)
        ratios = [theirs / ours if self.cost else ours / theirs for ours, theirs in pairs]
        return judge(self.what, ratios, self.bar, cost=self.cost)


def rate(work: Callable[[], int], seconds: float = SECONDS) -> float:
    """Units of work per second; `work` says how many it did."""
    done, start = 0, time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        done += work()
    return done / spent


def measures(contenders: Mapping[str, Callable[[], int]]) -> dict[str, rows.Measure]:
    """Measure each contender by the clock: it has one row, which bears its name."""
    return {name: partial(_measured, name, work) for name, work in contenders.items()}


def _measured(name: str, work: Callable[[], int]) -> dict[str, float]:
    return {name: rate(work)}


def interleaved(contenders: Mapping[str, Callable[[], int]], rounds: int = ROUNDS) -> dict[str, list[float]]:
    """The rates of every contender, one a round, each round running all of them."""
    return in_rounds(measures(contenders), rounds)


def in_rounds(measures: Mapping[str, rows.Measure], rounds: int = ROUNDS) -> dict[str, list[float]]:
    """The rates of every row, one a round. With `--rows` the parent process chooses what is measured when."""
    gc.collect()
    gc.freeze()  # what the peers have loaded is not for anybody's turn to look through
    if rows.asked():
        rows.serve(measures)
        sys.exit()
    rates: dict[str, list[float]] = {}
    rounds = rounds_asked(rounds)
    if rounds < ENOUGH:
        print(TOO_FEW, file=sys.stderr)
    for number in range(rounds):
        for measure in measures.values():
            for row, found in measure().items():
                rates.setdefault(row, []).append(found)
        print(f"round {number + 1} of {rounds}", file=sys.stderr)
    return rates


def rounds_asked(default: int) -> int:
    """Return N of `--rounds N`."""
    if "--rounds" not in sys.argv:
        return default
    after = sys.argv[sys.argv.index("--rounds") + 1 :]
    if not after or not after[0].isdecimal() or int(after[0]) < 1:
        sys.exit("--rounds needs a number of rounds, 1 or more")
    return int(after[0])


def report(rates: Mapping[str, Sequence[float]], claims: Sequence[Claim]) -> int:
    """Print the medians and the claims, as JSON with --json; 1 if a claim is not kept."""
    medians = {name: median(found) for name, found in rates.items()}
    judged = [claim.judged(rates) for claim in claims]
    if "--json" in sys.argv:
        print(json.dumps({"per_second": medians, "claims": [claim.as_json() for claim in judged]}))
    else:
        for name, found in medians.items():
            print(f"{name:<46} {found:>14,.0f} /s")
        print()
        for claim in judged:
            print(claim.line())
    return 0 if all(claim.kept for claim in judged) else 1
