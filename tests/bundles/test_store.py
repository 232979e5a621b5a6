"""The store of bundles: nothing by half, nothing changed, nothing of others."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from touchline.bundles.bundle import BundleFile, bundled
from touchline.bundles.store import BundleStore, cache_store
from touchline.core.errors import BadInput, TouchlineError

if TYPE_CHECKING:
    from pathlib import Path

BUNDLE = bundled([BundleFile("bot.py", b"print(1)"), BundleFile("bin/run", b"#!/bin/sh\n", True)])


@pytest.fixture
def store(tmp_path: Path) -> BundleStore:
    return BundleStore(tmp_path / "store")


def test_what_was_put_is_got(store: BundleStore) -> None:
    """A bundle is kept under its digest; putting it again changes nothing."""
    assert not store.has(BUNDLE.digest)
    assert store.put(BUNDLE) == store.put(BUNDLE) == BUNDLE.digest
    assert store.has(BUNDLE.digest)
    assert BundleStore(store.folder).get(BUNDLE.digest) == BUNDLE
    assert [path.name for path in (store.folder / "packed").iterdir()] == [BUNDLE.digest]


def test_the_unpacked_files_are_read_only(store: BundleStore) -> None:
    """The folder holds the files as they were, which nobody may write."""
    folder = store.folder_of(store.put(BUNDLE))
    assert (folder / "bot.py").read_bytes() == b"print(1)"
    modes = {path.name: path.stat().st_mode & 0o777 for path in [folder, *folder.rglob("*")]}
    assert modes == {BUNDLE.digest: 0o555, "bot.py": 0o444, "bin": 0o555, "run": 0o555}
    assert [path.name for path in (store.folder / "unpacked").iterdir()] == [BUNDLE.digest]


def test_two_stores_unpack_the_same_folder(store: BundleStore) -> None:
    """A second process finds the folder that the first one made."""
    other = BundleStore(store.folder)
    assert store.folder_of(store.put(BUNDLE)) == other.folder_of(BUNDLE.digest)


@pytest.mark.parametrize("known", [False, True], ids=["new store", "same store"])
def test_changed_files_are_found(store: BundleStore, known: bool) -> None:
    """Files that were changed after unpacking are not run, also if their content was compared before."""
    folder = store.folder_of(store.put(BUNDLE))
    (folder / "bot.py").chmod(0o644)
    (folder / "bot.py").write_bytes(b"print(2)")
    (folder / "bot.py").chmod(0o444)
    with pytest.raises(BadInput, match="have been changed"):
        (store if known else BundleStore(store.folder)).folder_of(BUNDLE.digest)


def test_files_that_were_added_are_found(store: BundleStore) -> None:
    """A file or a link beside those of the bundle is a change, too."""
    folder = store.folder_of(store.put(BUNDLE))
    folder.chmod(0o755)
    (folder / "sitecustomize.py").symlink_to("/etc/hostname")
    with pytest.raises(BadInput, match="have been changed"):
        store.folder_of(BUNDLE.digest)


def test_a_damaged_or_missing_bundle_is_bad_input(store: BundleStore) -> None:
    """Neither is handed out, and a digest is never a path."""
    with pytest.raises(BadInput, match="No such file"):
        store.get(BUNDLE.digest)
    (store.folder / "packed" / store.put(BUNDLE)).write_bytes(b"garbage")
    with pytest.raises(BadInput, match="not a bundle"):
        store.folder_of(BUNDLE.digest)
    with pytest.raises(BadInput, match="not the digest"):
        store.has("../../etc/passwd")


def test_forgetting_removes_everything(store: BundleStore) -> None:
    """A bundle that is forgotten leaves nothing behind, and can be put again."""
    store.folder_of(store.put(BUNDLE))
    store.forget(BUNDLE.digest)
    assert [*store.folder.rglob("*/*")] == []
    assert store.folder_of(store.put(BUNDLE)).is_dir()


def test_a_cache_folder_of_somebody_else_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that others may write, or a link in its place, could change what we run."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert cache_store().folder.parent == tmp_path
    folder = tmp_path / f"touchline-bundles-{os.getuid()}"
    folder.chmod(0o777)
    with pytest.raises(TouchlineError, match="not a folder that only you can write"):
        cache_store()
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(TouchlineError, match="not a folder that only you can write"):
        cache_store()
