"""Compare this source tree with an older one: the same benchmark, one process for each tree, interleaved.

    scripts/bench --against REF [NAME ...] [--rounds 9] [--only TEXT] [--json]

REF is checked out as a git worktree in a temporary folder, which is removed afterwards. Each side runs its
own `benchmarks/` with its own `src/`, and waits while the other one is measured. A contender runs on one
side, then on the other. Who is first changes from round to round. The first round, a warm-up, does not count.
A row is kept if this tree reaches 0.97 of the rate of REF: nothing is slower than 3 %.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

from verdict import ENOUGH, TOO_FEW, judge

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from verdict import Judged

HERE = Path(__file__).resolve().parent
NAMES = ("rules", "referee", "network", "engine", "tournament")
"""Benchmarks of rates. The others, such as `page`, hold figures to limits: there is nothing to interleave."""
ROUNDS = 9
"""The fewest for which the interval can leave out the most disturbed round on each side."""
BAR = 0.97
"""This tree's rate : that of the older one."""
PARTING = 20
"""Seconds that a benchmark may take to stop its servers and workers."""


class Failed(Exception):
    """The comparison cannot be made; the text says why."""


# -- the older tree ---------------------------------------------------------------------------------


def git(*words: str, check: bool = True) -> str:
    done = subprocess.run(["git", "-C", HERE, *words], capture_output=True, text=True, check=False)
    if check and done.returncode:
        raise Failed(f"git {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout.strip()


@contextmanager
def checkout(ref: str) -> Iterator[Path]:
    """Check out a commit in a temporary folder, and remove it at the end, also after Ctrl-C."""
    commit = git("rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}", check=False)
    if not commit:
        raise Failed(f"{ref} is no commit of this repository: name a branch, a tag or a hash")
    with tempfile.TemporaryDirectory(prefix="touchline-bench-") as folder:
        tree = Path(folder).resolve() / "tree"
        try:
            git("worktree", "add", "--quiet", "--detach", str(tree), commit)
            yield tree
        finally:
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second Ctrl-C must not leave the worktree behind
            git("worktree", "remove", "--force", str(tree), check=False)
            signal.signal(signal.SIGINT, signal.default_int_handler)


# -- one side ---------------------------------------------------------------------------------------


def command(tree: Path, name: str) -> list[str]:
    """Return the command that serves a benchmark's rows: its own, or the shim if the tree is too old."""
    folder = tree / "benchmarks"
    if not (folder / f"{name}.py").is_file():
        raise Failed(f"{tree} has no benchmarks/{name}.py")
    if (folder / "rows.py").is_file():
        return [sys.executable, str(folder / f"{name}.py"), "--rows"]
    return [sys.executable, str(HERE / "rows_shim.py"), str(folder), name]


def environment(tree: Path) -> dict[str, str]:
    """Return the environment in which `touchline` is that of the tree."""
    path = os.pathsep.join(filter(None, (str(tree / "src"), os.environ.get("PYTHONPATH"))))
    return {**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "0"}


class Side:
    """A benchmark of one tree, in a process that measures a contender when it is told to."""

    def __init__(self, tree: Path, name: str) -> None:
        self._tree, self._log = tree, tempfile.TemporaryFile()  # noqa: SIM115 - closed by `stop`
        self._process = subprocess.Popen(
            command(tree, name), cwd=tree, env=environment(tree), stderr=self._log,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def contenders(self) -> list[str]:
        """Wait until the benchmark is ready; the names of its contenders."""
        told = self._answer()
        if not Path(told["package"]).resolve().is_relative_to(self._tree):
            raise Failed(f"{self._tree} was measured with the package of another tree: {told['package']}")
        names: list[str] = told["contenders"]
        return names

    def measure(self, contender: str) -> dict[str, float]:
        """Measure a contender once; the rate of each of its rows."""
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # then there is no answer either
            self._process.stdin.write(contender + "\n")
            self._process.stdin.flush()
        rates: dict[str, float] = self._answer()
        return rates

    def _answer(self) -> Any:
        assert self._process.stdout is not None
        with suppress(json.JSONDecodeError):
            return json.loads(self._process.stdout.readline())
        self._log.seek(0)
        log = self._log.read().decode(errors="replace")
        raise Failed(f"the benchmark of {self._tree} gave no rows; it wrote:\n{log}")

    def stop(self) -> None:
        """Let the benchmark stop what it has started; kill it if it does not."""
        try:
            self._process.communicate(timeout=PARTING)  # this closes its stdin
        except (subprocess.TimeoutExpired, BrokenPipeError):
            self._process.kill()
            self._process.wait()
        self._log.close()


# -- both sides -------------------------------------------------------------------------------------


class Compared(NamedTuple):
    """A row that both trees have: the rates of both, round by round."""

    row: str
    this: list[float]
    that: list[float]

    def judged(self) -> Judged:
        ratios = [this / that for this, that in zip(self.this, self.that, strict=True)]
        return judge(self.row, ratios, BAR)

    def line(self) -> str:
        found = self.judged()
        return (
            f"{self.row:<46} {median(self.this):>13,.0f} {median(self.that):>13,.0f} {found.ratio:>8.3f} "
            f"[{found.rounds.low:.3f}, {found.rounds.high:.3f}]  {found.verdict}"
        )

    def as_json(self) -> dict[str, object]:
        found = self.judged().as_json()
        del found["claim"]
        return {"row": self.row, "this": median(self.this), "that": median(self.that), **found}


class Comparison(NamedTuple):
    """The rows of a benchmark: those of both trees, and those that only one has.

    A rate of 0 is no measurement: a tree that has one does not have the row.
    """

    both: list[Compared]
    only_this: list[str]
    only_that: list[str]


Rates = dict[str, list[float]]


def rounds_of(sides: tuple[Side, Side], contenders: Sequence[str], rounds: int) -> tuple[Rates, Rates]:
    """Measure the contenders on both sides in turn; the rates of this tree and of that one."""
    rates: tuple[Rates, Rates] = ({}, {})
    for number in range(rounds + 1):
        for contender in contenders:
            for side in (0, 1) if number % 2 else (1, 0):
                for row, rate in sides[side].measure(contender).items():
                    rates[side].setdefault(row, []).append(rate)
        print("warmed up" if not number else f"round {number} of {rounds}", file=sys.stderr)
    this, that = ({row: found[1:] for row, found in side.items() if all(found[1:])} for side in rates)
    return this, that


def compared(trees: tuple[Path, Path], name: str, rounds: int, only: str) -> Comparison:
    """Run a benchmark of both trees, interleaved."""
    with ExitStack() as stack:
        sides = []
        for tree in trees:
            sides.append(Side(tree, name))
            stack.callback(sides[-1].stop)
        this, that = ([row for row in side.contenders() if only in row] for side in sides)
        both = [row for row in this if row in that]
        ours, theirs = rounds_of((sides[0], sides[1]), both, rounds)
    return Comparison(
        [Compared(row, ours[row], theirs[row]) for row in ours if row in theirs],
        missing([*(set(this) - set(both)), *ours], theirs),
        missing([*(set(that) - set(both)), *theirs], ours),
    )


def missing(here: Sequence[str], there: Rates) -> list[str]:
    """Return the rows of one side that the other one does not have."""
    return sorted(row for row in here if row not in there)


def show(name: str, ref: str, found: Comparison) -> None:
    """Print a benchmark's rows as a table."""
    print(f"\n{name + ', units of work per second':<46} {'this tree':>13} {ref[:13]:>13} {'ratio':>8}")
    for row in found.both:
        print(row.line())
    for names, where in ((found.only_this, "this tree"), (found.only_that, ref)):
        for row_name in names:
            print(f"{row_name:<46} only in {where}")


def show_json(name: str, ref: str, found: Comparison) -> None:
    """Print a benchmark's rows as JSON lines."""
    for row in found.both:
        print(json.dumps({"benchmark": name, "against": ref, **row.as_json()}))
    for names, where in ((found.only_this, "this"), (found.only_that, "that")):
        for row_name in names:
            print(json.dumps({"benchmark": name, "against": ref, "row": row_name, "only_in": where}))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="scripts/bench --against", description=__doc__.splitlines()[0] if __doc__ else ""
    )
    parser.add_argument("ref", metavar="REF", help="the commit to compare with")
    parser.add_argument("names", metavar="NAME", nargs="*", help=f"of {', '.join(NAMES)} (all)")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"rounds that count ({ROUNDS})")
    parser.add_argument("--only", default="", metavar="TEXT", help="contenders with this text in their name")
    parser.add_argument("--json", action="store_true", help="a JSON line a row")
    options = parser.parse_args()
    if unknown := set(options.names) - set(NAMES):
        parser.error(f"no rates to compare in {', '.join(sorted(unknown))}: choose from {', '.join(NAMES)}")
    if options.rounds < 1:
        parser.error("--rounds needs a number of rounds, 1 or more")
    if options.rounds < ENOUGH:
        print(TOO_FEW, file=sys.stderr)
    return options


def main() -> int:
    options = arguments()
    signal.signal(
        signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM)
    )  # so that the worktree is removed
    kept = True
    try:
        with checkout(options.ref) as tree:
            for name in options.names or NAMES:
                found = compared((HERE.parent, tree), name, options.rounds, options.only)
                (show_json if options.json else show)(name, options.ref, found)
                kept &= all(row.judged().kept for row in found.both)
    except Failed as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
