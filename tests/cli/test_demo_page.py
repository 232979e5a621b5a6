"""The page at the end of the demo: it is alive, there is one of it, and nothing is left hanging on it."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest

from cli.commands import TOUCHLINE, environment, touchline
from cli.test_serve_join import running
from touchline.cli import _demo_page
from touchline.core.errors import BadOptions
from web.test_web_serve import fetched

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Home:
    """A user's folder for what runs, in which the demo notes its page."""

    def __init__(self, folder: Path) -> None:
        self.env = {"XDG_RUNTIME_DIR": str(folder)}
        self.note = _demo_page.state_file(folder / "touchline")

    def held(self) -> bool:
        """Whether a page lives that a demo has left."""
        if not self.note.exists():
            return False
        with self.note.open() as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                return True
            return False

    def end(self) -> None:
        """End the page, and wait until it has gone."""
        if self.held():
            pid = json.loads(self.note.read_text())["pid"]
            os.kill(pid, signal.SIGTERM)
            until(lambda: not self.held())


def until(condition: Any) -> None:
    """The test's own time limit ends the wait."""
    while not condition():
        time.sleep(0.02)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Home]:
    found = Home(tmp_path)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    yield found
    found.end()


@contextmanager
def reaped() -> Iterator[list[Any]]:
    """Servers that were started in this process are its children: they are waited for."""
    left: list[Any] = []
    begin = _demo_page._serve

    def noted(lock: int, log: Path) -> Any:
        left.append(begin(lock, log))
        return left[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_demo_page, "_serve", noted)
        try:
            yield left
        finally:
            for process in left:
                process.terminate()
                process.wait()


def test_it_ends_with_a_page_that_is_alive(home: Home) -> None:
    """Nobody who reads the demo's output waits for the server; another demo finds the same page."""
    done = touchline("demo", **home.env)
    assert done.returncode == 0, done.stderr
    *_, where, how = done.stdout.splitlines()
    url, pid = where.split()[-1], int(how.split()[-1])
    assert where == f"house players play on a page at {url}"
    assert how == f"It stops after 10 minutes; to stop it now: kill {pid}"
    assert home.held()
    games: set[str] = set()
    while games != {"fish", "hexapawn", "labyrinth"}:  # some players take a while to be compiled
        games |= {table["game"] for table in fetched(f"{url}api/tables")["tables"]}
    assert _demo_page.left_running() == (url, pid, True)
    os.kill(pid, signal.SIGTERM)
    until(lambda: not home.held())


def test_what_is_noted_of_a_dead_page_fools_nobody(home: Home) -> None:
    """The number of its process is another's by now, and that one lives."""
    home.note.parent.mkdir()
    home.note.write_text(json.dumps({"pid": os.getpid(), "url": "http://127.0.0.1:1/"}))
    with reaped() as left:
        page = _demo_page.left_running()
        assert (page.pid, page.earlier) == (left[0].pid, False)
        assert json.loads(home.note.read_text()) == {"pid": page.pid, "url": page.url}
        assert fetched(f"{page.url}api/status")["dropped"] == 0


def test_json_says_where_it_is(home: Home) -> None:
    done = touchline("demo", "--json", **home.env)
    page = json.loads(done.stdout)["page"]
    assert fetched(f"{page['url']}api/status")["open"] == 0
    assert page["earlier"] is False


def test_two_demos_at_once_leave_one_page(home: Home) -> None:
    code = "from touchline.cli import _demo_page as p; print(p.left_running().pid)"
    both = [
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env=environment(**home.env))
        for _ in range(2)
    ]
    pids = {one.communicate()[0] for one in both}
    assert [one.returncode for one in both] == [0, 0]
    assert len(pids) == 1


def test_a_page_that_cannot_be_started(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is said why, and nothing is left behind."""
    monkeypatch.setattr(_demo_page, "SHOWS", ("chess random random",))
    with (
        reaped() as left,
        pytest.raises(BadOptions, match=r"could not be started: .*no game is called 'chess'"),
    ):
        _demo_page.left_running()
    assert [process.returncode for process in left] == [2]
    assert not home.held()


def test_an_earlier_page_that_does_not_answer(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_demo_page, "ANSWERING", 0.3)
    home.note.parent.mkdir()
    with home.note.open("w") as file:
        file.write(json.dumps({"pid": 4711, "url": "http://127.0.0.1:1/"}))
        file.flush()
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(BadOptions, match="does not answer; end it with: kill 4711"):
            _demo_page.left_running()


def test_another_server_is_not_offered(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that took the port of an earlier page answers as well, but not as a page of Touchline."""
    monkeypatch.setattr(_demo_page, "ANSWERING", 0.3)
    home.note.parent.mkdir()
    with ThreadingHTTPServer(("127.0.0.1", 0), _Stranger) as server, home.note.open("w") as file:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        file.write(json.dumps({"pid": 4711, "url": f"http://127.0.0.1:{server.server_port}/"}))
        file.flush()
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(BadOptions, match="does not answer"):
            _demo_page.left_running()
        server.shutdown()


class _Stranger(BaseHTTPRequestHandler):
    """Answers every request, with JSON that means nothing to us."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'{"status": "ok"}')

    def log_message(self, *words: Any) -> None:
        """Be quiet."""


def test_each_installation_has_its_own_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page of an earlier version, or of another checkout, is not taken for ours."""
    ours = _demo_page.state_file(tmp_path)
    monkeypatch.setattr("touchline.__version__", "0.0.1")
    assert _demo_page.state_file(tmp_path) != ours


def test_a_folder_that_cannot_be_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next best is taken."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "file"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert _demo_page._folder() == tmp_path / "cache" / "touchline"


def test_without_what_a_page_needs(tmp_path: Path) -> None:
    """The demo is the same, and says what is missing."""
    (tmp_path / "sitecustomize.py").write_text("import sys\n\nsys.modules['aiohttp'] = None\n")
    done = touchline("demo", "--json", PYTHONPATH=str(tmp_path), XDG_RUNTIME_DIR=str(tmp_path))
    assert done.returncode == 0
    assert json.loads(done.stdout)["page"] is None
    assert (
        done.stderr == "note: the page needs aiohttp, which is not installed: pip install 'touchline[web]'\n"
    )
    assert not (tmp_path / "touchline").exists()


@pytest.mark.slow
def test_at_a_terminal_it_stays_until_ctrl_c(home: Home) -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*TOUCHLINE, "demo"],
        stdin=theirs, stdout=theirs, stderr=subprocess.PIPE, text=True, start_new_session=True,
        env=environment(**home.env),
    )  # fmt: skip
    os.close(theirs)
    reader = threading.Thread(target=_drained, args=(ours,))
    reader.start()
    try:
        assert process.stderr is not None
        said = process.stderr.readline()
        assert said.startswith("the page is at http://127.0.0.1:")
        assert fetched(f"{said.split()[-1]}api/status")["dropped"] == 0
        assert not home.held(), "nothing is left behind"
        process.send_signal(signal.SIGINT)
        assert process.wait() == 0
        assert "Traceback" not in process.stderr.read()
    finally:
        process.kill()
        process.communicate()
        reader.join()
        os.close(ours)


def _drained(terminal: int) -> None:
    """Read what is written, so that nobody has to wait; a terminal that is gone is an error."""
    try:
        while os.read(terminal, 65536):
            pass
    except OSError:
        return


def test_a_page_for_a_while() -> None:
    """It ends by itself, in good order."""
    with running("serve", "--page", "127.0.0.1:0", "--for", "0.01") as server:
        assert server.complaint().startswith("the page is at")
        assert server.end()[0] == 0
