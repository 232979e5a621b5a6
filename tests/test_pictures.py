"""The rules pages and pictures of the documentation are what `scripts/pictures` writes today."""

from __future__ import annotations

import re
from random import Random
from xml.etree import ElementTree

import pytest

from scripted import ROOT, script
from touchline.draw.svg import DARK, LIGHT, picture, svg
from touchline.games.hexapawn import Hexapawn

DOCS = ROOT / "docs"
SCRIPT = script("pictures")
WRITTEN: dict[str, str] = SCRIPT.written()
DRAWN = [path for game in ("fish", "hexapawn", "labyrinth") for path in DOCS.glob(f"pictures/{game}-*.svg")]
FILES = sorted({*WRITTEN, *(path.relative_to(DOCS).as_posix() for path in DRAWN)})


@pytest.mark.parametrize("name", FILES)
def test_a_generated_file_is_fresh(name: str) -> None:
    """Regenerating gives the same bytes, and no picture is left over."""
    assert name in WRITTEN, f"nobody writes docs/{name}: delete it"
    assert (DOCS / name).is_file(), f"docs/{name} is missing: run scripts/pictures"
    fresh = WRITTEN[name].encode()
    assert (DOCS / name).read_bytes() == fresh, "stale: run scripts/pictures, look at the diff"


def test_a_second_run_writes_the_same() -> None:
    assert SCRIPT.written() == WRITTEN


def test_pictures_are_well_formed_and_follow_the_colour_scheme() -> None:
    """Each is XML with a title, and every colour of the light theme has a dark one."""
    pictures = [text for name, text in WRITTEN.items() if name.endswith(".svg")]
    assert len(pictures) >= 12
    for text in pictures:
        root = ElementTree.fromstring(text)
        assert root.findtext("{http://www.w3.org/2000/svg}title")
        assert f'[fill="{LIGHT.paper}"]{{fill:{DARK.paper}}}' in text
    assert len({*LIGHT[:-1], *LIGHT.seats}) == len(LIGHT[:-1]) + len(LIGHT.seats), "roles share a colour"


def test_positions_have_numbered_rows_and_columns() -> None:
    """A reader finds the places that a caption names: 7 rows and 4 columns of Fish."""
    text = WRITTEN["pictures/fish-3.svg"]
    numbers = re.findall(r'x="([\d.]+)" y="([\d.]+)" font-size="13.0"[^>]*>(\d)<', text)
    assert [number for x, _, number in numbers if x == "14.0"] == [*"0123456"]
    assert [number for _, y, number in numbers if y == "14.0"] == [*"0123"]
    assert 'font-size="13.0"' not in svg(picture(Hexapawn().start(2, Random(0)).sketch()))


def test_every_picture_of_a_page_is_there() -> None:
    """The links of the rules pages lead to pictures and pages that exist."""
    for name in ("fish", "hexapawn", "labyrinth"):
        page = DOCS / "rules" / f"{name}.md"
        targets = re.findall(r"\]\(([^)#]+)", page.read_text())
        assert any(target.endswith("-coordinates.svg") for target in targets)
        assert [target for target in targets if not (page.parent / target).is_file()] == []
