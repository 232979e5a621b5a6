"""Rogues and odd honest players in every dialect, at every game; `hostile/` has the whole corpus.

Only the rogue pays, the price that the conduct names; and how honest bytes arrive changes nothing.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec
import pytest

from dialects.dialect_rogue_tables import (
    HONEST,
    NAMES,
    ON_ANOTHERS_TURN,
    SETTINGS,
    WIRES,
    Plan,
    Setting,
    alone,
    check,
    come_in,
    for_real,
    in_virtual_time,
    open_door,
    refereed,
    script,
    with_one,
)
from touchline.core.conduct import Offence
from touchline.core.events import Moved, SatDown
from touchline.core.registry import CONDUCTS
from touchline.dialects.native import Native
from touchline.testing import virtual_time
from touchline.testing.hostile.player import DialectPlayer, lines
from touchline.testing.hostile.sockets import TEXT, ws_frame
from touchline.testing.hostile.words import BLANKS
from touchline.testing.raw_connections import RawWebSocket
from touchline.testing.rogues import ROGUES
from touchline.testing.scripts import Read, ScriptedConnection, Write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from touchline.testing.hostile.player import Script

AND_CONDUCTS = [pytest.param(s, conduct, id=f"{s}-{conduct}") for s in SETTINGS for conduct in s.conducts]
VERDICTS = {
    "silent": Offence.LATE,
    "illegal_move": Offence.ILLEGAL,
    "plain_text": Offence.MALFORMED,
    "one_giant": Offence.FLOOD,
    "exits": Offence.GONE,
}
every_setting = pytest.mark.parametrize("setting", SETTINGS, ids=str)


def at(dialect: str, table: str) -> Setting:
    return Setting(dialect, table)


# -- in virtual time ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("setting", "conduct"), AND_CONDUCTS)
@pytest.mark.parametrize("name", VERDICTS)
def test_a_rogue_under_its_own_conduct_and_the_course(name: str, setting: Setting, conduct: str) -> None:
    """Its first offence costs what the conduct says, at the last seat too; the corpus has all behaviours."""
    seat = 0 if name in ON_ANOTHERS_TURN else setting.seats - 1
    plan = with_one(name, setting, conduct, seat=seat)
    check(in_virtual_time(plan), name, plan, VERDICTS[name])


@pytest.mark.parametrize(("setting", "conduct"), AND_CONDUCTS)
def test_who_does_not_read_is_found_out_when_the_pipe_is_full(setting: Setting, conduct: str) -> None:
    """What could not be handed over is no question, so nobody is late with it."""
    plan = with_one("silent@sign-up", setting, conduct)
    match = in_virtual_time(plan, pipe=0)
    check(match, "silent@sign-up", plan, Offence.NOT_READING)
    assert match.offences(0) == [Offence.NOT_READING]


@pytest.mark.parametrize(("setting", "conduct"), AND_CONDUCTS)
def test_who_has_gone_before_it_begins(setting: Setting, conduct: str) -> None:
    """The match begins for all others as it should: they sit down, and only then is somebody asked."""
    plan = with_one("exits@sign-up", setting, conduct)
    match = in_virtual_time(plan, wait=1)
    check(match, "exits@sign-up", plan, Offence.GONE)
    order = [type(event) for event in match.events if isinstance(event, SatDown | Moved)]
    assert order == sorted(order, key=lambda kind: kind is Moved)


@pytest.mark.parametrize("framing", ["lines", "values"])
@pytest.mark.parametrize(("setting", "conduct"), AND_CONDUCTS)
def test_how_honest_bytes_arrive_changes_nothing(setting: Setting, conduct: str, framing: str) -> None:
    """One byte at a time, or with thousands of blanks in front: the match is the same."""
    if setting.dialect == "seed-002" and framing == "values":
        pytest.skip("Oz terms are no JSON values")
    honest = in_virtual_time(with_one("honest", setting, conduct), framing)
    assert honest.result.verdict == "finished"
    assert honest.result.faults == ()
    for name in HONEST:
        match = in_virtual_time(Plan(setting, (name,) * setting.seats, conduct), framing)
        match.verify()
        assert match.result == honest.result


# -- over real wires ----------------------------------------------------------------------------------


@every_setting
@pytest.mark.parametrize("name", HONEST)
def test_how_honest_bytes_arrive_over_tcp(name: str, setting: Setting) -> None:
    """The match is the one that is played in virtual time, from the sign-up on."""
    check_honest("tcp", with_one(name, setting, setting.spoken.conduct, seconds=20.0))


@pytest.mark.slow
@pytest.mark.timeout(600)
@every_setting
@pytest.mark.parametrize("wire", WIRES)
def test_how_honest_bytes_arrive_over_every_wire(wire: str, setting: Setting) -> None:
    """On a WebSocket a byte at a time is a message in as many pieces; processes speak in lines."""
    for name in HONEST:
        check_honest(wire, Plan(setting, (name,) * setting.seats, setting.spoken.conduct, seconds=20.0))


def check_honest(wire: str, plan: Plan) -> None:
    match = for_real(wire, plan, honest_too=True)
    match.verify()
    assert match.result == in_virtual_time(with_one("honest", plan.setting, plan.conduct)).result


ELSEWHERE = {"hangs_up": Offence.GONE, "one_giant": Offence.FLOOD, "plain_text": Offence.MALFORMED}


@pytest.mark.parametrize("wire", ["tcp", "ws"])
@pytest.mark.parametrize("name", ["honest", "trickles", *ELSEWHERE])
def test_on_another_loop(name: str, wire: str) -> None:
    """uvloop is another implementation of the same, where it is installed."""
    uvloop = pytest.importorskip("uvloop")
    setting = at("fish-course", "fish")
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(asyncio.sleep(0))  # the first loop of its kind opens a pipe that it never closes
    plan = with_one(name, setting, seconds=20.0)
    match = for_real(wire, plan, loop=uvloop.new_event_loop)
    if name in ELSEWHERE:
        check(match, name, plan, ELSEWHERE[name])
    else:
        assert match.result == in_virtual_time(plan).result


# -- native's own rogues over a network ---------------------------------------------------------------


def native_script(name: str, dialect: str, signs_up: str) -> Script:
    """A rogue of the native catalogue, which is told words and not bytes, and signs up here."""
    if name == "honest":
        yield from script(name, dialect, signs_up)
        return
    yield Write(lines(Native.face(None).sign_up(signs_up)))
    inner = ROGUES[name][0]()
    deed = next(inner)
    while True:
        heard = yield deed
        deed = inner.send(msgspec.json.decode(heard) if isinstance(deed, Read) else None)  # type: ignore[arg-type]


def check_native(wire: str, name: str, setting: Setting) -> None:
    # Many of them fall silent in the end. Time may be short: what shares our loop is never charged for it.
    set_up = 0.4 if name == "dozer" else 20.0
    plan = with_one(name, setting, seconds=0.4, set_up=set_up, held=name != "flooder")
    offence = ROGUES[name][1]
    if name == "flooder" and wire == "ws":
        offence = Offence.MALFORMED  # each `ready` is a message of its own, and no move
    check(for_real(wire, plan, make=native_script), name, plan, offence)


@pytest.mark.parametrize("wire", ["tcp", "ws"])
@pytest.mark.parametrize("name", ["parrot", "never_reads", "early_bird"])
def test_a_native_rogue_over_a_network(name: str, wire: str) -> None:
    """What needs the words of native plays over a network too."""
    check_native(wire, name, at("native", "hexapawn"))


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("wire", ["tcp", "ws"])
@pytest.mark.parametrize("table", ["fish", "hexapawn", "labyrinth"])
def test_every_native_rogue_over_a_network(table: str, wire: str) -> None:
    """All but those that only a process can be."""
    for name in ROGUES.keys() - {"forker", "stubborn"}:
        check_native(wire, name, at("native", table))


# -- how bytes are cut --------------------------------------------------------------------------------


def overheard(todo: Script, said: list[bytes]) -> Script:
    """The same script; what it writes is noted."""
    heard: bytes | None = None
    while True:
        try:
            deed = todo.send(heard)  # type: ignore[arg-type]
        except StopIteration:
            return
        if isinstance(deed, Write) and deed.data:
            said.append(deed.data)
        heard = yield deed


def honest_words(setting: Setting) -> list[bytes]:
    """All the frames that an honest player sends in a match, the sign-up first."""
    said: list[bytes] = []

    async def whole() -> None:
        first = overheard(script("honest", setting.dialect), said)
        others = [script("honest", setting.dialect) for _ in range(setting.seats - 1)]
        connections = [ScriptedConnection(each, decode=bytes) for each in (first, *others)]
        await refereed(with_one("honest", setting, setting.spoken.conduct), connections)

    virtual_time.run(whole())
    return [DialectPlayer(setting.dialect, NAMES[0]).sign_up().strip(), *b"".join(said).splitlines()]


CUTS: dict[str, Callable[[list[bytes]], Iterator[bytes]]] = {
    "a frame each": lambda frames: (frame + b"\n" for frame in frames),
    "all in one": lambda frames: iter([lines(frames)]),
    "byte by byte": lambda frames: (bytes([byte]) for byte in lines(frames)),
    "across frames": lambda frames: _every(7, lines(frames)),
    "blanks in front": lambda frames: (BLANKS + frame + b"\n" for frame in frames),
    "blanks in front, all in one": lambda frames: iter([lines(BLANKS + frame for frame in frames)]),
}


def _every(size: int, data: bytes) -> Iterator[bytes]:
    return (data[start : start + size] for start in range(0, len(data), size))


class Listener:
    """Notes the frames that come."""

    def __init__(self) -> None:
        self.frames: list[bytes] = []
        self.ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def frame(self, frame: bytes) -> None:
        self.frames.append(frame)

    def lost(self, why: str) -> None:
        self.ended.set_result(why)

    def flooded(self, why: str) -> None:
        self.ended.set_exception(ConnectionError(why))

    def writable(self) -> None:
        """Nothing was sent."""


@pytest.mark.parametrize("wire", ["tcp", "ws"])
@pytest.mark.parametrize("cut", CUTS)
@every_setting
def test_however_bytes_are_cut_frames_are_the_same(setting: Setting, cut: str, wire: str) -> None:
    """What an honest player says in a whole match arrives over a real wire as it was said."""
    said = honest_words(setting)
    assert 4 < len(said) < 64

    async def sent() -> list[bytes]:
        async with open_door(wire, setting) as (port, arrived):
            ours = await come_in(wire, setting, port)
            theirs, listener = await arrived.get(), Listener()
            theirs.listen(listener)
            for data in CUTS[cut](said):
                await ours.write(data)
                await asyncio.sleep(0)
            ours.close()
            await asyncio.wait_for(listener.ended, 20)
            theirs.close()
        await alone()
        return listener.frames

    with asyncio.Runner() as runner:
        assert [frame.strip() for frame in runner.run(sent())] == said


def test_a_message_that_is_only_announced() -> None:
    """Who says that a gigabyte follows has sent too much, though hardly a byte of it is there."""
    head = ws_frame(TEXT, bytes(1 << 16))[:2]

    async def sent() -> None:
        setting = at("native", "hexapawn")
        async with open_door("ws", setting) as (port, arrived):
            ours = await RawWebSocket.to(port, setting.dialect)
            theirs, listener = await arrived.get(), Listener()
            theirs.listen(listener)
            await ours.send(head + (1 << 30).to_bytes(8) + bytes(4) + b"x")
            with pytest.raises(ConnectionError, match="longer than"):
                await asyncio.wait_for(listener.ended, 20)
            ours.close()
            theirs.close()
        await alone()

    with asyncio.Runner() as runner:
        runner.run(sent())


def test_there_is_a_conduct_for_every_dialect() -> None:
    """Every setting is played under its own."""
    assert all(setting.spoken.conduct in CONDUCTS for setting in SETTINGS)
    assert len({setting.dialect for setting in SETTINGS}) >= 8
