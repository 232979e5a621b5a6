"""`touchline serve` brings up the page beside the players' ports, from one command."""

from __future__ import annotations

import json
import signal
import urllib.request
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from cli.commands import refused
from cli.test_serve_join import NATIVE, Running, joined, running, serving
from touchline.records.replay import Replay

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def fetched(url: str, body: Any = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


@contextmanager
def page(*words: str, **env: str) -> Iterator[tuple[Running, str]]:
    """A page alone, on a free port."""
    with running("serve", "--page", "127.0.0.1:0", *words, **env) as server:
        said = server.complaint()
        assert said.startswith("the page is at http://127.0.0.1:"), said
        yield server, said.removeprefix("the page is at ").strip()


def test_the_page_alone(tmp_path: Path) -> None:
    """Without a game; tables of house players are recorded, too, and Ctrl-C ends it."""
    with page("--show", "hexapawn random random", "--record", str(tmp_path), "--grace", "0") as (server, url):
        with urllib.request.urlopen(url, timeout=30) as answer:
            assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'")
        seats = [{"kind": "house", "player": "random"}] * 2
        made = fetched(f"{url}api/tables", {"game": "hexapawn", "pace": 0, "seats": seats})
        table = made["table"]["id"]
        while (seen := fetched(f"{url}api/tables/{table}"))["table"]["state"] != "finished":
            pass
        assert seen["table"]["result"]["verdict"] == "finished"
        assert len(fetched(f"{url}api/tables")["tables"]) == 2, "the one that is shown is there as well"
        assert server.end(signal.SIGINT)[0] == 130
    records = sorted(tmp_path.glob("*.jsonl"))
    assert len(records) == 2
    for record in records:
        Replay(record.read_bytes(), record.name).verify()
    with page("--record", str(tmp_path)) as (_, url):  # they are there on another day
        while not (listed := fetched(f"{url}api/records")["records"]):
            pass
        assert listed[0]["source"] == "folder"


def test_tables_of_the_ports_are_on_the_page(tmp_path: Path) -> None:
    """Players that come in by a port are seen there, and their match is written to one file only."""
    with serving(
        "hexapawn",
        "--listen",
        NATIVE,
        "--page",
        "127.0.0.1:0",
        "--house",
        "greedy",
        "--record",
        str(tmp_path),
    ) as (server, url):
        assert "hexapawn for 2 at tcp://" in server.complaint()
        at = server.complaint().removeprefix("the page is at ").strip()
        assert joined(url, "random", "ann").end()[0] == 0
        while not (tables := fetched(f"{at}api/tables?state=finished")["tables"]):
            pass
        assert [(seat["kind"], seat["name"]) for seat in tables[0]["seats"]] == [
            ("remote", "ann"), ("house", "greedy"),
        ]  # fmt: skip
        assert fetched(f"{at}api/records")["records"][0]["id"] == tables[0]["record"]
        assert server.end(signal.SIGTERM)[0] == 0
    assert [record.name for record in tmp_path.iterdir()] == ["000000.jsonl"]


def test_a_page_goes_on_after_a_restart_by_default() -> None:
    """Killed or stopped, at the same port; another server at the same time has a folder of its own."""
    new = {"game": "hexapawn", "seats": [{"kind": "me", "name": "ann"}, {"kind": "open"}]}
    with page() as (server, url):
        table = fetched(f"{url}api/tables", new)["table"]["id"]
        with page() as (_, other):
            assert fetched(f"{other}api/tables") == {"tables": []}
        server.process.kill()
        server.end()
    with running("serve", "--page", "127.0.0.1:0") as server:
        assert server.complaint().startswith(f"going on with table {table} of hexapawn")
        assert server.complaint().strip() == f"the page is at {url}"
        assert fetched(f"{url}api/tables/{table}")["table"]["state"] == "open"
        assert server.end(signal.SIGTERM)[0] == 0
    with running("serve", "--page", "127.0.0.1:0", "--no-record") as server:
        there = server.complaint().removeprefix("the page is at ").strip()
        assert fetched(f"{there}api/tables") == {"tables": []}
    with running("serve", "--page", "127.0.0.1:0") as server:
        while not (line := server.complaint()).startswith("the page is at "):
            assert line
        assert [each["id"] for each in fetched(f"{url}api/tables")["tables"]] == [table]


def test_without_aiohttp(tmp_path: Path) -> None:
    """Players are served all the same; who asks for the page hears what to install."""
    (tmp_path / "aiohttp.py").write_text("raise ImportError('not here')\n")
    with serving("hexapawn", "--listen", NATIVE, PYTHONPATH=str(tmp_path)) as (server, url):
        assert "pip install 'touchline[web]'" in server.complaint()
        players = [joined(url, "random", name) for name in ("ann", "bob")]
        assert [player.end()[0] for player in players] == [0, 0]
        assert server.end(signal.SIGTERM)[0] == 0
    with running("serve", PYTHONPATH=str(tmp_path)) as server:
        code, _, err = server.end()
        assert code == 2
        assert "pip install 'touchline[web]'" in err


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--page", "0.0.0.0:0"), "allow it with --public"),
        (("--page", "127.0.0.1:0", "--host", "127.0.0.2"), "--host and --page both name an address"),
        (("--page", "8000"), "is not an address of a page"),
        (("--page", "127.0.0.1:99999"), "is not an address of a page"),
        (("--no-page",), "--no-page needs a game"),
        (("--page", "127.0.0.1:0", "--show", "hexapawn random"), "hexapawn is for 2 players"),
        (
            ("--page", "127.0.0.1:0", "--show", "hexapawn random euclid"),
            "euclid plays labyrinth, not hexapawn",
        ),
        (("--page", "127.0.0.1:0", "--show", "chess random random"), "no game is called 'chess'"),
        (("hexapawn", "--listen", NATIVE, "--page", "0.0.0.0:0"), "allow it with --public"),
    ],
)
def test_what_cannot_be_a_page(words: tuple[str, ...], why: str) -> None:
    """Exit code 2 and a line that helps."""
    assert why in refused("serve", *words)


def test_a_page_that_is_in_use() -> None:
    """Asked for, it cannot be; where nobody asked, another port is taken."""
    with page() as (server, url):
        place = url.removeprefix("http://").rstrip("/")
        assert f"the page cannot listen at {place}" in refused("serve", "--page", place)
        assert server.end(signal.SIGTERM)[0] == 0
