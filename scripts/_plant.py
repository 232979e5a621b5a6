"""Plant the bugs of tests/plant/bugs.toml one at a time into a copy of src; show which test catches each.

A bug belongs to a suite of tests. The tests that it names, which are likely to catch it, run first, and the
rest of its suite only if these pass.

Words select the bugs whose suite, file or name contains one of them; `--src` plants into a copy of another
tree than src. Exit code 1 if more than MOST_MISSED bugs are not caught, 2 if a bug does not fit the source
or the tests fail without a bug.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

ROOT = Path(__file__).parent.parent
BUGS = ROOT / "tests" / "plant" / "bugs.toml"
WORKERS = 2
MOST_MISSED = 2
PATIENCE = 300
"""Timeout of the tests of one bug, in seconds."""

SUITES: dict[str, tuple[str, ...]] = {
    "referee": (
        "referee/test_clock.py",
        "referee/test_conduct.py",
        "referee/test_set_up.py",
        "referee/test_verdicts.py",
        "referee/test_sanctions.py",
        "referee/test_offence_counts.py",
        "referee/test_absent_seats.py",
        "referee/test_match_end.py",
        "referee/test_turns.py",
        "referee/test_referee_messages.py",
        "referee/test_refused_seats.py",
        "referee/test_resigning.py",
        "referee/test_next_goal.py",
        "referee/test_next_goal_faults.py",
        "referee/test_next_goal_end.py",
        "referee/test_next_goal_meanwhile.py",
        "referee/test_play_now.py",
        "referee/test_seeds.py",
        "referee/test_record_verify.py",
        "referee/test_campaign.py::test_any_small_script",
        "referee/test_campaign.py::test_any_script[0]",
        "referee/test_campaign.py::test_any_script[1]",
        "referee/test_campaign.py::test_a_changed_record_is_refused[0]",
    ),
    "start": ("games/test_labyrinth_start.py", "records/test_old_records.py"),
    "alone": ("referee/test_alone.py", "dialects/test_dialects_alone.py"),
    "takeback": ("referee/test_take_back.py", "resume/test_take_back_past.py"),
    "dialects": (
        "test_transcripts.py",
        "dialects/test_calls.py",
        "dialects/test_seed_000.py",
        "dialects/test_seed_001.py",
        "dialects/test_seed_002.py",
        "dialects/test_seed_003.py",
        "dialects/test_seed_004.py",
        "dialects/test_fish_course_dialect.py",
        "dialects/test_labyrinth_course.py",
        "dialects/test_labyrinth_dialects.py",
        "dialects/test_oz_face.py",
        "players/test_native.py",
    ),
    "drivers": (
        "transports/test_framing.py",
        "players/test_timekeeper.py",
        "core/test_fast_lane.py",
        "players/test_pipes.py",
        "players/test_remote.py",
        "transports/test_connections.py",
        "server/test_knock.py",
        "server/test_lobby.py",
        "players/test_rogues_virtual.py",
        "players/test_virtual_deadlines.py",
        "players/test_virtual_failures.py",
        "server/test_listen_url.py",
        "server/test_door.py",
        "server/test_door_limits.py",
    ),
    "bots": (
        "bots/test_generic.py",
        "bots/test_her.py",
        "bots/test_her_memory.py",
        "bots/test_bots_hear_result.py",
        "bots/test_compiling.py",
    ),
    "cup": (
        "tournament/ledger/test_ledger.py",
        "tournament/ratings/test_sprt.py",
        "tournament/test_formats_round_robin.py",
        "tournament/test_formats_swiss.py",
        "tournament/test_formats_knockout.py",
        "tournament/test_formats_laws.py",
    ),
    "environments": ("environments/test_pettingzoo_env.py", "environments/test_gymnasium_env.py"),
    "signing": ("records/test_signing.py", "records/test_key_files.py", "cli/test_keys_cli.py"),
    "records": (
        "records/test_rerun.py",
        "records/test_questions.py",
        "records/test_shrink.py",
        "records/test_any_record.py::test_any_record",
        "cli/test_terminal_escapes.py",
        "records/test_tampering.py",
        "records/test_faults.py",
        "records/test_record_limits.py",
        "records/test_hidden_seed.py",
        "records/test_old_records.py",
        "cli/test_verify_records.py",
    ),
    "resume": ("resume/test_past.py", "resume/test_killed_play.py", "dialects/test_native_face.py"),
    "page": (
        "web/test_web_guard.py",
        "web/test_web_feed.py",
        "web/test_web_records.py",
        "web/test_web_compiling.py",
    ),
    "fuel": (
        "referee/test_fuel.py",
        "players/test_wasm_runner.py",
        "records/test_module_rerun.py",
        "players/test_wasm_match.py",
    ),
    "rules": ("games/test_rules_pages.py", "cli/test_rules_cli.py", "test_pictures.py"),
    "leaks": ("leaks/test_planted_leaks.py", "leaks/test_leaks_check.py"),
    "isolation": ("sandbox",),
    "league": (
        "league/test_front_desk.py",
        "league/test_league_loop.py",
        "league/test_matchmaking.py",
        "web/test_web_league.py",
    ),
    "bundles": ("bundles",),
    "templates": ("templates",),
    "grading": ("grading",),
    "doctor": ("cli/test_doctor.py",),
    "reasons": (
        "players/test_lateness.py",
        "players/test_runnable.py",
        "players/test_process_exit.py",
        "players/test_host.py",
        "players/test_player_check.py",
        "players/test_crash_report.py",
        "dialects/test_misread.py",
    ),
    "output": (
        "players/test_stderr_sinks.py",
        "referee/test_untimed_seats.py",
        "tournament/test_comparison.py",
        "matches/test_many.py",
        "cli/test_player_output.py",
    ),
    "courses": (
        "courses/test_lenient.py",
        "courses/test_course_server.py",
        "courses/test_course_clients.py",
        "cli/test_join_messages.py",
    ),
    "docs": ("docs/test_site.py", "docs/test_pages_text.py"),
}
"""The tests of each suite, of which one must catch a bug, the likely ones first."""
PYTEST = (
    "-x",
    "-q",
    "--no-header",
    "--tb=no",
    "-p",
    "no:cacheprovider",
    "--timeout=30",
    "--hypothesis-seed=0",
)
RUN = """
import sys, touchline, touchline.records.replay, touchline.records.recorder
assert touchline.__file__.startswith(sys.argv[1]), f"these tests would run against {touchline.__file__}"
import pytest
sys.exit(pytest.main(sys.argv[2:]))
"""


class Bug(NamedTuple):
    file: str
    name: str
    old: str
    new: str
    suite: str = "referee"
    tests: Sequence[str] = ()


class Seen(NamedTuple):
    caught: bool
    by: str
    seconds: float


class DidNotRun(Exception):
    """The tests did not run, so they neither caught nor missed the bug."""


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("words", nargs="*")
    parser.add_argument("--src", type=Path, default=ROOT / "src")
    parser.add_argument("--share", type=int, default=1, metavar="N", help="one in N, other ones each time")
    chosen = parser.parse_args()
    source: Path = chosen.src.resolve()
    bugs = [Bug(**entry) for entry in tomllib.loads(BUGS.read_text())["bug"]]
    if rotten := [bug for bug in bugs if (source / "touchline" / bug.file).read_text().count(bug.old) != 1]:
        for bug in rotten:
            print(f"{bug.file}: {bug.name}: the file must contain the old text exactly once", file=sys.stderr)
        return 2
    if words := chosen.words:
        bugs = [bug for bug in bugs if any(word in f"{bug.suite} {bug.file} {bug.name}" for word in words)]
    if chosen.share > 1:
        bugs = Random(_state_of(source)).sample(bugs, -(-len(bugs) // chosen.share))
    with tempfile.TemporaryDirectory(prefix="plant-") as folder:
        copies = [_copied(source, Path(folder) / str(number)) for number in range(WORKERS)]
        free: SimpleQueue[Path] = SimpleQueue()
        for copy in copies:
            free.put(copy)
        with ThreadPoolExecutor(WORKERS) as pool:
            try:
                if not all(list(pool.map(lambda suite: _sound(suite, bugs, free), SUITES))):
                    return 2
                found = list(pool.map(lambda bug: _planted(bug, free), bugs))
            except DidNotRun as wrong:
                print(wrong, file=sys.stderr)
                return 2
    missed = [bug for bug, seen in zip(bugs, found, strict=True) if not seen.caught]
    print(f"{len(bugs) - len(missed)} of {len(bugs)} bugs were caught")
    return int(len(missed) > MOST_MISSED)


def _state_of(source: Path) -> str:
    """Return a hash of the sources, so that every change selects another share of the bugs."""
    files = sorted(source.rglob("*.py"))
    return hashlib.sha256(b"".join(map(Path.read_bytes, files))).hexdigest()


def _copied(source: Path, folder: Path) -> Path:
    shutil.copytree(source, folder / "src", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def _sound(suite: str, bugs: list[Bug], free: SimpleQueue[Path]) -> bool:
    """Return whether the tests of a suite, and those that its bugs name, pass without a bug."""
    named = [test for bug in bugs if bug.suite == suite for test in bug.tests]
    if not any(bug.suite == suite for bug in bugs):
        return True
    copy = free.get()
    seen = _tested(copy, dict.fromkeys([*SUITES[suite], *named]))
    free.put(copy)
    verdict = f"FAILED {seen.by}" if seen.caught else "passed"
    print(f"{suite} without a bug: {verdict} in {seen.seconds:.0f} s", flush=True)
    return not seen.caught


def _planted(bug: Bug, free: SimpleQueue[Path]) -> Seen:
    """Plant a bug into a copy, and return whether the tests catch it."""
    copy = free.get()
    file = copy / "src" / "touchline" / bug.file
    sound = file.read_text()
    try:
        file.write_text(sound.replace(bug.old, bug.new))
        seen = _caught(bug, copy)
    except DidNotRun as wrong:
        raise DidNotRun(f"{bug.file}: {bug.name}: {wrong}") from None
    finally:
        file.write_text(sound)
        free.put(copy)
    verdict = seen.by if seen.caught else "NOT CAUGHT"
    print(f"{bug.file:34} {bug.name:56} {seen.seconds:4.0f} s  {verdict}", flush=True)
    return seen


def _caught(bug: Bug, copy: Path) -> Seen:
    """Run the tests that the bug names, then, if they pass, those of its suite."""
    named = _tested(copy, bug.tests) if bug.tests else Seen(False, "", 0)
    if named.caught:
        return named
    seen = _tested(copy, [test for test in SUITES[bug.suite] if test not in bug.tests])
    return seen._replace(seconds=named.seconds + seen.seconds)


def _tested(copy: Path, tests: Iterable[str]) -> Seen:
    """Run tests against a copy, and return what they found."""
    source = str(copy / "src")
    surroundings = os.environ | {
        "PYTHONPATH": source,
        "PYTHONDONTWRITEBYTECODE": "1",  # two bugs may have equal size and mtime
        "HYPOTHESIS_STORAGE_DIRECTORY": str(copy / "hypothesis"),
    }
    began = time.monotonic()
    command = [sys.executable, "-c", RUN, source, *PYTEST, *(f"tests/{test}" for test in tests)]
    try:
        run = subprocess.run(
            command, cwd=ROOT, env=surroundings, capture_output=True, text=True, timeout=PATIENCE, check=False
        )
    except subprocess.TimeoutExpired:
        return Seen(True, "time-out", time.monotonic() - began)
    seconds = time.monotonic() - began
    if run.returncode == 0:
        return Seen(False, "", seconds)
    if failed := re.search(r"^(?:FAILED|ERROR) \S*?(\w+\.py(?:::\S+)?)", run.stdout, re.MULTILINE):
        return Seen(True, failed[1], seconds)
    if run.returncode == pytest.ExitCode.INTERNAL_ERROR or run.returncode < 0:
        # The timeout of an endless loop may strike anywhere, also inside pytest's plugins.
        return Seen(True, f"the tests broke down, exit {run.returncode}", seconds)
    if "Timeout" in run.stdout + run.stderr:
        return Seen(True, "time-out", seconds)
    raise DidNotRun(f"the tests did not run, exit {run.returncode}:\n{run.stdout}\n{run.stderr}")


if __name__ == "__main__":
    sys.exit(main())
