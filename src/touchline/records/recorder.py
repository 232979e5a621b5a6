"""Write a record: events as lines of JSON, then a last line with the digest of every byte before it.

Law of this file: where a person or a program plays, an event is written before anybody is told about it, so a
crash loses nothing that somebody knows. Where only bots of this process play, moves are written a few at a
time: they can be computed again. The last event and the seal are written with one call.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Protocol

import msgspec
from msgspec import UNSET, Struct, UnsetType

from touchline.core.events import Begun, Ended, Event, Moved, PassedOver, encode_lines
from touchline.core.text import Name
from touchline.drivers.match import MOVE_MICROS, UNSEEN_MICROS
from touchline.records.signing import record_message

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.core.clock import Micros


SEALED = b'{"type":"sealed"'
"""The beginning of a seal."""


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


def seal_line(digest: str, signer: Signer | None = None) -> bytes:
    """Return the last line of a record with this digest, with its newline."""
    seal = Seal(digest)
    if signer is not None:
        seal = Seal(digest, signer.public, signer.sign(record_message(digest)))
    return msgspec.json.encode(seal) + b"\n"


def is_sealed(data: bytes) -> bool:
    """Return whether the last line of these lines is a seal.

    >>> is_sealed(b'a\\n' + seal_line("12"))
    True
    """
    return data.startswith(SEALED, data.rfind(b"\n", 0, -1) + 1)


class RecordWriter:
    """An observer that writes the lines of a record with `write`, and seals it after the last event.

    `written` is the start of a record that is continued: it counts for the digest, and its events, `skip` in
    number, are not written again. With `prompt`, every event is written at once, also in a match of bots.
    With `whole`, the first event of a match of bots waits for the moves, so that a quick match is written
    with one call.

    >>> import touchline
    >>> lines = []
    >>> match = touchline.play("hexapawn", ["random", "random"], seed=1,
    ...                        observers=[RecordWriter(lines.append).see])
    >>> lines[-1].splitlines()[-1].startswith(b'{"type":"sealed","digest":"')
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
        whole: bool = False,
    ) -> None:
        self._write, self._signer = write, signer
        self.prompt, self._whole = prompt or bool(written), whole
        self._hash, self._skip = hashlib.sha256(written), skip
        self.unwritten: list[Event] = []
        self._micros: Micros = 0
        self.digest: str | None = None
        """The digest in the last line; None until the record is sealed."""

    def see(self, event: Event) -> None:
        """Write an event, at once unless it is a quick move in a match of bots."""
        if self._skip:
            self._skip -= 1
            return
        self.unwritten.append(event)
        if isinstance(event, Ended):
            self.seal()
        elif not self._may_wait(event):
            self.flush()

    def _may_wait(self, event: Event) -> bool:
        """Return whether an event may be written later, together with others."""
        if isinstance(event, Begun):
            self.prompt = self.prompt or bool(event.talks)
            return self._whole and not self.prompt
        self._micros += MOVE_MICROS
        if isinstance(event, Moved):
            self._micros += event.took
        elif not isinstance(event, PassedOver):
            return False
        return not self.prompt and self._micros < UNSEEN_MICROS

    def flush(self) -> None:
        """Write what is not written yet."""
        if self.unwritten:
            self._write(self._hashed())

    def _hashed(self) -> bytes:
        """Return the lines that are not written yet, which count for the digest now."""
        data = encode_lines(self.unwritten)
        self.unwritten.clear()
        self._micros = 0
        self._hash.update(data)
        return data

    def seal(self) -> None:
        """Write what is not written yet, and the last line."""
        data = self._hashed() if self.unwritten else b""
        digest = self._hash.hexdigest()
        self._write(data + seal_line(digest, self._signer))
        self.digest = digest
