"""The reference of the Python API: pages that autodoc fills from docstrings."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

import touchline

if TYPE_CHECKING:
    from collections.abc import Iterator

MADE = "<!-- made by docs/_ext/touchline_docs/python_pages.py; the text is that of the docstrings -->"
GROUPS = {
    "Play": (
        "play",
        "play_many",
        "play_async",
        "MatchResult",
        "Matches",
        "NotRecorded",
        "compare",
        "Comparison",
        "Strength",
    ),
    "Read": ("read_record", "Replay", "Result", "Fault", "Outcome"),
    "Find": ("game", "bot", "conduct", "list_games", "list_bots", "list_conducts"),
    "Games": ("Fish", "Hexapawn", "Labyrinth", "Game", "State", "Skippable", "IllegalMove"),
    "Players": ("Bot",),
    "Terms": ("Limits", "Clock", "micros", "Conduct", "Offence", "Sanction"),
    "Drawing": ("Sketch", "Spot", "Piece"),
    "Errors": ("TouchlineError", "UnknownName", "BadOptions", "BadInput"),
}
"""The public names by what they are for; constants and aliases are in the introduction."""
MODULES = {
    "rules": ("touchline.core.rules", "The contract of a game"),
    "sketch": ("touchline.core.sketch", "Sketches, from which boards are drawn"),
    "bots": ("touchline.bots.base", "The contract of a bot"),
    "dialects": ("touchline.dialects.base", "The contract of a dialect"),
}
CHECKS = {
    "check_game": "touchline.testing.game_check",
    "check_bot": "touchline.testing.bot_check",
    "check_player": "touchline.testing.player_check",
    "check_dialect": "touchline.testing.dialect_check",
    "check_transport": "touchline.testing.transport_check",
    "check_format": "touchline.testing.format_check",
    "check_leaks": "touchline.testing.leaks_check",
}


def pages() -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each page."""
    yield "touchline", "\n".join(_package())
    for name, (module, title) in MODULES.items():
        rst = f".. automodule:: {module}\n   :members:\n   :undoc-members:\n   :member-order: bysource"
        yield name, f"{MADE}\n# {title}\n\n`{module}`\n\n{_rst(rst)}"
    yield "testing", "\n".join(_checks())


def ungrouped() -> set[str]:
    """Return the public classes and functions that no group has."""
    grouped = {name for names in GROUPS.values() for name in names}
    values = {name: getattr(touchline, name) for name in touchline.__all__}
    ours = {name for name, value in values.items() if inspect.isclass(value) or inspect.isfunction(value)}
    return {name for name in ours - grouped if values[name].__module__.startswith("touchline")}


def _package() -> Iterator[str]:
    yield f"{MADE}\n# `import touchline`\n"
    yield _rst(".. automodule:: touchline")
    for title, names in GROUPS.items():
        yield f"## {title}\n"
        for name in names:
            yield _member(name)


def _member(name: str) -> str:
    """Return a public name; one of a module that has a page of its own is described there."""
    value = getattr(touchline, name)
    for page, (module, title) in MODULES.items():
        if value.__module__ == module:
            return f"`touchline.{name}` is described in [{title}]({page}.md).\n"
    if inspect.isfunction(value):
        return _rst(f".. autofunction:: touchline.{name}")
    kind = "autoexception" if issubclass(value, Exception) else "autoclass"
    return _rst(f".. {kind}:: touchline.{name}\n   :members:\n   :member-order: bysource")


def _checks() -> Iterator[str]:
    yield f"{MADE}\n# Checks for what you add\n"
    yield "`touchline.testing` has a check for the contract of each kind of plug-in.\n"
    yield "A check that fails says which law is broken.\n"
    for name, module in CHECKS.items():
        yield f"## {name}\n"
        yield _rst(f".. autofunction:: {module}.{name}")


def _rst(text: str) -> str:
    return f"```{{eval-rst}}\n{text}\n```\n"
