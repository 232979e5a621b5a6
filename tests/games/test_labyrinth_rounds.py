"""The course of a game of Labyrinth: goals, rounds, passes, removed seats, the end."""

from __future__ import annotations

import pytest

from games.labyrinth_boards import ended, go, open_board, seeker, three, two_on_open_board, where
from touchline.games.labyrinth import Pass, SeekerPosition


def test_reaching_the_goal_sends_one_home() -> None:
    """Who reaches its only goal is sent home, and ends the game by coming home in a later turn."""
    state = two_on_open_board().play(go((3, 3)))
    assert state.reached == 0
    assert state.position().seekers[0] == seeker((3, 3), (1, 1), (1, 1), found=1, homeward=True)
    state = state.play(Pass())
    assert state.reached is None
    outcome = ended(state.play(go((1, 1), 2)))
    assert outcome.winners == (0,)
    assert outcome.scores == (1, 0)
    assert outcome.ranks == (1, 2)
    assert outcome.reason == "came home"


def test_only_ones_own_move_reaches_a_goal() -> None:
    """To be carried onto the goal by a push, or to start there, does not count."""
    state = open_board(seeker((3, 3), (1, 1), (3, 3)), seeker((1, 3), (1, 3), (3, 1)))
    assert state.reached is None
    state = state.play(Pass()).play(go((1, 2)))
    assert state.position().seekers[0].found == 0
    carried = open_board(seeker((0, 3), (1, 1), (0, 0)), seeker((1, 3), (1, 3), (3, 1)))
    carried = carried.play(Pass()).play(go((1, 2), 0, "RIGHT"))
    assert where(carried, 0) == (0, 0)
    assert carried.reached is None
    assert carried.position().seekers[0].found == 0


def test_a_goal_at_home_does_not_win_at_once() -> None:
    """Who finds its goal at home must leave and come back."""
    state = open_board(seeker((0, 0), (1, 1), (1, 1)), seeker((1, 3), (1, 3), (3, 1)))
    state = state.play(go((1, 1)))
    assert state.to_move == 1
    assert state.position().seekers[0] == seeker((1, 1), (1, 1), (1, 1), found=1, homeward=True)
    state = state.play(Pass()).play(go((1, 2))).play(Pass())
    assert state.to_move == 0
    assert ended(state.play(go((1, 1)))).reason == "came home"


def test_the_rest_of_the_round_is_not_played_after_a_homecoming() -> None:
    """The game ends the moment somebody comes home."""
    state = open_board(
        seeker((0, 0), (1, 1), (1, 1), found=1, homeward=True), seeker((1, 3), (1, 3), (3, 1))
    ).play(go((1, 1)))
    assert state.to_move is None
    assert state.legal_moves() == []


def test_the_sequence_of_goals_is_common_to_all() -> None:
    """Who reaches its goal first gets the first goal of the sequence, the next one the next."""
    state = open_board(
        seeker((1, 1), (1, 1), (3, 3)), seeker((1, 3), (1, 3), (3, 1)), pool=((1, 3), (3, 3), (1, 1))
    )
    state = state.play(go((3, 3))).play(go((3, 1)))
    seekers = state.position().seekers
    assert [(one.goal, one.found, one.homeward) for one in seekers] == [
        ((1, 3), 1, False),
        ((3, 3), 1, False),
    ]
    assert state.position().pool == ((1, 1),)
    state = state.play(go((1, 3))).play(go((3, 3)))
    seekers = state.position().seekers
    assert [(one.goal, one.found) for one in seekers] == [((1, 1), 2), ((1, 3), 2)]
    assert [one.homeward for one in seekers] == [True, True]


def test_the_last_goal_at_home_is_the_homecoming() -> None:
    """If the last goal of all is one's home, to reach it ends the game and is no treasure."""
    state = open_board(seeker((1, 1), (1, 1), (3, 3)), seeker((1, 3), (1, 3), (3, 1)), pool=((1, 1),))
    outcome = ended(state.play(go((3, 3))).play(Pass()).play(go((1, 1))))
    assert outcome.scores == (1, 0)
    assert outcome.winners == (0,)
    assert outcome.reason == "came home"


def test_an_earlier_goal_at_home_counts() -> None:
    """If more goals follow, a goal at one's own home is a treasure like any other."""
    state = open_board(seeker((1, 1), (1, 1), (3, 3)), seeker((1, 3), (1, 3), (3, 1)), pool=((1, 1), (3, 1)))
    state = state.play(go((3, 3))).play(Pass()).play(go((1, 1)))
    assert state.to_move == 1
    assert state.position().seekers[0] == seeker((1, 1), (1, 1), (3, 1), found=2)


def test_who_ends_the_game_may_lose() -> None:
    """Most treasures win, even over the seat that came home."""
    outcome = ended(
        open_board(
            seeker((0, 0), (1, 1), (1, 1), found=1, homeward=True), seeker((1, 3), (1, 3), (3, 1), found=2)
        ).play(go((1, 1)))
    )
    assert outcome.winners == (1,)
    assert outcome.scores == (1, 2)
    assert outcome.ranks == (2, 1)


def test_who_comes_home_wins_alone_among_equals() -> None:
    """With as many treasures, the seat that came home beats one that stands on its target."""
    outcome = ended(
        open_board(
            seeker((0, 0), (1, 1), (1, 1), found=1, homeward=True),
            seeker((1, 3), (1, 3), (1, 3), found=1, homeward=True),
        ).play(go((1, 1)))
    )
    assert outcome.winners == (0,)


@pytest.mark.parametrize(
    ("first", "second", "winners"),
    [
        (seeker((3, 3), (1, 1), (1, 1)), seeker((1, 0), (1, 3), (1, 3)), (0,)),  # 8 against 9
        (seeker((3, 2), (1, 1), (1, 1)), seeker((1, 1), (1, 3), (3, 2)), (0, 1)),  # 5 against 5
        (seeker((1, 1), (1, 1), (3, 3)), seeker((1, 2), (1, 3), (1, 3)), (1,)),
        (seeker((0, 0), (1, 1), (3, 3), 1), seeker((3, 1), (1, 3), (3, 1)), (0,)),
        (seeker((0, 0), (1, 1), (1, 1), 1, True), seeker((1, 1), (1, 3), (1, 1), 0), (0,)),
        (seeker((1, 3), (1, 1), (1, 1), 1, True), seeker((3, 2), (1, 3), (3, 1), 1), (1,)),
    ],
)
def test_the_nearest_wins_when_everybody_passes(
    first: SeekerPosition, second: SeekerPosition, winners: tuple[int, ...]
) -> None:
    """Among equals in treasures the Euclidean distance to the next target decides, and all ties win."""
    outcome = ended(open_board(first, second).play(Pass()).play(Pass()))
    assert outcome.winners == winners
    assert outcome.reason == "everybody passed"


def test_all_pass_is_about_a_round() -> None:
    """Passes in a row across two rounds do not end the game; a round of passes does."""
    state = two_on_open_board().play(go((1, 2))).play(Pass()).play(Pass())
    assert state.to_move == 1
    state = state.play(go((1, 2)))
    assert state.round == 3
    state = state.play(Pass()).play(Pass())
    assert ended(state).reason == "everybody passed"


def test_removed_seats_do_not_count_in_a_round_of_passes() -> None:
    """If all who survive a round have passed the game ends, whatever the removed had done."""
    moved_then_removed = three().play(go((1, 2))).play(Pass()).without(0)
    assert moved_then_removed.to_move == 2
    assert ended(moved_then_removed.play(Pass())).reason == "everybody passed"
    assert ended(three().play(Pass()).play(Pass()).without(2)).reason == "everybody passed"
    assert ended(three().without(0).play(Pass()).play(Pass())).reason == "everybody passed"
    others_moved = three().play(go((1, 2))).play(Pass()).without(2)
    assert others_moved.to_move == 0
    assert others_moved.round == 2


def test_a_removed_seat_drops_out_of_the_round() -> None:
    """The turn passes to the next seat that is due, and later rounds go without the removed one."""
    state = three().without(0)
    assert state.to_move == 1
    assert where(state, 0) is None
    assert three().without(1).to_move == 0
    state = three().without(1).play(go((1, 2)))
    assert state.to_move == 2
    assert state.play(Pass()).to_move == 0


def test_a_seat_removed_when_told_its_next_goal_does_not_close_the_round() -> None:
    """If the move that closed a round was by a seat removed right then, the others' passes end the game."""
    state = three().play(Pass()).play(Pass()).play(go((1, 3)))
    assert (state.reached, state.round, state.to_move) == (2, 2, 0)
    failed = state.without(2)
    outcome = ended(failed)
    assert outcome.reason == "everybody passed"
    assert outcome.ranks[2] is None
    assert failed.position().last == (0, "RIGHT")
    going_on = three().play(Pass()).play(go((1, 2))).play(go((1, 3), 0)).without(2)
    assert (going_on.to_move, going_on.round) == (0, 2)
    another = state.without(0)
    assert (another.to_move, another.round) == (1, 2)


def test_the_game_lasts_a_thousand_rounds() -> None:
    """The game ends after the thousandth round, not before."""
    state = two_on_open_board()
    rounds = 0
    while state.to_move is not None:
        if state.to_move == 0:
            rounds += 1
            assert state.round == rounds
            state = state.play(go((1, 2) if where(state, 0) == (1, 1) else (1, 1), 2, "LEFT"))
        else:
            state = state.play(Pass())
    assert rounds == 1000
    outcome = ended(state)
    assert outcome.reason == "1000 rounds are over"
    assert outcome.winners == (0, 1)


def test_the_last_round_is_played_to_its_end() -> None:
    """In round 1000 everybody still has a turn."""
    state = two_on_open_board(round=1000).play(go((1, 2)))
    assert state.to_move == 1
    assert state.play(go((1, 2))).to_move is None


def test_without_anybody_nobody_wins() -> None:
    """When all seats are removed the game is over and has no winner."""
    state = three().without(1).without(2).without(0)
    assert state.to_move is None
    outcome = ended(state)
    assert outcome.winners == ()
    assert outcome.ranks == (None, None, None)
    assert outcome.reason == "nobody is left"


def test_the_lone_survivor_plays_on() -> None:
    """A seat that is left alone goes on, and its pass is a round of passes."""
    state = two_on_open_board().without(1).play(go((3, 3)))
    assert state.to_move == 0
    assert ended(state.play(Pass())).winners == (0,)
    assert ended(state.play(go((1, 1)))).reason == "came home"


def test_a_removed_seat_keeps_its_treasures_and_has_no_rank() -> None:
    """A removed seat cannot win, whatever it has found."""
    state = open_board(seeker((1, 1), (1, 1), (3, 3)), seeker((1, 3), (1, 3), (3, 1), found=5)).without(1)
    outcome = ended(state.play(Pass()))
    assert outcome.winners == (0,)
    assert outcome.ranks == (1, None)
    assert outcome.scores == (0, 5)
