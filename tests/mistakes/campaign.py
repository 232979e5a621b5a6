"""Twelve mistakes of a beginner in three languages, and what `touchline play` and `check player` say to each.

`scripts/mistakes` writes what they say to python.txt, javascript.txt and c.txt.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import touchline

HERE = Path(__file__).parent
TOUCHLINE = [sys.executable, "-m", "touchline"]
SOURCE = str(Path(touchline.__file__).parents[1])
"""The package that is tested, for commands that run in another folder."""
MOST_LINES = 5
"""The most lines of a message."""


class Mistake(NamedTuple):
    """A mistake: what it is, and the file that makes it."""

    what: str
    file: str
    late: bool = False
    """Whether the player is late, so that what is seen of it depends on the machine."""


MISTAKES: dict[str, tuple[Mistake, ...]] = {
    "python": (
        Mistake("a syntax error", "syntax_error.py"),
        Mistake("an exception", "exception.py"),
        Mistake("debug output on stdout", "print_to_stdout.py"),
        Mistake("no move is returned", "none.py"),
        Mistake("an illegal move", "illegal_move.py"),
        Mistake("an endless loop", "endless_loop.py", late=True),
        Mistake("a class that is no player", "wrong_class.py"),
        Mistake("an import that is missing", "missing_import.py"),
        Mistake("the question is misread", "wrong_reading.py"),
        Mistake("it exits too early", "early_exit.py"),
        Mistake("it starts too slowly", "slow_start.py", late=True),
        Mistake("a script that is not executable", "not_executable.py"),
    ),
    "javascript": (
        Mistake("a syntax error", "syntax_error.js"),
        Mistake("an exception", "exception.js"),
        Mistake("debug output on stdout", "print_to_stdout.js"),
        Mistake("the move is null", "null.js"),
        Mistake("an illegal move", "illegal_move.js"),
        Mistake("an endless loop", "endless_loop.js", late=True),
        Mistake("a message of the wrong type", "wrong_type.js"),
        Mistake("a module that is missing", "missing_module.js"),
        Mistake("the question is misread", "wrong_reading.js"),
        Mistake("it exits too early", "early_exit.js"),
        Mistake("it starts too slowly", "slow_start.js", late=True),
        Mistake("a script that is not executable", "not_executable.js"),
    ),
    "c": (
        Mistake("a syntax error, so it was not compiled", "syntax_error.c"),
        Mistake("a crash", "crash.c"),
        Mistake("debug output on stdout", "print_to_stdout.c"),
        Mistake("the move is null", "null.c"),
        Mistake("an illegal move", "illegal_move.c"),
        Mistake("an endless loop", "endless_loop.c", late=True),
        Mistake("a message of the wrong type", "wrong_type.c"),
        Mistake("an include that is missing, so it was not compiled", "missing_include.c"),
        Mistake("the question is misread", "wrong_reading.c", late=True),
        Mistake("it exits too early", "early_exit.c"),
        Mistake("it starts too slowly", "slow_start.c", late=True),
        Mistake("a program that is not executable", "not_executable.c"),
    ),
}
PROGRAMS = ("print_to_stdout.py", "not_executable.py")
"""Python files that are programs, and have no class to host."""


def prepared(language: str, mistake: Mistake, folder: Path) -> str:
    """Copy the file of a mistake to a folder, compile it if need be, and return the player's word."""
    source, stem = folder / mistake.file, Path(mistake.file).stem
    shutil.copyfile(HERE / language / mistake.file, source)
    if language == "c":
        built = subprocess.run(
            ["gcc", "-O0", "-o", stem, source.name], cwd=folder, capture_output=True, check=False
        )
        if built.returncode == 0 and stem == "not_executable":
            (folder / stem).chmod(0o644)
        return f"./{stem}"
    if stem == "not_executable":
        return f"process:./{mistake.file}"
    if mistake.file in PROGRAMS:
        return f"process:{shlex.quote(sys.executable)} {mistake.file}"
    return mistake.file if language == "python" else f"process:node {mistake.file}"


def commands(word: str, stem: str, *, late: bool) -> list[list[str]]:
    """Return the two commands, with short limits for what is late on purpose."""
    set_up = "2" if late and stem != "endless_loop" else "60"
    limits = ["--seconds", "2" if late else "60", "--set-up", set_up, "--isolation", "none"]
    hosted = word == "process:./not_executable.py"  # else the class in it would be hosted
    checked = [word] if hosted else shlex.split(word.removeprefix("process:"))
    return [
        ["play", "hexapawn", word, "random", "--seed", "1", *limits],
        ["check", "player", *limits, "--", *checked],
    ]


def messages(language: str, mistake: Mistake, *, only: str | None = None) -> str:
    """Return what the commands say to a mistake, as a section of the golden file."""
    with tempfile.TemporaryDirectory(prefix="touchline-mistake-") as place:
        word = prepared(language, mistake, Path(place))
        parts = [f"== {mistake.what}: {mistake.file}\n"]
        for words in commands(word, Path(mistake.file).stem, late=mistake.late):
            if only in (None, words[0]):
                done = subprocess.run(
                    [*TOUCHLINE, *words], cwd=place, capture_output=True, text=True, timeout=100, check=False,
                    env={**os.environ, "PYTHONPATH": SOURCE}, stdin=subprocess.DEVNULL,
                )  # fmt: skip
                parts.append(_shown(words, done.stdout + done.stderr, place))
        return "".join(parts)


def _shown(words: list[str], said: str, place: str) -> str:
    """Return a command and its output, without what differs from machine to machine."""
    brief = [part for at, part in enumerate(words) if not _is_limit(words, at)]
    text = f"$ touchline {shlex.join(brief)}\n{said}".replace(f"{os.path.realpath(place)}/", "")
    text = text.replace(sys.executable, "python3").replace(f"{place}/", "")
    text = re.sub(r"\d+\.\d s of processor time", "N s of processor time", text)
    kept = [line for line in text.splitlines() if not line.startswith(("isolation ", "conduct "))]
    return "\n".join([*kept, ""])


def _is_limit(words: list[str], at: int) -> bool:
    options = ("--seconds", "--set-up", "--isolation", "--seed")
    return words[at] in options or (at > 0 and words[at - 1] in options)


def sections(text: str) -> dict[str, str]:
    """Return the sections of a golden file by the name of the mistake's file."""
    found = re.split(r"(?m)^(?=== )", text)
    return {part.splitlines()[0].rpartition(": ")[2]: part for part in found if part}


def main() -> None:
    for language, mistakes in MISTAKES.items():
        (HERE / f"{language}.txt").write_text("".join(messages(language, one) for one in mistakes))


if __name__ == "__main__":
    main()
