"""The pages of the documentation: every Markdown file that readers are sent to."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]
MADE = ("docs/_build", "docs/reference/generated")
TEMPLATES = ("src/touchline/templates/",)
"""READMEs of projects that `touchline new` makes; they are pages of those projects."""


def all_pages() -> list[str]:
    """Return the paths of all pages below the repository's root, those that are generated left out."""
    found = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("README.md")]
    found += (ROOT / "src").rglob("README.md")
    names = sorted(str(path.relative_to(ROOT)) for path in found)
    return [name for name in names if not name.startswith((*MADE, *TEMPLATES)) and name != "CHANGELOG.md"]
