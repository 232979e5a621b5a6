"""What programs write to stderr is kept within bounds."""

from __future__ import annotations

import sys

from hypothesis import given
from hypothesis import strategies as st

from players.programs import HONEST, nothing_left, shell
from players.real_match import Job, apart
from players.survivors import APART, needs
from touchline.players.process import KEPT, Notes


def test_stderr_is_kept_within_bounds_and_never_blocks(mark: str) -> None:
    """A megabyte on stderr holds up nobody: its beginning and its end are kept, and how much is missing."""
    noisy = shell(
        "printf 'first words\\n' >&2; i=0; "
        "while [ $i -lt 256 ]; do printf '%4096s\\n' $i >&2; i=$((i+1)); done; "
        f"printf 'last words\\n' >&2; exec {sys.executable} -m touchline.testing.rogues honest"
    )
    report = apart(Job(commands=[noisy, HONEST], mark=mark), needs(APART))
    assert report.result is not None
    assert report.result.faults == ()
    text = report.notes[0]
    assert text.startswith("first words\n")
    assert text.endswith("last words\n")
    assert "bytes left out" in text
    assert len(text) < 2 * KEPT + 100
    assert nothing_left(report)


@given(
    st.lists(st.binary(min_size=1, max_size=3 * KEPT // 2).map(lambda data: data[:1] * len(data)), max_size=6)
)
def test_notes_keep_the_beginning_and_the_end(pieces: list[bytes]) -> None:
    """However it comes, what is kept is the first and the last of it, and the gap is named."""
    notes, whole = Notes(), b"".join(pieces)
    for piece in pieces:
        notes.add(piece)
    missing = len(whole) - 2 * KEPT
    if missing <= 0:
        assert notes.text() == whole.decode(errors="replace")
    else:
        middle = f"\n[... {missing} bytes left out ...]\n".encode()
        assert notes.text() == (whole[:KEPT] + middle + whole[-KEPT:]).decode(errors="replace")


def test_of_many_notes_the_last_are_kept() -> None:
    """Line after line, long after there is no room: the end is what was written last."""
    notes = Notes()
    lines = [f"line {number}\n" for number in range(10_000)]
    for line in lines:
        notes.add(line.encode())
    assert notes.text().startswith("line 0\nline 1\n")
    assert notes.text().endswith("line 9998\nline 9999\n")


def test_notes_survive_bytes_that_are_no_text() -> None:
    """What is not UTF-8 is shown as far as it can be."""
    notes = Notes()
    notes.add(b"\xff\xfeoops\xc3")
    assert "oops" in notes.text()
