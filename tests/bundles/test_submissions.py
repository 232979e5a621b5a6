"""What people hand in: which player it is, and what is refused."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bundles.zips import lying, zipped
from touchline.bundles.bundle import MOST_BYTES, MOST_FILES
from touchline.bundles.submissions import read_submission, read_upload
from touchline.core.errors import BadInput

if TYPE_CHECKING:
    from pathlib import Path

SETTINGS = "touchline.toml"


@pytest.mark.parametrize(
    ("files", "player"),
    [
        ({"bot.py": b"", "main.py": b""}, "bot.py"),
        ({"main.py": b"", "other.py": b""}, "main.py"),
        ({"mine.py": b"", "lib/more.py": b""}, "mine.py"),
        ({"a.wasm": b"\0asm", "bot.py": b""}, "wasm:a.wasm"),
        ({"run": b"#!/bin/sh\n", "a.py": b"", "b.py": b""}, "process:./run"),
        ({SETTINGS: b'player = "process:node bot.js"', "bot.js": b"", "bot.py": b""}, "process:node bot.js"),
        ({SETTINGS: b'player = "seed-000+src/x.py:Bot"', "src/x.py": b""}, "seed-000+src/x.py:Bot"),
        ({"alice/bot.py": b"", "alice/.git/config": b"", "alice/__pycache__/bot.pyc": b""}, "bot.py"),
    ],
)
def test_the_player_of_a_submission(files: dict[str, bytes], player: str) -> None:
    """The player is named in it, or found by its file; a folder around everything is left out."""
    found = read_upload(zipped(files), "alice.zip")
    assert found.player == player
    assert not any(file.path.startswith("alice/") for file in found.bundle.files)


def test_folder_zip_and_file_are_the_same_submission(tmp_path: Path) -> None:
    """The digest depends on what was handed in, not on how."""
    (tmp_path / "alice").mkdir()
    (tmp_path / "alice" / "bot.py").write_bytes(b"print(1)")
    (tmp_path / "alice.zip").write_bytes(zipped({"bot.py": b"print(1)"}))
    (tmp_path / "bot.py").write_bytes(b"print(1)")
    handed_in = [read_submission(tmp_path / name) for name in ("alice", "alice.zip", "bot.py")]
    assert len({one.bundle.digest for one in handed_in}) == 1
    assert {one.player for one in handed_in} == {"bot.py"}


def test_a_program_is_executable_also_from_a_zip_that_does_not_say_so() -> None:
    """A script or a binary may be run, whatever system made the zip."""
    found = read_upload(zipped({"run": b"\x7fELF", "data": b"1"}), "a.zip").bundle
    assert [(file.path, file.executable) for file in found.files] == [("data", False), ("run", True)]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (zipped({"../bot.py": b""}), "leads out of the folder"),
        (zipped({"/etc/cron.d/bot.py": b""}), "absolute"),
        (zipped({"__pycache__/../../bot.py": b""}), "leads out of the folder"),
        (zipped({"bot.py": b"/etc/passwd"}, modes={"bot.py": stat.S_IFLNK | 0o777}), "links are not allowed"),
        (zipped({"bot.py": b""}, modes={"bot.py": stat.S_IFIFO | 0o644}), "neither a file nor a folder"),
        (zipped({"bot.py": bytes(MOST_BYTES + 1)}), "more than 32 MB"),
        (lying(zipped({"bot.py": bytes(MOST_BYTES + 1)}), 10), "cannot be read|more than"),
        (zipped({f"{number}.py": b"" for number in range(MOST_FILES + 1)}), "entries"),
        (zipped({"a": b"", "a/b.py": b""}), "a file and a folder"),
        (zipped({"bot.py": b""})[:-9], "cannot be read"),
        (zipped({}), "no player in it"),
        (zipped({"a.py": b"", "b.py": b""}), "no player in it"),
        (zipped({SETTINGS: b'player = "minimax"'}), "is not a program"),
        (zipped({SETTINGS: b'player = "bot.py"'}), "there is no file 'bot.py'"),
        (zipped({SETTINGS: b'player = 3'}), "Expected `str`"),
        (zipped({SETTINGS: b'player = "a.py"\nbuild = "make"', "a.py": b""}), "build"),
        (zipped({SETTINGS: b"player = "}), SETTINGS),
        (zipped({SETTINGS: b"\xff"}), SETTINGS),
        (b"hello", "neither a zip"),
    ],
)  # fmt: skip
def test_what_is_refused(data: bytes, why: str) -> None:
    """Each is refused with a sentence that says why."""
    with pytest.raises(BadInput, match=why):
        read_upload(data, "alice.zip")


def test_links_in_a_folder_are_refused(tmp_path: Path) -> None:
    """A link to a file or to a folder would show what is elsewhere."""
    (tmp_path / "bot.py").write_bytes(b"")
    for target in ("/etc/hostname", "/etc"):
        (tmp_path / "link").symlink_to(target)
        with pytest.raises(BadInput, match="links are not allowed"):
            read_submission(tmp_path)
        (tmp_path / "link").unlink()
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(BadInput, match="neither a file nor a folder"):
        read_submission(tmp_path)


def test_a_missing_file_is_bad_input(tmp_path: Path) -> None:
    """The error names the path."""
    with pytest.raises(BadInput, match=r"nothing\.zip: No such file"):
        read_submission(tmp_path / "nothing.zip")


@given(st.binary(max_size=40), st.integers(0, 200))
def test_damaged_zips_are_bad_input(noise: bytes, at: int) -> None:
    """Whatever bytes of a zip are changed, there is a submission or BadInput, no other exception."""
    data = zipped({"bot.py": b"print(1)", "data/x": b"abc" * 20})
    damaged = data[:at] + noise + data[at + len(noise) :]
    try:
        read_upload(damaged, "a.zip")
    except BadInput:
        return
