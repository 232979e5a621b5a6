"""Verify records, and say exactly what was shown, in three words.

*follows*: rules, referee and conduct give these events from what was said, and the seed fits its commitment.
*sealed*: every byte is under a digest that was compared with a published one, or that was signed.
*signed*: the holder of the given key signed the digest.

Law of this file: a digest that only stands in the record itself proves nothing, because whoever rewrites the
record can rewrite the digest. So a record is not called sealed unless something from outside was compared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import UNSET, Struct

from touchline.core.errors import TouchlineError
from touchline.core.rules import Seat

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from touchline.records.module_rerun import Given
    from touchline.records.replay import Replay

UNCOMPARED = (
    "names, times, isolation and raw messages: whoever rewrites the record can rewrite the digest in it; "
    "compare it with a published one (--digest) or with a signature (--key)"
)


class Verification(Struct, frozen=True, kw_only=True):
    """What was shown about a record, what was found wrong, and what was not checked."""

    follows: bool
    sealed: bool
    signed: bool
    ended: bool
    """Whether the match ended; else it was followed as far as it came."""
    whole: bool
    """Whether the record has its last line: the end in format 1, the seal in later formats."""
    events: int
    digest: str
    """The SHA-256 of all bytes before the last line; of all bytes in format 1."""
    key: str | None
    """The public key in the record; None if it is not signed."""
    wrong: tuple[str, ...]
    not_checked: tuple[str, ...]
    """What was not checked, each with the reason."""
    modules: tuple[Seat, ...] = ()
    """The seats whose WebAssembly module was run again, and gave the recorded answers with this fuel."""

    @property
    def words(self) -> str:
        """What was shown, in one line.

        >>> Verification(follows=True, sealed=True, signed=False, ended=True, whole=True, events=3,
        ...              digest="", key=None, wrong=(), not_checked=()).words
        'follows, sealed'
        """
        shown = {"follows": self.follows, "sealed": self.sealed, "signed": self.signed}
        return ", ".join(word for word, is_so in shown.items() if is_so)


def verify_record(
    replay: Replay, *, digest: str | None = None, key: str | None = None, modules: Sequence[Given] = ()
) -> Verification:
    """Verify a record. `digest` is one that was published, `key` a public key in hexadecimal digits.

    `modules` are WebAssembly modules that played, to be run again.
    """
    seal, wrong, not_checked = replay.seal, list[str](), list[str]()
    if seal is not None and seal.digest != replay.digest:
        wrong.append("the digest in the last line is not that of the bytes before it")
    if digest is not None and digest.lower() != replay.digest:
        wrong.append(f"its digest is {replay.digest}, not the published one")
    signed = _signed(replay, key, wrong, not_checked)
    sealed = (digest is not None or signed) and not wrong
    follows = _follows(replay, wrong, not_checked)
    not_checked += _not_checked(replay, sealed=sealed)
    shown: tuple[Seat, ...] = ()
    if follows:
        not_checked += _read_otherwise(replay)
        shown = _modules(replay, modules, wrong, not_checked)
    return Verification(
        follows=follows, sealed=sealed, signed=signed, ended=replay.ended is not None,
        whole=replay.ended is not None and (seal is not None or replay.begun.format == 1),
        events=len(replay.events), digest=replay.digest,
        key=None if seal is None or seal.key is UNSET else seal.key,
        wrong=tuple(wrong), not_checked=tuple(not_checked), modules=shown,
    )  # fmt: skip


def unreadable(why: str) -> Verification:
    """Return what is shown of a record that cannot be read: nothing, and why."""
    return Verification(
        follows=False, sealed=False, signed=False, ended=False, whole=False, events=0, digest="", key=None,
        wrong=(why,), not_checked=(),
    )  # fmt: skip


def _follows(replay: Replay, wrong: list[str], not_checked: list[str]) -> bool:
    if not replay.has_seed:
        not_checked.append(f"whether it follows: {replay.where} has no end and no side file, so no seed")
        return False
    try:
        replay.verify()
    except TouchlineError as error:
        wrong.append(str(error))
        return False
    return True


def _modules(
    replay: Replay, given: Sequence[Given], wrong: list[str], not_checked: list[str]
) -> tuple[Seat, ...]:
    """Run the modules again that are given; return the seats whose answers and fuel are confirmed."""
    if replay.begun.modules is UNSET and not given:
        return ()
    from touchline.records.module_rerun import run_modules

    found = run_modules(replay, given)
    wrong += found.wrong
    not_checked += found.not_checked
    return found.shown


def _signed(replay: Replay, key: str | None, wrong: list[str], not_checked: list[str]) -> bool:
    """Return whether the record is signed by this key; note what is wrong with its signature."""
    seal = replay.seal
    if seal is None or seal.key is UNSET or seal.signature is UNSET:
        if seal is not None and (seal.key is not UNSET or seal.signature is not UNSET):
            wrong.append("its signature is incomplete")
        elif key is not None:
            wrong.append("it is not signed")
        return False
    from touchline.records.signing import check_signature, record_message

    try:
        valid = check_signature(seal.key, record_message(seal.digest), seal.signature)
    except TouchlineError as error:  # the library for signatures is missing
        not_checked.append(f"the signature: {error}")
        return False
    if not valid:
        wrong.append("its signature is not valid")
    elif key is not None and seal.key != key:
        wrong.append(f"it is signed by another key: {seal.key}")
    elif key is None:
        not_checked.append(f"whose key {seal.key} is: it signed the record; give the key you know (--key)")
    return valid and seal.key == key


def _not_checked(replay: Replay, *, sealed: bool) -> Iterator[str]:
    if replay.ended is None:
        yield "the end: the match did not end, and a record may have been cut off anywhere"
    elif replay.seal is None and replay.begun.format > 1:
        yield "whether it is whole: its last line, with the digest, is missing"
    if not sealed and replay.begun.format == 1:
        yield "names, times and isolation: records of format 1 have no digest"
    elif not sealed:
        yield UNCOMPARED


def _read_otherwise(replay: Replay) -> Iterator[str]:
    """Yield a remark if this version does not read in the raw messages what was understood."""
    if not any(replay.begun.dialects or ()):
        return
    from touchline.records.reread import reread

    again = reread(replay)
    if again.readings:
        yield (
            f"whether the raw messages say what was understood: this version reads {len(again.readings)} of "
            f"{again.reread} otherwise, first in line {again.readings[0].line}. A version with another "
            "reader does that, and so does tampering; `touchline rejudge --reread` lists them"
        )
