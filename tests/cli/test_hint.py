"""`touchline hint`, `hint` at the table, and players that think aloud."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from cli.commands import touchline
from cli.shell import Shell
from obvious.thinkers import Eager, Exhaustive
from recorded import BLUNDER, FLAWLESS, SMALL, record
from touchline.bots.her import Her
from touchline.cli._thinkers import Aloud, adviser
from touchline.core.messages import Resigned
from touchline.drivers.match import agreed, play_now
from touchline.games.labyrinth import PASS, Labyrinth
from touchline.players.terminal import Terminal
from touchline.records.replay import Replay

if TYPE_CHECKING:
    from touchline.bots.base import Thought
    from touchline.core.events import Event

THINKERS = str(Path(__file__).parent.parent / "obvious" / "thinkers.py")
KNOWS = ("--with", f"{THINKERS}:Exhaustive")
LOOKS = ("--with", f"{THINKERS}:Eager")


def file(folder: Path, data: bytes, name: str = "match.jsonl") -> str:
    path = folder / name
    path.write_bytes(data)
    return str(path)


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(monkeypatch, capsys)


def test_a_hint_says_what_to_play_and_why(shell: Shell, tmp_path: Path) -> None:
    """The move as one types it, how it stands, and what is expected then."""
    path = file(tmp_path, record(SMALL, 2, BLUNDER))
    done = shell.touchline("hint", f"{path}@1", *KNOWS)
    assert (done.returncode, done.stderr) == (0, "")
    first, second, third = done.stdout.splitlines()
    assert first == "seat 1: play 2,1 1,0: wins"
    assert second == "it stands: seat 0 0.00, seat 1 1.00"
    assert third.startswith("expected then: 0,")


def test_a_hint_as_json(shell: Shell, tmp_path: Path) -> None:
    """The line in both forms; its first move is the one to play."""
    path = file(tmp_path, record(SMALL, 2, BLUNDER))
    said = shell.result("hint", f"{path}@1", *KNOWS)
    assert (said["game"], said["turn"]) == ("hexapawn", 1)
    advice = said["advice"]
    assert (advice["seat"], advice["values"], advice["says"]) == (1, [0, 1], "wins")
    assert advice["line"][0] == {"from": [2, 1], "to": [1, 0]}
    assert advice["spelled"][0] == "2,1 1,0"


def test_a_hint_where_a_record_stops(shell: Shell, tmp_path: Path) -> None:
    """Somebody was interrupted, and wants to know how to go on."""
    lines = record(SMALL, 2, BLUNDER).splitlines(keepends=True)
    cut = file(tmp_path, b"".join(lines[:2]))
    assert shell.result("hint", cut, *KNOWS)["advice"]["spelled"][0] == "2,1 1,0"
    whole = file(tmp_path, b"".join(lines), "whole.jsonl")
    assert "is over: name a turn, as in" in shell.refused("hint", whole, *KNOWS)


def test_a_hint_for_a_position_that_show_wrote(shell: Shell) -> None:
    """Standard input takes what `show --json` prints, of any game."""
    for game in ("fish", "hexapawn", "labyrinth"):
        shown = shell.touchline("show", game, "--seed", "5", "--moves", "7", "--json").stdout
        said = shell.result("hint", "-", *LOOKS, stdin=shown)
        position = json.loads(shown)["position"]
        assert said["advice"]["seat"] == position["to_move"]
        assert said["game"] == game


def test_a_hint_keeps_what_is_hidden(shell: Shell, tmp_path: Path) -> None:
    """With the record of an ended match at hand, it is the same as from the seat's own view."""
    data = record(Labyrinth(rows=5, cols=5), 2, [PASS, PASS], seed=3)
    state = Replay(data, "a match").opening()
    view = {"position": state.view(0).position(), "game": "labyrinth", "options": {"rows": 5, "cols": 5}}
    told = shell.result("hint", f"{file(tmp_path, data)}@0", *LOOKS)
    seen = shell.result("hint", "-", *LOOKS, stdin=msgspec.json.encode(view).decode())
    assert told["advice"] == seen["advice"]
    blind = view | {"position": state.view(None).position()}
    path = file(tmp_path, msgspec.json.encode(blind), "blind.json")
    assert "this position lacks the secrets of seat 0, which is to move" in shell.refused(
        "hint", path, *LOOKS
    )


# -- at the table ----------------------------------------------------------------------------------------


class Person:
    """Somebody who types these lines, and then hangs up."""

    def __init__(self, *lines: str, hints: bool = True) -> None:
        self.lines, self.told, self.asked = [*lines], list[str](), list[Any]()
        advise = self._advise if hints else None
        self.terminal = Terminal(self._ask, lambda sketch: None, self.told.append, advise)

    def _ask(self, prompt: str) -> str:
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)

    def _advise(self, view: Any) -> str:
        self.asked.append(view)
        return "a hint"


def test_a_hint_at_the_table_plays_nothing() -> None:
    """It is told, as often as it is asked for, and the person is asked again."""
    view = SMALL.start(2, Random(0))
    person = Person("hint", " hint ", "0,1 1,1")
    assert person.terminal.choose(view) == view.legal_moves()[1]
    assert [line for line in person.told if line == "a hint"] == ["a hint", "a hint"]
    assert person.asked == [view, view]
    with pytest.raises(Resigned, match="hung up"):
        Person("hint").terminal.choose(view)


def test_without_anybody_to_ask_there_is_no_hint() -> None:
    """The word is like any other, and is not mentioned."""
    person = Person("hint", "0,1 1,1", hints=False)
    person.terminal.choose(SMALL.start(2, Random(0)))
    assert "no legal move begins with 'hint'" in person.told[2]


def test_a_hint_on_the_command_line() -> None:
    """A person asks and gives up: the hint names a legal move, and nobody is at fault."""
    done = touchline("play", "hexapawn", "human", "random", "--rows", "3", "--cols", "3", "--seed", "1",
                     stdin="hint\nresign\n")  # fmt: skip
    assert done.returncode == 0
    (hint,) = [line for line in done.stdout.splitlines() if "play " in line]
    assert any(f"play {move}" in hint for move in ("0,0 1,0", "0,1 1,1", "0,2 1,2"))
    assert "human (seat 0) resigned" in done.stdout


def test_a_hint_that_fails_costs_nobody_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told instead."""

    def broken(*_: Any) -> Any:
        raise RuntimeError("out of ideas")

    monkeypatch.setattr("touchline.cli._thinkers.thinker", broken)
    assert adviser("hexapawn")(SMALL.start(2, Random(0))) == "there is no hint: out of ideas"


# -- thinking aloud --------------------------------------------------------------------------------------


def test_a_player_thinks_aloud_once_a_move() -> None:
    """A line for each move, which is the one it makes; the match is as without."""
    thoughts: list[Any] = []

    class Counting(Exhaustive):
        def think(self, view: Any) -> Thought:
            thoughts.append(view)
            return super().think(view)

    told: list[str] = []
    silent: list[Event] = []
    loud: list[Event] = []
    play_now(agreed(SMALL, ["a", "b"], 1), [Exhaustive(), Exhaustive()], [silent.append])
    players = [Aloud(Counting(), "one", told.append), Aloud(Counting(), "two", told.append)]
    play_now(agreed(SMALL, ["a", "b"], 1), players, [loud.append])
    moves = [getattr(event, "move", None) for event in loud]
    assert moves == [getattr(event, "move", None) for event in silent]
    assert len(thoughts) == len(told) == len([move for move in moves if move is not None])
    assert told[0].startswith("seat 0 one: does not win; plays 0,0 1,0, expects 2,1 1,0; ")
    assert told[1].startswith("seat 1 two: wins; plays 2,1 1,0, expects ")


def test_a_player_that_learns_still_learns() -> None:
    """It knows what it played, and hears how it ended."""
    told: list[str] = []
    for seed in range(40):
        beaten = Her(Random(seed))
        result = play_now(agreed(SMALL, ["a", "b"], 1), [Exhaustive(), Aloud(beaten, "her", told.append)])
        if result.outcome is not None and 0 in result.outcome.winners:
            again = Her(Random(seed))
            play_now(agreed(SMALL, ["a", "b"], 1), [Exhaustive(), again])
            assert vars(beaten)["_boxes"] == vars(again)["_boxes"]
            return
    pytest.fail("it never lost")


@pytest.mark.parametrize("player", ["minimax:depth=2", "native+minimax:depth=2", "seed-002+minimax:depth=2"])
def test_thinking_aloud_on_the_command_line(shell: Shell, player: str) -> None:
    """On stderr, a line for each of its moves; stdout is as without. In any dialect."""
    words = ("play", "hexapawn", player, "greedy", "--rows", "3", "--cols", "3", "--seed", "2")
    done, silent = shell.touchline(*words, "--think"), shell.touchline(*words)
    assert (done.returncode, done.stdout) == (0, silent.stdout)
    assert done.stderr.startswith(silent.stderr)
    lines = done.stderr.splitlines()[1:]
    assert lines[0].startswith("seat 0 minimax:depth=2: ")
    assert lines[1].startswith("seat 1 greedy: ")
    assert all("; plays " in line for line in lines)


def test_thinking_aloud_is_for_one_game(shell: Shell) -> None:
    """And where nobody can, that is said."""
    words = ("play", "hexapawn", "random", "random", "--seed", "1", "--think")
    assert "--think is for one game" in shell.refused(*words, "--games", "2")


def test_where_nobody_thinks_it_is_said(tmp_path: Path) -> None:
    """A program's thoughts are its own."""
    path = file(
        tmp_path, b"class First:\n    def choose(self, view, turn): return view.legal_moves()[0]\n", "b.py"
    )
    done = touchline("play", "hexapawn", path, path, "--seed", "1", "--think")
    assert "note: no player of this match explains its moves" in done.stderr


def test_eager_is_what_it_says() -> None:
    """What these tests lean on: its line is one legal move."""
    view = SMALL.start(2, Random(0))
    for move in FLAWLESS[:-1]:
        assert Eager().think(view).line[0] in view.legal_moves()
        view = view.play(move)
