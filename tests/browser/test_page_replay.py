"""A record is played back: stepped through, scrubbed, run, linked to and taken along."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect

from recorded import FLAWLESS, SMALL, record, steps
from touchline.core.clock import Clock, Limits, micros
from touchline.core.registry import CONDUCTS
from touchline.records.replay import Replay

if TYPE_CHECKING:
    from playwright.sync_api import FilePayload, Page

    from browser.windows import Open, Window

BACKWARDS = steps("0,0 2,2")
RECORD = record(SMALL, 2, [*FLAWLESS[:2], *BACKWARDS, *FLAWLESS[2:]], conduct=CONDUCTS["seed-002"])
"""Four moves, and before the third one that the referee refused."""


def pieces(state: Any) -> dict[str, str]:
    """Who stands where by the rules, as the page would write it."""
    return {
        f"{spot.key[0]},{spot.key[1]}": " ".join(str(piece.seat) for piece in spot.pieces)
        for spot in state.sketch().spots
        if spot.pieces
    }


def payload(data: bytes) -> FilePayload:
    return {"name": "game.jsonl", "mimeType": "application/x-ndjson", "buffer": data}


def opened(window: Window, data: bytes = RECORD) -> Page:
    """Open a record as a file, and wait for its first position."""
    page = window.go()
    page.locator("input[type=file][data-drop]").set_input_files(payload(data))
    expect(page.locator('main[data-page="replay"]')).to_have_attribute("data-n", "0")
    return page


def at(page: Page) -> int:
    return int(page.locator("main").get_attribute("data-n") or "-1")


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def test_a_record_is_stepped_through(visit: Open) -> None:
    """Forward and back, every position is the one that the rules make of the record."""
    states = [state for _, state in Replay(RECORD, "the record").states()]
    ann = visit()
    page = opened(ann)
    last, seen = len(states) - 1, [0]
    assert ann.pieces() == pieces(states[0])
    while at(page) < last:
        press(page, "Forward")
        seen.append(at(page))
        assert ann.pieces() == pieces(states[seen[-1]])
        expect(page.get_by_role("slider", name="Position")).to_have_value(str(len(seen) - 1))
    assert seen == sorted(set(seen)), "every step leads on"
    ann.shoot("replay-hexapawn")
    for n in reversed(seen[:-1]):
        press(page, "Back")
        assert (at(page), ann.pieces()) == (n, pieces(states[n]))


def test_the_result_is_hidden_until_it_is_reached(visit: Open) -> None:
    """Beside move 0 nothing says how it ends; the last position does, and so does a button."""
    ann = visit()
    for reveal in ("Last", "Show the result"):
        page = opened(ann)
        result, ended = page.locator("[data-result]"), page.locator("[data-event=ended]")
        for hidden in (result, ended, page.locator("[data-won]")):
            expect(hidden.first).to_be_hidden()
        press(page, "Forward")
        expect(page.locator("[data-event=moved]").filter(visible=True)).to_have_count(1)
        ann.shoot("replay-without-result")
        press(page, reveal)
        expect(result).to_contain_text("player 1 won")
        expect(ended).to_be_visible()
        expect(page.get_by_role("button", name="Show the result")).to_be_hidden()
        press(page, "First")
        expect(result).to_be_visible()
        ann.go("/#")


def test_the_clocks_of_a_record(visit: Open) -> None:
    """Show what each seat had left then; where there was no limit there are none."""
    page = opened(visit())
    expect(page.locator("[data-clock]").first).to_be_hidden()
    hasty = record(SMALL, 2, FLAWLESS, limits=Limits(clock=Clock(per_move=micros(2), increment=micros(60))))
    page = opened(visit(), hasty)
    clocks = page.locator("[data-clock]")
    for faces in (["2.0", "2.0"], ["1:02", "2.0"], ["1:02", "1:02"], ["2:02", "1:02"]):
        expect(clocks).to_have_text(faces)
        press(page, "Forward")


def test_a_record_is_scrubbed_run_and_linked_to(visit: Open) -> None:
    events = Replay(RECORD, "the record").events
    fault = next(n for n, event in enumerate(events) if type(event).__name__ == "Faulted")
    ann = visit()
    page = opened(ann)
    main, slider = page.locator("main"), page.get_by_role("slider", name="Position")
    press(page, "Next fault")
    expect(main).to_have_attribute("data-n", str(fault))
    expect(page.locator("[data-log] [aria-current]")).to_contain_text("player 0")
    page.reload()
    expect(main).to_have_attribute("data-n", str(fault))  # the address is a link to this move
    press(page, "Last")
    expect(main).to_have_attribute("data-n", str(len(events) - 1))
    press(page, "First")
    expect(main).to_have_attribute("data-n", "0")
    slider.fill(slider.get_attribute("max") or "")
    expect(main).to_have_attribute("data-n", str(len(events) - 1))
    page.locator('[data-log] [data-event="moved"] button').last.click()  # the newest is first
    expect(main).to_have_attribute("data-turn", "1")
    page.get_by_label("Speed").select_option("very fast")
    press(page, "Play")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(main).to_have_attribute("data-n", str(len(events) - 1))
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_a_record_is_taken_along(visit: Open) -> None:
    """As the file that it was, as a picture and as a film; dropped again it is the same record."""
    ann = visit()
    page = opened(ann)
    with page.expect_download() as download:
        page.get_by_role("link", name="Record (JSONL)").click()
    taken = download.value.path().read_bytes()
    assert taken == RECORD
    for name, begin in (("Picture (SVG)", b"<svg"), ("Film (GIF)", b"GIF89a")):
        link = page.get_by_role("link", name=name).get_attribute("href") or ""
        assert page.request.get(ann.served.url + link).body().startswith(begin)
    address = page.url.partition("&")[0]
    page = ann.go("/#")
    page.locator('main[data-page="lobby"]').wait_for()
    page.evaluate(
        """text => {
            const data = new DataTransfer();
            data.items.add(new File([text], "game.jsonl"));
            const drop = new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true});
            document.querySelector("main").dispatchEvent(drop);
        }""",
        taken.decode(),
    )
    page.locator('main[data-page="replay"]').wait_for()
    assert page.url.partition("&")[0] == address


def test_a_record_that_lies_is_not_shown(visit: Open) -> None:
    ann = visit()
    page = ann.go()
    lie = RECORD.replace(b'"winners":[1]', b'"winners":[0]')
    assert lie != RECORD
    page.locator("input[type=file][data-drop]").set_input_files(payload(lie))
    expect(page.get_by_role("alert")).to_contain_text(f"line {len(RECORD.splitlines())}")
    ann.shoot("lobby-false-record")
    assert ann.complaints, "Chromium tells the console of every answer that is an error"
    ann.complaints.clear()
