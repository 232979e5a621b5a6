"""The bundler and what makes files smaller: nothing may mean something else afterwards."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from touchline.web.assets.build import build
from touchline.web.assets.bundle import NotBundled, bundled, read_module
from touchline.web.assets.minify import small_script, small_style
from touchline.web.static_files import FOLDER, StaticFiles
from web.sites import run, site

if TYPE_CHECKING:
    from pathlib import Path

TRICKY = r"""
/** @typedef {import("./types.js").Spot} Spot */
// import { no } from "./no.js";
const slash = 6 / 2 / 3; // "not a string
const regex = /[/"'`]\/\//g;
const text = "// no comment", other = '/* nor */';
const template = `a // ${[1, 2].map((x) => `${x}/* in */`).join("}")} b
   kept   `;
const after = (4) / 2; /* a
comment over lines */ const last = regex.test("/") ? /x\/y/.source : "`";
let up = 1, down = 2
up = up + ++up - --down - -down + +up
const list = [
  1,
  2 / 1,
]
up++
down = (list) ? { a: up / down / 2 } : null
"""
SAID = (
    "console.log(JSON.stringify([slash, regex.source, text, other, template, after, last, up, down, list]))"
)


def node(source: str, folder: Path) -> str:
    """What a program prints."""
    if shutil.which("node") is None:
        pytest.skip("there is no node")
    (folder / "program.mjs").write_text(source)
    ran = subprocess.run(["node", folder / "program.mjs"], capture_output=True, text=True, check=False)
    assert not ran.stderr, ran.stderr
    return ran.stdout


def test_a_small_script_does_the_same(tmp_path: Path) -> None:
    """Strings, templates and regular expressions with signs of comments in them stay as they are."""
    small = small_script(TRICKY + SAID)
    assert "typedef" not in small
    assert "over lines" not in small
    assert node(small, tmp_path) == node(TRICKY + SAID, tmp_path) != ""


def test_a_small_style_keeps_its_strings() -> None:
    """A string may look like a comment, and a selector may need its space."""
    style = '/* no */\na b,\nc > d {\n  content: "/* { */";\n  margin: 0 auto;\n}\n'
    style += "@media (width < 1em) {\n  a :is(b, c) { d: calc(1em - 2px) }\n}\n"
    small = 'a b,c>d{content:"/* { */";margin:0 auto}@media (width < 1em){a :is(b,c){d:calc(1em - 2px)}}\n'
    assert small_style(style).replace(" ", "") == small.replace(" ", "").strip()
    assert "a b" in small_style(style)


MODULES = {
    "app.js": """
import { shout } from "./words.js";
export const later = () => import("./late.js").then((late) => late.say);
console.log(shout("now"));
later().then((say) => say());
import("./other.js").then((other) => console.log(other.twice(4)));
""",
    "words.js": """
let made = 0;
export function shout(word) {
  return `${word}! ${++made}`;
}
""",
    "late.js": """
import { shout as loud } from "./words.js";
import { twice } from "./both.js";
export const say = () => console.log(loud("late"), twice(2));
""",
    "both.js": "export const twice = (n) => 2 * n;",
    "other.js": """
import { twice as double } from "./both.js";
export const twice = (n) => double(double(n));
""",
}


def test_parts_are_loaded_when_they_are_needed(tmp_path: Path) -> None:
    """A module is run once, wherever it is imported; what two lazy parts share is in a script of its own."""

    def named(name: str, text: str) -> str:
        (tmp_path / f"{name[:-3]}.mjs").write_text(text)
        return f"./{name[:-3]}.mjs"

    scripts = bundled(MODULES.__getitem__, "app.js", (), named)
    late, other = scripts.lazy["late.js"], scripts.lazy["other.js"]
    assert ({*late}, {*other}) == ({"./late.mjs", "./both.mjs"}, {"./other.mjs", "./both.mjs"})
    assert "double" not in scripts.first
    lines = node(scripts.first, tmp_path).splitlines()
    assert lines[0] == "now! 1"
    assert sorted(lines[1:]) == ["16", "late! 2 4"]


def test_what_the_first_view_needs_is_in_the_first_script() -> None:
    """A part that the page preloads is in the first script, and loading it loads nothing."""
    scripts = bundled(MODULES.__getitem__, "app.js", ("late.js",), lambda name, text: name)
    assert scripts.lazy["late.js"] == ()
    assert '"late"' in scripts.first


def test_only_what_is_loaded_later_keeps_its_name() -> None:
    """Names of files and exports are long, and only the object that `import()` returns is asked for them."""
    scripts = bundled(MODULES.__getitem__, "app.js", (), lambda name, text: name)
    everything = "".join((scripts.first, *scripts.files.values()))
    assert "shout" not in everything
    assert "words.js" not in everything
    assert everything.count("say:") + everything.count("{say}") == 1
    assert "twice:" in everything, "other.js is loaded later, and exports it"


@pytest.mark.parametrize(
    "source",
    ["export default 1;", "import all from './x.js';", 'export * from "./x.js";', "import.meta.url;"],
)
def test_other_forms_are_refused(source: str) -> None:
    """The bundler says what it does not read, instead of leaving it out."""
    with pytest.raises(NotBundled):
        read_module(source)


def test_an_import_of_what_is_not_exported_is_refused() -> None:
    """A browser would say so; a bundle would fail later, in the hands of a visitor."""
    modules = {
        "app.js": 'import { shout, whisper as low } from "./words.js";',
        "words.js": MODULES["words.js"],
    }
    with pytest.raises(NotBundled, match=r"app\.js: words\.js exports no whisper"):
        bundled(modules.__getitem__, "app.js", (), lambda name, text: name)


def test_our_page_is_bundled(tmp_path: Path) -> None:
    """Every script of our own page parses, and no comment is left in it."""
    built = build(FOLDER)
    scripts = [asset.data.decode() for name, asset in built.files.items() if name.endswith(".js")]
    assert len(scripts) > 3
    for script in scripts:
        assert "@param" not in script
        (tmp_path / "script.mjs").write_text(script)
        if shutil.which("node"):
            subprocess.run(["node", "--check", tmp_path / "script.mjs"], check=True)


def copied(folder: Path) -> Path:
    shutil.copytree(FOLDER, folder / "static")
    return folder / "static"


def test_a_changed_file_is_built_again(tmp_path: Path) -> None:
    """Its address changes with it; the file of before is still there for pages that are open."""
    files = StaticFiles(folder := copied(tmp_path))
    before = files.build()
    (folder / "style.css").write_text("body { color: teal }")
    after = files.build()
    old, new = ({name for name in built.files if name.endswith(".css")} for built in (before, after))
    assert old != new
    assert {*before.files, *after.files} <= {*files._hashed}


def test_a_page_that_cannot_be_bundled_is_served_as_written(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Developers see why in the log, and their page still works."""
    files = StaticFiles(folder := copied(tmp_path))
    (folder / "dom.js").write_text("export default 1;")
    assert '"/static/app.js"' in files.build().page
    assert "dom.js: use only" in caplog.text


def test_a_file_is_compressed_for_whoever_takes_it() -> None:
    """And for nobody else; its plain address is revalidated."""

    async def main() -> None:
        async with site() as visit:
            for asked, given in (
                ("gzip", "gzip"),
                ("identity", None),
                ("gzip;q=0, br;q=0", None),
                ("GZIP;q=0.5", "gzip"),
            ):
                headers = {"Accept-Encoding": asked}
                async with visit.http.get("/static/app.js", headers=headers) as response:
                    assert response.headers.get("Content-Encoding") == given
                    assert response.headers["Cache-Control"] == "no-cache"
                    assert (await response.read()) == (FOLDER / "app.js").read_bytes()

    run(main())


def test_nothing_else_is_compressed() -> None:
    """An answer of the API may mix a secret with what an attacker chose; so may a page with names in it."""

    async def main() -> None:
        async with site() as visit:
            for path in ("/api/games", "/api/tables", "/t/nowhere", "/nowhere"):
                headers = {"Accept-Encoding": "gzip, br", "Accept": "text/html"}
                async with visit.http.get(path, headers=headers) as response:
                    assert "Content-Encoding" not in response.headers, path

    run(main())
