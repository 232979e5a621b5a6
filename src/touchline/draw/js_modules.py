"""JavaScript modules put together as one script, for pages that cannot or should not load many files.

It reads the subset that our scripts are written in: `import { a, b as c } from "./file.js";` on one line,
`export function|class|const`, no cycles.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_IMPORT = re.compile(r'^import\s*\{([^}]*)\}\s*from\s*"(?:[^"]*/)?([^"/]+)";?$', re.MULTILINE)
_EXPORT = re.compile(
    r"^export\s+((?:async\s+)?function\*?|const|let|class)\s+([A-Za-z_$][\w$]*)", re.MULTILINE
)
_REST = re.compile(r"^\s*(?:import\s|export\s)", re.MULTILINE)


def module(name: str, source: str) -> str:
    """Return a JavaScript module as a script that puts its exports into `MODULES`.

    >>> print(module("a.js", 'import { b as c } from "./b.js";\\nexport const d = c;'))
    MODULES["a.js"] = (() => {
    const { b: c } = MODULES["b.js"];
    const d = c;
    return { d };
    })();
    """
    body = function_body(name, source, _in_modules)
    return f"{_in_modules(name)} = (() => {{\n{body}\n}})();"


def _in_modules(file: str) -> str:
    return f'MODULES["{file}"]'


def _as_written(file: str, name: str) -> str:
    return name


def function_body(
    file: str,
    source: str,
    imported: Callable[[str], str],
    exported: Callable[[str, str], str] = _as_written,
) -> str:
    """Return a module as the body of a function that returns its exports.

    `imported` returns the expression that stands for a module, by its file; `exported` returns the property
    that has an export, by the file of the module and the name of the export.
    """

    def required(found: re.Match[str]) -> str:
        names = (re.split(r"\s+as\s+", name.strip()) for name in found[1].split(",") if name.strip())
        pairs = (_pair(exported(found[2], name[0]), name[-1]) for name in names)
        return f"const {{ {', '.join(pairs)} }} = {imported(found[2])};"

    body = _EXPORT.sub(r"\1 \2", _IMPORT.sub(required, source).replace("export {};", "")).strip()
    returned = (_pair(exported(file, name), name) for name in exports(source))
    return f"{body}\nreturn {{ {', '.join(returned)} }};"


def _pair(key: str, name: str) -> str:
    """Return a property with the variable that has its value."""
    return name if key == name else f"{key}: {name}"


def exports(source: str) -> list[str]:
    """Return the names that a module exports.

    >>> exports("export const a = 1; export function b() {}\\nexport class C {}")
    ['a', 'C']
    """
    return [found[2] for found in _EXPORT.finditer(source)]


def imported_names(source: str) -> dict[str, set[str]]:
    """Return the names that a module imports, by file.

    >>> imported_names('import { h as make } from "./dom.js";')
    {'dom.js': {'h'}}
    """
    found: dict[str, set[str]] = {}
    for one in _IMPORT.finditer(source):
        names = {name.split()[0] for name in one[1].split(",") if name.strip()}
        found[one[2]] = found.get(one[2], set()) | names
    return found


def imports(source: str) -> list[str]:
    """Return the names of the files that a module imports.

    >>> imports('import { h } from "./dom.js";')
    ['dom.js']
    """
    return [found[2] for found in _IMPORT.finditer(source)]


def in_order(wanted: list[str], read: Callable[[str], str]) -> list[str]:
    """Return the wanted modules and all that they import, each after what it imports.

    >>> in_order(["a.js"], {"a.js": 'import { b } from "./b.js";', "b.js": ""}.__getitem__)
    ['b.js', 'a.js']
    """
    found: dict[str, None] = {}
    for name in wanted:
        _visit(name, read, found, ())
    return [*found]


def _visit(name: str, read: Callable[[str], str], found: dict[str, None], above: tuple[str, ...]) -> None:
    if name in above:
        raise ValueError(f"modules import each other in a circle: {' -> '.join((*above, name))}")
    if name not in found:
        for needed in imports(read(name)):
            _visit(needed, read, found, (*above, name))
        found[name] = None


def embeddable(source: str) -> bool:
    """Whether `module()` understands every import and export of a module.

    >>> embeddable("export const behaviour = {};"), embeddable('export * from "./a.js";')
    (True, False)
    """
    return not _REST.search(_EXPORT.sub("", _IMPORT.sub("", source)).replace("export {};", ""))


def safe(script: str) -> str:
    """Return a script that ends no `<script>` element: in strings `\\/` is the same as `/`."""
    return re.sub(r"<(?=/script|!--|script)", r"\\x3c", script, flags=re.IGNORECASE)
