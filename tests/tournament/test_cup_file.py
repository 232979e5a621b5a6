"""A cup in TOML: what is read, and what is said of what cannot be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from touchline.core.errors import BadInput
from touchline.core.registry import CONDUCTS
from touchline.games.fish import Fish
from touchline.tournament.cup import load, parse, unpacked
from tournament.cups import cup

if TYPE_CHECKING:
    from pathlib import Path

GOOD = """
name = "spring"
game = {name = "fish", rows = 4, cols = 4}
format = {name = "round_robin", seats = 3}
boards = [{}, {holes = 2}, {rows = 5}]
entrants = [
  {name = "ann", player = "random"},
  {name = "bob", player = "greedy"},
  {name = "cy", player = "remote", key = "secret"},
]
"""


def test_what_is_read() -> None:
    made = parse(GOOD, "cup.toml")
    assert made.names == ("ann", "bob", "cy")
    boards = [made.board(number) for number in range(4)]
    assert all(isinstance(board, Fish) for board in boards)
    assert [board.size() for board in boards if isinstance(board, Fish)] == [(4, 4), (4, 4), (5, 4), (4, 4)]
    assert [board.holes for board in boards if isinstance(board, Fish)] == [0, 2, 0, 0]
    assert made.rules().seats == 3
    assert made.conduct == CONDUCTS["course"]


def test_the_ledger_gets_everything_but_the_keys() -> None:
    made = parse(GOOD, "cup.toml")
    assert b"secret" not in made.bytes()
    again = unpacked(made.bytes())
    assert again.bytes() == made.bytes()
    assert (again.names, again.board(1), again.rules()) == (made.names, made.board(1), made.rules())


@pytest.mark.parametrize(
    ("change", "to", "said"),
    [
        ('name = "spring"', "name = 3", "cup.toml: name"),
        ('name = "spring"', "", "missing required field `name`"),
        ('name = "spring"', 'name = "spring"\nprize = 3', "unknown field `prize`"),
        ('name = "fish"', 'name = "chess"', "no game is called 'chess'"),
        ("rows = 4", "rows = 400", "400"),
        ("rows = 4", "legs = 4", "no option 'legs'"),
        ("seats = 3", "seats = 5", "fish is for 2 to 4 players, not 5"),
        ('name = "round_robin"', 'name = "duel"', "no format is called 'duel'"),
        ('{name = "bob"', '{name = "Ann"', "look alike"),
        ('{name = "bob"', '{name = ""', "1 to 32 characters"),
        ('player = "greedy"', 'player = "greddy"', "no bot is called 'greddy'"),
        ('player = "greedy"', 'player = "minimax:depth=x"', "depth is a number"),
        ('player = "greedy"', 'player = "seed-002+greedy"', "seed-002 is spoken in hexapawn"),
        ("[{}, {holes = 2}, {rows = 5}]", "[]", "boards.. is empty"),
        ("{holes = 2}", "{rows = 1, cols = 1}", "tiles"),
        ("boards =", 'conduct = "fierce"\nboards =', "no conduct is called 'fierce'"),
        ("boards =", "clock = {seconds = -1}\nboards =", "seconds"),
        ("boards =", 'clock = {fuel = "much"}\nboards =', "fuel: 'much' is no fuel"),
        ("boards =", "clock = {fuel = 0}\nboards =", "a limit of 0 fuel is impossible"),
        ("boards =", "boards = = ", "not TOML"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(change: str, to: str, said: str) -> None:
    assert change in GOOD
    with pytest.raises(BadInput, match=said.replace("(", r"\(")):
        parse(GOOD.replace(change, to, 1), "cup.toml")


@pytest.mark.parametrize(("written", "fuel"), [('"5M"', 5_000_000), ("7_000", 7_000), ('"1.5k"', 1_500)])
def test_a_limit_of_fuel(written: str, fuel: int) -> None:
    """Beside the times, or without them; it goes into the ledger."""
    for rest in ("seconds = 3", "no_timeout = true"):
        made = parse(
            GOOD.replace("boards =", f"clock = {{fuel = {written}, {rest}}}\nboards =", 1), "cup.toml"
        )
        assert made.limits.fuel == fuel
        assert unpacked(made.bytes()).limits == made.limits


def test_a_cup_without_fuel_is_written_as_before() -> None:
    """So that the ledgers of older cups have the same bytes."""
    assert b"fuel" not in parse(GOOD, "cup.toml").bytes()


def test_a_file_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="No such file"):
        load(tmp_path / "cup.toml")
    (tmp_path / "cup.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(BadInput, match="utf-8"):
        load(tmp_path / "cup.toml")
    (tmp_path / "cup.toml").write_bytes(b"#" * (1 << 21))
    with pytest.raises(BadInput, match="at most"):
        load(tmp_path / "cup.toml")


def test_a_conduct_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "mild.toml").write_text('name = "mild"\nillegal.steps = ["retry 2", "expel"]')
    (tmp_path / "cup.toml").write_text(GOOD.replace("boards =", 'conduct = "mild.toml"\nboards =', 1))
    assert load(tmp_path / "cup.toml").conduct.name == "mild"


def test_unpacking_rubbish() -> None:
    for rubbish in (b"", b"{}", b"[" * 100_000, b"\xff"):
        with pytest.raises(BadInput, match="cannot be read"):
            unpacked(rubbish)


def test_games_on_one_board_begin_alike() -> None:
    from touchline.drivers.match import opened
    from touchline.tournament.pairing import Pairing
    from touchline.tournament.seeds import CupSeeds, spec_of

    made = parse(GOOD, "cup.toml")
    tables = ((("ann", "bob", "cy"), 1), (("cy", "ann", "bob"), 1), (("ann", "bob", "cy"), 4))
    pairings = [Pairing(0, table, names, board) for table, (names, board) in enumerate(tables)]
    for salt in (None, bytes(32)):
        secrets = [CupSeeds(made, salt).of(pairing) for pairing in pairings]
        first, second, other = (
            opened(spec_of(made, pairing, secret)) for pairing, secret in zip(pairings, secrets, strict=True)
        )
        assert first == second != other
    assert cup().bytes() == cup().bytes()


SEVEN = """
name = "seven"
game = {{name = "fish", rows = 6, cols = 6}}
format = {{name = "swiss", seats = 4{more}}}
entrants = [{entrants}]
"""


def seven(more: str = "") -> str:
    entrants = ", ".join(f'{{name = "e{number}", player = "random"}}' for number in range(7))
    return SEVEN.format(more=more, entrants=entrants)


def test_the_game_must_allow_the_smaller_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seven entrants at four seats need a table of three; if the game is for four only, some rest."""
    assert parse(seven(), "cup.toml").rules().seats == 4
    monkeypatch.setattr(Fish, "seats", range(4, 5))
    with pytest.raises(
        BadInput, match=r"7 entrants in swiss have a table of 3, but fish is for 4 players, not 3"
    ):
        parse(seven(), "cup.toml")
    assert parse(seven(", smallest = 4"), "cup.toml").rules().seats == 4
