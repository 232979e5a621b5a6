"""The courses' clients say what became of each of them, and the end of one does not end another."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from touchline.client.connect import Away
from touchline.coursework.courses import fish, labyrinth
from touchline.coursework.courses.clients import ClientOptions, Following, exit_code, played
from touchline.coursework.courses.news import News, sentence
from touchline.players.address import ServerAddress
from touchline.testing import virtual_time

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

TOUCHLINE = [sys.executable, "-m", "touchline"]
START, END = b'["start",[true]]\n', b'["end",[%s]]\n'


async def at_server(script: dict[str, list[bytes]], play: Callable[[int], Awaitable[Any]]) -> Any:
    """Run clients at a server that sends to each name its calls, one after another, and then hangs up."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        name = json.loads(await reader.readuntil(b'"\n'))
        for call in script.get(name, []):
            writer.write(call)
            await writer.drain()
            await reader.readline()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        return await play(server.sockets[0].getsockname()[1])


def of_fish(script: dict[str, list[bytes]], **options: Any) -> list[str]:
    """What becomes of as many clients as the script has names for."""
    fates = asyncio.run(
        at_server(script, lambda port: fish.xclients(len(script), port, options=ClientOptions(**options)))
    )
    return [*map(str, fates)]


def test_what_became_of_each() -> None:
    """Won, lost, refused and expelled: each has its sentence."""
    assert of_fish({"a": [START, END % b"true"], "b": [START, END % b"false"], "c": [], "d": [START]}) == [
        "a won",
        "b lost",
        "c was refused: the server hung up, and had not called start",
        "d was expelled: the server hung up; its latest call was start",
    ]


def test_an_ill_formed_call_ends_one_client_alone() -> None:
    """Its line names the call; the others play on."""
    first, *others = of_fish(
        {"a": [b'{"no":"call"}\n'], "b": [START, END % b"true"], "c": [START, END % b"true"]}
    )
    assert first.startswith("a failed: not a call: ")
    assert first.endswith('(the call: {"no":"call"})')
    assert others == ["b won", "c won"]


def test_a_lenient_client_reads_flat_and_capital_colours() -> None:
    """A strict one fails at the same calls; the lenient one says once what it mended."""
    state = {
        "players": [
            {"color": colour, "score": 0, "places": []} for colour in ("Red", "White", "Brown", "Black")
        ],
        "board": [[1] * 5] * 5,
    }
    calls = [
        START, b'["playing-as",["Red"]]\n', b'["playing-with",["White","Brown","Black"]]\n',
        b'["setup",[%b]]\n' % json.dumps(state).encode(), END % b"true",
    ]  # fmt: skip
    news: list[News] = []
    assert of_fish({"a": calls}, lenient=True, tell=news.append) == ["a won"]
    assert [told.event for told in news] == ["mended", "mended"]
    assert not of_fish({"a": calls})[0].startswith("a won")


def test_nobody_is_there() -> None:
    """The clients say for how long they try, once for all, and the exit code is 2."""
    news: list[News] = []
    fates = asyncio.run(fish.xclients(2, 1, retry=0.3, options=ClientOptions(tell=news.append)))
    assert [sentence(told) for told in news] == ["no server at 127.0.0.1:1 yet, trying for 0.3 s"]
    assert [fate.fate for fate in fates] == ["unreachable"] * 2
    assert exit_code(fates) == 2


def test_a_player_that_misbehaves_on_purpose_has_done_its_job() -> None:
    """A client of a spec that loops where it should is no failure of ours."""
    spec = json.dumps([["ann", "Euclid", "setUp"]]).encode()
    call = b'["setup",[false,{"row#":1,"column#":1}]]\n'

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\n")
        writer.write(call)
        await writer.drain()
        writer.close()

    async def whole() -> Any:
        async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
            return await labyrinth.xclients(server.sockets[0].getsockname()[1], spec)

    (fate,) = asyncio.run(whole())
    assert str(fate) == "ann misbehaved as it was told to: in setUp"
    assert exit_code([fate]) == 0


@pytest.mark.parametrize(
    ("course", "words"),
    [
        ("fish", ["2", "1", "--retry", "0"]),
        ("labyrinth", ["1", "--retry", "0", "--pause", "0"]),
    ],
)
def test_the_command_without_a_server(course: str, words: list[str]) -> None:
    """One line for each client, one at the end, no traceback, nothing on stdout, and exit code 2."""
    spec = '[["ann", "Euclid"], ["bob", "Euclid"]]'
    done = subprocess.run(
        [*TOUCHLINE, "harness", course, "xclients", *words],
        input=spec, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stdout == ""
    *clients, last = done.stderr.splitlines()
    assert len(clients) == 2
    assert all("could not connect: nobody answers at" in line for line in clients)
    assert last == "Error: none of the 2 clients played to the end"


def test_the_commands_under_their_own_names() -> None:
    """`course` prints the same result as the harness, tells JSON on stderr, and prints the clients' fates."""
    server = subprocess.Popen(
        [*TOUCHLINE, "course", "fish", "serve", "0", "--sign-up", "2", "--json"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert server.stderr is not None
    where = json.loads(server.stderr.readline())
    assert where["event"] == "listening"
    port = where["where"].rpartition(":")[2]
    clients = subprocess.run(
        [*TOUCHLINE, "course", "fish", "clients", "10", port, "--json"],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    out, told = server.communicate(timeout=60)
    assert (server.returncode, clients.returncode) == (0, 0)
    assert out == "[1, 0]\n"
    events = [json.loads(line)["event"] for line in told.splitlines()]
    assert events.count("signed_up") == 10
    assert events[-1] == "won"
    assert [player["fate"] for player in json.loads(clients.stdout)["players"]] == ["won", *["lost"] * 9]


@pytest.mark.parametrize("words", [["course", "fish", "serve"], ["harness", "labyrinth", "xclients"]])
def test_help_has_examples_with_the_commands_own_name(words: list[str]) -> None:
    """Whoever asks for help under one of the names sees that name."""
    done = subprocess.run(
        [*TOUCHLINE, *words, "--help"], capture_output=True, text=True, timeout=60, check=True
    )
    assert re.search(rf"touchline {' '.join(words)} \d+", done.stdout)
    assert "--json" in done.stdout


def followed(name: str, retry: float, options: ClientOptions | None = None) -> Following:
    address = ServerAddress("tcp", "127.0.0.1", 45678, "fish-course")
    return Following(name, options or ClientOptions(), address, retry, first="start", last="end")


def test_clients_that_wait_say_so() -> None:
    """Between the sign-up and the first call it is told now and then who waits, and for how long."""
    news: list[News] = []

    def client(name: str, seconds: float, retry: float) -> tuple[Following, Any]:
        following = followed(name, retry, ClientOptions(tell=news.append))

        async def play() -> None:
            following.connected()
            await asyncio.sleep(seconds)
            following.heard(START)
            await asyncio.sleep(100)

        return following, play()

    virtual_time.run(played([partial(client, "a", 5.0), partial(client, "b", 20.0)], 0.1, 60.0))
    assert [sentence(told) for told in news] == [
        "waiting for the game to begin (2 s): a, b",
        "waiting for the game to begin (10 s): b",
    ]


def test_clients_sign_up_in_their_order_at_a_server_that_comes_up_late() -> None:
    """Each connects after the one before it, however long that one had to try."""
    signed_up: list[str] = []

    def client(name: str, tries: float, retry: float) -> tuple[Following, Any]:
        following = followed(name, retry)

        async def play() -> None:
            await asyncio.sleep(tries)
            signed_up.append(name)
            following.connected()
            await asyncio.sleep(100)

        return following, play()

    late = [("a", 7.0), ("b", 0.1), ("c", 3.0), ("d", 0.0)]
    virtual_time.run(played([partial(client, *one) for one in late], 0.05, 60.0))
    assert signed_up == ["a", "b", "c", "d"]


def test_one_client_waits_for_a_server_for_all() -> None:
    """If the first finds none in its time, the others do not wait as long again."""
    seconds: list[float] = []

    def client(name: str, retry: float) -> tuple[Following, Any]:
        async def play() -> None:
            raise Away("nobody answers")

        seconds.append(retry)
        return followed(name, retry), play()

    fates = virtual_time.run(played([partial(client, name) for name in "abc"], 3.0, 60.0))
    assert seconds == [60.0, 0.0, 0.0]
    assert [fate.fate for fate in fates] == ["unreachable"] * 3
