"""An exception of a player as its author needs it: the frames in the player's own files, and one line.

Frames of Touchline, of Python's library and of installed packages are left out. An error in the file itself,
such as a syntax error, has no frame: its place is in the exception.
"""

from __future__ import annotations

import os
import traceback
from difflib import get_close_matches

from touchline.core.printable import printable
from touchline.core.text import clipped

MOST_LINE = 300
"""Characters of the line that says what went wrong."""
MOST_FRAMES = 5
"""Frames that are shown: the last ones, where the error was raised."""


def told_in_short(error: BaseException, path: str) -> str:
    """Return the player's own frames, if there are several, and the line that says what went wrong."""
    frames = _own_frames(error, path)
    lines = [_line(f"{_place(frame)}: {frame.line}") for frame in frames[-MOST_FRAMES:]]
    return "\n".join([*(lines if len(frames) > 1 else ()), in_one_line(error, path)])


def in_one_line(error: BaseException, path: str) -> str:
    """Return the place in the player's own file, the exception, and what to do about it if that is known."""
    what = _what(error)
    if isinstance(error, SyntaxError) and error.filename:
        text = f": `{error.text.strip()}`" if error.text and error.text.strip() else ""
        return _line(f"{os.path.basename(error.filename)}, line {error.lineno}: {what}{text}")
    frames = _own_frames(error, path)
    where = _place(frames[-1]) if frames else os.path.basename(path)
    return _line(f"{where}: {what}")


def _what(error: BaseException) -> str:
    """Return the exception, with Python's own suggestion, and what to do if a module is missing."""
    try:
        what = traceback.TracebackException.from_exception(error).format_exception_only()
        *_, last = [line for line in what if line.strip()]
        said = last.strip()
    except Exception:  # a player's exception may fail when it is turned into text
        return type(error).__name__
    if isinstance(error, AttributeError) and "Did you mean" not in said:
        return f"{said}{_meant(error)}"
    if isinstance(error, ModuleNotFoundError) and error.name:
        return f"{said}; is it spelt right, and installed (python -m pip install {error.name})?"
    return said


def _meant(error: AttributeError) -> str:
    """Return the attribute that was perhaps meant, in the words of later versions of Python."""
    near = get_close_matches(str(error.name), dir(error.obj), n=1) if error.name else []
    return f". Did you mean: '{near[0]}'?" if near else ""


def _own_frames(error: BaseException, path: str) -> list[traceback.FrameSummary]:
    """Return the frames in files of the player's folder, the one that raised the exception last."""
    folder = os.path.dirname(os.path.abspath(path))
    ours = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    return [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if os.path.abspath(frame.filename).startswith(f"{folder}{os.sep}")
        and not os.path.abspath(frame.filename).startswith(f"{ours}{os.sep}")
        and "site-packages" not in frame.filename
    ]


def _place(frame: traceback.FrameSummary) -> str:
    inside = f", in {frame.name}" if frame.name != "<module>" else ""
    return f"{os.path.basename(frame.filename)}, line {frame.lineno}{inside}"


def _line(text: str) -> str:
    return clipped(printable(text), MOST_LINE)
