"""The example of transports/README.md, installed as another package would, keeps the contract and plays."""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import touchline.transports
from server.rooms import player, room
from touchline.core import registry
from touchline.core.errors import BadOptions
from touchline.testing.transport_check import check_transport
from touchline.transports.base import transport

if TYPE_CHECKING:
    from collections.abc import Iterator

README = Path(touchline.transports.__file__).with_name("README.md").read_text()


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The example as a package with an entry point."""
    code, *_ = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    (tmp_path / "memory_wire_of_others.py").write_text(code)
    info = tmp_path / "memory_wire_of_others-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: memory-wire-of-others\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[touchline.transports]\nmemory = memory_wire_of_others:Memory\n")
    monkeypatch.syspath_prepend(tmp_path)
    yield
    sys.modules.pop("memory_wire_of_others", None)


@pytest.mark.usefixtures("installed")
def test_the_example_is_found_by_its_scheme() -> None:
    assert registry.names("transports") == ["memory", "tcp", "unix", "ws"]
    assert transport("memory").url("table", 7, "native") == "memory://table:7/native"


@pytest.mark.usefixtures("installed")
def test_the_example_keeps_the_contract(capsys: pytest.CaptureFixture[str]) -> None:
    """The check as the page shows it."""
    _, check = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    exec(check, {"Memory": type(transport("memory"))})
    laws = capsys.readouterr().out.splitlines()
    assert (len(laws), sum("skipped" in law for law in laws)) == (11, 2)


@pytest.mark.usefixtures("installed")
def test_a_match_over_the_example() -> None:
    async def whole() -> None:
        async with room(listen=("memory://table:0/native",)) as here:
            await asyncio.gather(player(here.url, "ann"), player(here.url, "bob"))
            assert (await here.result(0)).verdict == "finished"

    asyncio.run(whole())


def test_the_page_lists_every_transport() -> None:
    rows = re.findall(r"^\| `(\w+)://.*` \| `(\w+\.py)`", README, re.MULTILINE)
    assert sorted(scheme for scheme, _ in rows) == registry.names("transports")
    folder = Path(touchline.transports.__file__).parent
    assert sorted(file for _, file in rows) == sorted(
        file.name for file in folder.glob("[a-z]*.py") if file.name != "base.py"
    )


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says what to install."""
    monkeypatch.delitem(sys.modules, "touchline.transports.websocket", raising=False)
    monkeypatch.setitem(sys.modules, "picows", None)
    with pytest.raises(BadOptions, match=r"ws:// needs the package picows: pip install 'touchline\[web\]'"):
        transport("ws")


def test_check_transport_takes_a_scheme(tmp_path: Path) -> None:
    check_transport("unix", f"{tmp_path}/it.sock")
