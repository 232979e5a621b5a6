"""The files of keys: a private key in PEM (PKCS#8), a public key as one line or in PEM.

Rules of this file: a private key file is readable by its owner alone; a file is never overwritten, and never
left half-written; every reader has a size limit; an error never quotes the content of a file.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import stat
from typing import TYPE_CHECKING

from touchline.core.errors import BadInput, BadOptions

if TYPE_CHECKING:
    from pathlib import Path

    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

MOST_BYTES = 64 << 10
"""The size limit of a key file; a key takes about 120 bytes."""
KEY_LINE = re.compile(r"ed25519[ \t]+([0-9A-Fa-f]{64})(?:[ \t][^\r\n]*)?")
PEM_LABEL = re.compile(r"-----BEGIN ([A-Z0-9 ]{1,40})-----")


def require_library() -> None:
    """Raise BadOptions if the package `cryptography` is not installed."""
    try:
        import cryptography.hazmat.primitives.asymmetric.ed25519  # noqa: F401
    except ImportError:
        raise BadOptions("signatures need the package cryptography: pip install 'touchline[sign]'") from None


def printable(text: str) -> str:
    r"""Return a path as one short line without control characters.

    >>> printable("my\nkey")
    'my\\nkey'
    """
    shown = text if text.isprintable() else ascii(text)[1:-1]
    return shown if len(shown) <= 300 else shown[:299] + "…"


def public_line(text: str) -> str | None:
    """Return the public key of the one-line form, as 64 hex digits; None if it is something else."""
    found = KEY_LINE.fullmatch(text)
    return None if found is None else found[1].lower()


class KeyFile:
    """The content of a key file, which may be secret and is not shown. BadInput if it cannot be read."""

    def __init__(self, path: str | Path) -> None:
        self.where = printable(str(path))
        try:
            with open(path, "rb") as file:
                self._mode = os.fstat(file.fileno()).st_mode
                data = file.read(MOST_BYTES + 1)
        except FileNotFoundError:
            raise BadInput("there is no such file; make a key: touchline keys new FILE", self.where) from None
        except (OSError, ValueError) as error:
            raise BadInput(f"the key cannot be read: {_reason(error)}", self.where) from None
        if len(data) > MOST_BYTES:
            raise BadInput(f"this is not a key: it is larger than {MOST_BYTES >> 10} KiB", self.where)
        self._text = data.decode("latin-1").strip()
        label = PEM_LABEL.search(self._text)
        self._label = "" if label is None else label[1]

    @property
    def is_public(self) -> bool:
        return self._label == "PUBLIC KEY" or public_line(self._text) is not None

    def public_key(self) -> str:
        """Return the key of a public key file, as 64 hex digits."""
        line = public_line(self._text)
        if line is not None:
            return line
        require_library()
        from cryptography.exceptions import UnsupportedAlgorithm
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
        from cryptography.hazmat.primitives.serialization import load_pem_public_key

        try:
            key = load_pem_public_key(self._text.encode("latin-1"))
        except (ValueError, UnsupportedAlgorithm):
            raise self._damaged() from None
        if not isinstance(key, Ed25519PublicKey):
            raise self._wrong_kind(type(key).__name__)
        return key.public_bytes_raw().hex()

    def private_key(self) -> Ed25519PrivateKey:
        """Return the key of a private key file. BadOptions if other users can read the file."""
        self._check_private()
        require_library()
        from cryptography.exceptions import UnsupportedAlgorithm
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        from cryptography.hazmat.primitives.serialization import load_pem_private_key

        try:
            key = load_pem_private_key(self._text.encode("latin-1"), None)
        except (ValueError, TypeError, UnsupportedAlgorithm):
            raise self._damaged() from None
        if not isinstance(key, Ed25519PrivateKey):
            raise self._wrong_kind(type(key).__name__)
        return key

    def _check_private(self) -> None:
        """Check what the file says it is, then its mode: "chmod" is no advice for a file without a key."""
        if not self._label.endswith("PRIVATE KEY"):
            raise BadInput("this is not a key; make one: touchline keys new FILE", self.where)
        if self._label == "ENCRYPTED PRIVATE KEY" or "Proc-Type: 4,ENCRYPTED" in self._text:
            raise BadInput(
                "the key is encrypted; decrypt it with `openssl pkey -in OLD -out NEW`", self.where
            )
        if self._label != "PRIVATE KEY":
            raise self._wrong_kind(self._label)
        if os.name == "posix" and stat.S_ISREG(self._mode) and self._mode & 0o077:
            raise BadOptions(
                f"{self.where}: other users may read or change this private key; "
                f"run: chmod 600 {shlex.quote(self.where)}"
            )

    def _damaged(self) -> BadInput:
        return BadInput("this is a damaged key, or one of an unknown kind", self.where)

    def _wrong_kind(self, found: str) -> BadInput:
        return BadInput(f"the key must be Ed25519 in PEM (PKCS#8), not {found}", self.where)


def write_new(path: str | Path, data: bytes, mode: int) -> None:
    """Create a file exclusively; remove it again if it cannot be written whole. BadOptions says why."""
    where = printable(str(path))
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    except FileExistsError:
        raise BadOptions(f"{where} exists, and a key is never overwritten; choose another name") from None
    except (OSError, ValueError) as error:
        raise BadOptions(f"{where} cannot be written: {_reason(error)}") from None
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        with contextlib.suppress(OSError):
            os.unlink(path)
        raise BadOptions(f"{where} cannot be written: {_reason(error)}") from None


def _reason(error: OSError | ValueError) -> str:
    """Return why a path failed; a ValueError is about a NUL or a lone surrogate in it."""
    return (isinstance(error, OSError) and error.strerror) or "this is not the path of a file"
