"""The report of a cup: what is counted, what is drawn, and that nothing anybody wrote is more than text."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import json
import re
import time
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from touchline.core.errors import BadInput
from touchline.draw.js_modules import safe
from touchline.records.replay import Replay
from touchline.tournament.cup import parse
from touchline.tournament.ledger import open_ledger
from touchline.tournament.pairing import points
from touchline.tournament.report import data as report_file
from touchline.tournament.report import html_parts as parts_file
from touchline.tournament.report import html_standings as standings_file
from touchline.tournament.report import viewer as viewer_file
from touchline.tournament.report.charts import rating_bars
from touchline.tournament.report.csv_export import HEADS, write_csv
from touchline.tournament.report.data import Report, build_report
from touchline.tournament.report.films import FAULT, WHOLE, script_safe
from touchline.tournament.report.html import html_page
from touchline.tournament.report.viewer import viewer_scripts
from tournament.cups import cup, played

if TYPE_CHECKING:
    from pathlib import Path

    from touchline.tournament.pairing import Played

CHEAT = """
class Cheat:
    def choose(self, view, turn):
        return view.legal_moves()[0] if turn < 2 else 5
"""
NASTY = """
name = '<script>alert("cup")</script>'
seed = 2
game = {name = "fish", rows = 4, cols = 4}
clock = {no_timeout = true}
format = {name = "round_robin", seats = 3, games = 3}
entrants = [
  {name = "<img src=x onerror=alert(1)>", player = "random"},
  {name = '=HYPERLINK("x")', player = "greedy"},
  {name = "cheat", player = "cheat.py"},
  {name = "שלום & 漢字", player = "random"},
]
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a cup with a cheat in it has been played, and a game declared void."""
    found = tmp_path_factory.mktemp("report")
    (found / "cheat.py").write_text(CHEAT)
    played(parse(NASTY, "nasty"), str(found / "cup.db"), found)
    with open_ledger(str(found / "cup.db")) as ledger:
        ledger.void("r0000-t0000", "<b>the lights</b> went out", time.time())
    return found


@pytest.fixture(scope="module")
def games(folder: Path) -> list[Played]:
    with open_ledger(str(folder / "cup.db"), readonly=True) as ledger:
        return [game.played for game in ledger.results() if game.voided is None]


@pytest.fixture(scope="module")
def found(folder: Path) -> Report:
    with open_ledger(str(folder / "cup.db"), readonly=True) as ledger:
        return build_report(ledger)


@pytest.fixture(scope="module")
def html(folder: Path, found: Report) -> str:
    with open_ledger(str(folder / "cup.db"), readonly=True) as ledger:
        return html_page(found, ledger)


class Outline(HTMLParser):
    """The tags of a page, its ids and links, its words, and its scripts by type."""

    VOID = ("meta", "circle", "line", "rect", "polygon", "polyline", "path")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.words: list[str] = []
        self.scripts: list[tuple[str, str]] = []
        self.feed(text.replace("<!doctype html>", ""))
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag not in self.VOID:
            self.open.append(tag)
        if tag == "script":
            self.scripts.append((dict(attrs).get("type") or "", ""))
        for name, value in attrs:
            self.attributes.add(name)
            if name == "id":
                self.ids.append(value or "")
            elif name == "href":
                self.links.append(value or "")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "script":
            kind, before = self.scripts.pop()
            self.scripts.append((kind, before + data))
        else:
            self.words.append(data)

    def films(self) -> dict[str, Any]:
        """The films of the page, as the viewer reads them."""
        (text,) = (text for kind, text in self.scripts if kind == "application/json")
        found: dict[str, Any] = json.loads(text)
        return found


def test_the_numbers_are_those_of_the_games(found: Report, games: list[Played]) -> None:
    assert (found.games, found.void, found.over) == (len(games), 0, False)
    for line in found.standings:
        mine = [game for game in games if line.entrant in game.pairing.entrants]
        assert line.games == len(mine) == line.won + line.tied + line.lost + line.forfeits + line.expulsions
        assert line.points == pytest.approx(
            sum(points(game)[game.pairing.entrants.index(line.entrant)] for game in mine)
        )
    for cross in found.cross:
        met = [game for game in games if {cross.entrant, cross.other} <= {*game.pairing.entrants}]
        assert cross.games == len(met)
    by_pair = {(cross.entrant, cross.other): cross for cross in found.cross}
    assert all(
        cross.points + by_pair[cross.other, cross.entrant].points == cross.games for cross in found.cross
    )


def test_void_forfeit_and_expulsion_are_apart(found: Report, games: list[Played]) -> None:
    (cheat,) = (line for line in found.standings if line.entrant == "cheat")
    assert cheat.expulsions == cheat.games > 0
    assert cheat.forfeits == cheat.voids == 0
    (fault,) = found.faults
    assert (fault.entrant, fault.offence, fault.count) == ("cheat", "malformed", cheat.games)
    told = {trouble.game: trouble for trouble in found.troubles}
    assert found.troubled == len(told)
    assert told["r0000-t0000"].voided == "<b>the lights</b> went out"
    expelled = {game.pairing.id for game in games if game.expelled}
    assert told.keys() - {"r0000-t0000"} == expelled
    assert all(told[game].at_fault == ("cheat",) and "malformed" in told[game].reason for game in expelled)


def test_curve_and_time(found: Report, games: list[Played]) -> None:
    assert [stage.games for stage in found.curve] == sorted({stage.games for stage in found.curve})
    assert found.curve[-1].games == len(games)
    assert found.curve[-1].ratings == found.ratings
    assert {time.entrant for time in found.times} == {line.entrant for line in found.standings}
    assert found.records_read == len(games)
    assert all(0 < time.mean <= time.slowest for time in found.times)


def test_as_json(found: Report) -> None:
    assert msgspec.json.decode(msgspec.json.encode(found), type=Report) == found


def test_the_page_is_whole_and_runs_its_viewer_alone(html: str) -> None:
    """Every script is named by its hash in the policy; nothing that anybody wrote is more than text."""
    seen = Outline(html)
    assert not seen.tags & {"img", "iframe", "link", "object", "form", "base"}
    assert not any(name.startswith("on") for name in seen.attributes)
    assert "src" not in seen.attributes
    assert all(link.startswith(("#", "data:application/x-ndjson;base64,")) for link in seen.links), (
        "a page fetches nothing"
    )
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', html)
    assert "default-src 'none'" in policy
    allowed = policy.partition("script-src ")[2].split()
    running = [text for kind, text in seen.scripts if not kind]
    hashes = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in running]
    assert allowed == [f"'sha256-{found}'" for found in hashes]
    assert len(running) == 3
    assert not any("alert" in text for text in running)
    words = "".join(seen.words)
    for text in (
        '<script>alert("cup")</script>',
        "<img src=x onerror=alert(1)>",
        "<b>the lights</b> went out",
    ):
        assert text in words


def test_links_lead_somewhere_and_records_prove_themselves(html: str, found: Report) -> None:
    seen = Outline(html)
    games, rows = seen.films()["games"], {one for one in seen.ids if one != "films"}
    assert len(seen.ids) == len({*seen.ids}) == found.results + 1
    assert games.keys() == rows, "every game can be replayed"
    targets = {link.removeprefix("#") for link in seen.links if link.startswith("#")}
    assert targets == {f"game={game}" for game in games}
    records = [link.partition(",")[2] for link in seen.links if link.startswith("data:")]
    assert len(records) == found.results
    for record in records:
        Replay(base64.b64decode(record), "the page").verify()


def test_a_film_shows_the_game_and_opens_at_the_fault(folder: Path, html: str, found: Report) -> None:
    """Put together, the changes of a film give the last position; a game with a fault begins there."""
    shown = Outline(html).films()
    with open_ledger(str(folder / "cup.db"), readonly=True) as ledger:
        for game, film in shown["games"].items():
            *_, (_, last) = Replay(ledger.record(game), game).states()
            spots: dict[str, Any] = {}
            for *_, flags, changed, _, _ in film["frames"]:
                spots = {} if flags & WHOLE else spots
                spots |= {str(shown["spots"][number]["key"]): shown["spots"][number] for number in changed}
            assert [*spots.values()] == json.loads(msgspec.json.encode(last.sketch().spots))
    texts = shown["texts"]
    for trouble in found.troubles:
        if trouble.at_fault:
            film = shown["games"][trouble.game]
            text, _, seat, flags, *_ = film["frames"][film["at"]]
            assert film["names"][seat] == "cheat"
            assert flags & FAULT
            assert "sent something that cannot be read" in texts[text]


def test_a_name_cannot_end_the_script_that_holds_it() -> None:
    text = script_safe(json.dumps("</script><!--<script>\u2028&"))
    assert not {*text} & {"<", ">", "&", "\u2028"}
    assert json.loads(text) == "</script><!--<script>\u2028&"
    assert "<" not in safe('"</script>" + "<!--" + "<SCRIPT>"')


@pytest.mark.parametrize(
    ("source", "kept"),
    [
        ("export const behaviour = { advice: 'theirs' };", True),
        ('import { h } from "/static/dom.js";\nexport const behaviour = { h };', False),
        ('import * as all from "/static/art.js";\nexport const behaviour = all;', False),
        ("export default {};", False),
    ],
)
def test_behaviour_that_cannot_be_embedded_is_left_out(
    source: str, kept: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then the game is drawn from its sketch; the viewer itself still works."""
    monkeypatch.setattr(viewer_file, "art_of", lambda game: source.encode())
    _, made, _ = viewer_scripts("hexapawn")
    assert ("const behaviour = " in made) is kept
    assert "import" not in made
    assert "export" not in made


def test_what_does_not_fit_is_said(folder: Path, found: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report_file, "MOST_GAMES", 3)
    monkeypatch.setattr(parts_file, "MOST_GAMES", 3)
    monkeypatch.setattr(parts_file, "FEW_SPOTS", 1)
    monkeypatch.setattr(parts_file, "MOST_RECORDS", 1)
    monkeypatch.setattr(standings_file, "MOST_CROSSED", 2)
    monkeypatch.setattr(report_file, "MOST_TROUBLES", 1)
    monkeypatch.setattr(report_file, "MOST_READ", 4)
    monkeypatch.setattr(report_file, "MOST_SKILLED", 1)
    with open_ledger(str(folder / "cup.db"), readonly=True) as ledger:
        short = build_report(ledger)
        text = html_page(short, ledger)
    assert (short.troubled, len(short.troubles)) == (found.troubled, 1)
    assert 0 < short.records_read <= 4
    assert short.skills == ()
    assert f"{found.results - 3} more games" in text
    assert "2 of these games cannot be replayed in this page" in text
    assert len(Outline(text).films()["games"]) == 1
    assert f"And {found.troubled - 1} more" in text
    assert "2 more entrants" in text
    assert text.count("data:application") == 1
    assert f"From {short.records_read} records" in text


def test_who_they_are_and_on_what_terms(found: Report, html: str) -> None:
    """Player strings, versions, clock, conduct, isolation and seed are in the report."""
    facts = {one.entrant: one for one in found.entrants}
    assert facts["cheat"].player == "cheat.py"
    assert [len(version) for version in facts["cheat"].versions] == [64]
    assert facts['=HYPERLINK("x")'].versions == ()
    terms = {term.name: term.value for term in found.terms}
    assert terms["boards"] == "cols 4, rows 4"
    assert (terms["clock"], terms["conduct"], terms["seed"]) == ("no time limit", "course", "2")
    assert terms["isolation of programs"] in "ABC0"
    words = "".join(Outline(html).words)
    assert facts["cheat"].versions[0][:12] in words
    assert found.commitment is not None
    assert found.commitment in words


def test_before_anybody_has_played(tmp_path: Path) -> None:
    with open_ledger(str(tmp_path / "cup.db")) as ledger:
        with pytest.raises(BadInput, match="no cup"):
            build_report(ledger)
        ledger.create(cup().bytes())
        found = build_report(ledger)
        text = html_page(found, ledger)
    assert (found.games, found.over, len(found.standings)) == (0, False, 3)
    assert "Nobody has moved yet" in text
    Outline(text)


def test_many_entrants_have_a_row_each() -> None:
    from touchline.tournament.ratings.base import Rating

    many = [
        Rating(f"{number:03} " + "W" * 28, 1500 - number, 1400 - number, 1600, 9) for number in range(100)
    ]
    drawn = rating_bars(many)
    assert drawn.count("<circle") == 100
    assert all(float(x) >= 0 for x in re.findall(r' x1?2?="([-\d.]+)"', drawn))
    assert rating_bars([]) == "<p>Nobody has played yet.</p>"


def test_as_a_spreadsheet(folder: Path, games: list[Played]) -> None:
    text = io.StringIO()
    with open_ledger(str(folder / "cup.db"), readonly=True) as ledger:
        write_csv(ledger, text)
    rows: list[dict[str, Any]] = [*csv.DictReader(io.StringIO(text.getvalue()))]
    assert [*rows[0]] == [*HEADS]
    assert len(rows) == len(games) + 1
    assert rows[0]["voided"] == "<b>the lights</b> went out"
    standing = {game.pairing.id: game for game in games}
    for row in rows[1:]:
        game = standing[row["game"]]
        assert row["entrants"].removeprefix("'").split("|") == [*game.pairing.entrants]
        assert row["ranks"] == "|".join("" if rank is None else str(rank) for rank in game.ranks)
        assert row["faults"].startswith("cheat at turn ") == bool(game.expelled)
    cells = [cell for row in rows for cell in row.values()]
    assert not any(cell.startswith(("=", "+", "-", "@")) for cell in cells)
    assert any(cell.startswith("'=HYPERLINK") for cell in cells)
