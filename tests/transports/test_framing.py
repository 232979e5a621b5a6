"""Framings: the frames do not depend on how the bytes are cut, and their length is limited."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from touchline.transports.shared.framing import MOST_FRAME, Framing, Lines, Overflow, Values

if TYPE_CHECKING:
    from collections.abc import Iterable

BYTES = st.lists(st.sampled_from([b"a", b"\n", b"\r", b"\r\n", b"\x00", b"\xff", b"bc"]), max_size=60).map(
    b"".join
)


def fed(lines: Framing, pieces: Iterable[bytes]) -> list[bytes]:
    return [frame for piece in pieces for frame in lines.feed(piece)]


def obvious(data: bytes) -> list[bytes]:
    """The frames of all bytes at once, the slow and simple way."""
    whole = data.split(b"\n")[:-1]
    return [line.rstrip(b"\r") for line in whole if line.strip(b"\r")]


def cut(data: bytes, places: list[int]) -> list[bytes]:
    ends = sorted(place % (len(data) + 1) for place in places)
    return [data[start:end] for start, end in zip([0, *ends], [*ends, len(data)], strict=True)]


@given(BYTES, st.lists(st.integers(0, 1000), max_size=12))
def test_frames_of_lines_do_not_depend_on_the_cut(data: bytes, places: list[int]) -> None:
    """Wherever the bytes are cut, the frames are those of the whole."""
    assert fed(Lines(), cut(data, places)) == obvious(data)


@given(BYTES)
def test_bytes_one_by_one_give_the_same_frames(data: bytes) -> None:
    """The finest cut is no exception."""
    assert fed(Lines(), (data[place : place + 1] for place in range(len(data)))) == obvious(data)


@given(BYTES, st.lists(st.integers(0, 1000), max_size=12), st.integers(1, 6))
def test_overflow_of_lines_does_not_depend_on_the_cut(data: bytes, places: list[int], most: int) -> None:
    """Whether a line is too long does not depend on the cut, and what comes before it is the same."""

    def outcome(pieces: Iterable[bytes]) -> tuple[list[bytes], bool]:
        lines, frames = Lines(most), list[bytes]()
        for piece in pieces:
            try:
                frames += lines.feed(piece)
            except Overflow:
                return frames, True
        return frames, False

    finest, over = outcome(data[place : place + 1] for place in range(len(data)))
    coarse, over_too = outcome(cut(data, places))
    assert over == over_too
    assert coarse == finest if not over else coarse == finest[: len(coarse)]


def test_blank_lines_are_no_frames() -> None:
    """Nothing between two line ends is no frame, with carriage returns or without."""
    assert Lines().feed(b"\n\r\n\n a\n\n") == [b" a"]


@pytest.mark.parametrize(
    "pieces", [[b"ab\r\ncd\r\n"], [b"ab\r", b"\ncd\r", b"\n"], [b"a", b"b\r\n", b"cd\n"]]
)
def test_a_carriage_return_at_the_end_is_dropped(pieces: list[bytes]) -> None:
    """Programs on Windows end lines with two characters."""
    assert fed(Lines(), pieces) == [b"ab", b"cd"]


def test_a_carriage_return_inside_stays() -> None:
    """Only what stands before the end is dropped."""
    assert Lines().feed(b"\ra\rb\r\n") == [b"\ra\rb"]


def test_an_unfinished_line_is_no_frame() -> None:
    """What has no end yet waits for it."""
    lines = Lines()
    assert lines.feed(b"half") == []
    assert lines.feed(b"") == []
    assert lines.feed(b" and half\n") == [b"half and half"]


@pytest.mark.parametrize("size", [1, 2, 7, MOST_FRAME])
def test_the_longest_line_is_accepted_and_one_byte_more_is_not(size: int) -> None:
    """The limit holds for a line in one piece and in several."""
    line = b"x" * size
    assert Lines(size).feed(line + b"\n") == [line]
    assert fed(Lines(size), [line, b"\n"]) == [line]
    with pytest.raises(Overflow, match=f"longer than {size} bytes"):
        Lines(size).feed(line + b"x\n")
    with pytest.raises(Overflow):
        fed(Lines(size), [line, b"x"])


def test_an_endless_line_overflows_at_the_limit() -> None:
    """The end of the line need not come."""
    lines = Lines(1000)
    assert fed(lines, [b"x"] * 1000) == []
    with pytest.raises(Overflow):
        lines.feed(b"x")


def test_the_limit_is_per_line() -> None:
    """Many short lines may arrive at once."""
    assert len(Lines(8).feed(b"1234567\n" * 50_000)) == 50_000


class Counting(bytes):
    """Bytes that count how many of them were ever copied by a split."""

    copied = 0

    def split(self, *args: Any, **kwargs: Any) -> list[bytes]:
        Counting.copied += len(self)
        return super().split(*args, **kwargs)


def test_a_long_line_byte_by_byte_is_not_quadratic() -> None:
    """A quarter of a mebibyte, one byte at a time: each is looked at once and joined once."""
    lines, size, byte = Lines(4 << 20), 1 << 18, Counting(b"x")
    Counting.copied = 0
    assert not any(lines.feed(byte) for _ in range(size))
    assert lines.feed(Counting(b"\n")) == [b"x" * size]
    assert Counting.copied == size + 1
    assert lines.feed(b"next\n") == [b"next"]


# -- values --------------------------------------------------------------------------------------

TEXTS = st.text(st.sampled_from('ab"\\\\[]{}\\n\u00e9 '), max_size=6)
WRITTEN = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | TEXTS,
    lambda parts: st.lists(parts, max_size=3) | st.dictionaries(TEXTS, parts, max_size=3),
    max_leaves=6,
)
PLACES = st.lists(st.integers(0, 1000), max_size=12)


def stream(values: list[Any], blanks: list[str]) -> bytes:
    """Values one after the other; a number ends where a blank follows."""
    text = ""
    for place, value in enumerate(values):
        blank = blanks[place % len(blanks)] if blanks else ""
        number = isinstance(value, int) and not isinstance(value, bool)
        text += json.dumps(value, ensure_ascii=place % 2 == 0) + (blank or " " * number)
    return text.encode()


@pytest.mark.parametrize(
    ("data", "frames"),
    [
        (rb'"\""1 ', [rb'"\""', b"1"]),
        (rb'"\\"true', [rb'"\\"', b"true"]),
        (rb'["\"]"]{}', [rb'["\"]"]', b"{}"]),
        (b"truefalsenull", [b"true", b"false", b"null"]),
        (b"nul l ", [b"nul", b"l"]),
        (b"]}[", [b"]", b"}"]),
        (b"12[3]", [b"12", b"[3]"]),
        (b"truetrue", [b"true", b"true"]),
        (b"truth true", [b"truth", b"true"]),
    ],
)
def test_where_a_value_ends(data: bytes, frames: list[bytes]) -> None:
    """An escaped quote ends no string, a bracket in a string closes nothing, a word needs no blank."""
    assert Values().feed(data) == frames
    for at in range(len(data)):
        assert fed(Values(), [data[:at], data[at:]]) == frames, at


@pytest.mark.parametrize("value", [b"[%b]", b'"%b"', b'{"%b', b"%b"])
def test_a_value_without_end_overflows(value: bytes) -> None:
    """Even if it never ends, and however it comes."""
    long = value % (b"1" * 200)
    for size in (1, 7, 300):
        with pytest.raises(Overflow):
            fed(Values(100), [long[at : at + size] for at in range(0, len(long), size)])


@given(st.lists(WRITTEN, max_size=5), st.lists(st.sampled_from(["", " ", "\n", "\r\n", "\t "])), PLACES)
def test_frames_of_values_do_not_depend_on_the_cut(
    values: list[Any], blanks: list[str], places: list[int]
) -> None:
    """Whatever stands in a text, with blanks between the values or without."""
    data = stream(values, blanks)
    expected = [json.dumps(value) for value in values]
    for pieces in (cut(data, places), [data], [data[at : at + 1] for at in range(len(data))]):
        assert [json.dumps(json.loads(frame)) for frame in fed(Values(), pieces)] == expected


@given(st.lists(WRITTEN, max_size=4), PLACES, st.integers(2, 8))
def test_overflow_of_values_does_not_depend_on_the_cut(
    values: list[Any], places: list[int], most: int
) -> None:
    """Whether a value is too long does not depend on the cut."""
    data = stream(values, ["\n"])
    too_long = any(len(line) > most for line in data.split(b"\n"))
    for pieces in (cut(data, places), [data], [data[at : at + 1] for at in range(len(data))]):
        if too_long:
            with pytest.raises(Overflow):
                fed(Values(most), pieces)
        else:
            assert len(fed(Values(most), pieces)) == len(values)
