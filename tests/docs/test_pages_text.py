"""The pages themselves: titles, ways to them, links, blocks that can be run, and nothing of this machine."""

from __future__ import annotations

import json
import posixpath
import re
from fnmatch import fnmatch
from xml.etree import ElementTree

import pytest

from docs.blocks import Block, blocks, commands
from docs.pages import ROOT, all_pages
from scripted import script
from touchline.records.replay import Replay

PAGES = all_pages()
MATCHES = script("matches")
TEXTS = {page: (ROOT / page).read_text() for page in PAGES}
RUN = {"console", "python", "json", "toml"}
READ = {"text", "markdown", "js", "xml"}
"""What is not run here: text, Markdown, and JavaScript, which tests/web/test_game_art.py runs."""
MOST_NOT_RUN = 25
LINK = re.compile(r"(?<!\\)\]\(([^)\s]+)\)")
ON_THE_SITE = {page for page in PAGES if page.startswith("docs/")}

each_page = pytest.mark.parametrize("page", PAGES)


def prose(page: str) -> str:
    """Return a page without its blocks and without code."""
    text = re.sub(r"^( *)(`{3,}).*?^\1\2`*$", "", TEXTS[page], flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`([^`\n]*)`", lambda code: re.sub(r"[\[\]()]", "", code[1]), text)


def slug(heading: str) -> str:
    """Return the anchor of a heading, as code hosts and the site make it."""
    words = re.sub(r"[^\w\s-]", "", heading.strip().lower())
    return re.sub(r"\s", "-", words)


@each_page
def test_a_page_has_one_title_and_comes_to_it_at_once(page: str) -> None:
    """The first line is the only heading of the first level."""
    titles = re.findall(r"^# .+$", prose(page), re.MULTILINE)
    assert len(titles) == 1
    assert TEXTS[page].startswith(titles[0])


@each_page
def test_every_block_says_what_it_is(page: str) -> None:
    """So that it is run, written to a file, or known to be text; console blocks have commands."""
    for block in blocks(TEXTS[page]):
        where = f"{page}, line {block.line}"
        if block.language == "{code-block}":
            assert block.caption, f"{where}: a code block needs `:caption: FILE`"
        elif not block.language.startswith("{"):
            assert block.language in RUN | READ, (
                f"{where}: ```{block.language} is not run: see CONTRIBUTING.md"
            )
        if block.language == "console":
            assert commands(block), f"{where}: no command"


def not_run() -> list[tuple[str, Block]]:
    """Return the blocks that a page says are not run."""
    return [(page, block) for page in PAGES for block in blocks(TEXTS[page]) if block.not_run]


def test_blocks_that_are_not_run_are_few_and_say_why() -> None:
    """A reason is a sentence, not a shrug."""
    listed = "\n".join(f"{page}, line {block.line}: {block.not_run}" for page, block in not_run())
    assert len(not_run()) <= MOST_NOT_RUN, listed
    assert all(len(block.not_run.split()) >= 4 for _, block in not_run()), listed


@each_page
def test_a_page_shows_nothing_of_the_machine_it_was_written_on(page: str) -> None:
    """No path of a home folder or of a checkout, and no registry."""
    found = re.findall(r"(?<![\w.])/(?:home|root|Users|work|tmp)/[\w.]+", TEXTS[page])
    assert not found


@each_page
def test_every_link_leads_to_a_file_of_the_repository(page: str) -> None:
    """A link works on a code host: the file is there, and has the heading. Links elsewhere are https."""
    for link in LINK.findall(prose(page)):
        if "://" in link:
            assert re.fullmatch(r"https://[a-z0-9.-]+\.[a-z]{2,}(/[^\s]*)?", link), link
            continue
        path, _, anchor = link.partition("#")
        whole = posixpath.normpath(posixpath.join(posixpath.dirname(page), path)) if path else page
        assert (ROOT / whole).exists(), f"{page}: {link}: there is no {whole}"
        if anchor:
            headings = re.findall(r"^#+ (.+)$", prose(whole), re.MULTILINE)
            assert anchor in map(slug, headings), f"{page}: {link}: no such heading"


# -- the site ---------------------------------------------------------------------------------------


def entries(page: str) -> list[str]:
    """Return what the tables of contents of a page list, as patterns."""
    found = []
    for block in blocks(TEXTS.get(page, "")):
        if block.language == "{toctree}":
            names = [line.strip() for line in block.text.splitlines() if line.strip()]
            found += [posixpath.normpath(posixpath.join(posixpath.dirname(page), name)) for name in names]
    return found


def test_every_page_of_the_site_is_in_a_table_of_contents() -> None:
    """A reader who starts at the index can reach it."""
    reached, fresh = {"docs/index.md"}, ["docs/index.md"]
    while fresh:
        patterns = entries(fresh.pop())
        found = {page for page in ON_THE_SITE for one in patterns if fnmatch(page, f"{one}.md")}
        fresh += sorted(found - reached)
        reached |= found
    assert ON_THE_SITE - reached == set()


def test_the_matches_that_pages_show_verify() -> None:
    """Every record below docs/matches follows from its rules, and its picture is one of its positions."""
    records = sorted((ROOT / "docs" / "matches").glob("*.jsonl"))
    assert {path.stem for path in records} == {*MATCHES.MATCHES}
    for path in records:
        replay = Replay(path.read_bytes(), path.name)
        replay.verify()
        assert MATCHES.drawn(replay) == path.with_suffix(".svg").read_text(), "stale: run scripts/matches"
        assert json.loads(path.read_text().splitlines()[0])["game"] == MATCHES.MATCHES[path.stem][0]


def test_a_picture_is_well_formed_and_runs_nothing() -> None:
    """Code hosts and browsers show it; it has no script and fetches nothing."""
    pictures = sorted((ROOT / "docs").glob("[!_]*/*.svg"))
    assert pictures
    for path in pictures:
        names = {element.tag.rpartition("}")[2] for element in ElementTree.parse(path).iter()}
        assert not names & {"script", "image", "foreignObject", "a"}, path.name
        assert "@import" not in path.read_text()
