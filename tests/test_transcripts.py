"""The transcripts say what the dialects said when somebody last looked at them, and what they must say."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from scripted import ROOT, script
from touchline.core import registry
from touchline.testing.transcript import DIALECTS, words, words_table

if TYPE_CHECKING:
    from pathlib import Path

FOLDER = ROOT / "tests" / "transcripts"
PAGE = ROOT / "docs" / "rulings.md"
NOTES = sorted((ROOT / "docs" / "dialects").glob("seed-*.md"))
"""The pages of the notes."""
TUTORIAL = ROOT / "docs" / "tutorials" / "native-protocol.md"
SEEDS = ROOT.parent / "shared" / "seeds"
SCRIPT = script("transcripts")
WRITTEN: dict[str, str] = SCRIPT.written()
FILES = sorted({*WRITTEN, *(path.relative_to(FOLDER).as_posix() for path in FOLDER.glob("*/*"))})


@pytest.mark.parametrize("name", FILES)
def test_the_dialects_still_say_this(name: str) -> None:
    """A transcript is there, is meant to be there, and is what would be said today."""
    assert name in WRITTEN, f"nobody writes {name}: run scripts/transcripts"
    assert (FOLDER / name).is_file(), f"{name} is missing: run scripts/transcripts"
    assert (FOLDER / name).read_text() == WRITTEN[name], "stale: run scripts/transcripts, look at the diff"


def test_every_dialect_has_every_scene() -> None:
    """But hexapawn has two seats, so in its dialect nobody can be kicked while others play on."""
    assert {*DIALECTS} == set(registry.DIALECTS.ours())
    usual = {"normal", "illegal", "malformed", "late", "out-of-turn", "crash", "kick", "end"}
    for dialect in DIALECTS:
        found = {path.stem for path in (FOLDER / dialect).glob("*.txt")}
        assert usual - found == ({"kick"} if dialect == "seed-002" else set()), dialect


def test_a_transcript_is_written_the_same_every_time() -> None:
    assert SCRIPT.written() == WRITTEN


# -- what the scenes must show, by hand ---------------------------------------------------------


class Read:
    """A committed transcript, taken apart: who said what to whom, in order."""

    def __init__(self, name: str) -> None:
        self.text = (FOLDER / f"{name}.txt").read_text()
        said = re.findall(r"^(?:referee -> (\w+)|(\w+) -> referee): (.*)$", self.text, re.MULTILINE)
        self.told: list[tuple[str, str]] = [(seat, frame) for seat, _, frame in said if seat]
        """What the referee said, and to whom."""
        self.answers = [(seat, frame) for _, seat, frame in said if seat]

    def words(self, seat: str) -> list[str]:
        """The names of what this seat was told."""
        return [_word(frame) for other, frame in self.told if other == seat]

    def arguments(self, seat: str, word: str) -> list[Any]:
        """What came with this word, each time the seat was told it."""
        return [json.loads(frame)[1] for other, frame in self.told if other == seat and _word(frame) == word]

    def last(self, seat: str) -> str:
        return [frame for other, frame in self.told if other == seat][-1]

    def ending(self, label: str) -> str | None:
        """The line of the result that begins with this."""
        found = re.search(rf"^{label} +(.*)$", self.text, re.MULTILINE)
        return None if found is None else str(found[1])


def _word(frame: str) -> str:
    if frame.startswith("["):
        return str(json.loads(frame)[0])
    return str(json.loads(frame)["type"]) if frame.startswith("{") else frame.partition("(")[0]


ENDS = {
    # For each dialect: the last word to a winner, to a loser, and to who is expelled, if there is one.
    "seed-000": ("finalize", "finalize", "terminate"),
    "seed-001": ("notifyGameOver", "notifyGameOver", "notifyBanned"),
    "seed-003": ("NotifyGameOver", "NotifyGameOver", None),
    "seed-004": ("EndOfGame", "EndOfGame", None),
    "fish-course": ("end", "end", None),
    "labyrinth-course": ("win", "win", None),
    "native": ("over", "over", "expelled"),
}


@pytest.mark.parametrize("dialect", ENDS)
@pytest.mark.parametrize("scene", ["illegal", "malformed", "late", "out-of-turn", "crash", "kick"])
def test_whoever_is_expelled_hears_one_last_word_at_most(dialect: str, scene: str) -> None:
    """Whatever the offence was; the others play on, and one of them wins."""
    if (dialect, scene) == ("seed-001", "illegal"):
        pytest.skip("there it costs a turn")
    read = Read(f"{dialect}/{scene}")
    winner, _, expelled = ENDS[dialect]
    out, won = read.ending("expelled"), read.ending("won")
    assert out in ("ada", "bob")
    assert won not in (None, out)
    after = read.text.partition(f"referee parts with {out}\n")[2]
    later = re.findall(rf"^referee -> {out}: (.*)$", after, re.MULTILINE)
    # "Once this method has been invoked, the referee should reject all requests from the banned player."
    banned = (dialect, scene) == ("seed-001", "out-of-turn")
    assert later == (['["rejectMove",["banned"]]'] if banned else [])
    heard = Counter(read.words(out))
    if expelled is not None:
        assert heard[expelled] == 1
    assert not heard[winner], "it heard how the match ended, too"
    for seat in {"ada", "bob", "cyd"} - {out}:
        assert Counter(read.words(seat))[winner] == (seat in read.text.partition("seats")[2].splitlines()[0])


@pytest.mark.parametrize("dialect", ENDS)
def test_honest_players_are_never_refused_anything(dialect: str) -> None:
    read = Read(f"{dialect}/normal")
    assert "   *" not in read.text
    assert read.ending("won") == "ada"
    assert _word(read.last("ada")) == ENDS[dialect][0]
    assert _word(read.last("bob")) == ENDS[dialect][1]


@pytest.mark.parametrize("dialect", ["seed-000", "seed-003", "seed-004", "fish-course", "labyrinth-course"])
def test_a_bad_answer_to_the_last_word_changes_nothing(dialect: str) -> None:
    """Nobody is sanctioned once the outcome is known."""
    read = Read(f"{dialect}/end")
    assert ("bob", '"thanks"') in read.answers
    assert "bob" in str(read.ending("won"))
    assert read.ending("expelled") is None


OUT_OF_TURN = re.compile(r"^   \* bob, out of turn: it is not your turn; (\w+)$", re.MULTILINE)


@pytest.mark.parametrize("dialect", ENDS)
def test_the_tenth_out_of_turn_is_too_much(dialect: str) -> None:
    assert OUT_OF_TURN.findall(Read(f"{dialect}/out-of-turn").text) == ["retry"] * 9 + ["expel"]


def test_000_one_call_after_the_other() -> None:
    """ "`initialize` will be called once", `get-placement` "(6 - N) times", and "`finalize` [...] once"."""
    read = Read("seed-000/normal")
    assert read.words("ada") == ["initialize", *["get-placement"] * 4, "get-movement", "finalize"]
    assert read.words("bob") == ["initialize", *["get-placement"] * 4, "finalize"]
    (end_game,) = read.arguments("bob", "finalize")[0]
    assert (end_game["winners"], end_game["kicked"]) == (["red"], [])


def test_000_columns_come_first() -> None:
    """ "As a `(make-posn column row)`": ada's second penguin stands in row 0, column 2."""
    read = Read("seed-000/normal")
    assert read.answers[6] == ("ada", '{"x":2,"y":0}')
    (state,) = read.arguments("bob", "get-placement")[1]
    assert state["players"][1] == {"color": "red", "score": 0, "places": [[0, 0], [0, 2]]}


def test_000_terminate_is_sent_once() -> None:
    """ "The Referee will call `terminate` once on this player", and it never hears `finalize`."""
    read = Read("seed-000/kick")
    assert read.words("bob") == ["initialize", *["get-placement"] * 2, "terminate"]
    assert read.last("bob") == '["terminate",[]]'
    for seat, color in (("ada", "red"), ("cyd", "brown")):
        assert read.words(seat).count("get-placement") == 3, "6 - N, with N the players at the start"
        (game,) = read.arguments(seat, "get-movement")[0]
        assert (game["turn"], game["kicked"]) == (color, ["white"])
        assert game["state"]["players"][0]["color"] == color
        assert "white" not in json.dumps(game["state"])
        assert read.words(seat)[-1] == "finalize"


def test_001_accepted_updated_next() -> None:
    """A request is accepted, all hear of the new state, mover included, and then the next of its turn."""
    told = [(seat, _word(frame)) for seat, frame in Read("seed-001/normal").told]
    update = [("ada", "updateGameState"), ("bob", "updateGameState")]
    assert told[:7] == [*update, ("ada", "notifyTurn"), ("ada", "acceptMove"), *update, ("bob", "notifyTurn")]
    assert Counter(told)["ada", "notifyStartGame"] == Counter(told)["bob", "notifyStartGame"] == 1
    assert told.index(("ada", "notifyStartGame")) < told.index(("ada", "notifyTurn"), -12)
    phases = [state["phase"] for (state,) in Read("seed-001/normal").arguments("bob", "updateGameState")]
    assert phases == ["placing"] * 8 + ["moving", "over"]


def test_001_the_third_invalid_request_costs_the_turn() -> None:
    """Three rejections, the last of them followed by the skip; the turn is announced once."""
    read = Read("seed-001/illegal")
    why = ["a penguin is there already"]
    assert read.arguments("bob", "rejectMove") == [why] * 3
    assert read.arguments("bob", "notifySkipped") == [why]
    told = read.words("bob")
    at = told.index("notifyTurn")
    assert told[at : at + 5] == ["notifyTurn", *["rejectMove"] * 3, "notifySkipped"]
    assert read.ending("expelled") is None
    (state,) = read.arguments("bob", "updateGameState")[-1]
    assert [len(player["places"]) for player in state["players"]] == [4, 4], "it placed its penguin later"


def test_001_unreadable_requests() -> None:
    """Two are rejected, the third in a row is a ban."""
    told = Read("seed-001/malformed").words("bob")
    assert told[-4:] == ["notifyTurn", "rejectMove", "rejectMove", "notifyBanned"]


def test_001_late() -> None:
    """Two turns are skipped because they "took too long", the third in a row is a ban."""
    read = Read("seed-001/late")
    assert read.arguments("bob", "notifySkipped") == [["took too long"]] * 2
    assert read.words("bob")[-2:] == ["notifyTurn", "notifyBanned"]


def test_001_out_of_turn() -> None:
    read = Read("seed-001/out-of-turn")
    assert read.arguments("bob", "rejectMove") == [["not your turn"]] * 9 + [["banned"]]
    assert read.words("bob")[-2:] == ["notifyBanned", "rejectMove"]


def test_001_the_end() -> None:
    """ "One final `updateGameState(currentGameState)` [...] and then [...] `notifyGameOver()`"."""
    read = Read("seed-001/end")
    assert read.arguments("ada", "notifySkipped") == [["no moves"]]
    for seat in ("ada", "bob", "cyd"):
        assert read.words(seat)[-2:] == ["updateGameState", "notifyGameOver"]
        assert read.last(seat) == '["notifyGameOver",[]]'
        (state,) = read.arguments(seat, "updateGameState")[-1]
        assert state["phase"] == "over"
        assert {player["color"]: player["score"] for player in state["players"]}["white"] == 1


LOST = [("illegal", "p1"), ("malformed", "p1"), ("late", "p1"), ("out-of-turn", "p2"), ("end", "p1")]


@pytest.mark.parametrize(("scene", "winner"), [*LOST, ("no-move", "p2")])
def test_002_both_hear_who_has_won(scene: str, winner: str) -> None:
    """ "`gameEnded(winner: P)` is sent to all the players", p1 first, and to the offender as well."""
    over = f"gameEnded(winner:{winner})"
    assert Read(f"seed-002/{scene}").told[-2:] == [("ada", over), ("bob", over)]


def test_002_one_second_chance_a_turn() -> None:
    """ "A new `request` is sent to the same player", the same as before."""
    told = [frame for _, frame in Read("seed-002/illegal").told]
    assert told[0] == told[1] != told[2] == told[3]
    assert len(told) == 6
    assert Read("seed-002/malformed").words("bob") == ["request", "request", "gameEnded"]


def test_002_a_second_move_is_out_of_turn() -> None:
    """There is no second chance, and whose turn it is has won, though it was asked."""
    assert Read("seed-002/out-of-turn").words("ada") == ["request", "gameEnded"]
    assert Read("seed-002/out-of-turn").words("bob") == ["request", "gameEnded"]
    assert Read("seed-002/no-move").words("ada") == ["gameEnded"]


def test_003_the_state_before_every_request() -> None:
    """ "When the game starts, and after each player performs a move", then the request, in milliseconds."""
    read = Read("seed-003/normal")
    assert read.arguments("ada", "RequestMove") == [[4000]] * 3
    assert read.words("ada").count("NotifyGameState") == 1 + 5
    reached = [state["hasReachedGoal"] for (state,) in read.arguments("ada", "NotifyGameState")]
    assert reached == [False] * 3 + [True] * 3
    goals = {tuple(state["goal"]) for (state,) in read.arguments("ada", "NotifyGameState")}
    assert goals == {(1, 3)}, "the goal that was reached stays"


def test_003_a_kick_is_in_the_state() -> None:
    """ "`NotifyGameState` also serves the purpose of notifying players about who got kicked out"."""
    read = Read("seed-003/kick")
    for seat in ("ada", "cyd"):
        kicked = [state["players"][1]["kicked"] for (state,) in read.arguments(seat, "NotifyGameState")]
        assert kicked == [False, False, True, True, True]
    assert read.words("bob") == ["NotifyGameState", "NotifyGameState", "RequestMove"]


def test_003_several_winners() -> None:
    """A winner is told about itself, everybody else about the first in turn order."""
    read = Read("seed-003/end")
    assert read.ending("won") == "ada, bob"
    told = {seat: read.arguments(seat, "NotifyGameOver")[0][0]["name"] for seat in ("ada", "bob", "cyd")}
    assert told == {"ada": "ada", "bob": "bob", "cyd": "ada"}


def test_004_from_sign_up_to_the_end() -> None:
    read = Read("seed-004/normal")
    assert read.answers[:2] == [("ada", '["Signup",["ada"]]'), ("bob", '["Signup",["bob"]]')]
    turns = ["TakeTurn", "TakeTurn", "ReturnHome", "TakeTurn", "EndOfGame"]
    assert read.words("ada") == ["ProposeBoard", "setup", *turns]
    assert read.arguments("ada", "EndOfGame") == [["TREASURE_RETURNED", "WINNER"]]
    assert read.arguments("bob", "EndOfGame") == [["TREASURE_RETURNED", "LOSER"]]
    slides = [projection["previousSlide"] for (projection,) in read.arguments("ada", "TakeTurn")]
    assert slides[0] is None
    assert slides[1] == {"direction": "UP", "index": 2, "rotations": 0}
    assert [projection["self"]["hasReachedGoal"] for (projection,) in read.arguments("ada", "TakeTurn")] == [
        False,
        False,
        True,
    ]


def test_004_rotations_are_clockwise() -> None:
    """Cyd turned the spare three times to the right: so ada is told, who sees a tile that looks like that."""
    read = Read("seed-004/kick")
    (projection,) = read.arguments("ada", "TakeTurn")[1]
    assert projection["previousSlide"] == {"direction": "UP", "index": 2, "rotations": 3}
    assert len(projection["players"]) == 2, "who was kicked is left out"
    course = Read("labyrinth-course/kick").answers
    assert ("cyd", '[2,"UP",90,{"row#":1,"column#":5}]') in course, "the course counts the other way round"


def test_004_every_winner_is_a_winner() -> None:
    read = Read("seed-004/end")
    told = [read.arguments(seat, "EndOfGame") for seat in ("ada", "bob", "cyd")]
    assert told == [[["ALL_SKIPPED", result]] for result in ("WINNER", "WINNER", "LOSER")]


def test_the_fish_courses_actions() -> None:
    """None on the first call after a removal, and then what the others moved."""
    read = Read("fish-course/kick")
    assert [actions for _, actions in read.arguments("ada", "take-turn")] == [[], [[[0, 1], [1, 1]]]]
    assert [actions for _, actions in read.arguments("cyd", "take-turn")] == [[]]
    assert read.words("bob") == ["start", "playing-as", "playing-with", "setup", "setup"]
    assert [read.arguments(seat, "end") for seat in ("ada", "cyd")] == [[[True]], [[False]]]


def test_the_labyrinth_courses_setup() -> None:
    """With a state at the start, and with `false` when a goal was reached."""
    read = Read("labyrinth-course/normal")
    states = [bool(state) for state, _ in read.arguments("ada", "setup")]
    assert states == [True, False]
    assert read.arguments("ada", "win") == [[True]]
    assert read.arguments("bob", "win") == [[False]]


def test_native_updates_are_for_those_who_want_them() -> None:
    read = Read("native/normal")
    assert {*read.words("ada")} == {"begin", "your_turn", "over"}
    assert {*read.words("bob")} == {"begin", "your_turn", "accepted", "update", "over"}


def test_native_an_old_answer_is_ignored() -> None:
    read = Read("native/out-of-turn")
    assert read.text.count("ada answers an old question, which is ignored") == 1
    assert "rejected" not in read.words("ada")
    assert read.words("bob") == ["begin", "your_turn", *["rejected"] * 9, "expelled"]


def test_native_resigning_is_no_offence() -> None:
    read = Read("native/resign")
    assert (read.ending("resigned"), read.ending("expelled")) == ("bob", None)
    assert json.loads(read.last("bob")) == {"type": "expelled", "reason": "late for tea"}


def test_the_courses_conduct_at_a_mixed_table() -> None:
    """What costs a seed-001 player a try among its own kind costs it its seat here."""
    read = Read("mixed/kick")
    assert "conduct  course\n" in read.text
    assert read.words("bob").count("rejectMove") == 0
    assert read.words("bob")[-1] == "notifyBanned"
    assert read.words("ada")[-1] == "finalize"
    assert read.words("cyd")[-1] == "end"


# -- the page -----------------------------------------------------------------------------------


def test_the_table_of_words_is_fresh() -> None:
    assert words_table() in PAGE.read_text(), "stale: run scripts/transcripts"
    assert SCRIPT.page(PAGE.read_text()) == PAGE.read_text(), "stale: run scripts/transcripts"


def test_the_table_of_words_by_hand() -> None:
    """Some of its cells, so that a new table cannot hide that something is said no more."""
    table = words()
    assert table["Expelled"] == {
        "seed-000": "`terminate`",
        "seed-001": "`notifyBanned`",
        "seed-002": "`gameEnded`",
        "seed-003": "–",
        "seed-004": "–",
        "fish-course": "–",
        "labyrinth-course": "–",
        "native": "`expelled`",
    }
    over = "`updateGameState`, `notifyGameOver`"
    assert table["Over"]["seed-001"] == f"{over} or `notifyStartGame`, {over}", "nobody could move at all"
    assert table["Over, and does not count"]["seed-000"] == "–", "`finalize` only with an EndGame"
    assert table["Skipped, for a move"]["seed-001"] == "`rejectMove`, `notifySkipped`"
    assert table["YourTurn once more"]["seed-001"] == "–"
    assert table["YourTurn once more"]["seed-002"] == "`request`"
    assert {*table["Accepted"].values()} == {"–", "`acceptMove`", "`accepted`"}
    assert table["Onward"]["seed-004"] == "`ReturnHome`"


def test_every_note_has_a_page() -> None:
    """A page for each of the five, with a link from the page of rulings."""
    notes = [dialect for dialect in DIALECTS if dialect.startswith("seed-")]
    assert [path.stem for path in NOTES] == notes
    for path in NOTES:
        assert f"(dialects/{path.name})" in PAGE.read_text()


@pytest.mark.parametrize("path", NOTES, ids=lambda path: path.stem)
def test_the_match_on_a_page_is_the_transcript(path: Path) -> None:
    """The bytes on the page are those of the file that the tests replay."""
    text, name = path.read_text(), f"{path.stem}/normal.txt"
    marker, end = f"<!-- match: tests/transcripts/{name} -->\n\n", "\n<!-- end of match -->\n"
    assert text.count("<!-- match: ") == 1
    block = f"```text\n{(FOLDER / name).read_text()}```\n"
    assert f"{marker}{block}{end}" in text, "stale: run scripts/transcripts"
    assert SCRIPT.match_page(text, WRITTEN) == text, "stale: run scripts/transcripts"
    assert SCRIPT.match_page(text, {name: "other\n"}) != text, "the script does not find the match"


@pytest.mark.parametrize("path", NOTES, ids=lambda path: path.stem)
def test_a_page_names_every_word_of_its_dialect(path: Path) -> None:
    text = path.read_text()
    assert [word for word in registry.dialect(path.stem).words if f"`{word}" not in text] == []


def test_the_matches_of_the_tutorial_are_fresh() -> None:
    """Whole transcripts and the ends of some are on the page, as the files have them."""
    text = TUTORIAL.read_text()
    assert text.count("<!-- match: ") >= 4
    assert SCRIPT.match_page(text, WRITTEN) == text, "stale: run scripts/transcripts"
    end = (FOLDER / "native" / "illegal.txt").read_text().splitlines(keepends=True)[-11:]
    assert f"native/illegal.txt, last 11 lines -->\n\n```text\n{''.join(end)}```\n" in text


def test_examples_are_from_the_transcripts() -> None:
    """Every line in a block of the pages was said in a scene."""
    said = {line for text in WRITTEN.values() for line in text.splitlines()}
    for path in (PAGE, TUTORIAL, *NOTES):
        blocks = re.findall(r"^```text\n(.*?)^```$", path.read_text(), re.MULTILINE | re.DOTALL)
        examples = [line for block in blocks for line in block.splitlines()]
        assert len(examples) > 10
        assert [line for line in examples if line not in said] == []


def test_quotations_are_from_the_seeds() -> None:
    """Every quotation on the page of a note is in that note."""
    if not SEEDS.is_dir():
        pytest.skip("the notes are not here")
    assert not re.search(r"^> ", PAGE.read_text(), re.MULTILINE)
    found = 0
    for page in NOTES:
        (path,) = SEEDS.glob(f"{page.stem.removeprefix('seed-')}_*")
        note = " ".join(path.read_text().replace("///", "").split())
        for quoted in re.findall(r"^> (.*(?:\n> .*)*)", page.read_text(), re.MULTILINE):
            text = " ".join(quoted.replace("\n> ", " ").split())
            for part in text.split(" [...] "):
                assert part in note, f"{path.name} does not say: {part}"
                found += 1
    assert found > 40
