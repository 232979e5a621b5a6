"""Seats differ for all eyes, and texts can be read: worked out from the sheets, as all screens take them."""

from __future__ import annotations

import re
from itertools import combinations
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any

import pytest

import touchline.draw
import touchline.web
from touchline.core import registry
from touchline.draw.seat_colours import colours_of, contrast, rgb, seat_colours
from touchline.draw.sheet import common_sheet, sheet_of
from touchline.games.fish import Fish
from touchline.games.labyrinth import Labyrinth
from touchline.terminal import palette

EYES = {
    "all colours": "1 0 0 0 1 0 0 0 1",
    "protan": "0.152286 1.052583 -0.204868 0.114503 0.786281 0.099216 -0.003882 -0.048116 1.051998",
    "deutan": "0.367322 0.860646 -0.227968 0.280085 0.672501 0.047413 -0.011820 0.042940 0.968881",
    "tritan": "1.255528 -0.076749 -0.178779 -0.078411 0.930809 0.147602 0.004733 0.691367 0.303900",
}
"""What is seen of red, green and blue light, row by row: Machado, Oliveira and Fernandes 2009, severity 1."""
LEAST = 11.0
"""The smallest distance of two seats in OKLab, times 100."""


def linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def seen(colour: str, eye: str) -> tuple[float, float, float]:
    """Return a colour in OKLab, as this eye sees it."""
    light = [linear(part / 255) for part in rgb(colour)]
    weights = [*map(float, EYES[eye].split())]
    red, green, blue = (
        min(1.0, max(0.0, sum(one * part for one, part in zip(weights[at : at + 3], light, strict=True))))
        for at in (0, 3, 6)
    )
    long, middle, short = (
        value ** (1 / 3)
        for value in (
            0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue,
            0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue,
            0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue,
        )
    )
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


def distance(one: str, other: str, eye: str) -> float:
    pairs = zip(seen(one, eye), seen(other, eye), strict=True)
    return 100 * sqrt(sum((a - b) ** 2 for a, b in pairs))


def test_the_measure_knows_colours_that_are_mistaken() -> None:
    """Red and green of one brightness: far apart, but not for everybody."""
    assert distance("#D62728", "#2CA02C", "all colours") > 30
    assert distance("#D64A28", "#8C7A1C", "deutan") < LEAST


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("game", ["common", *registry.GAMES.ours()])
def test_seats_differ_for_all_eyes(game: str, eye: str) -> None:
    sheet = common_sheet() if game == "common" else sheet_of(registry.find("games", game))
    seats = 4 if game == "fish" else 6
    fills = [colour.fill for colour in colours_of(sheet)][:seats]
    nearest = min(distance(one, other, eye) for one, other in combinations(fills, 2))
    assert nearest >= LEAST, f"{nearest:.1f}"


@pytest.mark.parametrize("game", registry.GAMES.ours())
def test_what_is_written_on_a_seat_can_be_read(game: str) -> None:
    """Letters and emblems on its colour; and a seat that is nearly the colour of paper has an outline."""
    for colour in seat_colours(registry.find("games", game)):
        assert contrast(colour.fill, colour.on) >= 3
        assert contrast(colour.fill, colour.line) >= 1.5


@pytest.mark.parametrize("dark", [False, True])
def test_texts_can_be_read(dark: bool) -> None:
    """Words on paper and cards; the dot of a legal target and the last move on snow; numbers on wood."""
    env = common_sheet().cascade(dark).within(("common",))
    for paper, least in (("--paper", 5.3), ("--surface", 5.3), ("--raised", 4.5)):
        for ink in ("--ink", "--faint"):
            assert contrast(env[ink], env[paper]) >= least
    assert contrast(env["--accent"], env["--paper"]) >= 4.5
    assert contrast(env["--accent"], env["--on-accent"]) >= 4.5
    fish = sheet_of(Fish)
    snow = fish.cascade(dark).within(fish.root)
    assert contrast(snow["--dot"], snow["--snow"]) >= 3.4
    assert contrast(snow["--trail"], snow["--snow"]) >= 2.5
    assert contrast("#1E2B33", "#FFFDF6") >= 7
    for game in ("labyrinth", "hexapawn"):
        sheet = sheet_of(registry.find("games", game))
        wood = sheet.cascade(dark).within(sheet.root)
        assert contrast(wood["--brass-l"], wood["--frame"]) >= 5.3


def test_the_page_has_the_same_tokens() -> None:
    """Paper, ink and accent are in the page's style for its texts, and in the common sheet for drawings."""
    page = (Path(touchline.web.__file__).parent / "static" / "style.css").read_text()
    drawing = (Path(touchline.draw.__file__).parent / "common.svg").read_text()
    roots = [re.search(r":root\{(.*?)\}", re.sub(r"\s", "", text).lower()) for text in (page, drawing)]
    tokens = [dict(re.findall(r"--([\w-]+):([^;]+)", root[1])) for root in roots if root]
    shared = {name for name in tokens[0] if name in tokens[1] and "var(" not in tokens[0][name]}
    assert {"paper", "surface", "raised", "ink", "faint", "accent", "last", "bad"} <= shared
    assert [name for name in shared if tokens[0][name] != tokens[1][name]] == []


def test_the_terminal_wears_the_same() -> None:
    """Lighter where its dark screen asks for it; black stays black, and a seat is told from another."""
    palette.wear(Fish)
    worn = [palette.seat_colour(seat) for seat in range(4)]
    assert worn[1] == seat_colours(Fish)[1].fill
    assert worn[3] == palette.NIGHT
    assert len({*worn}) == 4
    palette.wear(Labyrinth)
    for seat in range(6):
        assert contrast(palette.seat_colour(seat), palette.PAPER) >= 4.5


def test_six_seats_have_six_figures() -> None:
    for game, seats in (("fish", 4), ("hexapawn", 2), ("labyrinth", 6)):
        sheet = sheet_of(registry.find("games", game))
        assert all(sheet.id_of(f"figure-{seat}") == f"{game}-figure-{seat}" for seat in range(seats))
    pieces: Any = Labyrinth().start(6, Random(1)).sketch().spots
    symbols = {piece.symbol for spot in pieces for piece in spot.pieces}
    assert symbols == {f"seeker-{seat}" for seat in range(6)}
