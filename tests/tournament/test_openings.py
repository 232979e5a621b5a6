"""Random openings: which games have them, what they leave open, and that a record shows them."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from msgspec import UNSET

from touchline.bots.random import Random as RandomBot
from touchline.core import registry
from touchline.core.errors import BadInput, BadOptions
from touchline.drivers.match import agreed, opened, play_now
from touchline.players.address import ServerAddress
from touchline.records.recorder import RecordWriter
from touchline.records.replay import Replay
from touchline.tournament import seeds as seeds_file
from touchline.tournament.cup import unpacked
from touchline.tournament.distinct import distinct_games
from touchline.tournament.ledger import open_ledger
from touchline.tournament.opening_notes import opening_notes
from touchline.tournament.openings import OpeningBook, drawn, has_single_start, is_open
from touchline.tournament.pairing import Pairing
from touchline.tournament.remote_entrants import Hall
from touchline.tournament.seeds import CupSeeds, spec_of
from touchline.tournament.verify import verify
from tournament.cups import SALT, cup, played
from tournament.forgery import resealed

if TYPE_CHECKING:
    from pathlib import Path

    from touchline.core.rules import Game, State
    from touchline.drivers.match import MatchSpec
    from touchline.tournament.cup import Cup

OFF = "[openings]\nmoves = 0"


def hexapawn(rows: int, cols: int) -> Game:
    game: Game = registry.game("hexapawn", {"rows": rows, "cols": cols})
    return game


def spec(made: Cup, board: int, *names: str, salt: bytes = SALT) -> MatchSpec:
    pairing = Pairing(0, 0, names or ("ann", "bob"), board)
    return spec_of(made, pairing, CupSeeds(made, salt).of(pairing))


# -- which games have openings ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "options", "single"),
    [
        ("hexapawn", {}, True),
        ("fish", {"fish": 2}, True),
        ("fish", {}, False),
        ("labyrinth", {}, False),
    ],
)
def test_whether_a_game_has_a_single_start_is_seen_from_its_starts(
    game: str, options: dict[str, Any], single: bool
) -> None:
    """The game's name does not matter: fish has one start if every tile has the same number of fish."""
    assert has_single_start(registry.game(game, options), 2) is single


def test_openings_are_the_default_where_a_game_has_a_single_start() -> None:
    assert cup().openings == (4,)
    assert cup(game="labyrinth").openings is UNSET
    assert cup(options=OFF).openings is UNSET
    assert cup(options="[openings]\nmoves = 7").openings == (7,)
    assert cup(game="labyrinth", options="[openings]\nmoves = 2").openings == (2,)


def test_only_the_boards_with_a_single_start_have_openings_by_default() -> None:
    made = cup(game="fish", options="[[boards]]\nfish = 2\n[[boards]]\n")
    assert made.openings == (4, 0)
    assert [len(spec(made, board).opening) for board in range(4)] == [4, 0, 4, 0]


@pytest.mark.parametrize("moves", [-1, 41])
def test_an_impossible_number_of_moves_is_refused(moves: int) -> None:
    with pytest.raises(BadInput, match=r"\[openings\] moves: 0 to 40"):
        cup(options=f"[openings]\nmoves = {moves}")


def test_a_cup_that_was_stored_before_there_were_openings_has_none() -> None:
    """Its bytes stay as they are, so its commitment holds."""
    packed = cup().bytes().replace(b',"openings":[4]', b"")
    assert packed != cup().bytes()
    assert unpacked(packed).openings is UNSET
    assert unpacked(packed).bytes() == packed
    assert spec(unpacked(packed), 0).opening == ()


def test_players_that_know_their_seat_by_the_untouched_board_begin_there() -> None:
    """A player of seed-002 is told no seat: who is asked about an untouched board is the first."""
    assert cup(ann="seed-002+random", bob="random").openings is UNSET
    with pytest.raises(BadInput, match="know their seat by the untouched board"):
        cup(options="[openings]\nmoves = 4", ann="seed-002+random", bob="random")
    with pytest.raises(BadOptions, match=r"say `moves = 0` in its table \[openings\]"):
        Hall(cup(ann="remote", bob="random"), [ServerAddress.read("tcp://127.0.0.1:0/seed-002")])


# -- what an opening is -------------------------------------------------------------------------


def ends_at_once(state: State) -> bool:
    return any(state.play(move).outcome() is not None for move in state.legal_moves())


@pytest.mark.parametrize(
    ("rows", "cols", "count"), [(4, 4, 94), (5, 5, 228), (3, 4, 4), (3, 3, 2), (2, 2, 0)]
)
def test_every_opening_of_a_book_comes_once_and_leaves_the_game_open(
    rows: int, cols: int, count: int
) -> None:
    game = hexapawn(rows, cols)
    book = OpeningBook(game, 2, 4, b"key")
    assert book.size == count
    found = [opened(agreed(game, "ab", 0, opening=book.moves(number))) for number in range(count)]
    assert len({*found}) == count
    for state in found:
        assert state.outcome() is None
        assert not ends_at_once(state), "the seat to move would win at once"
        assert any(not ends_at_once(state.play(move)) for move in state.legal_moves())


def test_a_book_that_is_used_up_begins_again_in_another_order() -> None:
    book = OpeningBook(hexapawn(4, 4), 2, 4, b"key")
    first, second = ([book.moves(94 * again + number) for number in range(94)] for again in (0, 1))
    assert sorted(map(str, first)) == sorted(map(str, second))
    assert first != second
    other = OpeningBook(hexapawn(4, 4), 2, 4, b"another key")
    assert [other.moves(number) for number in range(94)] != first


def test_openings_that_are_too_many_to_be_listed_are_drawn_and_are_distinct_too() -> None:
    game = hexapawn(8, 8)
    book, again = (OpeningBook(game, 2, 6, b"key") for _ in range(2))
    assert book.size is None
    found = [book.moves(number) for number in range(300)]
    assert len({opened(agreed(game, "ab", 0, opening=moves)) for moves in found}) == 300
    assert again.moves(299) == found[299], "the 300th is the same, whoever asks first"


def test_a_small_board_has_shorter_openings_or_none() -> None:
    assert [OpeningBook(hexapawn(*size), 2, 4, b"").length for size in ((4, 4), (3, 3), (2, 2))] == [4, 3, 0]
    assert OpeningBook(hexapawn(2, 2), 2, 4, b"").moves(5) == ()


def test_an_opening_of_labyrinth_reaches_no_goal() -> None:
    """The seat would have to be told its next goal, before the match has begun."""
    game = registry.game("labyrinth")
    for seed in range(3):
        found = drawn(game.start(2, Random(seed)), 4, Random(seed))
        assert found is not None
        assert found.state.reached is None  # type: ignore[attr-defined]
        assert is_open(found.state)


# -- the games of a cup -------------------------------------------------------------------------


def test_games_on_one_board_begin_from_the_same_opening() -> None:
    made = cup()
    assert spec(made, 3).opening == spec(made, 3, "bob", "cy").opening
    seeds, games = CupSeeds(made, SALT), [Pairing(0, 0, ("ann", "bob"), board) for board in range(94)]
    assert len({opened(spec_of(made, game, seeds.of(game))) for game in games}) == 94
    assert spec(made, 3).opening != spec(made, 3, salt=bytes(32)).opening, "it follows from the salt"


def test_deterministic_players_play_each_opening_from_both_seats(tmp_path: Path) -> None:
    """Twenty games of two deterministic players are twenty distinct games, and the cup is verified."""
    made = cup(options="games = 20", ann="minimax:depth=2", bob="minimax:depth=1")
    assert played(made, str(tmp_path / "cup.db"), tmp_path)[0]
    with open_ledger(str(tmp_path / "cup.db"), readonly=True) as ledger:
        assert distinct_games(ledger.results()).distinct == 20
        begun = [Replay(ledger.record(game.id), game.id).begun for game in ledger.results()]
        found = verify(ledger)
    pairs = [*zip(begun[::2], begun[1::2], strict=True)]
    assert [(one.position, one.opening) for one, _ in pairs] == [
        (two.position, two.opening) for _, two in pairs
    ]
    assert [one.names for one, _ in pairs] == [two.names[::-1] for _, two in pairs]
    assert len({str(one.position) for one, _ in pairs}) == 10
    assert (found.follows, found.wrong) == (True, ())


def test_a_game_from_another_opening_is_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The organiser chose openings that suit somebody: each record holds, but the openings do not follow."""
    made = cup(ann="greedy", bob="random")
    honest = CupSeeds._opening
    with monkeypatch.context() as patch:
        patch.setattr(CupSeeds, "_opening", lambda self, board, *rest: honest(self, board + 1, *rest))
        played(made, str(tmp_path / "cup.db"), tmp_path)
    with open_ledger(str(tmp_path / "cup.db"), readonly=True) as ledger:
        found = verify(ledger)
    assert not found.follows
    assert len(found.wrong) == found.games
    assert all("not played by the terms of the cup: another opening" in why for why in found.wrong)


def test_while_a_cup_runs_a_board_must_keep_its_opening(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The salt is not known yet, but both games of a pair are."""
    made = cup(ann="greedy", bob="random")
    honest, calls = CupSeeds._opening, iter(range(1000))
    with monkeypatch.context() as patch:
        patch.setattr(
            CupSeeds, "_opening", lambda self, board, *rest: honest(self, board + next(calls), *rest)
        )
        played(made, str(tmp_path / "cup.db"), tmp_path)
    monkeypatch.setattr("touchline.tournament.verify._seeds", lambda *_: None)
    with open_ledger(str(tmp_path / "cup.db"), readonly=True) as ledger:
        assert any("another opening" in why for why in verify(ledger).wrong)


# -- the record ---------------------------------------------------------------------------------


def recorded() -> bytes:
    lines = bytearray()
    made = spec(cup(), 0)
    play_now(made, [RandomBot(Random(0)), RandomBot(Random(1))], [RecordWriter(lines.extend).see])
    return bytes(lines)


def test_a_record_shows_its_opening_and_is_verified_alone() -> None:
    replay = Replay(recorded(), "record")
    replay.verify()
    assert len(replay.begun.opening or ()) == 4
    assert replay.spec().opening == spec(cup(), 0).opening
    start: State = replay.game.start(2, Random(0))
    for move in replay.spec().opening:
        start.check(move)
        start = start.play(move)
    assert msgspec.to_builtins(start.position()) == msgspec.to_builtins(replay.opening().position())


def first_line_changed(change: str) -> bytes:
    """The record with something else in its first line, and a seal that fits."""
    first, rest = recorded().split(b"\n", 1)
    begun = json.loads(first)
    match change:
        case "another move":
            begun["opening"][0], begun["opening"][2] = begun["opening"][2], begun["opening"][0]
            begun["opening"][1], begun["opening"][3] = begun["opening"][1], begun["opening"][1]
        case "no opening":
            del begun["opening"]
        case "a move less":
            begun["opening"].pop()
        case "no moves":
            begun["opening"] = [5]
    return resealed(msgspec.json.encode(begun) + b"\n" + rest)


@pytest.mark.parametrize("change", ["another move", "no opening", "a move less", "no moves"])
def test_a_position_that_does_not_follow_from_seed_and_opening_is_found_out(change: str) -> None:
    with pytest.raises((BadInput, BadOptions)):
        Replay(first_line_changed(change), "record").verify()


# -- what the organiser is told -----------------------------------------------------------------


def test_the_organiser_is_told_how_many_openings_there_are() -> None:
    assert [*opening_notes(cup(options="games = 2"))] == [
        "games begin with 4 random moves; there are 94 such openings"
    ]
    assert [*opening_notes(cup(options=OFF))] == []


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ("games = 3", "a table of 2 plays 3 games; make `games` a multiple of 2"),
        ("games = 2\npaired = false", "the format says `paired = false`"),
    ],
)
def test_the_organiser_is_told_if_openings_are_not_balanced(options: str, why: str) -> None:
    *_, last = opening_notes(cup(options=options))
    assert last == f"each opening is not played from every seat: {why}"


def test_openings_do_not_depend_on_who_computes_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """A board's opening is the same whether the boards before it were asked for or not."""
    made = cup()
    straight = CupSeeds(made, SALT).of(Pairing(0, 0, ("ann", "bob"), 40)).opening
    seeds = CupSeeds(made, SALT)
    assert [seeds.of(Pairing(0, 0, ("ann", "bob"), board)).opening for board in (7, 90, 40)][2] == straight
    assert seeds_file.CupSeeds(made, SALT).of(Pairing(4, 4, ("bob", "cy"), 40)).opening == straight
