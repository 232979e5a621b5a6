"""A sheet: the art of a game as SVG symbols, `fish.svg` beside `fish.py`, and the one that all games share.

Laws of this file: a sheet is data, with no script, link or file of its own; what it may hold is a small part
of SVG, and whatever else is in it is refused with its line. `games/README.md` describes sheets.
"""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from importlib import resources
from typing import TYPE_CHECKING, NamedTuple
from xml.parsers import expat

from touchline.core.errors import BadInput
from touchline.draw.game_files import file_beside
from touchline.draw.sheet_style import Cascade, Rule, rules_of, variables

if TYPE_CHECKING:
    from collections.abc import Iterator

COMMON = "common"
"""The name of the sheet that all games share: its ids begin with it."""
MOST_BYTES = 256 << 10
"""The most bytes of a sheet."""
MOST_DEPTH = 12
"""How deep elements and references may be nested."""
SVG = "http://www.w3.org/2000/svg"
GRADIENTS = frozenset({"linearGradient", "radialGradient", "pattern", "clipPath"})
"""What is referred to by url(#id): a browser reads their variables where the sheet stands, so we do."""
TAGS = GRADIENTS | {
    "svg", "defs", "style", "symbol", "g", "path", "circle", "ellipse", "rect", "line", "polyline", "polygon",
    "use", "stop",
}  # fmt: skip
EACH = "each"
"""The attribute with the words for which an element is there, each time with the word for `*`."""
MOST_WORDS = 16
_WORDS = re.compile(r"[\w-]+(?: [\w-]+)*")
_ATTRIBUTE = re.compile(r"[a-zA-Z][a-zA-Z0-9-]*")
_URL = re.compile(r"url\(#([\w-]+)\)")


class Element(NamedTuple):
    """An element of a sheet."""

    tag: str
    attributes: dict[str, str]
    children: tuple[Element, ...]
    line: int

    def walk(self) -> Iterator[Element]:
        """Yield this element and all in it."""
        yield self
        for child in self.children:
            yield from child.walk()


class Sheet:
    """The symbols and the style of a game, together with those that all games share.

    >>> sheet = common_sheet()
    >>> sheet.id_of("dot"), sheet.id_of("unicorn")
    ('common-dot', None)
    """

    def __init__(self, name: str, source: str, data: bytes, common: Sheet | None = None) -> None:
        self.name, self.source = name, source
        root, styles = _read(data, source)
        if root.attributes.get("class") != name:
            raise BadInput(f'the root is <svg class="{name}">, so that its colours hold for it', source)
        own = tuple(rule for text, line in styles for rule in rules_of(text, source, line))
        if common is not None:
            _check_scope(own, name, source)
        self.rules: tuple[Rule, ...] = (*(common.rules if common else ()), *own)
        self.elements: dict[str, Element] = dict(common.elements if common else {})
        self._keep(root)
        self._check_references()
        self._cascades = {dark: Cascade(self.rules, dark) for dark in (False, True)}

    def _keep(self, root: Element) -> None:
        for element in root.walk():
            id = element.attributes.get("id")
            if id is None:
                continue
            here = f"{self.source}, line {element.line}"
            if not id.startswith(f"{self.name}-"):
                raise BadInput(f"the id {id!r} does not begin with {self.name}-", here)
            if id in self.elements:
                raise BadInput(f"the id {id!r} is there twice", here)
            self.elements[id] = element

    def _check_references(self) -> None:
        for id in self.elements:
            self._reach(id, ())

    def _reach(self, id: str, above: tuple[str, ...]) -> None:
        if id in above or len(above) > MOST_DEPTH:
            raise BadInput(f"{id!r} refers to itself, or too deep", self.source)
        for element in self.elements[id].walk():
            for target in references(element):
                if target not in self.elements:
                    raise BadInput(f"there is no {target!r}", f"{self.source}, line {element.line}")
                self._reach(target, (*above, id))

    @property
    def root(self) -> tuple[str, ...]:
        """The classes of a drawing with this sheet."""
        return (COMMON,) if self.name == COMMON else (f"{COMMON} {self.name}",)

    def cascade(self, dark: bool) -> Cascade:
        """Return the style for a theme."""
        return self._cascades[dark]

    def id_of(self, symbol: str, *, small: bool = False) -> str | None:
        """Return the id of a symbol in this sheet, else in the common one; the small form if there is one."""
        names = [f"{self.name}-{symbol}", f"{COMMON}-{symbol}"]
        if small:
            names.insert(0, f"{self.name}-small-{symbol}")
        return next((name for name in names if name in self.elements), None)

    @cached_property
    def _variables(self) -> dict[str, frozenset[str]]:
        return {}

    def variables(self, id: str) -> frozenset[str]:
        """Return the custom properties that an element needs, with all it refers to but gradients."""
        known = self._variables.get(id)
        if known is None:
            found: set[str] = set()
            for element in self.elements[id].walk():
                found |= variables(element.attributes.values())
                for target in references(element):
                    if self.elements[target].tag not in GRADIENTS:
                        found |= self.variables(target)
            known = self._variables[id] = frozenset(found)
        return known


def references(element: Element) -> list[str]:
    """Return the ids that an element refers to."""
    found = [target for value in element.attributes.values() for target in _URL.findall(value)]
    href = element.attributes.get("href")
    return found if href is None else [*found, href[1:]]


def _check_scope(rules: tuple[Rule, ...], name: str, source: str) -> None:
    for rule in rules:
        if name not in (rule.within, rule.name):
            raise BadInput(f"the rule for .{rule.name} is not within .{name}", source)


def _read(data: bytes, source: str) -> tuple[Element, list[tuple[str, int]]]:
    """Return the elements of a sheet, and its styles with their lines; BadInput for what it may not hold."""
    if len(data) > MOST_BYTES:
        raise BadInput(f"longer than {MOST_BYTES >> 10} KiB", source)
    reader = _Reader(source)
    try:
        reader.parser.Parse(data, True)
    except expat.ExpatError as error:
        raise BadInput(
            f"not XML: {expat.errors.messages[error.code]}", f"{source}, line {error.lineno}"
        ) from None
    assert reader.root is not None, "a document has an element"
    return reader.root, reader.styles


class _Reader:
    """Builds elements while the XML is read."""

    def __init__(self, source: str) -> None:
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.root: Element | None = None
        self.styles: list[tuple[str, int]] = []
        self._source = source
        self._open: list[tuple[str, dict[str, str], list[Element], int]] = []
        self._text = ""
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._said
        self.parser.StartDoctypeDeclHandler = lambda *_: self._refuse("document type")
        self.parser.ProcessingInstructionHandler = lambda *_: self._refuse("processing instruction")

    def _refuse(self, what: str) -> None:
        raise BadInput(f"a sheet has no {what}", f"{self._source}, line {self.parser.CurrentLineNumber}")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        space, _, tag = name.rpartition(" ")
        if space != SVG or tag not in TAGS:
            self._refuse(f"<{tag}>")
        if len(self._open) > MOST_DEPTH:
            self._refuse("elements that are nested so deep")
        for attribute, value in attributes.items():
            self._check(tag, attribute, value)
        if EACH in attributes:
            self._check_words(attributes)
        self._open.append((tag, attributes, [], self.parser.CurrentLineNumber))
        self._text = ""

    def _check(self, tag: str, name: str, value: str) -> None:
        if name == "class" and tag == "svg":
            return
        if not _ATTRIBUTE.fullmatch(name) or name.startswith("on") or name in ("style", "class"):
            self._refuse(f"attribute {name}: use presentation attributes, and var() for colours")
        if name == "href" and not re.fullmatch(r"#[\w*-]+", value):
            self._refuse("link to anything but an id of its own")
        if "url" in _URL.sub("", value) or "color-mix" in value:
            self._refuse(f"value {value!r}")

    def _check_words(self, attributes: dict[str, str]) -> None:
        words = attributes[EACH]
        if not _WORDS.fullmatch(words) or words.count(" ") >= MOST_WORDS:
            self._refuse(f'{EACH}="{words}": it has 1 to {MOST_WORDS} words, with a space between them')
        if "*" not in attributes.get("id", ""):
            self._refuse(f"element with {EACH}, but without a * in its id")
        if any(EACH in above for _, above, _, _ in self._open):
            self._refuse(f"element with {EACH} within another")

    def _said(self, text: str) -> None:
        self._text += text
        if text.strip() and self._open[-1][0] != "style":
            self._refuse("text outside its style")

    def _end(self, name: str) -> None:
        tag, attributes, children, line = self._open.pop()
        if tag == "style":
            self.styles.append((self._text, line))
            return
        element = Element(tag, attributes, tuple(children), line)
        if self._open:
            self._open[-1][2].extend(_unfolded(element))
        else:
            self.root = element


def _unfolded(element: Element) -> list[Element]:
    """Return the elements that one stands for: itself, or one for each of its words."""
    words = element.attributes.get(EACH)
    return [element] if words is None else [_with_word(element, word) for word in words.split()]


def _with_word(element: Element, word: str) -> Element:
    """Return an element with a word for every `*`."""
    attributes = {
        name: value.replace("*", word) for name, value in element.attributes.items() if name != EACH
    }
    children = tuple(_with_word(child, word) for child in element.children)
    return Element(element.tag, attributes, children, element.line)


@lru_cache(maxsize=1)
def common_sheet() -> Sheet:
    """Return the sheet with marks, emblems and seat colours that all games share."""
    file = resources.files("touchline.draw") / f"{COMMON}.svg"
    return Sheet(COMMON, f"{COMMON}.svg", file.read_bytes())


def sheet_of(owner: type) -> Sheet:
    """Return the sheet beside the module of a game or a state; of a game without one, the common sheet.

    >>> from touchline.games.fish import Fish
    >>> sheet_of(Fish).name
    'fish'
    """
    file = file_beside(owner, ".svg")
    return common_sheet() if file is None else _parsed(file.name, file.read_bytes())


@lru_cache(maxsize=32)
def _parsed(source: str, data: bytes) -> Sheet:
    found = re.search(rb'<svg\b[^>]*\bclass="([a-zA-Z][\w-]*)"', data)
    if found is None:
        raise BadInput('the root is <svg class="NAME">, with the name of the game', source)
    return Sheet(found[1].decode(), source, data, common_sheet())
