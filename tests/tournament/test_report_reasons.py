"""The report says why: which tie-break decided, who rested, how a knock-out went, who was starved."""

from __future__ import annotations

import re
import xml.etree.ElementTree as Xml
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from touchline.core.conduct import Offence, Sanction
from touchline.core.events import Fault, Moved
from touchline.records.replay import Replay
from touchline.tournament.ledger import open_ledger
from touchline.tournament.report.bracket import bracket
from touchline.tournament.report.data import Report, build_report
from touchline.tournament.report.decisions import decisions
from touchline.tournament.report.html import html_page
from touchline.tournament.standings import Standing
from tournament.cups import cup, played

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from touchline.tournament.ledger import Finished
    from touchline.tournament.report.rounds import Round

FIVE = {"ann": "minimax:depth=2", "bob": "random", "cy": "greedy", "dan": "random", "eve": "random"}
HOSTILE = {"</title><script>alert(1)": "minimax:depth=2", "bob": "random", "cy": "greedy", "dan": "random"}


def reported(folder: Path, *terms: str, **players: str) -> tuple[Report, str]:
    """Play a cup, and return its report and its page."""
    where = str(folder / "cup.db")
    played(cup(*terms, **players), where, folder)
    with open_ledger(where, readonly=True) as ledger:
        found = build_report(ledger)
        return found, html_page(found, ledger)


def test_the_first_tiebreak_that_differs_has_decided() -> None:
    lines = [
        Standing(entrant="ann", tiebreaks=(3.0, 0.5, 7.5)),
        Standing(entrant="bob", tiebreaks=(3.0, 0.5, 6.0)),
        Standing(entrant="cy", tiebreaks=(2.0, 1.0, 9.0)),
        Standing(entrant="dan", tiebreaks=(2.0, 1.0, 9.0)),
    ]
    said = [one.text() for one in decisions(lines, ("points", "direct encounter", "Buchholz"))]
    assert said == [
        "above bob by Buchholz 7.5 to 6",
        "above cy by points 3 to 2",
        "equal to dan in every tie-break",
    ]


@pytest.fixture(scope="module")
def swiss(tmp_path_factory: pytest.TempPathFactory) -> tuple[Report, str]:
    return reported(tmp_path_factory.mktemp("swiss"), "swiss", "rounds = 3", **FIVE)


def test_a_round_has_its_games_its_bye_and_its_standings(swiss: tuple[Report, str]) -> None:
    found, page = swiss
    assert [part.number for part in found.rounds] == [1, 2, 3]
    assert sum(len(part.games) for part in found.rounds) == found.games == 6
    for part in found.rounds:
        playing = {entrant for game in part.games for entrant in game.entrants}
        (rest,) = part.rests
        assert (rest.why, {rest.entrant} | playing) == ("bye", {*FIVE})
        assert rest.points > 0
    last = found.rounds[-1].standings
    assert [(one.rank, one.entrant, one.points) for one in last] == [
        (line.rank, line.entrant, line.points) for line in found.standings
    ]
    assert page.count("(bye, worth ") == 3
    assert ">byes</th>" in page


def test_points_grow_from_round_to_round(swiss: tuple[Report, str]) -> None:
    """The standings after a round are those of its games and the ones before, and of no later game."""
    found, _ = swiss

    def total(part: Round) -> float:
        return sum(one.points for one in part.standings)

    assert total(found.rounds[0]) < total(found.rounds[1]) < total(found.rounds[2])


def test_a_format_without_byes_has_no_such_column(tmp_path: Path) -> None:
    found, page = reported(tmp_path, "round_robin", "games = 1")
    assert ">byes</th>" not in page
    assert [rest.why for part in found.rounds for rest in part.rests] == ["no game"] * 3
    assert bracket(found) == ""


def texts(svg: Xml.Element, kind: str) -> Iterator[str]:
    for element in svg.iter("text"):
        if element.get("class") == kind:
            yield element.text or ""


def test_the_bracket_shows_who_went_on(tmp_path: Path) -> None:
    """A box for each match; in bold who plays in a later round, and the winner of the last."""
    found, page = reported(tmp_path, "knockout", "games = 2", **HOSTILE)
    drawn = bracket(found)
    assert drawn in page
    svg = Xml.fromstring(drawn)
    assert len([*svg.iter("rect")]) == 3
    assert len([*svg.iter("path")]) == 2
    final = found.rounds[-1].games[0].entrants
    (champion,) = (line.entrant for line in found.standings if line.rank == 1)
    going = [name for name in texts(svg, "on") if not re.fullmatch(r"[\d.]+", name)]
    assert sorted(name[:8] for name in going) == sorted(name[:8] for name in (*final, champion))
    assert "<script>alert(1)" not in page


def test_copies_of_a_game_are_counted_once(tmp_path: Path) -> None:
    """Of the games between the same entrants on the same seats, those with the same moves are one."""
    found, page = reported(tmp_path, "round_robin", "games = 10", ann="minimax:depth=2", bob="greedy")
    with open_ledger(str(tmp_path / "cup.db"), readonly=True) as ledger:
        moves = {
            (
                game.entrants,
                *(
                    str(event.move)
                    for event in Replay(ledger.record(game.game), game.game).events
                    if isinstance(event, Moved)
                ),
            )
            for part in found.rounds
            for game in part.games
        }
    assert (found.games, found.distinct) == (10, len(moves))
    again = msgspec.structs.replace(found, distinct=2)
    assert again.distinct_text() == "2 distinct games of 10"
    assert msgspec.structs.replace(found, distinct=10).distinct_text() == "10 games"
    assert found.distinct_text() in page


class Doctored:
    """A ledger in which the results of some games are others."""

    def __init__(self, ledger: Any, change: dict[str, bytes]) -> None:
        self._ledger, self._change = ledger, change

    def __getattr__(self, name: str) -> Any:
        return getattr(self._ledger, name)

    def results(self) -> Iterator[Finished]:
        for one in self._ledger.results():
            yield msgspec.structs.replace(one, result=self._change.get(one.id, one.result))


def test_starved_turns_are_counted_for_each_entrant(tmp_path: Path) -> None:
    where = str(tmp_path / "cup.db")
    played(cup(), where, tmp_path)
    with open_ledger(where, readonly=True) as ledger:
        first = next(ledger.results())
        fault = Fault(1, 3, Offence.STARVED, "the machine was busy", Sanction.RETRY)
        result = msgspec.json.decode(first.result) | {"faults": [fault, fault]}
        changed = Doctored(ledger, {first.id: msgspec.json.encode(result)})
        found = build_report(changed)
        page = html_page(found, changed)
    starved = {one.entrant: one.starved for one in found.entrants}
    assert starved == {name: 2 * (name == first.played.pairing.entrants[1]) for name in starved}
    assert '<span class="bad">2</span>' in page


def test_standings_after_a_round_are_left_out_when_an_entrant_was_ejected(tmp_path: Path) -> None:
    """The ledger does not say between which games that was, so nobody can tell them."""
    where = str(tmp_path / "cup.db")
    played(cup("swiss", "rounds = 3", **FIVE), where, tmp_path)
    with open_ledger(where) as ledger:
        ledger.note("eject", "eve", "left", 0)
        found = build_report(ledger)
    assert all(part.standings == () for part in found.rounds)
    assert "eve" not in [rest.entrant for part in found.rounds for rest in part.rests]
