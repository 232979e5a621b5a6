"""The project of a bot: the skeleton of a language, the part of a game, and positions to test it with.

A language is a folder of `files/bot`: `language.toml`, `common/`, and a folder for each game. Python has a
part for any game, because a Python bot asks its view for the legal moves.
"""

from __future__ import annotations

import shutil
import tomllib
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from touchline.core import registry
from touchline.core.errors import BadOptions
from touchline.templates.project import Project, filled, replaced, templates
from touchline.templates.turns import turns

if TYPE_CHECKING:
    from touchline.templates.names import Name


class Language(Struct, frozen=True, forbid_unknown_fields=True):
    """What `language.toml` says of a language; commands are run in the folder of the project."""

    title: str
    build: str
    """The command that builds the bot; empty if there is nothing to build."""
    test: str
    run: str
    edit: str
    """The file that decides about moves."""
    hint: str
    hand_in: str
    """The files of a submission."""
    tools: dict[str, str]
    """The programs that are needed, and where to get each."""
    files: dict[str, str]
    any_game: bool = False
    """Whether it has a part for any game, the folder `any`."""


def language(name: str) -> Language:
    """Return a language by its name on the command line."""
    text = templates("bot", name, "language.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), Language)


def bot_project(game: str, lang: str, name: Name, folder: str) -> Project:
    """Return the project of a bot, to be written to a folder of this name.

    BadOptions if that language has no part for the game.
    """
    kind, chosen = registry.GAMES[game], language(lang)
    game = kind.name
    if not (part := templates("bot", lang, game)).is_dir():
        if not chosen.any_game:
            raise BadOptions(
                f"there is no template for a bot of {game} in {chosen.title}, which needs the rules: "
                "start it in Python, or write a program that speaks the native dialect"
            )
        part = templates("bot", lang, "any")
    words = {"my-bot": name.dashed, "my_bot": name.module, "MyBot": name.camel, "a-game": game}
    others = " ".join(["random"] * (kind.seats[0] - 1))
    steps = [
        *filter(None, [chosen.build]), chosen.test, "touchline check player",
        f"touchline play {game} . {others}",
    ]  # fmt: skip
    files = {**filled(templates("bot", lang, "common"), words), **filled(part, words)}
    files["README.md"] = _readme(chosen, words, folder, steps)
    if not chosen.any_game:
        files["turns.jsonl"] = turns(game)
    missing = {tool: source for tool, source in chosen.tools.items() if shutil.which(tool) is None}
    return Project(f"a player of {game} in {chosen.title}", dict(sorted(files.items())), steps, missing)


def _readme(lang: Language, words: dict[str, str], folder: str, steps: list[str]) -> str:
    text = templates("bot", "README.md").read_text(encoding="utf-8")
    *first, check, play = steps
    slots = {
        "title": lang.title,
        "steps": _steps([
            ("Build it, and run its test." if lang.build else "Run its test.", first),
            ("Check that it keeps to the protocol, and let it play.", [check, play]),
            (f"Edit `{lang.edit}`, and see whether it has become stronger.", [f"{play} --games 20"]),
        ]),
        "edit": lang.edit,
        "hint": lang.hint,
        "files": "\n".join(f"| {_code(path)} | {what} |" for path, what in lang.files.items()),
        "folder": folder,
        "hand_in": lang.hand_in,
    }  # fmt: skip
    whole = replaced(text, {rf"\{{{slot}\}}": value for slot, value in slots.items()})
    return replaced(whole, words)


def _steps(steps: list[tuple[str, list[str]]]) -> str:
    return "\n\n".join(
        f"{number}. {what}\n\n   ```sh\n" + "".join(f"   {command}\n" for command in commands) + "   ```"
        for number, (what, commands) in enumerate(steps, 1)
    )


def _code(paths: str) -> str:
    return ", ".join(f"`{path}`" for path in paths.split(", "))
