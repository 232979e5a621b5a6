"""`touchline say`: a match in every dialect frame by frame, and what comes of answers made by hand."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
from itertools import pairwise

import pytest

from cli.commands import TOUCHLINE, environment
from cli.shell import Shell
from scripted import ROOT
from touchline.core import registry
from touchline.testing.transcript import DIALECTS, word_of

LAST_WORDS = {
    "seed-000": "finalize",
    "seed-001": "notifyGameOver",
    "seed-002": "gameEnded",
    "seed-003": "NotifyGameOver",
    "seed-004": "EndOfGame",
    "fish-course": "end",
    "labyrinth-course": "win",
    "native": "over",
}


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(monkeypatch, capsys)


def said(shell: Shell, *words: str, answers: tuple[str, ...] = ()) -> list[str]:
    """The lines that are printed, with these lines as the input."""
    done = shell.touchline("say", *words, stdin="".join(f"{line}\n" for line in answers))
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


# -- the words ----------------------------------------------------------------------------------


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_word_that_was_ever_said_is_explained(dialect: str) -> None:
    """By the referee, and by players where it is a word and not a value."""
    words = registry.dialect(dialect).words
    text = "".join(path.read_text() for path in (ROOT / "tests" / "transcripts" / dialect).glob("*.txt"))
    told = re.findall(r"^referee -> \w+: (.*)$", text, re.MULTILINE)
    sent = re.findall(r'^\w+ -> referee: ((?:\["|\{"type":|move\().*)$', text, re.MULTILINE)
    assert {word_of(frame.encode()) for frame in [*told, *sent]} <= words.keys()
    assert told


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_meaning_is_one_short_line(dialect: str) -> None:
    for word, means in registry.dialect(dialect).words.items():
        assert means.isprintable(), word
        assert 0 < len(means) < 100, word


# -- a normal match -----------------------------------------------------------------------------


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_whole_match_is_shown(dialect: str, shell: Shell) -> None:
    lines = said(shell, dialect, "--auto")
    assert lines[0].startswith("-> ")
    assert lines[1].endswith("a program over pipes does not sign up")
    assert lines[-2] == f"   * your last message was {LAST_WORDS[dialect]}"
    assert lines[-1].startswith("   * the match is over, finished: ")
    words = registry.dialect(dialect).words
    for line, means in pairwise(lines):
        if line.startswith("<- "):
            assert means == f"   {words[word_of(line[3:].encode())]}"
    assert "it costs" not in "".join(lines)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_end_of_the_input_and_empty_lines_are_honest(dialect: str, shell: Shell) -> None:
    whole = said(shell, dialect, "--auto", "--seat", "1")
    assert said(shell, dialect, "--seat", "1") == whole
    assert said(shell, dialect, "--seat", "1", answers=("",) * 3) == whole
    assert said(shell, dialect, "--seat", "1", answers=("", ":auto")) == whole


@pytest.mark.parametrize("dialect", DIALECTS)
def test_json_is_one_object_a_line(dialect: str, shell: Shell) -> None:
    lines = [json.loads(line) for line in said(shell, dialect, "--auto", "--json")]
    assert all(line.keys() == {"from", "frame", "means"} for line in lines)
    assert {line["from"] for line in lines} == {"referee", "player"}
    told = [line["frame"] for line in lines if line["from"] == "referee" and line["frame"]]
    assert word_of(told[-1].encode()) == LAST_WORDS[dialect]


def test_more_seats_and_another_board(shell: Shell) -> None:
    lines = said(shell, "seed-000", "--auto", "--seats", "3", "--seat", "2", "--rows", "3", "--cols", "4")
    assert '<- ["initialize",[[[1,1,1,1],[1,1,1,1],[1,1,1,1]],3,"brown"]]' in lines
    assert any(line.startswith("   * bob moves: place, at row ") for line in lines)


def test_the_clock_is_only_told(shell: Shell) -> None:
    assert '<- ["RequestMove",[1500]]' in said(shell, "seed-003", "--auto", "--seconds", "1.5")
    assert '<- ["RequestMove",[2147483647]]' in said(shell, "seed-003", "--auto")


def test_a_board_is_proposed_as_part_of_the_sign_up(shell: Shell) -> None:
    lines = said(shell, "seed-004", "--auto")
    assert lines[2] == '<- ["ProposeBoard",[3,5]]'
    assert lines[5] == "   a board that suits the game"
    assert said(shell, "seed-004", answers=("[]",))[5] == "   a board that does not suit the game"


# -- by hand ------------------------------------------------------------------------------------


def after(lines: list[str], sent: str) -> list[str]:
    """The lines after the one in which this was sent."""
    return lines[lines.index(f"-> {sent}") + 1 :]


def test_an_illegal_answer_and_its_price(shell: Shell) -> None:
    """One second chance in seed 002, with the same board, and none after it."""
    bad = "move(f(1 1) t(3 3))"
    rule = "illegal: a pawn goes exactly one row forward; it costs: "
    lines = said(shell, "seed-002", answers=(bad, bad))
    first = after(lines, bad)
    assert first[0] == f"   {rule}retry (you may try again)"
    assert first[1].startswith("<- request(")
    assert after(first, bad)[0] == f"   {rule}forfeit (you lose the match)"
    assert lines[-1].startswith("   * the match is over, forfeited: seat 0 forfeits: illegal: ")


@pytest.mark.parametrize(
    ("dialect", "answers", "offence", "sanction"),
    [
        ("seed-000", ("", '{"x":9,"y":9}'), "illegal", "expel"),
        ("seed-000", ("", "[0,0]"), "malformed", "expel"),
        ("seed-001", ("", "hello"), "malformed", "retry"),
        ("seed-003", ("", "{}"), "malformed", "expel"),
        ("seed-004", ('"none"',), "malformed", "expel"),
        ("fish-course", ("", "", "", "true"), "malformed", "expel"),
        ("labyrinth-course", ("", "[]"), "malformed", "expel"),
        ("native", ("", "{"), "malformed", "expel"),
    ],
)
def test_a_bad_answer_and_its_price(
    dialect: str, answers: tuple[str, ...], offence: str, sanction: str, shell: Shell
) -> None:
    """The reason is the dialect's or the game's own."""
    lines = after(said(shell, dialect, answers=answers), answers[-1])
    assert re.match(rf"   {offence}: .+; it costs: {sanction} \(", lines[0]), lines[0]


def test_a_move_of_ones_own(shell: Shell) -> None:
    lines = after(said(shell, "seed-002", answers=("move(f(1 3) t(2 3))",)), "move(f(1 3) t(2 3))")
    assert lines[0] == "   a legal move: step, origin row 1 column 3, target row 2 column 3"


def test_out_of_turn(shell: Shell) -> None:
    """After the first request has been accepted it is somebody else's turn."""
    again = '["placePenguin",[[0,0]]]'
    lines = after(said(shell, "seed-001", answers=("", "", again)), again)
    assert lines[0] == "   out of turn: it is not your turn; it costs: retry (you may try again)"
    assert '<- ["rejectMove",["not your turn"]]' in lines


def test_a_turn_that_lasts_after_a_rejection(shell: Shell) -> None:
    """Seed 001 does not announce it again; Enter sends the honest request that is still due."""
    bad = '["placePenguin",[[9,9]]]'
    lines = after(said(shell, "seed-001", answers=("", bad)), bad)
    assert lines[0].endswith("it costs: retry (you may try again)")
    assert lines[1].startswith('<- ["rejectMove",')
    assert lines[3].startswith('-> ["placePenguin",')
    assert lines[4].startswith("   a legal move: place, at ")


def test_hanging_up(shell: Shell) -> None:
    """Nothing more is said to the seat, and the others play on."""
    lines = said(shell, "seed-000", "--seats", "3", answers=("", ":gone"))
    at = lines.index("   * you hang up: gone: hung up; it costs: expel (you are out, and the others play on)")
    assert not any(line.startswith("<- ") for line in lines[at:])
    assert any(line.startswith("   * cyd moves: ") for line in lines[at:])


def test_letting_the_time_run_out(shell: Shell) -> None:
    late = "   * you let your time run out: late: no answer in time; it costs: "
    lines = said(shell, "seed-001", answers=("", ":late"))
    assert f"{late}skip (your turn is taken away)" in lines
    assert '<- ["notifySkipped",["took too long"]]' in lines
    lines = said(shell, "seed-003", answers=("", ":late"))
    at = lines.index(f"{late}expel (you are out, and the others play on)")
    assert lines[at + 1] == "   * the referee closes your connection without a message"
    assert lines[-2] == "   * you got no last message"


def test_an_answer_that_is_owed_is_waited_for(shell: Shell) -> None:
    """Not to answer a call that is no question costs nothing, but the next one does not come before that."""
    lines = said(shell, "seed-003", answers=("", "", ":late"))
    at = lines.index("   * you let your time run out: nothing was asked, so there is no sanction")
    assert "   * the referee waits for you" in lines[at:]
    assert lines[-2] == "   * your last message was NotifyGameOver"


def test_the_last_call_is_answered_by_hand(shell: Shell) -> None:
    """What one says to it changes nothing."""
    whole = said(shell, "labyrinth-course", "--auto")
    frames = sum(line.startswith("<- ") for line in whole)
    lines = said(shell, "labyrinth-course", answers=(*[""] * (frames - 1), '"thanks"'))
    assert after(lines, '"thanks"')[0].endswith("; you are out already, so there is no further sanction")
    assert lines[-1] == whole[-1]


def test_quit_and_help(shell: Shell) -> None:
    lines = said(shell, "native", answers=(":what", ":quit"))
    assert "  :gone   hang up" in lines
    assert "match is over" not in lines[-1]


def test_what_is_typed_is_sent_byte_for_byte(shell: Shell) -> None:
    assert "-> 'ä  \\t" in "\n".join(said(shell, "seed-002", answers=("'ä  \t",)))


def test_bad_words_get_one_line(shell: Shell) -> None:
    assert "no dialect is called 'klingon'" in shell.refused("say", "klingon")
    assert "there is no seat 2 at a table of 2" in shell.refused("say", "native", "--seat", "2")
    assert "seed-000 is spoken in fish" in shell.refused("say", "seed-000", "--game", "hexapawn")
    assert "Error: labyrinth: 3 by 3 tiles" in shell.refused("say", "seed-003", "--cols", "3")
    assert "Error: hexapawn: " in shell.refused("say", "native", "--seats", "3", "--seat", "1")


def test_at_a_terminal_the_honest_answer_is_shown_beforehand() -> None:
    ours, theirs = pty.openpty()
    try:
        with subprocess.Popen(
            [*TOUCHLINE, "say", "seed-002"],
            stdin=theirs,
            stdout=subprocess.PIPE,
            text=True,
            env=environment(),
        ) as process:
            os.write(ours, b"\n:quit\n")
            out, _ = process.communicate(timeout=60)
    finally:
        os.close(ours)
        os.close(theirs)
    assert process.returncode == 0
    assert "   an honest player sends: move(f(1 2) t(2 2))\n> -> move(f(1 2) t(2 2))\n" in out
