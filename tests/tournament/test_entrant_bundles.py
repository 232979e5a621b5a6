"""What an entrant consists of, and what never travels with it."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from touchline.core.errors import BadInput
from touchline.tournament.entrant_bundles import entrant_bundles, travelling
from tournament.cups import cup

if TYPE_CHECKING:
    from pathlib import Path


def files(folder: Path, hidden: tuple[Path, ...], **players: str) -> dict[str, tuple[str, list[str]]]:
    """The word and the paths of each entrant that is a program."""
    made = entrant_bundles(cup(**players), folder, hidden)
    return {name: (one.player, [file.path for file in one.bundle.files]) for name, one in made.items()}


def write(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"# {name}\n")


def test_the_files_that_a_word_names(tmp_path: Path) -> None:
    """An interpreter on the PATH and this Python are not among them; nor is a house player's anything."""
    write(tmp_path, "bot.js", "ann.py", "net.bin", "data/one", "data/two", "bot.wasm", "other")
    assert files(
        tmp_path, (), ann="seed-002+ann.py:Name",
        bob="process:node --fast bot.js no_such.js --net=net.bin data",
        cy="greedy", dan="wasm:bot.wasm", eve=f"process:{sys.executable} -m module",
    ) == {
        "ann": ("seed-002+ann.py:Name", ["ann.py"]),
        "bob": (
            "process:node --fast bot.js no_such.js --net=net.bin data",
            ["bot.js", "data/one", "data/two", "net.bin"],
        ),
        "dan": ("wasm:bot.wasm", ["bot.wasm"]),
        "eve": (f"process:{sys.executable} -m module", []),
    }  # fmt: skip


def test_a_sub_folder_of_its_own(tmp_path: Path) -> None:
    """All of it travels, but for dot files and compiled Python; a folder that two share does not."""
    write(tmp_path, "a/bot.py", "a/net.bin", "a/.secret", "a/__pycache__/x.pyc", "b/bob.py", "b/cy.py", "b/x")
    found = files(tmp_path, (), ann="a/bot.py", bob="b/bob.py", cy="b/cy.py", dan="a/bot.py")
    assert found["ann"] == ("a/bot.py", ["a/bot.py", "a/net.bin"]) == found["dan"]
    assert found["bob"] == ("b/bob.py", ["b/bob.py"])


def test_modules_beside_a_python_file(tmp_path: Path) -> None:
    """What it imports travels with it, another entrant's file does not."""
    write(tmp_path, "common.py", "pack/__init__.py", "pack/inner.py", "unused.py", "bob.py")
    (tmp_path / "ann.py").write_text("import os, common\nfrom pack.inner import x\nimport bob\n")
    (tmp_path / "common.py").write_text("import math\nimport deeper\n")
    write(tmp_path, "deeper.py")
    found = files(tmp_path, (), ann="ann.py", bob="bob.py")
    assert found["ann"][1] == ["ann.py", "common.py", "deeper.py", "pack/__init__.py", "pack/inner.py"]
    assert found["bob"][1] == ["bob.py"]


def test_more_files_of_an_entrant(tmp_path: Path) -> None:
    write(tmp_path, "ann.py", "bob.py", "common.py", "data/x")
    made = cup(ann="ann.py", bob="bob.py")
    more = replace(made.entrants[0], files=("common.py", "data/"))
    found = entrant_bundles(replace(made, entrants=(more, made.entrants[1])), tmp_path)
    assert [file.path for file in found["ann"].bundle.files] == ["ann.py", "common.py", "data/x"]
    for wrong in ("nothing", "../elsewhere"):
        bad = replace(more, files=(wrong,))
        with pytest.raises(BadInput, match=f"entrant ann: files: there is no '{wrong}' below"):
            entrant_bundles(replace(made, entrants=(bad, made.entrants[1])), tmp_path)


def test_files_outside_the_folder_of_the_cup(tmp_path: Path) -> None:
    """Their paths are changed, and the word with them; the cup that travels has these words."""
    write(tmp_path, "bots/ann.py", "build/bob", "cups/x")
    players = {"ann": "seed-002+../bots/ann.py", "bob": f"process:{tmp_path}/build/bob ../bots/ann.py"}
    found = files(tmp_path / "cups", (), **players)
    assert found == {
        "ann": ("seed-002+bots/ann.py", ["bots/ann.py"]),
        "bob": ("process:./build/bob bots/ann.py", ["bots/ann.py", "build/bob"]),
    }
    made = cup(**players)
    sent = travelling(made, entrant_bundles(made, tmp_path / "cups"))
    assert [entrant.player for entrant in sent.entrants] == [word for word, _ in found.values()]


def test_the_place_of_a_cup_does_not_change_a_digest(tmp_path: Path) -> None:
    write(tmp_path, "one/a/bot.py")
    shutil.copytree(tmp_path / "one", tmp_path / "two")
    made = cup(ann="a/bot.py", bob="random")
    first, second = (entrant_bundles(made, tmp_path / name)["ann"].bundle for name in ("one", "two"))
    assert first.digest == second.digest


def test_the_ledger_and_its_salt_never_travel(tmp_path: Path) -> None:
    """Also if a word names them, or the folder that they lie in."""
    write(tmp_path, "a/bot.py", "a/cup.db", "a/cup.db-salt")
    hidden = (tmp_path / "a/cup.db", tmp_path / "a/cup.db-salt")
    assert files(tmp_path, hidden, ann="a/bot.py", bob="process:cat a/cup.db-salt a") == {
        "ann": ("a/bot.py", ["a/bot.py"]),
        "bob": ("process:cat a/cup.db-salt a", []),
    }
    (tmp_path / "b").mkdir()
    (tmp_path / "b/bot.py").write_text("")
    (tmp_path / "b/link").symlink_to(tmp_path / "a/cup.db-salt")
    assert files(tmp_path, hidden, ann="b/bot.py", bob="random")["ann"][1] == ["b/bot.py"]
    (tmp_path / "c.py").symlink_to("/etc/hostname")
    with pytest.raises(BadInput, match=r"entrant ann: .*c\.py is a link that leads out of the cup's folder"):
        files(tmp_path, hidden, ann="c.py", bob="random")


@pytest.mark.parametrize(
    ("word", "why"),
    [
        ("missing.py", "there is no file 'missing.py'"),
        ("process:./missing", "there is no file './missing'"),
        ("wasm:missing.wasm", "there is no file 'missing.wasm'"),
        ("process:", "process: needs a command"),
        ("process:'", "No closing quotation"),
    ],
)
def test_an_entrant_whose_file_is_missing_is_named(word: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=f"entrant ann: .*{why}"):
        files(tmp_path, (), ann=word, bob="random")
