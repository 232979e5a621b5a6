"""Names are text, wherever they are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from browser.nasty import REFUSED, SHOWN, TRAP
from browser.serving import OPEN, me

if TYPE_CHECKING:
    from browser.serving import Served
    from browser.windows import Open, Window

AT_A_TABLE, LISTED = 6, 20
"""So many can play Labyrinth; so many finished tables the lobby surely lists."""
LARGE = {"rows": 7, "cols": 7}
STRANGE = (
    "script:not([src^='/static/'], [type='application/json']), "
    "[onerror], [onload], [onfocus], [onclick], [src=x], iframe, object"
)
"""What none of our pages has."""


def finished(served: Served, names: list[str]) -> tuple[str, str]:
    """A table at which these sat down and gave up, one after the other; its record."""
    table, tokens = served.table("labyrinth", *map(me, names), options=LARGE)
    for token in [*tokens.values()][1:]:  # then one is left, and has won
        served.resign(table, token)
    return table, served.get(f"/api/tables/{table}")["table"]["record"]


def shows(window: Window, names: list[str]) -> None:
    """Every name is there as it was given, and nothing has come of it."""
    text = window.page.locator("main").text_content() or ""
    assert [name for name in names if name not in text] == []
    assert window.page.evaluate("window.__pwned") is None
    assert window.page.locator(STRANGE).count() == 0


@pytest.mark.slow
def test_nasty_names_are_shown_as_text(visit: Open, served: Served) -> None:
    """In the lobby, at the table with its log and result, and in the replay."""
    assert len(SHOWN) >= 200
    eve = visit(bypass_csp=True)  # so that nothing but the page itself keeps them from running
    eve.page.add_init_script(TRAP)
    tables = [SHOWN[first : first + AT_A_TABLE] for first in range(0, len(SHOWN), AT_A_TABLE)]
    for first in range(0, len(tables), LISTED):
        names = tables[first : first + LISTED]
        listed = [finished(served, seated) for seated in names]
        eve.go()
        eve.page.locator(f'[data-table="{listed[0][0]}"]').wait_for()
        shows(eve, [name for seated in names for name in seated])
        eve.shoot(f"names-lobby-{first}")
        for seated, (table, record) in zip(names, listed, strict=True):
            for place in (f"/#table={table}", f"/#record={record}"):
                eve.go(place)
                eve.page.locator("[data-event=ended]").wait_for(state="attached")
                shows(eve, seated)
    eve.shoot("names-replay")


def test_names_that_deceive_are_refused(visit: Open, served: Served) -> None:
    before = served.get("/api/tables")
    for name in REFUSED:
        status, said = served.post("/api/tables", {"game": "hexapawn", "seats": [me(name), OPEN]})
        assert (status, said["error"]) == (400, "bad_request"), name
    assert served.get("/api/tables") == before
    eve = visit()
    page = eve.go()
    page.get_by_role("button", name="New table").click()
    dialog = page.get_by_role("dialog", name="New table")
    dialog.get_by_label("My name").fill("referee")
    dialog.get_by_role("button", name="Make the table").click()
    dialog.get_by_role("alert").get_by_text("nobody may be called referee").wait_for()
    assert eve.complaints, "Chromium tells the console of every answer that is an error"
    eve.complaints.clear()
