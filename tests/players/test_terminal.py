"""A person at the terminal: what is typed, what is shown, and what is told."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from players.tables import TABLES, terms
from touchline.bots.random import Random as RandomBot
from touchline.core import events
from touchline.core.clock import UNTIMED
from touchline.core.messages import Resigned
from touchline.drivers.match import play_now
from touchline.players.terminal import MOST_LISTED, Terminal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from touchline.core.rules import State
    from touchline.core.sketch import Sketch


class Person:
    """Somebody who types these lines, and then hangs up."""

    def __init__(self, *lines: str) -> None:
        self.lines = [*lines]
        self.shown: list[Sketch] = []
        self.told: list[str] = []
        self.terminal = Terminal(self._ask, self.shown.append, self.told.append)

    def _ask(self, prompt: str) -> str:
        assert prompt
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)


def begun(game: str, turns: int = 0) -> State:
    rules, seats = TABLES[game]
    state, rng = rules.start(seats, Random(1)), Random(2)
    for _ in range(turns):
        state = state.play(rng.choice(state.legal_moves()))
    return state.view(state.to_move)


def typed(view: State) -> dict[str, Any]:
    """Every legal move by how it is typed: the spots of the drawing, a square as row,column."""
    words = [
        " ".join(key if isinstance(key, str) else f"{key[0]},{key[1]}" for key in keys)
        for keys in view.sketch().moves
    ]
    return dict(zip(words, view.legal_moves(), strict=True))


def prefixes(texts: Iterable[str]) -> dict[str, list[str]]:
    """Every beginning of whole words, with the moves it fits."""
    found: dict[str, list[str]] = {}
    for text in texts:
        words = text.split()
        for count in range(1, len(words) + 1):
            found.setdefault(" ".join(words[:count]), []).append(text)
    return found


@pytest.mark.parametrize("turns", [0, 5, 9])
@pytest.mark.parametrize("game", TABLES)
def test_every_move_can_be_typed_in_full(game: str, turns: int) -> None:
    """Each legal move has its own words, and typing them plays it, with the board shown once."""
    view = begun(game, turns)
    moves = typed(view)
    assert len(moves) == len(view.legal_moves()), "no two moves are typed the same"
    for text, move in moves.items():
        person = Person(text)
        assert person.terminal.choose(view) == move
        assert len(person.shown) == 1
        assert f"{len(moves)} legal moves" in person.told[0]


@pytest.mark.parametrize("game", TABLES)
def test_spaces_do_not_matter(game: str) -> None:
    """More of them than needed, before, between and after, change nothing."""
    view = begun(game, 9)
    text, move = next(iter(typed(view).items()))
    assert Person("  " + text.replace(" ", "\t  ") + " ").terminal.choose(view) == move


@pytest.mark.parametrize("game", ["hexapawn", "fish", "labyrinth"])
def test_the_beginning_of_one_move_is_enough(game: str) -> None:
    """What fits a single move plays it."""
    for turns in (0, 5, 9):
        view = begun(game, turns)
        moves = typed(view)
        for prefix, fitting in prefixes(moves).items():
            if len(fitting) == 1:
                assert Person(prefix).terminal.choose(view) == moves[fitting[0]]


@pytest.mark.parametrize("game", ["hexapawn", "fish", "labyrinth"])
def test_what_fits_several_moves_lists_how_it_can_go_on(game: str) -> None:
    """The next word of each is listed, nothing is played, and the person is asked again."""
    seen = 0
    for turns in (0, 5, 9):
        view = begun(game, turns)
        moves = typed(view)
        for prefix, fitting in prefixes(moves).items():
            if len(fitting) > 1 and prefix not in moves:
                last = [*moves][-1]
                person = Person(prefix, last)
                assert person.terminal.choose(view) == moves[last]
                listed = person.told[1]
                done = len(prefix.split())
                for text in {" ".join(text.split()[: done + 1]) for text in fitting}:
                    assert text in listed or "more" in listed
                seen += 1
    assert seen


@pytest.mark.parametrize(
    "line", ["nonsense", "99,99", "1,2 2", "-1,0", "0;", ",", "\x1b[A", "ü", "RESIGN", "1 , 2"]
)
@pytest.mark.parametrize("game", TABLES)
def test_nonsense_is_told_and_asked_again(game: str, line: str) -> None:
    """No legal move begins so: the person is told, and may try again."""
    view = begun(game)
    text, move = next(iter(typed(view).items()))
    person = Person(line, text)
    assert person.terminal.choose(view) == move
    assert "no legal move begins with" in person.told[1]
    assert person.lines == []


@pytest.mark.parametrize("line", ["", "   ", "?"])
@pytest.mark.parametrize("game", TABLES)
def test_a_question_mark_lists_how_a_move_can_begin(game: str, line: str) -> None:
    """So does an empty line; a long list is cut and says so."""
    view = begun(game)
    moves = typed(view)
    text, move = next(iter(moves.items()))
    person = Person(line, text)
    assert person.terminal.choose(view) == move
    firsts = sorted({text.split()[0] for text in moves})
    assert all(word in person.told[1] for word in firsts[:MOST_LISTED])
    assert ("more" in person.told[1]) == (len(firsts) > MOST_LISTED)


@pytest.mark.parametrize("game", TABLES)
def test_a_half_typed_word_fits_nothing(game: str) -> None:
    """`1,1` does not stand for `1,12`: words are compared as a whole."""
    view = begun(game)
    text = next(iter(typed(view)))
    half = text.split()[0][:-1]
    if half and half not in prefixes(typed(view)):
        person = Person(half, text)
        person.terminal.choose(view)
        assert "no legal move begins with" in person.told[1]


@pytest.mark.parametrize("game", TABLES)
def test_who_resigns_is_gone(game: str) -> None:
    """The word is enough."""
    with pytest.raises(Resigned, match="resigned"):
        Person("resign").terminal.choose(begun(game))


@pytest.mark.parametrize("game", TABLES)
def test_the_end_of_input_is_a_hang_up(game: str) -> None:
    """Nobody is asked for ever."""
    with pytest.raises(Resigned, match="hung up"):
        Person("nonsense").terminal.choose(begun(game))


@pytest.mark.parametrize("game", TABLES)
@pytest.mark.parametrize(("lines", "why"), [(("resign",), "resigned"), ((), "hung up")])
def test_giving_up_is_no_fault(game: str, lines: tuple[str, ...], why: str) -> None:
    """In a match the seat is out, with that reason, and the others play on."""
    rules, seats = TABLES[game]
    bots = [RandomBot(Random(seat)) for seat in range(1, seats)]
    seen: list[events.Event] = []
    result = play_now(terms(rules, seats), [Person(*lines).terminal, *bots], [seen.append])
    assert (result.resigned, result.expelled, result.faults) == ((0,), (), ())
    assert events.Resigned(0, 0, why) in seen


@pytest.mark.parametrize("game", TABLES)
def test_a_whole_game_can_be_typed(game: str) -> None:
    """A person that types the last move of the list each time plays to the end without a fault."""
    rules, seats = TABLES[game]

    class Typist(Person):
        def _ask(self, prompt: str) -> str:
            return " ".join(
                key if isinstance(key, str) else f"{key[0]},{key[1]}" for key in self.shown[-1].moves[-1]
            )

    persons = [Typist() for _ in range(seats)]
    result = play_now(terms(rules, seats, limits=UNTIMED), [person.terminal for person in persons])
    assert (result.verdict, result.faults) == ("finished", ())
    assert sum(len(person.shown) for person in persons) == result.turns
