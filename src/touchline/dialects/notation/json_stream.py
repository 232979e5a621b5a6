"""A stream of JSON values, one after another, as the courses' programs exchange them.

Law of this file: whatever comes in, what goes out is values, or one `BadInput` that says what and where.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, TypeVar, overload

import msgspec

from touchline.core.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T")

MOST_BYTES = 16 << 20
"""The size limit of the input in bytes."""
_BLANKS = re.compile(r"[ \t\r\n]*")


def values(data: bytes) -> list[Any]:
    """Return the JSON values of a stream.

    >>> values(b'"a" [1]{}')
    ['a', [1], {}]
    """
    if len(data) > MOST_BYTES:
        raise BadInput(f"the input is longer than {MOST_BYTES >> 20} MiB")
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise BadInput(f"not UTF-8 text: {error.reason}", f"byte {error.start}") from None
    decoder = json.JSONDecoder(parse_constant=_no_constant)
    found: list[Any] = []
    at = _past_blanks(text, 0)
    while at < len(text):
        try:
            value, at = decoder.raw_decode(text, at)
        except json.JSONDecodeError as error:
            raise BadInput(f"not JSON: {error.msg}", f"line {error.lineno}, column {error.colno}") from None
        except (RecursionError, ValueError) as error:
            reason = "nested too deeply" if isinstance(error, RecursionError) else str(error)
            raise BadInput(f"not JSON: {reason}", f"value {len(found) + 1}") from None
        found.append(value)
        at = _past_blanks(text, at)
    return found


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no number")


def _past_blanks(text: str, at: int) -> int:
    blanks = _BLANKS.match(text, at)
    assert blanks is not None
    return blanks.end()


def arguments(data: bytes, names: Sequence[str]) -> list[Any]:
    """Return exactly as many values as there are names for them."""
    found = values(data)
    if len(found) < len(names):
        wanted = names[len(found)]
        raise BadInput(f"missing: {wanted} (value {len(found) + 1} of {len(names)})", "end of input")
    if len(found) > len(names):
        raise BadInput(f"there is more than {', '.join(names)}", f"value {len(names) + 1}")
    return found


@overload
def shaped(value: Any, shape: type[T], name: str) -> T: ...
@overload
def shaped(value: Any, shape: Any, name: str) -> Any: ...
def shaped(value: Any, shape: Any, name: str) -> Any:
    """Convert a value to a struct; fields that the struct does not have are ignored."""
    try:
        return msgspec.convert(value, shape)
    except (msgspec.ValidationError, UnicodeError, RecursionError) as error:
        what, _, path = str(error).partition(" - at `")
        raise BadInput(what, path.rstrip("`").replace("$", name, 1) or name) from None
