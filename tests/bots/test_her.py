"""HER learns by losing, exactly as the matchboxes do."""

from __future__ import annotations

from itertools import count
from random import Random
from statistics import median
from typing import TYPE_CHECKING, Any

import pytest

from bots.her_boxes import LEFT, MIDDLE, SMALL, START, beads, ended
from touchline.bots import her
from touchline.bots.her import Her
from touchline.bots.hexapawn.forced_loss import TooManyStates, line_against
from touchline.bots.hexapawn.matchboxes import full_box, labelled, mirrored
from touchline.bots.minimax import Minimax
from touchline.bots.random import Random as RandomBot
from touchline.core.events import Moved, Result
from touchline.core.messages import Resigned
from touchline.drivers.match import agreed, play_now
from touchline.games.hexapawn import Hexapawn, HexapawnPosition, HexapawnState, Step

if TYPE_CHECKING:
    from touchline.core.events import Event


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
    with pytest.raises(TooManyStates):
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
