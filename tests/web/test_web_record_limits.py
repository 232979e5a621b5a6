"""Hostile records on the page: whatever an upload holds, its summary and the listing stay small.

Sizes are counted in bytes, as a browser receives them.
"""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

import msgspec
import pytest

from touchline.core import registry
from touchline.core.conduct import Conduct, ladder
from touchline.core.events import encode
from touchline.core.happenings import Broken, Heard, Note
from touchline.core.messages import Act, Garbled
from touchline.drivers.match import agreed, announced, opened, referee_for
from touchline.records.replay import Replay
from touchline.records.sentences import MOST_SENTENCE, MOST_TEXT
from touchline.web.guard import Rates
from touchline.web.handlers.records import MOST_DROPPED
from touchline.web.record_shelf import MOST_FAULTS, MOST_OPTIONS, RecordShelf, described
from web.sites import SMALL, Visit, house, played, run, site

NDJSON = {"Content-Type": "application/x-ndjson"}
ESCAPED = 6
"""Bytes that JSON takes for one character at most, as in \\u0001."""
MOST_SUMMARY = MOST_OPTIONS + (MOST_FAULTS + 8) * (ESCAPED * MOST_TEXT + 100)
"""What a summary of two seats takes at most: options, faults, and about eight other texts."""
PATIENT = Conduct(
    name="patient", illegal=ladder("retry 90", "expel", counted="turn"), late=ladder("expel"),
    gone=ladder("expel"), out_of_turn=ladder("expel"),
)  # fmt: skip


def record(
    names: tuple[str, str] = ("p0", "p1"),
    *,
    garbled: str = "",
    broken: str | None = None,
    options: dict[str, Any] | None = None,
    game: str = "hexapawn",
    seed: int = 1,
) -> bytes:
    """A record that verifies: unreadable answers, then the moves; or the match is broken off at once."""
    chosen = registry.game(game, SMALL[game] if options is None else options)
    spec = agreed(chosen, names, seed, conduct=PATIENT)
    state = opened(spec)
    referee, events = referee_for(spec, state), [announced(spec, state)]
    effects = referee.begin()
    while referee.result is None:
        seat = referee.state.to_move
        assert seat is not None
        if broken is not None:
            effects += referee.take(Broken(broken))
            break
        for _ in range(80 if garbled and referee.turn < 3 else 0):  # more than a summary lists
            effects += referee.take(Heard(seat, Garbled(garbled, referee.turn)))
        effects += referee.take(Heard(seat, Act(referee.state.legal_moves()[0], referee.turn)))
    return b"".join(
        encode(event) + b"\n" for event in [*events, *(one.event for one in effects if isinstance(one, Note))]
    )


async def upload(visit: Visit, data: bytes) -> tuple[int, Any]:
    async with visit.http.post("/api/records", data=BytesIO(data), headers=NDJSON) as response:
        return response.status, await response.json()


def renamed(name: str, seed: int) -> bytes:
    """A record in which a seat got another name afterwards."""
    first, *others = (encode(event) + b"\n" for event in played("hexapawn", seed=seed)[1])
    begun = json.loads(first)
    begun["names"][0] = name
    return msgspec.json.encode(begun) + b"\n" + b"".join(others)


def summary(data: bytes) -> Any:
    return described(Replay(data, "the record").events, data, 0, "folder", None)


def test_eight_uploads_with_huge_names() -> None:
    """Each has nearly all the bytes that an upload may have, and none of them makes the listing grow."""

    async def main() -> None:
        async with site() as visit:
            for seed in range(8):
                data = renamed("n" * (MOST_DROPPED - 100_000), seed)
                assert MOST_DROPPED - 100_000 < len(data) <= MOST_DROPPED
                status, _ = await upload(visit, data)
                assert status in (201, 400)
            await visit.get("/api/records")
            assert len(visit.received[-1]) <= 8 * (MOST_TEXT * 4 + 1000)

    run(main())


def test_eight_uploads_with_all_that_is_long() -> None:
    """Names, reasons and faults of the lengths that a record may have are kept, and cut in the listing."""

    async def main() -> None:
        async with site() as visit:
            for seed in range(8):
                data = record(("\x01" * 900, "é" * 900), garbled="\x02" * 600, seed=seed)
                status, told = await upload(visit, data)
                assert status == 201, told
                assert len(told["record"]["faults"]) == MOST_FAULTS
            await visit.get("/api/records")
            listed = visit.received[-1]
            assert len(json.loads(listed)["records"]) == 8
            assert len(listed) <= 8 * MOST_SUMMARY

    run(main())


def test_texts_are_cut_with_an_ellipsis() -> None:
    """Names, reasons, sentences and faults have a limited length, and show that something is missing."""
    void = summary(record(("n" * 900, "p1"), broken="r" * 3900))
    assert void.names == ("n" * (MOST_TEXT - 1) + "…", "p1")
    assert void.result.reason == "r" * (MOST_TEXT - 1) + "…"
    assert [len(line) for line in void.result.says] == [len(void.result.headline), MOST_TEXT]
    faulty = summary(record(garbled="g" * 3900))
    assert {len(fault.text) for fault in faulty.faults} == {MOST_TEXT}
    assert all(fault.text.endswith("g…") for fault in faulty.faults)


def test_short_texts_stay_as_they_are() -> None:
    """A limit changes nothing in an ordinary record."""
    data = record(garbled="what?")
    faults = summary(data).faults
    assert len(faults) == MOST_FAULTS
    assert faults[0].text == "p0 sent something that cannot be read and may try again: what?"
    short = summary(renamed("n" * MOST_TEXT, 1))
    assert short.names == ("n" * MOST_TEXT, "p1")
    assert short.options == SMALL["hexapawn"]


def board(rows: int) -> dict[str, Any]:
    """The options of a Fish game with a board of this many rows of 40 tiles."""
    return {"board": [[1] * 40] * rows}


def test_huge_options_are_refused_from_a_stranger() -> None:
    """An upload with more than 4 KiB of options is 400; smaller ones are kept."""

    async def main() -> None:
        async with site() as visit:
            small = record(game="fish", options=board(40), broken="enough")
            huge = record(game="fish", options=board(50), broken="enough")
            assert (await upload(visit, small))[0] == 201
            status, told = await upload(visit, huge)
            assert (status, told["message"]) == (
                400, "the record: the options of the game have more than 4096 bytes",
            )  # fmt: skip
            assert len(visit.site.tables.shelf.listed()) == 1

    run(main())


def test_huge_options_of_our_own_are_left_out() -> None:
    """A record of this server is summarised all the same."""
    assert summary(record(game="fish", options=board(50), broken="enough")).options == {}


def test_positions_do_not_repeat_a_long_name() -> None:
    """Each line says it in a sentence of limited length, so the response does not multiply the record."""

    async def main() -> None:
        async with site() as visit:
            data = record(("n" * 900, "p1"), garbled="g" * 3900)
            _, told = await upload(visit, data)
            _, raw = await visit.get(f"/api/records/{told['record']['id']}/positions")
            texts = [json.loads(line)["event"]["text"] for line in raw.splitlines()[1:]]
            assert len(texts) == told["record"]["events"]
            assert max(map(len, texts)) == MOST_SENTENCE
            assert not any("n" * (MOST_TEXT + 1) in text for text in texts)

    run(main())


@pytest.mark.parametrize("limit", ["most_bytes", "most_listed"])
def test_summaries_count_against_the_limits_of_the_shelf(limit: str) -> None:
    """The oldest records are dropped as soon as records and summaries, or summaries alone, are too large."""
    records = [record(garbled="g" * 200, seed=seed) for seed in range(4)]
    sizes = [len(msgspec.json.encode(summary(data))) for data in records]
    per_record = [
        size + len(data) * (limit == "most_bytes") for size, data in zip(sizes, records, strict=True)
    ]
    for room, kept in ((sum(per_record), 4), (sum(per_record) - 1, 3), (per_record[-1], 1), (0, 1)):
        shelf = RecordShelf(**{limit: room})
        for data in records:
            shelf.keep(summary(data), data)
        assert [one.id for one in shelf.listed()] == [summary(data).id for data in records[::-1][:kept]]


def test_a_listing_is_encoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """It changes with the records on the shelf; a long one cannot be asked for at any rate."""
    monkeypatch.setattr("touchline.web.handlers.records.LONG_LIST", 10)

    async def main() -> None:
        async with site(rates=Rates(costly=(2, 0.001), trust_loopback=False)) as visit:
            shelf = visit.site.tables.shelf
            assert shelf.listing() == b'{"records":[]}'
            table, _ = await visit.table("hexapawn", house(), house())
            record = (await visit.result(table))["record"]
            assert json.loads(shelf.listing("hexapawn"))["records"][0]["id"] == record
            assert shelf.listing() is shelf.listing()
            assert shelf.listing("chess") == b'{"records":[]}'
            shelf._drop_oldest()
            assert shelf.listing() == b'{"records":[]}'
            assert [(await visit.get("/api/records"))[0] for _ in range(3)] == [200, 200, 429]

    run(main())
