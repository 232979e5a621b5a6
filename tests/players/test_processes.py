"""Real programs at the table: the verdict is right, and nothing is left of them afterwards."""

from __future__ import annotations

import sys
import textwrap
from random import Random
from typing import TYPE_CHECKING

import pytest

from players.programs import HONEST, first_fault, honest_won, nothing_left, shell
from players.real_match import Job, apart, rogue, settled
from players.survivors import APART, UNCONFINED, gone, needs
from touchline.bots.random import Random as RandomBot
from touchline.core.conduct import Offence
from touchline.core.errors import BadOptions
from touchline.drivers.match import agreed
from touchline.drivers.programs import play_local
from touchline.games.hexapawn import Hexapawn
from touchline.testing.rogues import ROGUES

if TYPE_CHECKING:
    from pathlib import Path

HARMFUL = {"forker", "flooder", "long_line"}
"""These fork or flood, so they run in namespaces."""
SOME = {"crasher", "dozer", "never_reads", "stubborn"}
"""Of the others, those that are tried as processes every day; all are in virtual time."""
THOUGHTFUL = """
    import time
    class Thoughtful:
        def choose(self, view, turn: int = 0):
            time.sleep(0.3)
            return view.legal_moves()[0]
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name in SOME else pytest.mark.slow)
        for name in sorted(ROGUES.keys() - HARMFUL)
    ],
)
def test_a_rogue_as_a_process(name: str, mark: str, tmp_path: Path) -> None:
    """Each gets the declared verdict, the honest one wins, and no process, descriptor or zombie is left."""
    honest = HONEST
    if name == "early_bird":  # it is too early only while the other one thinks
        (tmp_path / "slow.py").write_text(textwrap.dedent(THOUGHTFUL))
        honest = [sys.executable, "-m", "touchline.players.python_file", str(tmp_path / "slow.py")]
    report = settled(Job(commands=[rogue(name), honest], mark=mark, set_up=3 if name == "dozer" else 20))
    assert first_fault(report).offence is ROGUES[name][1]
    assert honest_won(report)


@pytest.mark.parametrize("name", sorted(HARMFUL))
def test_a_harmful_rogue_as_a_process(name: str, mark: str) -> None:
    """The same for those that fork or flood, in namespaces of their own."""
    report = apart(Job(commands=[rogue(name), HONEST], mark=mark), needs(APART))
    assert report.confined
    assert first_fault(report).offence is ROGUES[name][1]
    assert honest_won(report)
    assert gone(mark) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(HARMFUL))
def test_a_harmful_rogue_where_no_namespace_can_be_had(name: str, mark: str) -> None:
    """Where no pid namespace is to be had the supervisor kills them one by one, and nobody is left either."""
    report = apart(Job(commands=[rogue(name), HONEST], mark=mark), needs(UNCONFINED))
    assert not report.confined
    assert first_fault(report).offence is ROGUES[name][1]
    assert honest_won(report)
    assert gone(mark) == []


@pytest.mark.parametrize("prefix", [APART, UNCONFINED], ids=["confined", "unconfined"])
def test_killing_the_referee_leaves_nobody(prefix: list[str], mark: str) -> None:
    """If the referee is killed with SIGKILL, programs and all they hid are gone within half a second."""
    job = Job(commands=[rogue("forker"), HONEST], mark=mark, seconds=60, kill=6)
    report = apart(job, needs(prefix))
    assert report.confined == (prefix is APART)
    assert report.hidden >= 6
    assert report.left == []
    assert gone(mark) == []


@pytest.mark.parametrize("prefix", [APART, UNCONFINED], ids=["confined", "unconfined"])
def test_a_child_that_holds_the_pipes_holds_up_nobody(prefix: list[str], mark: str) -> None:
    """A program that ends and leaves a child with its pipes is gone all the same, and so is the child."""
    job = Job(commands=[shell("sleep 30 & exit 3"), HONEST], mark=mark)
    report = apart(job, needs(prefix))
    assert first_fault(report).offence is Offence.GONE
    assert first_fault(report).reason == "exited with 3"
    assert honest_won(report)


def test_an_honest_match_between_processes(mark: str) -> None:
    """Two honest programs play to the end, and nothing is left of them."""
    report = settled(Job(commands=[HONEST, HONEST], mark=mark))
    assert report.result is not None
    assert report.result.verdict == "finished"
    assert report.result.faults == ()
    assert nothing_left(report)


def test_a_trickler_as_a_process_is_never_at_fault(mark: str) -> None:
    """Byte by byte through a real pipe is as good as at once."""
    report = settled(Job(commands=[rogue("trickler"), HONEST], mark=mark, seconds=5))
    assert report.result is not None
    assert report.result.faults == ()
    assert nothing_left(report)


def test_programs_and_bots_at_one_table(mark: str) -> None:
    """Two rogue processes and a bot in this process: the bot wins."""
    job = Job(commands=[rogue("crasher"), rogue("quitter")], mark=mark, game="fish")
    report = settled(job, [RandomBot(Random(1))])
    assert honest_won(report, seat=2)
    assert report.result is not None
    assert set(report.result.expelled) == {0, 1}


def test_the_number_of_players_must_fit() -> None:
    """Two seats take no third player."""
    spec = agreed(Hexapawn(rows=4, cols=4), ["a", "b"], 1)
    with pytest.raises(BadOptions, match="3 players for 2 seats"):
        play_local(spec, [RandomBot(Random(1))] * 3)
