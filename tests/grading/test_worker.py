"""Submissions of every kind get their points and the reason for each lost one; our failures cost none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from grading.student_bots import (
    BABBLER,
    CHEAT,
    CRASHER,
    FIRST,
    GAMES,
    SLEEPER,
    TERMS,
    VANDAL,
    WINNER,
    handed_in,
    rubric,
)
from touchline.core.errors import BadOptions
from touchline.core.events import Moved
from touchline.grading import worker
from touchline.grading.games import ATTEMPTS
from touchline.grading.submissions import HandedIn
from touchline.grading.trial import try_references
from touchline.grading.worker import GradingJob, graded
from touchline.records.replay import Replay
from touchline.records.verification import verify_record
from touchline.sandbox.tiers import STRONG, best

if TYPE_CHECKING:
    from pathlib import Path

    from touchline.grading.grades import Graded, StepGrade

ONE = GAMES.replace("games = 2", "games = 1")
REFERENCE = ONE.replace('"random"', '"ref.py"')


def grade(folder: Path, text: str, submission: HandedIn) -> Graded:
    return graded(GradingJob(rubric(text, folder), submission, best()))


def only(made: Graded) -> StepGrade:
    (step,) = made.grade.steps
    return step


def test_a_good_bot_gets_all_points_and_records_that_replay(tmp_path: Path) -> None:
    """It plays from each seat in turn, and wins at least from one; records are whole, and name no student."""
    (ann,) = handed_in(tmp_path, ann=WINNER)
    made = grade(tmp_path, GAMES.replace("wins = 1", "wins = 0.5"), ann)
    step = only(made)
    assert (step.status, step.points, step.why, made.grade.complete) == ("passed", 10, "", True)
    assert [game.seat for game in step.games] == [0, 1]
    assert "won" in {game.outcome for game in step.games}
    assert sorted(made.records) == ["01-games-game-001.jsonl", "01-games-game-002.jsonl"]
    for name, record in made.records.items():
        assert verify_record(Replay(record.encode(), name)).follows
        assert set(Replay(record.encode(), name).begun.names) == {"submission", "random"}


BROKEN = {
    "crasher": (CRASHER, "gone", "its program ended before the game was over", "runs until it is told"),
    "cheat": (CHEAT, "illegal", "it made a move that the rules do not allow", "a move that is legal"),
    "process_babbler": (
        BABBLER,
        "malformed",
        "it sent an answer that cannot be read",
        "print what is for you",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_bot_gets_the_reason(tmp_path: Path, name: str) -> None:
    """The offence, what was expected, what it wrote, and a record."""
    text, offence, did, wanted = BROKEN[name]
    (bob,) = handed_in(tmp_path, **{name: text})
    step = only(made := grade(tmp_path, ONE, bob))
    (game,) = step.games
    assert (step.status, step.points, made.grade.complete) == ("failed", 0, True)
    assert (game.outcome, game.offence) == ("fault", offence)
    assert did in game.text
    assert "expelled" in game.text
    assert wanted in game.expected
    assert made.records[game.record]
    if name == "crasher":
        assert "no idea" in game.stderr
    else:
        assert game.answer


def test_a_bot_that_hangs_is_late_and_uses_up_its_minutes(tmp_path: Path) -> None:
    """The time of the game that it lost counts, and the games after that are lost, too."""
    (eve,) = handed_in(tmp_path, eve=SLEEPER)
    text = GAMES.replace("seconds = 30", "seconds = 0.3").replace("seed = 7", "seed = 7\nminutes = 1e-6")
    first, second = only(grade(tmp_path, text, eve)).games
    assert (first.offence, second.outcome) == ("late", "unplayed")
    assert "an answer within 0.3 s" in first.expected
    assert first.thought > 0
    assert "used up its 1e-06 minutes" in second.text


def test_a_bot_cannot_touch_the_files_of_anybody(tmp_path: Path) -> None:
    """It sees no folder but its own, and cannot write there; its opponent plays on."""
    if best() not in STRONG:
        pytest.skip("no tier of isolation works here")
    (tmp_path / "ref.py").write_text(FIRST)
    (mal,) = handed_in(tmp_path, mal=VANDAL)
    (game,) = only(grade(tmp_path, REFERENCE, mal)).games
    assert game.outcome in ("lost", "won")
    texts = {path.read_text() for path in (tmp_path / "store").rglob("bot.py")}
    assert texts == {VANDAL, FIRST}
    if game.outcome == "lost":
        assert game.stderr.startswith("wrote 0 files")


def test_checks_earn_points_in_proportion_and_a_step_can_depend_on_them(tmp_path: Path) -> None:
    """What depends on a step that was not passed is skipped, with the reason."""
    text = TERMS + '[[steps]]\nname = "c"\nchecks = [1, 2]\npoints = 4\npartial = true\n'
    text += GAMES[GAMES.index("[[steps]]") :] + 'after = "c"\n'
    (bob,) = handed_in(tmp_path, bob=CHEAT)
    checks, games = grade(tmp_path, text, bob).grade.steps
    assert (checks.status, checks.points) == ("partial", 2)
    assert checks.why == "Checks passed: 50 %, and 100 % are needed for all points."
    assert [check.failure is None for check in checks.checks] == [True, False]
    assert "illegal" in (checks.checks[1].failure or "")
    assert checks.checks[1].talk
    assert (games.status, games.points) == ("skipped", 0)
    assert games.why == "Not run: it comes after the step 'c', which was not passed."


def test_what_cannot_be_started_is_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing program of its own is the submission's fault, one that the machine lacks is ours."""
    (bob,) = handed_in(tmp_path, bob=FIRST)
    made = rubric(ONE, tmp_path)
    for word, status, why in (
        ("process:./no-such-file", "failed", "there is no such program"),
        ("process:no-such-language bot.x", "ours", "'no-such-language' is not installed on this machine"),
        ("process:'", "failed", "No closing quotation"),
        ("process:", "failed", "needs a command"),
        ("process:/no/such/interpreter bot.x", "ours", "is not installed on this machine"),
        ("seed-000+bot.py", "failed", "seed-000 is spoken in fish, not in hexapawn"),
        ("wasm:bot.py", "failed", "bot.py is no WebAssembly module"),
        ("seed-002+wasm:bot.py", "failed", "which speaks native"),
    ):
        broken = HandedIn(student="bob", digest="", player=word, folder=bob.folder)
        step = only(graded(GradingJob(made, broken, "none")))
        assert (step.status, step.points) == (status, 0)
        assert why in step.why
        assert str(tmp_path) not in step.why
    monkeypatch.setattr("touchline.players.wasm.version", lambda: None)
    broken = HandedIn(student="bob", digest="", player="wasm:bot.wasm", folder=bob.folder)
    assert only(graded(GradingJob(made, broken, "none"))).status == "ours"
    trouble = HandedIn(student="bob", digest="", trouble="What was handed in cannot be used: a bomb.")
    step = only(graded(GradingJob(made, trouble, "none")))
    assert (step.status, step.why) == ("failed", trouble.trouble)


def test_an_opponent_that_fails_costs_no_point(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The step is open, and so is the step that comes after it."""
    monkeypatch.setattr("touchline.grading.games.ATTEMPTS", 1)
    (tmp_path / "ref.py").write_text(CRASHER)
    later = GAMES[GAMES.index("[[steps]]") :].replace('"games"', '"later"') + 'after = "games"\n'
    (ann,) = handed_in(tmp_path, ann=FIRST)
    made = grade(tmp_path, REFERENCE + later, ann)
    step, after = made.grade.steps
    assert (step.status, after.status, made.grade.complete) == ("ours", "ours", False)
    assert "no point is lost" in step.why
    assert "the opponent ref failed at turn" in step.why
    assert made.grade.total == "0 of 20 points so far; not all steps are graded"


def test_an_error_of_ours_costs_no_point(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that raises is tried again; a check that raises leaves its step open."""
    tries: list[str] = []

    def fail(*given: Any, **named: Any) -> None:
        tries.append("once")
        raise OSError(24, "Too many open files")

    monkeypatch.setattr("touchline.grading.games.player", fail)
    monkeypatch.setattr(worker, "checked", fail)
    (ann,) = handed_in(tmp_path, ann=FIRST)
    text = ONE + '[[steps]]\nname = "c"\nchecks = "all"\npoints = 4\n'
    games, checks = grade(tmp_path, text, ann).grade.steps
    assert (games.status, checks.status) == ("ours", "ours")
    assert "Too many open files" in games.why
    assert len(tries) == ATTEMPTS + 1


def test_a_broken_reference_is_found_before_anything_is_graded(tmp_path: Path) -> None:
    """It plays a trial; the error has what it wrote to stderr."""
    (tmp_path / "ref.py").write_text(CRASHER)
    with pytest.raises(BadOptions, match=r"the reference solution ref fails as seat 0(?s:.)*no idea"):
        try_references(rubric(REFERENCE, tmp_path), best())


def test_all_students_meet_the_same_games(tmp_path: Path) -> None:
    """Two submissions that choose alike have the same game, move by move, with the same seed and nonce."""
    made, games = rubric(ONE, tmp_path), []
    for one in handed_in(tmp_path, ann=FIRST, bob=FIRST + "# mine\n"):
        ((name, record),) = graded(GradingJob(made, one, best())).records.items()
        replay = Replay(record.encode(), name)
        moves = [event.move for event in replay.events if isinstance(event, Moved)]
        games.append((replay.begun.commitment, moves))
    assert games[0] == games[1]
