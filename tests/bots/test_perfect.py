"""Perfect keeps its word: the end that it tells is the end that comes, sooner or never later than it must."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from touchline.bots import perfect
from touchline.bots.base import Thinker
from touchline.bots.hexapawn import lookahead
from touchline.bots.hexapawn.lookahead import Lookahead, SearchPace
from touchline.bots.hexapawn.tablebase import Solver, estimated_positions, fits, load_tablebase
from touchline.bots.kernels import COMPILES
from touchline.bots.kernels.hexapawn import LIMIT, NODES
from touchline.bots.minimax import Minimax
from touchline.bots.perfect import Perfect
from touchline.bots.random import Random as RandomBot
from touchline.bots.shared import table_cache
from touchline.core.errors import BadOptions
from touchline.drivers.match import agreed, play_now
from touchline.games.hexapawn import Hexapawn, HexapawnPosition, HexapawnState

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from touchline.drivers.match import Bot

SOLVED = {
    (2, 1): (1, 0, 1), (2, 2): (0, 1, 3), (2, 3): (0, 1, 5), (2, 4): (0, 1, 7), (2, 5): (0, 1, 9),
    (3, 1): (0, 1, 2), (3, 2): (1, 2, 14), (3, 3): (1, 6, 135), (3, 4): (0, 5, 1128), (3, 5): (0, 7, 8698),
    (4, 1): (1, 2, 3), (4, 2): (1, 6, 46), (4, 3): (1, 8, 987), (4, 4): (0, 11, 20286),
    (4, 5): (1, 14, 359894),
    (5, 1): (0, 3, 4), (5, 2): (1, 6, 103), (5, 3): (0, 11, 3708), (5, 4): (1, 16, 118133),
    (5, 5): (0, 19, 3210411),
    (6, 1): (1, 4, 5), (6, 2): (1, 10, 183), (6, 3): (1, 14, 9984), (8, 3): (1, 22, 43963),
    (3, 6): (1, 8, 64074), (6, 4): (0, 21, 442503),
}  # fmt: skip
"""For boards of so many rows and columns who wins, in how many plies, and how many positions there are: found
by an exhaustive search in another language."""

LARGER = {(4, 6): 16, (5, 6): 22, (6, 5): 29, (3, 8): 11, (4, 7): 19}
"""The plies of boards that are looked at without a tablebase."""


@pytest.fixture(autouse=True, scope="module")
def tablebases(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Books go to a folder that all these tests share, and are made once; memories are small, to be fast."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("touchline.bots.hexapawn.lookahead.SLOTS", 1 << 18)
        patch.setenv("TOUCHLINE_CACHE", str(tmp_path_factory.mktemp("tablebases")))
        yield


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with nothing in it, and nothing in memory."""
    monkeypatch.setenv("TOUCHLINE_CACHE", str(tmp_path))
    perfect._tablebase_in.cache_clear()
    perfect._lookahead_in.cache_clear()
    yield tmp_path
    perfect._tablebase_in.cache_clear()
    perfect._lookahead_in.cache_clear()


@pytest.fixture
def stopped_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """No player runs out of time, however slow the machine is."""
    for module in (perfect, lookahead):
        monkeypatch.setattr(module, "perf_counter", lambda: 0.0)


def solved(rows: int, cols: int, entries: int = 1000) -> Solver:
    solver = Solver(rows, cols)
    while not solver.work(entries):
        pass
    return solver


def after(rows: int, cols: int, moves: int, rng: Random) -> HexapawnState:
    """A position in play, after so many random moves or fewer."""
    state = Hexapawn(rows=rows, cols=cols).start(2, rng)
    for _ in range(moves):
        following = state.play(rng.choice(state.legal_moves()))
        if following.to_move is None:
            break
        state = following
    return state


def rivals(rng: Random) -> list[Bot]:
    return [RandomBot(rng), Minimax(depth=3)]


def promised(thought: Any) -> int:
    verb, _, plies = thought.says.partition(" in ")
    assert verb == ("wins" if int(plies) % 2 else "loses")
    return int(plies)


@pytest.mark.parametrize(("rows", "cols"), SOLVED)
def test_every_small_board_is_solved(rows: int, cols: int) -> None:
    """Winner, plies and positions are those that were counted elsewhere."""
    winner, plies, positions = SOLVED[rows, cols]
    solver = solved(rows, cols, 1 << 30)
    assert (solver.plies, solver.positions) == (plies, positions)
    assert winner == 1 - plies % 2


@pytest.mark.parametrize(("rows", "cols"), LARGER)
def test_looking_ahead_finds_the_same_end(rows: int, cols: int) -> None:
    """Without a tablebase, by asking for a longer end again and again; and a proof agrees."""
    ahead = Lookahead(rows, cols)
    forever = float("inf")
    assert ahead.plies_from(ahead.start, forever) == LARGER[rows, cols]
    assert ahead.wins(ahead.start, forever) == (LARGER[rows, cols] % 2 == 1)


@settings(max_examples=25, deadline=None)
@given(st.sampled_from([(3, 3), (4, 4), (5, 3), (3, 5), (5, 4), (5, 5)]), st.integers(0, 10**6))
def test_the_end_comes_when_it_was_told(shape: tuple[int, int], seed: int) -> None:
    """From any position, against players good and bad: a win no later, a loss no sooner."""
    rng = Random(seed)
    state = after(*shape, rng.randrange(8), rng)
    bot, seat = Perfect(), state.to_move
    told, other = promised(bot.think(state)), rivals(rng)[seed % 2]
    plies = 0
    while state.to_move is not None:
        move = (bot if state.to_move == seat else other).choose(state, plies)
        state.check(move)
        state, plies = state.play(move), plies + 1
    assert state.ended is not None
    if told % 2:
        assert state.ended.winners == (seat,)
        assert plies <= told
    else:
        assert plies >= told or state.ended.winners == (seat,)


@pytest.mark.parametrize(("rows", "cols"), [(3, 3), (4, 4), (5, 5)])
def test_against_itself_the_line_is_the_game(rows: int, cols: int) -> None:
    """What it expects is what two of it play; and the moves are the first among equals."""
    state: Any = Hexapawn(rows=rows, cols=cols).start(2, Random(0))
    thought = Perfect().think(state)
    assert isinstance(Perfect(), Thinker)
    assert len(thought.line) == promised(thought) == SOLVED[rows, cols][1]
    assert thought.values == ((1.0, 0.0) if SOLVED[rows, cols][0] == 0 else (0.0, 1.0))
    for move in thought.line:
        plies = promised(Perfect().think(state))
        equals = [
            other
            for other in state.legal_moves()
            if (child := state.play(other)).to_move is None or promised(Perfect().think(child)) == plies - 1
        ]
        assert move == equals[0] == Perfect().choose(state)
        state = state.play(move)
    assert state.to_move is None


def test_it_wins_every_game_of_a_won_board() -> None:
    """As the seat that wins by theory, in a refereed match, against anybody."""
    for seed in range(6):
        rival = rivals(Random(seed))[seed % 2]
        result = play_now(agreed(Hexapawn(), ["a", "b"], seed), [Perfect(), rival])
        assert result.outcome is not None
        assert result.outcome.winners == (0,)


def test_a_position_that_never_comes_up_is_played_too(empty: Path) -> None:
    """It is in no tablebase: more pawns than a seat begins with, in a place where none was left behind."""
    board = ("11.1.", ".....", "1.2..", "22.12", "2..22")
    state = Hexapawn().restore(HexapawnPosition(board, 0))
    thought = Perfect().think(state)
    told = promised(thought)
    mirrored = Hexapawn().restore(HexapawnPosition(tuple(row[::-1] for row in board), 0))
    assert promised(Perfect().think(mirrored)) == told
    for move in thought.line:
        state.check(move)
        state = state.play(move)
    assert state.to_move is None
    assert len(thought.line) == told


def test_a_larger_board_is_won_without_a_tablebase(empty: Path, stopped_clock: None) -> None:
    """5 x 6 is the second seat's: it says so from its first turn, and keeps to it."""
    bot, rng = Perfect(seconds=20), Random(4)
    state: Any = Hexapawn(rows=5, cols=6).start(2, rng)
    left = None
    while state.to_move is not None:
        if state.to_move == 0:
            state = state.play(rng.choice(state.legal_moves()))
            continue
        plies = promised(bot.think(state))
        assert plies % 2 == 1
        assert left is None or plies <= left - 2
        left, state = plies, state.play(bot.choose(state))
    assert state.ended.winners == (1,)


def test_what_is_not_proven_is_said_and_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The beginning of 8 x 8 is beyond it: it keeps to its time, and does not pretend.

    The clock advances with the positions that are looked at.
    """
    state = Hexapawn(rows=8, cols=8).start(2, Random(0))
    ahead, speed = perfect._lookahead(8, 8), 1e6 if COMPILES else 1e5
    for module in (perfect, lookahead):
        monkeypatch.setattr(module, "perf_counter", lambda: ahead.looked_at / speed)
    before = ahead.looked_at
    thought = Perfect(seconds=0.3).think(state)
    assert 0 < ahead.looked_at - before <= 0.3 * speed
    assert thought.says.startswith("not proven: open after ")
    assert 0 < thought.values[0] < 1
    state.check(thought.line[0])


def test_a_kernel_is_given_what_there_is_time_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the speed it had, half of the time that is left: it may be slower once."""
    now, tally = [8.0], [0, 0]
    monkeypatch.setattr(lookahead, "perf_counter", lambda: now[0])
    pace = SearchPace(tally, 30_000, 2.0**20 if COMPILES else 40 * 2.0**20)
    given = []
    for left, seconds in ((1 / 32, 1 / 16), (1 / 32, 1 / 64), (0.0, 1 / 64), (float("inf"), 1 / 64)):
        with pace.until(now[0] + left):
            given.append(tally[LIMIT] - tally[NODES])
            now[0], tally[NODES] = now[0] + seconds, tally[LIMIT]
    assert given == [16384, 4096, lookahead.AT_LEAST, 30_000]


def test_a_proof_is_enough_where_the_end_is_too_far(
    monkeypatch: pytest.MonkeyPatch, stopped_clock: None
) -> None:
    """If there is no time for the exact end, a move that is proven to win is played."""
    monkeypatch.setattr(perfect, "FOR_THE_END", 0.0)
    monkeypatch.setattr("touchline.bots.hexapawn.lookahead.AT_ONCE", 4000)
    state = Hexapawn(rows=6, cols=5).start(2, Random(0))
    thought = Perfect(seconds=60).think(state)
    assert thought.says.startswith("wins, proven, but in more than ")
    assert thought.values == (1.0, 0.0)
    ahead = Lookahead(6, 5)
    child = state.play(thought.line[0])
    assert ahead.wins((child.pawns1, child.pawns0, 1), float("inf")) is False


def test_a_move_that_is_known_to_lose_is_not_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is proven, but one can see three plies ahead which moves lose at once."""
    monkeypatch.setattr(perfect, "FOR_THE_END", 0.0)
    monkeypatch.setattr(perfect, "FOR_A_PROOF", 0.0)
    monkeypatch.setattr("touchline.bots.hexapawn.lookahead.AT_ONCE", 600)
    rng, game, unproven = Random(8), Hexapawn(rows=8, cols=8), 0
    for _ in range(40):
        col = rng.randrange(7)
        threat = "." * col + "2" + "." * (7 - col)
        answer = "." * (col + 1) + "1" + "." * (6 - col)
        middle = ["".join(rng.choices("12.", (1, 1, 2), k=8)) for _ in range(3)]
        board = (answer, threat, "........", *middle, "........", "22222222")
        state = game.restore(HexapawnPosition(board, 0))
        bad = [move for move in state.legal_moves() if _can_win_at_once(state.play(move))]
        assert 0 < len(bad) < len(state.legal_moves())
        thought = Perfect(seconds=0.001).think(state)
        assert thought.line[0] not in bad
        unproven += thought.says.startswith("not proven")
    assert unproven > 5


def _can_win_at_once(state: HexapawnState) -> bool:
    return any(state.play(move).to_move is None for move in state.legal_moves())


# On disk.


def test_a_tablebase_is_made_once_and_read_after(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second player reads what the first one solved."""
    game = Hexapawn(rows=4, cols=4)
    Perfect().prepare(game)
    assert [path.name for path in empty.iterdir()] == ["hexapawn-4x4.table"]
    perfect._tablebase_in.cache_clear()
    monkeypatch.setattr(Solver, "work", lambda *_: pytest.fail("it was solved again"))
    assert promised(Perfect().think(game.start(2, Random(0)))) == 11


def damaged(data: bytes) -> dict[str, bytes]:
    middle = len(data) // 2
    return {
        "empty": b"",
        "cut short": data[:-8],
        "cut in the first line": data[:40],
        "one bit": data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :],
        "longer": data + bytes(8),
        "a fact": data.replace(b'"plies":11', b'"plies":13', 1),
        "another board": data.replace(b"hexapawn-4x4", b"hexapawn-4x5", 1),
        "another version": data.replace(b'"touchline_table":1', b'"touchline_table":2', 1),
        "foreign": b"\x7fELF" + bytes(range(256)) * 20,
        "no line": b"a" * 100_000,
    }


@pytest.mark.parametrize("kind", damaged(bytes(9)))
def test_a_damaged_tablebase_is_noticed_and_made_anew(empty: Path, kind: str) -> None:
    """Whatever is wrong with the file: it is not trusted, and it is replaced."""
    assert solved(4, 4).keep()
    path = empty / "hexapawn-4x4.table"
    sound = path.read_bytes()
    spoilt = damaged(sound)[kind]
    assert spoilt != sound
    path.write_bytes(spoilt)
    assert load_tablebase(4, 4) is None
    Perfect().prepare(Hexapawn(rows=4, cols=4))
    again = table_cache.read("hexapawn-4x4")
    assert again is not None
    assert again.words.tobytes() == sound[-len(again.words) * 8 :]


def test_a_folder_that_cannot_be_used_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is a file: nothing can be kept there, and the player plays all the same."""
    (tmp_path / "taken").write_text("")
    monkeypatch.setenv("TOUCHLINE_CACHE", str(tmp_path / "taken"))
    assert solved(3, 3).keep() is False
    game = Hexapawn(rows=3, cols=3)
    Perfect().prepare(game)
    assert promised(Perfect().think(game.start(2, Random(0)))) == 6


def test_where_tablebases_are_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The folder of our own variable, else the user's cache; a relative XDG path is ignored."""
    assert table_cache.folder().name.startswith("tablebases")
    monkeypatch.delenv("TOUCHLINE_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert table_cache.folder() == tmp_path / "touchline"
    monkeypatch.setenv("XDG_CACHE_HOME", "here")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert table_cache.folder() == tmp_path / ".cache" / "touchline"


def test_interrupted_and_resumed_it_is_the_same_tablebase(empty: Path) -> None:
    """Stopped again and again, each time in a new process as it were: the same bytes in the end."""
    straight = solved(4, 4)
    stopped, runs = Solver(4, 4), 1
    while not stopped.work(700):
        assert stopped.keep()
        assert load_tablebase(4, 4) is None
        stopped, runs = Solver(4, 4), runs + 1
        assert stopped.resume()
    assert runs > 5
    assert stopped.keep()
    resumed = (empty / "hexapawn-4x4.table").read_bytes()
    assert [path.name for path in empty.iterdir()] == ["hexapawn-4x4.table"]
    assert straight.keep()
    assert (empty / "hexapawn-4x4.table").read_bytes() == resumed


def test_a_damaged_part_is_not_gone_on_from(empty: Path) -> None:
    """One begins again."""
    stopped = Solver(4, 4)
    assert not stopped.work(500)
    assert stopped.keep()
    path = empty / "hexapawn-4x4-part.table"
    path.write_bytes(path.read_bytes()[:-8])
    assert Solver(4, 4).resume() is False


def test_a_search_is_gone_on_from(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was hardest to find out is kept: whoever goes on has less to do, and finds the same."""
    forever = float("inf")
    whole = Lookahead(6, 4)
    assert whole.work(1000)
    looked_at = whole.looked_at
    assert (whole.plies, whole.keep()) == (21, True)
    monkeypatch.setattr("touchline.bots.hexapawn.lookahead.KEPT", 500)
    assert whole.keep()
    kept = table_cache.read("hexapawn-6x4-search")
    assert kept is not None
    assert 0 < len(kept.words) <= 4 * 500
    resumed = Lookahead(6, 4)
    assert resumed.resume()
    assert resumed.plies == 21
    assert resumed.plies_from(resumed.start, forever) == 21
    assert resumed.looked_at < looked_at / 2


def test_a_larger_board_is_thought_about_at_launch_once(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And kept: the next player begins with it."""
    monkeypatch.setattr(perfect, "AT_LAUNCH", 1000)
    monkeypatch.setattr(perfect, "AT_LAUNCH_PLAIN", 1000)
    game = Hexapawn(rows=5, cols=4)
    Perfect().prepare(game)
    assert [path.name for path in empty.iterdir()] == ["hexapawn-5x4-search.table"]
    perfect._lookahead_in.cache_clear()
    monkeypatch.setattr(Lookahead, "work", lambda *_: pytest.fail("it was thought about again"))
    Perfect().prepare(game)
    assert promised(Perfect().think(game.start(2, Random(0)))) == 16


# What cannot be.


def test_boards_that_are_too_large() -> None:
    """More squares than a word has bits: said at launch, and to whoever does not prepare."""
    game = Hexapawn(rows=9, cols=9)
    with pytest.raises(BadOptions, match="up to 64 squares, not on 9 x 9"):
        Perfect().prepare(game)
    with pytest.raises(BadOptions, match="up to 64 squares"):
        Perfect().choose(game.start(2, Random(0)))
    assert not fits(6, 6)
    with pytest.raises(ValueError, match="too large to be solved completely"):
        Solver(6, 6)


def test_the_estimate_is_near_the_truth() -> None:
    """Within a factor of three where it matters: so nobody waits for a board that cannot be solved."""
    for (rows, cols), (_, _, positions) in SOLVED.items():
        if positions > 1000:
            assert positions / 3 < estimated_positions(rows, cols) < 3 * positions


@pytest.mark.parametrize("seconds", [0, -1, 3600, True, float("nan")])
def test_seconds_that_are_refused(seconds: Any) -> None:
    with pytest.raises(ValueError, match="seconds"):
        Perfect(seconds=seconds)


@pytest.mark.slow
def test_six_by_six_is_never_let_go(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With its usual time: what is won stays won, whichever seat it has, and nothing is unproven."""
    monkeypatch.setattr("touchline.bots.hexapawn.lookahead.SLOTS", 1 << 22)
    bot = Perfect()
    bot.prepare(Hexapawn(rows=6, cols=6))
    for seed in range(10):
        rng, seat, won = Random(seed), seed % 2, False
        state: Any = Hexapawn(rows=6, cols=6).start(2, rng)
        other = rivals(rng)[seed // 2 % 2]
        while state.to_move is not None:
            if state.to_move == seat:
                wins = promised(bot.think(state)) % 2 == 1
                assert wins or not won
                won = wins
            state = state.play((bot if state.to_move == seat else other).choose(state, 0))
        assert not won or state.ended.winners == (seat,)
        assert seat == 0 or won
