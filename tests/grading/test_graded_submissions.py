"""What was handed in: names, folders, and files that nobody can use."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING

import pytest

from grading.student_bots import FIRST
from touchline.bundles.store import BundleStore
from touchline.core.errors import BadInput, BadOptions
from touchline.grading.submissions import folder_name, found_in, read_all

if TYPE_CHECKING:
    from pathlib import Path


def test_each_entry_is_a_submission(tmp_path: Path) -> None:
    """Files, folders and zips, in order; hidden files are not; a broken one has its reason."""
    (tmp_path / "ann.py").write_text(FIRST)
    (tmp_path / ".DS_Store").write_text("")
    (tmp_path / "bob").mkdir()
    (tmp_path / "bob" / "bot.py").write_text(FIRST)
    with zipfile.ZipFile(tmp_path / "eve.zip", "w") as file:
        file.writestr("../../bot.py", FIRST)
    (tmp_path / "notes.txt").write_text("none")
    found = read_all(found_in([tmp_path], each=True), BundleStore(tmp_path.parent / "store"))
    assert [(one.student, one.player) for one in found] == [
        ("ann", "bot.py"), ("bob", "bot.py"), ("eve", ""), ("notes.txt", ""),
    ]  # fmt: skip
    assert found[0].digest == found[1].digest
    assert found[2].trouble.startswith("What was handed in cannot be used:")
    assert "leads out of the folder" in found[2].trouble
    assert str(tmp_path) not in found[3].trouble


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    """A student's link to a file of the staff would show that file; a link that staff name is theirs."""
    (tmp_path / "secret.py").write_text(FIRST)
    place = tmp_path / "in"
    place.mkdir()
    (place / "eve.py").symlink_to(tmp_path / "secret.py")
    (place / "mal").symlink_to(tmp_path)
    paths, store = found_in([place], each=True), BundleStore(tmp_path / "store")
    eve, mal = read_all(paths, store)
    assert (eve.student, eve.folder, mal.student, mal.folder) == ("eve", "", "mal", "")
    assert "it is a link" in eve.trouble
    assert read_all(paths[:1], store, links=True)[0].trouble == ""


def test_two_submissions_of_one_student_are_refused(tmp_path: Path) -> None:
    """Else one would silently replace the other."""
    for name in ("ann.py", "ann.zip"):
        (tmp_path / name).write_text(FIRST)
    with pytest.raises(BadOptions, match="the same student"):
        read_all(found_in([tmp_path], each=True), BundleStore(tmp_path.parent / "store"))


def test_no_submission_is_an_error(tmp_path: Path) -> None:
    """So are a path that does not exist, and a file where a folder is needed."""
    with pytest.raises(BadOptions, match="0 submissions"):
        found_in([tmp_path], each=True)
    with pytest.raises(BadInput, match="no such file"):
        found_in([tmp_path / "nobody.py"], each=False)
    (tmp_path / "ann.py").write_text(FIRST)
    with pytest.raises(BadOptions, match="--each needs a folder"):
        found_in([tmp_path / "ann.py"], each=True)


@pytest.mark.parametrize("name", ["..", ".", "a/b", "a\x00", "-rf", "ANN", "x" * 300, "Zoë", "<b>", "con\n"])
def test_folder_names_are_safe_and_distinct(name: str) -> None:
    """Plain letters only, no leading dot or dash, never the name of another student."""
    made = folder_name(name)
    assert made.replace("-", "").replace("_", "").replace(".", "").isalnum()
    assert made[0] not in ".-"
    assert len(made) < 80
    assert made != folder_name("ann")
    assert made.lower() != folder_name(name + "x").lower()
