"""`touchline serve` and `touchline join` as their users meet them: real processes, ports and signals."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import textwrap
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from cli.commands import TOUCHLINE, environment, refused, rogue, shell, touchline
from touchline.cli import serve
from touchline.games.hexapawn import Hexapawn
from touchline.records.replay import Replay
from touchline.sandbox.launch import NONE
from touchline.sandbox.tiers import best

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NATIVE = "tcp://127.0.0.1:0/native"
SMALL = ("--rows", "4", "--cols", "4")
LAST = """
    class Last:
        def choose(self, view, turn):
            return view.legal_moves()[-1]
"""


class Running:
    """A command that runs; its lines can be waited for."""

    def __init__(self, *words: str, **env: str) -> None:
        self.process = subprocess.Popen(
            [*TOUCHLINE, *words],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=environment(PYTHONUNBUFFERED="1", **env),
        )  # fmt: skip

    def line(self) -> str:
        """The next line it prints; the test's own time limit ends the wait."""
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def complaint(self) -> str:
        """The next line on stderr."""
        assert self.process.stderr is not None
        return self.process.stderr.readline()

    def end(self, number: int | None = None) -> tuple[int, str, str]:
        """The exit code and what else was printed, perhaps after a signal."""
        if number is not None:
            self.process.send_signal(number)
        out, err = self.process.communicate(timeout=60)
        assert "Traceback" not in err, err
        return self.process.returncode, out, err


@contextmanager
def running(*words: str, **env: str) -> Iterator[Running]:
    one = Running(*words, **env)
    try:
        yield one
    finally:
        if one.process.poll() is None:
            one.process.kill()
            one.process.communicate()
        for pipe in (one.process.stdout, one.process.stderr):
            assert pipe is not None
            pipe.close()


@contextmanager
def serving(*words: str, **env: str) -> Iterator[tuple[Running, str]]:
    """A server and its first URL."""
    with running("serve", *words, "--json", **env) as server:
        said = server.line()
        assert said, server.end()
        yield server, json.loads(said)["listening"][0]


def file(folder: Path, code: str) -> str:
    path = folder / "bot.py"
    path.write_text(textwrap.dedent(code))
    return str(path)


class Raw:
    """A guest over a plain socket."""

    def __init__(self, url: str, name: str, token: str | None = None) -> None:
        host, _, port = url.removeprefix("tcp://").partition("/")[0].rpartition(":")
        self._socket = socket.create_connection((host, int(port)), timeout=30)
        self._lines = self._socket.makefile("rb")
        hello = {"type": "hello", "protocol": 1, "name": name}
        self.say(hello if token is None else {**hello, "token": token})

    def say(self, word: Any) -> None:
        self._socket.sendall(json.dumps(word).encode() + b"\n")

    def hear(self, kind: str) -> Any:
        said = json.loads(self._lines.readline())
        assert said["type"] == kind
        return said

    def close(self) -> None:
        self._lines.close()
        self._socket.close()


@contextmanager
def seated(url: str) -> Iterator[list[Raw]]:
    """Two guests at a table, the first of whom has been asked to move."""
    guests = []
    for name in ("ann", "bob"):
        guests.append(Raw(url, name))
        guests[-1].hear("welcome")
    for one in guests:
        one.hear("begin")
        one.say({"type": "ready"})
    guests[0].hear("your_turn")
    try:
        yield guests
    finally:
        for one in guests:
            one.close()


def joined(url: str, who: str, name: str, *words: str) -> Running:
    return Running("join", url, who, "--name", name, *words)


# -- a match -------------------------------------------------------------------------------------------


def test_a_file_a_house_player_and_a_program_join(tmp_path: Path) -> None:
    """They play to the end; the server prints the results, records the matches, and exits when it is done."""
    with serving(
        "fish", *SMALL, "--seats", "4", "--house", "random", "--listen", NATIVE, "--tables", "1",
        "--record", str(tmp_path / "records"), "--conduct", "course",
    ) as (server, url):  # fmt: skip
        players = [
            joined(url, file(tmp_path, LAST), "ann", "--show"),
            joined(url, "random", "bob", "--json"),
            joined(url, rogue("honest"), "cyd"),
        ]
        ends = [player.end() for player in players]
        assert [code for code, _, _ in ends] == [0, 0, 0], ends
        assert '< {"type":"begin"' in ends[0][2]
        assert json.loads(json.loads(ends[1][1])["last"])["type"] == "over"
        assert ends[2][1].startswith('cyd: the match is over; the last message was {"type":"over"')
        code, out, _ = server.end()
        said = json.loads(out)
        assert code == 0
        assert (said["table"], sorted(said["names"][:3]), said["names"][3]) == (
            0,
            ["ann", "bob", "cyd"],
            "random",
        )
        assert (said["result"]["verdict"], said["result"]["faults"]) == ("finished", [])
    record = tmp_path / "records" / "000000.jsonl"
    Replay(record.read_bytes(), "the record").verify()


def test_a_program_of_the_house_plays_in_its_cage(tmp_path: Path) -> None:
    """It is started for each table and stopped after it; the record has its tier and its dialect."""
    with serving(
        "hexapawn", "--house", file(tmp_path, LAST), "--listen", NATIVE, "--tables", "2",
        "--record", str(tmp_path / "records"),
    ) as (server, url):  # fmt: skip
        for name in ("ann", "bob"):
            assert joined(url, "random", name).end()[0] == 0
        code, out, _ = server.end()
        assert code == 0
        results = [json.loads(line)["result"] for line in out.splitlines()]
        assert [(one["verdict"], one["faults"]) for one in results] == [("finished", [])] * 2
    for number in range(2):
        replay = Replay((tmp_path / "records" / f"00000{number}.jsonl").read_bytes(), "the record")
        replay.verify()
        assert replay.begun.isolation == (None, best())
        assert replay.begun.dialects == ("native", "native")


def test_players_of_a_note_over_websocket(tmp_path: Path) -> None:
    """Another dialect, another transport; without --json the results are told in words."""
    with running(
        "serve", "labyrinth", "--seats", "2", "--listen", "ws://127.0.0.1:0/seed-004", "--tables", "1",
        "--seed", "5",
    ) as server:  # fmt: skip
        told = server.complaint()
        assert told.startswith("labyrinth for 2 at ws://127.0.0.1:")
        url = told.split(" at ")[1].strip()
        players = [joined(url, "riemann", "ann"), joined(url, "euclid", "bob")]
        assert [player.end()[0] for player in players] == [0, 0]
        code, out, _ = server.end()
        assert code == 0
        assert re.match(r"table 0: (\w+ \(seat \d\)) won with 1: \1 came home\n", out)


# -- signals -------------------------------------------------------------------------------------------


def test_sigterm_voids_what_does_not_finish(tmp_path: Path) -> None:
    """Players are told, the record is whole, and the exit code is 0."""
    with (
        serving("hexapawn", "--listen", NATIVE, "--grace", "0.2", "--record", str(tmp_path)) as (server, url),
        seated(url) as guests,
    ):
        waiting = Raw(url, "cyd")
        waiting.hear("welcome")
        code, out, err = server.end(signal.SIGTERM)
        assert code == 0
        assert "stopping: running matches have 0.2 s" in err
        assert json.loads(out)["result"]["verdict"] == "void"
        for one in guests:
            assert one.hear("over")["reason"] == "the server was stopped"
        assert waiting.hear("expelled")["reason"] == "the server takes nobody more"
        waiting.close()
    Replay((tmp_path / "000000.jsonl").read_bytes(), "the record").verify()


def test_sigint_lets_a_match_finish() -> None:
    """Within its grace, and the exit code says what happened."""
    with serving("hexapawn", "--listen", NATIVE, "--grace", "30") as (server, url), seated(url) as guests:
        server.process.send_signal(signal.SIGINT)
        while "stopping" not in server.complaint():
            pass
        guests[1].say({"type": "resign"})
        assert guests[0].hear("over")["verdict"] == "finished"
        code, out, _ = server.end()
        assert code == 130
        assert json.loads(out)["result"]["resigned"] == [1]


def test_a_player_that_thinks_can_be_interrupted(tmp_path: Path) -> None:
    """Ctrl-C does not wait until it has finished."""
    code = """
        import time
        class Slow:
            def choose(self, view, turn):
                print("thinking", flush=True)
                time.sleep(3600)
    """
    with (
        serving("hexapawn", "--listen", NATIVE, "--house", "random", "--grace", "0") as (server, url),
        running("join", url, file(tmp_path, code), "--name", "slow") as player,
    ):
        assert player.line() == "thinking\n"
        assert player.end(signal.SIGINT)[0] == 130
        assert server.end(signal.SIGTERM)[0] == 0


# -- who is let in -------------------------------------------------------------------------------------


def test_a_key() -> None:
    """Beyond this machine a seat needs one; it is drawn if it is not given, and told on stderr."""
    with running("serve", "hexapawn", "--public", "--listen", "tcp://0.0.0.0:0/native", "--json") as server:
        url = json.loads(server.line())["listening"][0].replace("0.0.0.0", "127.0.0.1")
        key = server.complaint().removeprefix("a seat needs this key: ").strip()
        assert len(key) >= 20
        for words in ((), ("--key", "wrong")):
            done = touchline("join", url, "random", "--name", "ann", *words)
            assert done.returncode == 2
            assert "the server did not let us in: a seat here needs the organiser's key" in done.stderr
        players = [
            joined(url, "random", "ann", "--key", key),
            Running("join", url, "random", "--name", "bob", TOUCHLINE_KEY=key),
        ]
        assert [player.end()[0] for player in players] == [0, 0]
        assert server.end(signal.SIGTERM)[0] == 0


def test_open_to_all() -> None:
    """Where nobody needs a key none is drawn, none that is given matters, and any dialect may be spoken."""
    with serving(
        "hexapawn", "--public", "--no-key", "--listen", "tcp://0.0.0.0:0/seed-002", "--tables", "1",
        TOUCHLINE_KEY="secret",
    ) as (server, url):  # fmt: skip
        url = url.replace("0.0.0.0", "127.0.0.1")
        players = [joined(url, "random", name) for name in ("ann", "bob")]
        assert [player.end()[0] for player in players] == [0, 0]
        code, _, err = server.end()
        assert code == 0
        assert "key" not in err


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (
            ("hexapawn", "--listen", "tcp://127.0.0.1:0/klingon"),
            "no dialect is called 'klingon'; there are: ",
        ),
        (
            ("hexapawn", "--listen", "tcp://127.0.0.1:0/seed-001"),
            "seed-001 is spoken in fish, not in hexapawn",
        ),
        (("hexapawn", "--listen", "127.0.0.1:4500"), "://HOST:PORT/DIALECT; schemes: tcp, unix, ws"),
        (("hexapawn", "--listen", "tcp://0.0.0.0:0/native"), "allow it with --public"),
        (
            ("hexapawn", "--public", "--listen", "tcp://0.0.0.0:0/seed-002"),
            "listen on loopback, or use --no-key",
        ),
        (("hexapawn", "--house", "random", "--house", "random"), "leave no free seat at a table of 2"),
        (("hexapawn", "--house", "human"), "a person is no house player"),
        (("hexapawn", "--house", "no_such_bot.py"), "there is no file"),
        (("fish", "--rows", "2", "--cols", "2", "--seats", "4", "--listen", NATIVE), "fish"),
        (("labyrinth", "--seats", "4", "--at-least", "2"), "and needs --window"),
        (("hexapawn", "--seats", "3"), "hexapawn is for 2 players, not 3"),
        (("hexapawn", "--record", "/dev/null/x"), "cannot create the folder /dev/null/x"),
        (("hexapawn", "--trusted-proxy", "play.example"), "'play.example' is no address of a proxy"),
        (("--trusted-proxy", "10.0.0.1/99"), "'10.0.0.1/99' is no address of a proxy"),
    ],
)
def test_what_cannot_be_served(words: tuple[str, ...], why: str) -> None:
    """Exit code 2 and a line that helps."""
    assert why in refused("serve", *words)


def test_a_port_that_is_in_use() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        url = f"tcp://127.0.0.1:{taken.getsockname()[1]}/native"
        said = refused("serve", "hexapawn", "--listen", url)
        assert f"cannot listen at {url}: " in said
        assert "address already in use" in said.lower()


# -- joining -------------------------------------------------------------------------------------------


def test_joining_before_there_is_a_server() -> None:
    """It says so once, keeps trying, and plays as soon as there is one."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        url = f"tcp://127.0.0.1:{free.getsockname()[1]}/native"
    with running("join", url, "random", "--name", "ann") as early:
        assert early.complaint().startswith("cannot connect yet")
        with serving("hexapawn", "--listen", url, "--house", "random", "--tables", "1") as (server, _):
            code, out, err = early.end()
            assert code == 0
            assert all(line.startswith("ann: waiting ") for line in err.splitlines())
            assert out.startswith("ann: the match is over")
            assert server.end()[0] == 0


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (
            ("tcp://127.0.0.1:1/native", "random", "--retry", "0.3"),
            "nobody answers at tcp://127.0.0.1:1/native",
        ),
        (("tcp://127.0.0.1:1/klingon", "random"), "no dialect is called 'klingon'"),
        (("http://127.0.0.1:1/native", "random"), "://HOST:PORT/DIALECT"),
        (("tcp://127.0.0.1:1/native", "nobody"), "no bot is called 'nobody'"),
        (("tcp://127.0.0.1:1/native", "nowhere.py"), "nowhere.py: there is no such file"),
        (("tcp://127.0.0.1:1/native", "process:no-such-program"), "there is no such program"),
        (("tcp://127.0.0.1:1/seed-001", "riemann"), "riemann plays labyrinth, not fish"),
        (("tcp://127.0.0.1:1/seed-001", "random", "--key", "k"), "seed-001 cannot send a key"),
    ],
)
def test_what_cannot_join(words: tuple[str, ...], why: str) -> None:
    """Exit code 2 and a line that helps."""
    assert why in refused("join", *words, "--name", "ann")


def test_players_that_crash(tmp_path: Path) -> None:
    """A program is reported with how it ended and what it wrote, a class with its exception; neither is 0."""
    raising = file(
        tmp_path, "class Bot:\n    def choose(self, view, turn):\n        raise ValueError('boom')\n"
    )
    with serving("hexapawn", "--listen", NATIVE, "--house", "random", "--patience", "0") as (server, url):
        program = touchline("join", url, shell("read line; echo oops >&2; exit 3"), "--name", "ann")
        assert program.returncode == 2
        assert "ann exited with 3: oops; the match was not over" in program.stderr
        assert "| oops" in program.stderr
        player = touchline("join", url, raising, "--name", "bob")
        assert player.returncode == 2
        assert "line 3, in choose" in player.stderr
        assert player.stderr.endswith("Error: bob raised ValueError: boom\n")
        for name in ("ann", "bob"):
            said = json.loads(server.line())
            assert said["names"][0] == name
            assert [fault["offence"] for fault in said["result"]["faults"]] == ["gone"]
        assert server.end(signal.SIGTERM)[0] == 0


@pytest.mark.parametrize(
    ("dialect", "who", "words"),
    [
        ("seed-002", "random", b""),
        ("native", rogue("honest"), b'{"type":"welcome","protocol":1,"name":"ann","token":"x"}\n'),
    ],
)
def test_a_server_that_dies(dialect: str, who: str, words: bytes) -> None:
    """Is reported: the match was not over."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"tcp://127.0.0.1:{server.getsockname()[1]}/{dialect}"
        with running("join", url, who, "--name", "ann") as player:
            there, _ = server.accept()
            with there, there.makefile("rb") as lines:
                assert b"ann" in lines.readline()
                there.sendall(words)
            code, _, err = player.end()
            assert code == 2
            assert "the server hung up before the match was over" in err


def test_the_chance_of_a_house_player() -> None:
    """Follows from the seed that its table gives it."""
    make = serve._maker("random", Hexapawn(), NONE)
    assert len({make(seed).rng.random() for seed in ("a", "a", "b")}) == 2
