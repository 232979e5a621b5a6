"""The life of a cup's secret salt: drawn and committed to, kept while the cup runs, revealed at its end.

Laws of this file: the salt is on the disk, and its commitment in the log, before the first game is scheduled.
The last entry of the log reveals the salt and states the seal of everything before it, with a signature if
there is a key. Every step can be repeated after a crash.
"""

from __future__ import annotations

import re
import secrets
import time
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from touchline.core.errors import BadOptions, TouchlineError
from touchline.tournament.isolation_notes import ISOLATION
from touchline.tournament.ledger.base import COMMIT, REVEAL, Conflict, Unreadable
from touchline.tournament.seeds import SALT_BYTES, CupSeeds, commit
from touchline.tournament.versions import version_marks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.tournament.cup import Cup
    from touchline.tournament.ledger.base import Ledger, LogEntry

DRAWN = "the salt was drawn"
GIVEN = "the salt was given, not drawn: hidden information was predictable for whoever knew it"
_REVEALED = re.compile(
    r"seal (?P<seal>[0-9a-f]{64})(?:, signed by (?P<key>[0-9a-f]{64}): (?P<signature>[0-9a-f]{128}))?"
)


class Signer(Protocol):
    """A key that signs seals: `records.signing.SigningKey`."""

    @property
    def public(self) -> str: ...
    def sign(self, message: bytes, /) -> str: ...


class SaltLost(TouchlineError):
    """A cup cannot go on, because nobody has its salt."""


class Reveal(Struct, frozen=True):
    """An entry of the log that ends a cup."""

    salt: bytes | None
    """None if the cup was begun without one."""
    seal: str
    key: str | None = None
    """The public key that signed the seal, and the signature; None if nobody did."""
    signature: str | None = None

    def text(self) -> str:
        """Return the words of the entry."""
        return f"seal {self.seal}" + (f", signed by {self.key}: {self.signature}" if self.key else "")


class CupSecrecy(Struct, frozen=True):
    """What the log of a cup says about its salt."""

    commitment: str | None
    """None if the cup was begun without a salt, or not at all."""
    given: bool
    """Whether the salt was given, and not drawn."""
    salt: bytes | None
    """None until it is revealed."""
    final: Reveal | None
    """The last entry, if that ends the cup; None if the cup runs, or was changed since its end."""


def salt_of(text: str) -> bytes:
    """Return a salt that a user gave as hexadecimal digits."""
    try:
        salt = bytes.fromhex(text)
    except ValueError:
        salt = b""
    if len(salt) != SALT_BYTES:
        raise BadOptions(f"a salt has {2 * SALT_BYTES} hexadecimal digits")
    return salt


def secrecy(log: Sequence[LogEntry]) -> CupSecrecy:
    """Read what a log says about the salt."""
    committed = next((entry for entry in log if entry.act == COMMIT), None)
    reveals = [entry for entry in log if entry.act == REVEAL]
    return CupSecrecy(
        commitment=None if committed is None else committed.about,
        given=committed is not None and committed.why != DRAWN,
        salt=_reveal(reveals[-1]).salt if reveals else None,
        final=_reveal(log[-1]) if reveals and log[-1] is reveals[-1] else None,
    )


def notes_on(log: Sequence[LogEntry]) -> tuple[str, ...]:
    """Return what a reader should know: a given salt, changed entrants, the isolation of programs."""
    given = (GIVEN,) if secrecy(log).given else ()
    changed = tuple(
        f"the files of {name} were changed during the cup: {mark}"
        for name, mark in version_marks(log).items()
    )
    tiers = [f"isolation {entry.about}: {entry.why}" for entry in log if entry.act == ISOLATION]
    return given + changed + tuple(dict.fromkeys(tiers))


def _reveal(entry: LogEntry) -> Reveal:
    found = _REVEALED.fullmatch(entry.why)
    try:
        salt = bytes.fromhex(entry.about)
    except ValueError:
        found = None
    if found is None:
        raise Unreadable(f"the entry {entry.act!r} of the log cannot be read: the ledger is damaged")
    return Reveal(salt or None, found["seal"], found["key"], found["signature"])


def begin(ledger: Ledger, cup: Cup, given: bytes | None) -> CupSeeds:
    """Return the seeds of a cup; commit to a salt if the cup is new. Only the coordinator may call this."""
    log = ledger.log()
    said = secrecy(log)
    if said.commitment is not None:
        return CupSeeds(cup, _known_salt(ledger, cup, said, given), given=said.given)
    begun = any(True for _ in ledger.unfinished()) or any(True for _ in ledger.results())
    if log or begun:
        if given is not None:
            raise Conflict("this cup was begun without a salt: leave out --salt")
        return CupSeeds(cup, None)
    salt = secrets.token_bytes(SALT_BYTES) if given is None else given
    ledger.keep_salt(salt)
    ledger.note(COMMIT, commit(salt, cup.bytes()), DRAWN if given is None else GIVEN, time.time())
    return CupSeeds(cup, salt, given=given is not None)


def _known_salt(ledger: Ledger, cup: Cup, said: CupSecrecy, given: bytes | None) -> bytes:
    """Return the salt that a cup has committed to: the revealed, the kept or the given one."""
    for salt in (said.salt, ledger.salt(), given):
        if salt is not None and commit(salt, cup.bytes()) == said.commitment:
            if given not in (None, salt):
                raise Conflict("this cup has committed to another salt: leave out --salt")
            return salt
    if given is not None:
        raise Conflict("this cup has committed to another salt than the one given with --salt")
    raise SaltLost(
        "the secret salt of this cup is lost, and its games cannot be continued without it: put the file "
        "LEDGER-salt back beside the ledger, or give the salt with --salt, or play the cup in a new ledger"
    )


def check_final(ledger: Ledger) -> Reveal | None:
    """Return the last entry of a cup that is over. `Unreadable` if the ledger is not what it states."""
    final = secrecy(ledger.log()).final
    if final is not None and final.seal != ledger.seal():
        raise Unreadable(
            "the ledger was changed since the cup was over: its seal does not match; restore it from a copy"
        )
    return final


def end(ledger: Ledger, seeds: CupSeeds, signer: Signer | None, checked: Reveal | None = None) -> Reveal:
    """Reveal the salt and state the seal in the last entry of the log, unless that is done already.

    The organiser may write to the log between the two steps; then the entry is written again. `checked` is
    the last entry that was compared with the ledger, if the caller has written nothing since: whatever the
    organiser does adds to the log, so the same last entry states the same seal.
    """
    while True:
        log = ledger.log()
        final = secrecy(log).final
        signed = signer is None or (final is not None and final.key == signer.public)
        if final is not None and signed and (final == checked or final.seal == ledger.seal()):
            ledger.drop_salt()
            return final
        made = _signed(seeds.salt, ledger.seal(whole=True), signer)
        ledger.note(REVEAL, (made.salt or b"").hex(), made.text(), time.time())
        after = ledger.log()
        checked = secrecy(after).final if after[:-1] == log else None  # nobody else has written meanwhile


def _signed(salt: bytes | None, seal: str, signer: Signer | None) -> Reveal:
    if signer is None:
        return Reveal(salt, seal)
    from touchline.records.signing import cup_message

    return Reveal(salt, seal, signer.public, signer.sign(cup_message(seal)))
