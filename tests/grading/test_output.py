"""What is written about grades: exact for Gradescope, sound XML, and harmless whatever a student writes."""

from __future__ import annotations

import csv
import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as Xml

import pytest
from msgspec.structs import replace

from grading.made import EVIL, FAULT, OPEN, RECORDS, STEPS, grade, step, submission
from grading.student_bots import GAMES, rubric
from touchline.grading.grades import Graded
from touchline.grading.output.folder import GradeFolder
from touchline.grading.output.gradescope import results_json
from touchline.grading.output.junit import junit_xml
from touchline.grading.output.spreadsheet import grades_csv
from touchline.grading.output.staff_page import staff_page
from touchline.grading.output.student_page import RELEASED, student_page

if TYPE_CHECKING:
    from touchline.grading.grades import Grade

GOLDEN = Path(__file__).with_name("results.json")


def evil() -> Grade:
    game = replace(FAULT, text=EVIL, stderr=EVIL, answer=EVIL, opponents=(EVIL,))
    check = replace(STEPS[0].checks[1], failure=EVIL, talk=(EVIL,), stderr=EVIL)
    return grade(EVIL, (step(EVIL, "failed", 0, why=EVIL, games=(game,), checks=(check,)), OPEN), player=EVIL)


def test_gradescope_gets_exactly_this() -> None:
    """The golden file was compared with Gradescope's specification by hand."""
    assert results_json(grade()).decode() == GOLDEN.read_text()


def test_gradescope_gets_no_score_for_what_we_could_not_grade() -> None:
    """No score and no status, and the student reads that staff will run it again."""
    made = json.loads(results_json(grade(steps=(*STEPS, OPEN))))
    assert {"score", "status"}.isdisjoint(made["tests"][-1])
    assert "Staff will run it again" in made["tests"][-1]["output"]
    assert "Staff will run it again" in made["output"]
    assert made["score"] == 15
    assert made["extra_data"]["complete"] is False


def test_junit_counts_steps() -> None:
    """Fewer points are a failure, a dependent step is skipped, and our failure is an error."""
    root = Xml.fromstring(junit_xml([grade(), grade("bob", (*STEPS, OPEN))]))
    counts = {key: int(root.attrib[key]) for key in ("tests", "failures", "errors", "skipped")}
    assert counts == {"tests": 9, "failures": 4, "errors": 1, "skipped": 2}
    suites = [*root]
    assert [suite.attrib["name"] for suite in suites] == ["ann", "bob"]
    for suite in suites:
        assert int(suite.attrib["tests"]) == len(suite.findall("testcase"))
        for key, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert int(suite.attrib[key]) == len(suite.findall(f"testcase/{tag}"))
    failure = suites[0].find("testcase/failure")
    assert failure is not None
    assert failure.attrib["message"].startswith("5 of 10 points: Checks passed: 50 %")


class Tags(HTMLParser):
    """Collects the tags and attributes of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.links: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        assert not any(name.startswith("on") for name, _ in attrs)
        self.links += [value or "" for name, value in attrs if name in ("href", "src")]


def test_hostile_text_is_escaped_everywhere(tmp_path: Path) -> None:
    """A script in a name, a reason or stderr is text; control characters are escaped; all stays sound."""
    bad, made = evil(), rubric(GAMES, tmp_path)
    pages = [student_page(bad, RELEASED["visible"]), staff_page(made, [bad], 0, ())]
    for page in pages:
        assert "script" not in Tags(page).tags
        assert "&lt;script&gt;" in page
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", page)
    (suite,) = Xml.fromstring(junit_xml([bad]))
    assert "<script>" in suite.attrib["name"]
    assert json.loads(results_json(bad))["tests"][0]["name"] == EVIL
    assert b"\x1b" not in results_json(bad)
    table = [*csv.reader(io.StringIO(grades_csv(made, [bad, grade("=1+1")])))]
    assert (len(table), table[2][0]) == (3, "'=1+1")


def test_pages_fetch_nothing_and_link_to_their_records(tmp_path: Path) -> None:
    """The content policy forbids scripts and requests; links are relative."""
    page = student_page(grade(), RELEASED["after_published"])
    assert "default-src 'none'" in page
    assert Tags(page).links == ["records/02-games-game-001.jsonl", "records/02-games-game-002.jsonl"]
    assert "touchline replay step records/02-games-game-002.jsonl --turn 7" in page
    assert "touchline replay into bot.py records/02-games-game-002.jsonl --seat 1<" in page
    staff = Tags(staff_page(rubric(GAMES, tmp_path), [grade("Ann B")], 0, RELEASED["visible"]))
    assert all(link.startswith("students/Ann_B-") for link in staff.links)


@pytest.mark.parametrize(("released", "names"), [
    ("visible", {"checks", "games"}), ("after_due_date", {"checks", "games", "late secret"}),
    ("after_published", {"checks", "games", "late secret"}),
])  # fmt: skip
def test_a_page_has_released_steps_only(released: str, names: set[str]) -> None:
    """Of the others it has neither the names nor the points, only how many they are."""
    page = student_page(grade(), RELEASED[released])
    assert {*re.findall(r"<h2>(.*?)</h2>", page)} == names
    hidden = len(STEPS) - len(names)
    assert f"whose points are not in it: {hidden}." in page
    assert f'<p class="total">{5 if hidden == 2 else 15} of {10 * len(names)} points</p>' in page
    assert "hidden" not in page


def test_the_page_has_the_reason_for_every_lost_point() -> None:
    """For each step that lost points its reason; for each fault what was expected."""
    page = student_page(grade(steps=(*STEPS, OPEN)), RELEASED["after_published"])
    for reason in ("Checks passed: 50 %", "no move within 5 s", "Games won: 50 %", "ahead is not empty",
                   "a move that is legal", "Traceback", "Staff will run it again"):  # fmt: skip
        assert reason in page
    assert "15 of 40 points so far; not all steps are graded" in page


def test_records_of_unreleased_steps_stay_out_of_the_students_folder(tmp_path: Path) -> None:
    """The folder of the page holds the page and its own records; an open total is not in the table."""
    folder = GradeFolder(tmp_path / "out", released="visible")
    secret = step("games", "failed", 0, "after_due_date", games=STEPS[1].games)
    folder.write(submission(), Graded(grade(steps=(secret, OPEN)), RECORDS))
    place = tmp_path / "out" / "students" / "ann"
    assert [path.name for path in (place / "page").rglob("*") if path.is_file()] == ["index.html"]
    assert sorted(path.name for path in (place / "unreleased").iterdir()) == sorted(RECORDS)
    folder.write(submission(), Graded(grade(), RECORDS))
    assert sorted(path.name for path in (place / "page" / "records").iterdir()) == sorted(RECORDS)
    assert [path.name for path in place.parent.iterdir()] == ["ann"]


def test_an_open_total_is_not_in_the_table(tmp_path: Path) -> None:
    """Nobody imports a grade that lacks a step of ours."""
    table = grades_csv(rubric(GAMES, tmp_path), [grade(), grade("bob", (*STEPS[:3], OPEN))])
    rows = [*csv.DictReader(io.StringIO(table.replace("student,games,", "student,a,b,c,games,", 1)))]
    assert [(row["total"], row["complete"]) for row in rows] == [("15", "yes"), ("", "no")]


def test_staff_learn_of_copies_of_a_game(tmp_path: Path) -> None:
    """A hundred copies of one game are one game; games from other seats are others."""
    made, won = rubric(GAMES, tmp_path), STEPS[1].games[0]
    games = [replace(won, moves="a"), replace(won, moves="a", number=2), replace(won, moves="a", seat=1)]
    copies = step("games", "passed", 10, games=tuple(games[:2]))
    assert "games: as few as 1 distinct games of 2" in staff_page(
        made, [grade(steps=(copies,))], 0, ("visible",)
    )
    fair = step("games", "passed", 10, games=tuple(games[1:]))
    assert "distinct" not in staff_page(made, [grade(steps=(fair,))], 0, ("visible",))


def test_a_later_run_can_release_more_steps(tmp_path: Path) -> None:
    """The page and the records of a grade that stands follow --pages."""
    place, late = (
        tmp_path / "out" / "students" / "ann",
        step("x", "failed", 0, "after_due_date", games=STEPS[1].games),
    )
    made = grade(steps=(late,))
    GradeFolder(tmp_path / "out", released="visible").write(submission(), Graded(made, RECORDS))
    assert not [*(place / "page" / "records").iterdir()]
    for released, count in (("after_due_date", 2), ("visible", 0)):
        GradeFolder(tmp_path / "out", released=released, resume=True).refresh(submission(), made)
        assert len([*(place / "page" / "records").iterdir()]) == count
        assert ("<h2>x</h2>" in (place / "page" / "index.html").read_text()) == bool(count)
