"""Write a record: events as lines of JSON, then a last line with the digest of every byte before it.

Law of this file: where a person or a program plays, an event is written before anybody is told about it, so a
crash loses nothing that somebody knows. Where only bots of this process play, moves are written a few at a
time: they can be computed again.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Protocol

import msgspec
from msgspec import UNSET, Struct, UnsetType

from touchline.core.events import Begun, Ended, Event, Moved, encode_lines
from touchline.core.text import Name

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.core.clock import Micros

MOST_UNWRITTEN = 256
"""Moves of bots that may be unwritten at a time."""
UNWRITTEN_MICROS: Micros = 10_000
"""Thinking time of bots that may be unwritten, 10 ms: less than a person notices."""


class Seal(Struct, frozen=True, tag="sealed"):
    """The last line of a record: the SHA-256 of all bytes before it, and the signature if there is one."""

    digest: Name
    key: Name | UnsetType = UNSET
    """The public key of the signature, in hexadecimal digits."""
    signature: Name | UnsetType = UNSET


class Signer(Protocol):
    """A signing key: `records.signing.SigningKey`."""

    @property
    def public(self) -> str: ...
    def sign(self, message: bytes, /) -> str: ...


def signed_message(digest: str) -> bytes:
    """Return the message that the signature of a record signs."""
    return b"touchline record " + digest.encode()


def seal_line(digest: str, signer: Signer | None = None) -> bytes:
    """Return the last line of a record with this digest, with its newline."""
    seal = Seal(digest)
    if signer is not None:
        seal = Seal(digest, signer.public, signer.sign(signed_message(digest)))
    return msgspec.json.encode(seal) + b"\n"


class RecordWriter:
    """An observer that writes the lines of a record with `write`, and seals it after the last event.

    `written` is the start of a record that is continued: it counts for the digest, and its events, `skip` in
    number, are not written again. With `prompt`, every event is written at once, also in a match of bots.

    >>> import touchline
    >>> lines = []
    >>> match = touchline.play("hexapawn", ["random", "random"], seed=1,
    ...                        observers=[RecordWriter(lines.append).see])
    >>> lines[-1].startswith(b'{"type":"sealed","digest":"')
    True
    """

    def __init__(
        self,
        write: Callable[[bytes], object],
        signer: Signer | None = None,
        *,
        written: bytes = b"",
        skip: int = 0,
        prompt: bool = False,
    ) -> None:
        self._write, self._signer, self._prompt = write, signer, prompt or bool(written)
        self._hash, self._skip = hashlib.sha256(written), skip
        self._unwritten: list[Event] = []
        self._micros: Micros = 0
        self.digest: str | None = None
        """The digest in the last line; None until the record is sealed."""

    def see(self, event: Event) -> None:
        """Write an event, at once unless it is a quick move in a match of bots."""
        if self._skip:
            self._skip -= 1
            return
        self._unwritten.append(event)
        if type(event) is Moved and not self._prompt:
            self._micros += event.took
            if self._micros < UNWRITTEN_MICROS and len(self._unwritten) < MOST_UNWRITTEN:
                return
        elif type(event) is Begun:
            self._prompt = self._prompt or bool(event.talks)
        self.flush()
        if type(event) is Ended:
            self.seal()

    def flush(self) -> None:
        """Write what is not written yet."""
        if self._unwritten:
            data = encode_lines(self._unwritten)
            self._unwritten.clear()
            self._micros = 0
            self._hash.update(data)
            self._write(data)

    def seal(self) -> None:
        """Write the last line."""
        self.digest = self._hash.hexdigest()
        self._write(seal_line(self.digest, self._signer))
