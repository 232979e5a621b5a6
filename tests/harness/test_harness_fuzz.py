"""Damaged input: every harness answers it, or refuses it in one line, in a bounded number of steps."""

from __future__ import annotations

import json
from copy import deepcopy
from random import Random
from typing import Any

import pytest

from touchline.core.errors import BadInput
from touchline.coursework.harness import fish, labyrinth
from touchline.games import labyrinth as labyrinth_game
from work import at_most

MOST_STEPS = 200_000
"""Steps of Python for any of these small inputs; the longest game takes some 60,000."""
DAMAGED = 400
DEEPEST = 2

STRANGE: list[Any] = [
    None, True, False, 0, 1, 2, 3, -1, 90, 255, 256, 2**31, 2**53, 2**64, -(2**70), 10**400, 0.0, 1.5, 1e308,
    "", "a", "red", "LEFT", "UP", "┼", "│", "Riemann", "win", "a\nb", "\u2028", "\x00", "é" * 50, "x" * 5000,
    "\ud800", [], [[]], {}, [0, 0], [1, 1], [0, "LEFT"], [["a", 1]], {"row#": 1, "column#": 1},
    {"row#": 0, "col#": 0}, {"\ud800": 1}, [None] * 60, [[1]] * 60,
]  # fmt: skip


def at(row: int, col: int) -> dict[str, int]:
    return {"row#": row, "column#": col}


FISH_STATE = {
    "players": [
        {"color": "red", "score": 0, "places": [[0, 0], [2, 1]]},
        {"color": "white", "score": 3, "places": [[1, 1], [3, 0]]},
    ],
    "board": [[1, 2, 3], [4, 1], [1, 5, 1], [2, 2, 2]],
}
BOARD = {
    "connectors": [list("┼─┐└"), list("┌┘┬├"), list("┴┤┼│")],
    "treasures": [[[f"a{row}", f"b{col}"] for col in range(4)] for row in range(3)],
}
STATE = {
    "board": BOARD,
    "spare": {"tilekey": "┴", "1-image": "c", "2-image": "d"},
    "plmt": [
        {"current": at(2, 3), "home": at(1, 1), "color": "red", "goto": at(1, 3)},
        {"current": at(0, 0), "home": at(1, 3), "color": "1A2B3C", "goto": at(1, 1)},
    ],
    "last": [2, "UP"],
    "goals": [at(1, 3), at(1, 1)],
}
GOOD_SPEC = [["a", "Riemann"], ["b", "Euclid"]]
BAD_SPEC = [["a", "Riemann", "setUp"], ["b", "Euclid", "win"]]
BAD_SPEC_2 = [["a", "Riemann", "setUp", 2], ["b", "Euclid", "takeTurn", 3]]

INPUTS: dict[tuple[str, str], list[Any]] = {
    ("fish", "xboard"): [{"position": [2, 1], "board": FISH_STATE["board"]}],
    ("fish", "xstate"): [FISH_STATE],
    ("fish", "xtree"): [{"state": FISH_STATE, "from": [0, 0], "to": [1, 0]}],
    ("fish", "xstrategy"): [[2, FISH_STATE]],
    ("fish", "xref"): [{"row": 3, "column": 3, "players": [["a", 1], ["b", 2]], "fish": 2}],
    ("labyrinth", "xboard"): [BOARD, at(1, 2)],
    ("labyrinth", "xstate"): [STATE, 2, "LEFT", 90],
    ("labyrinth", "xchoice"): ["Euclid", STATE, at(1, 1)],
    ("labyrinth", "xgames"): [GOOD_SPEC, STATE],
    ("labyrinth", "xbad"): [BAD_SPEC, STATE],
    ("labyrinth", "xbad2"): [BAD_SPEC_2, STATE],
    ("labyrinth", "xserver9"): [BAD_SPEC_2, STATE],
    ("labyrinth", "xserver10"): [BAD_SPEC_2, STATE],
}
HARNESSES = {"fish": fish.HARNESSES, "labyrinth": labyrinth.HARNESSES}


def nodes(value: Any) -> list[tuple[Any, Any]]:
    """Every place in a value: what holds it, and under which key or number."""
    found: list[tuple[Any, Any]] = []
    inside: list[Any] = [value]
    while inside:
        holder = inside.pop()
        keys = list(holder) if isinstance(holder, dict) else range(len(holder))
        for key in keys:
            found.append((holder, key))
            if isinstance(holder[key], (dict, list)):
                inside.append(holder[key])
    return found


def damaged(values: list[Any], rng: Random) -> list[Any]:
    """The values with one to three places deleted, replaced, doubled or exchanged."""
    values = deepcopy(values)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        places = nodes(values)
        if not places:
            break
        holder, key = rng.choice(places)
        match rng.choice(("replace", "replace", "replace", "delete", "double", "swap")):
            case "delete":
                del holder[key]
            case "double" if isinstance(holder, list):
                holder.insert(key, deepcopy(holder[key]))
            case "swap":
                other, place = rng.choice(places)
                holder[key] = deepcopy(other[place])
            case _:
                holder[key] = deepcopy(rng.choice(STRANGE))
    return values


def broken(data: bytes, rng: Random) -> bytes:
    """The bytes cut short, or with some of them changed."""
    if rng.random() < 0.4:
        return data[: rng.randrange(len(data))]
    text = bytearray(data)
    for _ in range(rng.randint(1, 3)):
        text[rng.randrange(len(text))] = rng.choice(b'0129-"[]{},: \n\\eE.\x00\xff\xc3a')
    return bytes(text)


def bearable(name: str, values: list[Any]) -> bool:
    """Whether max-min would not have to look too far ahead: that is slow by its nature, and no fault."""
    if name not in ("xstrategy", "xref") or not values:
        return True
    asked = values[0]
    if name == "xstrategy":
        depths = asked[:1] if isinstance(asked, list) else []
    else:
        players = asked.get("players") if isinstance(asked, dict) else None
        entries = players if isinstance(players, list) else []
        depths = [one[1] for one in entries if isinstance(one, list) and len(one) == 2]
        sizes = [asked.get(side) for side in ("row", "column")] if isinstance(asked, dict) else []
        if any(isinstance(size, int) and size > 4 for size in sizes):
            return False
    return not any(isinstance(depth, int) and depth > DEEPEST for depth in depths)


def assert_survived(game: str, name: str, data: bytes) -> bool:
    """The harness answers, or refuses in one line; whether it answered."""
    try:
        with at_most(MOST_STEPS):
            HARNESSES[game][name](data)
    except BadInput as error:
        message = str(error)
        assert message.strip()
        assert "\n" not in message
        answered = False
    else:
        answered = True
    return answered


@pytest.fixture(autouse=True)
def _short_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game of Labyrinth that would go on for a thousand rounds is cut short."""
    monkeypatch.setattr(labyrinth_game, "ROUNDS", 30)


def test_every_harness_is_here() -> None:
    """No harness is left out, and each answers its undamaged input."""
    assert set(INPUTS) == {(game, name) for game, known in HARNESSES.items() for name in known}
    for (game, name), values in INPUTS.items():
        assert assert_survived(game, name, "\n".join(map(json.dumps, values)).encode())


@pytest.mark.parametrize(("game", "name"), INPUTS)
def test_damaged_values(game: str, name: str) -> None:
    """With parts of its values missing, exchanged or strange, a harness answers or refuses."""
    rng = Random(f"values {game} {name}")
    answered = 0
    for _ in range(DAMAGED):
        values = damaged(INPUTS[game, name], rng)
        if bearable(name, values):
            answered += assert_survived(game, name, "\n".join(map(json.dumps, values)).encode())
    assert 0 < answered < DAMAGED


@pytest.mark.parametrize(("game", "name"), INPUTS)
def test_broken_bytes(game: str, name: str) -> None:
    """With bytes changed or cut off, a harness answers or refuses."""
    rng = Random(f"bytes {game} {name}")
    good = "\n".join(
        json.dumps(value, ensure_ascii=rng.random() < 0.5) for value in INPUTS[game, name]
    ).encode()
    for _ in range(DAMAGED):
        data = broken(good, rng)
        try:
            values = [json.loads(data)]
        except ValueError:
            values = []
        if bearable(name, values):
            assert_survived(game, name, data)
