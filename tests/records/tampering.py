"""Ways to change a record, and whether that is noticed."""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from touchline.core.errors import BadInput
from touchline.records.recorder import seal_line
from touchline.records.replay import Replay
from touchline.records.verification import Verification, verify_record

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from touchline.records.signing import SigningKey


class Change(NamedTuple):
    """The lines of a record before its seal, with something changed."""

    what: str
    """The changed field, as `moved.raw[]`, or how lines were changed."""
    lines: list[bytes]

    @property
    def body(self) -> bytes:
        return b"\n".join(self.lines) + b"\n"


def body_of(record: bytes) -> list[bytes]:
    """The lines of a record without its seal."""
    *lines, seal = record.splitlines()
    assert seal.startswith(b'{"type":"sealed"')
    return lines


def written(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def others(value: Any) -> Iterator[Any]:
    """Other values of the same type, and none."""
    match value:
        case bool():
            yield not value
        case int():
            yield value + 1
            yield max(0, value - 1) if value else 7
        case str():
            yield value + "x"
            yield (
                ("1" if value[:1] == "0" else "0") + value[1:] if re.fullmatch("[0-9a-f]{32,}", value) else ""
            )
        case list():
            yield [*value, value[-1]] if value else [0]
            if value:
                yield value[:-1]
        case dict():
            yield {**value, "extra": 1}
        case None:
            yield 1
    if value is not None:
        yield None


def edits(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """A JSON value with one field changed, for every field and several changes."""
    for other in others(value):
        if other != value:
            yield path, other
    if isinstance(value, dict):
        for key, part in value.items():
            yield f"{path}.{key}", {name: other for name, other in value.items() if name != key}
            for where, other in edits(part, f"{path}.{key}"):
                yield where, {**value, key: other}
    if isinstance(value, list):
        for at, part in enumerate(value):
            for where, other in edits(part, f"{path}[]"):
                yield where, [*value[:at], other, *value[at + 1 :]]


def changed_fields(record: bytes) -> Iterator[Change]:
    """Every field of every line changed."""
    lines = body_of(record)
    for at, line in enumerate(lines):
        value = json.loads(line)
        assert written(value) == line
        for path, other in edits(value, value["type"]):
            yield Change(path, [*lines[:at], written(other), *lines[at + 1 :]])


def changed_lines(record: bytes) -> Iterator[Change]:
    """Lines that are left out, doubled, swapped or added."""
    lines = body_of(record)
    kinds = [json.loads(line)["type"] for line in lines]
    for at, kind in enumerate(kinds):
        yield Change(f"without {kind}", [*lines[:at], *lines[at + 1 :]])
        yield Change(f"{kind} twice", [*lines[: at + 1], *lines[at:]])
        if at + 1 < len(lines) and lines[at] != lines[at + 1]:
            swapped = [*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]]
            yield Change(f"{kinds[at + 1]} before {kind}", swapped)
    for junk in (b"", b"{}", b"null", b"\xff", lines[0], lines[-1], lines[1], b"[" * 5000):
        yield Change("more at the end", [*lines, junk])


def changed_bytes(record: bytes, rng: Random, count: int) -> Iterator[bytes]:
    """The record with a random byte changed, removed or added."""
    for _ in range(count):
        at, byte = rng.randrange(len(record)), bytes([rng.randrange(256)])
        before, after = record[:at], record[at + 1 :]
        mutant = rng.choice((before + byte + after, before + after, before + byte + record[at:]))
        if mutant != record:
            yield mutant


def sealed_again(body: bytes, signer: SigningKey | None = None) -> bytes:
    """What somebody makes of a changed record who knows how records are sealed."""
    return body + seal_line(hashlib.sha256(body).hexdigest(), signer)


def verified(record: bytes, *, digest: str | None = None, key: str | None = None) -> Verification | None:
    """What is shown of a record; None if it cannot be read."""
    try:
        return verify_record(Replay(record, "x"), digest=digest, key=key)
    except BadInput:
        return None


def is_noticed(record: bytes, **known: str) -> bool:
    """Whether verification says that something is wrong with the record."""
    found = verified(record, **known)
    if found is None or found.wrong:
        return found is None or not found.sealed
    return False
