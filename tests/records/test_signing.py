"""Keys and signatures: known answers, files, every error, and no secret in any of them."""

from __future__ import annotations

import base64
import os
import pickle
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from cryptography.hazmat.primitives import serialization as forms
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, rsa, x25519
from hypothesis import example, given
from hypothesis import strategies as st

from touchline.core.errors import BadInput, BadOptions
from touchline.records.signing import (
    SigningKey,
    check_signature,
    cup_message,
    public_key,
    read_public,
    record_message,
    save_public,
)

if TYPE_CHECKING:
    from collections.abc import Callable

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


def pem_of(key: forms.ssh.SSHPrivateKeyTypes | x25519.X25519PrivateKey | ed448.Ed448PrivateKey) -> bytes:
    return key.private_bytes(forms.Encoding.PEM, forms.PrivateFormat.PKCS8, forms.NoEncryption())


# -- known answers ----------------------------------------------------------------------------


@pytest.mark.parametrize(("secret", "public", "message", "signature"), RFC_8032)
def test_the_vectors_of_rfc_8032(
    tmp_path: Path, secret: str, public: str, message: str, signature: str
) -> None:
    """Keys and signatures are those of the standard, so that others can check them."""
    key = SigningKey.load(private_file(tmp_path, pem(secret)))
    assert key.public == public
    assert key.sign(bytes.fromhex(message)) == signature
    assert check_signature(public, bytes.fromhex(message), signature)


def test_what_is_signed_says_what_it_is() -> None:
    """The signature of a record is none of a cup with the same digest."""
    assert record_message("ab") == b"touchline record ab"
    assert cup_message("ab") == b"touchline cup ab"


def test_a_signature_fits_one_key_and_one_message() -> None:
    """Another key, another message or one changed digit gives False."""
    key, other = SigningKey.new(), SigningKey.new()
    signature = key.sign(b"it was so")
    assert re.fullmatch(r"[0-9a-f]{64}", key.public)
    assert re.fullmatch(r"[0-9a-f]{128}", signature)
    assert check_signature(key.public, b"it was so", signature)
    assert not check_signature(other.public, b"it was so", signature)
    assert not check_signature(key.public, b"it was not so", signature)
    for at in range(0, 128, 9):
        changed = signature[:at] + ("1" if signature[at] == "0" else "0") + signature[at + 1 :]
        assert not check_signature(key.public, b"it was so", changed)


@pytest.mark.parametrize(
    "signature",
    ["", "zz", SIGNATURE[:-1], SIGNATURE + "00", SIGNATURE.upper(), f" {SIGNATURE}", f"{SIGNATURE}\n", "é" * 128,
     "\ud800" * 128, "٣" * 128],
)  # fmt: skip
def test_a_signature_has_one_spelling(signature: str) -> None:
    """Whatever is not 128 hex digits in lower case is no signature, and no error."""
    assert check_signature(PUBLIC, b"", SIGNATURE)
    assert not check_signature(PUBLIC, b"", signature)


def test_a_signature_cannot_be_rewritten() -> None:
    """A signature whose second half is not reduced by the order of the group is refused."""
    order = 2**252 + 27742317777372353535851937790883648493
    half = int.from_bytes(bytes.fromhex(SIGNATURE)[32:], "little")
    rewritten = SIGNATURE[:64] + (half + order).to_bytes(32, "little").hex()
    assert not check_signature(PUBLIC, b"", rewritten)


@pytest.mark.parametrize("weak", WEAK)
def test_a_key_for_which_anybody_can_sign_is_refused(tmp_path: Path, weak: str) -> None:
    """A point of small order fits signatures that nobody made; it is no key, and signs nothing."""
    for_identity = "01" + 31 * "00" + 64 * "0"  # R is the neutral element, S is 0
    assert not any(check_signature(weak, b"m%d" % n, for_identity) for n in range(16))
    with pytest.raises(BadInput, match="weak key: anybody can sign for it"):
        public_key(weak)
    path = tmp_path / "weak.pub"
    save_public(path, weak)
    with pytest.raises(BadInput, match="weak key"):
        read_public(path)


# -- files ------------------------------------------------------------------------------------


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
ED25519 = ed25519.Ed25519PrivateKey.from_private_bytes(bytes.fromhex(SECRET))
PUBLIC_PEM = ED25519.public_key().public_bytes(
    forms.Encoding.PEM, forms.PublicFormat.SubjectPublicKeyInfo
)  # fmt: skip
NOT_PRIVATE: dict[str, tuple[Callable[[], bytes], str]] = {
    "empty": (lambda: b"", "this is not a key; `touchline keys new FILE` makes one"),
    "text": (lambda: b"hello", "this is not a key; `touchline keys new FILE` makes one"),
    "bytes": (lambda: bytes(range(256)), "this is not a key;"),
    "digits": (lambda: SECRET.encode(), "this is not a key;"),
    "certificate": (lambda: b"-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----", "this is not a key;"),
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
    with pytest.raises(
        BadInput, match=r"a\.key: there is no such file; `touchline keys new FILE` makes a key"
    ):
        SigningKey.load(tmp_path / "a.key")


def test_the_largest_file_that_is_read(tmp_path: Path) -> None:
    """A key with text around it is read up to 64 KiB."""
    text = pem(SECRET)
    path = private_file(tmp_path, "#" * (64 * 1024 - len(text) - 1) + "\n" + text)
    assert path.stat().st_size == 64 * 1024
    assert SigningKey.load(path).public == PUBLIC


# -- public keys ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", [PUBLIC, PUBLIC.upper(), f" {PUBLIC}\n", f"ed25519 {PUBLIC}", f"ed25519  {PUBLIC} Ann's key, 2\n"]
)
def test_a_public_key_as_digits_or_as_a_line(text: str) -> None:
    """Digits of either case, and the line of a public key file."""
    assert public_key(text) == PUBLIC


@pytest.mark.parametrize("content", [PUBLIC_PEM, f"ed25519 {PUBLIC} é\r\n".encode(), pem(SECRET).encode()])
def test_a_public_key_in_a_file(tmp_path: Path, content: bytes) -> None:
    """One line, PEM, or the private key that it belongs to."""
    assert public_key(str(private_file(tmp_path, content))) == PUBLIC


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"ed25519 12 ann", "this is not a key"),
        (f"ed25519 {PUBLIC}\ned25519 {PUBLIC}".encode(), "this is not a key"),
        (PUBLIC.encode(), "this is not a key"),  # it could as well be a secret
        (b"ssh-ed25519 AAAAC3Nz ann", "this is not a key"),
        (PUBLIC_PEM[:50] + b"\n-----END PUBLIC KEY-----", "damaged key"),
        (
            x25519.X25519PrivateKey.generate().public_key().public_bytes(
                forms.Encoding.PEM, forms.PublicFormat.SubjectPublicKeyInfo
            ),
            "must be Ed25519 in PEM (PKCS#8), not X25519PublicKey",
        ),
    ],
)  # fmt: skip
def test_a_file_without_a_public_key(tmp_path: Path, content: bytes, said: str) -> None:
    """BadInput says what is wrong with it."""
    with pytest.raises(BadInput, match=re.escape(said)):
        public_key(str(private_file(tmp_path, content)))


@pytest.mark.parametrize("text", ["", " ", "ann", PUBLIC[:-1], PUBLIC + "0", "a\0b", "\ud800", "x" * 5000])
def test_what_is_neither_digits_nor_a_file(text: str) -> None:
    """BadOptions says what is expected, in one short line."""
    with pytest.raises(BadOptions, match="give 64 hex digits, or the path of a key file") as caught:
        public_key(text)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 400


@given(st.text(), st.binary(), st.text())
@example(PUBLIC, b"", "\ud800")
@example("\udfff" * 64, b"", SIGNATURE)
@example("ff" * 32, b"", SIGNATURE)
@example(PUBLIC, b"", "ff" * 64)
def test_no_text_makes_the_check_raise(public: str, message: bytes, signature: str) -> None:
    """What nobody signed is False, whatever it looks like."""
    assert check_signature(public, message, signature) is False


@given(st.binary(min_size=32, max_size=32), st.binary(), st.binary(min_size=64, max_size=64))
def test_no_bytes_make_the_check_raise(public: bytes, message: bytes, signature: bytes) -> None:
    """Keys and signatures of the right size are False too: most are not even points of the curve."""
    assert check_signature(public.hex(), message, signature.hex()) is False


@given(st.text())
@example("/")
@example("\0")
@example(".")
@example("ed25519 " + "0" * 64)
def test_no_text_makes_public_key_raise_anything_else(text: str) -> None:
    """The result is 64 hex digits, or a documented error in one line."""
    try:
        assert re.fullmatch(r"[0-9a-f]{64}", public_key(text))
    except (BadInput, BadOptions) as error:
        assert str(error).isprintable()


def nearly(data: bytes) -> st.SearchStrategy[bytes]:
    """These bytes with one of them changed."""
    return st.builds(
        lambda at, byte: data[:at] + bytes([byte]) + data[at + 1 :],
        st.integers(0, len(data) - 1),
        st.integers(0, 255),
    )


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("keys")


@given(st.binary() | nearly(pem(SECRET).encode()) | nearly(PUBLIC_PEM))
def test_no_file_makes_reading_raise_anything_else(scratch: Path, content: bytes) -> None:
    """Any bytes, and keys with one byte changed: a key, or a documented error in one line."""
    path = private_file(scratch, content)
    for read in (read_public, lambda path: SigningKey.load(path).public):
        try:
            assert re.fullmatch(r"[0-9a-f]{64}", read(path))
        except (BadInput, BadOptions) as error:
            assert str(error).isprintable()


# -- without the library, and secrets ---------------------------------------------------------


@pytest.fixture
def without_cryptography(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make `import cryptography` fail, as where it is not installed."""
    for name in [name for name in sys.modules if name.split(".")[0] == "cryptography"]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, "cryptography", None)


@pytest.mark.usefixtures("without_cryptography")
def test_without_the_library_the_error_says_what_to_install(tmp_path: Path) -> None:
    """Everything that needs it fails in the same way; reading a key line does not need it."""
    private, public = private_file(tmp_path, pem(SECRET)), private_file(tmp_path, PUBLIC_PEM, "a.pem")
    needs: list[Callable[[], object]] = [
        SigningKey.new,
        lambda: SigningKey.load(private),
        lambda: read_public(private),
        lambda: read_public(public),
        lambda: check_signature(PUBLIC, b"", SIGNATURE),
    ]
    for use in needs:
        with pytest.raises(BadOptions, match=re.escape("pip install 'touchline[sign]'")):
            use()
    assert public_key(f"ed25519 {PUBLIC} ann") == PUBLIC


def test_a_key_does_not_show_its_secret(tmp_path: Path) -> None:
    """Its text is that of the public key, and it cannot be pickled by mistake."""
    key = SigningKey.load(private_file(tmp_path, pem(SECRET)))
    assert repr(key) == str(key) == f"<SigningKey {PUBLIC}>"
    with pytest.raises(TypeError):
        pickle.dumps(key)
