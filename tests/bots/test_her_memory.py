"""The memory of HER: saved, read again, and refused if it is damaged."""

from __future__ import annotations

import json
import multiprocessing
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from bots.her_boxes import LEFT, MIDDLE, SMALL, START, beads, ended
from touchline.bots.her import Her
from touchline.bots.hexapawn import matchboxes
from touchline.bots.hexapawn.matchboxes import full_box, labelled
from touchline.bots.random import Random as RandomBot
from touchline.core.messages import Resigned
from touchline.drivers.match import agreed, play_now

if TYPE_CHECKING:
    from pathlib import Path

    from touchline.drivers.match import Bot


def schooled(path: Path, seed: int = 1, games: int = 60) -> Her:
    player, rival = Her(Random(seed), memory=str(path)), RandomBot(Random(seed))
    for number in range(games):
        pair: list[Bot] = [rival, player] if number % 2 else [player, rival]
        play_now(agreed(SMALL, ["a", "b"], number), pair)
    return player


def test_what_it_learnt_is_there_the_next_time(tmp_path: Path) -> None:
    path = tmp_path / "her.json"
    player = schooled(path)
    again = Her(Random(1), memory=str(path))
    assert again._boxes == player._boxes
    assert again.learnt()["beads taken"] > 5
    assert [file.name for file in tmp_path.iterdir()] == ["her.json"]


def test_a_person_can_read_it(tmp_path: Path) -> None:
    """The rows of the board, and the moves as one types them, with their beads."""
    path = tmp_path / "her.json"
    player = Her(Random(0), memory=str(path))
    move = player.choose(START.play(MIDDLE), 1)
    player.told(1, ended(0))
    taken = " ".join(f"{row},{col}" for row, col in (move.origin, move.target))
    box = {"2,0 1,0": 1, "2,0 1,1": 1, taken: 0}
    assert json.loads(path.read_text()) == {"her": 1, "first": {}, "second": {"1.1/.1./222": box}}


def test_a_resignation_is_remembered_at_once(tmp_path: Path) -> None:
    """For a player elsewhere hears nothing after that."""
    path = tmp_path / "her.json"
    player = Her(Random(0), memory=str(path))
    view = START.play(LEFT)
    player.choose(view, 1)
    player._boxes[labelled(START.play(MIDDLE))[0]] = dict.fromkeys(full_box(START.play(MIDDLE)), 0)
    with pytest.raises(Resigned):
        player.choose(START.play(MIDDLE), 3)
    assert len(beads(Her(Random(0), memory=str(path)), view)) == 2


GOOD = {"her": 1, "first": {}, "second": {"1.1/.1./222": {"2,0 1,0": 1, "2,0 1,1": 0}}}


def with_box(board: str, box: dict[str, Any], seat: str = "second") -> str:
    return json.dumps({**GOOD, seat: {board: box}})


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "truncated"),
        (json.dumps(GOOD)[:-9], "truncated"),
        ("[]", "Expected `object`"),
        ("[" * 100_000, "this is not a matchbox file"),
        ("\xff\xfe", "this is not a matchbox file"),
        (json.dumps({**GOOD, "her": 2}), "Invalid enum value 2"),
        (json.dumps({**GOOD, "him": {}}), "him"),
        (json.dumps({"her": 1, "first": {}}), "second"),
        (with_box("1.1/.1./222", {"2,0 1,0": 2, "2,0 1,1": 1}), "<= 1"),
        (with_box("1.1/.1./222", {"2,0 1,0": -1, "2,0 1,1": 1}), ">= 0"),
        (with_box("1.1/.1./222", {"2,0 1,0": 1.5, "2,0 1,1": 1}), "int"),
        (with_box("1.1/.1./222", {"2,0 1,0": 1}), "its moves are 2,0 1,0, 2,0 1,1"),
        (with_box("1.1/.1./222", {"2,0 1,0": 1, "2,0 1,1": 1, "2,2 1,2": 1}), "its moves are"),
        (with_box("11./..1/222", {"2,0 1,0": 1}), "mirror image"),
        (with_box("1.1/.1./22", {}), "3 rows by 3 columns"),
        (with_box("1.1/.3./222", {}), "1, 2 and . only"),
        (with_box("...", {}), "rows"),
        (with_box("", {}), "columns"),
        (with_box(".../1../2..", {}), "nobody can move"),
    ],
)  # fmt: skip
def test_a_damaged_memory_is_refused_by_name(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "her.json"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(ValueError, match="name another file, or move this one away") as raised:
        Her(Random(0), memory=str(path))
    assert str(path) in str(raised.value)
    assert why in str(raised.value)
    assert path.read_bytes() == text.encode("latin-1")


def test_a_memory_that_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "her.json"
    path.write_text(json.dumps(GOOD))
    monkeypatch.setattr(matchboxes, "MOST_BOXES", 0)
    with pytest.raises(ValueError, match="more than 0 boxes"):
        Her(Random(0), memory=str(path))
    monkeypatch.setattr(matchboxes, "MOST_BYTES", 20)
    with pytest.raises(ValueError, match="more than 20 bytes"):
        Her(Random(0), memory=str(path))


def test_the_fullest_memory_can_be_read_again() -> None:
    """As many boxes as there may be, each as large as it can be, are fewer bytes than are read."""
    row = "12" * 13
    widest = len(json.dumps("/".join([row] * 26))) + 26 * 3 * len('"25,25 24,24": 1, ') + 8
    assert widest * matchboxes.MOST_BOXES < matchboxes.MOST_BYTES


@pytest.mark.parametrize("where", ["missing/her.json", "."])
def test_a_place_where_nothing_can_be_saved_is_refused_at_once(tmp_path: Path, where: str) -> None:
    with pytest.raises(ValueError, match=r"folder|cannot be read"):
        Her(Random(0), memory=str(tmp_path / where))


def test_a_memory_that_cannot_be_saved_costs_no_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The old one stays whole, and nothing else is left behind."""
    path = tmp_path / "her.json"
    path.write_text(json.dumps(GOOD))
    player = Her(Random(0), memory=str(path))

    def full(old: str, new: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    result = play_now(agreed(SMALL, ["a", "b"], 1), [player, RandomBot(Random(0))])
    assert result.faults == ()
    assert "cannot save the memory file" in caplog.text
    assert json.loads(path.read_text()) == GOOD
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(OSError, match="No space"):
        player.save()


def _scribble(path: str, seed: int) -> None:
    player = Her(Random(seed), memory=path)
    for number in range(40):
        play_now(agreed(SMALL, ["a", "b"], number), [RandomBot(Random(number)), player])
        assert matchboxes.loaded(path)  # whoever wrote last, it is a whole file


def test_two_processes_with_one_memory(tmp_path: Path) -> None:
    path = tmp_path / "her.json"
    spawn = multiprocessing.get_context("spawn")
    both = [spawn.Process(target=_scribble, args=(str(path), seed)) for seed in (1, 2)]
    for process in both:
        process.start()
    for process in both:
        process.join(60)
    assert [process.exitcode for process in both] == [0, 0]
    assert list(tmp_path.iterdir()) == [path]
