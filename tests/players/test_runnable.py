"""`./mybot` runs the file as written, and a file that cannot be run is told why and what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from touchline.core.errors import BadOptions
from touchline.players.by_name import command_of, is_program, without_dialect

if TYPE_CHECKING:
    from pathlib import Path


def script(path: Path, first: str = "#!/bin/sh\n", mode: int = 0o755) -> Path:
    path.write_text(first)
    path.chmod(mode)
    return path


@pytest.mark.parametrize("word", ["./true", "process:./true", "native+./true", "../here/true"])
def test_a_path_is_run_as_written(word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`./true` is the file in this folder, not the program of that name on the PATH."""
    (tmp_path / "here").mkdir()
    mine = script(tmp_path / "here" / "true")
    monkeypatch.chdir(tmp_path / "here")
    assert is_program(word)
    assert command_of(word) == [str(mine)]


def test_a_path_with_a_blank_is_one_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path is no command line: it is not split."""
    mine = script(tmp_path / "my bot")
    monkeypatch.chdir(tmp_path)
    assert command_of("./my bot") == [str(mine)]


def test_a_path_to_a_python_file_hosts_its_class() -> None:
    """`./mybot.py` is the same player as `mybot.py`."""
    assert without_dialect("./mybot.py") == "./mybot.py"


@pytest.mark.parametrize(
    ("name", "first", "mode", "why"),
    [
        ("mybot", "#!/bin/sh\n", 0o644, "'./mybot': it is not executable: run `chmod +x ./mybot`"),
        (
            "bot.js", "", 0o644,
            "'./bot.js': it is not executable: run `chmod +x ./bot.js`, or name the interpreter: "
            "'process:node ./bot.js'",
        ),
        (
            "bot.js", "let a = 1;\n", 0o755,
            "'./bot.js': it is a text without a first line that names its interpreter, or name the "
            "interpreter: 'process:node ./bot.js'",
        ),
        (
            "mybot", "#!/usr/bin/env no-such-language\n", 0o755,
            "'./mybot': its interpreter 'no-such-language' is missing: install it, or correct the first line "
            "of the script",
        ),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_run(
    name: str, first: str, mode: int, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message names the cause, and the command that mends it."""
    script(tmp_path / name, first, mode)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadOptions) as error:
        command_of(f"./{name}")
    assert str(error.value) == f"cannot run {why}"


@pytest.mark.parametrize(
    ("word", "beside", "hint"),
    [("./mybto", "mybot", "; did you mean mybot?"),
     ("./mybot", "mybot.c", "; mybot.c is there: compile it first"),
     ("./mybot", "mybot.js", "; did you mean mybot.js?"), ("./mybot", "other", ""),
     ("mybot", "mybot", "; for the one in this folder write ./mybot")],
)  # fmt: skip
def test_a_file_that_is_not_there(
    word: str, beside: str, hint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file of a similar name, or the source of the program, is named."""
    script(tmp_path / beside)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadOptions) as error:
        command_of(f"process:{word}")
    assert str(error.value) == f"cannot run {word!r}: there is no such program{hint}"
