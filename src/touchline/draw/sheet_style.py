"""The style of a sheet: a small part of CSS, read and applied without a browser.

A rule has a class, or a class within another one, or `:root`; it sets custom properties, and for panels and
texts a few properties of SVG. Values are colours, numbers, `light-dark(a, b)` and `var(--x)`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from touchline.core.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

ROOT = ":root"
PROPERTIES = frozenset(
    """
    fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin
    stroke-dasharray stroke-dashoffset opacity font-size font-weight font-style letter-spacing text-anchor
    """.split()
)
"""What a class of a panel or a text may set, besides custom properties."""
_RULE = re.compile(r"\s*([^{}]*?)\s*\{([^{}]*)\}")
_SELECTOR = re.compile(r"(?:\.([a-zA-Z][\w-]*)\s+)?\.([a-zA-Z][\w-]*)")
_NAME = re.compile(r"--[a-zA-Z][\w-]*")
_VALUE = re.compile(r"[\w\s#%.,()+-]*")
_VAR = re.compile(r"var\(\s*(--[\w-]+)\s*\)")
_PAIR = re.compile(r"light-dark\(([^()]*(?:\([^()]*\)[^()]*)*)\)")

Env = dict[str, str]
"""Custom properties with their values, in which no `var()` is left."""


class Rule(NamedTuple):
    """What an element gets that has a class, perhaps only within another class."""

    within: str
    """The class of an ancestor; empty if it may be anywhere."""
    name: str
    """The class, or `:root`."""
    sets: tuple[tuple[str, str], ...]


def rules_of(text: str, source: str, line: int = 1) -> tuple[Rule, ...]:
    """Return the rules of a style; BadInput names the line of what is not in the subset.

    >>> rules_of(".fish .seat1{--seat:#F3F4F2;--seat-line:#43505C}", "fish.svg")[0].name
    'seat1'
    """
    text = re.sub(r"/\*.*?\*/", lambda found: "\n" * found[0].count("\n"), text, flags=re.DOTALL)
    at, found = 0, []
    while text[at:].strip():
        here = (
            f"{source}, line {line + text.count(chr(10), 0, at + len(text[at:]) - len(text[at:].lstrip()))}"
        )
        match = _RULE.match(text, at)
        if match is None:
            raise BadInput("a style is a list of rules like `.fish .seat0{--seat:#B8241F}`", here)
        found.append(_rule(match[1], match[2], here))
        at = match.end()
    return tuple(found)


def _rule(selector: str, body: str, here: str) -> Rule:
    if selector == ROOT:
        within, name = "", ROOT
    elif matched := _SELECTOR.fullmatch(selector):
        within, name = matched[1] or "", matched[2]
    else:
        raise BadInput(f"{selector!r} is neither a class, nor a class within a class, nor :root", here)
    return Rule(within, name, tuple(_declared(body, here)))


def _declared(body: str, here: str) -> Iterator[tuple[str, str]]:
    for part in body.split(";"):
        if not part.strip():
            continue
        name, colon, value = (word.strip() for word in part.partition(":"))
        if not colon or not (_NAME.fullmatch(name) or name in PROPERTIES):
            raise BadInput(
                f"{name!r} is neither a custom property nor one of those for panels and texts", here
            )
        if any(not _is_colour(part) for pair in _PAIR.findall(value) for part in _parts(pair)):
            raise BadInput(f"{value!r}: light-dark() is for colours only", here)
        plain = re.sub(r"url\(#[\w-]+\)", "", value)
        if not value or not _VALUE.fullmatch(plain) or "url" in plain or "color-mix" in plain:
            raise BadInput(f"{value!r} is not a colour, a number, light-dark(), var() or url(#id)", here)
        yield name, value


class Cascade:
    """Rules, applied to elements by their classes, for one theme."""

    def __init__(self, rules: Sequence[Rule], dark: bool) -> None:
        self._rules, self._dark = rules, dark
        self._known: dict[tuple[str, ...], tuple[Env, Env]] = {}

    def within(self, levels: tuple[str, ...]) -> Env:
        """Return the custom properties of an element; a level is the classes of an ancestor, or its own."""
        return self._at(levels)[0]

    def own(self, levels: tuple[str, ...]) -> Env:
        """Return the properties of SVG that the classes of an element set."""
        return self._at(levels)[1]

    def _at(self, levels: tuple[str, ...]) -> tuple[Env, Env]:
        found = self._known.get(levels)
        if found is None:
            found = self._known[levels] = self._worked_out(levels)
        return found

    def _worked_out(self, levels: tuple[str, ...]) -> tuple[Env, Env]:
        above = dict(self.within(levels[:-1])) if len(levels) > 1 else {}
        classes = {*levels[-1].split()} | ({ROOT} if len(levels) == 1 else set())
        around = {name for level in levels[:-1] for name in level.split()}
        sets: Env = {}
        for rule in self._rules:
            if rule.name in classes and (not rule.within or rule.within in around):
                sets.update(rule.sets)
        custom = {name: value for name, value in sets.items() if name.startswith("--")}
        env = {**above, **custom}
        done = {name: self.value(value, env, name) for name, value in custom.items()}
        env.update(done)
        own = {name: self.value(value, env) for name, value in sets.items() if name not in custom}
        return env, own

    def value(self, text: str, env: Mapping[str, str], *doing: str) -> str:
        """Return a value with its variables filled in and the theme chosen; BadInput if one is not set.

        >>> Cascade((), dark=True).value("light-dark(var(--a), #000)", {"--a": "#fff"})
        '#000'
        """

        def filled(found: re.Match[str]) -> str:
            name = found[1]
            if name in doing or name not in env:
                raise BadInput(f"{name} is {'set by itself' if name in doing else 'not set'}", "a sheet")
            return self.value(env[name], env, *doing, name)

        text = _VAR.sub(filled, text) if "var(" in text else text
        return _PAIR.sub(self._chosen, text) if "light-dark(" in text else text

    def _chosen(self, found: re.Match[str]) -> str:
        parts = _parts(found[1])
        if len(parts) != 2:
            raise BadInput(f"light-dark() has two values, not {len(parts)}", "a sheet")
        return parts[self._dark]


def _is_colour(text: str) -> bool:
    return text.startswith(("#", "var(")) or text[:1].isalpha()


def _parts(text: str) -> list[str]:
    """Return what stands between the commas that are in no brackets."""
    parts, deep = [""], 0
    for char in text:
        deep += (char == "(") - (char == ")")
        if char == "," and not deep:
            parts.append("")
        else:
            parts[-1] += char
    return [part.strip() for part in parts]


def variables(values: Iterable[str]) -> frozenset[str]:
    """Return the names of the variables in some values."""
    return frozenset(name for value in values if "var(" in value for name in _VAR.findall(value))
