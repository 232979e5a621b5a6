"""What programs write to stderr: lines, turns, and bounds that hold whatever a player writes."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from touchline.core.happenings import Note
from touchline.drivers.match import agreed, announced, opened, referee_for
from touchline.games.hexapawn import Hexapawn
from touchline.players import output
from touchline.players.output import LAST_KEPT, MOST_KEPT, MOST_LINE, PlayerOutput, Sink, Written

if TYPE_CHECKING:
    import pytest


class Kept(Sink):
    """Keeps what it is given."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[Written] = []

    def write(self, lines: list[Written]) -> None:  # type: ignore[override]
        self.lines += lines


class Stuck(Kept):
    """Does not write before it is told to, as a terminal that was stopped."""

    def __init__(self) -> None:
        super().__init__()
        self.go = threading.Event()

    def write(self, lines: list[Written]) -> None:  # type: ignore[override]
        self.go.wait()
        super().write(lines)


def heard(*pieces: bytes) -> list[str]:
    kept = Kept()
    whole = PlayerOutput([kept])
    for piece in pieces:
        whole.listen(0, piece)
    whole.end()
    return [line.text for line in kept.lines]


def test_lines_are_lines_however_they_come() -> None:
    """Pieces of a pipe are no lines; the last line needs no end."""
    assert heard(b"depth", b" 1\nde", b"pth 2\r\n", b"best") == ["depth 1", "depth 2", "best"]


def test_what_is_not_printable_is_escaped() -> None:
    """A player clears no screen, sets no title, and hides no text."""
    (text,) = heard(b"\x1b[2J\x1b]0;mine\x07 \xe2\x80\xae\xff\tok\n")
    assert text.isprintable()
    assert "\\x1b[2J" in text


@given(st.lists(st.binary(max_size=40).map(lambda data: data * 700), max_size=8))
def test_lines_are_bounded_and_safe(pieces: list[bytes]) -> None:
    """Whatever comes, in whatever pieces: short printable lines."""
    for text in heard(*pieces):
        assert text.isprintable()
        assert len(text) < MOST_LINE + 50


def test_too_much_is_cut_and_the_last_words_are_kept() -> None:
    """The beginning and the end are there, and between them how many lines are missing."""
    texts = heard(*[b"%d\n" % number * 8000 for number in range(100)], b"ValueError: at last\n")
    assert texts[0] == "0"
    assert texts[-1] == "ValueError: at last"
    (remark,) = [text for text in texts if "left out" in text]
    missing = int(remark.split()[1].replace(",", ""))
    assert missing + len(texts) - 1 == 800_001
    assert sum(map(len, texts)) < MOST_KEPT + LAST_KEPT


def test_a_sink_that_is_stuck_holds_up_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it cannot take is counted and left out; it says so when it goes on."""
    monkeypatch.setattr(output, "MOST_PENDING", 10_000)
    stuck, many = Stuck(), 1000  # far more than twice what may wait
    for number in range(many):
        stuck.put(Written(0, "turn 0", 0.0, str(number)))
    stuck.go.set()
    stuck.close()
    assert stuck.lines[0].text == "0"
    missing = sum(int(line.text.split()[1].replace(",", "")) for line in stuck.lines if line.ours)
    assert missing > 0
    assert missing + sum(not line.ours for line in stuck.lines) == many


def test_lines_have_the_turn_in_which_they_came() -> None:
    """Before all are ready it is the start; then the number that the player was told; then the end."""
    from touchline.core.happenings import Heard
    from touchline.core.messages import Act, Ready

    kept = Kept()
    whole = PlayerOutput([kept])
    spec = agreed(Hexapawn(rows=3, cols=3), ["ann", "bob"], seed=1)
    state = opened(spec)
    referee = referee_for(spec, state, [1])
    whole(announced(spec, state, [1]))
    effects = referee.begin()
    whole.listen(1, b"loading\n")
    effects += referee.take(Heard(1, Ready()))
    while True:
        for effect in effects:
            if isinstance(effect, Note):
                whole(effect.event)
        whole.listen(1, b"turn %d\n" % referee.turn)
        if referee.result is not None:
            break
        ((seat, _),) = referee.awaited.items()
        effects = referee.take(Heard(seat, Act(referee.state.legal_moves()[0])))
    whole.end()
    assert kept.lines[0].when == "start"
    assert kept.lines[-1].when == "end"
    assert len(kept.lines) > 4
    assert all(line.when == line.text for line in kept.lines[1:-1])
