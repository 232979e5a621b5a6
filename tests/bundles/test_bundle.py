"""Bundles: their digest, their packed form, and what cannot be one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from touchline.bundles.bundle import (
    MOST_BYTES,
    MOST_FILES,
    Bundle,
    BundleFile,
    bundle_of,
    bundled,
    packed,
    problem_with_path,
    unpacked,
)
from touchline.core.errors import BadInput

if TYPE_CHECKING:
    from pathlib import Path

NAMES = st.text("abc", min_size=1, max_size=3)
FILES = st.dictionaries(NAMES, st.tuples(st.binary(max_size=20), st.booleans()), max_size=5)


def made(files: dict[str, tuple[bytes, bool]]) -> Bundle:
    return bundled(BundleFile(path, *rest) for path, rest in files.items())


@given(FILES, FILES)
def test_the_digest_tells_bundles_apart(
    one: dict[str, tuple[bytes, bool]], other: dict[str, tuple[bytes, bool]]
) -> None:
    """Two bundles have the same digest exactly if they have the same paths, modes and contents."""
    assert (made(one).digest == made(other).digest) == (one == other)


@given(FILES)
def test_a_packed_bundle_is_the_same_again(files: dict[str, tuple[bytes, bool]]) -> None:
    """Unpacking what was packed gives the bundle, and its digest."""
    bundle = made(files)
    again = unpacked(packed(bundle), bundle.digest)
    assert again == bundle
    assert again.digest == bundle.digest


@given(st.binary(max_size=60))
def test_bytes_that_are_no_bundle_are_bad_input(data: bytes) -> None:
    """Whatever bytes come, there is a bundle or BadInput, no other exception."""
    try:
        unpacked(data)
    except BadInput:
        return


def test_a_changed_byte_is_found() -> None:
    """A bundle whose content was changed on the way does not have the digest that was asked for."""
    bundle = made({"bot.py": (b"print(1)", False)})
    changed = packed(bundle).replace(b"print(1)", b"print(2)")
    with pytest.raises(BadInput, match="the bundle is damaged"):
        unpacked(changed, bundle.digest)


@pytest.mark.parametrize(
    "path",
    ["/etc/passwd", "../bot.py", "a/../../b", "a//b", "./a", "a/", "", "a\\b", "a\0b", "a\nb", "\udc80",
     "x" * 256, "a/" * 20 + "b", "é" * 200],
)  # fmt: skip
def test_paths_that_are_refused(path: str) -> None:
    """A path that leads elsewhere, or that some system reads differently, is refused."""
    assert problem_with_path(path) is not None
    with pytest.raises(BadInput):
        Bundle((BundleFile(path, b""),))


def test_a_file_cannot_be_the_folder_of_another() -> None:
    """`a` and `a/b` cannot both be unpacked, and neither can a path that is there twice."""
    with pytest.raises(BadInput, match="a file and a folder"):
        bundled([BundleFile("a", b""), BundleFile("a/b", b"")])
    with pytest.raises(BadInput, match="twice"):
        Bundle((BundleFile("a", b""), BundleFile("a", b"")))


def test_limits() -> None:
    """A bundle with too many files or bytes is refused, also in its packed form."""
    with pytest.raises(BadInput, match="files"):
        Bundle(tuple(BundleFile(f"{number:05}", b"") for number in range(MOST_FILES + 1)))
    with pytest.raises(BadInput, match="MB"):
        Bundle((BundleFile("a", bytes(MOST_BYTES + 1)),))
    with pytest.raises(BadInput, match="twice"):
        unpacked(msgspec.msgpack.encode({"files": [{"path": "a", "data": b""}] * 2}))


def test_the_bundle_of_files_in_a_folder(tmp_path: Path) -> None:
    """The files keep their place below the folder and their permission to be run."""
    (tmp_path / "bots").mkdir()
    bot = tmp_path / "bots" / "bot"
    bot.write_bytes(b"#!")
    bot.chmod(0o755)
    (tmp_path / "data").write_bytes(b"1")
    bundle = bundle_of(tmp_path, [bot, tmp_path / "data"])
    assert bundle.files == (BundleFile("bots/bot", b"#!", True), BundleFile("data", b"1"))


def test_files_elsewhere_are_not_bundled(tmp_path: Path) -> None:
    """Neither a path out of the folder nor a link that leads out of it is taken."""
    (tmp_path / "secret").write_text("1")
    inner = tmp_path / "cup"
    inner.mkdir()
    (inner / "link").symlink_to(tmp_path / "secret")
    for path in (inner / ".." / "secret", inner / "link", tmp_path / "secret"):
        with pytest.raises(BadInput, match="it is not below"):
            bundle_of(inner, [path])
    with pytest.raises(BadInput, match="No such file"):
        bundle_of(inner, [inner / "nothing"])
