"""What the courses' servers tell, record, and do with players that nobody can play with."""

from __future__ import annotations

import asyncio
import json
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from courses.strangers import STRICT, Habits, tournament
from courses.test_xserver import referee_state
from touchline.bots.euclid import Euclid
from touchline.core.errors import BadOptions
from touchline.coursework.courses import labyrinth
from touchline.coursework.courses.game_records import GameRecords
from touchline.coursework.courses.news import MOST_SHOWN, News, sentence, shown
from touchline.coursework.courses.signup import (
    MOST_REFUSALS,
    OPEN_TO_ALL,
    ServerOptions,
    SignUpPeriod,
    _tell_address,
)
from touchline.coursework.harness.actors import server_state
from touchline.dialects.labyrinth_course import LabyrinthCourse
from touchline.games.labyrinth import Labyrinth
from touchline.records.replay import Replay, split_records
from touchline.testing.virtual_network import NetworkLoop, run

if TYPE_CHECKING:
    from pathlib import Path

LIMIT = 2.0
"""The timeout of a call, in virtual seconds."""


class Client:
    """A client of the Labyrinth course that stops answering at its k-th call of a method."""

    def __init__(self, name: str, fails: str = "", at: int = 1, instead: bytes = b"") -> None:
        """`instead` is what it sends at that call."""
        self.name, self._fails, self._left, self._instead = name, fails, at, instead
        self.held: float | None = None
        """Seconds from the call that it did not answer until the server let it go."""
        self.calls: list[str] = []

    async def play(self, port: int) -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, NetworkLoop)
        reader, writer = await asyncio.open_connection(sock=await loop.connect(port), limit=1 << 20)
        face, stuck = LabyrinthCourse.face(Euclid()), None
        writer.write(self.name.encode() if self._fails == "name" else json.dumps(self.name).encode())
        while line := await reader.readline():
            self.calls.append(json.loads(line)[0])
            self._left -= self.calls[-1] == self._fails
            if self.calls[-1] == self._fails and not self._left and stuck is None:
                stuck = loop.time()
                writer.write(self._instead)
            if stuck is None:
                writer.writelines(face.hear(line.strip()))
        self.held = None if stuck is None else loop.time() - stuck
        writer.close()


def game(
    clients: list[Client], state: Any, **options: Any
) -> tuple[tuple[list[str], list[str]], list[str], list[News]]:
    """A game of these clients in virtual time: its result, and what the server told."""
    news: list[News] = []

    async def whole() -> tuple[list[str], list[str]]:
        port: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        terms = ServerOptions(tell=news.append, **options)
        server = asyncio.create_task(
            labyrinth.xserver(
                0, json.dumps(state).encode(), sign_up=5, call=LIMIT, listening=port.set_result, options=terms
            )
        )
        playing = []
        for client in clients:
            playing.append(asyncio.create_task(client.play(await port)))
            await asyncio.sleep(0.1)
        result = await server
        await asyncio.gather(*playing)
        return result

    result = run(whole())
    return result, [sentence(told) for told in news], news


def test_the_server_says_who_came_and_what_became_of_them() -> None:
    """Signed up, refused, expelled with the reason, and won: each has its line."""
    clients = [Client("ann"), Client("no good"), Client("bob", "take-turn"), Client("", "name")]
    result, lines, _ = game(clients, referee_state(2, Random(3)))
    assert result == (["ann"], ["bob"])
    told = "\n".join(lines)
    assert "ann (player 1) signed up from 127.0.0.1:" in told
    assert 'was refused: a name is a JSON string of 1 to 20 letters or digits; it sent "no good"' in told
    assert "was refused: did not sign up in time" in told
    assert "bob (player 2) was expelled from the game at turn 0: late:" in told
    assert lines[-1] == "ann (player 1) won"


def test_a_winner_that_fails_at_the_end_is_named() -> None:
    """ "A winner that fails win() is dropped and not replaced": the server says so."""
    result, lines, _ = game([Client("ann", "win"), Client("bob", "take-turn")], referee_state(2, Random(3)))
    assert result == ([], ["ann", "bob"])
    assert any(line.startswith("ann (player 1) failed: win: ") for line in lines)
    assert lines[-1] == "nobody won"


def test_the_first_to_sign_up_play_if_there_are_too_many() -> None:
    """Two places and four sign-ups: the first two play, and the server says why it sends away the others."""
    clients = [Client(name) for name in ("ann", "bob", "cyd", "dan")]
    (winners, kicked), lines, _ = game(clients, referee_state(2, Random(3)))
    assert set(winners) <= {"ann", "bob"}
    assert winners
    assert kicked == []
    assert clients[2].calls == clients[3].calls == []
    away = "was sent away: the game has 2 places, and the first to sign up have them"
    assert [line for line in lines if "sent away" in line] == [
        f"cyd (player 3) {away}",
        f"dan (player 4) {away}",
    ]


def test_a_state_with_one_place_is_no_game() -> None:
    """Nobody plays, and everybody who signed up hears why; the course's answer is two empty lists."""
    state = referee_state(2, Random(3))
    clients = [Client(name) for name in ("ann", "bob")]
    result, lines, _ = game(clients, state | {"plmt": state["plmt"][:1]})
    assert result == ([], [])
    assert any("there is no game: the state has 1 of at least 2 places" in line for line in lines)


@pytest.mark.parametrize("seed", range(12))
def test_a_late_player_is_held_no_longer_than_its_limit(seed: int) -> None:
    """Whichever calls they do not answer, also the last of them: each is let go when its time is up."""
    rng = Random(seed)
    count = rng.randrange(2, 5)
    clients = [
        Client(f"p{number}", rng.choice(("setup", "take-turn", "win")), rng.randrange(1, 4))
        for number in range(count)
    ]
    game(clients, referee_state(count, rng))
    assert [client.held for client in clients if client.held is not None] == [
        pytest.approx(LIMIT, abs=0.01) for client in clients if client.held is not None
    ]


def test_everybody_is_late() -> None:
    """The last of them leaves after one limit as well, and nobody has won."""
    clients = [Client("ann", "take-turn"), Client("bob", "take-turn")]
    assert game(clients, referee_state(2, Random(1)))[0] == ([], ["ann", "bob"])
    assert [client.held for client in clients] == [pytest.approx(LIMIT, abs=0.01)] * 2


@pytest.mark.parametrize(
    ("instead", "offence"),
    [(b"[1,", "late"), (b"{}", "malformed"), (b"[1]" * 5000, "flood"), (b"x" * 100_000, "flood")],
)
def test_strangers_of_several_kinds(instead: bytes, offence: str) -> None:
    """Half a message, a wrong one, many, a long one: it is expelled with the offence; the other plays on."""
    (winners, kicked), lines, _ = game(
        [Client("ann"), Client("bob", "take-turn", instead=instead)], referee_state(2, Random(3))
    )
    assert (winners, kicked) == (["ann"], ["bob"])
    assert any(
        line.startswith(f"bob (player 2) was expelled from the game at turn 0: {offence}") for line in lines
    )


def test_a_tournament_is_told() -> None:
    """Each game with its winners, those that failed and how, and who won it all."""
    result, _, news = tournament([STRICT] * 5 + [Habits(bare_void=True)], lenient=False)
    lines = [sentence(told) for told in news]
    assert result == (1, 1)
    assert any(line.startswith("f (player 6) failed: start: malformed") for line in lines)
    assert "game 1: won by" in "\n".join(lines)
    assert lines[-1] == "a (player 1) won"


def test_too_few_are_told() -> None:
    """Four players are no tournament; the second period and the end are announced."""
    result, _, news = tournament([STRICT] * 4, lenient=False)
    lines = [sentence(told) for told in news]
    assert result is None
    assert "4 signed up, and 5 are needed: another 5 s" in lines
    assert "there is no game: 4 of at least 5 players signed up" in lines


def test_frames_are_shown_both_ways() -> None:
    """With `verbose`, each message in each direction, by the name of the player, cut to a limit."""
    _, lines, news = game([Client("ann"), Client("bob")], referee_state(2, Random(3)), verbose=True)
    frames = [told for told in news if told.event == "frame"]
    assert any(line.startswith("127.0.0.1:") and line.endswith('< "ann"') for line in lines)
    assert any(line.startswith('ann (player 1) > ["setup",') for line in lines)
    assert 'bob (player 2) < "void"' in lines
    assert all(len(told.text or "") < MOST_SHOWN + 40 for told in frames)


def test_a_shown_frame_is_harmless() -> None:
    """Escape sequences are escaped, and a frame of a megabyte is one short line."""
    line = shown(b"\x1b]0;x\x07" * 200_000)
    assert line.isprintable()
    assert len(line) <= 2 * MOST_SHOWN + 30
    assert line.endswith("(1,200,000 bytes)")


# -- records ---------------------------------------------------------------------------------------


def test_a_record_in_a_file_follows(tmp_path: Path) -> None:
    """The record of a game from a given state can be replayed from its first line; nothing lies beside it."""
    path = tmp_path / "game.jsonl"
    records = GameRecords(str(path))
    game([Client("ann"), Client("bob", "take-turn", 2)], referee_state(2, Random(3)), records=records)
    records.close()
    assert records.failed == {}
    Replay.read(path).verify()
    assert [*tmp_path.iterdir()] == [path]


@pytest.mark.parametrize("one_file", [True, False])
def test_the_records_of_a_tournament_follow(tmp_path: Path, one_file: bool) -> None:
    """Games that are played at the same time are recorded one after the other, or each in its file."""
    path = tmp_path / "games.jsonl" if one_file else tmp_path
    records = GameRecords(str(path))
    tournament([STRICT] * 6, lenient=False, records=records)
    records.close()
    found = split_records(path.read_bytes()) if one_file else [file.read_bytes() for file in path.iterdir()]
    assert len(found) == 3
    for record in found:
        Replay(record, "a game").verify()


def test_a_record_is_not_overwritten(tmp_path: Path) -> None:
    """A file that is there stays as it is, and the error says what to do."""
    path = tmp_path / "game.jsonl"
    path.write_text("precious")
    with pytest.raises(BadOptions, match="exists already: give another name, or a folder"):
        GameRecords(str(path))
    with pytest.raises(BadOptions, match="create it first"):
        GameRecords(str(tmp_path / "nowhere" / "game.jsonl"))
    assert path.read_text() == "precious"


@pytest.mark.parametrize("seed", range(10))
def test_a_given_position_is_an_option_of_the_game(seed: int) -> None:
    """A state that goes through the written form is the same, so records of it can be replayed."""
    rng = Random(seed)
    live = server_state(referee_state(3, rng), rng.choice((2, 3)))
    spec = labyrinth._spec(live, ["a"] * len(live.avatars), 1.0)
    assert spec.game.start(len(live.avatars), Random(0)) == live


def test_a_goal_off_the_board_is_never_reached() -> None:
    """The course's own pairs have such goals in the sequence, and the game is played."""
    state = referee_state(2, Random(3)) | {"goals": [{"row#": 30, "column#": 3}]}
    (winners, kicked), _, _ = game([Client("ann", "take-turn", 3), Client("bob", "take-turn", 3)], state)
    assert (winners, kicked) == ([], ["ann", "bob"])


def test_an_address_that_others_reach_is_announced() -> None:
    """On loopback there is one line; elsewhere a second one says who can come."""
    news: list[News] = []
    _tell_address(ServerOptions(tell=news.append), 45678)
    _tell_address(ServerOptions(host="0.0.0.0", tell=news.append), 45678)
    assert [sentence(told) for told in news] == [
        "waiting for players at 127.0.0.1:45678",
        "waiting for players at 0.0.0.0:45678",
        f"0.0.0.0:45678: {OPEN_TO_ALL}",
    ]


def test_refusals_are_listed_up_to_a_limit() -> None:
    """After so many it is only said that there are more."""
    news: list[News] = []

    async def whole() -> None:
        period = SignUpPeriod(6, lambda: LabyrinthCourse(Labyrinth()), ServerOptions(tell=news.append))
        for number in range(2 * MOST_REFUSALS):
            period.refused(f"127.0.0.1:{number}", "no", b"")

    run(whole())
    assert len(news) == MOST_REFUSALS + 1
    assert "more" in sentence(news[-1])


class _Bare(Client):
    """A client that writes nothing with quotes, and ends nothing that it writes."""

    async def play(self, port: int) -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, NetworkLoop)
        reader, writer = await asyncio.open_connection(sock=await loop.connect(port), limit=1 << 20)
        face = LabyrinthCourse.face(Euclid())
        writer.write(self.name.encode())
        while call := await reader.read(1 << 20):
            if call.strip():
                self.calls.append(json.loads(call)[0])
                (answer,) = face.hear(call)
                writer.write(answer.strip(b'"') if answer in (b'"void"', b'"PASS"') else answer)
        writer.close()


def test_a_lenient_game_of_labyrinth() -> None:
    """A client without quotes plays to the end beside a strict one, and the server says what it mended."""
    bare = _Bare("ann")
    (winners, kicked), lines, _ = game([bare, Client("bob")], referee_state(2, Random(3)), lenient=True)
    assert kicked == []
    assert winners
    assert bare.calls[-1] == "win"
    assert "mended the messages of ann (player 2): its name has no quotes" in lines  # silence ends it
    assert "mended the messages of ann (player 2): its answers have no quotes" in lines
    assert len([line for line in lines if line.startswith("mended")]) == 2


@pytest.mark.parametrize(("players", "rows", "cols", "goals"), [(2, 5, 5, 0), (6, 7, 7, 3), (3, 9, 5, 2)])
def test_a_drawn_state_can_be_played(players: int, rows: int, cols: int, goals: int) -> None:
    """The state that `touchline course labyrinth state` prints is one that the server takes."""
    state = labyrinth.drawn_state(Labyrinth(rows=rows, cols=cols, goals=goals), players, seed=4)
    live = server_state(json.loads(json.dumps(state)), players)
    assert (len(live.avatars), live.maze.grid.rows, live.maze.grid.cols) == (players, rows, cols)
    assert len(live.pool or ()) == goals
    assert labyrinth.drawn_state(Labyrinth(rows=rows, cols=cols, goals=goals), players, seed=4) == state
