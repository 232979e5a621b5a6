"""`records/reread.py` with a reader that is not the recorded one, and messages that cannot be read again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from dialects.dialect_rogue_tables import (
    SETTINGS,
    in_virtual_time,
    with_one,
)
from records.newer_reader import CAPITALS, Newer, check_the_same, in_dialects, oz_match
from touchline.core import registry
from touchline.core.conduct import Offence
from touchline.core.events import Faulted, Moved
from touchline.core.messages import Act, Garbled
from touchline.core.registry import CONDUCTS
from touchline.core.text import MORE_FRAMES, MOST_KEPT, MOST_RAW
from touchline.dialects.base import Exchange
from touchline.dialects.hexapawn_ports import HexapawnByPorts
from touchline.games.hexapawn import Step
from touchline.records.rejudge import rejudge
from touchline.records.replay import Replay
from touchline.records.reread import CUT, FAILED, NO_DIALECT, NO_RAW, OUT_OF_STEP, reread
from touchline.records.verification import verify_record

if TYPE_CHECKING:
    from touchline.core.clock import Micros
    from touchline.dialects.base import Dialect


def installed(monkeypatch: pytest.MonkeyPatch, dialect: type[Dialect]) -> None:
    monkeypatch.setattr(registry, "dialect", lambda name: dialect)


def test_a_newer_reader_shows_exactly_the_message_that_it_reads_differently(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is listed with its line, with what was understood then and what is now, and it is judged."""
    replay = oz_match(CAPITALS, b"nonsense")
    assert replay.ended is not None
    assert replay.ended.result.verdict == "forfeited"
    check_the_same(replay)
    installed(monkeypatch, Newer)
    again = reread(replay)
    (reading,) = again.readings
    assert (reading.line, reading.turn, reading.seat, reading.name) == (4, 0, 0, "anna")
    assert isinstance(replay.events[reading.line - 1], Faulted)
    assert isinstance(reading.then, Garbled)
    assert reading.now == (Act(Step((0, 0), (1, 0)), counted_from=1),)
    judged = rejudge(replay, rereading=again)
    (change,) = judged.changes
    assert (change.then.what, change.then.offence) == ("retry", Offence.MALFORMED)
    assert (change.now.what, change.now.offence) == ("moved", None)
    assert (judged.result, judged.diverges) == ("unknown", 0)


def test_a_stricter_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was a move then is none now; what the player would have sent in its place is not known."""
    replay = oz_match(CAPITALS, dialect=Newer)
    moves = [event for event in replay.events if isinstance(event, Moved)]
    again = reread(replay)  # with the reader that is installed, which has no capitals
    (reading,) = again.readings
    assert isinstance(reading.then, Act)
    assert isinstance(reading.now[0], Garbled)
    assert again.reread == len(moves) + 2  # and both were ready
    judged = rejudge(replay, rereading=again, conduct=CONDUCTS["course"])
    assert (judged.changes[0].then.what, judged.changes[0].now.what) == ("moved", "expel")
    assert judged.result == "changed"


class Silent(HexapawnByPorts):
    """A reader to which capitals say nothing."""

    def hear(self, frame: bytes, waited: Micros = 0) -> Exchange:
        return Exchange() if frame.startswith(b"MOVE") else super().hear(frame, waited)


def test_a_reader_to_which_a_frame_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then the player has not answered, and what would have followed is not known."""
    replay = oz_match(CAPITALS, conduct="course")
    installed(monkeypatch, Silent)
    again = reread(replay)
    assert [reading.now for reading in again.readings] == [()]
    judged = rejudge(replay, rereading=again)
    assert (judged.changes[0].then.what, judged.changes[0].now.what) == ("expel", "nothing")
    assert judged.result == "unknown"


class Twice(HexapawnByPorts):
    """A reader that takes a frame in capitals for two messages."""

    def hear(self, frame: bytes, waited: Micros = 0) -> Exchange:
        said = super().hear(frame, waited)
        return Exchange((), [*said.said, *said.said]) if frame.startswith(b"MOVE") else said


def test_a_frame_that_says_two_things(monkeypatch: pytest.MonkeyPatch) -> None:
    """A record keeps such a frame once, with the first; the second is read from it all the same."""
    replay = oz_match(CAPITALS, conduct="seed-001", dialect=Twice)
    faults = [event for event in replay.events if isinstance(event, Faulted)]
    assert [fault.raw for fault in faults][:2] == [(CAPITALS.decode(),), UNSET]
    installed(monkeypatch, Twice)
    check_the_same(replay)
    monkeypatch.undo()
    again = reread(replay)
    assert not again.readings
    assert again.not_reread == {NO_RAW: 1}


def test_the_words_of_an_error_are_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    """A newer version may word its errors better; the player was refused all the same."""

    class Polite(HexapawnByPorts):
        def hear(self, frame: bytes, waited: Micros = 0) -> Exchange:
            (said,) = super().hear(frame, waited).said
            return Exchange((), [Garbled("please", said.turn) if isinstance(said, Garbled) else said])

    replay = oz_match(b"nonsense")
    installed(monkeypatch, Polite)
    check_the_same(replay)


# -- what cannot be read again ----------------------------------------------------------------------


def test_a_message_that_was_cut() -> None:
    """What was understood of it stands, and the dialect stays in step with the frames after it."""
    again = check_the_same(oz_match(b"nonsense" * MOST_RAW))
    assert again.not_reread == {CUT: 1}


@pytest.mark.parametrize("dialect", ["seed-000", "native"])
def test_frames_that_are_missing(dialect: str) -> None:
    """Of a seat with more frames in a message than are kept, nothing is read again after that."""
    setting = next(setting for setting in SETTINGS if setting.dialect == dialect)
    events = in_virtual_time(with_one("honest", setting)).events
    moves = [event for event in events if isinstance(event, Moved) and event.seat == 0]
    events[events.index(moves[0])] = replace(moves[0], raw=(*["x"] * MOST_KEPT, MORE_FRAMES))
    again = check_the_same(in_dialects(events, *[dialect] * setting.seats))
    assert again.not_reread == {CUT: 1, OUT_OF_STEP: len(moves) - 1}


def test_seats_without_a_dialect() -> None:
    """A browser has raw messages and no dialect, a bot of this process neither; nor is every plug-in here."""
    events = in_virtual_time(with_one("honest", SETTINGS[0])).events
    seats = SETTINGS[0].seats
    for nobody in (None, "no-such-dialect"):
        again = check_the_same(in_dialects(events, *[nobody] * seats))
        assert again.reread == 0
        assert again.not_reread.keys() == {NO_DIALECT}


def test_a_record_of_the_first_format() -> None:
    """It has no raw messages, so what was understood stands."""
    from pathlib import Path

    for path in sorted((Path(__file__).parent / "format_1").glob("*.jsonl")):
        again = check_the_same(Replay.read(path))
        assert again.reread == 0
        assert again.not_reread.keys() == {NO_RAW}


@pytest.mark.parametrize("dialect", registry.dialects())
def test_a_forged_header_that_names_any_dialect(dialect: str) -> None:
    """A dialect of another game, or one that the player does not speak, gives no error."""
    for setting in SETTINGS:
        events = in_virtual_time(with_one("illegal_move", setting, held=False)).events
        again = reread(in_dialects(events, *[dialect] * setting.seats))
        assert again.reread + sum(again.not_reread.values()) > 0


class Failing(Newer):
    """A reader that fails."""

    def hear(self, frame: bytes, waited: Micros = 0) -> Exchange:
        raise ValueError("oops")


def test_a_dialect_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was understood stands, also of the messages after it."""
    replay = oz_match(b"nonsense")
    installed(monkeypatch, Failing)
    again = check_the_same(replay)
    assert again.not_reread[FAILED] == 2  # at both seats
    assert again.not_reread[OUT_OF_STEP] > 0


# -- verification -----------------------------------------------------------------------------------


def test_verification_says_if_messages_are_read_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is a remark and no error: another version's reader is not tampering."""
    replay = oz_match(CAPITALS, b"nonsense")
    before = verify_record(replay)
    assert not any("raw messages say" in line for line in before.not_checked)
    installed(monkeypatch, Newer)
    after = verify_record(replay)
    (remark,) = set(after.not_checked) - set(before.not_checked)
    assert remark.startswith("whether the raw messages say what was understood: this version reads 1 of ")
    assert "first in line 4" in remark
    assert after.follows
    assert after.wrong == before.wrong == ()


def test_a_raw_message_that_was_changed_is_noticed() -> None:
    """A forger who changes what a player sent, and not what was understood, is found out without a key."""
    replay = oz_match()
    at, event = next((at, one) for at, one in enumerate(replay.events) if isinstance(one, Moved))
    assert event.raw is not UNSET
    changed = [*replay.events]
    changed[at] = replace(event, raw=(event.raw[0].replace("t(2", "t(3"),))
    forged = in_dialects(changed, "seed-002", "seed-002")
    assert any(f"first in line {at + 1}" in line for line in verify_record(forged).not_checked)
