"""Which games are chosen: the least known version, near opponents, seats and boards in turn."""

from __future__ import annotations

from collections import Counter

from touchline.league.matchmaking import Matchmaking
from touchline.league.roster import Status, Version
from touchline.league.skills import Skills
from touchline.tournament.ledger.base import Finished
from touchline.tournament.pairing import Pairing, Played


def _version(name: str, status: Status = "active", entrant: str = "") -> Version:
    return Version(
        name=name, entrant=entrant or name, number=1, digest="", player="random", size=0, upload="", at=0.0,
        status=status,
    )  # fmt: skip


def _won(number: int, *names: str, moves: str = "") -> Finished:
    ranks = tuple(range(1, len(names) + 1))
    played = Played(Pairing(number, 0, names, number), "finished", (0,), ranks, ranks)
    return Finished(
        played=played, result=b"{}", digest=moves or str(number), worker="", seconds=0.0,
        oversubscribed=False, at=0.0, voided=None,
    )  # fmt: skip


def test_the_least_known_version_is_chosen() -> None:
    """Whoever has played least has the largest uncertainty, and sits at the next table."""
    skills = Skills()
    skills.add(1.0, [_won(number, "a", "b") for number in range(10)])
    playing = [_version(name) for name in "abc"]
    (first, second) = Matchmaking(1, 2, 100).next_games(playing, skills)
    assert first.entrants[0] == "c"
    assert second.entrants == first.entrants[::-1]
    assert first.board == second.board


def test_opponents_are_near() -> None:
    """A version whose rating is known meets its neighbour, not the other end of the table."""
    skills = Skills()
    for number in range(60):
        skills.add(float(number), [_won(3 * number, "a", "b"), _won(3 * number + 1, "b", "c")])
    skills.add(100.0, [_won(1000, "d", "c"), _won(1001, "d", "c"), _won(1002, "b", "d")])
    playing = [_version("a", "older"), _version("b", "older"), _version("c", "older"), _version("d")]
    (game, _) = Matchmaking(1, 2, 100).next_games(playing, skills)
    near = min("abc", key=lambda name: abs(skills.of(name).mu - skills.of("d").mu))
    assert game.entrants == ("d", near)


def test_versions_of_one_entrant_never_meet() -> None:
    """An old version could lose to the new one on purpose."""
    playing = [_version("ann v1", "older", "ann"), _version("ann v2", entrant="ann"), _version("bob v1")]
    matchmaking, skills = Matchmaking(1, 2, 1000), Skills()
    for _ in range(20):
        for game in matchmaking.next_games(playing, skills):
            assert {"ann v1", "ann v2"} != {*game.entrants}
    assert Matchmaking(1, 3, 100).next_games(playing, skills) == []


def test_boards_are_taken_in_turn() -> None:
    """The version that is chosen has played every kind of board equally often, within one table."""
    matchmaking, skills = Matchmaking(3, 2, 1000), Skills()
    playing = [_version("a"), _version("b", "house")]
    seen = Counter(game.board % 3 for _ in range(30) for game in matchmaking.next_games(playing, skills))
    assert seen == {0: 20, 1: 20, 2: 20}


def test_every_seat_is_taken_once() -> None:
    """The games of a table of four rotate its seats, on one board; the next table has another seed."""
    matchmaking, skills = Matchmaking(2, 4, 1000), Skills()
    playing = [_version(name) for name in "abcdef"]
    games = matchmaking.next_games(playing, skills)
    assert len(games) == 4
    for seat in range(4):
        assert len({game.entrants[seat] for game in games}) == 4
    again = matchmaking.next_games(playing, skills)
    assert {game.board for game in games}.isdisjoint({game.board for game in again})


def test_a_version_that_has_played_enough_rests() -> None:
    """It is an opponent of others only; when all rest, there are no games."""
    matchmaking, skills = Matchmaking(1, 2, 10), Skills()
    playing = [_version("a"), _version("b", "house")]
    games = [game for _ in range(20) for game in matchmaking.next_games(playing, skills)]
    assert len(games) == 10
    assert matchmaking.next_games([*playing, _version("c")], skills)[0].entrants[0] == "c"


def test_the_choice_follows_from_the_ledger() -> None:
    """Matchmaking that has noted the same games chooses the same next ones."""
    playing = [_version(name) for name in "abcde"]
    first, second, skills = Matchmaking(2, 2, 100), Matchmaking(2, 2, 100), Skills()
    for _ in range(12):
        for game in first.next_games(playing, skills):
            second.note(game, done=False)
    assert first.next_games(playing, skills) == second.next_games(playing, skills)


def test_a_copy_of_a_game_is_no_evidence() -> None:
    """It is counted as a game, but leaves the ratings as they were; with seats swapped it is another game."""
    skills = Skills()
    skills.add(1.0, [_won(0, "a", "b", moves="same")])
    once = (skills.of("a").mu, skills.of("a").sigma)
    skills.add(2.0, [_won(number, "a", "b", moves="same") for number in range(1, 50)])
    assert (skills.of("a").mu, skills.of("a").sigma) == once
    assert skills.of("a").games == 50
    skills.add(3.0, [_won(50, "b", "a", moves="same")])
    assert skills.of("a").mu < once[0]
