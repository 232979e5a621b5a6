"""Remote entrants of a cup: who comes plays, who does not come loses, and nobody takes another's place."""

from __future__ import annotations

import asyncio
import threading
import time
from contextlib import asynccontextmanager, contextmanager
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from server.rooms import DEADLINE, Caller, Last, guest, hello, move, run, seated
from touchline.client.connect import Away, NotLetIn
from touchline.client.join import join
from touchline.core import registry
from touchline.core.conduct import Offence
from touchline.core.errors import BadOptions
from touchline.players.address import ServerAddress
from touchline.tournament import worker as worker_file
from touchline.tournament.cup import Cup, parse
from touchline.tournament.ledger import open_ledger
from touchline.tournament.remote_entrants import Hall
from touchline.tournament.report.data import build_report
from touchline.tournament.verify import verify
from tournament.cups import cup, played

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Sequence
    from pathlib import Path

    from touchline.tournament.pairing import Played

LOOPBACK = ServerAddress.read("tcp://127.0.0.1:0/native")
KEYED = """
name = "keyed"
game = {name = "hexapawn", rows = 3, cols = 3}
format = {name = "round_robin", games = 2}
entrants = [{name = "ann", player = "remote", key = "apple"}, {name = "bob", player = "greedy"}]
"""


@contextmanager
def hall(made: Cup, listen: Sequence[ServerAddress] = (LOOPBACK,), **options: Any) -> Iterator[Hall]:
    """Whatever happens, it is closed afterwards."""
    opened = Hall(made, listen, **{"patience": DEADLINE, **options})
    try:
        yield opened
    finally:
        opened.stop(now=True)


@asynccontextmanager
async def playing(made: Cup, opened: Hall, folder: Path) -> AsyncIterator[asyncio.Task[list[Played]]]:
    """The cup is played meanwhile, to its end; what is awaited are the games, all of them proven."""

    def whole() -> list[Played]:
        where = str(folder / "cup.db")
        assert played(made, where, folder, pool=opened)[0]
        with open_ledger(where, readonly=True) as ledger:
            assert verify(ledger).wrong == ()
            return [game.played for game in ledger.results()]

    yield (task := asyncio.create_task(asyncio.to_thread(whole)))
    await task
    for _ in range(5):  # rounds of the loop in which those who have gone let go of their connections
        await asyncio.sleep(0)


async def stay(url: str, name: str, key: str | None = None, bot: Any = None) -> list[str]:
    """Come back for every match, as `touchline join --stay` does; why that ended."""
    module = registry.dialect(ServerAddress.read(url).dialect)
    while True:
        face = module.face(bot or Last(), rng=Random(0))
        try:
            await join(ServerAddress.read(url), face, module.framing, name, seconds=0.3, key=key)
        except (Away, NotLetIn) as error:
            return [type(error).__name__, str(error)]


def faulty(games: list[Played]) -> set[str]:
    return {game.pairing.entrants[seat] for game in games for seat in game.expelled}


def test_all_come_and_play(tmp_path: Path) -> None:
    """Beside a player of the house and a program, at several tables at once."""
    (tmp_path / "last.py").write_text(
        "class Last:\n    def choose(self, view, turn):\n        return view.legal_moves()[-1]\n"
    )
    made = cup(options="games = 2", ann="remote", bob="remote", cy="random", dan="last.py")

    async def whole() -> None:
        with hall(made) as opened:
            async with playing(made, opened, tmp_path) as games:
                ended = await asyncio.gather(*(stay(opened.urls[0], name) for name in ("ann", "bob")))
            over = ("no more games are played", "it is too late to sign up")
            assert all(kind == "Away" or why.endswith(over) for kind, why in ended), ended
            assert len(await games) == 12
            assert faulty(await games) == set()

    run(whole())


def test_nobody_waits_for_a_player_of_the_house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In one game it thinks until another game is over."""
    made = cup(options="games = 1", ann="remote", bob="remote", cy="random")
    let = threading.Event()

    class Waits(Last):
        def choose(self, view: Any, turn: int) -> Any:
            assert let.wait(DEADLINE)
            return super().choose(view, turn)

    class Lets(Last):
        def told(self, seat: int, result: Any) -> None:
            let.set()

    house = [Last(), Waits()]
    monkeypatch.setattr(worker_file, "player", lambda *_, **__: house.pop())

    async def whole() -> None:
        with hall(made) as opened:
            async with playing(made, opened, tmp_path) as games:
                await asyncio.gather(*(stay(opened.urls[0], name, bot=Lets()) for name in ("ann", "bob")))
            assert faulty(await games) == set()

    run(whole())


@pytest.mark.parametrize("door", ["tcp://127.0.0.1:0/seed-002", "ws://127.0.0.1:0/native"])
def test_in_another_dialect_and_over_websocket(door: str, tmp_path: Path) -> None:
    made = cup(options="games = 4\n[openings]\nmoves = 0", ann="remote", bob="greedy")

    async def whole() -> None:
        with hall(made, [ServerAddress.read(door)]) as opened:
            async with playing(made, opened, tmp_path) as games:
                await stay(opened.urls[0], "ann")
            assert {game.verdict for game in await games} == {"finished"}
            assert faulty(await games) == set()

    run(whole())


def test_who_does_not_come_loses_and_is_not_waited_for_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each wait is half as long as the last, and two games are called at once: 2 s in all, not 10 s."""
    waits, seconds = dict[float, float](), Hall._waits

    def noted(self: Hall, name: str, called: float) -> float:
        left = seconds(self, name, called)
        waits.setdefault(called, left)
        return left

    monkeypatch.setattr(Hall, "_waits", noted)
    made = cup(options="games = 20", ann="remote", bob="random")
    with hall(made, tables=1, patience=0.5) as opened:
        assert played(made, str(tmp_path / "cup.db"), tmp_path, pool=opened)[0]
    assert len(waits) == 20
    assert sum(waits.values()) <= 2
    with open_ledger(str(tmp_path / "cup.db"), readonly=True) as ledger:
        found = build_report(ledger)
        assert verify(ledger).wrong == ()
    lines = {line.entrant: line for line in found.standings}
    assert (lines["bob"].won, lines["ann"].expulsions, found.void) == (20, 20, 0)
    fault = found.faults[0]
    assert (fault.entrant, fault.offence, fault.count) == ("ann", Offence.REFUSED.value, 20)
    assert "did not come" in fault.reason


def test_who_plays_at_another_table_is_not_missed(tmp_path: Path) -> None:
    """A game takes longer than anybody is waited for, and all the others are called meanwhile."""
    made = cup(options="games = 3", ann="remote", bob="random")

    class Thinking(Last):
        thought = False

        def choose(self, view: Any, turn: int) -> Any:
            if not self.thought:
                self.thought = True
                time.sleep(1.6)  # this is what it is about
            return super().choose(view, turn)

    async def whole() -> None:
        with hall(made, tables=3, patience=0.8) as opened:
            async with playing(made, opened, tmp_path) as games:
                await stay(opened.urls[0], "ann", bot=Thinking())
            assert faulty(await games) == set()

    run(whole())


def test_who_is_let_in(tmp_path: Path) -> None:
    made = parse(KEYED, "keyed")

    async def whole() -> None:
        with hall(made) as opened:
            url = opened.urls[0]
            for name, key, why in (
                ("ann", None, "not the key"),
                ("ann", "pear", "not the key"),
                ("bob", "apple", "no entrant of this cup who comes over the network"),
                ("cy", "apple", "no entrant of this cup who comes over the network"),
            ):
                kind, said = await stay(url, name, key)
                assert kind == "NotLetIn"
                assert why in said
            first = await guest(url, "ann", key="apple")
            assert "here already" in (await stay(url, "ann", "apple"))[1]
            await first.gone()
            async with playing(made, opened, tmp_path) as games:
                while "here already" in (await stay(url, "ann", "apple"))[1]:
                    pass  # it takes a moment until the hall has heard that the first has gone
            assert faulty(await games) == set()

    run(whole())


def test_who_is_lost_in_a_game_comes_back_to_it(tmp_path: Path) -> None:
    made = cup(options="", ann="remote", bob="random")

    async def whole() -> None:
        with hall(made) as opened:
            url = opened.urls[0]
            async with playing(made, opened, tmp_path) as games:
                ann = await guest(url, "ann")
                await seated(ann)
                await ann.hear_kind("your_turn")
                await ann.gone()
                again = await Caller.at(url, hello("ann", token=ann.token))
                await again.hear_kind("welcome")
                await seated(again)
                asked = await again.hear_kind("your_turn")
                while True:
                    again.say(move(made.board(0), asked))
                    while (asked := await again.hear()) is not None and asked["type"] != "your_turn":
                        pass
                    if asked is None:
                        break
                await again.gone()
            (game,) = await games
            assert (game.verdict, game.expelled) == ("finished", ())

    run(whole())


def test_a_program_that_ends_at_once_is_its_own_trouble(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("raise SystemExit(3)\n")
    made = cup(options="", ann="remote", bob="broken.py")

    async def whole() -> None:
        with hall(made) as opened:
            async with playing(made, opened, tmp_path) as games:
                await stay(opened.urls[0], "ann")
            assert faulty(await games) == {"bob"}

    run(whole())


def test_stopped_while_somebody_thinks(tmp_path: Path) -> None:
    """Nothing is left of it: no thread that waits, no game that counts, and the cup can be gone on with."""
    made = cup(options="", ann="remote", bob="random")

    async def whole() -> None:
        opened = Hall(made, [LOOPBACK], patience=DEADLINE)
        ann = await guest(opened.urls[0], "ann")
        future = opened.start().submit(lambda job: b"", _job(made))
        await seated(ann)
        await ann.hear_kind("your_turn")
        await asyncio.to_thread(opened.stop, now=True)
        assert future.cancelled()
        await ann.rest()
        await ann.gone()

    run(whole())
    with hall(made, patience=0.1) as opened:
        assert played(made, str(tmp_path / "cup.db"), tmp_path, pool=opened)[0]


def _job(made: Cup) -> bytes:
    import msgspec

    from touchline.tournament.ledger import Claim
    from touchline.tournament.pairing import Pairing
    from touchline.tournament.seeds import CupSeeds
    from touchline.tournament.worker import Job

    game = Claim(Pairing(0, 0, ("ann", "bob"), 0), 1)
    secrets = CupSeeds(made, None).of(game.pairing)
    return msgspec.json.encode(Job(msgspec.Raw(made.bytes()), ".", (game,), (secrets,), 1))


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("tcp://0.0.0.0:0/native", "every entrant needs a key"),
        ("tcp://0.0.0.0:0/seed-002", "every entrant needs a key"),
        ("tcp://127.0.0.1:1/native", "cannot listen"),
    ],
)
def test_where_nobody_may_come_in(url: str, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if "cannot" in why:

        async def taken(*_: Any, **__: Any) -> None:
            raise OSError(98, "Address already in use")

        monkeypatch.setattr("touchline.transports.tcp.Tcp.listen", taken)
    with pytest.raises(BadOptions, match=why):
        Hall(cup(ann="remote", bob="random"), [ServerAddress.read(url)])
