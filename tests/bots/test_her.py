"""HER learns by losing, exactly as the matchboxes do; and bots hear how a match ended, whoever drives it."""

from __future__ import annotations

import asyncio
import json
import logging
import multiprocessing
import sys
import textwrap
from itertools import count
from random import Random
from statistics import median
from typing import TYPE_CHECKING, Any

import pytest

from referee.dialogue import every
from touchline.bots import her
from touchline.bots.her import Her
from touchline.bots.hexapawn import matchboxes
from touchline.bots.hexapawn.forced_loss import TooMany, line_against
from touchline.bots.hexapawn.matchboxes import full_box, labelled, mirrored
from touchline.bots.minimax import Minimax
from touchline.bots.random import Random as RandomBot
from touchline.core.events import Moved, Result
from touchline.core.messages import Resigned
from touchline.drivers.event_loop import play
from touchline.drivers.match import Learner, agreed, play_now
from touchline.drivers.pipes import play_local
from touchline.games.hexapawn import REACHED, Hexapawn, HexapawnPosition, HexapawnState, Step
from touchline.players.process import Program

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from touchline.core.events import Event
    from touchline.drivers.match import Bot, MatchSpec

SMALL = Hexapawn(rows=3, cols=3)
START: Any = SMALL.start(2, Random(0))
LEFT, MIDDLE = Step((0, 0), (1, 0)), Step((0, 1), (1, 1))


def ended(winner: int, **more: Any) -> Result:
    return Result(
        **{"verdict": "finished", "outcome": REACHED[winner], "reason": "reached", "turns": 4, **more}
    )


def beads(player: Her, view: HexapawnState) -> set[Step]:
    return set(player.may_play(view))


def position(*rows: str, seat: int = 1) -> HexapawnState:
    return Hexapawn(rows=len(rows), cols=len(rows[0])).restore(HexapawnPosition(rows, seat))


# -- the boxes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seat", "boxes", "filled"), [(1, [2, 10, 7], 45), (0, [1, 5, 10, 2], 37)], ids=["HER", "HIM"]
)
def test_as_many_boxes_as_are_needed_and_no_more(seat: int, boxes: list[int], filled: int) -> None:
    """The true minimum for three by three: 19 for HER, with 45 beads, and 18 for HIM."""
    layer, found, total = {START}, [], 0
    while layer:
        met = {labelled(state)[0]: state for state in layer if state.to_move == seat}
        found += [len(met)] if met else []
        total += sum(len(full_box(state)) for state in met.values())
        layer = {state.play(move) for state in layer for move in state.legal_moves()}
    assert (found, total) == (boxes, filled)


def test_mirror_images_share_a_box() -> None:
    """Also what was learnt in one: the move that lost is not played in the other, where it is mirrored."""
    player = Her(Random(0))
    one, other = START.play(LEFT), START.play(mirrored(LEFT, 3))
    move = player.choose(one, 1)
    player.told(1, ended(0))
    assert beads(player, one) == set(one.legal_moves()) - {move}
    assert beads(player, other) == set(other.legal_moves()) - {mirrored(move, 3)}
    assert player.learnt() == {"boxes": 1, "beads": 2, "beads taken": 1}


def test_moves_that_are_the_same_have_one_bead() -> None:
    """Where the position is its own mirror image."""
    view = START.play(MIDDLE)
    assert len(view.legal_moves()) == 4
    assert len(beads(Her(Random(0)), view)) == 2


@pytest.mark.parametrize("size", [(3, 3), (2, 5), (4, 6), (5, 5), (8, 3), (26, 26)])
def test_any_board_and_either_seat(size: tuple[int, int]) -> None:
    """One player on both seats, and it plays legally to the end."""
    game, player = Hexapawn(rows=size[0], cols=size[1]), Her(Random(1))
    for seed in range(3):
        result = play_now(agreed(game, ["a", "b"], seed), [player, player])
        assert (result.verdict, result.faults) == ("finished", ())
    assert {label.seat for label in player._boxes} == ({0, 1} if size[0] > 2 else {0})


def test_when_there_are_too_many_boxes_it_makes_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(her, "MOST_BOXES", 1)
    player = Her(Random(0))
    for view in (START.play(LEFT), START.play(MIDDLE)):
        player.choose(view, 1)
        player.told(1, ended(0))
    assert player.learnt()["boxes"] == 1
    assert len(beads(player, START.play(MIDDLE))) == 2


# -- learning ----------------------------------------------------------------------------------------


def two_moves(player: Her) -> tuple[tuple[HexapawnState, Step], tuple[HexapawnState, Step]]:
    """A game in which the second seat has moved twice, and the game goes on."""
    first = START.play(LEFT)
    step = player.choose(first, 1)
    second = first.play(step)
    second = next(after for move in second.legal_moves() if (after := second.play(move)).to_move == 1)
    return (first, step), (second, player.choose(second, 3))


def test_only_the_bead_of_the_last_move_is_taken() -> None:
    player = Her(Random(0))
    (first, _), (second, last) = two_moves(player)
    whole, before = beads(player, first), beads(player, second)
    player.told(1, ended(0))
    assert beads(player, first) == whole
    assert beads(player, second) == before - {last}


@pytest.mark.parametrize(
    "result",
    [
        ended(1),
        ended(1, expelled=(0,)),
        ended(0, expelled=(1,)),
        ended(0, verdict="forfeited"),
        ended(0, verdict="void", outcome=None),
    ],
    ids=["won", "the other was expelled", "expelled", "forfeited", "void"],
)
def test_nothing_changes_unless_the_move_was_to_blame(result: Result) -> None:
    player = Her(Random(0))
    two_moves(player)
    player.told(1, result)
    assert player.learnt()["beads taken"] == 0


def test_before_an_empty_box_it_resigns_and_the_move_before_is_to_blame() -> None:
    player = Her(Random(0))
    (first, step), (second, _) = two_moves(player)
    player.told(1, ended(0))
    while beads(player, second):
        player.choose(second, 1)
        player.told(1, ended(0))
    taken = player.learnt()["beads taken"]
    player._played[1] = (labelled(first)[0], step if not labelled(first)[1] else mirrored(step, 3))
    with pytest.raises(Resigned, match="the box is empty"):
        player.choose(second, 3)
    player.told(1, ended(0, resigned=(1,)))
    assert step not in beads(player, first)
    assert player.learnt()["beads taken"] == taken + 1


def test_with_nothing_left_to_open_with_it_resigns_at_once() -> None:
    """HIM cannot win against good play on three by three: in the end every game is resigned."""
    player, rival = Her(Random(2)), Minimax(depth=9)
    for seed in range(60):
        play_now(agreed(SMALL, ["him", "b"], seed), [player, rival])
    assert player.may_play(START) == []
    assert player.think(START).line == ()
    events: list[Event] = []
    result = play_now(agreed(SMALL, ["him", "b"], 60), [player, rival], [events.append])
    assert (result.resigned, result.faults) == ((0,), ())
    assert result.outcome is not None
    assert result.outcome.winners == (1,)
    assert not any(isinstance(event, Moved) for event in events)


def test_a_game_whose_end_it_never_heard_is_forgotten() -> None:
    """A lost game takes a bead of that game only, and one that resigns at once takes none."""
    player = Her(Random(0))
    old = START.play(MIDDLE)
    player.choose(old, 1)
    player._boxes[labelled(START.play(LEFT))[0]] = dict.fromkeys(full_box(START.play(LEFT)), 0)
    with pytest.raises(Resigned):
        player.choose(START.play(LEFT), 1)
    assert len(beads(player, old)) == 2


def test_the_colours_are_kept_apart() -> None:
    """The same board with the other seat to move is another box."""
    board = ("1..", ".12", "2..")
    player, views = Her(Random(0)), [position(*board, seat=seat) for seat in (0, 1)]
    for seat, view in enumerate(views):
        player.choose(view, seat)
    player.told(0, ended(1))
    player.told(1, ended(1))
    assert player.learnt()["boxes"] == 2
    assert len(beads(player, views[0])) == len(views[0].legal_moves()) - 1
    assert len(beads(player, views[1])) == len(views[1].legal_moves())


def losses_until_unbeatable(seed: int) -> int:
    player, rival, losses = Her(Random(seed)), RandomBot(Random(seed + 1000)), 0
    for number in count():
        result = play_now(agreed(SMALL, ["a", "b"], number), [rival, player])
        if result.outcome is not None and result.outcome.winners == (0,):
            losses += 1
            if line_against(START, 1, player.may_play) is None:
                return losses
    raise AssertionError


def test_how_often_it_loses_before_it_is_unbeatable() -> None:
    """9 to 15 times against chance, and mostly 11."""
    losses = [losses_until_unbeatable(seed) for seed in range(100)]
    assert (min(losses), median(losses), max(losses)) == (9, 11, 15)


def test_once_unbeatable_it_never_loses_again() -> None:
    player, rival = Her(Random(7)), RandomBot(Random(8))
    results = [play_now(agreed(SMALL, ["a", "b"], seed), [rival, player]) for seed in range(600)]
    assert line_against(START, 1, player.may_play) is None
    lost = [seed for seed, result in enumerate(results) if result.outcome.winners == (0,)]  # type: ignore[union-attr]
    assert lost[-1] < 500


# -- can it be beaten? -------------------------------------------------------------------------------


def test_a_line_against_a_player_is_one_that_it_may_play_and_loses() -> None:
    player = Her(Random(0))
    line = line_against(START, 1, player.may_play)
    assert line is not None
    state = START
    for move in line:
        assert state.to_move == 0 or move in player.may_play(state)
        state = state.play(move)
    assert state.outcome().winners == (0,)


def test_who_plays_perfectly_cannot_be_beaten() -> None:
    perfect = Minimax(depth=9)
    assert line_against(START, 1, lambda view: [perfect.choose(view)]) is None
    assert line_against(START, 0, lambda view: [perfect.choose(view)]) is not None


def test_who_may_play_nothing_has_lost() -> None:
    assert line_against(START, 0, lambda view: []) == []


def test_what_cannot_be_known_is_not_claimed() -> None:
    game: Any = Hexapawn()
    with pytest.raises(TooMany):
        line_against(game.start(2, Random(0)), 1, Her(Random(0)).may_play, most=5)


# -- thoughts ----------------------------------------------------------------------------------------


def test_it_says_what_is_in_the_box_and_plays_what_it_thought() -> None:
    player = Her(Random(0))
    view = START.play(LEFT)
    thought = player.think(view)
    assert thought.says == "3 beads in the box"
    assert player.think(view) == thought
    assert player.learnt()["boxes"] == 0
    assert player.choose(view, 1) == thought.line[0]
    player.told(1, ended(0))
    assert player.think(view).says == "2 beads in the box, 1 taken away"
    player.choose(view, 1)
    player.told(1, ended(0))
    assert player.think(view).says == "1 bead in the box, 2 taken away"


# -- memory ------------------------------------------------------------------------------------------


def schooled(path: Path, seed: int = 1, games: int = 60) -> Her:
    player, rival = Her(Random(seed), memory=str(path)), RandomBot(Random(seed))
    for number in range(games):
        pair: list[Bot] = [rival, player] if number % 2 else [player, rival]
        play_now(agreed(SMALL, ["a", "b"], number), pair)
    return player


def test_what_it_learnt_is_there_the_next_time(tmp_path: Path) -> None:
    path = tmp_path / "her.json"
    player = schooled(path)
    again = Her(Random(1), memory=str(path))
    assert again._boxes == player._boxes
    assert again.learnt()["beads taken"] > 5
    assert [file.name for file in tmp_path.iterdir()] == ["her.json"]


def test_a_person_can_read_it(tmp_path: Path) -> None:
    """The rows of the board, and the moves as one types them, with their beads."""
    path = tmp_path / "her.json"
    player = Her(Random(0), memory=str(path))
    move = player.choose(START.play(MIDDLE), 1)
    player.told(1, ended(0))
    taken = " ".join(f"{row},{col}" for row, col in (move.origin, move.target))
    box = {"2,0 1,0": 1, "2,0 1,1": 1, taken: 0}
    assert json.loads(path.read_text()) == {"her": 1, "first": {}, "second": {"1.1/.1./222": box}}


def test_a_resignation_is_remembered_at_once(tmp_path: Path) -> None:
    """For a player elsewhere hears nothing after that."""
    path = tmp_path / "her.json"
    player = Her(Random(0), memory=str(path))
    view = START.play(LEFT)
    player.choose(view, 1)
    player._boxes[labelled(START.play(MIDDLE))[0]] = dict.fromkeys(full_box(START.play(MIDDLE)), 0)
    with pytest.raises(Resigned):
        player.choose(START.play(MIDDLE), 3)
    assert len(beads(Her(Random(0), memory=str(path)), view)) == 2


GOOD = {"her": 1, "first": {}, "second": {"1.1/.1./222": {"2,0 1,0": 1, "2,0 1,1": 0}}}


def with_box(board: str, box: dict[str, Any], seat: str = "second") -> str:
    return json.dumps({**GOOD, seat: {board: box}})


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "truncated"),
        (json.dumps(GOOD)[:-9], "truncated"),
        ("[]", "Expected `object`"),
        ("[" * 100_000, "no memory of matchboxes"),
        ("\xff\xfe", "no memory of matchboxes"),
        (json.dumps({**GOOD, "her": 2}), "Invalid enum value 2"),
        (json.dumps({**GOOD, "him": {}}), "him"),
        (json.dumps({"her": 1, "first": {}}), "second"),
        (with_box("1.1/.1./222", {"2,0 1,0": 2, "2,0 1,1": 1}), "<= 1"),
        (with_box("1.1/.1./222", {"2,0 1,0": -1, "2,0 1,1": 1}), ">= 0"),
        (with_box("1.1/.1./222", {"2,0 1,0": 1.5, "2,0 1,1": 1}), "int"),
        (with_box("1.1/.1./222", {"2,0 1,0": 1}), "its moves are 2,0 1,0, 2,0 1,1"),
        (with_box("1.1/.1./222", {"2,0 1,0": 1, "2,0 1,1": 1, "2,2 1,2": 1}), "its moves are"),
        (with_box("11./..1/222", {"2,0 1,0": 1}), "mirror image"),
        (with_box("1.1/.1./22", {}), "3 rows by 3 columns"),
        (with_box("1.1/.3./222", {}), "1, 2 and . only"),
        (with_box("...", {}), "rows"),
        (with_box("", {}), "columns"),
        (with_box(".../1../2..", {}), "nobody can move"),
    ],
)  # fmt: skip
def test_a_damaged_memory_is_refused_by_name(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "her.json"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(ValueError, match="name another file, or move this one away") as raised:
        Her(Random(0), memory=str(path))
    assert str(path) in str(raised.value)
    assert why in str(raised.value)
    assert path.read_bytes() == text.encode("latin-1")


def test_a_memory_that_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "her.json"
    path.write_text(json.dumps(GOOD))
    monkeypatch.setattr(matchboxes, "MOST_BOXES", 0)
    with pytest.raises(ValueError, match="more than 0 boxes"):
        Her(Random(0), memory=str(path))
    monkeypatch.setattr(matchboxes, "MOST_BYTES", 20)
    with pytest.raises(ValueError, match="more than 20 bytes"):
        Her(Random(0), memory=str(path))


def test_the_fullest_memory_can_be_read_again() -> None:
    """As many boxes as there may be, each as large as it can be, are fewer bytes than are read."""
    row = "12" * 13
    widest = len(json.dumps("/".join([row] * 26))) + 26 * 3 * len('"25,25 24,24": 1, ') + 8
    assert widest * matchboxes.MOST_BOXES < matchboxes.MOST_BYTES


@pytest.mark.parametrize("where", ["missing/her.json", "."])
def test_a_place_where_nothing_can_be_saved_is_refused_at_once(tmp_path: Path, where: str) -> None:
    with pytest.raises(ValueError, match=r"folder|cannot be read"):
        Her(Random(0), memory=str(tmp_path / where))


def test_a_memory_that_cannot_be_saved_costs_no_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The old one stays whole, and nothing else is left behind."""
    path = tmp_path / "her.json"
    path.write_text(json.dumps(GOOD))
    player = Her(Random(0), memory=str(path))

    def full(old: str, new: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    result = play_now(agreed(SMALL, ["a", "b"], 1), [player, RandomBot(Random(0))])
    assert result.faults == ()
    assert "could not be saved" in caplog.text
    assert json.loads(path.read_text()) == GOOD
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(OSError, match="No space"):
        player.save()


def _scribble(path: str, seed: int) -> None:
    player = Her(Random(seed), memory=path)
    for number in range(40):
        play_now(agreed(SMALL, ["a", "b"], number), [RandomBot(Random(number)), player])
        assert matchboxes.loaded(path)  # whoever wrote last, it is a whole file


def test_two_processes_with_one_memory(tmp_path: Path) -> None:
    path = tmp_path / "her.json"
    spawn = multiprocessing.get_context("spawn")
    both = [spawn.Process(target=_scribble, args=(str(path), seed)) for seed in (1, 2)]
    for process in both:
        process.start()
    for process in both:
        process.join(60)
    assert [process.exitcode for process in both] == [0, 0]
    assert list(tmp_path.iterdir()) == [path]


# -- how it ended ------------------------------------------------------------------------------------


class Ear:
    """A bot that plays the first move, or another one, and remembers what it was told."""

    def __init__(self, move: Any = None) -> None:
        self._move = move
        self.heard: list[tuple[int, Result]] = []

    def choose(self, view: Any, turn: int) -> Any:
        return self._move or view.legal_moves()[0]

    def told(self, seat: int, result: Result) -> None:
        self.heard.append((seat, result))


class Deafened(Ear):
    def told(self, seat: int, result: Result) -> None:
        super().told(seat, result)
        raise RuntimeError("my ears")


def in_a_loop(spec: MatchSpec, bots: list[Any]) -> Result:
    return asyncio.run(play(spec, bots))


DRIVERS: list[Callable[..., Result]] = [play_now, play_local, in_a_loop]
driven = pytest.mark.parametrize("driver", DRIVERS)


@driven
def test_everybody_is_told_once_how_it_ended(driver: Callable[..., Result]) -> None:
    ears = [Ear(), Ear()]
    assert isinstance(ears[0], Learner)
    result = driver(agreed(SMALL, ["a", "b"], 1), ears)
    assert [ear.heard for ear in ears] == [[(0, result)], [(1, result)]]


@driven
def test_one_bot_on_two_seats_is_told_of_both(driver: Callable[..., Result]) -> None:
    ear = Ear()
    result = driver(agreed(SMALL, ["a", "b"], 1), [ear, ear])
    assert ear.heard == [(0, result), (1, result)]


@driven
@pytest.mark.parametrize(
    ("sanction", "verdict"), [("expel", "finished"), ("void", "void"), ("forfeit", "forfeited")]
)
def test_every_ending_is_told(driver: Callable[..., Result], sanction: str, verdict: str) -> None:
    """Also to the one who was the cause of it."""
    ears = [Ear(), Ear(move="nonsense")]
    result = driver(agreed(SMALL, ["a", "b"], 1, conduct=every(sanction)), ears)
    assert result.verdict == verdict
    assert result.expelled == ((1,) if sanction == "expel" else ())
    assert [ear.heard for ear in ears] == [[(0, result)], [(1, result)]]


@driven
def test_who_fails_when_it_is_told_harms_nobody(
    driver: Callable[..., Result], caplog: pytest.LogCaptureFixture
) -> None:
    ears = [Deafened(), Ear()]
    with caplog.at_level(logging.ERROR):
        result = driver(agreed(SMALL, ["a", "b"], 1), ears)
    assert (result.verdict, result.faults) == ("finished", ())
    assert [len(ear.heard) for ear in ears] == [1, 1]
    assert "my ears" in caplog.text


def test_bots_that_do_not_want_to_hear_it() -> None:
    assert play_now(agreed(SMALL, ["a", "b"], 1), [RandomBot(Random(0)), Minimax(depth=2)]).faults == ()


HOSTED = """
    class Ear:
        def choose(self, view, turn):
            return view.legal_moves()[0]

        def told(self, seat, result):
            with open({where!r}, "a") as file:
                print(seat, result.verdict, result.outcome.winners, result.reason, file=file)
            {then}
"""


@pytest.mark.parametrize("then", ["pass", "raise RuntimeError('my ears')"])
def test_a_python_file_in_a_process_of_its_own_hears_it_too(tmp_path: Path, then: str) -> None:
    where, file = tmp_path / "heard", tmp_path / "ear.py"
    file.write_text(textwrap.dedent(HOSTED.format(where=str(where), then=then)))
    program = Program([sys.executable, "-m", "touchline.players.python_file", str(file)])
    try:
        result = play_local(agreed(SMALL, ["a", "b"], 1), [Ear(), program])
    finally:
        program.hang_up()
        program.stop(10)
    assert result.outcome is not None
    assert where.read_text() == f"1 finished {result.outcome.winners} {result.reason}\n"
    assert ("my ears" in program.notes.text()) == (then != "pass")
