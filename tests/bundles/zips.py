"""Zips for the tests, honest and hostile."""

from __future__ import annotations

import io
import stat
import struct
import zipfile


def zipped(files: dict[str, bytes], *, modes: dict[str, int] | None = None, deflated: bool = True) -> bytes:
    """Return a zip with these files; `modes` are their types and permissions."""
    out = io.BytesIO()
    kind = zipfile.ZIP_DEFLATED if deflated else zipfile.ZIP_STORED
    with zipfile.ZipFile(out, "w", kind) as archive:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path)
            entry.compress_type = kind
            entry.external_attr = (modes or {}).get(path, stat.S_IFREG | 0o644) << 16
            archive.writestr(entry, data)
    return out.getvalue()


def lying(data: bytes, size: int) -> bytes:
    """Return a zip of one file that declares another size for it, in both places."""
    changed = bytearray(data)
    struct.pack_into("<I", changed, changed.index(b"PK\x03\x04") + 22, size)
    struct.pack_into("<I", changed, changed.index(b"PK\x01\x02") + 24, size)
    return bytes(changed)
