"""Key files: their modes, what is never overwritten, and an error for whatever is no key."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

import pytest
from cryptography.hazmat.primitives import serialization as forms
from cryptography.hazmat.primitives.asymmetric import ec, ed448, rsa, x25519

from records.known_keys import ED25519, PUBLIC, PUBLIC_PEM, SECRET, pem, private_file
from touchline.core.errors import BadInput, BadOptions
from touchline.records.signing import SigningKey, public_key, read_public, save_public

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def pem_of(key: forms.ssh.SSHPrivateKeyTypes | x25519.X25519PrivateKey | ed448.Ed448PrivateKey) -> bytes:
    return key.private_bytes(forms.Encoding.PEM, forms.PrivateFormat.PKCS8, forms.NoEncryption())


def test_a_saved_key_is_the_same_key(tmp_path: Path) -> None:
    """Both files give the same public key, and the private one signs as before."""
    key, path, public = SigningKey.new(), tmp_path / "a.key", tmp_path / "a.key.pub"
    key.save(path)
    save_public(public, key.public, "Ann's key")
    assert SigningKey.load(path).sign(b"m") == key.sign(b"m")
    assert read_public(path) == read_public(public) == public_key(str(path)) == key.public
    assert public.read_text() == f"ed25519 {key.public} Ann's key\n"
    assert path.read_text().startswith("-----BEGIN PRIVATE KEY-----\n")


def test_a_private_key_is_for_its_owner_alone(tmp_path: Path) -> None:
    """The file is never, not even at first, readable by others, whatever the umask."""
    before = os.umask(0)
    try:
        SigningKey.new().save(tmp_path / "a.key")
    finally:
        os.umask(before)
    assert (tmp_path / "a.key").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644, 0o620, 0o602, 0o660])
def test_a_private_key_that_others_can_read_is_refused(tmp_path: Path, mode: int) -> None:
    """The error says which command helps, and after that command the key is read."""
    path = private_file(tmp_path, pem(SECRET), "my own.key", mode)
    for read in (SigningKey.load, read_public):
        with pytest.raises(BadOptions, match="other users may read or change") as caught:
            read(path)
        assert str(caught.value).endswith(f"run: chmod 600 '{path}'")
    path.chmod(0o600)
    assert SigningKey.load(path).public == PUBLIC


def test_nothing_is_ever_overwritten(tmp_path: Path) -> None:
    """An existing file, an empty one or a link to nowhere stops both writers and stays as it is."""
    full, link = private_file(tmp_path, "precious"), tmp_path / "link"
    link.symlink_to(tmp_path / "nowhere")
    for path in (full, link):
        with pytest.raises(BadOptions, match="exists, and a key is never overwritten"):
            SigningKey.new().save(path)
        with pytest.raises(BadOptions, match="exists, and a key is never overwritten"):
            save_public(path, PUBLIC)
    assert full.read_text() == "precious"
    assert not (tmp_path / "nowhere").exists()


def test_half_a_key_is_not_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that is full while the key is written leaves no file."""

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(BadOptions, match=r"a\.key cannot be written: No space left on device"):
        SigningKey.new().save(tmp_path / "a.key")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    """Writing and reading say in one line what failed."""
    with pytest.raises(BadOptions, match=r"no/a\.key cannot be written: No such file or directory"):
        SigningKey.new().save(tmp_path / "no" / "a.key")
    with pytest.raises(BadInput, match="the key cannot be read: Is a directory"):
        SigningKey.load(tmp_path)


@pytest.mark.parametrize("comment", ["two\nlines", "a\x1b[2Jb", "x" * 201])
def test_a_comment_is_one_short_line(tmp_path: Path, comment: str) -> None:
    """Otherwise nothing is written."""
    with pytest.raises(BadOptions, match="one line of at most 200 printable characters"):
        save_public(tmp_path / "a.pub", PUBLIC, comment)
    assert list(tmp_path.iterdir()) == []


PROTECTED = forms.BestAvailableEncryption(b"guess")
NOT_PRIVATE: dict[str, tuple[Callable[[], bytes], str]] = {
    "empty": (lambda: b"", "this is not a key; make one: touchline keys new FILE"),
    "text": (lambda: b"hello", "this is not a key; make one: touchline keys new FILE"),
    "bytes": (lambda: bytes(range(256)), "this is not a key;"),
    "digits": (lambda: SECRET.encode(), "this is not a key;"),
    "certificate": (lambda: PUBLIC_PEM.replace(b"PUBLIC KEY", b"CERTIFICATE"), "this is not a key;"),
    "damaged": (lambda: pem(SECRET)[:60].encode(), "this is a damaged key, or one of an unknown kind"),
    "line": (lambda: f"ed25519 {PUBLIC} ann\n".encode(), "this is a public key; give the private key"),
    "public": (lambda: PUBLIC_PEM, "this is a public key; give the private key"),
    "large": (lambda: b"a" * (64 * 1024 + 1), "this is not a key: it is larger than 64 KiB"),
    "encrypted": (
        lambda: ED25519.private_bytes(forms.Encoding.PEM, forms.PrivateFormat.PKCS8, PROTECTED),
        "the key is encrypted; decrypt it with `openssl pkey -in OLD -out NEW`",
    ),
    "openssh": (
        lambda: ED25519.private_bytes(forms.Encoding.PEM, forms.PrivateFormat.OpenSSH, forms.NoEncryption()),
        "the key must be Ed25519 in PEM (PKCS#8), not OPENSSH PRIVATE KEY",
    ),
    "x25519": (lambda: pem_of(x25519.X25519PrivateKey.generate()), "not X25519PrivateKey"),
    "ed448": (lambda: pem_of(ed448.Ed448PrivateKey.generate()), "not Ed448PrivateKey"),
    "rsa": (lambda: pem_of(rsa.generate_private_key(65537, 2048)), "not RSAPrivateKey"),
    "curve": (lambda: pem_of(ec.generate_private_key(ec.SECP256R1())), "not "),
}  # fmt: skip


@pytest.mark.parametrize("kind", NOT_PRIVATE)
def test_what_is_no_private_key_is_named_in_one_line(tmp_path: Path, kind: str) -> None:
    """BadInput says where and what; the content of the file is not in it."""
    content, said = NOT_PRIVATE[kind][0](), NOT_PRIVATE[kind][1]
    path = private_file(tmp_path, content)
    with pytest.raises(BadInput) as caught:
        SigningKey.load(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert said in message
    assert "\n" not in message
    for secret in re.findall(rb"[A-Za-z0-9+/=]{24,}", content):
        assert secret.decode() not in message


def test_a_missing_file_says_how_to_make_a_key(tmp_path: Path) -> None:
    """There is no such file: BadInput, with the command."""
    with pytest.raises(BadInput, match=r"a\.key: there is no such file; make a key: touchline keys new FILE"):
        SigningKey.load(tmp_path / "a.key")


def test_the_largest_file_that_is_read(tmp_path: Path) -> None:
    """A key with text around it is read up to 64 KiB."""
    text = pem(SECRET)
    path = private_file(tmp_path, "#" * (64 * 1024 - len(text) - 1) + "\n" + text)
    assert path.stat().st_size == 64 * 1024
    assert SigningKey.load(path).public == PUBLIC
