"""The dialect in the README works as it stands, from another package."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

import touchline.dialects
from touchline.core import registry
from touchline.drivers.lineup import Lineup
from touchline.drivers.match import agreed
from touchline.games.hexapawn import Hexapawn
from touchline.testing.dialect_check import check_dialect

if TYPE_CHECKING:
    from collections.abc import Iterator

README = Path(str(touchline.dialects.__file__)).with_name("README.md")
GAME = Hexapawn(rows=3, cols=3)


@pytest.fixture
def plain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The example, installed as the package of a third party."""
    (code,) = (
        block.partition("```")[0] for block in README.read_text(encoding="utf-8").split("```python\n")[1:]
    )
    (tmp_path / "plain_package.py").write_text(code, encoding="utf-8")
    about = tmp_path / "plain_package-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: plain-package\nVersion: 1\n")
    (about / "entry_points.txt").write_text("[touchline.dialects]\nplain = plain_package:Plain\n")
    monkeypatch.syspath_prepend(tmp_path)
    yield registry.dialect("plain")
    sys.modules.pop("plain_package", None)


def test_it_keeps_the_contract(plain: Any) -> None:
    assert "plain" in registry.dialects()
    laws: list[str] = []
    check_dialect("plain", report=laws.append)
    assert len(laws) == 5


def test_it_plays_a_match(plain: Any) -> None:
    """A bot that speaks it plays as the same bot without a dialect."""
    spec = agreed(GAME, ["ann", "bob"], seed=3)
    lineup = Lineup(["plain+random", "plain+random"], [1, 2])
    result = lineup.play(lineup.fill(spec))
    assert result.verdict == "finished"
    assert result.faults == ()


def test_a_class_with_its_methods_is_a_player(plain: Any) -> None:
    """Only `move` is required."""

    class First:
        def move(self, position: Any) -> Any:
            row = next(at for at, squares in enumerate(position["board"]) if "1" in squares)
            return {"from": [row, 0], "to": [row + 1, 0]}

    face = plain.face(First())
    dialect = plain(GAME)
    (asked,) = dialect.say(_your_turn()).frames
    (answer,) = face.hear(asked)
    (act,) = dialect.hear(answer).said
    GAME.start(2, Random(0)).check(act.move)


def _your_turn() -> Any:
    from touchline.core.messages import YourTurn

    return YourTurn(0, GAME.start(2, Random(0)).view(0), None)
