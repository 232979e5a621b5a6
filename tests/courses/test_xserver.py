"""The courses' servers over real sockets with real clients, against what the harnesses say without any."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from touchline.bots.fish_course import FishCourse as HousePlayer
from touchline.coursework.courses import fish, labyrinth
from touchline.coursework.harness.labyrinth import xserver as without_sockets
from touchline.dialects.fish_course import FishCourse, FishCourseFace
from touchline.dialects.notation.json_stream import values
from touchline.dialects.notation.labyrinth import write_board, write_cell, write_spare
from touchline.games.fish import Fish
from touchline.games.labyrinth import Labyrinth
from touchline.tournament.formats.fish_manager import allocation

CASES = Path(__file__).parents[3] / "shared" / "cases" / "labyrinth"
TOUCHLINE = [sys.executable, "-m", "touchline"]


def referee_state(seats: int, rng: Random) -> dict[str, Any]:
    """A RefereeState of a game that has just begun, perhaps with further goals."""
    live: Any = Labyrinth(rows=7, cols=7, goals=rng.choice((0, 2))).start(seats, rng)
    cells = live.maze.grid.cells
    return {
        "board": write_board(live.maze),
        "spare": write_spare(live.maze),
        "plmt": [
            {
                "current": write_cell(cells[avatar]),
                "home": write_cell(seeker.home),
                "color": colour,
                "goto": write_cell(seeker.goal),
            }
            for avatar, seeker, colour in zip(
                live.avatars, live.seekers, ("red", "blue", "green", "pink", "white", "black"), strict=False
            )
        ],
        "last": None,
        "goals": [write_cell(cell) for cell in live.pool or ()],
    }


def players(seats: int, rng: Random) -> list[list[Any]]:
    """A BadPlayerSpec2 of so many players, some of which fail somewhere."""
    spec: list[list[Any]] = []
    for number in range(seats):
        one: list[Any] = [f"player{number}", rng.choice(("Riemann", "Euclid"))]
        if rng.random() < 0.4:
            one += [rng.choice(("setUp", "takeTurn", "win")), rng.randrange(1, 4)]
        spec.append(one)
    return spec


async def over_tcp(spec: Any, state: Any, call: float) -> tuple[list[str], list[str]]:
    """The same through the real server and real clients, in a hurry."""
    port: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    server = asyncio.create_task(
        labyrinth.xserver(
            0, json.dumps(state).encode(), sign_up=0.5, name=0.4, call=call, listening=port.set_result
        )
    )
    await labyrinth.xclients(await port, json.dumps(spec).encode(), pause=0.01, retry=0.2)
    return await server


def check_pair(spec: Any, state: Any, call: float = 1.0) -> None:
    said = without_sockets(json.dumps(spec).encode() + json.dumps(state).encode())
    assert asyncio.run(over_tcp(spec, state, call)) == tuple(map(sorted, said))


@pytest.mark.parametrize("seed", range(6))
def test_the_server_says_what_the_harness_says(seed: int) -> None:
    """Players that fail at any call included: who wins, and who misbehaved."""
    rng = Random(seed)
    seats = rng.randrange(2, 5)
    check_pair(players(seats, rng), referee_state(seats, rng))


def test_one_player_is_no_game() -> None:
    rng = Random(1)
    spec, state = players(1, rng), referee_state(2, rng)
    assert asyncio.run(over_tcp(spec, state, 1.0)) == ([], [])


def test_bad_names_are_dropped_and_the_first_six_play() -> None:
    """ "Bad, late or missing names are dropped silently"; "a period ends at once when 6 have signed up"."""
    rng = Random(2)
    spec = [["no good", "Riemann"], ["x" * 21, "Euclid"], *([f"p{n}", "Euclid"] for n in range(8))]
    check_pair(spec, referee_state(6, rng))


@pytest.mark.slow
@pytest.mark.parametrize("harness", ["xserver9", "xserver10"])
@pytest.mark.parametrize("part", range(10))
def test_all_pairs_over_real_sockets(harness: str, part: int) -> None:
    """The field's pairs, answered by the real server; a tenth of them at a time."""
    pairs = sorted((CASES / harness).glob("*-in.json"))[part::10]
    if not CASES.is_dir():
        pytest.skip("the field's pairs are not on this machine")
    for pair in pairs:
        spec, state = values(pair.read_bytes())
        theirs = json.loads(pair.with_name(pair.name.replace("-in", "-out")).read_bytes())
        ours = asyncio.run(over_tcp(spec, state, 1.0))
        assert [sorted(names) for names in theirs] == [*ours], pair.name


# -- Fish ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "games"),
    [
        (2, [2]), (3, [3]), (4, [4]), (5, [3, 2]), (6, [4, 2]), (7, [4, 3]), (8, [4, 4]), (9, [4, 3, 2]),
        (10, [4, 4, 2]), (13, [4, 4, 3, 2]),
    ],
)  # fmt: skip
def test_how_a_round_is_divided(players: int, games: list[int]) -> None:
    assert allocation(players) == games


def test_every_number_of_players_can_be_divided() -> None:
    """Everybody plays, in games of two to four."""
    for count in range(2, 200):
        games = allocation(count)
        assert sum(games) == count
        assert set(games) <= {2, 3, 4}


class Faulty(HousePlayer):
    """A house player that raises when it is asked to move for the n-th time."""

    def __init__(self, at: int) -> None:
        super().__init__(depth=1)
        self._left = at

    def choose(self, view: Any, turn: int = 0) -> Any:
        if self._left == 0:
            raise RuntimeError("on purpose")
        self._left -= 1
        return super().choose(view, turn)


async def tournament(bots: list[Any], call: float = 2.0) -> tuple[int, int] | None:
    """A tournament over TCP between these bots; one that raises hangs up."""
    from touchline.client.join import join
    from touchline.players.address import ServerAddress

    port: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    server = asyncio.create_task(fish.xserver(0, sign_up=0.6, name=0.5, call=call, listening=port.set_result))
    listen = ServerAddress("tcp", "127.0.0.1", await port, "fish-course")
    clients = []
    for number, bot in enumerate(bots):
        clients.append(
            asyncio.create_task(join(listen, FishCourse.face(bot), "values", chr(97 + number), seconds=1))
        )
        await asyncio.sleep(0.01)
    result = await server
    await asyncio.gather(*clients, return_exceptions=True)
    return result


@pytest.mark.parametrize(("good", "bad", "result"), [(5, 0, (1, 0)), (10, 0, (1, 0)), (5, 1, (1, 1))])
def test_a_tournament(good: int, bad: int, result: tuple[int, int]) -> None:
    """Equal house players: one wins; who fails is counted, and the others play on."""
    bots = [HousePlayer(depth=1) for _ in range(good)] + [Faulty(at) for at in range(bad)]
    assert asyncio.run(tournament(bots)) == result


def test_only_bad_players() -> None:
    """ "only 5 bad -> [0,5] or [0,4]"."""
    result = asyncio.run(tournament([Faulty(number % 3) for number in range(5)]))
    assert result in ((0, 5), (1, 4), (0, 4))


def test_too_few_are_no_tournament() -> None:
    assert asyncio.run(tournament([HousePlayer(depth=1) for _ in range(4)])) is None


def test_the_first_to_sign_up_wins_among_equals() -> None:
    """ "1 winner, the first-signed-up player"."""
    won: list[str] = []

    class Telling(FishCourseFace):
        name = ""

        def hear(self, frame: bytes) -> list[bytes]:
            name, arguments = json.loads(frame)
            if name == "end" and arguments == [True]:
                won.append(self.name)
            return super().hear(frame)

    async def run() -> None:
        from touchline.client.join import join
        from touchline.players.address import ServerAddress

        port: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        server = asyncio.create_task(fish.xserver(0, sign_up=0.6, listening=port.set_result))
        listen = ServerAddress("tcp", "127.0.0.1", await port, "fish-course")
        clients = []
        for number in range(6):
            face = Telling(HousePlayer(depth=1))
            face.name = chr(97 + number)
            clients.append(asyncio.create_task(join(listen, face, "values", face.name, seconds=1)))
            await asyncio.sleep(0.02)
        await server
        await asyncio.gather(*clients)

    asyncio.run(run())
    assert won == ["a"]


def test_the_commands() -> None:
    """Both as a user runs them: the server prints the result, and the clients end by themselves."""
    server = subprocess.Popen(
        [*TOUCHLINE, "harness", "fish", "xserver", "0", "--sign-up", "2"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert server.stderr is not None
    port = server.stderr.readline().strip().rpartition(":")[2]
    clients = subprocess.run([*TOUCHLINE, "harness", "fish", "xclients", "10", port], timeout=60, check=False)
    out, _ = server.communicate(timeout=60)
    assert clients.returncode == server.returncode == 0
    assert json.loads(out) == [1, 0]


def test_the_dialect_of_a_tournament_speaks_of_it_only_when_told() -> None:
    """In a tournament `start` and `end` are the manager's to say."""
    assert FishCourse(Fish(), tournament=True).start(True).frames == [b'["start",[true]]']
