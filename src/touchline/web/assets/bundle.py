"""Put the modules of the page together: a script for the first view, and scripts that are loaded when needed.

The form of a module is small on purpose: `import { a, b as c } from "./file.js";`, `export` before a
function, class or const, and `import("./file.js")` for a part that is loaded later. Every module becomes a
function of its script; `need` calls it once, `load` fetches the script that has it first. Modules and most of
their exports have short names there, which a minifier could not give them.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple

from touchline.draw.js_modules import embeddable, exports, function_body, imported_names, imports
from touchline.web.assets.minify import small_script

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

LATE = "parts.css"
"""The style of all lazy parts."""
_LAZY = re.compile(r'\bimport\("\./([^"/]+)"\)')
_COMMENT = re.compile(r"/\*\*[\s\S]*?\*/|^\s*//.*", re.MULTILINE)
"""A comment of JSDoc, or a line that is a comment; no string of the page looks like one."""
_LOADER = """\
const made = {};
const need = (number) => (made[number] ??= parts[number](need, load));
let linked = null;
const style = (href) => (linked ??= new Promise((onload, onerror) => {
const link = document.createElement("link");
document.head.append(Object.assign(link, { rel: "stylesheet", href, onload, onerror }));
}));
const get = (file) => (file.endsWith(".css") ? style(file) : import(file));
const load = async (number) => {
try {
const loaded = await Promise.all(files[number].map((at) => get(addresses[at])));
Object.assign(parts, ...loaded.map((script) => script.parts));
} catch {
linked = null;
throw new Error("A part of this page did not load. Load the page again.");
}
return need(number);
};
"""


class NotBundled(Exception):
    """A module has a form that this bundler does not read."""


class Module(NamedTuple):
    """A module of the page, without its comments."""

    source: str
    needs: tuple[str, ...]
    """The modules that it imports."""
    lazy: tuple[str, ...]
    """The modules that it loads later."""


def read_module(source: str) -> Module:
    """Return a module with its imports, without comments, since the types in them name modules, too."""
    code = _COMMENT.sub("", source)
    if not embeddable(code) or "import.meta" in code:
        raise NotBundled('use only: import { a } from "./file.js", export function, class or const')
    lazy = dict.fromkeys(found[1] for found in _LAZY.finditer(code))
    return Module(code, (*dict.fromkeys(imports(code)),), (*lazy,))


class ShortNames:
    """Numbers for modules and letters for their exports, since nobody reads a bundle.

    A module that is loaded later keeps the names of its exports: its loader gets the object that has them.
    """

    def __init__(self, modules: Mapping[str, Module]) -> None:
        loaded = {name for module in modules.values() for name in module.lazy}
        self._numbers = {name: number for number, name in enumerate(sorted(modules))}
        self._exports = {
            file: {name: _letters(at) for at, name in enumerate(exports(module.source))}
            for file, module in modules.items()
            if file not in loaded
        }

    def number(self, file: str) -> int:
        """Return the number of a module."""
        return self._numbers[file]

    def export(self, file: str, name: str) -> str:
        """Return the property of an export."""
        return self._exports[file][name] if file in self._exports else name


def _letters(number: int) -> str:
    """Return a short name: a to z, then a1 to z1 ...

    >>> _letters(0), _letters(25), _letters(26)
    ('a', 'z', 'a1')
    """
    return chr(ord("a") + number % 26) + str(number // 26 or "")


def part(file: str, modules: Mapping[str, Module], names: ShortNames) -> str:
    """Return a module as a function that returns its exports.

    >>> source = 'import { b as c } from "./b.js";\\nexport const d = c;'
    >>> modules = {"b.js": read_module("export const b = 1;"), "d.js": read_module(source)}
    >>> print(part("d.js", modules, ShortNames(modules)))
    (need, load) => {
    const { a: c } = need(0);
    const d = c;
    return { a: d };
    }
    """
    body = function_body(
        file, modules[file].source, lambda needed: f"need({names.number(needed)})", names.export
    )
    loads = _LAZY.sub(lambda found: f"load({names.number(found[1])})", body)
    return f"(need, load) => {{\n{loads}\n}}"


class Scripts(NamedTuple):
    """The scripts of a page."""

    first: str
    """The text of the first script."""
    lazy: dict[str, tuple[str, ...]]
    """The files to load for each lazy module: scripts and styles."""
    files: dict[str, str]
    """The text of each file of a lazy script."""
    late: tuple[str, ...] = ()
    """The modules whose styles are lazy."""


def bundled(
    read: Callable[[str], str],
    start: str,
    also: Iterable[str],
    named: Callable[[str, str], str],
    styles: Mapping[str, str] | None = None,
) -> Scripts:
    """Return the scripts of a page whose first module is `start`.

    `read` returns the source of a module. `also` are modules that the first view loads at once, though
    `start` loads them lazily. `named` returns the address of a file by its name and text. `styles` are those
    of modules: where a module is lazy, so is its style, and all lazy parts load all of them, as one file.
    """
    modules = _read_all(read, start)
    names = ShortNames(modules)
    first = _closure(modules, (start, *(name for name in also if name in modules)))
    roots = dict.fromkeys(name for module in modules.values() for name in module.lazy if name not in first)
    reach = {root: {name for name in _closure(modules, (root,)) if name not in first} for root in roots}
    files: dict[str, str] = {}
    lazy: dict[str, tuple[str, ...]] = {
        name: () for module in modules.values() for name in module.lazy if name in first
    }
    for who, group in _groups(reach).items():
        text = small_script(f"export const parts = {_parts(modules, group, names)};")
        address = named(max(group, key=lambda name: len(modules[name].source)), text)
        files[address] = text
        lazy |= {root: (*lazy.get(root, ()), address) for root in roots if root in who}
    if late := [name for name in styles or {} if name in modules and name not in first]:
        address = named(LATE, "".join((styles or {})[name] for name in late))
        lazy |= {root: (address, *lazy[root]) for root in roots}
    known = f"const parts = {_parts(modules, first, names)};\n{_files(lazy, names)}"
    text = small_script(f"{known}{_LOADER}need({names.number(start)});")
    return Scripts(text, lazy, files, (*late,))


def _files(lazy: Mapping[str, tuple[str, ...]], names: ShortNames) -> str:
    """Return the statement with the files of each lazy module; many need the same ones."""
    addresses = [*dict.fromkeys(address for needed in lazy.values() for address in needed)]
    numbers = {names.number(name): [*map(addresses.index, needed)] for name, needed in lazy.items()}
    return f"const addresses = {json.dumps(addresses)};\nconst files = {json.dumps(numbers)};\n"


def _groups(reach: Mapping[str, set[str]]) -> dict[frozenset[str], list[str]]:
    """Return the modules of each lazy script: those that the same parts need are in one."""
    groups: dict[frozenset[str], list[str]] = {}
    for name in sorted(set().union(*reach.values())):
        groups.setdefault(frozenset(root for root in reach if name in reach[root]), []).append(name)
    return groups


def _read_all(read: Callable[[str], str], start: str) -> dict[str, Module]:
    """Return every module that the page may need, by name."""
    modules: dict[str, Module] = {}
    waiting = [start]
    while waiting:
        name = waiting.pop()
        if name not in modules:
            try:
                modules[name] = read_module(read(name))
            except NotBundled as error:
                raise NotBundled(f"{name}: {error}") from None
            waiting += [*modules[name].needs, *modules[name].lazy]
    for name, module in modules.items():
        _check_imports(name, module, modules)
    return modules


def _check_imports(name: str, module: Module, modules: Mapping[str, Module]) -> None:
    """Raise NotBundled if a module imports what another does not export."""
    for file, wanted in imported_names(module.source).items():
        if missing := sorted(wanted - {*exports(modules[file].source)}):
            raise NotBundled(f"{name}: {file} exports no {', '.join(missing)}")


def _closure(modules: Mapping[str, Module], starts: Iterable[str]) -> list[str]:
    """Return the modules that these import, directly or not, and themselves."""
    found: dict[str, None] = {}
    waiting = [*starts]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = None
            waiting += modules[name].needs
    return [*found]


def _parts(modules: Mapping[str, Module], group: Iterable[str], names: ShortNames) -> str:
    texts = {names.number(file): part(file, modules, names) for file in sorted(group)}
    return "{\n" + "".join(f"{number}: {text},\n" for number, text in texts.items()) + "}"
