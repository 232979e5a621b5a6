"""Drawing for watchers takes a limited share of the event loop, however large their boards are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from touchline.web.live import feed as feeds
from web.sites import live, played, run, site, until

if TYPE_CHECKING:
    from touchline.core.events import Event


def test_lines_that_cost_much_come_less_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pause grows with the cost of a line and with the number of audiences; a seat's has a limit."""
    spent = 0.0

    def thread_time() -> float:
        nonlocal spent
        spent += 0.02  # between the start and the end of a line
        return spent

    async def main() -> None:
        spec, happened = played("hexapawn")
        async with site() as visit:
            see = visit.site.tables.adopt(spec, ["remote", "remote"])
            table = next(iter(visit.site.tables.by_id.values()))
            async with live(visit, table.id) as ann:
                for event in happened[:2]:
                    for each in see:
                        each(event)
                await ann.kind("snapshot")
                assert table.watchers.feed is not None
                shown = table.watchers.feed.audience(None)
                assert visit.site.tables.tally.audiences == 1
                monkeypatch.setattr("touchline.web.live.feed.time.thread_time", thread_time)
                for count, pause in ((1, 0.4), (5, 2.0), (1000, feeds.LONGEST_PAUSE)):
                    visit.site.tables.tally.audiences = count
                    shown._tell()
                    assert shown._pause == pytest.approx(pause)
                visit.site.tables.tally.audiences = 5
                shown._cost = 0.001
                shown._tell()
                assert shown._pause == pytest.approx(0.1), "one line that costs much is an accident"
                shown._tell()
                assert shown._pause == pytest.approx(2.0)
                visit.site.tables.tally.audiences = 1000
                seat = table.watchers.feed.audience(0)
                seat.members.add(next(iter(shown.members)))
                seat._show(table.watchers.feed.caught_up())
                seat._tell()
                assert seat._pause == feeds.LONGEST_SEAT_PAUSE
                monkeypatch.setattr(feeds, "CHEAP", 0.1)
                seat._tell()
                assert seat._pause == 0, "a line that costs little comes at once"
                seat.members.clear()
                visit.site.tables.tally.audiences = 1
            await until(lambda: visit.site.tables.tally.audiences == 0)

    run(main())


def test_a_large_board_is_not_drawn_for_every_newcomer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who comes back gets the last drawing at once, and what has happened since in the next line."""
    monkeypatch.setattr(feeds, "LARGE", 3)

    async def main() -> None:
        spec, happened = played("hexapawn")
        async with site() as visit:
            observers = visit.site.tables.adopt(spec, ["remote", "remote"])
            table = next(iter(visit.site.tables.by_id.values()))

            def see(*events: Event) -> None:
                for event in events:
                    for observer in observers:
                        observer(event)

            see(*happened[:5])
            async with live(visit, table.id) as ann:
                await ann.kind("snapshot")
            assert table.watchers.feed is not None
            shown = table.watchers.feed.audience(None)
            await until(lambda: not shown.members)
            drawn = shown._shown
            see(*happened[5:-1])
            async with live(visit, table.id) as ann:
                await ann.line()
                assert len(ann.screen.events) == 5
                await ann.kind("update")
                assert len(ann.screen.events) == len(happened) - 1
                assert ann.screen.now["last"]["keys"] is None, "they would cost a second drawing"
                assert shown._shown is not drawn
                see(happened[-1])
                while ann.screen.now["result"] is None:
                    assert await ann.line() is not None
            async with live(visit, table.id) as bob:
                await bob.kind("snapshot")
                assert bob.screen.now["result"] is not None, "after the end nothing is old"
                assert len(bob.screen.events) == len(happened)

    run(main())
