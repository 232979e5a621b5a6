"""The ways in which a player comes to a table; each plays one match and says what every seat heard."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import replace

from last_words import players
from last_words.players import GAMES, Noting, class_file, game_of, minds
from server.rooms import DEADLINE, UNHURRIED, room, run, until
from touchline.client.connect import Away
from touchline.client.join import join
from touchline.conducts.course import CONDUCT as COURSE
from touchline.core import registry
from touchline.core.clock import micros
from touchline.drivers.event_loop import play
from touchline.drivers.lineup import Lineup
from touchline.drivers.match import agreed
from touchline.players.address import ServerAddress
from touchline.players.in_dialect import InDialect
from touchline.players.process import Program

if TYPE_CHECKING:
    from touchline.core.events import Result
    from touchline.drivers.match import MatchSpec


class Table(NamedTuple):
    """A match: at the first seats minds that speak the dialect, at the others minds of this process."""

    dialect: str
    guests: tuple[str, ...]
    house: tuple[str, ...]
    turn_cap: int

    @property
    def terms(self) -> dict[str, Any]:
        limits = replace(UNHURRIED, goodbye=micros(DEADLINE))
        return {"conduct": COURSE, "limits": limits, "turn_cap": self.turn_cap, "seed": 1}

    @property
    def names(self) -> list[str]:
        return [*(f"guest{chr(65 + seat)}" for seat in range(len(self.guests))), *self.house]

    @property
    def bots(self) -> list[Any]:
        return [minds(game_of(self.dialect))[mind]() for mind in self.house]

    def spec(self) -> MatchSpec:
        return agreed(GAMES[game_of(self.dialect)], self.names, **self.terms)


class Played(NamedTuple):
    result: Result
    heard: list[list[bytes]]


def here(table: Table, folder: Path) -> Played:
    """Classes in this process."""
    heard: list[list[bytes]] = [[] for _ in table.guests]
    spec, module = table.spec(), registry.dialect(table.dialect)
    faced = [
        InDialect(Noting(table.dialect, mind, heard[seat].append), module(spec.game))  # type: ignore[arg-type]
        for seat, mind in enumerate(table.guests)
    ]
    return Played(run(play(spec, [*faced, *table.bots])), heard)


def program(table: Table, folder: Path) -> Played:
    """Programs with a loop of their own."""
    notes = _notes(table, folder)
    commands = [
        [sys.executable, players.__file__, table.dialect, mind, notes[seat]]
        for seat, mind in enumerate(table.guests)
    ]
    return _seated(table, commands, notes)


def class_as_program(table: Table, folder: Path) -> Played:
    """Files with a class, which the host runs as programs."""
    notes = _notes(table, folder)
    files = [class_file(folder, table.dialect, mind, notes[seat]) for seat, mind in enumerate(table.guests)]
    host = [sys.executable, "-m", "touchline.players.python_file"]
    return _seated(table, [[*host, str(file), table.dialect] for file in files], notes)


def _notes(table: Table, folder: Path) -> list[str]:
    return [str(folder / f"heard{seat}") for seat in range(len(table.guests))]


def _seated(table: Table, commands: list[list[str]], notes: list[str]) -> Played:
    words = [*(f"{table.dialect}+process:x" for _ in commands), *table.house]
    bots = iter(table.bots)

    def make(word: str, game: Any, seed: Any, **more: Any) -> Any:
        return Program(commands[seed]) if word.startswith(f"{table.dialect}+") else next(bots)

    lineup = Lineup(words, range(len(words)), make)
    result = lineup.play(lineup.fill(table.spec()))
    return Played(result, [Path(note).read_bytes().splitlines() for note in notes])


def tcp(table: Table, folder: Path) -> Played:
    return run(_over_the_network(table, "tcp"))


def websocket(table: Table, folder: Path) -> Played:
    return run(_over_the_network(table, "ws"))


async def _over_the_network(table: Table, scheme: str) -> Played:
    heard: list[list[bytes]] = [[] for _ in table.guests]
    minded = minds(game_of(table.dialect))
    house = [(mind, lambda seed, make=minded[mind]: make()) for mind in table.house]
    options = {**table.terms, "house": house}
    async with room(
        GAMES[game_of(table.dialect)],
        len(table.names),
        (f"{scheme}://127.0.0.1:0/{table.dialect}",),
        **options,
    ) as served:
        guests = []
        for seat, mind in enumerate(table.guests):
            face: Any = Noting(table.dialect, mind, heard[seat].append)
            framing = registry.dialect(table.dialect).framing
            listen = ServerAddress.read(served.url)
            guests.append(asyncio.create_task(join(listen, face, framing, table.names[seat])))
            await until(lambda done=seat: served.server.waiting > done or served.events[0])  # type: ignore[misc]
        ends = await asyncio.gather(*guests, return_exceptions=True)
        assert all(end is None or isinstance(end, Away) for end in ends), ends
        return Played(await served.result(), heard)


WAYS = {
    "here": here,
    "program": program,
    "class as a program": class_as_program,
    "tcp": tcp,
    "websocket": websocket,
}
