"""What a screen reader makes of every page."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, Literal

import pytest
from playwright.sync_api import expect

from browser.playing import Player
from browser.serving import OPEN, SMALL, house, me

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page

    from browser.serving import Served
    from browser.windows import Open, Window


SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


def pages(window: Window, served: Served) -> Iterator[str]:
    """Every kind of page, one after the other, by its name."""
    page = window.go()
    page.get_by_role("button", name="Play fish").wait_for()
    yield "lobby"
    page.get_by_role("button", name="New table").click()
    yield "new table"
    page.get_by_text("Expert").click()
    yield "new table for experts"
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Playing as").click()
    yield "name"
    page.keyboard.press("Escape")
    window.go("/#rules=labyrinth")
    page.locator("svg[data-board]").wait_for()
    yield "rules"
    window.go("/#tutorial=fish")
    page.locator("svg[data-board]").wait_for()
    yield "tutorial"
    table, tokens = served.table("fish", me("ann"), OPEN, {"kind": "remote"})
    window.go(f"/#table={table}&token={tokens[0]}")
    page.locator("[data-status=open] [data-seat]").first.wait_for()
    yield "waiting"
    served.resign(table, tokens[0])
    for game in SMALL:
        table, tokens = served.table(game, me("ann"), house())
        window.go(f"/#table={table}&token={tokens[0]}")
        player = Player(window, Random(11))
        player.play(1)
        if player.asked():
            yield game
            served.resign(table, tokens[0])
        expect(player.main).to_have_attribute("data-status", "finished")
        yield f"{game} over"
        page.get_by_role("link", name="Replay").click()
        page.locator('main[data-page="replay"]').wait_for()
        yield f"{game} replay"
    window.go("/#table=0000000000")
    page.locator("main").get_by_text("There is no such table").wait_for()
    yield "missing"


def violations(page: Page, axe: str) -> list[str]:
    """What axe-core finds that is serious or worse, a line each."""
    if not page.evaluate("typeof window.axe === 'object'"):
        page.add_script_tag(content=axe)
    wanted = {"resultTypes": ["violations"]}
    run = "wanted => axe.run(document, wanted).then(({violations}) => violations)"
    found: list[dict[str, Any]] = page.evaluate(run, wanted)
    serious = [one for one in found if one["impact"] in ("serious", "critical")]
    return [
        f"{one['id']}: {one['help']}: {[node['html'][:160] for node in one['nodes'][:4]]}" for one in serious
    ]


@pytest.mark.slow
def test_axe_finds_nothing_serious(visit: Open, served: Served, axe: str) -> None:
    """On any page, in the light and in the dark."""
    found = []
    # Our pages run no script of others, so what looks at them has to be let in.
    ann = visit(bypass_csp=True)
    for name in pages(ann, served):
        for scheme in SCHEMES:
            ann.page.emulate_media(color_scheme=scheme)
            found += [f"{name}, {scheme}: {line}" for line in violations(ann.page, axe)]
            ann.shoot(f"{name.replace(' ', '-')}-{scheme}")
    assert found == []


def test_turns_are_told_to_a_screen_reader(visit: Open, served: Served) -> None:
    table, tokens = served.table("hexapawn", me("ann"), house())
    ann = visit()
    page = ann.go(f"/#table={table}&token={tokens[0]}")
    player = Player(ann, Random(12))
    assert player.asked()
    player.move()
    live = page.locator("[data-live]")
    assert player.asked()
    expect(live).to_contain_text("Your turn")
    expect(live).to_have_attribute("aria-live", "polite")
    unnamed = page.locator("[data-spot]").evaluate_all(
        "spots => spots.filter(s => !s.getAttribute('aria-label')).map(s => s.dataset.spot)"
    )
    assert unnamed == []
