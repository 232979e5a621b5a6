"""Signatures and public keys: known answers, what nobody signed, and no secret in any text."""

from __future__ import annotations

import pickle
import re
import sys
from typing import TYPE_CHECKING

import pytest
from cryptography.hazmat.primitives import serialization as forms
from cryptography.hazmat.primitives.asymmetric import x25519
from hypothesis import example, given
from hypothesis import strategies as st

from records.known_keys import PUBLIC, PUBLIC_PEM, RFC_8032, SECRET, SIGNATURE, WEAK, pem, private_file
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
    from pathlib import Path

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
    [
        "", "zz", SIGNATURE[:-1], SIGNATURE + "00", SIGNATURE.upper(), f" {SIGNATURE}", f"{SIGNATURE}\n",
        "é" * 128, "\ud800" * 128, "٣" * 128,
    ],
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


KEY_OR_ERROR = "[0-9a-f]{64}|one line"


def outcome(read: Callable[[str], str], given: str) -> str:
    """What a reader returns; `one line` for a documented error."""
    try:
        return read(given)
    except (BadInput, BadOptions) as error:
        return "one line" if str(error).isprintable() else repr(error)


@given(st.text())
@example("/")
@example("\0")
@example(".")
@example("ed25519 " + "0" * 64)
def test_no_text_makes_public_key_raise_anything_else(text: str) -> None:
    """The result is 64 hex digits, or a documented error in one line."""
    assert re.fullmatch(KEY_OR_ERROR, outcome(public_key, text))


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
        assert re.fullmatch(KEY_OR_ERROR, outcome(read, str(path)))


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
