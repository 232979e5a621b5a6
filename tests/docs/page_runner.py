"""Do what a page says, as a reader would: `main()` with a page and an empty folder.

Commands, files and Python of a page follow each other in the same folder. Exit code 1 and a report on stdout
say what went otherwise than the page says. It runs in a process of its own, which may have its own network
(`--own-network`): a page may use the ports that its readers see.
"""

from __future__ import annotations

import contextlib
import doctest
import fcntl
import io
import json
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import sysconfig
import time
import tomllib
import traceback
import types
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from docs.blocks import Block, Command, blocks, commands, needs

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
PATIENCE = 600.0
"""Seconds until a command of a page is given up; on an idle machine they take a few."""
SILENCE = 5.0
"""Seconds in which a command in the background may say something before the page goes on without it."""
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
SHOWN = 4_000
"""Characters of an output that a report shows."""


class Failed(Exception):
    """Something went otherwise than the page says."""


def same(expected: str, got: str) -> bool:
    """Whether an output is the expected one, `...` standing for anything."""
    return doctest.OutputChecker().check_output(expected, got, FLAGS)


def toolchains() -> dict[str, str]:
    """Return where the user's own compilers are, which a page finds though its home is empty."""
    own = {"RUSTUP_HOME": ".rustup", "CARGO_HOME": ".cargo"}
    found = {key: os.environ.get(key) or str(Path.home() / name) for key, name in own.items()}
    return {key: path for key, path in found.items() if Path(path).is_dir()}


class Shell:
    """Runs the commands of a page with bash; its folder and its exported variables carry over."""

    def __init__(self, folder: Path, home: Path) -> None:
        self._folder, self._home = folder, home
        self._state = home / "shell"
        self._state.write_text(f"cd {folder}\n")
        self._behind: list[subprocess.Popen[bytes]] = []
        ours = ("TOUCHLINE_", "PYTEST_", "COV")
        self.environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith(ours)},
            "PATH": f"{sysconfig.get_path('scripts')}:{os.environ['PATH']}",
            "HOME": str(home), "XDG_CACHE_HOME": str(home / ".cache"), **toolchains(),
            "COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb", "LC_ALL": "C.UTF-8",
        }  # fmt: skip

    def run(self, command: Command) -> None:
        """Run a command, and compare its exit code and its output."""
        if command.background:
            self._start(command)
            return
        keep = f"code=$?; {{ echo cd \"'$PWD'\"; export -p; }} >{self._state}; exit $code"
        script = f". {self._state}\n{command.text}\n{keep}"
        with subprocess.Popen(
            ["bash", "-c", script], env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, start_new_session=True,
        ) as process:  # fmt: skip
            try:
                output = process.communicate(timeout=PATIENCE)[0].decode(errors="replace")
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                output = process.communicate()[0].decode(errors="replace")
                raise Failed(f"it did not end within {PATIENCE:g} s\n{_shown(output)}") from None
        if process.returncode != command.exit_code:
            raise Failed(f"exit code {process.returncode}, not {command.exit_code}\n{_shown(output)}")
        if command.expected and not same(command.expected, output):
            raise Failed(f"it should have printed\n{_shown(command.expected)}but printed\n{_shown(output)}")

    def _start(self, command: Command) -> None:
        """Start a command in the background, and wait for the output that the page shows, or for any."""
        log = self._home / f"background-{len(self._behind)}"
        script = f". {self._state}\n{command.text.partition('#')[0].rstrip().removesuffix('&')}"
        with log.open("wb") as output:
            self._behind.append(
                subprocess.Popen(
                    ["bash", "-c", script], env=self.environment, stdin=subprocess.DEVNULL, stdout=output,
                    stderr=subprocess.STDOUT, start_new_session=True,
                )
            )  # fmt: skip
        self._await(self._behind[-1], log, command)

    def _await(self, process: subprocess.Popen[bytes], log: Path, command: Command) -> None:
        """Wait for the output that the page shows, or for any; not for one that writes to a file."""
        patience = PATIENCE if command.expected else 0 if ">" in command.text else SILENCE
        deadline = time.monotonic() + patience
        while True:
            code, said = (
                process.poll(),
                log.read_text(errors="replace"),
            )  # in this order: all is said at the end
            if code not in (None, command.exit_code):
                raise Failed(f"exit code {code}, not {command.exit_code}\n{_shown(said)}")
            if said and (not command.expected or same(f"{command.expected.rstrip()}...", said)):
                return
            if code is not None or time.monotonic() > deadline:
                break
            time.sleep(0.05)
        if command.expected:
            raise Failed(f"it should have printed\n{_shown(command.expected)}but printed\n{_shown(said)}")

    @property
    def folder(self) -> Path:
        """Where the commands are now."""
        first = self._state.read_text().splitlines()[0]
        return Path(first.removeprefix("cd ").strip("'"))

    def stop(self) -> None:
        """End what runs in the background."""
        for process in self._behind:
            for number in (signal.SIGTERM, signal.SIGKILL):
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, number)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(15)


def _shown(text: str) -> str:
    cut = text if len(text) <= SHOWN else f"{text[:SHOWN]} [...]"
    return "".join(f"    {line}\n" for line in cut.splitlines()) or "    (nothing)\n"


class Page:
    """A page that is being run."""

    def __init__(self, path: Path, folder: Path, home: Path) -> None:
        self.shell = Shell(folder, home)
        self._path = path
        module = sys.modules["page"] = types.ModuleType("page")  # so that types can be looked up by name
        self._names: dict[str, Any] = module.__dict__

    def run(self, block: Block) -> None:
        """Do what a reader does with a block."""
        if block.language == "console":
            for command in commands(block):
                self._in_place(lambda command=command: self.shell.run(command), command.line, command.text)
        elif block.language == "{code-block}" and block.caption:
            self._write(block)
        elif block.language == "python" and ">>>" in block.text:
            self._in_place(lambda: self._doctest(block), block.line, "the examples")
        elif block.language == "python":
            self._in_place(lambda: self._execute(block), block.line, "the code")
        elif block.language == "json":
            self._in_place(lambda: parse_json(block.text), block.line, "the JSON")
        elif block.language == "toml":
            self._in_place(lambda: tomllib.loads(block.text), block.line, "the TOML")

    def _in_place(self, act: Any, line: int, what: str) -> None:
        try:
            act()
        except Failed as failure:
            raise Failed(f"{self._path}, line {line}: {what}\n{failure}") from None
        except Exception:
            raise Failed(f"{self._path}, line {line}: {what}\n{_shown(traceback.format_exc())}") from None

    def _write(self, block: Block) -> None:
        path = self.shell.folder / block.caption
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text)

    def _doctest(self, block: Block) -> None:
        test = doctest.DocTestParser().get_doctest(block.text, self._names, str(self._path), None, block.line)
        report = io.StringIO()
        runner = doctest.DocTestRunner(optionflags=FLAGS)
        with as_caller(self.shell):
            runner.run(test, out=report.write, clear_globs=False)
        self._names.update(test.globs)
        if runner.failures:
            raise Failed(_shown(report.getvalue()))

    def _execute(self, block: Block) -> None:
        with as_caller(self.shell), contextlib.redirect_stdout(io.StringIO()):
            exec(
                compile("\n" * (block.line - 1) + block.text, str(self._path), "exec", dont_inherit=True),
                self._names,
            )


@contextlib.contextmanager
def as_caller(shell: Shell) -> Iterator[None]:
    """Run Python in the folder and with the variables of the page's commands."""
    before, path = dict(os.environ), [*sys.path]
    os.environ.update(shell.environment)
    sys.path.insert(0, str(shell.folder))
    try:
        with contextlib.chdir(shell.folder):
            yield
    finally:
        os.environ.clear()
        os.environ.update(before)
        sys.path[:] = path


def parse_json(text: str) -> None:
    """Read a block of JSON: one value, or one value a line."""
    try:
        msgspec.json.decode(text)
    except msgspec.DecodeError:
        decoder = json.JSONDecoder()
        rest = text.strip()
        while rest:
            _, end = decoder.raw_decode(rest)
            rest = rest[end:].strip()


def loopback_up() -> None:
    """Switch the loopback interface of a new network on."""
    request = struct.pack("16sh", b"lo", 1)  # IFF_UP
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        fcntl.ioctl(sock, 0x8914, request)  # SIOCSIFFLAGS


def run_page(path: Path, folder: Path) -> str:
    """Do everything that a page says, and return what failed; empty if nothing did."""
    text = path.read_text()
    home, work = folder / "home", folder / "page"
    home.mkdir()
    work.mkdir()
    for name in needs(text):
        source = ROOT / name
        copy = shutil.copytree if source.is_dir() else shutil.copy
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        copy(source, work / name)
    page = Page(path.relative_to(ROOT) if path.is_relative_to(ROOT) else path, work, home)
    try:
        for block in blocks(text):
            if not block.not_run:
                page.run(block)
    except Failed as failure:
        return str(failure)
    finally:
        page.shell.stop()
    return ""


def main() -> None:
    """Run the page of the command line."""
    if "--own-network" in sys.argv:
        loopback_up()
    failed = run_page(Path(sys.argv[1]), Path(sys.argv[2]))
    sys.stdout.write(failed)
    sys.exit(1 if failed else 0)
