"""Say in words why a frame cannot be read: what was received, what is wrong with it, what was expected.

Law of this file: the frame comes from a player, so what is quoted of it is cut and made printable.
"""

from __future__ import annotations

import re

import msgspec

from touchline.core.printable import MOST_QUOTED, printable, quoted

MOST_REASON = 400
"""Characters of a reason, with what is quoted in it."""
NOT_JSON = (msgspec.DecodeError, UnicodeError, RecursionError)
_WRONG_TYPE = re.compile(r"Expected `([^`]+)`([^,`]*?)(?:, got `?([^`]+)`?)?(?: - at `\$(.*)`)?")
_MISSING = re.compile(r"Object missing required field `([^`]+)`(?: - at `\$(.*)`)?")
_VALUE = re.compile(r"Invalid (?:enum )?value (.+?)(?: - at `\$(.*)`)?", re.DOTALL)
_KINDS = {
    "object": "an object",
    "array": "an array",
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "bool": "true or false",
    "null": "null",
}
"""JSON's types, as `a ...`."""


def misread(error: Exception, frame: bytes, expected: str = "") -> str:
    """Return what is wrong with a frame that should be JSON; `expected` says what was asked for.

    >>> misread(ValueError(), b"debug 3")
    '`debug 3` is not JSON. Did you print it to stdout? The protocol is there: print to stderr'
    >>> misread(msgspec.ValidationError("Object missing required field `turn`"), b'{"type":"act"}')
    'received `{"type":"act"}`: it has no field "turn"'
    """
    after = f"; {expected}" if expected else ""
    if (why := _not_json(frame)) is not None:
        return f"{quoted(frame)} {why}"[:MOST_REASON]
    return f"received {quoted(frame)}: {in_words(str(error))}{after}"[:MOST_REASON]


def _not_json(frame: bytes) -> str | None:
    """Return why a frame is not JSON, and what to do; None if it is."""
    try:
        msgspec.json.decode(frame)
    except NOT_JSON as error:
        said = str(error)
    else:
        return None
    if frame.startswith((b"{'", b"['")):
        return "is not JSON: texts stand in double quotes. In Python, write it with json.dumps"
    if "truncated" in said and frame[:1] in (b"{", b"["):
        return "ends too early: write the whole answer on one line"
    if "trailing" in said:
        return "is more than one JSON value: write each answer on a line of its own"
    return "is not JSON. Did you print it to stdout? The protocol is there: print to stderr"


def in_words(error: str) -> str:
    """Return the message of a failed validation in plain words.

    >>> in_words("Expected `object`, got `null` - at `$.move`")
    'move is null, and must be an object'
    >>> in_words("Expected `int` >= 0 - at `$.turn`"), in_words("Expected `array` of length 2, got 3")
    ('turn must be a whole number >= 0', 'it must be an array of length 2, not 3')
    >>> in_words("Invalid value 'move' - at `$.type`"), in_words("Object missing required field `from`")
    ('type is "move", which is not known', 'it has no field "from"')
    """
    if found := _WRONG_TYPE.fullmatch(error):
        kind, more, got, path = found.groups()
        wanted = " or ".join(_KINDS.get(part.strip(), part.strip()) for part in kind.split("|")) + more
        if got is None or got.isdigit():
            return f"{_at(path)} must be {wanted}{f', not {got}' if got else ''}"
        return f"{_at(path)} is {_KINDS.get(got, got)}, and must be {wanted}"
    if found := _MISSING.fullmatch(error):
        return f'{_at(found[2])} has no field "{found[1]}"'
    if found := _VALUE.fullmatch(error):
        value = printable(found[1].strip("'"))[:MOST_QUOTED]
        return f'{_at(found[2])} is "{value}", which is not known'
    return printable(error)[: 2 * MOST_QUOTED]


def _at(path: str | None) -> str:
    return (path or "").lstrip(".") or "it"
