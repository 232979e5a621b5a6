"""`check_dialect` passes every dialect of ours, and names the law that a broken one breaks."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import touchline.dialects
from touchline.core import registry
from touchline.dialects.base import Exchange, SignUp
from touchline.dialects.native import Native
from touchline.testing.dialect_check import check_dialect
from touchline.testing.game_check import CheckFailed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.core.messages import ToPlayer

PROJECT = Path(__file__).parents[2] / "pyproject.toml"


@pytest.mark.parametrize("dialect", registry.dialects())
def test_our_dialects_keep_the_contract(dialect: str) -> None:
    laws: list[str] = []
    check_dialect(dialect, report=laws.append)
    games = registry.dialect(dialect).games or registry.names("games")
    assert len(laws) == 2 + 3 * len(games)


class Hexapawn(Native):
    """Native in one game, to be broken."""

    games = ("hexapawn",)


class RaisesAtNonsense(Hexapawn):
    def hear(self, frame: bytes, waited: int = 0) -> Exchange:
        frame.decode()
        return super().hear(frame, waited)


class LosesTheToken(Hexapawn):
    @classmethod
    def read_sign_up(cls, frame: bytes) -> SignUp:
        return super().read_sign_up(frame)._replace(token=None)


class RaisesAtSignUp(Hexapawn):
    @classmethod
    def read_sign_up(cls, frame: bytes) -> SignUp:
        frame.decode()
        return super().read_sign_up(frame)


class NoWelcome(Hexapawn):
    @classmethod
    def welcome(cls, name: str, token: str) -> Sequence[bytes]:
        return []


class Silent(Hexapawn):
    def say(self, message: ToPlayer) -> Exchange:
        return Exchange()


class AnotherQuestion(Hexapawn):
    def ask(self, turn: int, view: Any, allowance: int | None) -> bytes:
        return super().ask(turn + 1, view, allowance)


class NoWords(Hexapawn):
    words = {"hello": ""}  # noqa: RUF012


class NoSuchConduct(Hexapawn):
    conduct = "anarchy"


@pytest.mark.parametrize(
    ("broken", "law"),
    [
        (RaisesAtNonsense, "nothing that a player sends raises past hear"),
        (LosesTheToken, "a sign-up has the token if `resumable` is true"),
        (RaisesAtSignUp, "read_sign_up\\(\\) raises Refusal and nothing else"),
        (NoWelcome, "a resumable dialect has a welcome"),
        (Silent, "the face's answers are legal and in order"),
        (AnotherQuestion, "fast.ask\\(\\) returns the frame of say\\(YourTurn\\)"),
        (NoWords, "each of `words` has a printable meaning"),
        (NoSuchConduct, "`conduct` is one of"),
    ],
)
def test_a_broken_dialect_is_told_which_law_it_breaks(broken: type[Native], law: str) -> None:
    with pytest.raises(CheckFailed, match=law):
        check_dialect(broken)


def test_the_import_contract_names_every_dialect() -> None:
    """A new file in dialects/ is in the contract of `pyproject.toml`, too."""
    contracts = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
    (contract,) = (one for one in contracts if one["name"].startswith("No dialect is known by name"))
    files = Path(str(touchline.dialects.__file__)).parent.glob("*.py")
    names = {f"touchline.dialects.{file.stem}" for file in files}
    assert {*contract["forbidden_modules"]} == names - {
        "touchline.dialects.__init__",
        "touchline.dialects.base",
    }
