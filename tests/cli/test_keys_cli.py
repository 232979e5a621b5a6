"""`touchline keys` as a user meets it."""

from __future__ import annotations

import os
import re
import stat
import sys
from pathlib import Path

import pytest

from cli.commands import touchline
from cli.shell import Shell
from touchline.records.signing import SigningKey


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """The command line in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return Shell(monkeypatch, capsys)


def files() -> list[str]:
    return sorted(path.name for path in Path().iterdir())


def test_a_new_key_is_two_files_and_a_public_key(shell: Shell) -> None:
    """The public key is the result; what to do with the files is said beside it."""
    done = shell.touchline("keys", "new")
    assert done.returncode == 0
    assert re.fullmatch(r"[0-9a-f]{64}\n", done.stdout)
    assert done.stderr == (
        "keep touchline.key secret: who has it can sign in your name; publish touchline.key.pub\n"
    )
    assert files() == ["touchline.key", "touchline.key.pub"]
    assert stat.S_IMODE(os.stat("touchline.key").st_mode) == 0o600
    assert Path("touchline.key.pub").read_text() == f"ed25519 {done.stdout.strip()} touchline.key\n"
    assert SigningKey.load("touchline.key").public == done.stdout.strip()


def test_a_new_key_as_json(shell: Shell) -> None:
    """The public key and the names of both files; the comment is the user's."""
    made = shell.result("keys", "new", "ann.key", "--comment", "Ann's cups")
    assert made == {
        "public": SigningKey.load("ann.key").public,
        "private_file": "ann.key",
        "public_file": "ann.key.pub",
    }
    assert Path("ann.key.pub").read_text() == f"ed25519 {made['public']} Ann's cups\n"


def test_show_prints_the_public_half_of_either_file(shell: Shell) -> None:
    """It is the same for the private and the public file."""
    made = shell.touchline("keys", "new", "ann.key").stdout
    for file in ("ann.key", "ann.key.pub"):
        done = shell.touchline("keys", "show", file)
        assert (done.returncode, done.stdout, done.stderr) == (0, made, "")
        assert shell.result("keys", "show", file) == {"public": made.strip()}


@pytest.mark.parametrize("there", ["touchline.key", "touchline.key.pub"])
def test_neither_file_is_overwritten(shell: Shell, there: str) -> None:
    """Where one of them exists nothing is written, and no half of a pair is left."""
    Path(there).write_text("precious")
    said = shell.refused("keys", "new")
    assert said == f"Error: {there} exists, and a key is never overwritten; choose another name\n"
    assert files() == [there]
    assert Path(there).read_text() == "precious"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("new", "ann.pub"), "give a name without .pub"),
        (("new", "no/such/ann.key"), "no/such/ann.key cannot be written: No such file or directory"),
        (("new", "a.key", "--comment", "two\nlines"), "a comment is one line of at most 200 printable"),
        (("show", "no.key"), "no.key: there is no such file; make a key: touchline keys new FILE"),
        (("show", "."), ".: the key cannot be read: Is a directory"),
        (("show", "lax.key"), "run: chmod 600 lax.key"),
        (("show", "text"), "text: this is not a key; make one: touchline keys new FILE"),
        (("show",), "Missing argument 'FILE'"),
    ],
)
def test_a_mistake_with_a_key_is_one_clear_error(shell: Shell, words: tuple[str, ...], said: str) -> None:
    """Exit code 2, the reason on stderr, and nothing is written."""
    Path("text").write_text("hello")
    SigningKey.new().save("lax.key")
    Path("lax.key").chmod(0o644)
    assert said in shell.refused("keys", *words)
    assert files() == ["lax.key", "text"]


def test_no_command_prints_a_private_key(shell: Shell) -> None:
    """Not in results, not in JSON, not in errors."""
    printed = [shell.touchline("keys", "new", "a.key", *json) for json in ((), ("--json",))]
    secret = Path("a.key").read_text().splitlines()[1]
    Path("a.key").chmod(0o644)
    printed.append(shell.touchline("keys", "show", "a.key"))
    Path("a.key").write_text(Path("a.key").read_text().replace("PRIVATE", "PUBLIC"))
    printed.append(shell.touchline("keys", "show", "a.key", "--json"))
    Path("a.key").write_text(secret)
    printed.append(shell.touchline("keys", "show", "a.key"))
    assert [done.returncode for done in printed] == [0, 2, 2, 2, 2]
    for done in printed:
        assert secret not in done.stdout + done.stderr
        assert secret[-20:] not in done.stdout + done.stderr


def test_without_the_library_it_says_what_to_install(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit code 2 and the command to run; no file is made."""
    for name in [name for name in sys.modules if name.split(".")[0] == "cryptography"]:
        monkeypatch.setitem(sys.modules, name, None)
    said = shell.refused("keys", "new")
    assert said == "Error: signatures need the package cryptography: pip install 'touchline[sign]'\n"
    assert files() == []


def test_keys_helps_with_examples(shell: Shell) -> None:
    """The group and both commands."""
    for words in (["keys"], ["keys", "new"], ["keys", "show"]):
        assert "Examples:" in shell.touchline(*words, "--help").stdout


def test_keys_in_a_process_of_its_own(tmp_path: Path) -> None:
    """The real command makes a key and shows it."""
    file = str(tmp_path / "a.key")
    made = touchline("keys", "new", file)
    assert made.returncode == 0
    assert touchline("keys", "show", file).stdout == made.stdout
