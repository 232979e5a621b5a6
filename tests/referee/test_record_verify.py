"""A record is read and verified; one that was cut or changed is refused."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from referee.dialogue import FISH, every
from referee.played import Scripted, played, returns
from touchline.core.errors import BadInput
from touchline.core.events import Ended, Event, Expelled, Moved, Skipped, encode
from touchline.drivers.match import agreed, announced, play_now
from touchline.records.recorder import RecordWriter
from touchline.records.recording import Recording
from touchline.records.replay import Replay

if TYPE_CHECKING:
    from pathlib import Path


def test_a_record_is_read_again(tmp_path: Path) -> None:
    """The file is whole when the match is over; it verifies, and steps through the same states."""
    path = tmp_path / "match.jsonl"
    recording = Recording(path)
    seen: list[Event] = []
    spec = agreed(FISH, ["ann", "bob", "cy"], seed=4, conduct=every("skip", "random", "expel"))
    wicked = Scripted(returns(None), returns(None), returns(None))
    result = play_now(spec, [Scripted(), wicked, Scripted()], [*recording.open(), seen.append])
    recording.end()
    recording.check()
    replay = Replay(path.read_bytes(), "match.jsonl")
    replay.verify()
    assert replay.spec() == spec
    assert replay.ended is not None
    assert replay.ended.result == result
    *_, (last, state) = replay.states()
    assert isinstance(last, Ended)
    assert state.outcome() == result.outcome
    assert [type(event) for event, _ in replay.states()] == [type(event) for event in seen]
    assert any(isinstance(event, Expelled) for event in seen)


@pytest.mark.parametrize(("prompt", "talks"), [(True, ()), (False, (1,))])
def test_every_line_is_written_as_it_happens(prompt: bool, talks: tuple[int, ...]) -> None:
    """Where a person or a program plays, each event is written at once, so that a crash loses nothing."""
    written: list[bytes] = []
    begun = announced(agreed(FISH, "ab", seed=4), FISH.start(2, Random(4)), talks)
    writer = RecordWriter(written.append, prompt=prompt)
    happened: list[Event] = [begun, *(Moved(turn, 0, None) for turn in range(3))]
    for count, event in enumerate(happened, 1):
        writer.see(event)
        assert b"".join(written).count(b"\n") == count


def test_moves_of_bots_are_written_a_few_at_a_time() -> None:
    """At most 256 moves, or 10 ms of thinking, are unwritten; any other event is written at once."""
    written: list[bytes] = []
    writer = RecordWriter(written.append)
    for turn in range(1000):
        writer.see(Moved(turn, 0, None, took=1))
        assert turn + 1 - b"".join(written).count(b"\n") < 256
    before = len(written)
    writer.see(Moved(1000, 0, None, took=10_000))
    writer.see(Skipped(1001, 0, "x"))
    assert len(written) == before + 2
    assert b"".join(written).count(b"\n") == 1002


def recorded() -> bytes:
    spec = agreed(FISH, "ab", seed=4)
    return b"".join(encode(event) + b"\n" for event in played(spec, Scripted(), Scripted()))


def test_a_record_that_was_cut() -> None:
    """Without its last line a record can be stepped through but not verified; half a line is as none."""
    whole = recorded()
    ends = [at + 1 for at, byte in enumerate(whole) if byte == 10]
    for end in ends[:-1]:
        replay = Replay(whole[:end], "x")
        assert replay.ended is None
        with pytest.raises(BadInput, match=r"^x: the match did not end"):
            replay.verify()
        assert [event for event, _ in replay.states()] == replay.events
    for cut in range(1, ends[0] - 1, 97):
        with pytest.raises(BadInput, match=r"^x, line 1: "):
            Replay(whole[:cut], "x")
    for end in ends[:-1]:
        with pytest.raises(BadInput, match=r"^x: the match did not end"):
            Replay(whole[: end + 20], "x").verify()
    Replay(whole[:-1], "x").verify()


@pytest.mark.parametrize("data", [b"", b"\n", b"{}\n", b"[]", b"\xff\xfe", b"null\n", b"[" * 100_000])
def test_what_is_no_record(data: bytes) -> None:
    """Anything else is BadInput at its first line."""
    with pytest.raises(BadInput, match=r"^x, line 1: "):
        Replay(data, "x")


def test_lines_out_of_place() -> None:
    """A line that is missing, doubled, moved or added at the end is found."""
    whole = recorded().splitlines(keepends=True)
    for number in range(len(whole)):
        for other in (
            [*whole[:number], *whole[number + 1 :]],
            [*whole[:number], whole[number], *whole[number:]],
            [*whole[:number], *whole[number : number + 2][::-1], *whole[number + 2 :]],
        ):
            if other != whole:
                with pytest.raises(BadInput, match=r"^x"):
                    Replay(b"".join(other), "x").verify()
    with pytest.raises(BadInput, match=r"^x"):
        Replay(b"".join([*whole, whole[1], whole[-1]]), "x").verify()


def changed(number: int, **fields: Any) -> bytes:
    """A record in which fields of one line have other values."""
    whole = recorded().splitlines()
    line = json.loads(whole[number]) | fields
    whole[number] = json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode()
    return b"\n".join(whole) + b"\n"


@pytest.mark.parametrize(
    ("number", "fields"),
    [
        (0, {"format": 1}),
        (0, {"format": 4}),
        (0, {"dialects": ["native"]}),
        (0, {"seed_given": None}),
        (0, {"game": "chess"}),
        (0, {"game": "hexapawn"}),
        (0, {"options": {"rows": 99, "cols": 4}}),
        (0, {"options": {"colour": "red"}}),
        (0, {"options": {"rows": 1, "cols": 1}}),
        (0, {"names": ["a"]}),
        (0, {"names": ["a", "b", "c"]}),
        (0, {"names": []}),
        (0, {"commitment": "0" * 64}),
        (0, {"turn_cap": 3}),
        (0, {"talks": [0]}),
        (0, {"talks": [7]}),
        (0, {"position": None}),
        (1, {"seat": 1}),
        (1, {"seat": 9}),
        (1, {"seat": -1}),
        (1, {"turn": 1}),
        (1, {"by": "referee"}),
        (1, {"move": {"type": "place", "at": [9, 9]}}),
        (1, {"move": "e4"}),
        (-1, {"seed": 5}),
        (-1, {"nonce": ""}),
    ],
)
def test_a_record_that_was_changed(number: int, fields: dict[str, Any]) -> None:
    """Whatever was changed of what follows from the rest is BadInput, and nothing else is raised."""
    with pytest.raises(BadInput, match=r"^x"):
        Replay(changed(number, **fields), "x").verify()


@pytest.mark.parametrize(
    ("number", "fields", "complaint"),
    [
        (0, {"format": 4}, r"^x, line 1: the record has format 4, and .* reads the formats 1 to 3"),
        (0, {"commitment": "0" * 64}, r"^x: the seed does not match the commitment"),
        (-1, {"seed": 5}, r"^x: the seed does not match the commitment"),
        (-1, {"nonce": ""}, r"^x: the seed does not match the commitment"),
        (1, {"turn": 1}, r"^x, line 2: replayed, this line is"),
    ],
)
def test_what_is_wrong_with_a_record(number: int, fields: dict[str, Any], complaint: str) -> None:
    """A broken promise and an unknown format are called what they are."""
    with pytest.raises(BadInput, match=complaint):
        Replay(changed(number, **fields), "x").verify()


@pytest.mark.parametrize("seat", [-1, 2, 9, 10**30])
@pytest.mark.parametrize("offence", ["gone", "late", "flood"])
def test_a_fault_of_nobody(seat: int, offence: str) -> None:
    """A record in which a seat sinned that is not there is BadInput."""
    whole = recorded().splitlines()
    line = {
        "type": "faulted", "turn": 0, "seat": seat, "offence": offence, "reason": "x", "sanction": "expel",
        "said": None, "took": 0,
    }  # fmt: skip
    data = b"\n".join([whole[0], json.dumps(line).encode(), *whole[1:]])
    with pytest.raises(BadInput, match=r"^x"):
        Replay(data, "x").verify()
