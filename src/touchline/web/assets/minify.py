"""Make JavaScript, CSS and SVG smaller without changing what they mean.

Law of this file: only comments go, and spaces that separate nothing. Strings, templates and regular
expressions stay as they are, and so does an end of line that may end a statement.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_REGEX = re.compile(r"/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\[\n])+/[a-z]*")
_STRING = re.compile(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'", re.DOTALL)
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_PLAIN = re.compile(r"[^\"'`/{}]+")
_OPERAND = re.compile(r"[\w$\])}\"'`]\s*$")
"""The end of a value, after which `/` divides; elsewhere it begins a regular expression."""
_KEYWORD = re.compile(
    r"(?:^|[^\w$.])(?:return|typeof|case|in|of|delete|void|throw|new|else|do|await|yield)\s*$"
)


class Piece(NamedTuple):
    """A part of a script: `code`, a `comment`, or a `literal` (string, template or regular expression)."""

    kind: str
    text: str


def pieces(source: str) -> Iterator[Piece]:
    """Split JavaScript into code, comments and literals, which are the source again when put together.

    >>> [piece.kind for piece in pieces('a = "//" // why')]
    ['code', 'literal', 'code', 'comment']
    """
    at, before, depths = 0, "", list[int]()
    while at < len(source):
        piece = _next(source, at, before, depths)
        at += len(piece.text)
        if piece.kind != "comment":
            before = (before + piece.text)[-80:]
        yield piece


def _next(source: str, at: int, before: str, depths: list[int]) -> Piece:
    """Return the piece that begins here. `depths` has the number of open braces in each open `${`."""
    char = source[at]
    if found := _PLAIN.match(source, at):
        return Piece("code", found[0])
    if char == "/" and (found := _COMMENT.match(source, at)):
        return Piece("comment", found[0])
    if char == "/" and _begins_regex(before) and (found := _REGEX.match(source, at)):
        return Piece("literal", found[0])
    if char in "\"'" and (found := _STRING.match(source, at)):
        return Piece("literal", found[0])
    if char == "`" or (char == "}" and depths and not depths[-1]):
        if char == "}":
            depths.pop()
        return _template(source, at, depths)
    if depths:
        depths[-1] += {"{": 1, "}": -1}.get(char, 0)
    return Piece("code", char)


def _template(source: str, at: int, depths: list[int]) -> Piece:
    """Return a template up to its end, or up to the next `${`, which is noted."""
    end = at + 1
    while end < len(source) and source[end] != "`":
        if source.startswith("${", end):
            depths.append(0)
            return Piece("literal", source[at : end + 2])
        end += 2 if source[end] == "\\" else 1
    return Piece("literal", source[at : end + 1])


def _begins_regex(before: str) -> bool:
    return not _OPERAND.search(before) or bool(_KEYWORD.search(before))


def plain_script(source: str) -> str:
    """Return JavaScript without comments, indentation and empty lines.

    >>> plain_script('/** Why. */\\nexport const a = 1; // one\\n\\n  b("  //  ");')
    'export const a = 1;\\nb("  //  ");\\n'
    """
    code, literals = _held(source)
    lines = (line.strip() for line in code.splitlines())
    return _put_back("".join(f"{line}\n" for line in lines if line), literals)


def small_script(source: str) -> str:
    """Return JavaScript without comments, and without spaces that separate nothing.

    `+` and `-` keep theirs beside another one, which it would join; `/` does, which might begin a comment.

    >>> small_script('const a = { b: 1 }; // why\\nlet c = a + +b - 1\\nd("a  b", c / 2)')
    'const a={b:1};let c=a + +b-1\\nd("a  b",c / 2)\\n'
    """
    code, literals = _held(plain_script(source))
    code = re.sub(r" *([=<>?:;,(){}\[\]&|*%^~!]) *", r"\1", code)
    code = re.sub(r"(?<=[^+\-\s]) ([+-]=?) (?=[^+\-\s])", r"\1", code)
    return _put_back(re.sub(r"(?<=[{(\[,;])\n", "", code).rstrip() + "\n", literals)


def _held(source: str) -> tuple[str, list[str]]:
    """Return JavaScript without comments, with marks in the place of its literals, and the literals."""
    literals: list[str] = []
    kept: list[str] = []
    for kind, text in pieces(source):
        if kind == "comment":
            kept.append("\n" if "\n" in text else " ")
        elif kind == "literal":
            kept.append(f"\x00{len(literals)}\x00")
            literals.append(text)
        else:
            kept.append(text)
    return "".join(kept), literals


def _put_back(code: str, literals: list[str]) -> str:
    return re.sub(r"\x00(\d+)\x00", lambda found: literals[int(found[1])], code)


def small_style(source: str) -> str:
    """Return CSS without comments, and without spaces that separate nothing.

    >>> small_style('/* why */\\na :hover, b > c {\\n  d: "/* e */";\\n  width: calc(1px + 2px);\\n}')
    'a :hover,b>c{d:"/* e */";width:calc(1px + 2px)}\\n'
    """
    strings: list[str] = []

    def kept(found: re.Match[str]) -> str:
        if found[0].startswith("/*"):
            return ""
        strings.append(found[0])
        return f"\x00{len(strings) - 1}\x00"

    small = re.sub(r"/\*.*?\*/|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'", kept, source, flags=re.DOTALL)
    small = re.sub(r"\s*([{};,>])\s*", r"\1", re.sub(r"\s+", " ", small)).strip()
    small = re.sub(r":\s+", ":", small).replace(";}", "}")
    return _put_back(small, strings) + "\n"


def small_drawing(source: str) -> str:
    """Return SVG without comments and without space between elements; its texts stay as they are.

    >>> small_drawing('<svg> <!-- why --> <g/>\\n <text> a </text> </svg>')
    '<svg><g/><text> a </text></svg>'
    """
    return re.sub(r">\s+<", "><", re.sub(r"<!--.*?-->", "", source, flags=re.DOTALL)).strip()
