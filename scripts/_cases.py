"""Run the courses' input/output pairs through the real command and count the correct answers.

usage: scripts/cases FOLDER      FOLDER/<game>/<harness>/<n>-in.json and <n>-out.json
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

TOUCHLINE = Path(sys.executable).with_name("touchline")
SECONDS = 120
NAMES = {"xref", "xgames", "xbad", "xbad2", "xserver9", "xserver10"}
"""Harnesses that answer with lists of names, whose order does not matter."""


def answer(asked: Path) -> tuple[Path, Any, str]:
    """Return the input file, our answer to it, and an error, if there is one."""
    game, harness = asked.parts[-3:-1]
    try:
        done = subprocess.run(
            [TOUCHLINE, "harness", game, harness],
            input=asked.read_bytes(), capture_output=True, timeout=SECONDS, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return asked, None, f"no answer within {SECONDS} s"
    if done.returncode:
        return asked, None, f"exit {done.returncode}: {done.stderr.decode(errors='replace').strip()}"
    return asked, json.loads(done.stdout), ""


def same(harness: str, ours: Any, theirs: Any) -> bool:
    if harness not in NAMES:
        return bool(ours == theirs)
    return bool(_sorted_names(ours) == _sorted_names(theirs))


def _sorted_names(value: Any) -> Any:
    if isinstance(value, list) and all(isinstance(name, str) for name in value):
        return sorted(value)
    return [_sorted_names(part) for part in value] if isinstance(value, list) else value


def main() -> int:
    if len(sys.argv) != 2 or not Path(sys.argv[1]).is_dir():
        print(__doc__, file=sys.stderr)
        return 2
    pairs = sorted(Path(sys.argv[1]).glob("*/*/*-in.json"))
    right: Counter[str] = Counter()
    total = Counter(pair.parts[-3] for pair in pairs)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for done, (asked, ours, wrong) in enumerate(pool.map(answer, pairs), 1):
            game, harness = asked.parts[-3:-1]
            theirs = json.loads(asked.with_name(asked.name.replace("-in", "-out")).read_bytes())
            if not wrong and same(harness, ours, theirs):
                right[game] += 1
            else:
                print(f"{game} {harness} {asked.name}: {wrong or f'{ours} instead of {theirs}'}")
            if sys.stderr.isatty():
                print(f"\r{done} of {len(pairs)}", end="", file=sys.stderr)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    games = ", ".join(f"{right[game]} of {total[game]} {game}" for game in sorted(total))
    print(f"{right.total()} of {len(pairs)} pairs agree: {games}")
    return 0 if pairs and right.total() == len(pairs) else 1


if __name__ == "__main__":
    sys.exit(main())
