"""Oz terms as text: what the programs of the note about ports sent each other, one record a message.

Only values are read, never code: a term is an integer, an atom, one of the names `true`, `false` and `unit`,
or a record of terms. Variables, `_`, floats, lists, strings, comments and everything that would have to be
computed are refused, though an Oz engine takes them.

    term     integer | name | atom | record
    record   atom "(" fields ")"        nothing between the atom and the bracket
    field    [ (atom | integer) ":" ] term
    integer  [ "~" ] digits             without leading zeros
    atom     a lower-case word that is no keyword, or anything in single quotes

Fields without a feature get 1, 2, 3 and so on, those with one are not counted; no feature comes twice. The
order in which fields are written means nothing, and a record without fields is the atom that is its label.

Laws of this file: whatever text comes in, what goes out is a term, or one `BadInput` that says what and
where; the time it takes grows with the text and no faster; what `write` wrote, `read` reads as the same term.
"""

from __future__ import annotations

import enum
import re
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from touchline.core.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_CHARACTERS = 1 << 16
"""The size limit of a text in characters."""
DEEPEST = 32
"""The nesting limit of records."""
MOST_TERMS = 512
"""The limit of terms in a text, features included; the largest board of the note has 73."""
LONGEST_ATOM = 4096
"""The size limit of a quoted atom in characters."""
LARGEST = 1 << 53
"""The largest absolute value of an integer; an Oz engine has no limit."""

KEYWORDS = frozenset(
    """
    andthen at attr case catch choice class cond declare define dis do div else elsecase elseif elseof end
    export fail false feat finally for from fun functor if import in local lock meth mod not of or orelse
    prepare proc prop raise require self skip suchthat then thread true try unit
    """.split()
)


class Atom(str):
    """A word that stands for itself: `p1`, or in quotes `'two words'`."""

    __slots__ = ()


class Name(enum.Enum):
    """A value that is no atom, though it is written like one: `'true'` in quotes is something else."""

    TRUE = "true"
    FALSE = "false"
    UNIT = "unit"


class Record:
    """A label and fields by feature: a value, equal to any other with the same label, features and fields.

    >>> Record("move", {2: 5, 1: Atom("a")}) == read("move(a 5)")
    True
    >>> read("gameEnded(winner:p1)")["winner"]
    'p1'
    """

    __slots__ = ("_text", "depth", "fields", "label")

    label: Atom
    fields: Mapping[int | str, Term]
    depth: int
    """The nesting depth, this record included."""

    def __init__(self, label: str, fields: Mapping[int | str, Term | str]) -> None:
        if not fields:
            raise ValueError("a record without fields is its label, an atom")
        self.label = Atom(label)
        self.fields = MappingProxyType({_feature(key): term(value) for key, value in fields.items()})
        self.depth = 1 + max(value.depth if type(value) is Record else 0 for value in self.fields.values())
        if self.depth > DEEPEST:
            raise ValueError(f"more than {DEEPEST} records in each other")
        self._text = ""

    def __getitem__(self, feature: int | str) -> Term:
        return self.fields[feature]

    def __eq__(self, other: object) -> bool:
        if type(other) is not Record:
            return NotImplemented
        return self.label == other.label and self.fields == other.fields

    def __hash__(self) -> int:
        return hash((self.label, frozenset(self.fields.items())))

    def __repr__(self) -> str:
        return f"<{self}>"

    def __str__(self) -> str:
        if not self._text:
            self._text = _written(self)
        return self._text

    @property
    def arity(self) -> list[int | str]:
        """Return the features, integers first.

        >>> read("f(b:c a 'B':d 7:x)").arity
        [1, 7, 'B', 'b']
        """
        return sorted(self.fields, key=lambda key: (1, 0, key) if isinstance(key, str) else (0, key, ""))


Term: TypeAlias = int | Atom | Name | Record


def record(label: str, *fields: Term | str, **named: Term | str) -> Record | Atom:
    """Return a record with these fields, or an atom if there are none; a plain string is an atom.

    >>> print(record("f", 1, "a", k="b"))
    f(1:1 2:a k:b)
    """
    every: dict[int | str, Term | str] = dict(enumerate(fields, 1))
    every.update(named)
    return Record(label, every) if every else Atom(label)


def term(value: object) -> Term:
    """Return a value as a term; a plain string is an atom. Raise TypeError or ValueError if it is none."""
    if type(value) is Record or type(value) is Atom or type(value) is Name:
        return value
    if type(value) is int:
        if not -LARGEST <= value <= LARGEST:
            raise ValueError(f"an integer beyond {LARGEST}")
        return value
    if isinstance(value, str):
        return Atom(value)
    raise TypeError(f"not an Oz term: {type(value).__name__}")


def _feature(value: object) -> int | str:
    feature = term(value)
    if isinstance(feature, int | str):
        return feature
    raise TypeError(f"a feature is an atom or an integer, not {feature}")


# -- writing ------------------------------------------------------------------------------------


def write(value: Term) -> str:
    """Return a term as text, in its canonical form: equal terms have equal texts.

    >>> write(read("'firstElimination'( row:1 col:~3 'if':nil )"))
    "firstElimination(col:~3 'if':nil row:1)"
    """
    value = term(value)
    if isinstance(value, Record):
        return str(value)
    if isinstance(value, Name):
        return value.value
    if isinstance(value, Atom):
        return _quoted(value)
    return f"~{-value}" if value < 0 else f"{value}"


def _written(value: Record) -> str:
    """Write fields: positional if the features are 1 to n, else with every feature."""
    arity = value.arity
    if arity == list(range(1, len(arity) + 1)):
        fields = [write(value[feature]) for feature in arity]
    else:
        fields = [f"{write(term(feature))}:{write(value[feature])}" for feature in arity]
    return f"{_quoted(value.label)}({' '.join(fields)})"


_BARE = re.compile("[a-z][A-Za-z0-9_]*")
_SPECIAL = re.compile(r"['\\\x00-\x1f\x7f-\x9f]")
_LETTERS = {"\a": "a", "\b": "b", "\f": "f", "\n": "n", "\r": "r", "\t": "t", "\v": "v"}


def _quoted(text: str) -> str:
    """Write an atom, in quotes if it needs them."""
    if _BARE.fullmatch(text) and text not in KEYWORDS:
        return str(text)
    return f"'{_SPECIAL.sub(_escaped, text)}'"


def _escaped(found: re.Match[str]) -> str:
    char = found[0]
    return f"\\{_LETTERS.get(char, char)}" if char in _LETTERS or char in "'\\" else f"\\{ord(char):03o}"


# -- reading ------------------------------------------------------------------------------------

_BLANKS = re.compile(r"[ \t\n\v\f\r]*")
_INTEGER = re.compile(r"~?(?:0|[1-9][0-9]*)")
_ESCAPE = r"""\\(?:[abfnrtv\\'"`&]|[0-3][0-7]{2}|x[0-9A-Fa-f]{2})"""
# A quantifier that gives nothing back: a quote that is never closed is looked through once.
_QUOTE = re.compile(rf"'((?:[^'\\]|{_ESCAPE})*+)'")
_ESCAPES = re.compile(_ESCAPE)
_CHARACTERS = {letter: char for char, letter in _LETTERS.items()}
_NAMES = {name.value: name for name in Name}


def read(text: str) -> Term:
    """Parse a text as one term. Raise BadInput if it is none, or more than one.

    >>> write(read("f(b:c a 7:x d)"))
    'f(1:a 2:d 7:x b:c)'
    >>> read("move(f(1,2) t(2 2))")
    Traceback (most recent call last):
        ...
    touchline.core.errors.BadInput: character 9: a blank or a closing bracket was expected, at ','
    """
    if len(text) > MOST_CHARACTERS:
        raise BadInput(f"the text is longer than {MOST_CHARACTERS} characters")
    return _Reader(text).only()


class _Reader:
    """A parser: a text, and the position in it."""

    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0
        self._terms = 0
        self._bracketed = False

    def only(self) -> Term:
        self._blanks()
        value = self._term(0)
        self._blanks()
        if self._at < len(self._text):
            raise self._wrong("nothing can follow the term")
        return value

    def _term(self, depth: int) -> Term:
        self._terms += 1
        if self._terms > MOST_TERMS:
            raise self._wrong(f"more than {MOST_TERMS} terms")
        value = self._simple()
        if not self._is_at("("):
            return value
        if not isinstance(value, Atom):
            raise self._wrong(f"{write(value)} cannot be the label of a record")
        if depth == DEEPEST:
            raise self._wrong(f"more than {DEEPEST} records in each other")
        self._at += 1
        fields = self._fields(depth + 1)
        return Record(value, fields) if fields else value

    def _fields(self, depth: int) -> dict[int | str, Term | str]:
        """Read the rest of a record, after its opening bracket."""
        fields: dict[int | str, Term | str] = {}
        places = 0
        self._blanks()
        while not self._is_at(")"):
            start, value = self._at, self._term(depth)
            feature, apart = None, self._parted()
            if self._is_at(":"):
                feature = self._named(value, start)
                value = self._term(depth)
                apart = self._parted()
            if feature is None:
                places += 1
                feature = places
            if feature in fields:
                raise BadInput(f"the feature {write(term(feature))} comes twice", _where(start))
            fields[feature] = value
            if not apart and not self._is_at(")"):
                raise self._wrong("a blank or a closing bracket was expected")
        self._at += 1
        return fields

    def _named(self, value: Term, start: int) -> int | str:
        """Return the term before a colon as a feature, and go past the colon."""
        if not isinstance(value, int | Atom) or self._bracketed:
            raise BadInput("a feature is an atom or an integer", _where(start))
        self._at += 1
        self._blanks()
        return value

    def _parted(self) -> bool:
        """Skip blanks; return whether another field may follow, after blanks or a bracket."""
        end = self._at
        self._bracketed = self._text[end - 1] == ")"  # so it was a record, even if it had no fields
        self._blanks()
        return self._at > end or self._bracketed

    def _simple(self) -> int | Atom | Name:
        """Read an integer, a name, or an atom, which may be the label of a record."""
        text, at = self._text, self._at
        if found := _BARE.match(text, at):
            self._at = found.end()
            word = found[0]
            if word in _NAMES:
                return _NAMES[word]
            if word in KEYWORDS:
                raise BadInput(f"{word} is a keyword: as an atom it needs quotes", _where(at))
            return Atom(word)
        if found := _INTEGER.match(text, at):
            self._at = found.end()
            return self._integer(found[0], at)
        if found := _QUOTE.match(text, at):
            if len(found[1]) > LONGEST_ATOM:
                raise self._wrong(f"an atom of more than {LONGEST_ATOM} characters begins here")
            self._at = found.end()
            return Atom(_ESCAPES.sub(_unescaped, found[1]) if "\\" in found[1] else found[1])
        if self._is_at("'"):
            raise self._wrong("a quote that is never closed, or an escape that there is not, begins here")
        raise self._wrong("a term was expected")

    def _integer(self, digits: str, at: int) -> int:
        size = digits.lstrip("~")
        if len(size) > len(str(LARGEST)) or int(size) > LARGEST:
            raise BadInput(f"an integer beyond {LARGEST}", _where(at))
        return -int(size) if digits.startswith("~") else int(size)

    def _blanks(self) -> None:
        found = _BLANKS.match(self._text, self._at)
        assert found is not None
        self._at = found.end()

    def _is_at(self, char: str) -> bool:
        return self._text.startswith(char, self._at)

    def _wrong(self, what: str) -> BadInput:
        here = self._text[self._at : self._at + 1]
        return BadInput(f"{what}, at {repr(here) if here else 'the end'}", _where(self._at))


def _where(at: int) -> str:
    return f"character {at + 1}"


def _unescaped(found: re.Match[str]) -> str:
    escape = found[0][1:]
    if escape[0] == "x":
        return chr(int(escape[1:], 16))
    if escape[0].isdigit():
        return chr(int(escape, 8))
    return _CHARACTERS.get(escape, escape)
