"""The rules pages and pictures of the documentation are what `scripts/pictures` writes today."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from scripted import ROOT, script

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
    """Each is XML with a title, and its paper turns dark where the reader's screen is dark."""
    pictures = [text for name, text in WRITTEN.items() if name.endswith(".svg")]
    assert len(pictures) >= 12
    for text in pictures:
        root = ElementTree.fromstring(text)
        assert root.findtext("{http://www.w3.org/2000/svg}title")
        assert '[fill="#F4F1EAFF"]{fill:#12171A}' in text
        assert "var(" not in text
        tokens = re.findall(r'\[fill="(#\w+)"\]', text)
        assert len(tokens) == len({*tokens}), "one colour would turn into two"


def test_positions_have_numbered_rows_and_columns() -> None:
    """A reader finds the places that a caption names: 7 rows and 4 columns of Fish."""
    text = WRITTEN["pictures/fish-3.svg"]
    numbers = re.findall(r'<text x="(-?[\d.]+)" y="(-?[\d.]+)"[^>]*font-weight="700"[^>]*>(\d)<', text)
    assert [number for x, _, number in numbers if x == "-90"] == [*"0123456"]
    assert [number for _, y, number in numbers if y == "-97"] == [*"0123"]


def test_every_picture_of_a_page_is_there() -> None:
    """The links of the rules pages lead to pictures and pages that exist."""
    for name in ("fish", "hexapawn", "labyrinth"):
        page = DOCS / "rules" / f"{name}.md"
        targets = re.findall(r"\]\(([^)#]+)", page.read_text())
        assert any(target.endswith("-coordinates.svg") for target in targets)
        assert [target for target in targets if not (page.parent / target).is_file()] == []
