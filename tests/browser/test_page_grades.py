"""The pages of `touchline grade` in a browser: on a phone and a desk, harmless, and readable by everybody."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import pytest

from browser.test_page_sounds import violations
from grading.made import EVIL, OPEN, RECORDS, STEPS, grade, submission
from grading.student_bots import GAMES, rubric
from touchline.grading.grades import Graded
from touchline.grading.output.folder import GradeFolder

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Dialog


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of grades, one of a student with a hostile name."""
    place = tmp_path_factory.mktemp("graded")
    folder = GradeFolder(place / "out", released="visible")
    steps = (*STEPS, OPEN)
    grades = [grade("ann"), grade(EVIL, steps), grade("a-very-long-name-" * 8, STEPS)]
    for one in grades:
        folder.write(submission(one.student), Graded(one, RECORDS))
    folder.finish(rubric(GAMES, place), grades, left=1)
    return place / "out"


def _places(graded: Path) -> dict[str, Path]:
    students = graded / "students"
    hostile = next(path for path in students.iterdir() if path.name.startswith("script"))
    return {"staff": graded, "student": students / "ann" / "page", "hostile": hostile / "page"}


@pytest.mark.parametrize("width", [390, 1280])
def test_pages_fit_and_run_nothing(browser: Browser, graded: Path, shots: Path, width: int) -> None:
    """No page is wider than its window, runs a script or asks for anything else."""
    window = browser.new_page(viewport={"width": width, "height": 800}, bypass_csp=True)
    asked, said = list[str](), list[str]()
    window.on("request", lambda request: asked.append(request.url))

    def dismiss(dialog: Dialog) -> None:
        said.append(dialog.message)
        dialog.dismiss()

    window.on("dialog", dismiss)
    try:
        for name, place in _places(graded).items():
            window.goto((place / "index.html").as_uri())
            window.screenshot(path=shots / f"grade-{name}-{width}.png", full_page=True)
            assert window.evaluate("document.documentElement.scrollWidth") <= width, name
        assert (said, len(asked)) == ([], 3)
    finally:
        window.close()


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_on_grades(
    browser: Browser, graded: Path, axe: str, scheme: Literal["light", "dark"]
) -> None:
    """On the pages of staff and students, in the light and in the dark."""
    window = browser.new_page(viewport={"width": 390, "height": 800}, bypass_csp=True, color_scheme=scheme)
    try:
        for place in _places(graded).values():
            window.goto((place / "index.html").as_uri())
            assert violations(window, axe) == []
    finally:
        window.close()
