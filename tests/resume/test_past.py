"""The past of a match is replayed to its players in every driver, and the match goes on as if undisturbed."""

from __future__ import annotations

import asyncio
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from touchline.core.clock import Clock, Limits, micros
from touchline.core.conduct import Offence
from touchline.core.errors import BadInput
from touchline.core.events import Event, Moved, Resumed
from touchline.core.happenings import Heard
from touchline.core.messages import Act, Begin, Ready, ToPlayer, YourTurn
from touchline.dialects.native import Native
from touchline.drivers.event_loop import play
from touchline.drivers.match import MatchSpec, agreed, play_now
from touchline.drivers.past import Past
from touchline.games.fish import Fish
from touchline.games.hexapawn import Hexapawn
from touchline.games.labyrinth import Labyrinth
from touchline.matches.resume import resume
from touchline.players.base import Player
from touchline.players.by_name import in_dialect
from touchline.players.in_dialect import InDialect
from touchline.players.remote import Disconnected, Remote
from touchline.records.interrupted import Interrupted
from touchline.records.recorder import RecordWriter
from touchline.records.recording import Recording
from touchline.records.replay import Replay
from touchline.records.rerun import happenings
from touchline.records.side_file import SeatSecret, Secret, side_file
from touchline.testing import virtual_time

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from touchline.core.events import Result

GAMES: dict[str, Any] = {
    "hexapawn": Hexapawn(rows=4, cols=3),
    "fish": Fish(rows=3, cols=4),
    "labyrinth": Labyrinth(),
}
LIMITS = Limits(clock=Clock(micros(10)), set_up=micros(10))


class Drawing:
    """A bot with a memory: its random numbers."""

    def __init__(self, seat: int) -> None:
        self._rng = Random(seat)

    def choose(self, view: Any, turn: int) -> Any:
        return self._rng.choice(view.legal_moves())


class Slow(Player):
    """A player on an event loop that answers after some seconds, or fails at its n-th question."""

    handed_over: int | None = None
    latency = 0

    def __init__(self, seat: int, seconds: float, fails_at: int = -1) -> None:
        self._bot, self._seconds, self._questions = Drawing(seat), seconds, fails_at
        self._table: Any = None
        self._seat = 0

    def sit(self, seat: int, table: Any) -> None:
        self._seat, self._table = seat, table

    def tell(self, message: ToPlayer) -> None:
        if isinstance(message, Begin):
            self._table.hear(self._seat, Ready())
        elif isinstance(message, YourTurn):
            self.handed_over = self._table.now()
            self._questions -= 1
            asyncio.get_running_loop().call_later(self._seconds, self._answer, message)

    def _answer(self, question: YourTurn) -> None:
        if self._questions == -1:
            self._table.fail(self._seat, Offence.GONE, "exited")
        elif self._table is not None:
            move = self._bot.choose(question.view, question.turn)
            self._table.hear(self._seat, Act(move, question.turn))

    def close(self, *, at_once: bool) -> None:
        self._table = None


def written(spec: MatchSpec, run: Callable[[list[Callable[[Event], None]]], Result]) -> tuple[bytes, Result]:
    """Return the record of a match, and its result."""
    lines: list[bytes] = []
    result = run([RecordWriter(lines.append, prompt=True).see])
    return b"".join(lines), result


def cut(data: bytes, spec: MatchSpec, lines: int) -> Past:
    """Return the past of a match that was killed after so many lines."""
    kept = b"".join(data.splitlines(keepends=True)[:lines])
    secret = Secret(origin="play", seed=spec.seed, nonce=spec.nonce, seats=())
    return Past(tuple(happenings(Replay(kept, "x", secret))))


def cuts(data: bytes) -> range:
    """Return about six numbers of lines after which a match is killed."""
    lines = data.count(b"\n")
    return range(1, lines, max(1, lines // 6))


def moves(events: Sequence[Event]) -> list[Any]:
    return [(event.seat, event.move) for event in events if isinstance(event, Moved)]


@pytest.mark.parametrize("game", GAMES)
def test_bots_of_this_process(game: str) -> None:
    """Killed after any line, the match takes the same course: the bots are asked again."""
    spec, whole = agreed(GAMES[game], "ab", seed=3), list[Event]()
    data, result = written(spec, lambda see: play_now(spec, [Drawing(0), Drawing(1)], [*see, whole.append]))
    for lines in cuts(data):
        again: list[Event] = []
        past = cut(data, spec, lines)
        assert play_now(spec, [Drawing(0), Drawing(1)], [again.append], past) == result
        assert moves(again) == moves(whole)
        assert sum(isinstance(event, Resumed) for event in again) == (lines < data.count(b"\n") - 2)


@pytest.mark.parametrize("dialect", ["native", "fish-course", "seed-000", "seed-001"])
def test_players_in_a_dialect(dialect: str) -> None:
    """On an event loop, next to a bot: the dialect and the player have the same memory as before."""
    spec = agreed(GAMES["fish"], "ab", seed=3, limits=LIMITS)

    def players() -> list[Any]:
        if dialect == "native":
            return [InDialect(Native.face(Drawing(0)), Native(spec.game)), Drawing(1)]
        return [in_dialect(Drawing(0), dialect, spec.game, 1), Drawing(1)]

    whole: list[Event] = []
    data, result = written(spec, lambda see: virtual_time.run(play(spec, players(), [*see, whole.append])))
    for lines in cuts(data):
        again: list[Event] = []
        past = cut(data, spec, lines)
        assert virtual_time.run(play(spec, players(), [again.append], past)) == result
        assert moves(again) == moves(whole)


def slow_match(seconds: float, past: Past | None = None, **how: Any) -> tuple[MatchSpec, bytes, Result]:
    spec = agreed(GAMES["hexapawn"], "ab", seed=3, nonce="n", limits=LIMITS)

    def run(see: list[Callable[[Event], None]]) -> Result:
        async def match() -> Result:
            return await play(spec, [Slow(0, seconds, **how), Slow(1, seconds)], see, past)

        return virtual_time.run(match())

    data, result = written(spec, run)
    return spec, data, result


def test_no_clock_runs_while_the_past_is_replayed() -> None:
    """A player that takes longer for its past than for its moves is not late."""
    spec, data, _ = slow_match(1)
    past = cut(data, spec, 6)

    async def match() -> Result:
        players = [Slow(0, 15), Slow(1, 15)]
        asyncio.get_running_loop().call_later(15 * 3 + 1, _hurry, players)
        return await play(spec, players, [], past)

    result = virtual_time.run(match())
    assert not [fault for fault in result.faults if fault.turn < 3]


def _hurry(players: Sequence[Slow]) -> None:
    for player in players:
        player._seconds = 1


@pytest.mark.parametrize("lines", [5, 8])
def test_a_player_that_cannot_repeat_its_past_makes_the_match_void(lines: int) -> None:
    """It fails before it has caught up: our restart is the cause, and nobody has lost."""
    spec, data, _ = slow_match(1)
    _, _, result = slow_match(1, cut(data, spec, lines), fails_at=0)
    assert result.verdict == "void"
    assert "the match cannot be resumed: seat 0, started again, did not repeat" in result.reason
    assert result.faults == ()


def test_what_was_said_unasked_need_not_be_repeated() -> None:
    """A player that once spoke out of turn, and does not after the restart, is brought to the position."""
    spec, data, _ = slow_match(1)
    past = cut(data, spec, 6)
    noise = Heard(1, Act(None))
    at = next(place for place, one in enumerate(past.happenings) if isinstance(one, Heard) and one.took)

    async def match() -> Result:
        noisy = Past((*past.happenings[:at], noise, *past.happenings[at:]))
        return await play(spec, [Slow(0, 1), Slow(1, 1)], [], noisy)

    result = virtual_time.run(match())
    assert result.verdict == "finished"
    assert [(fault.seat, fault.offence) for fault in result.faults] == [(1, Offence.OUT_OF_TURN)]


def test_a_player_that_does_not_come_back_makes_the_match_void() -> None:
    """Nobody is expelled, and the match does not go on without it."""
    spec = agreed(GAMES["hexapawn"], "ab", seed=3, limits=LIMITS)

    async def match() -> Result:
        remote = Remote(Disconnected(), Native(spec.game), patience=30)
        return await play(spec, [Drawing(0), remote], [], Past(()))

    result = virtual_time.run(match())
    assert result.verdict == "void"
    assert result.reason == "seat 1 did not come back after the server restarted"
    assert result.faults == ()
    assert result.turns == 0, "the bot whose turn it was has not moved"


def test_a_forged_record_is_not_resumed(tmp_path: Path) -> None:
    """The record must follow from the rules as far as it came."""
    spec = agreed(GAMES["hexapawn"], "ab", seed=3)
    data, _ = written(spec, lambda see: play_now(spec, [Drawing(0), Drawing(1)], see))
    secret = Secret(origin="play", seed=spec.seed, nonce=spec.nonce, seats=(SeatSecret(), SeatSecret()))
    lines, path = data.splitlines(keepends=True)[:5], tmp_path / "m.jsonl"
    side_file(path).write_bytes(msgspec.json.encode(secret))
    path.write_bytes(b"".join(lines))
    assert len(Interrupted(path).past.happenings) == 4
    path.write_bytes(b"".join([*lines[:2], *lines[3:]]))
    with pytest.raises(BadInput, match="line 3"):
        Interrupted(path)


def test_the_side_file_of_somebody_else_is_not_believed(tmp_path: Path) -> None:
    """It names commands: one that came with a record from outside is not carried out."""
    spec, path = agreed(GAMES["hexapawn"], "ab", seed=3), tmp_path / "m.jsonl"
    data, _ = written(spec, lambda see: play_now(spec, [Drawing(0), Drawing(1)], see))
    secret = Secret(origin="play", seed=spec.seed, nonce=spec.nonce, seats=(SeatSecret(), SeatSecret()))
    path.write_bytes(b"".join(data.splitlines(keepends=True)[:5]))
    side_file(path).write_bytes(msgspec.json.encode(secret))
    side_file(path).chmod(0o644)
    with pytest.raises(BadInput, match=r"chmod 600 m\.jsonl\.secret"):
        resume(path, Recording(path))
