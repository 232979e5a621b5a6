"""Pages of the site that lie outside `docs`: the READMEs of the rooms, the examples, CONTRIBUTING."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[3]
ROOMS = (
    "games",
    "bots",
    "dialects",
    "transports",
    "conducts",
    "tournament/formats",
    "tournament/executors",
    "tournament/ledger",
)
PAGES = {
    **{f"src/touchline/{room}/README.md": f"plug-ins/{room.rpartition('/')[2]}" for room in ROOMS},
    "examples/README.md": "examples",
    "CONTRIBUTING.md": "contributing",
    "CHANGELOG.md": "changelog",
}
"""The file in the repository, and the name of its page below `reference/generated`."""


def pages() -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each page."""
    for path, name in PAGES.items():
        yield name, (ROOT / path).read_text()
