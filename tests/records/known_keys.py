"""Known keys and signatures, and key files made from them."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from cryptography.hazmat.primitives import serialization as forms
from cryptography.hazmat.primitives.asymmetric import ed25519

if TYPE_CHECKING:
    from pathlib import Path

RFC_8032 = [  # section 7.1, TEST 1 to 3: secret key, public key, message, signature
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
        "d25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c"
        "387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc659"
        "4a7c15e9716ed28dc027beceea1ec40a",
    ),
]
PKCS8 = bytes.fromhex("302e020100300506032b657004220420")
"""What precedes the 32 bytes of an Ed25519 key in PKCS#8 (RFC 8410)."""
SECRET, PUBLIC, _, SIGNATURE = RFC_8032[0]
WEAK = [  # the points of small order, and two other encodings of one
    "01" + 31 * "00",
    64 * "0",
    62 * "0" + "80",
    "ec" + 30 * "ff" + "7f",
    "ec" + 31 * "ff",
    "ee" + 30 * "ff" + "7f",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
]


def pem(secret: str) -> str:
    body = base64.b64encode(PKCS8 + bytes.fromhex(secret)).decode()
    return f"-----BEGIN PRIVATE KEY-----\n{body}\n-----END PRIVATE KEY-----\n"


def private_file(folder: Path, text: str | bytes, name: str = "a.key", mode: int = 0o600) -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    path.chmod(mode)
    return path


ED25519 = ed25519.Ed25519PrivateKey.from_private_bytes(bytes.fromhex(SECRET))
PUBLIC_PEM = ED25519.public_key().public_bytes(
    forms.Encoding.PEM, forms.PublicFormat.SubjectPublicKeyInfo
)  # fmt: skip
