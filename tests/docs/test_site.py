"""The site: it builds without a warning, its links lead somewhere, and the reference misses nothing."""

from __future__ import annotations

import re
import subprocess
import sys
from html.parser import HTMLParser
from typing import TYPE_CHECKING
from urllib.parse import unquote, urldefrag, urlsplit

import pytest

import touchline
from docs.pages import ROOT
from touchline_docs import (
    command_pages,
    links,
    match_player,
    plug_in_page,
    python_pages,
    toml_pages,
    wire_page,
)

if TYPE_CHECKING:
    from pathlib import Path


class Links(HTMLParser):
    """The links of an HTML page, and the places in it that a link can lead to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.places: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.places |= {value for key in ("id", "name") if (value := given.get(key))}
        wanted = "href" if tag in ("a", "link") else "src"
        if link := given.get(wanted):
            self.links.append(link)


def broken_links(site: Path) -> list[str]:
    """Return every link of a built site that leads nowhere; links to other sites must be https."""
    pages = {path: Links(path.read_text()) for path in site.rglob("*.html")}
    found = []
    for path, page in pages.items():
        for link in page.links:
            if not _leads_somewhere(link, path, pages):
                found.append(f"{path.relative_to(site)}: {link}")
    return found


def _leads_somewhere(link: str, page: Path, pages: dict[Path, Links]) -> bool:
    parts = urlsplit(link)
    if parts.scheme:
        return parts.scheme == "data" or (parts.scheme == "https" and "." in parts.netloc)
    where, anchor = urldefrag(link)
    target = (page.parent / unquote(where.partition("?")[0])).resolve() if where else page
    if target not in pages:
        return target.is_file()
    return not anchor or unquote(anchor) in pages[target].places


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_site_builds_without_a_warning_and_every_link_in_it_resolves(tmp_path: Path) -> None:
    """As `scripts/docs` builds it; a reader never meets a dead link, nor one without https."""
    words = [
        "-c",
        "import sys, _docs; from pathlib import Path; sys.exit(_docs.build(*map(Path, sys.argv[1:])))",
    ]
    done = subprocess.run(
        [sys.executable, *words, str(tmp_path / "html"), str(tmp_path / "doctrees")],
        cwd=ROOT / "scripts", capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    site = tmp_path / "html"
    assert broken_links(site) == []
    assert "match-player" in (site / "index.html").read_text()
    shown = (site / "reference" / "generated" / "commands" / "play.html").read_text()
    assert "--strict" in shown


def test_a_broken_link_is_found(tmp_path: Path) -> None:
    """The test above can fail: for a missing page, a missing place in a page, and http."""
    wrong = ["b.html", "#bottom", "http://x.org"]
    anchors = "".join(f'<a href="{link}"></a>' for link in ["#top", *wrong, "https://x.org"])
    (tmp_path / "a.html").write_text(f'<h1 id="top"></h1>{anchors}')
    assert broken_links(tmp_path) == [f"a.html: {link}" for link in wrong]


# -- the generated reference --------------------------------------------------------------------------


def test_every_command_has_a_page_with_its_options() -> None:
    """One page for each command; a command for several games shows their common options once."""
    pages = dict(command_pages.pages())
    assert {"play", "serve", "tournament", "check", "index"} <= pages.keys()
    assert pages["play"].count("`--strict`") == 1
    for option in ("--rows", "--holes", "--goals"):
        assert option in pages["play"]
    assert "touchline tournament run" in pages["tournament"]
    assert all(re.search(r"^# ", text, re.MULTILINE) for text in pages.values())


def test_every_public_name_is_in_the_python_reference() -> None:
    """A name that is added to `touchline.__all__` is put into a group, and into one only."""
    assert python_pages.ungrouped() == set()
    grouped = [name for names in python_pages.GROUPS.values() for name in names]
    assert sorted(grouped) == sorted({*grouped})


def test_every_key_of_the_toml_files_is_explained() -> None:
    """A key without a meaning would be an empty cell."""
    for name, text in toml_pages.pages():
        rows = [line for line in text.splitlines() if line.startswith("| `")]
        assert rows, name
        assert not [row for row in rows if row.endswith("|  |")], name


def test_every_message_of_the_native_dialect_is_in_the_reference() -> None:
    """With its fields, each of which has a meaning."""
    text = wire_page.page()
    for message in ("welcome", "begin", "your_turn", "over", "hello", "ready", "act", "resign"):
        assert f"### {message}\n" in text
    assert "| `milliseconds` | integer or null | required | Your time for this move" in text
    fields = [line for line in text.splitlines() if line.startswith("| `") and "| `type` " not in line]
    assert len(fields) > 60
    assert not [line for line in fields if line.endswith("|  |")]


def test_every_offence_and_conduct_is_in_the_reference() -> None:
    """And nothing of a table is empty."""
    text = plug_in_page.page()
    for word in ("`starved`", "`seed-002`", "retry 2, skip (turn)", "`labyrinth-course`", "`minotaur`"):
        assert word in text


def test_links_lead_to_pages_on_the_site_and_to_files_on_a_code_host() -> None:
    """The README of a room is a page; a file that is none is no link on the site; code is left alone."""
    text = "[a](../src/touchline/bots/README.md) [b](../scripts/_fleet.py)\n```text\n[c](../x.md)\n```\n"
    there = links.rewritten("docs/players.md", text)
    assert there == "[a](reference/generated/plug-ins/bots.md) b\n```text\n[c](../x.md)\n```\n"
    room = links.rewritten("docs/reference/generated/plug-ins/bots.md", "[d](../../../docs/players.md)")
    assert room == "[d](../../../players.md)"


# -- embedded matches ---------------------------------------------------------------------------------


def test_a_hostile_name_stays_text_in_an_embedded_match(tmp_path: Path) -> None:
    """Neither a name nor a caption can end its element or begin another."""

    class Nasty:
        name = "</script><img src=x onerror=alert(1)>"

        def choose(self, view: object, turn: int) -> object:
            raise ValueError("</script><script>alert(2)</script>")

    record = tmp_path / "nasty.jsonl"
    names = [Nasty.name, "b"]
    match = touchline.play("hexapawn", [Nasty(), "random"], seed=1, record=record, names=names)
    html = match_player.player_html(record, match.replay(), "", {"caption": "<b>&"})
    assert html.count("<script") == 2
    assert html.count("</script>") == 2
    assert "<img" not in html
    assert "<figcaption>&lt;b&gt;&amp;</figcaption>" in html


def test_the_player_is_one_script_without_imports() -> None:
    """So it works from a file."""
    text = match_player.script()
    assert not re.search(r"^\s*(import|export)\b", text, re.MULTILINE)
    assert "fetch(" not in text
    assert all(f'MODULES["{game}_art.js"]' in text for game in ("fish", "hexapawn", "labyrinth"))


def test_a_picture_that_links_to_a_record_becomes_a_player() -> None:
    """On a code host it is a picture with a link."""
    content = ["a\n\n[![So it goes.](m/fish.svg)](m/fish.jsonl)\n\nb"]
    match_player.pictures_to_players(None, "x", content)  # type: ignore[arg-type]
    assert "```{match} m/fish.jsonl\n:picture: m/fish.svg\n:caption: So it goes.\n```" in content[0]
