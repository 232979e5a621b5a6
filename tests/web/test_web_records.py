"""Records on the page: kept, dropped, played back, drawn, filmed; whatever is dropped must prove itself."""

from __future__ import annotations

import json
import os
from io import BytesIO
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest
from PIL import Image

from touchline.core.events import Moved, encode
from touchline.core.sketch import Piece, Sketch, Spot
from touchline.draw.film import Cast, Frame, film
from touchline.draw.sheet import common_sheet
from touchline.draw.svg import THEMES, picture, svg
from touchline.drivers.match import opened
from touchline.records.replay import Replay
from touchline.records.review import PositionValue
from touchline.web import schema
from touchline.web.handlers.records import MOST_DROPPED
from touchline.web.record_shelf import RecordShelf, record_id
from web.sites import SMALL, Screen, house, played, run, site, until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

GAMES = sorted(SMALL)
NDJSON = {"Content-Type": "application/x-ndjson"}


def recorded(game: str = "hexapawn", seed: int = 1) -> bytes:
    return b"".join(encode(event) + b"\n" for event in played(game, seed=seed)[1])


@pytest.mark.parametrize("game", GAMES)
def test_a_dropped_record(game: str) -> None:
    """It is played again, and then it is a record like any other."""

    async def main() -> None:
        data = recorded(game)
        async with site() as visit:
            status, told = await visit.post("/api/records", data, **NDJSON)
            assert status == 201, told
            record = told["record"]
            assert (record["game"], record["source"], record["names"]) == (game, "dropped", ["p0", "p1"])
            assert (record["bytes"], record["events"]) == (len(data), len(data.splitlines()))
            assert (await visit.post("/api/records", data, **NDJSON))[1]["record"] == record, "the same again"
            _, listed = await visit.get(f"/api/records?game={game}")
            assert listed["records"] == [record]
            assert (await visit.get("/api/records?game=chess"))[1]["records"] == []
            assert (await visit.get(f"/api/records/{record['id']}"))[1] == data
            assert (await visit.get(f"/api/records/{record['id']}/info"))[1]["record"] == record

    run(main())


def damaged() -> dict[str, bytes]:
    """A record in which something is not as it was."""
    lines = recorded().splitlines(keepends=True)
    last = json.loads(lines[-1])
    return {
        "empty": b"",
        "not JSON": b"hello\n",
        "not text": b"\xff\xfe\n" * 10,
        "without its beginning": b"".join(lines[1:]),
        "only its end is missing, and a goal is hidden": b"".join(
            recorded("labyrinth").splitlines(True)[:-1]
        ),
        "cut off, and a move is missing": b"".join(lines[:2] + lines[3:-1]),
        "cut off, and another move": lines[0] + lines[1].replace(b'"to":[1,', b'"to":[2,'),
        "cut off, and a strange seat": b"".join(lines[:2]) + lines[2].replace(b'"seat":1', b'"seat":-7'),
        "cut off, and a strange turn": b"".join(lines[:2]) + lines[2].replace(b'"turn":1', b'"turn":-1'),
        "cut off, and another board": lines[0].replace(b'"board":["', b'"board":["1"],["') + lines[1],
        "cut off, and too few names": lines[0].replace(b'"names":["p0","p1"]', b'"names":["p0"]') + lines[1],
        "a move is missing": b"".join(lines[:2] + lines[3:]),
        "a move is doubled": b"".join(lines[:3] + lines[2:]),
        "another move": lines[0] + lines[1].replace(b'"to":[1,', b'"to":[2,') + b"".join(lines[2:]),
        "another result": b"".join(lines[:-1]) + lines[-1].replace(b'"winners":[', b'"winners":[7,'),
        "another seed": b"".join(lines[:-1]) + encode({**last, "seed": 7}) + b"\n",
        "another game": lines[0].replace(b'"hexapawn"', b'"chess"') + b"".join(lines[1:]),
        "a huge board": lines[0].replace(b'"rows":4', b'"rows":999999999') + b"".join(lines[1:]),
        "deep": b"[" * 100_000,
        "strange seat": b"".join(lines[:2])
        + lines[2].replace(b'"seat":1', b'"seat":-7')
        + b"".join(lines[3:]),
    }


@pytest.mark.parametrize("how", [*damaged()])
def test_a_damaged_record(how: str) -> None:
    """Is refused with a sentence, and not kept."""

    async def main() -> None:
        async with site() as visit:
            status, told = await visit.post("/api/records", damaged()[how], **NDJSON)
            assert (status, told["error"]) == (400, "bad_request"), told
            assert told["message"].startswith("the record"), told
            assert visit.site.tables.shelf.listed() == ()

    run(main())


@pytest.mark.parametrize("game", ["fish", "hexapawn"])
@pytest.mark.parametrize("rest", [b"", b'{"type":"mov'], ids=["after a line", "in a line"])
def test_a_record_that_breaks_off(game: str, rest: bytes) -> None:
    """Of a killed match: it is shown as far as it goes, and counts for nobody."""

    async def main() -> None:
        lines = recorded(game).splitlines(keepends=True)[:6]
        async with site() as visit:
            status, told = await visit.post("/api/records", b"".join(lines) + rest, **NDJSON)
            assert status == 201, told
            record = told["record"]
            assert (record["events"], record["turns"]) == (6, 5)
            assert record["result"]["verdict"] == "void"
            assert record["result"]["why"] == "The match was interrupted, and its record ends here."
            status, shown = await visit.get(f"/api/records/{record['id']}/positions")
            assert (status, shown.count(b'"kind":"moved"')) == (200, 5)
            assert (await visit.get(f"/api/records/{record['id']}/svg"))[0] == 200

    run(main())


async def _in_pieces() -> AsyncIterator[bytes]:
    """A body that does not say how long it is."""
    for _ in range(11):
        yield b"x" * 100


def test_what_cannot_be_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("touchline.web.handlers.records.MOST_DROPPED", 1000)

    async def main() -> None:
        async with site() as visit:
            assert (await visit.post("/api/records", b"x" * 1001, **NDJSON))[0] == 413
            form = {"Content-Type": "multipart/form-data; boundary=x"}
            assert (await visit.post("/api/records", b"x", **form))[0] == 415
            async with visit.http.post("/api/records", data=_in_pieces(), headers=NDJSON) as response:
                assert response.status == 413

    run(main())


@pytest.mark.parametrize("game", GAMES)
def test_positions(game: str) -> None:
    """Every event with the drawing after it, as the rules say, nothing hidden, and moves with their spots."""

    async def main() -> None:
        spec, events = played(game)
        async with site() as visit:
            _, told = await visit.post("/api/records", recorded(game), **NDJSON)
            _, raw = await visit.get(f"/api/records/{told['record']['id']}/positions")
            head, *lines = map(json.loads, raw.splitlines())
            assert (head["type"], head["record"]) == ("record", told["record"])
            assert head["terms"]["conduct"]["name"] == spec.conduct.name
            assert [line["n"] for line in lines] == [*range(len(events))]
            screen = Screen()
            replay = Replay(recorded(game), "the record")
            state = opened(replay.spec())
            for line, (event, after) in zip(lines, replay.states(), strict=True):
                screen._draw(line["spots"], whole=line["whole"])
                sketch = after.sketch()
                assert [*screen.spots.values()] == json.loads(encode(sketch.spots))
                assert line["event"]["kind"] == type(event).__struct_config__.tag
                if isinstance(event, Moved):
                    legal = list(state.legal_moves()).index(replay.move_of(event.move))
                    assert line["event"]["keys"] == json.loads(encode(state.sketch().moves[legal]))
                    assert line["turn"] == event.turn + 1
                state = after
            assert lines[-1]["scores"] == told["record"]["result"]["scores"]

    run(main())


@pytest.mark.parametrize("game", GAMES)
def test_pictures(game: str) -> None:
    """SVG of any position, in both themes, and a film that lasts as long as it should."""

    async def main() -> None:
        async with site() as visit:
            _, told = await visit.post("/api/records", recorded(game), **NDJSON)
            path, turns = f"/api/records/{told['record']['id']}", told["record"]["turns"]
            drawn = set()
            for query in ("", "?n=0", "?turn=2", "?turn=2&theme=dark", f"?turn={turns - 1}"):
                status, picture = await visit.get(f"{path}/svg{query}")
                assert status == 200
                assert ElementTree.fromstring(picture).tag == "{http://www.w3.org/2000/svg}svg"
                drawn.add(picture)
            assert len(drawn) == 5
            for query in ("?n=9999", "?turn=9999", "?n=x", "?theme=pink", "?n=-1"):
                assert (await visit.get(f"{path}/svg{query}"))[0] == 400
            if game == "labyrinth":
                return  # it is painted in the same way, and takes longer
            status, film = await visit.get(f"{path}/gif?seconds=0.1")
            assert status == 200
            with Image.open(BytesIO(film)) as image:
                assert image.format == "GIF"
                frames = getattr(image, "n_frames", 1)
                assert turns <= frames <= turns + 2
                assert image.info["duration"] == 100
                assert image.size[0] > 600
            status, film = await visit.get(f"{path}/webp?seconds=0.1")
            with Image.open(BytesIO(film)) as image:
                assert (status, image.format, getattr(image, "n_frames", 1)) == (200, "WEBP", frames)
            for query, size in (
                ("card.png?theme=dark", (1200, 630)),
                ("png?turn=2", None),
                ("picture", (320, 240)),
            ):
                status, pixels = await visit.get(f"{path}/{query}")
                with Image.open(BytesIO(pixels)) as image:
                    assert (status, image.format) == (200, "WEBP" if query == "picture" else "PNG")
                    assert size is None or image.size == size
                    assert len(image.convert("P").getcolors() or ()) > 20, "it is not blank"
            for query in ("?seconds=0", "?seconds=nan", "?seconds=x"):
                assert (await visit.get(f"{path}/gif{query}"))[0] == 400

    run(main())


def test_a_table_as_a_picture() -> None:
    """Open, running or finished; for spectators, so without goals."""

    async def main() -> None:
        async with site() as visit:
            table, _ = await visit.table("labyrinth", {"kind": "open"}, {"kind": "open"})
            status, drawn = await visit.get(f"/api/tables/{table}/svg?theme=dark")
            assert status == 200
            ElementTree.fromstring(drawn)
            assert b"labyrinth-tile" in drawn
            assert b"labyrinth-goal" not in drawn
            assert b"labyrinth-aim" not in drawn
            for path, kind, size in (("picture", "WEBP", (320, 240)), ("card.png", "PNG", (1200, 630))):
                status, pixels = await visit.get(f"/api/tables/{table}/{path}")
                with Image.open(BytesIO(pixels)) as image:
                    assert (status, image.format, image.size) == (200, kind, size)

    run(main())


def test_a_finished_table_has_a_record() -> None:
    async def main() -> None:
        async with site() as visit:
            table, _ = await visit.table("fish", house(), house())
            done = await visit.result(table)
            _, told = await visit.get(f"/api/records/{done['record']}/info")
            assert (told["record"]["source"], told["record"]["table"]) == ("table", table)
            assert told["record"]["result"] == done["result"]
            data = (await visit.get(f"/api/records/{done['record']}"))[1]
            async with site() as other:
                assert (await other.post("/api/records", data, **NDJSON))[1]["record"]["id"] == done["record"]

    run(main())


def test_a_shelf_has_an_end() -> None:
    """The oldest go first, by number and by bytes."""
    spec_events = [played("hexapawn", seed=seed)[1] for seed in range(6)]
    shelf = RecordShelf(most=3)
    kept = [shelf.keep_table(events, 0, "t").id for events in spec_events[:5]]
    assert [record.id for record in shelf.listed()] == [*reversed(kept[2:])]
    assert shelf.find(kept[0]) is None
    small = RecordShelf(most_bytes=1)
    last = [small.keep_table(events, 0, "t").id for events in spec_events[:2]][-1]
    assert [record.id for record in small.listed()] == [last]


def test_records_of_earlier_days(tmp_path: Path) -> None:
    """Are there after a while, the newest first, with the ids that they had; what proves nothing is not."""
    written = {"000001": recorded(seed=1), "000002": b"hello\n", "000003": recorded("fish", seed=2)}
    for day, (name, data) in enumerate(written.items()):
        (tmp_path / f"{name}.jsonl").write_bytes(data)
        os.utime(tmp_path / f"{name}.jsonl", (day, day))
    large = tmp_path / "large.jsonl"
    with large.open("wb") as file:
        file.truncate(MOST_DROPPED + 1)
    files = [*(tmp_path / f"{name}.jsonl" for name in written), tmp_path / "gone.jsonl", large]

    async def main() -> None:
        async with site() as visit:
            visit.site.shelve(files)
            await until(lambda: len(visit.site.tables.shelf.listed()) == 2)
            _, listed = await visit.get("/api/records")
            assert [(one["game"], one["made"], one["source"]) for one in listed["records"]] == [
                ("fish", 2000, "folder"), ("hexapawn", 0, "folder"),
            ]  # fmt: skip
            assert [one["id"] for one in listed["records"]] == [
                record_id(written["000003"]), record_id(written["000001"]),
            ]  # fmt: skip

    run(main())


def test_an_analysis_is_made_once() -> None:
    """Whoever asks again gets what was found; what is not installed says so."""

    async def main() -> None:
        async with site() as visit:
            _, told = await visit.post("/api/records", recorded(), **NDJSON)
            id = told["record"]["id"]
            kept = schema.RecordAnalysis(
                player="x", values=(PositionValue(0, (0.5, 0.5), "even"),), svg="<svg/>"
            )
            visit.site.tables.shelf.analyses[id] = kept
            status, seen = await visit.get(f"/api/records/{id}/analysis")
            assert (status, seen["player"], seen["values"][0]["says"]) == (200, "x", "even")

    run(main())


NASTY = "<script>&\"'>\x00\x1b]0;\u202e\ud800".encode("utf-8", "replace").decode()


def test_a_picture_is_well_formed_whatever_it_shows() -> None:
    spots = (
        Spot(key=(0, 0), x=0, y=0, label=NASTY[:2], pieces=(Piece(0, NASTY), Piece(1, "b"))),
        Spot(
            key=(0, 1), x=1, y=0, label=f"{NASTY} & x", strokes="NESW", marks=(Piece(9, "*"), Piece(1, "h"))
        ),
        Spot(key="up", x=2, y=0, shape="arrow", fill="gap", label="▲"),
        Spot(key="x", x=3, y=0, shape="arrow", fill="gap", label=NASTY),
    )
    sketch = Sketch(spots=spots)
    for theme in THEMES:
        text = svg(picture(sketch, common_sheet(), (NASTY,)), theme, NASTY)
        assert {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(text).iter()} <= {
            "svg", "title", "defs", "g", "use", "rect", "path", "circle", "ellipse", "text",
        }  # fmt: skip
        film_of = film([Frame(sketch, (1, 2), NASTY)], common_sheet(), Cast((NASTY, "b")), theme, 0.1, "GIF")
        assert film_of.startswith(b"GIF89a")
    assert svg(picture(Sketch(spots=()), common_sheet()))
