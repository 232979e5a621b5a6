"""Two hundred nasty names: each is refused with a reason, or comes back as it is and is nothing but text."""

from __future__ import annotations

from random import Random
from xml.etree import ElementTree

from touchline.core.sketch import Sketch
from touchline.draw.sheet import common_sheet
from touchline.draw.svg import picture, svg
from touchline.server.names import problem_with
from web.sites import OPEN, house, live, me, run, site

STEMS = [
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>",
    "\"><svg onload=alert(1)>", "'--", "</title>",
    "javascript:alert(1)", "{{7*7}}", "${7*7}", "=HYPERLINK(1)", "../../etc/passwd", "%00", "\\u0000", "a\nb",
    "a\rb", "\x1b[31mred", "\x1b]0;title\x07", "‮evil", "a‍b", "﻿bom", "Ａｎｎ", "аnn",
    "referee", "Winner", " ann", "ann ", "é", "́", "𝟎", "ㅤ", "⠀", "🙂", "👩‍👩‍👧", "null", "undefined",
    "NaN", "__proto__", "constructor", "toString", "&amp;", "&lt;b&gt;", "]]>", "<!--", "-->", "<![CDATA[",
    "a" * 33, "", "\ud800", "\x7f", "\x85", "\xad", "﷽", "ض" * 20, "Ω≈ç√∫", "; drop table", "|| 1=1",
]  # fmt: skip


def _names() -> list[str]:
    rng = Random(0)
    names = list(STEMS)
    while len(names) < 200:
        one, two = rng.sample(STEMS, 2)
        names.append((one[: rng.randrange(1, 16)] + two[: rng.randrange(1, 16)])[:32])
    return names


def test_two_hundred_nasty_names() -> None:
    async def main() -> None:
        shown = 0
        async with site() as visit:
            for name in _names():
                table, [_] = await visit.table("hexapawn", me("zoe"), OPEN)
                status, told = await visit.post(f"/api/tables/{table}/join", {"name": name})
                tables = visit.site.tables
                if status == 201:
                    assert problem_with(name) is None
                    _, seen = await visit.get(f"/api/tables/{table}")
                    assert seen["table"]["seats"][1]["name"] == name
                    ElementTree.fromstring(
                        svg(picture(Sketch(spots=()), common_sheet(), (name,)), title=name)
                    )
                    shown += 1
                else:
                    assert (status, told["error"]) == (400, "bad_request"), (name, told)
                    assert len(told["message"]) > 10
                tables.by_id[table].break_off("the test is over")
                tables._forget(tables.by_id[table])
        assert 60 < shown < 180, shown

    run(main())


def test_a_name_in_every_line() -> None:
    """What goes out is JSON: the name is there as it was given, and a `<` can end no script."""
    nasty = "</script><b>&\"'"

    async def main() -> None:
        async with site() as visit:
            table, [token] = await visit.table("hexapawn", me(nasty), house())
            async with live(visit, table, token) as ann:
                await ann.play(Random(1))
                assert ann.screen.lines[0]["table"]["seats"][0]["name"] == nasty
                assert any(nasty in event["text"] for event in ann.screen.events)
            for path in (
                f"/api/tables/{table}",
                "/api/tables",
                f"/api/records/{ann.screen.now['record']}/info",
            ):
                async with visit.http.get(path) as response:
                    assert response.content_type == "application/json"
                    assert response.headers["X-Content-Type-Options"] == "nosniff"

    run(main())
