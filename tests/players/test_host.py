"""Python files as players: what they may hold, and what becomes of what they print, raise and return."""

from __future__ import annotations

import io
import json
import sys
import textwrap
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from players.tables import TABLES, terms
from touchline.bots.random import Random as RandomBot
from touchline.core import messages
from touchline.core.clock import Clock, Limits, micros
from touchline.core.conduct import Offence
from touchline.core.errors import BadInput
from touchline.dialects.native import Native
from touchline.drivers.programs import play_local
from touchline.players.player_class import loaded
from touchline.players.process import Program
from touchline.players.python_file import serve

if TYPE_CHECKING:
    from pathlib import Path

    from touchline.core.events import Result

FIRST = """
    class First:
        def choose(self, view, turn: int = 0):
            return view.legal_moves()[0]
"""
TWO = """
    class First:
        def choose(self, view, turn: int = 0):
            return view.legal_moves()[0]
    class Last:
        def choose(self, view, turn: int = 0):
            return view.legal_moves()[-1]
"""


def written(folder: Path, code: str, name: str = "bot.py") -> str:
    path = folder / name
    path.write_text(textwrap.dedent(code))
    return str(path)


# -- loading ------------------------------------------------------------------------------------------


def test_one_class_needs_no_name(tmp_path: Path) -> None:
    """The only class with choose(view, turn) is the player."""
    assert type(loaded(written(tmp_path, FIRST))).__name__ == "First"


def test_of_several_classes_one_is_named(tmp_path: Path) -> None:
    """FILE:NAME takes that class, and no other."""
    path = written(tmp_path, TWO)
    assert type(loaded(f"{path}:First")).__name__ == "First"
    assert type(loaded(f"{path}:Last")).__name__ == "Last"


def test_several_classes_must_be_named(tmp_path: Path) -> None:
    """The message lists them and shows how one is named."""
    path = written(tmp_path, TWO)
    with pytest.raises(BadInput) as error:
        loaded(path)
    assert str(error.value) == "bot.py defines several players (First, Last): choose one with bot.py:First"


@pytest.mark.parametrize(
    "code", ["", "x = 1", "class Bot:\n    def play(self, view): ...\n", "def choose(view, turn): ..."]
)
def test_a_file_without_a_player(tmp_path: Path, code: str) -> None:
    """A function or a class without choose is no player, and the message says what is missing."""
    path = written(tmp_path, code)
    with pytest.raises(BadInput, match=r"there is no class with a method choose\(view, turn\)") as error:
        loaded(path)
    assert str(error.value).startswith("bot.py: ")


def test_a_class_of_another_name(tmp_path: Path) -> None:
    """A name that is not there is repeated in the message."""
    path = written(tmp_path, TWO)
    with pytest.raises(BadInput, match=r"there is no class 'Third' with a method choose\(view, turn\)"):
        loaded(f"{path}:Third")


def test_no_such_file(tmp_path: Path) -> None:
    """The path stands in the message."""
    with pytest.raises(BadInput, match=r"nowhere\.py: there is no such file"):
        loaded(str(tmp_path / "nowhere.py"))


def test_classes_from_elsewhere_do_not_count(tmp_path: Path) -> None:
    """A player that builds on one of the house's is the only one in its file."""
    path = written(
        tmp_path,
        """
        from random import Random
        from touchline.bots.random import Random as House
        from touchline.bots.riemann import Riemann
        class Mine(House):
            def __init__(self):
                super().__init__(Random(1))
        """,
    )
    assert type(loaded(path)).__name__ == "Mine"


def test_a_player_may_use_what_stands_in_its_file(tmp_path: Path) -> None:
    """Functions, constants and imports at the top of the file are there when it chooses."""
    path = written(
        tmp_path,
        """
        import math
        NUMBER = 0
        def pick(moves):
            return moves[math.floor(NUMBER)]
        class Bot:
            def choose(self, view, turn: int = 0):
                return pick(view.legal_moves())
        """,
    )
    game, seats = TABLES["hexapawn"]
    state = game.start(seats, Random(1))
    assert loaded(path).choose(state) == state.legal_moves()[0]


def test_a_script_part_is_not_run(tmp_path: Path) -> None:
    """What stands under `if __name__ == "__main__"` is for when its author runs it."""
    path = written(
        tmp_path, FIRST + '    if __name__ == "__main__":\n        raise SystemExit("run as a script")\n'
    )
    assert loaded(path)


# -- serving ------------------------------------------------------------------------------------------


class FirstLegal:
    def choose(self, view: Any, turn: int = 0) -> Any:
        return view.legal_moves()[0]


def conversation(*said: messages.ToPlayer, game: str = "hexapawn") -> list[dict[str, Any]]:
    """What a host answers to these messages."""
    dialect, out = Native(TABLES[game][0]), io.BytesIO()
    lines = b"".join(frame + b"\n" for message in said for frame in dialect.say(message).frames)
    serve(Native.face(FirstLegal()), io.BytesIO(lines), out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


@pytest.mark.parametrize("game", TABLES)
def test_a_host_answers_what_it_is_asked(game: str) -> None:
    """Ready, then a move with the number of the turn; news are taken in silence, and after `over` nothing."""
    rules, seats = TABLES[game]
    view = rules.start(seats, Random(1)).view(0)
    answers = conversation(
        messages.Begin(0, ("a",) * seats, view),
        messages.YourTurn(5, view, None),
        messages.Accepted(5),
        messages.Update(6, view),
        messages.Skipped(6, "why"),
        messages.Rejected(6, "why"),
        messages.YourTurn(6, view, 1000),
        messages.Over(view, "void", None, "why"),
        messages.YourTurn(7, view, None),
        game=game,
    )
    assert [answer["type"] for answer in answers] == ["ready", "act", "act"]
    assert [answer.get("turn") for answer in answers] == [None, 5, 6]
    assert msgspec.convert(answers[1]["move"], rules.Move) == view.legal_moves()[0]


def test_expelled_is_a_last_word() -> None:
    """Nothing is answered after it."""
    game, seats = TABLES["hexapawn"]
    view = game.start(seats, Random(1)).view(0)
    answers = conversation(
        messages.Begin(0, ("a", "b"), view), messages.Expelled("late"), messages.YourTurn(1, view, None)
    )
    assert [answer["type"] for answer in answers] == ["ready"]


# -- as a program --------------------------------------------------------------------------------------


def match_of(source: str, game: str = "hexapawn") -> tuple[Result, str]:
    """A match of a Python file against a bot in this process; the result, and its stderr."""
    rules, seats = TABLES[game]
    program = Program([sys.executable, "-m", "touchline.players.python_file", source])
    bots = [RandomBot(Random(seat)) for seat in range(1, seats)]
    limits = Limits(set_up=micros(20), clock=Clock(per_move=micros(10)))
    try:
        result = play_local(terms(rules, seats, limits=limits), [program, *bots])
    finally:
        program.stop(5)
    return result, program.notes.text()


@pytest.mark.parametrize("game", TABLES)
def test_a_python_file_plays(tmp_path: Path, game: str) -> None:
    """Every game, to the end, without a fault and without a word on stderr."""
    result, notes = match_of(f"{written(tmp_path, TWO)}:Last", game)
    assert (result.verdict, result.faults, notes) == ("finished", (), "")


def test_what_a_player_prints_does_not_disturb(tmp_path: Path) -> None:
    """With print, with sys.stdout or straight to descriptor 1: it all goes to stderr."""
    path = written(
        tmp_path,
        """
        import os, subprocess, sys
        print("loading", flush=True)
        class Noisy:
            def __init__(self):
                print('{"type":"act","turn":0,"move":null}')
            def choose(self, view, turn: int = 0):
                print("thinking")
                sys.stdout.write("hard\\n")
                os.write(1, b"and low\\n")
                subprocess.run(["echo", "with others"])
                return view.legal_moves()[0]
        """,
    )
    result, notes = match_of(path)
    assert (result.verdict, result.faults) == ("finished", ())
    for words in ("loading", "thinking", "hard", "and low", "with others"):
        assert words in notes


FAULTY = {
    "raises": ("raise ZeroDivisionError('oops')", Offence.GONE, "ZeroDivisionError: oops"),
    "exits": ("import sys; sys.exit('enough')", Offence.GONE, "enough"),
    "returns nothing": ("return None", Offence.MALFORMED, ""),
    "returns text": ("return 'e2-e4'", Offence.MALFORMED, ""),
    "returns an object": ("return object()", Offence.GONE, "TypeError"),
    "returns not a number": ("return float('nan')", Offence.MALFORMED, ""),
    "returns a set": ("return {1, 2}", Offence.MALFORMED, ""),
    "returns a huge number": ("return 10 ** 50", Offence.MALFORMED, ""),
    "returns the view": ("return view", Offence.GONE, ""),
    "returns all moves": ("return view.legal_moves()", Offence.MALFORMED, ""),
}


@pytest.mark.parametrize("name", FAULTY)
def test_a_player_that_errs_is_at_fault_and_its_author_sees_why(tmp_path: Path, name: str) -> None:
    """What it raises is on its stderr; what it returns is judged; the other seat wins."""
    code, offence, words = FAULTY[name]
    result, notes = match_of(
        written(tmp_path, f"class Bot:\n    def choose(self, view, turn: int = 0):\n        {code}\n")
    )
    assert result.faults[0].offence in (offence, Offence.MALFORMED)
    assert words in notes
    assert result.outcome is not None
    assert result.outcome.winners == (1,)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("class Bot(:\n", "bot.py, line 1: SyntaxError: invalid syntax: `class Bot(:`"),
        ("\nraise ValueError('at the top')", "bot.py, line 2: ValueError: at the top"),
        (
            "import no_such_module",
            "bot.py, line 1: ModuleNotFoundError: No module named 'no_such_module'; is it spelt right, and "
            "installed (python -m pip install no_such_module)?",
        ),
        (
            "x = 1",
            "bot.py: there is no class with a method choose(view, turn); write `class Bot:` with "
            "`def choose(self, view, turn)`",
        ),
        (
            "class Mine:\n    def chose(self, view, turn): ...",
            "bot.py: there is no class with a method choose(view, turn): "
            "add `def choose(self, view, turn)` to class Mine",
        ),
        (
            "class Bot:\n    def __init__(self, x): ...\n    def choose(self, view, turn: int = 0): ...\n",
            "bot.py: Bot.__init__() missing 1 required positional argument: 'x'; the class is made without "
            "arguments: give them defaults",
        ),
        (
            "class Bot:\n    def __init__(self): self.a = {}['e4']\n    def choose(self, view, turn): ...\n",
            "bot.py, line 2, in __init__: KeyError: 'e4'",
        ),
        (
            "class Bot:\n    def choose(self, view): ...\n",
            "bot.py, line 2: choose(self, view) is called with a view and a turn: write "
            "`def choose(self, view, turn)`",
        ),
    ],
)
def test_a_file_that_cannot_be_loaded_is_gone_and_says_why(tmp_path: Path, code: str, words: str) -> None:
    """The error is on stderr, with the file's name, and the seat is gone before it sat down."""
    path = written(tmp_path, code)
    result, notes = match_of(path)
    assert (result.faults[0].offence, result.faults[0].turn) == (Offence.GONE, 0)
    assert notes == f"{words}\n"
    assert result.faults[0].reason == f"exited with 1: {words}"


@pytest.mark.parametrize("code", ["input()", "for line in sys.stdin: pass", "sys.stdin.readline()"])
def test_a_program_is_not_hosted(code: str, tmp_path: Path) -> None:
    """A file that reads the protocol itself would wait for ever; it is told how it is run."""
    result, _ = match_of(written(tmp_path, f"import sys\n{code}\n"))
    assert result.faults[0].reason == (
        "exited with 1: bot.py reads stdin when it is loaded, so it is a program, and not a class with "
        "choose(view, turn): run it with 'process:python3 bot.py'"
    )


def test_an_exception_is_told_with_the_players_own_frames(tmp_path: Path) -> None:
    """Frames of the referee's side are left out, and the last line is the reason of the fault."""
    path = written(
        tmp_path,
        """
        class Bot:
            def choose(self, view, turn):
                return self.best(view)
            def best(self, view):
                return 1 // 0
        """,
    )
    result, notes = match_of(path)
    last = "bot.py, line 6, in best: ZeroDivisionError: integer division or modulo by zero"
    assert result.faults[0].reason == f"exited with 1: {last}"
    assert notes.splitlines() == [
        "bot.py, line 4, in choose: return self.best(view)",
        "bot.py, line 6, in best: return 1 // 0",
        last,
    ]


@pytest.mark.parametrize(
    ("code", "returned"),
    [("pass", "None"), ("return 'up'", "the str 'up'"), ("return view.legal_moves()", "a list"),
     ("return type(self)", None), ("return self", "a Bot")],
)  # fmt: skip
def test_a_value_that_is_no_move_is_named(tmp_path: Path, code: str, returned: str | None) -> None:
    """What choose() returned stands on stderr, with the line of the method."""
    _, notes = match_of(written(tmp_path, f"class Bot:\n    def choose(self, view, turn):\n        {code}\n"))
    if returned is not None:
        assert notes.startswith(
            f"bot.py, line 2: choose() returned {returned}; return one of view.legal_moves()"
        )
    assert "Traceback" not in notes


def test_a_module_beside_the_file_can_be_imported(tmp_path: Path) -> None:
    """A player may be more than one file, as any Python program may."""
    written(tmp_path, "def pick(moves):\n    return moves[0]\n", "helper_beside_it.py")
    path = written(
        tmp_path,
        """
        from helper_beside_it import pick
        class Bot:
            def choose(self, view, turn: int = 0):
                return pick(view.legal_moves())
        """,
    )
    result, notes = match_of(path)
    assert (result.faults, notes) == ((), "")
