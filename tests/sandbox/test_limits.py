"""What a program may use, read from TOML and held by the supervisor."""

from __future__ import annotations

import select
import sys
from pathlib import Path

import pytest

from players.survivors import until
from touchline.core.errors import BadInput
from touchline.players.process import Program
from touchline.sandbox.launch import Sandbox
from touchline.sandbox.limits import DEFAULT, ProgramLimits, limits_beside, read_limits, size_of, size_text
from touchline.sandbox.tiers import problem

TIERS = [tier for tier in ("A", "B", "C") if problem(tier) is None]
MEGABYTE = 1 << 20


@pytest.mark.parametrize(
    ("text", "size"),
    [("512M", 512 << 20), ("1G", 1 << 30), ("64 MiB", 64 << 20), ("10kb", 10 << 10), ("0", 0)],
)
def test_sizes_are_read_as_people_write_them(text: str, size: int) -> None:
    """With or without a unit, and with a space before it."""
    assert size_of(text) == size


@pytest.mark.parametrize("text", ["", "M", "-1M", "1.5G", "1T", "9" * 20, "1M 1M"])
def test_what_is_no_size_is_refused(text: str) -> None:
    """The error quotes it and shows how to write one."""
    with pytest.raises(ValueError, match="512M"):
        size_of(text)


def test_a_size_reads_back() -> None:
    """What we print is what was written."""
    for size in (1, 1 << 10, 3 << 20, 1 << 30, (1 << 30) + 1):
        assert size_of(size_text(size).replace(" bytes", "")) == size


@pytest.mark.parametrize(
    ("table", "key", "why"),
    [
        ({"memory": "much"}, "memory", "not a size"),
        ({"memory": "1M"}, "memory", ">= 16777216"),
        ({"processes": 0}, "processes", ">= 1"),
        ({"processes": "many"}, "processes", "int"),
        ({"gpu": 1}, "", "memory, processes"),
    ],
)
def test_errors_name_the_key(table: dict[str, object], key: str, why: str) -> None:
    """A mistake in the table says where it is and what was expected."""
    with pytest.raises(BadInput, match=why) as error:
        read_limits(table, "cup.toml: program")
    assert str(error.value).startswith(f"cup.toml: program{'.' if key else ''}{key}")


def test_limits_stand_beside_the_conduct(tmp_path: Path) -> None:
    """`[program]` in the file of a conduct; a conduct that is no file has the default ones."""
    (tmp_path / "mild.toml").write_text('name = "mild"\n[program]\nmemory = "64M"\nprocesses = 9\n')
    assert limits_beside(tmp_path / "mild.toml") == ProgramLimits(memory=64 << 20, processes=9)
    assert limits_beside(tmp_path / "course") == DEFAULT
    (tmp_path / "bad.toml").write_text("program = 3")
    with pytest.raises(BadInput, match="no limit 'program'"):
        limits_beside(tmp_path / "bad.toml")


HOGS = {
    "memory": "x = []\nwhile True: x.append(bytearray(b'x' * (1 << 20)))",
    "file_size": "import os, signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_DFL)\n"
    "with open(os.environ['TMPDIR'] + '/f', 'wb') as f:\n    while True: f.write(bytes(1 << 20)); f.flush()",
    "cpu": "while True: pass",
}


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("limit", HOGS)
def test_who_breaks_a_limit_hears_which_one(limit: str, tier: str) -> None:
    """The program is killed, and the reason names the limit and its size."""
    limits = ProgramLimits(memory=64 * MEGABYTE, scratch=32 * MEGABYTE, file_size=4 * MEGABYTE, cpu=1)
    program = Program(
        [sys.executable, "-I", "-S", "-c", HOGS[limit]], sandbox=Sandbox(tier=tier, limits=limits)
    )
    try:
        assert until(lambda: program.exit_code() is not None, 60)
        assert (
            program.ending()
            == {
                "memory": "killed: memory limit 64 MB",
                "file_size": "killed: file size limit 4 MB",
                "cpu": "killed: processor time limit 1 s",
            }[limit]
        )
        assert program.broken == limit
    finally:
        program.stop()


@pytest.mark.parametrize("tier", [tier for tier in TIERS if tier != "A"])
def test_a_scratch_folder_has_a_size_and_is_removed(tier: str, tmp_path: Path) -> None:
    """Many small files count together; after the end nothing of it is left."""
    code = (
        "import os, sys\nprint(os.environ['TMPDIR'], flush=True)\nsys.stdin.readline()\nn = 0\n"
        "while True:\n    n += 1\n"
        "    with open(f\"{os.environ['TMPDIR']}/{n}\", 'wb') as f: f.write(bytes(1 << 18))"
    )
    limits = ProgramLimits(scratch=8 * MEGABYTE)
    program = Program([sys.executable, "-I", "-S", "-c", code], sandbox=Sandbox(tier=tier, limits=limits))
    try:
        said = b""
        while b"\n" not in said:
            select.select([program.stdout], [], [], 30)
            said += program.read() or b""
        scratch = Path(said.decode().strip())
        program.write(b"go on\n")
        assert until(lambda: program.exit_code() is not None, 60)
        assert program.ending() == "killed: scratch folder limit 8 MB"
    finally:
        program.stop()
    assert not scratch.exists()
