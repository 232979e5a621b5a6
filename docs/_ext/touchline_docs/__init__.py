"""The Sphinx extension of Touchline's documentation: generated reference pages, links, players of matches.

Pages are written to `reference/generated` when a build begins, and are not committed: they follow from the
commands, docstrings, types and schemas of the version that is documented.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

GENERATED = "reference/generated"


def setup(app: Sphinx) -> dict[str, Any]:
    """Register everything with Sphinx."""
    from touchline_docs import contents, links, match_player

    app.connect("builder-inited", write_pages)
    app.connect("source-read", links.rewrite)
    app.connect("source-read", contents.drop_idle_patterns)
    app.connect("autodoc-process-signature", without_made_signature)
    match_player.setup(app)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def without_made_signature(
    app: Sphinx, what: str, name: str, thing: Any, options: Any, signature: str | None, returned: str | None
) -> tuple[str | None, str | None] | None:
    """Leave out the signature of a protocol, which nobody calls."""
    return ("", None) if what == "class" and getattr(thing, "_is_protocol", False) else None


def write_pages(app: Sphinx) -> None:
    """Write the generated pages that have changed, and remove those that are gone."""
    folder = Path(app.srcdir, GENERATED)
    wanted = {folder / f"{name}.md": text for name, text in generated()}
    for path in [*folder.rglob("*.md")]:
        if path not in wanted:
            path.unlink()
    for path, text in wanted.items():
        if not path.exists() or path.read_text() != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)


def generated() -> list[tuple[str, str]]:
    """Return the name below `reference/generated` and the text of every page."""
    from touchline_docs import (
        command_pages,
        outside_pages,
        plug_in_page,
        python_pages,
        toml_pages,
        wire_page,
    )

    found = [(f"commands/{name}", text) for name, text in command_pages.pages()]
    found += [(f"python/{name}", text) for name, text in python_pages.pages()]
    found += [(f"files/{name}", text) for name, text in toml_pages.pages()]
    found += [(name, text) for name, text in outside_pages.pages()]
    return [*found, ("wire", wire_page.page()), ("installed", plug_in_page.page())]
