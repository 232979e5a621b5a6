"""Pictures of pixels: a board, a film, a card and a thumbnail, in both themes, and texts on any machine."""

from __future__ import annotations

from io import BytesIO
from random import Random
from typing import Any

import pytest
import resvg_py
from msgspec.structs import replace
from PIL import Image, ImageChops

from touchline.core import registry
from touchline.draw.card import SIZE, THUMB, Told, card, thumbnail
from touchline.draw.film import MOST_FRAMES, Cast, Frame, film
from touchline.draw.raster import Painter, _font_file, encoded, on_paper, painted
from touchline.draw.scene import scene
from touchline.draw.sheet import common_sheet, sheet_of
from touchline.draw.svg import FONT, Theme, picture, svg
from touchline.games.hexapawn import Hexapawn

GAMES = registry.GAMES.ours()
TOLD = Told("Fish", "Ann <won> & Bo lost", "Nobody could move.", ("Ann", "Bo </text>"), (40, 26), (0,))


def middle(game: str, moves: int = 9) -> Any:
    """Return the drawing of a position in the middle of a random game, with the last move."""
    rng = Random(game)
    state: Any = registry.find("games", game)().start(2, rng)
    keys: Any = ()
    for _ in range(moves):
        choice = rng.randrange(len(state.legal_moves()))
        keys, state = state.sketch().moves[choice], state.play(state.legal_moves()[choice])
    return replace(state.sketch(), marked=keys)


def colours(image: Any) -> int:
    return len(image.convert("RGB").getcolors(1 << 24))


@pytest.mark.parametrize("game", GAMES)
def test_sprites_make_the_picture_that_the_svg_is(game: str) -> None:
    """Put together from sprites, a board looks as resvg paints it whole; only edges differ a little."""
    art = sheet_of(registry.find("games", game))
    drawn = picture(middle(game), art)
    whole = painted(svg(drawn))
    sprites = on_paper(Painter(art, "light", drawn.scale).board(drawn.scene), "#F4F1EA")
    assert whole.size == sprites.size
    difference = ImageChops.difference(whole.convert("RGB"), sprites).convert("L")
    histogram = difference.histogram()
    assert sum(histogram[64:]) / sum(histogram) < 0.03
    assert colours(sprites) > 500


@pytest.mark.parametrize("game", GAMES)
def test_a_picture_that_follows_the_screen_is_light_at_first(game: str) -> None:
    """Where a colour turns into two dark ones it differs by a hair, which nobody sees."""
    drawn = picture(middle(game), sheet_of(registry.find("games", game)))
    light, both = (painted(svg(drawn, theme)).convert("RGB") for theme in ("light", "auto"))
    ranges: Any = ImageChops.difference(light, both).getextrema()
    assert max(high for _, high in ranges) <= 8


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("game", GAMES)
def test_thumbnails_and_cards(game: str, theme: Theme) -> None:
    """Of the right size, not blank, and different in each theme."""
    art, sketch = sheet_of(registry.find("games", game)), middle(game)
    with Image.open(BytesIO(thumbnail(sketch, art, theme))) as small:
        assert (small.format, small.size) == ("WEBP", THUMB)
        assert colours(small) > 100
    with Image.open(BytesIO(card(sketch, art, TOLD, theme))) as large:
        assert (large.format, large.size) == ("PNG", SIZE)
        assert colours(large) > 500
        corner = large.getpixel((3, 3))
    assert (sum(corner[:3]) > 380) == (theme == "light")  # type: ignore[index]


@pytest.mark.parametrize("kind", ["GIF", "WEBP"])
def test_a_film_ends_with_the_result(kind: Any) -> None:
    """The last frame differs from the one before it by words only, and stays longer."""
    art, rules = sheet_of(Hexapawn), Hexapawn(rows=3, cols=3)
    start = rules.start(2, Random(0))
    after = start.play(start.legal_moves()[0])
    frames = [
        Frame(start.sketch(), (0, 0), "turn 0"),
        Frame(after.sketch(), (0, 0), "turn 1"),
        Frame(after.sketch(), (1, 0), "Ann won 1–0"),
    ]
    with Image.open(BytesIO(film(frames, art, Cast(("Ann", "Bo"), (0,)), "light", 0.2, kind))) as made:
        assert made.n_frames == 3  # type: ignore[attr-defined]
        shown = []
        for number in range(3):
            made.seek(number)
            made.load()
            shown.append((made.convert("RGB"), made.info["duration"]))
    assert [duration for _, duration in shown] == [200, 200, 1000] or shown[-1][1] == 1000
    changed = ImageChops.difference(shown[1][0], shown[2][0]).point(lambda value: 255 if value > 60 else 0)
    assert changed.getbbox() is not None
    assert changed.getbbox()[1] > shown[0][0].height * 0.6, "only the foot changed"  # type: ignore[index]


def test_a_long_film_is_small() -> None:
    """At most so many frames; nobody waits for a minute, or needs a gigabyte."""
    sketch = Hexapawn(rows=3, cols=3).start(2, Random(0)).sketch()
    frames = [Frame(sketch, None, f"turn {turn % 7}") for turn in range(3 * MOST_FRAMES)]
    made = film(frames, sheet_of(Hexapawn), Cast(("Ann", "Bo")), "dark", 0.1, "GIF")
    with Image.open(BytesIO(made)) as image:
        assert getattr(image, "n_frames", 1) <= MOST_FRAMES + 1
        assert image.width * image.height * MOST_FRAMES < 80_000_000


@pytest.mark.parametrize("kind", ["GIF", "WEBP"])
def test_a_film_repeats_nothing_that_stays(kind: Any) -> None:
    """A move at the left edge of the board and one at the right: a frame has no more than the two."""
    state: Any = Hexapawn(rows=5, cols=5).start(2, Random(0))
    after = state.play(state.legal_moves()[0])
    after = after.play(after.legal_moves()[-1])
    frames = [Frame(one.sketch(), None, "turn") for one in (state, after)] * 6

    def size(shown: list[Frame]) -> int:
        return len(film(shown, sheet_of(Hexapawn), Cast(("Ann", "Bo")), "light", 0.1, kind))

    assert (size(frames) - size(frames[:1])) / 11 < size(frames[:1]) / 4


def test_texts_are_seen_on_a_machine_without_fonts() -> None:
    """Every picture names the font that Pillow brings along, and we hand it to the painter."""
    word = '<text x="5" y="28" font-size="24" font-weight="700">40–26</text>'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="90" height="40" font-family="{FONT}">'
    text = f"{head}{word}</svg>"
    for files, there in (([], False), ([_font_file()], True)):
        data = resvg_py.svg_to_bytes(svg_string=text, skip_system_fonts=True, font_files=files)
        with Image.open(BytesIO(data)) as image:
            assert (image.convert("RGBA").getbbox() is not None) == there


def test_an_image_is_a_file() -> None:
    """Even of a game whose sheet is missing: what is not there is left out."""
    board = Painter(common_sheet(), "light", 0.5).board(scene(middle("fish"), common_sheet()))
    image = on_paper(board, "#ffffff")
    assert encoded(image, "PNG").startswith(b"\x89PNG")
    assert encoded(image, "WEBP")[8:12] == b"WEBP"
