"""`touchline serve --record` is killed and started again: remote players come back, and matches go on."""

from __future__ import annotations

import asyncio
import socket
import threading
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from resume.kills import begun, course, ended, kill_in_the_middle, resumed, start, until
from touchline.client.join import join
from touchline.core import registry
from touchline.players.address import ServerAddress

if TYPE_CHECKING:
    from pathlib import Path

TABLES = {
    "hexapawn": ("hexapawn", ("--seats", "2"), 2),
    "fish": ("fish", ("--rows", "4", "--cols", "4", "--seats", "3", "--house", "random"), 2),
    "labyrinth": ("labyrinth", ("--seats", "3", "--house", "euclid"), 2),
}


class Slow:
    """A remote player with a memory: its random numbers."""

    def __init__(self, name: str) -> None:
        self._rng = Random(name)

    def choose(self, view: Any, turn: int) -> Any:
        threading.Event().wait(0.004)
        return self._rng.choice(view.legal_moves())


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        port: int = found.getsockname()[1]
        return port


class Guests:
    """Players in a thread of this process, which outlive the server."""

    def __init__(self, url: str, count: int) -> None:
        self._url, self._count = url, count
        self.errors: list[BaseException] = []
        self._thread = threading.Thread(target=lambda: asyncio.run(self._play()))
        self._thread.start()

    async def _play(self) -> None:
        native, guests = registry.dialect("native"), list[asyncio.Task[None]]()
        for name in [f"guest {number}" for number in range(self._count)]:
            face, address = native.face(Slow(name)), ServerAddress.read(self._url)
            guests.append(asyncio.create_task(join(address, face, native.framing, name)))
            await asyncio.sleep(0.1)  # they sign up in this order
        found = await asyncio.gather(*guests, return_exceptions=True)
        self.errors = [error for error in found if error is not None]

    def end(self, *, told: bool) -> None:
        """Wait until they leave. They were told the end, unless the server was killed right after it."""
        self._thread.join(60)
        assert not self._thread.is_alive()
        assert self.errors == [] or not told


def served(folder: Path, game: str, scheme: str, seed: int, kills: int) -> Path:
    """Serve one match, killed up to so many times; return its record."""
    name, options, count = TABLES[game]
    url = f"{scheme}://127.0.0.1:{free_port()}/native"
    words = ["serve", name, *options, "--seed", f"{seed}", "--listen", url, "--no-page", "--tables", "1"]
    process = start(*words, "--record", "records", cwd=folder)
    assert process.stdout is not None
    while b" at " not in process.stdout.readline():  # it listens: the guests sign up in their order
        pass
    guests = Guests(url, count)
    record, chance = folder / "records" / "000000.jsonl", Random(f"{game} {scheme} {seed}")
    until(lambda: begun(record, 1 + count), process)  # everybody has its token
    for _ in range(kills):
        if not kill_in_the_middle(process, record, chance):
            break
        process = start(*words, "--record", "records", cwd=folder)
    else:
        ended(process)
    guests.end(told=process.returncode == 0)
    return record


def compared(folder: Path, game: str, scheme: str, seed: int, kills: int) -> int:
    """Compare a match whose server was killed with one whose was not; return how often it was resumed."""
    for name in ("whole", "killed"):
        (folder / name).mkdir()
    whole = served(folder / "whole", game, scheme, seed, 0)
    killed = served(folder / "killed", game, scheme, seed, kills)
    assert course(killed) == course(whole)
    return resumed(killed)


def test_the_match_of_a_killed_server_goes_on(tmp_path: Path) -> None:
    """Remote players come back with their tokens, a house player is made again; the result is the same."""
    assert compared(tmp_path, "fish", "tcp", 1, kills=1) == 1


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("scheme", ["tcp", "ws"])
@pytest.mark.parametrize("game", TABLES)
def test_a_server_killed_at_random_instants(game: str, scheme: str, seed: int, tmp_path: Path) -> None:
    """Killed again and again: every match ends as the uninterrupted one, and nobody is expelled."""
    compared(tmp_path, game, scheme, seed, kills=5)
