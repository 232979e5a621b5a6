"""Run a siege on several cores: `scripts/siege`, or `python -m mutant_siege` with `tests` on PYTHONPATH."""

from __future__ import annotations

import argparse
import multiprocessing
import os
import secrets
import sys
import time
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from dialects.mutant_moments import SETTINGS
from mutant_siege.plan import DOORS, WAYS, guarded, plan
from mutant_siege.units import Failure, Outcome, Unit

if TYPE_CHECKING:
    from collections.abc import Sequence

EVERY = 10.0
"""Seconds between two lines of progress."""
EXAMPLES = """examples:
  scripts/siege                                          ten million at the decoders, a million at live seats
  scripts/siege --messages 100000 --live 10000           a hundredth of that
  scripts/siege --seed 2c91 --messages 0 --live 50000    the doors only, with the seed of another run
  scripts/siege --messages 0 --doors page,tcp            two of the doors
  scripts/siege --seed 2c91 --unit tcp:3:17:1000         one unit again, as a failure names it

The exit code is 4 if there was an exception, a logged traceback, a void match, or a harmed honest player."""


class Report(Struct):
    """What a siege found."""

    seed: str
    seconds: float = 0.0
    messages: dict[str, int] = {}
    matches: dict[str, int] = {}
    failures: list[Failure] = []

    def add(self, outcome: Outcome) -> None:
        """Count the outcome of a unit."""
        where = outcome.where
        self.messages[where] = self.messages.get(where, 0) + outcome.messages
        self.matches[where] = self.matches.get(where, 0) + outcome.matches
        self.failures += outcome.failures


def options(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "scripts/siege",
        description="Send mutated messages to the decoders, and from live seats over every door.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--messages", type=int, default=10_000_000, help="messages at the decoders")
    parser.add_argument("--live", type=int, default=1_000_000, help="messages at live seats, over all doors")
    parser.add_argument(
        "--doors", type=_doors, default=tuple(DOORS), help=f"some of {','.join(DOORS)}; default: all"
    )
    parser.add_argument("--seed", default=None, help="repeat a siege: its seed; without one it is random")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="worker processes, one per core")
    parser.add_argument("--unit", type=_unit, help="run one unit only, WHERE:SETTING:NUMBER:MESSAGES")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    found = parser.parse_args(words)
    if min(found.messages, found.live, found.jobs - 1) < 0:
        parser.error("--messages and --live must not be negative, and --jobs at least 1")
    return found


def _doors(text: str) -> tuple[str, ...]:
    doors = tuple(text.split(","))
    if not set(doors) <= set(DOORS):
        raise ValueError(text)
    return doors


def _unit(text: str) -> tuple[str, int, int, int]:
    where, *numbers = text.split(":")
    setting, number, messages = map(int, numbers)
    if where not in WAYS or not 0 <= setting < len(SETTINGS):
        raise ValueError(text)
    return where, setting, number, messages


def besiege(todo: Sequence[Unit], jobs: int, report: Report) -> None:
    """Run all units in worker processes, a few ahead of those that run."""
    left, began, shown = iter(todo), time.monotonic(), time.monotonic()
    running: dict[Future[Outcome], Unit] = {}
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
        while True:
            while len(running) < 2 * jobs and (unit := next(left, None)) is not None:
                running[pool.submit(guarded, unit)] = unit
            if not running:
                return
            done, _ = wait(running, timeout=EVERY, return_when=FIRST_COMPLETED)
            for future in done:
                unit = running.pop(future)
                try:
                    report.add(future.result())
                except BrokenProcessPool:
                    why = "the process of this unit or of another died"
                    report.failures.append(Failure(unit.where, why, repeat=unit.repeat))
                    return
            if time.monotonic() - shown > EVERY:
                shown = time.monotonic()
                sys.stderr.write(_progress(report, shown - began) + "\n")


def _progress(report: Report, seconds: float) -> str:
    counts = ", ".join(f"{where} {count:,}" for where, count in sorted(report.messages.items()))
    return f"{seconds:5.0f} s: {counts}; {len(report.failures)} failures"


def main(words: Sequence[str]) -> int:
    wanted = options(words)
    seed = wanted.seed or secrets.token_hex(4)
    if wanted.unit is None:
        todo = plan(wanted.messages, wanted.live, seed, wanted.doors)
    else:
        where, setting, number, messages = wanted.unit
        todo = [Unit(where, setting, number, messages, seed)]
    sys.stderr.write(f"siege with seed {seed}: {len(todo):,} units on {wanted.jobs} cores\n")
    report, began = Report(seed), time.monotonic()
    besiege(todo, wanted.jobs, report)
    report.seconds = round(time.monotonic() - began, 1)
    if wanted.json:
        sys.stdout.write(msgspec.json.encode(report).decode() + "\n")
    else:
        lines = [_progress(report, report.seconds), f"{sum(report.matches.values()):,} matches"]
        sys.stdout.write("\n".join([*lines, *map(str, report.failures)]) + "\n")
    return 4 if report.failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
