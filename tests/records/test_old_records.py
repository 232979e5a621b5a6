"""Records of the first format are still read and verified, and it is said what they do not show."""

from __future__ import annotations

from pathlib import Path

import pytest

from records.tampering import verified
from touchline.core.events import encode
from touchline.records.fast_replay import follows_quickly
from touchline.records.replay import Replay

OLD = sorted((Path(__file__).parent / "format_1").glob("*.jsonl"))
DIGESTS = {
    "fish-crash": "e863548bca959fb435c24ae969d5bf718a442462f04ed5828e7738e3856c608e",
    "fish-dialects": "81a12e44815ff5c699b08ea07e849d4e9cb0f4e4f90efd105c65c60275701f60",
    "hexapawn-bots": "38241582f64e5f0a47716510b0fcbe5b0fcd6134d56e64e9bd5353dccfd00fb8",
    "hexapawn-oz": "d56f0e0331ef3f7925a1943b9c24a6ee6a9ec994db41c565992601e3be5a17e4",
    "labyrinth-dialects": "55942572b8d01283d24b14e397cea7ad7ccd2582ba21e938dca0741c2d267c0e",
    "labyrinth-program": "0207693846bae5b655aea24eeefdc334b5b07183e1e8d2e3ca5cd8a9d33cdd64",
}
"""The SHA-256 of the files, as they were written by the first version."""


@pytest.mark.parametrize("path", OLD, ids=lambda path: path.stem)
def test_an_old_record_verifies(path: Path) -> None:
    """It follows, by the fast replay and by the slow one; names, times and isolation were not checked."""
    data = path.read_bytes()
    found = verified(data)
    assert found is not None
    assert (found.follows, found.sealed, found.signed, found.whole, found.wrong) == (
        True, False, False, True, (),
    )  # fmt: skip
    assert found.not_checked == ("names, times and isolation: records of format 1 have no digest",)
    assert found.digest == DIGESTS[path.stem]
    replay = Replay(data, "x")
    replay.verify_by_line(replay.spec())
    assert follows_quickly(replay, replay.spec())


@pytest.mark.parametrize("path", OLD, ids=lambda path: path.stem)
def test_an_old_record_is_encoded_as_it_was(path: Path) -> None:
    """New fields are not written where they are not set."""
    data = path.read_bytes()
    assert b"".join(encode(event) + b"\n" for event in Replay(data, "x").events) == data


def test_an_old_record_with_a_published_digest() -> None:
    """Whoever published the digest of the file has sealed it; a changed name is noticed then."""
    data = OLD[0].read_bytes()
    digest = DIGESTS[OLD[0].stem]
    found = verified(data, digest=digest)
    assert found is not None
    assert (found.sealed, found.not_checked) == (True, ())
    forged = verified(data.replace(b'"names":["', b'"names":["x', 1), digest=digest)
    assert forged is not None
    assert forged.follows
    assert forged.wrong
    assert not forged.sealed


def test_there_are_old_records() -> None:
    """None of them was lost."""
    assert [path.stem for path in OLD] == sorted(DIGESTS)
