"""The projects of plug-ins: a package with a game, a dialect or a tournament format of its own.

Each template is the worked example in the README of its room, which a test compares: Nim, Plain and AllPlay.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from touchline.core import registry
from touchline.core.errors import BadOptions
from touchline.templates.project import Project, filled, templates

if TYPE_CHECKING:
    from touchline.core.registry import Kind
    from touchline.templates.names import Name

INSTALL = ["pip install -e .", "python -m unittest discover tests"]


def game_project(name: Name) -> Project:
    """Return the project of a game. BadOptions if there is a game of that name."""
    _check_free(name.module, registry.GAMES)
    words = {
        "touchline-nim": f"touchline-{name.dashed}",
        r"(?<![a-zA-Z])nim(?![a-zA-Z])": name.module,
        r"Nim(?=State|\b)": name.camel,
    }
    steps = [*INSTALL, f"touchline check game {name.module}", f"touchline play {name.module} random random"]
    return Project(f"the game {name.module}, as a package", _files("game", "Nim", name, words), steps)


def dialect_project(name: Name, game: str) -> Project:
    """Return the project of a dialect of a game. BadOptions if there is a dialect of that name."""
    kind = registry.GAMES[game]
    _check_free(name.dashed, registry.DIALECTS)
    others = " ".join(["random"] * (kind.seats[0] - 1))
    words = {
        "touchline_plain": f"touchline_{name.module}",
        "touchline-plain": f"touchline-{name.dashed}",
        r"(?<=[/_.])plain(?=[.: ])": name.module,
        r"""(?<=[`"/])plain(?=[`"])|plain(?=\+)""": name.dashed,
        r"(?<=speaks )plain|(?<=dialect )plain|(?<=say )plain": name.dashed,
        r"Plain(?=Face|\b)": name.camel,
        "hexapawn": kind.name,
        r"\{others\}": others,
    }
    steps = [
        *INSTALL,
        f"touchline check player --dialect {name.dashed} example_player.py",
        f"touchline play {kind.name} {name.dashed}+example_player.py {others}",
    ]
    what = f"the dialect {name.dashed} of {kind.name}, as a package"
    return Project(what, _files("dialect", "Plain", name, words), steps)


def format_project(name: Name) -> Project:
    """Return the project of a tournament format. BadOptions if there is a format of that name."""
    _check_free(name.module, registry.FORMATS)
    words = {"all_play": name.module, "all-play": name.dashed, "AllPlay": name.camel}
    steps = [*INSTALL, "touchline tournament run cup.toml"]
    files = _files("format", "AllPlay", name, words)
    return Project(f"the tournament format {name.module}, as a package", files, steps)


def _check_free(name: str, kind: Kind[Any]) -> None:
    if name in kind:
        raise BadOptions(f"there is a {kind.one} {name} already: choose another name")


def _files(kind: str, example: str, name: Name, words: dict[str, str]) -> dict[str, str]:
    """Return the files of a plug-in. BadOptions if its class would have the name of another one in them."""
    sources = [text for path, text in filled(templates(kind), {"$^": ""}).items() if path.endswith(".py")]
    if name.camel != example and any(re.search(rf"\b{name.camel}\b", text) for text in sources):
        raise BadOptions(
            f"{name.text!r} cannot be the name of a {kind}: {name.camel} means something else in it"
        )
    return dict(sorted(filled(templates(kind), words).items()))
