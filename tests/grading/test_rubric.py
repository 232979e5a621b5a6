"""A rubric is checked in full before anything is graded, and errors name the key."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from grading.student_bots import FIRST, GAMES, TERMS, rubric
from touchline.core.errors import BadInput

if TYPE_CHECKING:
    from pathlib import Path

CHECKS = '[[steps]]\nname = "c"\nchecks = "all"\npoints = 1\n'
WRONG = {
    GAMES + "wins = 1": "unknown field `wins`",
    GAMES + 'visibility = "secret"': "visibility",
    GAMES.replace(
        "wins = 1", "winz = 1"
    ): "'winz' is not measured in this step; there is: wins, score, clean",
    GAMES.replace("wins = 1", "wins = 60"): "needs are shares",
    GAMES.replace("needs = {wins = 1, clean = 1}", ""): "how are the points earned?",
    GAMES.replace("points = 10", ""): "points is missing",
    GAMES + "scale = [[0.5, 1]]": "needs or a scale, not both",
    GAMES.replace("needs = {wins = 1, clean = 1}", "scale = [[0.5, 3], [0.4, 10]]"): "rows [share, points]",
    GAMES.replace("needs = {wins = 1, clean = 1}", "scale = [[0.5, 3]]"): "the scale ends with 3",
    GAMES + 'after = "c"': "there is no earlier step 'c'",
    GAMES + 'checks = "all"': "either checks",
    GAMES.replace("games = 2", "games = 0"): "1 to 1000 games",
    GAMES.replace('against = "random"', 'against = "randy"'): "randy",
    GAMES.replace('against = "random"', 'against = "missing.py"'): "no reference solution 'missing.py'",
    GAMES.replace('against = "random"', 'against = "process:node x"'): "neither a house player nor a file",
    GAMES.replace('against = "random"', 'against = ["random", "random"]'): "hexapawn is for 2 players, not 3",
    GAMES.replace("rows = 3", "rowz = 3"): "rowz",
    GAMES.replace("seconds = 30", "no_timeout = true"): "submissions need a time limit",
    GAMES.replace("seconds = 30", "secondz = 30"): "secondz",
    GAMES.replace('name = "Small"', 'name = "Small"\nconduct = "nice"'): "nice",
    GAMES.replace('name = "Small"', 'name = "Small"\ndialect = "seed-000"'): "seed-000 is spoken in",
    GAMES.replace('name = "Small"', 'name = "Small"\ncolour = 1'): "unknown field `colour`",
    TERMS + CHECKS + CHECKS: "another step has this name",
    TERMS + CHECKS.replace('"all"', "[1, 99]"): "numbers from 1 to 9",
    TERMS + CHECKS + "games = 3": "games is for steps with against",
    TERMS
    + CHECKS
    + 'visibility = "hidden"\n'
    + GAMES[GAMES.index("[[steps]]") :]
    + 'after = "c"': "would learn",
    TERMS: "steps",
    "name = ": "not TOML",
}


@pytest.mark.parametrize("text", WRONG, ids=list(WRONG.values()))
def test_what_is_wrong_is_said(tmp_path: Path, text: str) -> None:
    """The error has the file and the key or the reason."""
    with pytest.raises(BadInput) as error:
        rubric(text, tmp_path)
    assert str(error.value).startswith("rubric.toml")
    assert WRONG[text] in str(error.value)


def test_steps_have_seeds_and_opponents_of_their_own(tmp_path: Path) -> None:
    """Steps play different boards, unless they have the same seed; names at a table differ."""
    (tmp_path / "ref.py").write_text(FIRST)
    more = GAMES[GAMES.index("[[steps]]") :]
    same = more.replace('"random"', '"ref.py"') + "seed = 1\n"
    made = rubric(
        GAMES
        + more.replace('"games"', '"b"')
        + same.replace('"games"', '"c"')
        + same.replace('"games"', '"d"'),
        tmp_path,
    )
    seeds = [step.cup.seed for step in made.steps]
    assert (len({*seeds}), seeds[2] == seeds[3]) == (3, True)
    (reference,) = made.steps[2].opponents
    assert (reference.name, reference.player) == ("ref", "bot.py")
    assert made.points == 40


def test_the_digest_is_that_of_what_decides(tmp_path: Path) -> None:
    """Another reference solution or threshold gives another digest; another store does not."""
    text = GAMES.replace('"random"', '"ref.py"')
    (tmp_path / "ref.py").write_text(FIRST)
    first = rubric(text, tmp_path).digest
    assert rubric(text, tmp_path).digest == first
    assert rubric(text.replace("wins = 1", "wins = 0.5"), tmp_path).digest != first
    (tmp_path / "ref.py").write_text(FIRST + "\n")
    assert rubric(text, tmp_path).digest != first
