"""Turns are taken back on an event loop, and such a match is resumed from its record."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from resume.test_past import GAMES, LIMITS, Drawing, Slow, cut, moves, written
from touchline.core.events import Event, Ignored, Moved, Resumed, TakenBack
from touchline.dialects.native import Native
from touchline.drivers.event_loop import AsyncMatch
from touchline.drivers.match import MatchSpec, agreed
from touchline.games.fish import Fish
from touchline.players.by_name import in_dialect
from touchline.players.in_dialect import InDialect
from touchline.records.replay import Replay
from touchline.testing import virtual_time

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from touchline.core.events import Result
    from touchline.drivers.past import Past


def spec_of(**terms: Any) -> MatchSpec:
    return agreed(GAMES["hexapawn"], "ab", seed=3, nonce="n", limits=LIMITS, **{"takeback": True, **terms})


def match(
    spec: MatchSpec,
    players: Callable[[], Sequence[Any]],
    back: dict[float, int],
    see: Sequence[Callable[[Event], None]],
    past: Past | None = None,
) -> Result:
    """Play a match in which at these times seats take their last turns back."""

    async def run() -> Result:
        loop = asyncio.get_running_loop()
        over: asyncio.Future[Result] = loop.create_future()
        table = AsyncMatch(spec, players(), see, over.set_result)
        table.open(past)
        for at, seat in back.items():
            loop.call_later(at, _take_back, table, seat)
        return await over

    return virtual_time.run(run())


def _take_back(table: AsyncMatch, seat: int) -> None:
    turn = table.last_turn_of(seat)
    assert turn is not None
    assert table.take_back(seat, turn)
    assert not table.take_back(seat, 999)


def slow() -> list[Any]:
    return [Slow(0, 1), Slow(1, 1)]


BACK = {2.5: 0, 5.2: 1}


def test_a_turn_is_taken_back() -> None:
    """The seat is asked again; the answer to the question that was withdrawn is ignored; no clock lapses."""
    spec, seen = spec_of(), list[Event]()
    data, result = written(spec, lambda see: match(spec, slow, BACK, [*see, seen.append]))
    assert [(event.seat, event.to) for event in seen if isinstance(event, TakenBack)] == [(0, 0), (1, 4)]
    assert [event.turn for event in seen if isinstance(event, Ignored)] == [3, 6]
    assert result.verdict == "finished"
    assert result.faults == ()
    Replay(data, "x").verify()


@pytest.mark.parametrize("lines", range(2, 22))
def test_it_is_resumed_after_any_line(lines: int) -> None:
    """Killed after any line, it goes on; after the last take-back, it takes the same course."""
    spec, whole = spec_of(), list[Event]()
    data, result = written(spec, lambda see: match(spec, slow, BACK, [*see, whole.append]))
    again: list[Event] = []
    resumed = match(spec, slow, {}, [again.append], cut(data, spec, lines))
    assert again[1:lines] == whole[1:lines]
    assert resumed.verdict == "finished"
    if sum(isinstance(event, TakenBack) for event in whole[:lines]) == len(BACK):
        assert moves(again) == moves(whole)
        assert resumed.outcome == result.outcome


@pytest.mark.parametrize("dialect", ["native", "fish-course", "seed-000", "seed-001"])
def test_players_of_any_dialect_follow(dialect: str) -> None:
    """They are sent what any turn sends, and answer it."""
    spec = replace(spec_of(), game=Fish(rows=4, cols=5))

    def players() -> list[Any]:
        if dialect == "native":
            return [InDialect(Native.face(Drawing(0)), Native(spec.game)), Slow(1, 1)]
        return [in_dialect(Drawing(0), dialect, spec.game, 1), Slow(1, 1)]

    seen: list[Event] = []
    back = {3.5: 0, 5.5: 1, 6.5: 0}
    data, result = written(spec, lambda see: match(spec, players, back, [*see, seen.append]))
    assert sum(isinstance(event, TakenBack) for event in seen) == 3
    assert result.verdict == "finished"
    assert result.faults == ()
    Replay(data, "x").verify()
    assert sum(isinstance(event, Moved) for event in seen) > 12
    for lines in (12, 18, 24):
        again: list[Event] = []
        assert match(spec, players, {}, [again.append], cut(data, spec, lines)).verdict == "finished"
        assert sum(isinstance(event, Resumed) for event in again) == 1


def test_not_without_terms_that_allow_it() -> None:
    """Nor when the match is over."""
    spec = spec_of(takeback=False)

    async def run() -> None:
        over: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        table = AsyncMatch(spec, slow(), [], over.set_result)
        table.open()
        await asyncio.sleep(2.5)
        assert table.last_turn_of(0) is None
        assert not table.take_back(0, 0)
        await over
        assert not table.take_back(0, 0)

    virtual_time.run(run())
