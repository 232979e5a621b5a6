"""Sheets: what they may hold, how they are resolved, and that every picture stands on its own."""

from __future__ import annotations

import importlib
import re
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

import touchline.games
from touchline.core import registry
from touchline.core.errors import BadInput
from touchline.core.sketch import Art, Backdrop, Panel, Piece, Sketch, Spot, side_by_side
from touchline.draw.card import thumbnail_svg
from touchline.draw.scene import Trail, Use, route, scene
from touchline.draw.sheet import Sheet, common_sheet, sheet_of
from touchline.draw.sheet_style import Cascade, rules_of
from touchline.draw.svg import Theme, picture, svg
from touchline.games.fish import Fish
from touchline.games.hexapawn import Hexapawn
from touchline.games.labyrinth import Labyrinth
from touchline.records.positions import marks_of
from touchline.testing.game_check import CheckFailed, _check_art, check_game

if TYPE_CHECKING:
    from collections.abc import Iterator

    from touchline.core.rules import Game, State

README = Path(touchline.games.__file__).with_name("README.md")
SVG = "{http://www.w3.org/2000/svg}"
BOARDS: list[tuple[Game, int]] = [
    (Fish(), 2), (Fish(rows=8, cols=8), 4), (Fish(rules="commercial"), 3), (Fish(rows=1, cols=9), 2),
    (Fish(rows=9, cols=1), 2), (Fish(fish=5), 3), (Hexapawn(), 2), (Hexapawn(rows=2, cols=1), 2),
    (Hexapawn(rows=26, cols=26), 2), (Hexapawn(rows=3, cols=9), 2), (Labyrinth(), 4),
    (Labyrinth(rows=4, cols=4), 2), (Labyrinth(rows=4, cols=9), 3), (Labyrinth(rows=11, cols=11), 6),
]  # fmt: skip
THEMES: tuple[Theme, ...] = ("light", "dark", "auto")


def states(game: Game, seats: int, moves: int = 12) -> Iterator[State]:
    """Yield the states of a random game."""
    rng = Random(f"{game.name} {seats}")
    state: Any = game.start(seats, rng)
    yield state
    for _ in range(moves):
        if state.to_move is None:
            return
        state = state.play(rng.choice(state.legal_moves()))
        yield state


def sheet(body: str, style: str = "") -> Sheet:
    text = f'<svg xmlns="http://www.w3.org/2000/svg" class="nim">\n<style>{style}</style>\n{body}\n</svg>'
    return Sheet("nim", "nim.svg", text.encode(), common_sheet())


# -- the style ----------------------------------------------------------------------------------


STYLE = """
.nim{--a:light-dark(#111111,#222222);--b:var(--a);--n:.5}
.nim .hot{--a:#333333}
.hot .deep{--a:#444444;--c:var(--b)}
.nim .word{fill:var(--a);font-size:14px}
"""


@pytest.mark.parametrize(
    ("dark", "levels", "wanted"),
    [
        (False, ("nim",), ("#111111", "#111111")),
        (True, ("nim",), ("#222222", "#222222")),
        (False, ("nim", "hot"), ("#333333", "#111111")),
        (True, ("nim", "cold"), ("#222222", "#222222")),
        (False, ("nim", "hot", "deep"), ("#444444", "#111111")),
        (False, ("nim", "deep"), ("#111111", "#111111")),
        (False, ("nim", "cold hot"), ("#333333", "#111111")),
    ],
)
def test_classes_are_scopes(dark: bool, levels: tuple[str, ...], wanted: tuple[str, str]) -> None:
    """A variable is worked out where it is set, and inherited from there, as in a browser."""
    env = Cascade(rules_of(STYLE, "nim.svg"), dark).within(levels)
    assert (env["--a"], env["--b"]) == wanted


def test_a_text_has_the_properties_of_its_class() -> None:
    cascade = Cascade(rules_of(STYLE, "nim.svg"), dark=True)
    assert cascade.own(("nim", "hot", "word")) == {"fill": "#333333", "font-size": "14px"}
    assert cascade.own(("nim",)) == {}
    with pytest.raises(BadInput, match="--z is not set"):
        cascade.value("var(--z)", {})
    with pytest.raises(BadInput, match="set by itself"):
        Cascade(rules_of(".nim{--a:var(--b);--b:var(--a)}", "x"), dark=False).within(("nim",))


@pytest.mark.parametrize(
    ("style", "said"),
    [
        (".nim>.a{--x:#000}", "line 2: '.nim>.a' is neither a class"),
        ("\n\n.nim .a .b{--x:#000}", "line 4"),
        ("#nim{--x:#000}", "neither a class"),
        (".nim{position:absolute}", "'position' is neither a custom property"),
        (".nim{--x:url(https://evil.example/x)}", "is not a colour"),
        (".nim{--x:color-mix(in oklab,#000,#fff)}", "is not a colour"),
        (".nim{--x:light-dark(.5,.2)}", "light-dark() is for colours only"),
        (".nim{--x:#000", "a list of rules"),
        ("@import 'x';", "a list of rules"),
        (".other{--x:#000}", "not within .nim"),
        (":root{--x:#000}", "not within .nim"),
    ],
)
def test_a_style_has_little(style: str, said: str) -> None:
    """Each error names the file and, where there is one, the line."""
    with pytest.raises(BadInput) as error:
        sheet("", style)
    assert said in str(error.value)
    assert str(error.value).startswith("nim.svg")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("<script/>", "line 3: a sheet has no <script>"),
        ("<g>\n<image/></g>", "line 4: a sheet has no <image>"),
        ("<foreignObject/>", "no <foreignObject>"),
        ("<filter/>", "no <filter>"),
        ('<g id="fish-x"/>', "does not begin with nim-"),
        ('<g id="nim-x"/><g id="nim-x"/>', "is there twice"),
        ('<g onclick="x()"/>', "no attribute onclick"),
        ('<g class="a"/>', "no attribute class"),
        ('<g style="fill:red"/>', "no attribute style"),
        ('<use href="https://evil.example/#x"/>', "link to anything but an id"),
        ('<use href="data:x"/>', "link to anything but an id"),
        ('<path id="nim-a" fill="url(http://x)"/>', "no value"),
        ('<use id="nim-a" href="#nim-b"/>', "there is no 'nim-b'"),
        ('<use id="nim-a" href="#nim-a"/>', "refers to itself"),
        ('<g id="nim-a"><use href="#nim-b"/></g><g id="nim-b"><use href="#nim-a"/></g>', "refers to itself"),
        ("<g>words</g>", "text outside its style"),
        ("<g>", "not XML"),
        ("<g>" * 20 + "</g>" * 20, "nested so deep"),
        ('<g xmlns="http://www.w3.org/1999/xhtml"/>', "no <g>"),
        ('<g id="nim-*" each="a, b"/>', "1 to 16 words"),
        (f'<g id="nim-*" each="{"a " * 16}a"/>', "1 to 16 words"),
        ('<g id="nim-*" each="a a"/>', "is there twice"),
        ('<g id="nim-a" each="a b"/>', "without a * in its id"),
        ('<g id="nim-*" each="a b"><g id="nim-c-*" each="d e"/></g>', "with each within another"),
        ('<g id="nim-*" each="a b"><use href="#nim-c-*"/></g>', "there is no 'nim-c-a'"),
        (f"<g/>{' ' * (260 << 10)}", "longer than 256 KiB"),
    ],
)
def test_a_sheet_is_data(body: str, said: str) -> None:
    with pytest.raises(BadInput) as error:
        sheet(body)
    assert said in str(error.value)


def test_an_element_may_stand_for_several() -> None:
    """One for each word, as if it were written so often; the rest of the sheet is as it was."""
    folded = '<g id="nim-*" each="a b"><use id="nim-in-*" href="#nim-of-*" x="3"/></g>'
    written = "".join(f'<g id="nim-{w}"><use id="nim-in-{w}" href="#nim-of-{w}" x="3"/></g>' for w in "ab")
    parts = '<path id="nim-of-a" d="M0 0H1"/><path id="nim-of-b" d="M0 0H2"/>'
    assert sheet(folded + parts).elements == sheet(written + parts).elements


def test_a_sheet_has_no_document_type() -> None:
    """So no entities, and nothing that grows while it is read."""
    bomb = b'<!DOCTYPE svg [<!ENTITY a "aaaa">]><svg xmlns="http://www.w3.org/2000/svg" class="nim"/>'
    with pytest.raises(BadInput, match="no document type"):
        Sheet("nim", "nim.svg", bomb, common_sheet())


@pytest.mark.parametrize("game", [*registry.GAMES.ours(), "common"])
def test_our_sheets_are_light(game: str) -> None:
    """And each colour is defined in both themes: nothing is left for a browser to guess."""
    ours = common_sheet() if game == "common" else sheet_of(registry.find("games", game))
    assert ours.name == game
    for dark in (False, True):
        for tone in ("seat0", "seat5 goal", "ruby", "plain-light", "home0"):
            env = ours.cascade(dark).within((*ours.root, tone))
            assert not any("var(" in value or "light-dark" in value for value in env.values())


# -- pictures -----------------------------------------------------------------------------------


def checked(text: str) -> ElementTree.Element:
    """Return the root of an SVG after a look at whether it stands on its own."""
    root = ElementTree.fromstring(text)
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len({*ids})
    for element in root.iter():
        for name, value in element.attrib.items():
            assert not name.startswith("on"), name
            assert "var(" not in value
            assert "light-dark(" not in value
            assert "http" not in value
            for target in re.findall(r"url\(#([^)]+)\)", value):
                assert target in ids
        href = element.get("href")
        assert href is None or href[1:] in ids
    return root


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: repr(board[0])[:50])
def test_every_board_is_a_picture(board: tuple[Game, int]) -> None:
    """Any size, any number of seats, each theme, large and small; every spot is there."""
    game, seats = board
    art = sheet_of(type(game))
    for number, state in enumerate(states(game, seats)):
        if number % 6:
            continue
        sketch = state.sketch()
        drawn = picture(sketch, art)
        checked(svg(drawn, THEMES[number // 6 % 3], "a board"))
        checked(thumbnail_svg(sketch, art, "dark"))
        uses = [item for item in drawn.scene.items if isinstance(item, Use)]
        assert len(uses) >= len([spot for spot in sketch.spots if not spot.group])
        left, top, wide, high = drawn.scene.view
        assert all(left <= use.x <= left + wide and top <= use.y <= top + high for use in uses)


@pytest.mark.parametrize("game", registry.GAMES.ours())
def test_a_picture_has_only_what_it_uses(game: str) -> None:
    """And the same symbol in the colours of two seats is there twice, with both."""
    kind = registry.find("games", game)
    *_, state = states(kind(), 2, 8)
    root = checked(svg(picture(state.sketch(), sheet_of(kind))))
    used = {element.get("href", "#")[1:] for element in root.iter(f"{SVG}use")}
    text = ElementTree.tostring(root).decode()
    for element in root.find(f"{SVG}defs") or ():
        id = element.get("id") or ""
        assert id in used or f"url(#{id})" in text
    assert len([*root.iter()]) < 1500


def test_a_symbol_wears_the_colours_of_its_seat() -> None:
    art = sheet('<g id="nim-man"><circle r="9" fill="var(--seat)"/></g>', ".nim .seat1{--seat:#ABCDEF}")
    spots = tuple(Spot(key=(0, at), x=at, y=0, pieces=(Piece(at, "x", "man"),)) for at in (0, 1))
    text = svg(picture(Sketch(spots=spots), art))
    assert 'id="nim-man"' in text
    assert 'id="nim-man_1"' in text
    assert 'fill="#ABCDEF"' in text
    assert 'fill="#B8241F"' in text


def test_layers_lie_in_order() -> None:
    """Panels, ornaments, grounds, marks of moves, pieces, and what lies above them."""
    art = sheet(
        "".join(f'<g id="nim-{name}"/>' for name in ("leaf", "man", "tile", "badge", "last")),
        ".nim .cloth{fill:#000}",
    )
    spot = Spot(
        key=(0, 0), x=0, y=0, art=(Art("tile"),), pieces=(Piece(0, "x", "man"),), over=(Art("badge"),),
        marks=(Piece(0, "+"),),
    )  # fmt: skip
    other = replace(spot, key=(0, 1), x=1, pieces=(), over=(), marks=())
    backdrop = Backdrop(panels=(Panel("cloth", 0, 0, 9, 9),), ornaments=(Art("leaf"),))
    sketch = Sketch(spots=(spot, other), backdrop=backdrop, marked=((0, 1), (0, 0)))
    names = [getattr(item, "id", type(item).__name__) for item in scene(sketch, art).items]
    assert names == [
        "Rect",
        "nim-leaf",
        "nim-tile",
        "nim-tile",
        "nim-last",
        "Trail",
        "Trail",
        "common-dot",
        "nim-man",
        "nim-badge",
    ]


def test_of_a_group_one_spot_is_shown() -> None:
    sketch = Labyrinth().start(2, Random(1)).sketch()
    shown = [item for item in scene(sketch, sheet_of(Labyrinth)).items if isinstance(item, Use)]
    tiles = [use for use in shown if use.id.startswith("labyrinth-tile-")]
    assert len(tiles) == 50
    bare = scene(sketch, sheet_of(Labyrinth), numbered=False, tray=False)
    assert len([item for item in bare.items if getattr(item, "id", "").startswith("labyrinth-tile-")]) == 49


def test_a_walk_follows_the_corridors() -> None:
    """Where strokes connect; else it is straight."""
    row = {(0, at): Spot(key=(0, at), x=at, y=0, strokes="EW") for at in range(4)}
    assert route(row, (0, 0), (0, 3)) == [(0, 0), (0, 1), (0, 2), (0, 3)]  # type: ignore[arg-type]
    row[0, 2] = replace(row[0, 2], strokes="E")
    assert route(row, (0, 0), (0, 3)) == [(0, 0), (0, 3)]  # type: ignore[arg-type]


def test_a_picture_shows_the_way_of_the_last_walk() -> None:
    """From where the push left the walker, over connected tiles. Neither a pass nor Fish has such a spot."""
    rng, state = Random(1), Labyrinth().start(2, Random(1))
    for _ in range(30):
        *slides, wait = state.legal_moves()
        move = rng.choice(slides)
        marks, after = marks_of(state, move), state.play(move).sketch()
        assert marks == (state.walks_from(move), *state.sketch().moves[state.legal_moves().index(move)])
        drawn = scene(replace(after, marked=marks), sheet_of(Labyrinth))
        way = next(item.points for item in drawn.items if isinstance(item, Trail))
        assert all(abs(x - to_x) + abs(y - to_y) == 100 for (x, y), (to_x, to_y) in pairwise(way))
        assert marks_of(state, wait) == ("pass",)
        state = state.play(move)
    fish = Fish().start(2, Random(0))
    assert marks_of(fish, fish.legal_moves()[0]) == fish.sketch().moves[0]


def test_pieces_on_one_spot_do_not_hide_each_other() -> None:
    for many in range(2, 7):
        places = {(piece.x, piece.y) for piece in side_by_side([Piece(seat, "x") for seat in range(many)])}
        assert len(places) == many


@pytest.mark.parametrize("seat", [0, 1, 2, None])
def test_a_drawing_tells_no_secrets(seat: int | None) -> None:
    """A view has no goal but one's own; at the end there are all, and none of them is loud."""
    seen = 0
    for state in states(Labyrinth(goals=2), 3, 30):
        text = svg(picture(state.view(seat).sketch(), sheet_of(Labyrinth)))
        goals = len(re.findall(r'href="#labyrinth-goal', text))
        assert "labyrinth-aim" not in text
        assert goals == (seat is not None)
        seen += 1
    assert seen > 20
    *_, (_, over) = [(None, state) for state in states(Labyrinth(rows=4, cols=4), 2, 4)]
    ended: Any = over
    while ended.to_move is not None:
        ended = ended.skip()
    text = svg(picture(ended.view(seat).sketch(), sheet_of(Labyrinth)))
    assert "labyrinth-goal" not in text
    assert "labyrinth-aim" in text


def test_a_game_without_a_sheet_is_drawn_plainly() -> None:
    """Somebody's game with spots of every kind: symbols of the common sheet, and its letters."""
    spots = (
        Spot(key=(0, 0), x=0, y=0, label="7"),
        Spot(key=(0, 1), x=1, y=0, fill="dark", pieces=(Piece(0, "Q"), Piece(7, "K")), label="3"),
        Spot(key=(1, 0), x=0, y=1, strokes="NE", marks=(Piece(1, "*"), Piece(1, "h"))),
        Spot(key="up", x=1, y=1, shape="arrow", fill="gap", label="▲"),
        Spot(key="pass", x=2, y=1, shape="arrow", fill="gap", label="pass"),
    )
    text = svg(picture(Sketch(spots=spots), common_sheet()), "dark")
    checked(text)
    for symbol in ("plain-square", "piece", "way-N", "goal", "home", "plain-arrow", "plain-key"):
        assert f"common-{symbol}" in text
    for word in ("7", "Q", "K", "pass"):
        assert f">{word}</text>" in text


# -- what check_game says --------------------------------------------------------------------------


def test_a_symbol_that_is_not_there_is_found() -> None:
    """Names are looked up while games are played: of symbols, of panels' tones and of texts."""
    state = Fish().start(2, Random(1))
    _check_art(state, sheet_of(Fish))
    with pytest.raises(CheckFailed, match=r"every symbol that a sketch names is in the sheet: .*'floe-0'"):
        _check_art(state, common_sheet())
    names = {art.symbol for spot in state.sketch().spots for art in spot.art} | {
        "light",
        "chip-0",
        "chip-1",
        "chip-2",
    }
    bare = sheet("".join(f'<g id="nim-{name}"/>' for name in sorted(names)))
    with pytest.raises(CheckFailed, match=r"every tone of a panel or a text .*'sea': 'waves'"):
        _check_art(state, bare)


@pytest.mark.parametrize(
    ("drawing", "said"),
    [
        ('<svg xmlns="http://www.w3.org/2000/svg"/>', "the root is <svg class="),
        ('<svg xmlns="http://www.w3.org/2000/svg" class="chess"/>', "has the class of its game"),
        ('<svg xmlns="http://www.w3.org/2000/svg" class="dawn"><script/></svg>', "no <script>"),
    ],
)
def test_a_sheet_is_checked_with_its_game(
    drawing: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    source = "from touchline.games.hexapawn import Hexapawn\n\n\nclass Dawn(Hexapawn, frozen=True):\n"
    source += "    'At dawn.'\n\n    name = 'dawn'\n"
    name = f"dawn_{abs(hash(drawing))}"
    (tmp_path / f"{name}.py").write_text(source)
    (tmp_path / f"{name}.svg").write_text(drawing)
    module = importlib.import_module(name)
    with pytest.raises(CheckFailed, match=re.escape(said)):
        check_game(module.Dawn(rows=3, cols=3), plays=1)


# -- the example of the README ------------------------------------------------------------------


def test_the_sheet_of_the_readme_draws_nim() -> None:
    """The sheet and the sketch as they stand in games/README.md, in all themes."""
    text = README.read_text()
    [drawing] = re.findall(r"```xml\n(.*?)```", text, re.DOTALL)
    code = next(
        block for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if "def drawn" in block
    )
    space: dict[str, Any] = {}
    exec(code, space)
    nim = Sheet("nim", "nim.svg", drawing.encode(), common_sheet())
    sketch = space["drawn"]((1, 3, 5), ())
    for theme in THEMES:
        root = checked(svg(picture(sketch, nim), theme))
        assert len([*root.iter(f"{SVG}use")]) == 3 + 5
        assert [element.text for element in root.iter(f"{SVG}text")] == [*"13512345"]
