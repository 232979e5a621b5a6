"""Hexapawn by ports: every word, every offence, and whole games, on the wire of the note of seed 002."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from touchline.bots.random import Random as RandomBot
from touchline.conducts.course import CONDUCT as COURSE
from touchline.conducts.hexapawn_ports import CONDUCT as SEED_002
from touchline.core import messages
from touchline.core.conduct import Offence
from touchline.core.errors import BadInput, BadOptions
from touchline.core.events import Moved
from touchline.core.happenings import Failed, Lapsed
from touchline.core.messages import Act, Garbled, Ready
from touchline.core.rules import IllegalMove
from touchline.dialects.base import Dialect, Exchange, Refusal
from touchline.dialects.hexapawn_ports import DIALECT, ByChoice
from touchline.dialects.notation.oz import Atom, write
from touchline.drivers.match import agreed, opened
from touchline.games.hexapawn import NOBODY, REACHED, Hexapawn, Step
from touchline.testing.in_memory_match import Dialogue
from work import at_most

if TYPE_CHECKING:
    from collections.abc import Iterable

    from touchline.core.conduct import Conduct
    from touchline.games.hexapawn import HexapawnState
    from touchline.testing.in_memory_match import Reply

MOST_STEPS = 20_000
"""Calls that hearing one frame may take."""

SMALL = Hexapawn(rows=3, cols=3)
START = b"request(board:board(row(p1 p1 p1) row(empty empty empty) row(p2 p2 p2)))"
MOVED = b"request(board:board(row(empty p1 p1) row(p1 empty empty) row(p2 p2 p2)))"
LEGAL = b"move(f(1 1) t(2 1))"
AWAY = b"move(f(9 9) t(1 1))"


def start(game: Hexapawn = SMALL) -> HexapawnState:
    return game.start(2, Random(0))


def said(frame: bytes) -> messages.FromPlayer:
    [found] = DIALECT(SMALL).hear(frame).said
    return found


def begun(seat: int) -> DIALECT:
    dialect = DIALECT(SMALL)
    assert dialect.say(messages.Begin(seat, ("a", "b"), start())) == Exchange((), [Ready()])
    return dialect


# -- words --------------------------------------------------------------------------------------


def test_it_is_a_dialect_of_hexapawn() -> None:
    dialect: type[Dialect] = DIALECT
    assert (dialect.name, dialect.games, dialect.framing) == ("seed-002", ("hexapawn",), "lines")
    assert (dialect.conduct, dialect.per_move) == ("seed-002", 10_000_000)


@pytest.mark.parametrize(("rows", "cols"), [(9, 5), (5, 9), (26, 26)])
def test_boards_are_no_larger_than_the_course_had_them(rows: int, cols: int) -> None:
    DIALECT(Hexapawn(rows=8, cols=8))
    with pytest.raises(BadOptions, match="8 rows and 8 columns"):
        DIALECT(Hexapawn(rows=rows, cols=cols))


def test_it_asks_with_the_board_and_says_who_has_won() -> None:
    dialect, after = begun(0), start().play(Step((0, 0), (1, 0)))
    assert dialect.say(messages.YourTurn(0, start(), None)).frames == [START]
    assert dialect.say(messages.YourTurn(1, after, None)).frames == [MOVED]
    narrow = start(Hexapawn(rows=2, cols=1))
    assert dialect.say(messages.Over(narrow, "finished", narrow.outcome(), "")).frames == [
        b"gameEnded(winner:p2)"
    ]
    assert dialect.say(messages.Over(after, "finished", REACHED[0], "")).frames == [b"gameEnded(winner:p1)"]


@pytest.mark.parametrize(("seat", "winner"), [(0, b"p2"), (1, b"p1")])
def test_whoever_is_expelled_hears_that_the_other_has_won(seat: int, winner: bytes) -> None:
    message = messages.Expelled("late", Offence.LATE)
    assert begun(seat).say(message).frames == [b"gameEnded(winner:" + winner + b")"]
    assert DIALECT(SMALL).say(message) == Exchange()  # it never sat down: who is the other?


def test_a_match_without_a_winner_is_told_as_one() -> None:
    """Nobody hears that it has won or lost a match that does not count."""
    dialect, after = begun(0), start().play(Step((0, 0), (1, 0)))
    nobody = start().without(0).without(1)
    assert nobody.outcome() == NOBODY
    for view, outcome in ((start(), None), (after, None), (nobody, NOBODY), (nobody, None)):
        assert dialect.say(messages.Over(view, "void", outcome, "")).frames == [b"gameEnded(winner:none)"]


def test_it_has_no_word_for_anything_else() -> None:
    dialect = begun(1)
    for message in (
        messages.Accepted(0),
        messages.Rejected(0, "why"),
        messages.Update(0, start()),
        messages.Skipped(0, "why"),
    ):
        assert dialect.say(message) == Exchange()
    assert dialect.say(messages.Onward(0, start())) == Exchange((), [Ready()])
    assert not dialect.owes


@pytest.mark.parametrize(
    "text",
    [
        "move(f(1 1) t(2 1))",
        "  move( f(1 1)t(2 1) )\r",
        "move(2:t(2 1) 1:f(1 1))",
        "move(2:t(2:1 1:2) 1:f(1 1))",
        "'move'('f'(2:1 1) t(2 1))",
        "move(2:t(2 1) f(1 1))",
    ],
)
def test_a_move_is_a_move_in_any_spelling(text: str) -> None:
    assert said(text.encode()) == Act(Step((0, 0), (1, 0)), counted_from=1)


@pytest.mark.parametrize(
    "text", ["f(0 1) t(1 1)", "f(9 9) t(1 1)", "f(~1 1) t(0 1)", "f(1 1) t(9007199254740992 1)"]
)
def test_coordinates_off_the_board_are_an_illegal_move(text: str) -> None:
    act = said(f"move({text})".encode())
    assert isinstance(act, Act)
    with pytest.raises(IllegalMove, match=r"row|square"):
        start().check(act.move)


@pytest.mark.parametrize(
    "text",
    """
    hello|move|move()|nil|5|true|mv(f(1 1) t(2 1))|Move(f(1 1) t(2 1))|move(t(2 1) f(1 1))|move(f(1 1))
    move(f(1 1) t(2 1) note:hi)|move(f(1 1) t(2 1) x)|move(f(1 1 1) t(2 1))|move(f(1) t(2 1))
    move(f(1 a) t(2 1))|move(f(1.0 1.0) t(2.0 1.0))|move(f(true 1) t(2 1))|move(f('1' 1) t(2 1))
    move(f(f(1) 1) t(2 1))|move(_ t(2 1))|move(f(1:1 3:1) t(2 1))|move(1:f(1 1) 3:t(2 1))
    move(f:f(1 1) t:t(2 1))|move(a(1 1) b(2 1))|move(f(1 1), t(2 1))|move(f(1 1) t(2 1)) % mine
    move(f(1 1) t(2 1)) move(f(1 1) t(2 1))|move(f(01 1) t(2 1))|{"move":1}|{Exit 1}
    move(f(99999999999999999999 1) t(2 1))|move (f(1 1) t(2 1))|"move"
    """.strip().replace("\n", "|").split("|"),
)  # fmt: skip
def test_everything_else_cannot_be_read(text: str) -> None:
    assert isinstance(said(text.strip().encode()), Garbled)


def test_bytes_that_are_no_text_cannot_be_read() -> None:
    assert isinstance(said(b"\xff"), Garbled)
    assert isinstance(said(b"a(" * 500_000), Garbled)


@given(st.binary(max_size=60))
def test_whatever_comes_is_heard(frame: bytes) -> None:
    assert isinstance(said(frame), Act | Garbled)


@given(st.data())
def test_a_move_with_something_changed_is_heard(data: st.DataObject) -> None:
    frame = bytearray(LEGAL)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(frame)))
        frame[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    with at_most(5_000):
        found = said(bytes(frame))
    assert isinstance(found, Act | Garbled)
    if isinstance(found, Act):
        assert type(found.move) is Step


# -- signing up ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["alice", "Alice B", "é", "x" * 32, "it's", "if", "1"])
def test_a_name_is_an_atom(name: str) -> None:
    [frame] = DIALECT.face(None).sign_up(name)
    assert frame == write(Atom(name)).encode()
    assert DIALECT.read_sign_up(frame).name == name
    assert type(DIALECT.read_sign_up(frame).name) is str


@pytest.mark.parametrize(
    "text", ["", "''", "5", "true", "Alice", "signup(alice)", "a b", r"'a\nb'", "x" * 33, "\x00"]
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(Refusal):
        DIALECT.read_sign_up(text.encode())
    with pytest.raises(Refusal):
        DIALECT.read_sign_up(b"\xff")


# -- the player's side --------------------------------------------------------------------------


class Listening:
    """A player with the note's methods that remembers what it heard."""

    def __init__(self) -> None:
        self.heard: list[Any] = []

    def request(self, board: Any) -> Any:
        self.heard.append(board)
        return [[1, 1], [2, 1]]

    def gameEnded(self, winner: str) -> None:  # noqa: N802
        self.heard.append(winner)


def test_a_player_in_python_has_the_methods_of_the_note() -> None:
    player = Listening()
    face = DIALECT.face(player, rng=Random(1))
    assert face.hear(START) == [LEGAL]
    assert face.hear(b"request(board:board(row(p1) row(p2)) time:3)") == [LEGAL]
    assert face.hear(b"hello(there)") == face.hear(b"5") == face.hear(b"request(bored)") == []
    assert not face.over
    assert face.hear(b"gameEnded(why:late winner:p2)") == []
    assert face.over
    rows = (("p1", "p1", "p1"), ("empty", "empty", "empty"), ("p2", "p2", "p2"))
    assert player.heard == [rows, (("p1",), ("p2",)), "p2"]
    assert all(type(square) is str for row in player.heard[0] for square in row)


@pytest.mark.parametrize(
    "text", ["request(board:nil)", "request(board:board(row(p3)))", "request(board:board(p1))", "("]
)
def test_what_no_referee_sends_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        DIALECT.face(Listening()).hear(text.encode())


class Watching:
    """A bot that plays its first legal move and remembers what it was shown."""

    def __init__(self) -> None:
        self.shown: list[tuple[HexapawnState, int]] = []

    def choose(self, view: HexapawnState, turn: int) -> Step:
        self.shown.append((view, turn))
        return view.legal_moves()[0]


@pytest.mark.parametrize(("rows", "cols"), [(2, 2), (3, 1), (3, 3), (5, 5), (8, 8)])
def test_a_bot_finds_its_seat_its_turn_and_its_view(rows: int, cols: int) -> None:
    bots = [Watching(), Watching()]
    table = Table(Hexapawn(rows=rows, cols=cols), bots)
    state, turn = start(table.game), 0
    assert table.run().verdict == "finished"
    shown = sorted((pair for bot in bots for pair in bot.shown), key=lambda pair: pair[1])
    for event in table.events:
        if isinstance(event, Moved):
            assert shown[turn] == (state, turn)
            assert bots[turn % 2].shown[turn // 2][0].to_move == turn % 2
            state, turn = state.play(event.move), turn + 1
    assert len(shown) == turn


def test_a_bot_that_is_asked_again_is_asked_in_the_same_turn() -> None:
    bot = Watching()
    face = DIALECT.face(bot)
    assert isinstance(ByChoice(bot), ByChoice)
    for frame in (START, START, MOVED.replace(b"p2 p2)", b"p2 empty)"), START):
        face.hear(frame)
    assert [turn for _, turn in bot.shown] == [0, 0, 2, 4]


# -- whole games --------------------------------------------------------------------------------


class Table(Dialogue):
    """A match in this dialect; each player is a bot, or a list of what it replies to each frame."""

    def __init__(
        self, game: Hexapawn, players: list[Any], conduct: Conduct = SEED_002, seed: int = 0
    ) -> None:
        self.game = game
        self.heard: list[list[bytes]] = [[], []]
        self._players = [
            list(player) if isinstance(player, list) else DIALECT.face(player) for player in players
        ]
        spec = agreed(game, ("p1", "p2"), seed=seed, conduct=conduct)
        super().__init__(spec, [DIALECT(game), DIALECT(game)], self._replies)

    def _replies(self, seat: int, frame: bytes) -> Iterable[Reply]:
        self.heard[seat].append(frame)
        player = self._players[seat]
        if not isinstance(player, list):
            return player.hear(frame)
        found = player.pop(0) if player else ()
        return found if isinstance(found, tuple) else (found,)


@pytest.mark.parametrize("seed", range(40))
def test_a_game_between_bots_ends_as_the_rules_have_it(seed: int) -> None:
    rng = Random(seed)
    game = Hexapawn(rows=rng.randint(2, 8), cols=rng.randint(1, 8))
    table = Table(game, [RandomBot(Random(seed)), RandomBot(Random(-seed))], seed=seed)
    result = table.run()
    assert (result.verdict, result.faults) == ("finished", ())
    state: Any = opened(agreed(game, ("p1", "p2"), seed=seed))
    for event in table.events:
        if isinstance(event, Moved):
            state.check(event.move)
            state = state.play(event.move)
    assert state.outcome() == result.outcome
    assert result.outcome is not None
    last = b"gameEnded(winner:p%d)" % (result.outcome.winners[0] + 1)
    for heard in table.heard:
        assert heard[-1] == last
        assert sum(frame.startswith(b"gameEnded") for frame in heard) == 1


def test_the_lines_of_a_short_game() -> None:
    table = Table(
        Hexapawn(rows=3, cols=2), [[b"move(f(1 1) t(2 1))"], [b"move(f(3 1) t(2 2))", b"move(f(3 2) t(2 2))"]]
    )
    table.run()
    assert table.lines == [
        "referee -> p1: request(board:board(row(p1 p1) row(empty empty) row(p2 p2)))",
        "p1 -> referee: move(f(1 1) t(2 1))",
        "referee -> p2: request(board:board(row(empty p1) row(p1 empty) row(p2 p2)))",
        "p2 -> referee: move(f(3 1) t(2 2))",
        "referee -> p2: request(board:board(row(empty p1) row(p1 empty) row(p2 p2)))",
        "p2 -> referee: move(f(3 2) t(2 2))",
        "referee -> p1: gameEnded(winner:p2)",
        "referee parts with p1",
        "referee -> p2: gameEnded(winner:p2)",
        "referee parts with p2",
    ]


def test_whoever_cannot_move_at_the_start_has_lost_before_it_is_asked() -> None:
    table = Table(Hexapawn(rows=2, cols=1), [[], []])
    table.run()
    assert table.heard == [[b"gameEnded(winner:p2)"], [b"gameEnded(winner:p2)"]]


P1, P2 = b"gameEnded(winner:p1)", b"gameEnded(winner:p2)"


@pytest.mark.parametrize(
    ("one", "two", "first", "second", "offence"),
    [
        pytest.param([AWAY, b"bad"], [], [START, START, P2], [P2], "malformed", id="illegal twice"),
        pytest.param([b"bad", AWAY], [], [START, START, P2], [P2], "illegal", id="malformed, illegal"),
        pytest.param([(b"bad", b"\xff")], [], [START, START, P2], [P2], "malformed", id="both at once"),
        pytest.param([LEGAL], [Lapsed(1)], [START, P1], [MOVED, P1], "late", id="late"),
        pytest.param([], [], [START, P2], [P2], "late", id="says nothing"),
        pytest.param([b"bad", Lapsed(0)], [], [START, START, P2], [P2], "late", id="late at last"),
        pytest.param([LEGAL], [Failed(1, Offence.GONE, "")], [START, P1], [MOVED], "gone", id="gone"),
        pytest.param([(LEGAL, LEGAL)], [], [START, P2], [MOVED, P2], "out_of_turn", id="twice"),
        pytest.param([(LEGAL, b"x")], [], [START, P2], [MOVED, P2], "out_of_turn", id="then junk"),
        pytest.param([(LEGAL, b"")], [], [START, P2], [MOVED, P2], "out_of_turn", id="then nothing"),
        pytest.param([(b"x", LEGAL, LEGAL)], [], [START, START, P2], [MOVED, P2], "out_of_turn", id="piped"),
    ],
)  # fmt: skip
def test_what_an_offence_costs(
    one: list[Any], two: list[Any], first: list[bytes], second: list[bytes], offence: str
) -> None:
    table = Table(SMALL, [one, two])
    result = table.run()
    assert table.heard == [first, second]
    assert result.verdict == "forfeited"
    assert result.faults[-1].offence is Offence(offence)


def test_a_second_chance_is_there_in_every_turn() -> None:
    bad = (b"bad", b"move(f(1 2) t(2 2))")
    table = Table(SMALL, [[bad[0], LEGAL, bad[0], bad[1]], [b"", b"move(f(3 3) t(2 3))", Lapsed(1)]])
    table.run()
    third = b"request(board:board(row(empty p1 p1) row(p1 empty p2) row(p2 p2 empty)))"
    fourth = b"request(board:board(row(empty empty p1) row(p1 p1 p2) row(p2 p2 empty)))"
    assert table.heard == [[START, START, third, third, P1], [MOVED, MOVED, fourth, P1]]


@pytest.mark.parametrize("seat", [0, 1])
def test_under_another_conduct_the_expelled_hear_who_has_won_too(seat: int) -> None:
    players: list[Any] = [RandomBot(Random(0)), RandomBot(Random(1))]
    players[seat] = [b"bad"]
    table = Table(SMALL, players, COURSE)
    result = table.run()
    assert (result.verdict, result.expelled) == ("finished", (seat,))
    assert table.heard[0][-1] == table.heard[1][-1] == (P2, P1)[seat]
