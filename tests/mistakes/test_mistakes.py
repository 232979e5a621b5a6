"""Each of twelve mistakes in three languages is named, with its place and the next step, in a few lines.

The messages are in python.txt, javascript.txt and c.txt, for people to read.
`scripts/mistakes` writes them.
"""

from __future__ import annotations

import shutil

import pytest

from mistakes.campaign import HERE, MISTAKES, MOST_LINES, Mistake, messages, sections

NEEDED = {"python": "sh", "javascript": "node", "c": "gcc"}
TRIES = 4
"""What is seen of a late player depends on when the machine lets it run."""
QUICK = ("illegal_move.py", "print_to_stdout.py", "none.py", "not_executable.py")
ALL = [(language, mistake) for language, mistakes in MISTAKES.items() for mistake in mistakes]


def golden(language: str) -> dict[str, str]:
    return sections((HERE / f"{language}.txt").read_text())


@pytest.mark.parametrize("language", MISTAKES)
def test_the_messages_are_complete_and_short(language: str) -> None:
    """Twelve mistakes, two commands each, and at most five lines for a command."""
    told = golden(language)
    assert [*told] == [mistake.file for mistake in MISTAKES[language]]
    for section in told.values():
        _, *outputs = section.split("$ touchline ")
        assert len(outputs) == 2
        assert all(1 < len(output.splitlines()) <= 1 + MOST_LINES for output in outputs), section
        assert "Traceback" not in section
        assert "Failed(" not in section


@pytest.mark.parametrize("mistake", [one for one in MISTAKES["python"] if one.file in QUICK])
def test_a_student_is_told(mistake: Mistake) -> None:
    """`play` names the mistake as the golden file has it."""
    expected = golden("python")[mistake.file].partition("$ touchline check")[0]
    assert messages("python", mistake, only="play") == expected


@pytest.mark.slow
@pytest.mark.parametrize(("language", "mistake"), ALL, ids=[mistake.file for _, mistake in ALL])
def test_every_mistake_is_named(language: str, mistake: Mistake) -> None:
    """`play` and `check player` say what the golden file has."""
    if shutil.which(NEEDED[language]) is None:
        pytest.skip(f"there is no {NEEDED[language]}")
    expected = golden(language)[mistake.file]
    for _ in range(TRIES if mistake.late else 1):
        said = messages(language, mistake)
        if said == expected:
            break
    assert said == expected
