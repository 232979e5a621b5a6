"""Give the variables of a script short names.

A name that a script declares somewhere is replaced wherever it is a variable, in all scopes alike, by a name
that occurs nowhere in the script: so no scope changes its meaning. Properties keep their names; `{ name }`
becomes `{ name: a }`. Law of this file: what looks like a global of the browser is never renamed. A test
compares the syntax trees of the page before and after.
"""

from __future__ import annotations

import itertools
import re
import string
from collections import Counter
from typing import TYPE_CHECKING

from touchline.web.assets.minify import pieces

if TYPE_CHECKING:
    from collections.abc import Iterator

_TOKEN = re.compile(
    r"\s+|#?[A-Za-z_$][\w$]*|\.?\d[\w.]*|\?\.(?!\d)|\.\.\.|=>|[=!]==?|[<>]=|\?\?=?|&&=?|\|\|=?|.", re.DOTALL
)
_WORD = re.compile(r"[A-Za-z_$]")
KEYWORDS = frozenset(
    """arguments as async await break case catch class const constructor continue debugger default delete
    do else enum eval export extends false finally for from function get if import in Infinity
    instanceof let NaN new null of return set static super switch this throw true try typeof undefined
    var void while with yield""".split()
)
GLOBALS = frozenset(
    """AbortController addEventListener alert Array atob Audio AudioContext Blob Boolean btoa
    cancelAnimationFrame clearInterval clearTimeout close closed confirm console crypto CSS
    CSSStyleSheet CustomEvent Date decodeURIComponent devicePixelRatio dispatchEvent document DOMParser
    Element encodeURIComponent Error Event event EventTarget external fetch File find focus FormData
    frames getComputedStyle getSelection globalThis history HTMLElement Image innerHeight innerWidth
    IntersectionObserver Intl isFinite isNaN isSecureContext JSON KeyboardEvent length localStorage
    location Map matchMedia Math MutationObserver name navigator Node Notification Number Object open
    opener origin outerHeight outerWidth parent parseFloat parseInt Path2D performance PointerEvent
    print Promise prompt Proxy queueMicrotask Reflect RegExp removeEventListener Request
    requestAnimationFrame requestIdleCallback ResizeObserver Response screen scroll scrollBy scrollTo
    scrollX scrollY self sessionStorage Set setInterval setTimeout speechSynthesis status stop String
    structuredClone SVGElement Symbol TextDecoder TextEncoder top URL URLSearchParams visualViewport
    WeakMap WeakSet WebSocket window Worker""".split()
)
"""Names that mean something without a declaration. A script that declares one of them keeps it."""
_FIXED = KEYWORDS | GLOBALS
_BEFORE_OBJECT = frozenset(
    {
        "return",
        "of",
        "in",
        "typeof",
        "const",
        "let",
        "var",
        "default",
        "await",
        "yield",
        "new",
        "void",
        "throw",
    }
)
_BEFORE_BLOCK = frozenset({"else", "do", "try", "catch", "finally", "static"})
_CONTROL = frozenset({"if", "for", "while", "switch", "with"})
_CLOSES = {")": "(", "]": "[", "}": "{"}


class _Token:
    """A word or sign, and its role."""

    __slots__ = ("ends", "inside", "role", "text")

    def __init__(self, text: str, *, literal: bool) -> None:
        self.text = text
        self.role = "literal" if literal else "word" if _WORD.match(text) else "sign"
        self.inside = "block"
        """What surrounds it: block, object, class, or round, square and template brackets."""
        self.ends = -1
        """For an opening bracket, where it is closed."""


def shortened(source: str) -> str:
    """Return a script whose variables have short names.

    >>> shortened("(need) => { const { shown, size: last } = need; return { shown, last: need.at / last }; }")
    '(a) => { const { shown:c, size: b } = a; return { shown:c, last: a.at / b }; }'
    """
    tokens = [*_tokens(source)]
    real, roles = _read(tokens)
    used = {token.text for token in real if token.role == "word"}
    declared = _renamable(real, roles)
    count = Counter(real[at].text for at, role in enumerate(roles) if role == "variable")
    short: dict[str, str] = {}
    free = (name for name in _names() if name not in used and name not in _FIXED)
    for name in sorted(declared, key=lambda name: (-count[name], name)):
        if len(name) > 1:
            short[name] = next(free)
    for token, role in zip(real, roles, strict=True):
        if token.text in short and role == "variable":
            token.text = short[token.text]
        elif token.text in short and role == "shorthand":
            token.text = f"{token.text}:{short[token.text]}"
    return "".join(token.text for token in tokens)


def declared_names(source: str) -> set[str]:
    """Return the names that may be replaced in a script."""
    return _renamable(*_read([*_tokens(source)]))


def _read(tokens: list[_Token]) -> tuple[list[_Token], list[str]]:
    """Return the tokens without spaces, and the role of each."""
    real = [token for token in tokens if not token.text.isspace()]
    _surround(real)
    return real, [_role(real, at) for at in range(len(real))]


def _renamable(tokens: list[_Token], roles: list[str]) -> set[str]:
    return {tokens[at].text for at in _declared(tokens) if roles[at] in ("variable", "shorthand")} - _FIXED


def _names() -> Iterator[str]:
    for size in itertools.count(1):
        for letters in itertools.product(string.ascii_letters, repeat=size):
            yield "".join(letters)


def _tokens(source: str) -> Iterator[_Token]:
    for kind, text in pieces(source):
        if kind == "code":
            yield from (_Token(part, literal=False) for part in _TOKEN.findall(text))
        else:
            yield _Token(text, literal=True)


# -- brackets ---------------------------------------------------------------------------------------


def _surround(tokens: list[_Token]) -> None:
    """Note what surrounds each token, and where brackets are closed."""
    stack: list[tuple[int, str]] = []
    labels = 0
    """Words `case` and `default` whose colon has not come yet."""
    for at, token in enumerate(tokens):
        if token.role == "literal" and token.text.startswith("}") and stack:
            stack.pop()
        if token.text in _CLOSES and token.role == "sign":
            tokens[stack.pop()[0]].ends = at
        token.inside = stack[-1][1] if stack else "block"
        if token.role == "literal" and token.text.endswith("${"):
            stack.append((at, "template"))
        elif token.text in ("(", "["):
            stack.append((at, "round" if token.text == "(" else "square"))
        elif token.text == "{" and token.role == "sign":
            stack.append((at, _brace(tokens, at)))
        elif token.text in ("case", "default") and token.inside == "block":
            labels += 1
        elif token.text == ":" and labels and token.inside == "block" and not _in_ternary(tokens, at):
            labels -= 1
            token.role = "label"


def _in_ternary(tokens: list[_Token], at: int) -> bool:
    """Whether a colon after `case` belongs to a `?` since then."""
    open_marks = 0
    while at := at - 1:
        text = tokens[at].text
        if text in ("case", "default", ";"):
            return open_marks > 0
        open_marks += {"?": 1, ":": -1}.get(text, 0) if tokens[at].inside == "block" else 0
    return False


def _brace(tokens: list[_Token], at: int) -> str:
    """Return what a brace opens: a block, an object (or pattern), or the body of a class."""
    before = tokens[at - 1] if at else None
    if before is None or before.text in (";", "{", "}", ")", "=>") or before.role == "label":
        return "block"
    if before.role == "literal":
        return "block" if before.text.startswith("}") else "object"
    if before.role == "word":
        if before.text in _BEFORE_OBJECT:
            return "object"
        return "block" if before.text in _BEFORE_BLOCK else "class"
    return "object"


# -- roles ------------------------------------------------------------------------------------------


def _role(tokens: list[_Token], at: int) -> str:
    """Return `variable`, `shorthand` (in an object or pattern), or `other`: a property or a keyword."""
    token = tokens[at]
    if token.role != "word" or token.text in KEYWORDS or token.text.startswith("#"):
        return "other"
    before, after = _text(tokens, at - 1), _text(tokens, at + 1)
    if before in (".", "?."):
        return "other"
    if token.inside == "object" and _is_key(tokens, at):
        return "shorthand" if after in (",", "}", "=") and before in ("{", ",") else "other"
    if token.inside == "class" and not _in_initialiser(tokens, at):
        return "other" if before not in ("extends",) else "variable"
    return "variable"


def _text(tokens: list[_Token], at: int) -> str:
    return tokens[at].text if 0 <= at < len(tokens) else ""


def _is_key(tokens: list[_Token], at: int) -> bool:
    """Whether a word in an object stands where a key does, also after `get`, `set`, `async` or `*`."""
    while _text(tokens, at - 1) in ("get", "set", "async", "*") and tokens[at - 1].inside == "object":
        at -= 1
    before = tokens[at - 1]
    return (before.text == "," and before.inside == "object") or (before.text == "{" and before.ends >= at)


def _in_initialiser(tokens: list[_Token], at: int) -> bool:
    """Whether a word in the body of a class is part of a field's value: after `=`, before `;`."""
    inside = False
    start = at
    depth = 0
    while start := start - 1:
        text = tokens[start].text
        if tokens[start].role == "sign" and text in ")]}":
            depth += 1
        elif tokens[start].role == "sign" and text in "([{":
            if not depth:
                break
            depth -= 1
        elif not depth and text == ";":
            break
        elif not depth and text == "=":
            inside = True
    return inside


# -- declarations -----------------------------------------------------------------------------------


def _declared(tokens: list[_Token]) -> Iterator[int]:
    """Yield where names are declared: variables, functions, classes, parameters."""
    for at, token in enumerate(tokens):
        if token.role == "word" and _text(tokens, at - 1) not in (".", "?."):
            if token.text in ("const", "let", "var"):
                yield from _list(tokens, at + 1)
            elif token.text in ("function", "class"):
                yield at + (2 if _text(tokens, at + 1) == "*" else 1)
            elif _text(tokens, at + 1) == "=>":
                yield at
        elif token.text == "(" and token.role == "sign" and _are_parameters(tokens, at):
            yield from _list(tokens, at + 1)


def _are_parameters(tokens: list[_Token], at: int) -> bool:
    """Whether a round bracket has the parameters of a function."""
    after, before = _text(tokens, tokens[at].ends + 1), tokens[at - 1] if at else None
    if after == "=>":
        return True
    if after != "{" or before is None or before.text in _CONTROL:
        return False
    return before.role in ("word", "literal") or before.text in ("]", "*")


def _list(tokens: list[_Token], at: int) -> Iterator[int]:
    """Yield the names of a list of patterns, each with or without a value."""
    while at < len(tokens):
        if tokens[at].text in ("{", "[") and tokens[at].role == "sign":
            yield from _pattern(tokens, at)
            at = tokens[at].ends + 1
        elif tokens[at].text == "...":
            at += 1
            continue
        elif tokens[at].role == "word" and tokens[at].text not in KEYWORDS:
            yield at
            at += 1
        else:
            return
        at = _after_value(tokens, at)
        if _text(tokens, at) != ",":
            return
        at += 1


def _pattern(tokens: list[_Token], start: int) -> Iterator[int]:
    """Yield the names of `{ a, b: c, ...d }` or `[a, b]`."""
    at, end = start + 1, tokens[start].ends
    while at < end:
        if tokens[start].text == "{" and _text(tokens, at + 1) == ":":
            at += 2
        if tokens[at].text in ("{", "[") and tokens[at].role == "sign":
            yield from _pattern(tokens, at)
            at = tokens[at].ends + 1
        elif tokens[at].role == "word":
            yield at
            at += 1
        elif tokens[at].text in (",", "..."):
            at += 1
            continue
        else:
            return  # a key that is computed or a string: its names stay as they are
        at = _after_value(tokens, at)


def _after_value(tokens: list[_Token], at: int) -> int:
    """Return where a value ends, if there is one: at the next `,` or `;`, or at a bracket that closes."""
    if _text(tokens, at) != "=":
        return at
    while at < len(tokens) and tokens[at].text not in (",", ";", ")", "]", "}"):
        skip = tokens[at].ends if tokens[at].text in ("(", "[", "{") and tokens[at].ends > 0 else at
        at = skip + 1
        if tokens[at - 1].role == "literal" and tokens[at - 1].text.endswith("${"):
            at = _after_template(tokens, at)
    return at


def _after_template(tokens: list[_Token], at: int) -> int:
    """Return the place after a template whose first `${` has just been read."""
    depth = 1
    while depth and at < len(tokens):
        text = tokens[at].text
        if tokens[at].role == "literal":
            depth += text.endswith("${") - text.startswith("}")
        at += 1
    return at
