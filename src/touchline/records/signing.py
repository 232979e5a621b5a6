"""Ed25519 signatures for records and cups: keys, signing and checking.

Rules of this file: a private key is never printed; a signature has one spelling; a key for which anybody can
sign is refused. `docs/evidence.md` says what a signature proves.

It needs `cryptography` (the extra `sign`), and imports it when a key is used.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from touchline.core.errors import BadInput, BadOptions
from touchline.records._key_files import KeyFile, printable, public_line, require_library, write_new

if TYPE_CHECKING:
    from pathlib import Path

    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

MOST_COMMENT = 200
"""The length limit of the comment in a public key file, in characters."""
HEX_KEY = re.compile(r"[0-9A-Fa-f]{64}")
HEX_SIGNATURE = re.compile(r"[0-9a-f]{128}")


def record_message(digest: str) -> bytes:
    """Return the bytes that are signed for a record.

    >>> record_message("5f1c")
    b'touchline record 5f1c'
    """
    return b"touchline record " + digest.encode()


def cup_message(digest: str) -> bytes:
    """Return the bytes that are signed for a cup; they differ from those of every record.

    >>> cup_message("5f1c")
    b'touchline cup 5f1c'
    """
    return b"touchline cup " + digest.encode()


class SigningKey:
    """A private Ed25519 key. Its representation shows the public half alone.

    >>> key = SigningKey.new()
    >>> signature = key.sign(record_message("5f1c"))
    >>> check_signature(key.public, record_message("5f1c"), signature)
    True
    >>> check_signature(key.public, cup_message("5f1c"), signature)
    False
    """

    __slots__ = ("_private", "public")

    def __init__(self, private: Ed25519PrivateKey) -> None:
        self._private = private
        self.public = private.public_key().public_bytes_raw().hex()
        """The public half, as 64 hex digits."""

    @classmethod
    def new(cls) -> SigningKey:
        """Draw a new key from the system's random numbers."""
        require_library()
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return cls(Ed25519PrivateKey.generate())

    @classmethod
    def load(cls, path: str | Path) -> SigningKey:
        """Read a private key file. BadInput if it is not one; BadOptions if other users can read it."""
        file = KeyFile(path)
        if file.is_public:
            raise BadInput("this is a public key; give the private key, the file without .pub", file.where)
        return cls(file.private_key())

    def save(self, path: str | Path) -> None:
        """Write the private key to a new file that its owner alone can read. BadOptions if it cannot."""
        from cryptography.hazmat.primitives import serialization as forms

        pem = self._private.private_bytes(forms.Encoding.PEM, forms.PrivateFormat.PKCS8, forms.NoEncryption())
        write_new(path, pem, 0o600)

    def sign(self, message: bytes) -> str:
        """Return the signature of a message, as 128 hex digits. It is the same every time."""
        return self._private.sign(message).hex()

    def __repr__(self) -> str:
        return f"<SigningKey {self.public}>"


def check_signature(public: str, message: bytes, signature: str) -> bool:
    """Return whether the key signed the message. Never raises because of what the arguments say.

    A signature has one spelling, 128 hex digits in lower case. BadOptions if `cryptography` is missing.
    """
    if not HEX_KEY.fullmatch(public) or not HEX_SIGNATURE.fullmatch(signature) or _anybody_can_sign(public):
        return False
    require_library()
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(bytes.fromhex(signature), message)
    except (InvalidSignature, ValueError):
        return False
    return True


def public_key(text: str) -> str:
    """Return a public key as 64 hex digits in lower case, from what a user gave for it.

    That is the digits themselves, the line of a public key file, or the path of a key file. BadOptions or
    BadInput if it is none of these.

    >>> public_key("ed25519 D75A980182B10AB7D54BFED3C964073A0EE172F3DAA62325AF021A68F707511A ann")
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a'
    """
    given = text.strip()
    found = given.lower() if HEX_KEY.fullmatch(given) else public_line(given)
    if found is not None:
        return _strong(found, "the public key")
    if not os.path.lexists(text):
        raise BadOptions(
            f"'{printable(text)}' is no public key and no file; give 64 hex digits, or the path of a key file"
        )
    return read_public(text)


def read_public(path: str | Path) -> str:
    """Return the public key of a public or private key file, as 64 hex digits. BadInput if it is neither."""
    file = KeyFile(path)
    if file.is_public:
        return _strong(file.public_key(), file.where)
    return SigningKey(file.private_key()).public


def save_public(path: str | Path, public: str, comment: str = "") -> None:
    """Write a public key to a new file, as one line. BadOptions if it cannot, or if the comment is unfit."""
    if not comment.isprintable() or len(comment) > MOST_COMMENT:
        raise BadOptions(f"a comment is one line of at most {MOST_COMMENT} printable characters")
    write_new(path, f"ed25519 {public} {comment}".rstrip().encode() + b"\n", 0o644)


# -- weak keys --------------------------------------------------------------------------------

PRIME = 2**255 - 19
ORDER_8 = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
"""The y coordinate of a point of order 8 on the curve."""
SMALL_ORDER = frozenset({0, 1, PRIME - 1, ORDER_8, PRIME - ORDER_8})
"""The y coordinates of the eight points of small order, as public keys: without any private key, signatures
can be found that fit many messages."""


def _anybody_can_sign(public: str) -> bool:
    """Return whether a public key is a point of small order, in any of its encodings."""
    y = int.from_bytes(bytes.fromhex(public), "little") & (2**255 - 1)
    return y % PRIME in SMALL_ORDER


def _strong(public: str, where: str) -> str:
    """Return the key; BadInput if it is weak."""
    if _anybody_can_sign(public):
        raise BadInput("this is a weak key: anybody can sign for it", where)
    return public
