"""Short names for variables: the page must mean the same with them."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from touchline.web.assets.bundle import part, read_module
from touchline.web.assets.minify import small_script
from touchline.web.assets.shorten import GLOBALS, KEYWORDS, shortened
from touchline.web.static_files import FOLDER

CHECK = Path(__file__).parent / "same_tree.js"
TRICKY = """
(need) => {
  const { shown, other: last = document, ...rest } = need, [first, { deep = shown }] = rest;
  class Shelf extends first {
    #count = last;
    static shown = deep;
    field = () => ({ shown, last() { return last; }, get deep() { return deep; }, [first]: shown });
    again = { async *rest() {}, rest };
    get size() { return this.#count.size; }
    shown({ last }, deep = { first }, ...rest) {
      return `${{ last }}${deep ? `${rest.map((each) => each.shown)}` : last}`;
    }
  }
  function walk(node, depth = 0) {
    outer: for (const { key, value } of Object.entries(node)) {
      switch (key) {
        case depth: { let shown = value; if (shown) continue outer; } break;
        case depth ? 1 : 2: default: { depth += 1; }
      }
    }
    try { need(); } catch { return value => value.value; }
    try { need(); } catch ({ message: text }) { return { text, key: text ? text : depth }; }
  }
  const style = last ? { first } : { last, deep: (shown, first) => first.last / shown / 2 };
  return { Shelf, walk, style, name: shown.name };
}
"""


def replaced(pairs: list[tuple[str, str]], folder: Path) -> list[str]:
    """The names of variables that were replaced in scripts; nothing else may be different."""
    if shutil.which("node") is None:
        pytest.skip("there is no node")
    files: list[str] = []
    for at, text in enumerate(text for pair in pairs for text in pair):
        (folder / f"{at}.mjs").write_text(text)
        files.append(str(folder / f"{at}.mjs"))
    words = ["node", "--expose-internals", "--no-warnings", str(CHECK), *files]
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    names: list[str] = json.loads(ran.stdout)
    return names


def test_tricky_names(tmp_path: Path) -> None:
    """Patterns, shorthands, fields, methods, labels and templates: properties keep their names."""
    names = replaced([(TRICKY, shortened(TRICKY))], tmp_path)
    assert {"need", "last", "deep", "first", "Shelf", "walk", "depth", "rest", "value"} <= {*names}
    assert not {*names} & (GLOBALS | KEYWORDS)


def test_our_page_means_the_same(tmp_path: Path) -> None:
    """Each of our modules, with short names and without spaces, has the same tree as before."""
    modules = [part(read_module(file.read_text())) for file in sorted(FOLDER.glob("*.js"))]
    names = replaced([(text, small_script(shortened(text))) for text in modules], tmp_path)
    assert len(names) > 100
    assert not {*names} & GLOBALS


def test_a_wrong_name_is_noticed(tmp_path: Path) -> None:
    """The check itself can fail: when two variables get one name, or a property another."""
    for wrong in ("(a) => { let a = a.size; return a; }", "(b) => { let a = b.length; return a; }"):
        with pytest.raises(AssertionError):
            replaced([("(list) => { let size = list.size; return size; }", wrong)], tmp_path)
