r"""Find in the stderr output of a program that has ended the one line that says why.

Interpreters write a stack trace around that line: Python writes it last, Node in the middle, and the place in
the player's own file is on yet another line. Laws of this file: what it returns was written by the program,
so it is cut and made printable; of a path only the file's name is kept.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from touchline.core.printable import printable
from touchline.core.text import clipped

MOST_LINE = 300
"""Characters of the line that are kept."""
MOST_READ = 8 << 10
"""Characters of stderr that are searched, from the end: enough for a stack trace, and quickly searched."""

_INSTALLED = re.compile(r"<frozen |<string>|/lib/python3|site-packages|^node:|/node_modules/")
"""Places that are not the player's own file."""
_PYTHON_FRAME = re.compile(r'^\s*File "([^"\n]+)", line (\d+)(?:, in (.+))?$', re.MULTILINE)
_PYTHON_ERROR = re.compile(r"^[A-Za-z_][\w.]*(?::.*)?$")
_NODE_ERROR = re.compile(r"^(?:Uncaught )?[A-Z]\w*(?:Error|Exception)?(?: \[\w+\])?: .+$", re.MULTILINE)
_NODE_FRAME = re.compile(r"^    at (?:.* \()?(?:file://)?([^():\n]+):(\d+):\d+\)?$", re.MULTILINE)
_NODE_HEAD = re.compile(r"^(?:file://)?(/[^:\n]+|node:[\w/]+):(\d+)$", re.MULTILINE)
_NODE_THROWN = re.compile(r"^(.+)\n\(Use `node --trace-uncaught", re.MULTILINE)
_NODE_MISSING = re.compile(r"Cannot find module '([^./'][^']*)'")
_NODE_END = re.compile(r"^Node\.js v\d+\S*$", re.MULTILINE)
_JAVA_ERROR = re.compile(r'^Exception in thread "[^"\n]*" (.+)$', re.MULTILINE)
_JAVA_FRAME = re.compile(r"^\s+at (?!java\.|jdk\.|sun\.)[\w.$<>]+\((\w+\.java):(\d+)\)$", re.MULTILINE)
_RUST = re.compile(r"panicked at (?:'(.*)', )?([^\s:]+\.rs):(\d+):\d+:?(?:\n(.+))?")
_GO_ERROR = re.compile(r"^panic: (.+)$", re.MULTILINE)
_GO_FRAME = re.compile(r"^\t(?!\S*/runtime/)(\S+\.go):(\d+)", re.MULTILINE)


class Crash(NamedTuple):
    """How a program says it has failed."""

    line: str
    """The line that says why, with the file and the line number where those are known."""
    rest: str
    """The other output, without the stack trace."""


def crash_of(stderr: str) -> Crash | None:
    """Return why a program has failed, by its own words; None if it wrote nothing.

    >>> trace = '  File "/home/ann/bot.py", line 7, in choose\\n    1 / 0\\nZeroDivisionError: by zero\\n'
    >>> crash_of("hi\\nTraceback (most recent call last):\\n" + trace)
    Crash(line='bot.py, line 7, in choose: ZeroDivisionError: by zero', rest='hi')
    >>> crash_of("thinking\\nout of ideas\\n")
    Crash(line='out of ideas', rest='thinking')
    """
    text = stderr[-MOST_READ:].replace("\r\n", "\n").strip("\n")
    if not text.strip():
        return None
    for read in (_python, _node, _java, _rust, _go):
        if (crash := read(text)) is not None:
            return Crash(clipped(printable(crash.line.strip()), MOST_LINE), crash.rest.strip("\n"))
    rest, _, last = text.rstrip().rpartition("\n")
    return Crash(clipped(printable(last.strip()), MOST_LINE), rest)


def not_told(stderr: str, reason: str) -> str:
    """Return what a program wrote to stderr, without the line that its reason has, and its stack trace.

    >>> not_told("depth 3\\nno memory\\n", "exited with 1: no memory")
    'depth 3'
    """
    crash = crash_of(stderr)
    if crash is None or crash.line not in reason:
        return stderr.strip("\n")
    return crash.rest


def _place(path: str, number: str) -> str:
    return f"{path.rpartition('/')[2]}, line {number}"


def _own(frames: list[re.Match[str]]) -> list[re.Match[str]]:
    """Return the frames of the player's own files; all of them if there are none."""
    return [frame for frame in frames if not _INSTALLED.search(frame[1])] or frames


def _python(text: str) -> Crash | None:
    """Read the traceback of a Python program, which ends the text."""
    frames, last = list(_PYTHON_FRAME.finditer(text)), text.rstrip().rpartition("\n")[2]
    if not frames or not _PYTHON_ERROR.match(last):
        return None
    frame = _own(frames)[-1]
    where = f", in {frame[3]}" if frame[3] and frame[3] != "<module>" else ""
    head = text.rfind("Traceback (most recent call last):")
    begin = head if 0 <= head < frames[-1].start() else frames[-1].start()
    return Crash(f"{_place(frame[1], frame[2])}{where}: {last}", text[:begin])


def _node(text: str) -> Crash | None:
    """Read the report of Node about an error that was not caught."""
    if not _NODE_END.search(text):
        return None
    heads = list(_NODE_HEAD.finditer(text))
    error = _NODE_ERROR.search(text, heads[-1].end() if heads else 0)
    own = [frame for frame in _NODE_FRAME.finditer(text) if not _INSTALLED.search(frame[1])]
    places = own or [head for head in heads if not _INSTALLED.search(head[1])][-1:]
    thrown = _NODE_THROWN.search(text) if error is None else None
    said = error[0] if error else thrown[1] if thrown else "it threw something that is no Error"
    where = f"{_place(places[0][1], places[0][2])}: " if places else ""
    if missing := _NODE_MISSING.search(said):
        said += f"; is it spelt right, and installed (npm install {missing[1]})?"
    return Crash(f"{where}{said}", text[: heads[-1].start()] if heads else "")


def _java(text: str) -> Crash | None:
    error, frame = _JAVA_ERROR.search(text), _JAVA_FRAME.search(text)
    if error is None:
        return None
    where = "" if frame is None else f"{_place(frame[1], frame[2])}: "
    return Crash(f"{where}{error[1]}", text[: error.start()])


def _rust(text: str) -> Crash | None:
    found = _RUST.search(text)
    if found is None:
        return None
    begin = text.rfind("\n", 0, found.start()) + 1
    return Crash(f"{_place(found[2], found[3])}: {found[1] or found[4] or 'panicked'}", text[:begin])


def _go(text: str) -> Crash | None:
    error, frame = _GO_ERROR.search(text), _GO_FRAME.search(text)
    if error is None or frame is None:
        return None
    return Crash(f"{_place(frame[1], frame[2])}: {error[1]}", text[: error.start()])
