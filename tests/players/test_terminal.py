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
from touchline.draw.words import spelled
from touchline.drivers.match import play_now
from touchline.players.terminal import Terminal
from touchline.records.match_log import MatchLog

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
    state, rng = rules.start(seats, Random(1)), Random(5)
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
        assert f"{len(moves)} legal moves" in person.told[1]


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
                listed = person.told[2]
                done = len(prefix.split())
                for text in {" ".join(text.split()[: done + 1]) for text in fitting}:
                    assert text in listed or "more" in listed
                seen += 1
    assert seen


@pytest.mark.parametrize(
    "line", ["nonsense", "99,99", "99 0", "-1,0", "0;", ",", "\x1b[A", "ü", "RESIGN", "u 99,99"]
)
@pytest.mark.parametrize("game", TABLES)
def test_nonsense_is_told_and_asked_again(game: str, line: str) -> None:
    """No legal move begins so: the person is told, and may try again."""
    view = begun(game)
    text, move = next(iter(typed(view).items()))
    person = Person(line, text)
    assert person.terminal.choose(view) == move
    assert "no legal move begins with" in person.told[2]
    assert person.lines == []


@pytest.mark.parametrize("line", ["", "   ", "?", "help"])
@pytest.mark.parametrize("game", TABLES)
def test_a_question_mark_explains_everything(game: str, line: str) -> None:
    """So does an empty line: how to type, the commands, the marks, and every legal move in full."""
    view = begun(game, 9)
    moves = typed(view)
    text, move = next(iter(moves.items()))
    person = Person(line, text)
    assert person.terminal.choose(view) == move
    told = person.told[2]
    assert all(word in told for word in (f"`{text}`", "u MOVE", "resign", "the drawing:", "[ ]"))
    assert sum(len(row.split("→")[-1].split("  ")) for row in told.partition("legal moves:\n")[2].splitlines()
               if row.strip()) >= len(moves)  # fmt: skip
    for keys in view.sketch().moves:
        *first, last = (key if isinstance(key, str) else f"{key[0]},{key[1]}" for key in keys)
        assert any(row.startswith("  " + " → ".join(first)) and last in row for row in told.splitlines()), (
            keys
        )


@pytest.mark.parametrize("game", TABLES)
def test_a_half_typed_spot_plays_nothing(game: str) -> None:
    """`1` does not stand for `1,12`, even if only one move begins so: what it can mean is listed."""
    view = begun(game)
    text = next(iter(typed(view)))
    half = text.split()[0][:-1]
    if half and half not in prefixes(typed(view)):
        person = Person(half, text)
        assert person.terminal.choose(view) == typed(view)[text]
        assert person.told[2].startswith(("which one? ", "no legal move begins with"))


@pytest.mark.parametrize("written", ["{0} {1} {2} {3}", "({0},{1}) -> ({2},{3})", "{0},{1} → {2},{3}"])
def test_a_square_is_typed_as_one_likes(written: str) -> None:
    """With a space or a comma, with brackets and arrows."""
    view = begun("hexapawn")
    text, move = next(iter(typed(view).items()))
    spots = text.replace(",", " ").split()
    assert Person(written.format(*spots)).terminal.choose(view) == move


@pytest.mark.parametrize("game", TABLES)
def test_looking_at_a_move_plays_nothing(game: str) -> None:
    """`u MOVE` draws the position after it, with its spots marked, and the person is asked again."""
    view = begun(game)
    moves = typed(view)
    looked, played = next(iter(moves)), [*moves][-1]
    person = Person(f"u {looked}", played)
    assert person.terminal.choose(view) == moves[played]
    assert len(person.shown) == 2
    assert person.shown[1].spots == view.play(moves[looked]).sketch().spots
    assert person.shown[1].marked == view.sketch().moves[0]


def test_resigning_is_asked_about() -> None:
    """Who does not mean it plays on."""
    view = begun("hexapawn")
    text, move = next(iter(typed(view).items()))
    assert Person("resign", "no", text).terminal.choose(view) == move
    with pytest.raises(Resigned, match="resigned"):
        Person("resign", "yes", text).terminal.choose(view)


def test_the_others_are_called_by_their_names_and_their_moves_are_marked() -> None:
    """The person hears who is who, what the others did, and who won."""
    rules = TABLES["hexapawn"][0]
    log = MatchLog(rules)

    class Typist(Person):
        def _ask(self, prompt: str) -> str:
            return " ".join(f"{key[0]},{key[1]}" for key in self.shown[-1].moves[0])

    typist = Typist()
    typist.terminal = Terminal(typist._ask, typist.shown.append, typist.told.append, log=log)
    play_now(terms(rules, 2, limits=UNTIMED), [RandomBot(Random(1)), typist.terminal], [log.see])
    name = log.names[0]
    assert f"you are blue (2), {name} is red (1)" in typist.told[0]
    moved = next(entry for entry in log.entries if entry.keys)
    assert typist.told[1] == moved.text == f"{name} (red): {spelled(moved.keys)}"
    assert typist.shown[0].marked == moved.keys
    assert " won: " in typist.told[-1]
    assert "you " in typist.told[-1]


class Watch:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def test_a_clock_is_seen_and_ends_the_prompt() -> None:
    """Each prompt has the time that is left; when it is up nothing more is read, and None is late."""
    watch, prompts, told = Watch(), list[str](), list[str]()

    def ask(prompt: str, seconds: float) -> str:
        prompts.append(prompt)
        watch.seconds += 6
        if watch.seconds > 10:
            raise TimeoutError
        return "nonsense"

    terminal = Terminal(input, lambda sketch: None, told.append, ask_within=ask, now=watch)
    terminal.allow(10_000_000)
    assert terminal.choose(begun("hexapawn")) is None
    assert ["10 s left" in prompts[0], "4 s left" in prompts[1], len(prompts)] == [True, True, 2]
    assert "your time is up" in told[-1]


def test_a_hint_says_what_it_costs_if_a_clock_runs() -> None:
    """And nothing of the kind without a clock."""
    watch, told = Watch(), list[str]()
    view = begun("hexapawn")

    def advise(view: object) -> str:
        watch.seconds += 3
        return "a hint"

    for budget, costs in ((60_000_000, True), (None, False)):
        lines = ["hint", next(iter(typed(view)))]
        told.clear()
        terminal = Terminal(
            lambda prompt, lines=lines: lines.pop(0),  # type: ignore[misc]
            lambda sketch: None, told.append, advise, now=watch,
        )  # fmt: skip
        terminal.allow(budget)
        terminal.choose(view)
        assert ("the hint cost 3.0 s of your time" in told) == costs


@pytest.mark.parametrize("game", TABLES)
def test_who_resigns_is_gone(game: str) -> None:
    """The word is enough if nobody answers the question."""
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
