"""What `touchline join` says before it connects, while it waits, and when it is sent away."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import click
import pytest

from cli.commands import refused
from touchline.cli import join
from touchline.core import registry
from touchline.core.errors import BadOptions
from touchline.dialects.base import Word
from touchline.players.address import ServerAddress
from touchline.testing import virtual_time


@pytest.mark.parametrize(
    ("dialect", "name", "why"),
    [
        ("fish-course", "ann1", "a name has 1 to 12 letters"),
        ("labyrinth-course", "ann lee", "1 to 20 letters or digits"),
        ("seed-004", "x" * 21, "20"),
        ("native", "referee", "nobody may be called referee"),
        ("native", "x" * 33, "1 to 32"),
        ("seed-001", "", "1 to 32"),
    ],
)
def test_a_name_is_checked_before_connecting(dialect: str, name: str, why: str) -> None:
    """By the rule of the dialect, or by the server's where it has none; nobody is called."""
    kind = registry.dialect(dialect)
    with pytest.raises(BadOptions, match=f"no server of {dialect} lets in --name") as error:
        join._check_name(name, kind)
    assert why in str(error.value)
    join._check_name("ann", kind)


def test_the_command_checks_the_name_first() -> None:
    """Nobody listens there, and it is the name that is complained about."""
    said = refused("join", "tcp://127.0.0.1:1/fish-course", "random", "--name", "ann1")
    assert said.startswith("Error: no server of fish-course lets in --name 'ann1': ")


def test_a_missing_dialect_is_asked_for() -> None:
    """Without a terminal, the error lists the dialects by game, with an address to copy."""
    said = refused("join", "tcp://127.0.0.1:1", "random", "--name", "ann")
    assert "as in tcp://127.0.0.1:1/native, or use --dialect: native (any game); fish: fish-course, " in said


def test_a_person_is_asked_for_a_missing_dialect(monkeypatch: pytest.MonkeyPatch) -> None:
    """At a terminal there is a question, and its answer is the dialect."""
    monkeypatch.setattr(join, "sys", SimpleNamespace(stdin=_Terminal(), stderr=_Terminal()))
    monkeypatch.setattr(click, "prompt", lambda text, **options: "seed-001")
    assert join._address("tcp://127.0.0.1:1", None).dialect == "seed-001"
    assert join._address("tcp://127.0.0.1:1/native", None).dialect == "native"
    assert join._address("tcp://127.0.0.1:1", "seed-000").dialect == "seed-000"


class _Terminal:
    def isatty(self) -> bool:
        return True


def _messages(dialect: str = "fish-course") -> join._Messages:
    return join._Messages("ann", 60.0, False, False, registry.dialect(dialect))


def test_waiting_is_not_silent(capsys: pytest.CaptureFixture[str]) -> None:
    """It says for how long it has waited, less and less often, and stops when the match begins."""
    told = _messages()

    async def match() -> None:
        await asyncio.sleep(65)
        told.heard(b'["start",[true]]')
        await asyncio.sleep(500)

    virtual_time.run(told.until_begun(match()))
    assert capsys.readouterr().err.splitlines() == [
        f"ann: waiting for the match to begin ({seconds} s)" for seconds in (2, 10, 30, 60)
    ]


def test_a_welcome_is_not_the_beginning(capsys: pytest.CaptureFixture[str]) -> None:
    """In a dialect that welcomes, the match begins with a later word."""
    told = _messages("native")

    async def match() -> None:
        told.heard(b'{"type":"welcome","name":"ann"}')
        await asyncio.sleep(3)

    virtual_time.run(told.until_begun(match()))
    assert "waiting for the match to begin (2 s)" in capsys.readouterr().err


def test_an_expelled_player_is_told_why(capsys: pytest.CaptureFixture[str]) -> None:
    """The native dialect has a word for it, whose reason is printed."""
    told = _messages("native")
    told.heard(b'{"type":"expelled","reason":"late: no answer in time"}')
    assert registry.dialect("native").face.classify(told._last) is Word.REFUSAL
    told.done()
    assert capsys.readouterr().out == "ann was expelled: late: no answer in time\n"


@pytest.mark.parametrize(
    ("sent", "why"),
    [
        (b"", "sent nothing: it refused the name, all seats are taken, or the sign-up is over"),
        (b'["start",[true]]', 'expelled is disconnected; its last message was ["start",[true]]'),
    ],
)
def test_a_dialect_without_words_for_it(sent: bytes, why: str) -> None:
    """Where the server only hangs up, the message says what it may mean, and what was heard last."""
    from touchline.client.connect import Away
    from touchline.client.join import join as joined

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.write(sent)
        writer.close()

    async def whole() -> None:
        async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
            address = ServerAddress("tcp", "127.0.0.1", server.sockets[0].getsockname()[1], "fish-course")
            kind = registry.dialect("fish-course")
            await joined(address, kind.face(SimpleNamespace()), "values", "ann")

    with pytest.raises(Away) as error:
        asyncio.run(whole())
    assert why in str(error.value)
