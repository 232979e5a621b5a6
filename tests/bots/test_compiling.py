"""Kernels are compiled once, announced, before any clock runs, and only those that a player needs."""

from __future__ import annotations

import errno
import gc
import importlib.util
import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import TYPE_CHECKING, Any

import pytest

from touchline.bots.kernels import compiler
from touchline.bots.shared import compile_progress, factory, kernel_cache
from touchline.bots.shared.compile_progress import Compiling
from touchline.cli._compiling import ERASE, CompileLines
from touchline.core import registry
from touchline.core.errors import BadOptions

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

MOST = {
    ("fish", "shark", 2): 21,
    ("fish", "shark", 4): 39,
    ("hexapawn", "perfect", 2): 11,
    ("labyrinth", "minotaur", 2): 16,
}
"""The kernels that each player compiles, at most. Importing them used to compile 39, 39, 26 and 19."""

KERNELS = """
from touchline.bots.kernels import compile_kernels, compiled

@compiled("int64(int64)")
def inner(x):
    return x + 1

@compiled("int64(int64)")
def outer(x):
    return inner(x) * 2 - 2

def twice(x):
    compile_kernels("tiny", [outer])
    return outer(x)
"""


class Heard:
    """A listener that keeps what it hears."""

    def __init__(self) -> None:
        self.steps: list[Compiling] = []
        self.why: list[str] = []

    def compiling(self, compiling: Compiling) -> None:
        self.steps.append(compiling)

    def uncached(self, why: str) -> None:
        self.why.append(why)


class Tiny:
    """Two small kernels in a file of their own, and a cache; `fresh` is as good as another process."""

    def __init__(self, folder: Path, heard: Heard) -> None:
        self.cache, self._file, self._heard = folder / "cache", folder / "tiny.py", heard
        self._file.write_text(KERNELS)

    def fresh(self) -> Any:
        self._heard.steps.clear()
        spec = importlib.util.spec_from_file_location("tiny", self._file)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    def files(self, pattern: str) -> list[Path]:
        return sorted(self.cache.rglob(pattern))


@pytest.fixture
def heard() -> Iterator[Heard]:
    """What is told about compiling."""
    heard = Heard()
    before = compile_progress.listen(heard)
    yield heard
    compile_progress.listen(before)


@pytest.fixture
def tiny(tmp_path: Path, heard: Heard, monkeypatch: pytest.MonkeyPatch) -> Tiny:
    """Two kernels that nobody has compiled."""
    made = Tiny(tmp_path, heard)
    monkeypatch.setattr(compiler, "_KEPT", made.cache)
    monkeypatch.setattr(compiler, "_reported", set())
    return made


@pytest.mark.parametrize(("game", "player", "seats"), MOST)
def test_only_what_a_player_needs_is_compiled(
    game: str, player: str, seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A match compiles the kernels that its player calls and those below them, each once."""
    told: list[tuple[str, list[Any]]] = []
    for name in ("shark", "minotaur", "perfect"):
        factory.check(name, None)  # import it
    for one in [one for one in gc.get_objects() if isinstance(one, compiler.Kernel)]:
        monkeypatch.setattr(one, "_machine", None)
        monkeypatch.setattr(one, "is_entry", False)
    monkeypatch.setattr(compiler.Kernel, "load", lambda self: False)
    monkeypatch.setattr(compiler, "_compile_all", lambda player, found: told.append((player, found)))
    factory.kind(player).compile_kernels(registry.game(game, {}), seats)
    [(name, entries)] = told
    needed = [kernel for kernel, _ in compiler._needed(entries)]
    assert name == player
    assert len(needed) == len(set(needed)) <= MOST[game, player, seats]


def test_compiled_once_and_announced(tiny: Tiny, heard: Heard) -> None:
    """The first use says for whom it compiles, how many and how long; the next finds them in the cache."""
    assert tiny.fresh().twice(20) == 40
    assert [(step.player, step.done, step.of) for step in heard.steps] == [("tiny", n, 2) for n in range(3)]
    assert heard.steps[-1].left == 0
    assert tiny.fresh().twice(20) == 40
    assert heard.steps == []


def test_a_kernel_that_kernels_call_is_compiled_for_python_on_demand(tiny: Tiny, heard: Heard) -> None:
    """It has no wrapper for Python before somebody calls it from there."""
    module = tiny.fresh()
    module.twice(1)
    assert (module.outer.is_entry, module.inner.is_entry) == (True, False)
    assert module.inner(1) == 2
    assert heard.steps[-1].of == 1


def test_two_processes_compile_once(
    tiny: Tiny, heard: Heard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While another process compiles, this one waits; then it loads what the other compiled."""
    tiny.fresh().twice(1)
    tiny.cache.rename(tmp_path / "compiled")
    tiny.cache.mkdir()
    alone, waiting = kernel_cache.alone, Event()

    def waits(kept: Path) -> AbstractContextManager[None]:
        waiting.set()
        return alone(kept)

    monkeypatch.setattr(kernel_cache, "alone", waits)
    with ThreadPoolExecutor(1) as thread:
        with alone(tiny.cache):  # as the other process does
            asked = thread.submit(tiny.fresh().twice, 20)
            assert waiting.wait(60)
            shutil.copytree(tmp_path / "compiled", tiny.cache, dirs_exist_ok=True)
            assert not asked.done()
        assert asked.result(60) == 40
    assert heard.steps == []


def test_a_cache_without_a_folder_is_said_once(tiny: Tiny, heard: Heard) -> None:
    """The kernels are compiled all the same, and it is told that this will happen again."""
    tiny.cache.write_text("a file in its place")
    assert tiny.fresh().twice(20) == 40
    assert tiny.fresh().twice(20) == 40
    [why] = heard.why
    assert str(tiny.cache) in why


def test_a_full_disk_is_said_once(tiny: Tiny, heard: Heard, monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel that cannot be written works, and leaves nothing behind."""

    def full(*paths: str) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert tiny.fresh().twice(20) == 40
    assert tiny.fresh().twice(20) == 40
    assert len(heard.why) == 1
    assert "No space left on device" in heard.why[0]
    assert tiny.files("*.nb*") == []


def test_a_damaged_file_is_compiled_again(tiny: Tiny, heard: Heard) -> None:
    """A cache file that cannot be read counts as missing, and is replaced."""
    for pattern in ("*.nbc", "*.nbi"):
        tiny.fresh().twice(1)
        for path in tiny.files(pattern):
            path.write_bytes(path.read_bytes()[:50])
        assert tiny.fresh().twice(20) == 40
        assert heard.steps != []
        tiny.fresh().twice(1)
        assert heard.steps == []


def test_an_interrupt_leaves_no_partial_file(
    tiny: Tiny, heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C while a file is written: nothing of it is left, and the next use compiles."""

    def interrupted(*paths: str) -> None:
        raise KeyboardInterrupt

    module = tiny.fresh()
    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", interrupted)
        with pytest.raises(KeyboardInterrupt):
            module.twice(20)
    assert tiny.files("*.nb*") == []
    assert module.twice(20) == 40
    assert heard.steps[-1].over


def test_folders_of_other_versions_are_cleared(tmp_path: Path) -> None:
    """One that was not used for a day is removed; not so one of today, nor one that a process uses."""
    now, folders = (
        time.time(),
        {name: tmp_path / name for name in ("this", "old", "today", "used", "ancient")},
    )
    for name, folder in folders.items():
        folder.mkdir()
        (folder / "kernel.nbc").write_bytes(b"x" * 1000)
        if name != "ancient":  # of a version that left no lock file
            (folder / kernel_cache.IN_USE).touch()
    user = "import fcntl, sys; file = open(sys.argv[1], 'ab'); fcntl.flock(file, 1); print(); input()"
    with subprocess.Popen(
        [sys.executable, "-c", user, str(folders["used"] / kernel_cache.IN_USE)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as using:  # fmt: skip
        assert using.stdout is not None
        assert using.stdin is not None
        using.stdout.readline()
        for name in ("old", "used"):
            os.utime(folders[name] / kernel_cache.IN_USE, (now - 90_000, now - 90_000))
        os.utime(folders["ancient"], (now - 90_000, now - 90_000))
        assert kernel_cache.use(folders["this"]) is None
        using.stdin.close()
    assert {path.name for path in tmp_path.iterdir()} == {"this", "today", "used"}


def test_a_folder_in_use_is_left_without_a_warning(tmp_path: Path) -> None:
    """A process uses a folder until it ends; also a new one in the place of a folder that was removed."""
    uses = (
        "import shutil, sys; from pathlib import Path; from touchline.bots.shared import kernel_cache\n"
        "folder = Path(sys.argv[1])\n"
        "for _ in range(2):\n"
        "    assert kernel_cache.use(folder) is None\n"
        "    shutil.rmtree(folder)\n"
    )
    command = [sys.executable, "-W", "error::ResourceWarning", "-c", uses, str(tmp_path / "cache")]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_the_version_names_sources_and_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another Numba has another folder."""
    kernel_cache.version_key.cache_clear()
    now = kernel_cache.version_key()
    monkeypatch.setattr(kernel_cache, "version", lambda package: "0.0")
    kernel_cache.version_key.cache_clear()
    other = kernel_cache.version_key()
    kernel_cache.version_key.cache_clear()
    assert now != other


def test_bad_options_are_refused_before_anything_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever mistypes an option does not wait for the compiler first."""
    bot, seen = factory.kind("shark"), list[int]()
    monkeypatch.setattr(bot, "compile_kernels", staticmethod(lambda game, seats: seen.append(seats)))
    with pytest.raises(BadOptions, match="seconds is more than 0"):
        factory.make("shark:seconds=-1", registry.game("fish", {}))
    factory.check("shark", "fish")
    assert seen == []
    factory.make("shark", registry.game("fish", {}), seats=3)
    assert seen == [3]


def test_the_command_line_says_it_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    """One line, when the speed is known; where stderr is a terminal, the progress below it."""
    lines = CompileLines()
    for done, left in ((0, None), (1, None), (3, 4.0), (5, 2.0), (9, 0.0)):
        lines.compiling(Compiling("shark", done, 9, 1.0, left))
    lines.uncached("/cache: Read-only file system")
    lines.compiling(Compiling("shark", 3, 9, 1.0, 4.0))
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == [
        "compiling 9 kernels for shark (once, about 5 s)",
        "note: compiled kernels cannot be cached, so they are compiled again next time: "
        "/cache: Read-only file system",
        "compiling 9 kernels for shark (about 5 s)",
    ]


def test_a_terminal_shows_how_far_it_is(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The line is replaced in place, and erased at the end."""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    lines = CompileLines()
    for done, left in ((3, 4.0), (9, 0.0)):
        lines.compiling(Compiling("shark", done, 9, 1.0, left))
    assert capsys.readouterr().err.endswith(f"{ERASE}  kernel 4 of 9, 4 s left{ERASE}")


def test_the_default_listener_logs(caplog: pytest.LogCaptureFixture) -> None:
    """In a process without a command line, a line of the log announces it."""
    log = compile_progress.CompileLog()
    for done, left in ((0, None), (3, 4.0), (9, 0.0)):
        log.compiling(compile_progress.Compiling("shark", done, 9, 1.0, left))
    log.uncached("/cache: Read-only file system")
    assert [record.getMessage() for record in caplog.records] == [
        "compiling 9 kernels for shark (once, about 5 s)",
        "compiled kernels cannot be cached, so they are compiled again next time: "
        "/cache: Read-only file system",
    ]


def test_listing_the_players_does_not_import_the_compiler() -> None:
    """Only a bot that plays has to wait for Numba."""
    code = "import sys; from touchline.bots.shared import factory; factory.opponents('labyrinth')"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}; print('numba' in sys.modules)"],
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    assert done.stdout == "False\n"
