"""Every installed game keeps the contract, and `check_game` notices when one does not."""

from __future__ import annotations

import re
import sys
import types
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

import touchline.games
from touchline import game
from touchline.core import registry
from touchline.core.rules import Game, IllegalMove, Outcome, State
from touchline.core.sketch import Sketch
from touchline.testing import CheckFailed, check_game

OPTIONS: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in registry.names("games")),
    ("hexapawn", {"rows": 2, "cols": 2}),
    ("hexapawn", {"rows": 26, "cols": 1}),
    ("fish", {"rules": "commercial"}),
    ("fish", {"rows": 3, "cols": 3}),
    ("fish", {"rows": 12, "cols": 2, "holes": 10, "fish": 3}),
    ("fish", {"board": [[1, 2, 3], [4, 0, 5, 1], [1, 1], [1, 1, 1]]}),
    ("labyrinth", {"rows": 4, "cols": 6, "goals": 0}),
    ("labyrinth", {"rows": 8, "cols": 5, "goals": 2}),
]


def name_of(entry: Any) -> str:
    return msgspec.json.encode(entry).decode() if isinstance(entry, dict) else str(entry)


@pytest.mark.parametrize(("name", "options"), OPTIONS, ids=name_of)
def test_every_game_keeps_the_contract(name: str, options: dict[str, Any]) -> None:
    """A game passes the conformance test with these options."""
    kind: Game = game(name, options)
    for seats in kind.seats:
        try:
            kind.start(seats, Random(0))
        except ValueError:  # too small for so many: the table is checked with those that can sit
            kind = _with_fewer_seats(kind, seats - 1)
            break
    check_game(kind, plays=1)


def _with_fewer_seats(kind: Any, most: int) -> Game:
    fewer = {"seats": range(kind.seats[0], most + 1), "__doc__": "The same for fewer."}
    made: Game = type("Fewer", (type(kind),), fewer, frozen=True)(**msgspec.structs.asdict(kind))
    return made


README = Path(touchline.games.__file__).with_name("README.md")


def example() -> Any:
    """The module that games/README.md shows."""
    code, *_ = re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)
    assert len(code.splitlines()) < 80
    module = types.ModuleType("nim_of_the_readme")
    sys.modules[module.__name__] = module
    exec(code, module.__dict__)
    return module


def test_the_example_of_the_readme_is_a_game() -> None:
    """The fourth game, as written in games/README.md, keeps the contract; and the text's own check passes."""
    module = example()
    _, check, *_ = re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)
    exec(check, module.__dict__)
    start: State = module.Nim(heaps=(1, 2)).start(2, Random(0))
    end = start.play(module.Take(1, 2)).play(module.Take(0, 1))
    assert end.outcome() == Outcome((1,), (2, 1), (0, 1), "took the last stone")


def _illegal_but_accepted(self: Any, move: Any) -> None:
    """check() that judges nothing."""


def _raises_value_error(self: Any, move: Any) -> None:
    raise ValueError("not what the contract says")


def _legal_but_refused(self: Any, move: Any) -> None:
    raise IllegalMove("no")


def _keeps_the_removed(self: Any, seat: int) -> Any:
    return self


def _repeats(self: Any) -> Any:
    return [self.good_moves()[0]] * 2 if self.to_move is not None else []


def _forgets_the_end(self: Any) -> None:
    return None


def _ends_at_once(self: Any) -> Outcome:
    return Outcome((0,), (1, 2), (1, 0), "because")


def _no_reason(self: Any) -> Outcome | None:
    return msgspec.structs.replace(self.ended, reason="") if self.ended else None


def _draws_nothing(self: Any) -> Sketch:
    return Sketch(spots=())


def _writes_half(self: Any) -> Any:
    return msgspec.structs.replace(self.good_position(), heaps=self.heaps[:1])


def _hides_a_heap(self: Any, seat: int | None) -> Any:
    return msgspec.structs.replace(self, heaps=self.heaps[:1])


COUNT = iter(range(10**9))


def _plays_by_whim(self: Any, move: Any) -> Any:
    return self.good_play(move if next(COUNT) % 2 else self.legal_moves()[0])


BUGS: dict[str, tuple[str, Any]] = {
    "accepts everything": ("check", _illegal_but_accepted),
    "raises another exception": ("check", _raises_value_error),
    "refuses everything": ("check", _legal_but_refused),
    "leaves a removed seat to move": ("without", _keeps_the_removed),
    "names a move twice": ("legal_moves", _repeats),
    "has no outcome": ("outcome", _forgets_the_end),
    "has an outcome too early": ("outcome", _ends_at_once),
    "gives no reason": ("outcome", _no_reason),
    "is not drawn": ("sketch", _draws_nothing),
    "writes half of the position": ("position", _writes_half),
    "hides without saying so": ("view", _hides_a_heap),
    "is not a function": ("play", _plays_by_whim),
}


@pytest.mark.parametrize("bug", BUGS)
def test_a_broken_game_is_found_out(bug: str) -> None:
    """The conformance test fails for a game that breaks one law."""
    module = example()
    state = module.NimState
    state.good_moves, state.good_position, state.good_play = state.legal_moves, state.position, state.play
    method, broken = BUGS[bug]
    setattr(state, method, broken)
    with pytest.raises(CheckFailed):
        check_game(module.Nim())


@pytest.mark.parametrize(
    ("attribute", "value"),
    [("hidden", True), ("seats", range(1, 4)), ("name", "NIM"), ("__doc__", "")],
)
def test_a_false_declaration_is_found_out(attribute: str, value: Any) -> None:
    """The conformance test fails for a game that does not declare what it is."""
    module = example()
    setattr(module.Nim, attribute, value)
    with pytest.raises(CheckFailed):
        check_game(module.Nim())


def test_a_game_that_draws_its_own_numbers_is_found_out() -> None:
    """The conformance test fails for a game that does not reproduce from its seed."""
    module = example()
    whim = Random(7)

    def start(self: Any, seats: int, rng: Random, proposals: Any = ()) -> Any:
        if seats != 2:
            raise ValueError("nim is for 2 seats")
        return module.NimState((whim.randint(1, 7), 3), 0)

    module.Nim.start = start
    with pytest.raises(CheckFailed, match="seed"):
        check_game(module.Nim())


def test_a_leaking_view_is_found_out() -> None:
    """The conformance test fails for a labyrinth whose view shows everything."""
    from touchline.games.labyrinth import Labyrinth, LabyrinthState

    class Leaky(Labyrinth, frozen=True, kw_only=True):
        """A labyrinth of glass."""

        def start(self, seats: int, rng: Random, proposals: Any = ()) -> Any:
            state = super().start(seats, rng, proposals)
            return GlassState(*(getattr(state, field) for field in state.__struct_fields__))

    class GlassState(LabyrinthState, frozen=True, gc=False):
        def view(self, seat: int | None) -> LabyrinthState:
            return self

    with pytest.raises(CheckFailed, match="hides"):
        _check_views_only(Leaky())


def _check_views_only(kind: Game) -> None:
    from touchline.testing import game_check as check

    state = kind.start(2, Random(0))
    unsure = check._check_views(kind, state, 2, Random(0))
    check._demand(bool(unsure) == kind.hidden, "`hidden` says whether a view hides anything")
