"""The note's functions in Python, held against what they did on a real Oz engine."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from touchline.core.errors import BadInput, BadOptions
from touchline.core.messages import Act
from touchline.coursework.oz import Port, Ports, Variable, board, create_player, referee_for, unify
from touchline.dialects.hexapawn_ports import acted, board_term
from touchline.dialects.notation.oz import Atom, Term, read, record, write
from touchline.games.hexapawn import Hexapawn, Step

SPECS = Path(__file__).parents[3] / "shared" / "specs"


def seen(name: str) -> Any:
    path = SPECS / name
    if not path.exists():
        pytest.skip(f"what a real Oz engine did is not here: {path}")
    return json.loads(path.read_text())


def ears() -> tuple[list[Any], Port]:
    heard: list[Any] = []
    return heard, Port(heard.append)


def talk(rows: int, cols: int, sends: list[tuple[str, str]]) -> dict[str, list[str]]:
    """What two players hear who send this, in this order, whatever they hear."""
    (one, p1), (two, p2) = ears(), ears()
    ports = referee_for(p1, p2, rows, cols)
    for player, text in sends:
        message: object
        try:
            message = read(text)
        except BadInput:  # only an engine can make such a value: here it is something that is no term
            message = object()
        (ports.pr1 if player == "p1" else ports.pr2).send(message)
    return {"p1": list(map(write, one)), "p2": list(map(write, two))}


START = "request(board:board(row(p1 p1 p1) row(empty empty empty) row(p2 p2 p2)))"
MOVED = "request(board:board(row(empty p1 p1) row(p1 empty empty) row(p2 p2 p2)))"
LEGAL = ("p1", "move(f(1 1) t(2 1))")


@pytest.mark.parametrize(
    ("sends", "first", "second"),
    [
        ([], [START], []),
        ([LEGAL], [START], [MOVED]),
        ([("p1", "bad"), LEGAL], [START, START], [MOVED]),
        ([("p1", "bad"), ("p1", "1.0")], [START, START, "gameEnded(winner:p2)"], ["gameEnded(winner:p2)"]),
        ([("p2", "bad"), LEGAL], [START, "gameEnded(winner:p1)"], ["gameEnded(winner:p1)"]),
        ([LEGAL, LEGAL, LEGAL], [START, "gameEnded(winner:p2)"], [MOVED, "gameEnded(winner:p2)"]),
    ],
)
def test_who_hears_what(sends: list[tuple[str, str]], first: list[str], second: list[str]) -> None:
    assert talk(3, 3, sends) == {"p1": first, "p2": second}


def test_a_board_without_a_move_is_lost_at_once() -> None:
    last = ["gameEnded(winner:p2)"]
    assert talk(2, 1, [("p1", "nil"), ("p1", "nil")]) == {"p1": last, "p2": last}


def test_the_referee_does_what_the_notes_own_did() -> None:
    cases = seen("oz-edge-cases.json")["cases"]
    assert len(cases) == 13
    for case in cases:
        if (case["rows"], case["cols"]) == (2, 1):
            continue  # there it asked a player who could not move
        assert talk(case["rows"], case["cols"], case["sends"]) == case["hears"], case["case"]


def play(rows: int, cols: int) -> tuple[list[tuple[str, list[int] | None]], list[list[Term]]]:
    """A game between two sample players, with every move; and what each of them heard."""
    moves: list[tuple[str, list[int] | None]] = []
    heard: list[list[Any]] = [[], []]
    refs = Variable(), Variable()

    def overheard(seat: int, message: object) -> None:
        assert not isinstance(message, float | str) or message == "nil"
        act = acted(message)  # type: ignore[arg-type]
        move = None
        if isinstance(act, Act):
            move = [1 + place for cell in (act.move.origin, act.move.target) for place in cell]
        moves.append((f"p{seat + 1}", move))
        refs[seat].send(message)

    p1 = create_player("p1", Port(lambda message: overheard(0, message)))
    p2 = create_player("p2", Port(lambda message: overheard(1, message)))

    def listening(seat: int, player: Port) -> Port:
        def receive(message: object) -> None:
            heard[seat].append(message)
            player.send(message)

        return Port(receive)

    unify(Ports(*refs), referee_for(listening(0, p1), listening(1, p2), rows, cols))
    return moves, heard


def test_a_game_of_sample_players() -> None:
    moves, heard = play(3, 2)
    assert moves == [("p1", [1, 2, 2, 2]), ("p2", [3, 1, 2, 2]), ("p1", [1, 1, 2, 2])]
    ended = read("gameEnded(winner:p1)")
    assert [list(map(write, inbox)) for inbox in heard] == [
        [
            "request(board:board(row(p1 p1) row(empty empty) row(p2 p2)))",
            "request(board:board(row(p1 empty) row(empty p2) row(empty p2)))",
            "gameEnded(winner:p1)",
        ],
        ["request(board:board(row(p1 empty) row(empty p1) row(p2 p2)))", "gameEnded(winner:p1)"],
    ]
    assert heard[0][-1] == heard[1][-1] == ended


def test_sample_players_play_as_on_a_real_engine() -> None:
    games = seen("oz-first-move-games.json")["games"]
    assert len(games) == 56
    for game in games:
        rows, cols, winner = game["rows"], game["cols"], game["winner"]
        moves, heard = play(rows, cols)
        ended = record("gameEnded", winner=winner)
        if (rows, cols) == (2, 1):
            assert (moves, heard) == ([], [[ended], [ended]])
            continue
        assert moves == [(player, move) for player, move in game["moves"]]
        # The messages follow from the moves: a request before each, with the board as it was, and the end.
        state, inboxes = Hexapawn(rows=rows, cols=cols).start(2, Random(0)), ([], [])  # type: ignore[var-annotated]
        for player, (row, col, to_row, to_col) in game["moves"]:
            inboxes[player == "p2"].append(record("request", board=board_term(state)))
            state = state.play(Step((row - 1, col - 1), (to_row - 1, to_col - 1)))
        assert heard == [[*inbox, ended] for inbox in inboxes]
        outcome = state.outcome()
        assert outcome is not None
        assert winner == f"p{outcome.winners[0] + 1}"


@pytest.mark.parametrize(("rows", "cols"), [(1, 5), (0, 0), (9, 5), (5, 9), (2, 0), (27, 1)])
def test_a_referee_has_boards_of_2_to_8_rows_and_1_to_8_columns(rows: int, cols: int) -> None:
    with pytest.raises(BadOptions):
        referee_for(ears()[1], ears()[1], rows, cols)


def test_the_players_port_may_be_bound_after_the_referee_has_begun() -> None:
    p1, (heard, two) = Variable(), ears()
    ports = referee_for(p1, two, 3, 3)
    p1.bind(create_player("p1", ports.pr1))
    assert list(map(write, heard)) == [
        "request(board:board(row(p1 p1 empty) row(empty empty p1) row(p2 p2 p2)))"
    ]


# -- ports --------------------------------------------------------------------------------------


def test_messages_come_one_after_another_in_the_order_they_were_sent() -> None:
    heard: list[object] = []

    def receive(message: object) -> None:
        heard.append(("begins", message))
        if message == 1:
            port.send(3)
        heard.append(("ends", message))

    port = Port(receive)
    variable = Variable()
    variable.send(1)
    variable.send(2)
    assert heard == []
    variable.bind(port)
    assert heard == [(when, number) for number in (1, 3, 2) for when in ("begins", "ends")]


def test_a_variable_keeps_the_order_too() -> None:
    heard: list[object] = []

    def receive(message: object) -> None:
        heard.append(message)
        if message == 1:
            variable.send(3)

    variable = Variable()
    variable.send(1)
    variable.send(2)
    variable.bind(Port(receive))
    assert heard == [1, 2, 3]


def test_a_variable_is_bound_once() -> None:
    variable, port = Variable(), Port(print)
    with pytest.raises(ValueError, match="something else"):
        variable.bind(variable)
    variable.bind(port)
    variable.bind(port)
    with pytest.raises(ValueError, match="something else"):
        variable.bind(Port(print))
    unify(Ports(variable, port), Ports(port, port))
    with pytest.raises(ValueError, match="two different ports"):
        unify(Ports(port, port), Ports(port, Port(print)))


def test_a_port_whose_owner_fails_goes_on() -> None:
    heard: list[object] = []

    def receive(message: object) -> None:
        if message == 0:
            raise ZeroDivisionError
        heard.append(message)

    port = Port(receive)
    with pytest.raises(ZeroDivisionError):
        port.send(0)
    port.send(1)
    assert heard == [1]


def test_a_player_is_p1_or_p2() -> None:
    with pytest.raises(ValueError, match="p1 or p2"):
        create_player("p3", Variable())


def test_a_sample_player_without_a_move_says_nil() -> None:
    heard, port = ears()
    player = create_player("p1", port)
    player.send(record("request", board=board.init(2, 1)))
    player.send(read("gameEnded(winner:p2)"))
    player.send(read("hello"))
    assert heard == [Atom("nil")]


# -- boards -------------------------------------------------------------------------------------


def test_a_board_at_the_start() -> None:
    assert (
        write(board.init(4, 3))
        == "board(row(p1 p1 p1) row(empty empty empty) row(empty empty empty) row(p2 p2 p2))"
    )
    assert write(board.init(2, 0)) == "board(row row)"
    for rows, cols in ((1, 3), (0, 3), (-1, 3), (3, -1)):
        with pytest.raises(ValueError, match="no board"):
            board.init(rows, cols)
    for rows in range(2, 9):
        for cols in range(1, 9):
            assert board.init(rows, cols) == board_term(Hexapawn(rows=rows, cols=cols).start(2, Random(0)))


def test_a_square_is_set_on_a_new_board() -> None:
    old = board.init(2, 2)
    new = board.set("empty", 2, 1, old)
    assert write(old) == "board(row(p1 p1) row(p2 p2))"
    assert write(new) == "board(row(p1 p1) row(empty p2))"
    for row, col in ((0, 1), (3, 1), (1, 0), (1, 3), (-1, -1)):
        assert board.set("empty", row, col, old) == old


def test_a_board_as_a_list() -> None:
    assert board.to_list(board.init(3, 1)) == [["p1"], ["empty"], ["p2"]]
    assert board.to_list(board.init(2, 0)) == [[], []]


def test_a_board_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    board.show(board.init(3, 3))
    assert capsys.readouterr().out == "+-------+\n| 1 1 1 |\n| . . . |\n| 2 2 2 |\n+-------+\n"


def test_moves_come_last_row_and_column_first_and_captures_before_steps() -> None:
    position = read("board(row(p1 p1 empty) row(empty p1 p2) row(p2 empty p2))")
    assert list(map(write, board.valid_moves_for("p1", position))) == [
        "move(f(2 2) t(3 3))",
        "move(f(2 2) t(3 1))",
        "move(f(2 2) t(3 2))",
        "move(f(1 2) t(2 3))",
        "move(f(1 1) t(2 1))",
    ]
    assert list(map(write, board.valid_moves_for("p2", position))) == [
        "move(f(3 3) t(2 2))",
        "move(f(3 1) t(2 2))",
        "move(f(3 1) t(2 1))",
        "move(f(2 3) t(1 2))",
        "move(f(2 3) t(1 3))",
    ]


def test_a_situation_says_who_has_got_through_and_what_each_could_do() -> None:
    position = read("board(row(p2 empty) row(p1 empty) row(empty p1))")
    situation = board.analyse(position)
    assert (situation.finished.p1, situation.finished.p2) == (True, True)
    assert list(map(write, situation.moves.p1)) == ["move(f(2 1) t(3 1))"]
    assert situation.moves.p2 == []
    start = board.analyse(board.init(3, 2))
    assert (start.finished.p1, start.finished.p2) == (False, False)
    assert (len(start.moves.p1), len(start.moves.p2)) == (2, 2)


@pytest.mark.parametrize("seed", range(30))
def test_moves_on_a_board_are_the_legal_moves_of_the_game(seed: int) -> None:
    rng = Random(seed)
    state = Hexapawn(rows=rng.randint(2, 8), cols=rng.randint(1, 8)).start(2, rng)
    while state.to_move is not None:
        found = [acted(move) for move in board.valid_moves_for(f"p{state.to_move + 1}", board_term(state))]
        legal = state.legal_moves()
        assert {act.move for act in found if isinstance(act, Act)} == set(legal)
        assert len(found) == len(legal)
        state = state.play(rng.choice(legal))
    finished = board.analyse(board_term(state)).finished
    outcome = state.outcome()
    assert outcome is not None
    if outcome.reason == "reached the far row":
        assert (finished.p1, finished.p2) == (outcome.winners == (0,), outcome.winners == (1,))
    else:
        assert (finished.p1, finished.p2) == (False, False)
