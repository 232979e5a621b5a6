"""Records of earlier formats are still read, verified and resumed; it is said what they do not show."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from records.tampering import verified
from touchline.bots import make
from touchline.core.errors import BadInput
from touchline.core.events import FORMAT, Event, encode
from touchline.drivers.match import opened, play_now
from touchline.drivers.past import Past
from touchline.records.fast_replay import follows_quickly
from touchline.records.replay import Replay
from touchline.records.rerun import happenings
from touchline.records.side_file import Secret
from touchline.records.trial import trial_spec

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


# -- format 2 -------------------------------------------------------------------------------------

SECOND = sorted((Path(__file__).parent / "format_2").glob("*.jsonl"))
SEALED = {
    "fish-alone": "6e93c8459409fd8ddff0a3599a1d36710fdd27f7fb2789a131d79be08e395129",
    "labyrinth-dialects": "12c78d0549517b252e1523497a3ea6aea2a51426f412c37c2ad31a51170321a1",
    "labyrinth-home": "008e9dfc5fddeea1c38622b943fae349203945c20df2aa39944564daf02eaa43",
}
"""The SHA-256 of the files, as they were written by the last version with this format.

In both matches of Labyrinth a treasure lies on the home of its seat; in the other a seat plays on alone.
"""


@pytest.mark.parametrize("path", SECOND, ids=lambda path: path.stem)
def test_a_record_of_format_2_verifies(path: Path) -> None:
    """The seed gives the start that it gave then, and the conduct lets the last seat play on."""
    data = path.read_bytes()
    assert hashlib.sha256(data).hexdigest() == SEALED[path.stem]
    found = verified(data)
    assert found is not None
    assert (found.follows, found.whole, found.wrong) == (True, True, ())
    replay = Replay(data, "x")
    assert replay.begun.format == 2
    assert replay.spec().conduct.alone is UNSET
    replay.verify_by_line(replay.spec())
    assert follows_quickly(replay, replay.spec())


def test_what_the_records_of_format_2_show() -> None:
    """They are worth keeping: this version would play these matches in another way."""
    assert [path.stem for path in SECOND] == sorted(SEALED)
    for path in SECOND:
        replay = Replay.read(path)
        *_, (_, last) = replay.states()
        assert last.to_move is None
        spec = replay.spec()
        now = opened(replace(spec, format=FORMAT))
        assert (now == opened(spec)) == (path.stem == "fish-alone")
        forged = path.read_bytes().replace(b'"format":2', b'"format":3', 1)
        if path.stem != "fish-alone":
            with pytest.raises(BadInput):
                Replay(forged, "x").verify()


@pytest.mark.parametrize("lines", [2, 5, 9])
def test_a_match_of_format_2_is_resumed(lines: int) -> None:
    """It goes on from the start that it had, and ends as it ended then."""
    data = (Path(__file__).parent / "format_2" / "labyrinth-home.jsonl").read_bytes()
    whole = Replay(data, "x")
    spec = whole.spec()
    secret = Secret(origin="play", seed=spec.seed, nonce=spec.nonce, seats=())
    half = Replay(b"".join(data.splitlines(keepends=True)[:lines]), "x", secret)
    half.verify()
    again: list[Event] = []
    bots: list[Any] = [make("euclid", "labyrinth", "0"), make("riemann", "labyrinth", "0")]
    result = play_now(half.spec(), bots, [again.append], Past(tuple(happenings(half))))
    assert whole.ended is not None
    assert result == whole.ended.result
    assert encode(again[0]) == whole.lines[0]


def test_a_trial_keeps_the_start_of_its_record() -> None:
    """A record that is shrunk begins where the match began, so it keeps its format."""
    replay = Replay.read(Path(__file__).parent / "format_2" / "labyrinth-home.jsonl")
    made = trial_spec(replay, 0, "euclid", None)
    assert opened(made) == opened(replay.spec())
    oldest = Replay.read(OLD[-1])
    assert trial_spec(oldest, 0, "euclid", None).format == 2
