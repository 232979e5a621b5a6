"""The live feed: complete and in order for everybody, encoded once for all, and never waited for."""

from __future__ import annotations

import asyncio
import json
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from touchline.core.events import encode
from touchline.drivers.match import MatchSpec
from touchline.web.live import feed as feeds
from touchline.web.live import watchers
from touchline.web.tables.page_tables import Caps
from web.sites import OPEN, SMALL, Visit, house, live, me, played, run, site, until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

    from touchline.core.events import Event
    from touchline.drivers.match import MatchSpec
    from touchline.web.tables.table import PageTable

GAMES = sorted(SMALL)


def adopted(visit: Visit, spec: MatchSpec) -> tuple[str, Callable[[Event], None]]:
    """A table that shows a match which a test feeds with events itself."""
    observers = visit.site.tables.adopt(spec, ["remote"] * len(spec.names))

    def see(event: Event) -> None:
        for observer in observers:
            observer(event)

    return next(reversed(visit.site.tables.by_id)), see


@pytest.mark.parametrize("game", GAMES)
def test_a_newcomer_at_any_time_sees_what_the_others_see(game: str) -> None:
    """Whoever comes when, with the snapshot and the updates after it all have the same drawing and log."""

    async def main() -> None:
        spec, events = played(game)
        async with site() as visit, AsyncExitStack() as stack:
            table, see = adopted(visit, spec)
            screens = []
            for number, event in enumerate(events):
                see(event)
                if number % 3 == 0 and number < 30:
                    spectator = await stack.enter_async_context(live(visit, table))
                    await spectator.line()
                    screens.append(spectator)
            for spectator in screens:
                while spectator.screen.now["result"] is None:
                    assert await spectator.line() is not None
            whole = screens[0].screen
            assert len(whole.events) == len(events)
            assert [event["kind"] for event in whole.events] == [
                type(event).__struct_config__.tag for event in events
            ]
            for spectator in screens[1:]:
                assert spectator.screen.spots == whole.spots
                assert [each["text"] for each in spectator.screen.events] == [
                    each["text"] for each in whole.events
                ]
                assert spectator.screen.now == whole.now

    run(main())


def test_a_fast_table_is_thinned_and_loses_nothing() -> None:
    """A thousand events in no time are a few pictures; every event is in one of them."""

    async def main() -> None:
        spec, events = played("fish", 3)
        async with site() as visit:
            table, see = adopted(visit, spec)
            see(events[0])
            async with live(visit, table) as spectator:
                await spectator.line()
                for event in events[1:]:
                    see(event)
                    await asyncio.sleep(0)
                before = visit.site.tables.tally.encoded
                while spectator.screen.now["result"] is None:
                    await spectator.line()
                assert len(spectator.screen.lines) <= 4
                assert visit.site.tables.tally.encoded - before <= 2
                assert len(spectator.screen.events) == len(events)

    run(main())


def test_pictures_are_ten_a_second_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between two lines for spectators is at least the time that was agreed."""
    monkeypatch.setattr(feeds, "PICTURE", 0.2)

    async def main() -> None:
        spec, events = played("hexapawn")
        async with site() as visit:
            table, see = adopted(visit, spec)
            see(events[0])
            async with live(visit, table) as spectator:
                await spectator.line()
                told = []
                for event in events[1:]:
                    see(event)
                    await asyncio.sleep(0)  # others may run, also the feed; but no time passes
                while spectator.screen.now["result"] is None:
                    line = await spectator.line()
                    assert line is not None
                    told.append(line["at"])
                assert len(told) < len(events) / 2, "some have been merged"
                assert told[-1] - told[0] >= 200 * (len(told) - 1) - 20

    run(main())


def test_each_line_is_encoded_once_for_all() -> None:
    """Fifty spectators cost as many encodings as one, besides their snapshots."""

    async def main() -> None:
        spec, events = played("hexapawn")
        async with site() as visit, AsyncExitStack() as stack:
            table, see = adopted(visit, spec)
            see(events[0])
            spectators = [await stack.enter_async_context(live(visit, table)) for _ in range(50)]
            for spectator in spectators:
                await spectator.line()
            before = visit.site.tables.tally.encoded
            see(events[1])
            for spectator in spectators:
                await spectator.kind("update")
            assert visit.site.tables.tally.encoded == before + 1
            assert {spectator.received[-1] for spectator in spectators} == {spectators[0].received[-1]}
            _, status = await visit.get("/api/status")
            assert (status["watching"], status["running"]) == (50, 1)

    run(main())


def test_a_table_that_nobody_watches_encodes_nothing() -> None:
    """The counter shows zero, and the state is not even followed."""

    async def main() -> None:
        async with site() as visit:
            table, _ = await visit.table("fish", house(), house())
            await visit.result(table)
            _, status = await visit.get("/api/status")
            assert status["encoded"] == 0
            feed = visit.site.tables.by_id[table].watchers.feed
            assert feed is not None
            assert (feed._followed, len(feed.events) > 9) == (0, True)

    run(main())


def test_a_slow_spectator_is_dropped_and_the_match_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that reads nothing: its buffer is bounded, and the others notice nothing."""
    monkeypatch.setattr(watchers, "MOST_WAITING", 64 << 10)
    monkeypatch.setattr(feeds, "PICTURE", 0.0)
    monkeypatch.setattr(feeds, "LONGEST_PAUSE", 0.0)

    async def main() -> None:
        spec, events = played("labyrinth", 3)
        async with site() as visit:
            table, see = adopted(visit, spec)
            see(events[0])
            host, _, port = visit.url.removeprefix("http://").rstrip("/").partition(":")
            reader, writer = await asyncio.open_connection(host, int(port), limit=1024)
            writer.write(f"GET /api/tables/{table}/watch HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
            await until(lambda: visit.site.tables.by_id[table].watching == 1)
            async with live(visit, table) as honest:
                await honest.line()
                feed = visit.site.tables.by_id[table].watchers.feed
                assert feed is not None
                lines = 0
                while not visit.site.tables.tally.dropped:
                    feed.audience(None)._shown = None  # a whole drawing in every line
                    feed.touch()
                    await honest.kind("update")
                    lines += 1
                    assert lines < 5000, "nobody was dropped"
                for event in events[1:]:
                    see(event)
                while honest.screen.now["result"] is None:
                    assert await honest.line() is not None
                assert len(honest.screen.events) == len(events)
            assert visit.site.tables.tally.dropped == 1
            with suppress(ConnectionResetError):  # what it never read may have been lost
                while await reader.read(1 << 16):
                    pass
            writer.close()

    run(main())


def test_who_leaves_is_not_missed() -> None:
    async def main() -> None:
        spec, events = played("hexapawn")
        async with site() as visit:
            table, see = adopted(visit, spec)
            see(events[0])
            async with live(visit, table) as stays:
                await stays.line()
                async with live(visit, table) as leaves:
                    await leaves.line()
                await until(lambda: visit.site.tables.by_id[table].watching == 1)
                for event in events[1:]:
                    see(event)
                while stays.screen.now["result"] is None:
                    await stays.line()
            assert visit.site.tables.tally.dropped == 0

    run(main())


class Reader(watchers.Watcher):
    """A spectator in this process that keeps every line it is sent."""

    def __init__(self) -> None:
        super().__init__(None, watchers.Tally())
        self.lines: list[dict[str, Any]] = []

    @staticmethod
    def framed(line: bytes) -> bytes:
        return line

    def push(self, framed: bytes) -> bool:
        self.lines.append(json.loads(framed))
        return True


class Crowd(NamedTuple):
    """Seven spectators of a table that has just begun, and the rest of its match."""

    table: PageTable
    readers: list[Reader]
    see: Callable[[Event], None]
    rest: list[Event]


@pytest.fixture
def _two_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchers, "AT_ONCE", 2)
    monkeypatch.setattr(feeds, "PICTURE", 0.0)


@asynccontextmanager
async def crowd() -> AsyncIterator[Crowd]:
    spec, (first, *rest) = played("hexapawn")
    async with site() as visit:
        id, see = adopted(visit, spec)
        table, readers = visit.site.tables.by_id[id], [Reader() for _ in range(7)]
        see(first)
        for reader in readers:
            table.watchers.add(reader, None)
        yield Crowd(table, readers, see, rest)


@pytest.mark.usefixtures("_two_at_a_time")
def test_a_crowd_is_written_to_some_at_a_time() -> None:
    """The loop has its turn in between."""

    async def main() -> None:
        async with crowd() as (_, readers, see, rest):
            see(rest[0])
            await asyncio.sleep(0)
            assert sorted(len(reader.lines) for reader in readers) == [1] * 5 + [2] * 2, "two at a time"

    run(main())


@pytest.mark.usefixtures("_two_at_a_time")
def test_a_crowd_gets_every_line_in_order_to_the_end() -> None:
    """Nobody is sent away before the result, also if the next line comes while one is being written."""

    async def main() -> None:
        async with crowd() as (_, readers, see, rest):
            see(rest[0])
            await asyncio.sleep(0)
            see(rest[1])
            await until(lambda: all(len(reader.lines) == 3 for reader in readers))
            for event in rest[2:]:
                see(event)
            await until(lambda: all(reader.gone.done() for reader in readers))
            for reader in readers:
                assert [line["seq"] for line in reader.lines] == [*range(len(reader.lines))]
                assert reader.lines[-1]["now"]["result"] is not None

    run(main())


@pytest.mark.usefixtures("_two_at_a_time")
def test_who_leaves_a_crowd_before_its_turn_gets_no_more() -> None:
    """It is not sent the line that is being written, and the others get theirs."""

    async def main() -> None:
        async with crowd() as (table, readers, see, rest):
            see(rest[0])
            await asyncio.sleep(0)
            left = next(reader for reader in readers if len(reader.lines) == 1)
            others = [reader for reader in readers if reader is not left]
            table.watchers.discard(left, None)
            see(rest[1])
            await until(lambda: all(len(reader.lines) == 3 for reader in others))
            for event in rest[2:]:
                see(event)
            await until(lambda: all(reader.gone.done() for reader in others))
            assert [line["type"] for line in left.lines] == ["snapshot"]
            for reader in others:
                assert [line["seq"] for line in reader.lines] == [*range(len(reader.lines))]

    run(main())


def test_too_many_spectators() -> None:
    """The next is told so; a seat always finds its place."""

    async def main() -> None:
        async with site(caps=Caps(spectators=1)) as visit:
            table, [token] = await visit.table("hexapawn", me(), OPEN)
            async with live(visit, table) as first, live(visit, table) as second:
                await first.line()
                told = await second.line()
                assert told is not None
                assert (told["type"], told["error"]) == ("error", "too_many")
                assert await second.line() is None
                assert second.ws.close_code == 4429
                status, told = await visit.get(f"/api/tables/{table}/watch")
                assert (status, told["error"]) == (429, "too_many")
                async with live(visit, table, token) as seat:
                    assert (await seat.kind("table"))["table"]["id"] == table

    run(main())


def test_the_lobby_is_live(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables that come, change and go; read as lines and by WebSocket."""
    monkeypatch.setattr("touchline.web.live.lobby.AGAIN", 0.05)

    async def main() -> None:
        async with site() as visit:
            async with (
                visit.http.ws_connect("/api/lobby/live") as ws,
                visit.http.get("/api/lobby/watch") as lines,
            ):
                assert (await ws.receive_json())["type"] == "lobby"
                assert json.loads(await lines.content.readline()) == {"type": "lobby", "tables": []}
                table, [token] = await visit.table("hexapawn", me(), OPEN)
                for line in (await ws.receive_json(), json.loads(await lines.content.readline())):
                    assert (line["type"], line["table"]["id"], line["table"]["state"]) == (
                        "table",
                        table,
                        "open",
                    )
                await visit.post(f"/api/tables/{table}/resign", token=token)
                assert await ws.receive_json() == {"type": "gone", "id": table}
            _, tables = await visit.get("/api/tables")
            assert tables == {"tables": []}

    run(main())


def test_filters() -> None:
    async def main() -> None:
        async with site() as visit:
            first, _ = await visit.table("hexapawn", house(), house())
            await visit.result(first)
            second, _ = await visit.table("fish", me(), OPEN)
            ids = {}
            for query in ("", "?game=fish", "?state=finished", "?game=fish&state=finished"):
                _, found = await visit.get(f"/api/tables{query}")
                ids[query] = [table["id"] for table in found["tables"]]
            assert ids == {
                "": [second, first], "?game=fish": [second], "?state=finished": [first],
                "?game=fish&state=finished": [],
            }  # fmt: skip
            assert (await visit.get("/api/tables?state=asleep"))[0] == 400

    run(main())


def hidden(lines: list[bytes], seat: int | None) -> Iterator[str]:
    """Goals in what somebody received before the end that are not its own."""
    for raw in lines:
        line = json.loads(raw)
        if line["type"] not in ("snapshot", "update") or line["now"]["result"] is not None:
            continue
        for spot in line["spots"]:
            marked = {mark["seat"] for mark in spot.get("marks", ()) if mark["glyph"] == "*"}
            tones = [set(art.get("tone", "").split()) for art in spot.get("art", ())]
            drawn = {int(name[4:]) for tone in tones if "goal" in tone for name in tone - {"goal"}}
            assert drawn == marked
            for other in marked - {seat}:
                yield f"{line['type']} {line['seq']}: seat {other} goes to {spot['key']}"


def test_goals_are_secret_until_the_end() -> None:
    """In all that each seat and a spectator received, byte by byte."""

    async def main() -> None:
        for seed in range(2):
            async with site() as visit:
                seats = (me("ann"), me("bob"), me("cyd"))
                table, tokens = await visit.table("labyrinth", *seats)
                async with AsyncExitStack() as stack:
                    people = [await stack.enter_async_context(live(visit, table, token)) for token in tokens]
                    spectator = await stack.enter_async_context(live(visit, table))
                    plays = [person.play(Random(seed)) for person in people]
                    await asyncio.gather(*plays, spectator.play(Random(0)))
                own = 0
                for seat, person in enumerate(people):
                    assert [*hidden(person.received, seat)] == []
                    own += sum(b'"glyph":"*"' in line for line in person.received[:3])
                assert own, "a seat sees its own goal, so that this test can fail"
                assert [*hidden(spectator.received, None)] == []
                before = [line for line in spectator.received if b'"result":null' in line]
                assert not any(b'"glyph":"*"' in line for line in before)
                assert any(b'"glyph":"*"' in line for line in spectator.received[-1:])

    run(main())


def test_a_seat_that_is_sent_on_is_nobodys_business() -> None:
    """That somebody reached its goal and heard of the next one is in the record, not in the feed."""
    from touchline.core.events import SentOn

    async def main() -> None:
        spec, events = played("hexapawn")
        async with site() as visit:
            table, see = adopted(visit, spec)
            see(events[0])
            async with live(visit, table) as spectator:
                await spectator.line()
                for event in (events[1], SentOn(1, 0, 5), *events[2:]):
                    see(event)
                while spectator.screen.now["result"] is None:
                    await spectator.line()
                assert "sent_on" not in {event["kind"] for event in spectator.screen.events}
            _, record = await visit.get(f"/api/records/{spectator.screen.now['record']}")
            assert encode(SentOn(1, 0, 5)) in record.splitlines()

    run(main())
