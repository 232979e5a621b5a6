"""Draw docs/pictures/match.svg, the picture of the README: a position of docs/matches/fish.jsonl.

It is light or dark as its reader is.
"""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from touchline.core.events import Moved
from touchline.draw.sheet import sheet_of
from touchline.draw.svg import picture, svg
from touchline.records.positions import keys_of
from touchline.records.replay import Replay

ROOT = Path(__file__).parent.parent
RECORD = ROOT / "docs" / "matches" / "fish.jsonl"
PICTURE = ROOT / "docs" / "pictures" / "match.svg"


def hero(record: Path) -> str:
    """Return the board in the middle of a match, with the move that led to it."""
    replay = Replay(record.read_bytes(), record.name)
    steps = [*replay.states()]
    at = next(number for number in range(len(steps) // 2, len(steps)) if isinstance(steps[number][0], Moved))
    event, state = steps[at]
    assert isinstance(event, Moved)
    before = steps[at - 1][1]
    keys = keys_of(before, before.sketch(), replay.move_of(event.move)) or ()
    drawn = picture(replace(state.sketch(), marked=keys), sheet_of(type(replay.game)), numbered=False)
    return svg(drawn, "auto", f"A game of Fish between {' and '.join(replay.begun.names)}")


if __name__ == "__main__":
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(hero(RECORD))
    print(f"wrote {PICTURE.relative_to(ROOT)}")
