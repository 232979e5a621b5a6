"""`records/rerun.py`: a record's happenings, with what the referee does about each."""

from __future__ import annotations

import pytest

from recorded import FLAWLESS, SMALL, record
from touchline.core.errors import BadInput
from touchline.core.events import Event, encode
from touchline.core.happenings import Heard, Note
from touchline.records.replay import Replay
from touchline.records.rerun import rerun

DATA = record(SMALL, 2, FLAWLESS)


def noted(replay: Replay) -> list[Event]:
    return [effect.event for _, effects in rerun(replay) for effect in effects if isinstance(effect, Note)]


def test_a_rerun_notes_the_events_of_the_record() -> None:
    """All of them but the first, which the driver announces, in order."""
    replay = Replay(DATA, "match")
    assert [encode(event) for event in noted(replay)] == replay.lines[1:]
    first, *rest = [happening for happening, _ in rerun(replay)]
    assert first is None
    assert all(isinstance(happening, Heard) for happening in rest)
    assert len(rest) == len(FLAWLESS)


def test_a_rerun_of_a_record_that_was_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """It goes as far as the record, where the seed is known."""
    spec = Replay(DATA, "match").spec()
    monkeypatch.setattr(Replay, "spec", lambda self: spec)
    lines = DATA.splitlines(keepends=True)
    for kept in range(1, len(lines)):
        cut = Replay(b"".join(lines[:kept]), "cut")
        events = [encode(event) for event in noted(cut)]
        assert events[: kept - 1] == cut.lines[1:]
        assert len(events) - (kept - 1) in (0, 1)  # 1: the end, noted with the last move


def test_a_rerun_does_not_depart_from_its_record() -> None:
    """A line that the referee writes otherwise, or that nothing causes, is named."""
    lines = DATA.splitlines(keepends=True)
    changed = [*lines]
    changed[2] = changed[2].replace(b'"turn":1', b'"turn":3')
    with pytest.raises(BadInput, match="match, line 3: replayed, this line is"):
        noted(Replay(b"".join(changed), "match"))
    other = [*lines[:-1], lines[-1].replace(b'"reason":"', b'"reason":"not ')]
    with pytest.raises(BadInput, match=f"match, line {len(lines)}: replayed, this line is"):
        noted(Replay(b"".join(other), "match"))
    skipped = b'{"type":"skipped","turn":1,"seat":1,"reason":""}\n'
    with pytest.raises(BadInput, match="match, line 3: no input can have caused this event"):
        noted(Replay(b"".join([*lines[:2], skipped, *lines[2:]]), "match"))


def test_the_terms_of_a_forged_record_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A number of seats that the game does not have is an error in line 1, not a crash."""
    from msgspec.structs import replace

    spec = replace(Replay(DATA, "match").spec(), names=("a", "b", "c"))
    monkeypatch.setattr(Replay, "spec", lambda self: spec)
    with pytest.raises(BadInput, match="match, line 1: hexapawn: "):
        next(rerun(Replay(DATA, "match")))
