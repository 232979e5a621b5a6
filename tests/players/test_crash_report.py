"""The line of a program's stderr that says why it failed, for each runtime that writes a stack trace."""

from __future__ import annotations

import pytest

from touchline.players.crash_report import MOST_LINE, crash_of

PYTHON = """\
Traceback (most recent call last):
  File "/home/ann/bot.py", line 30, in <module>
    main()
  File "/home/ann/bot.py", line 12, in main
    json.loads(line)
  File "/usr/lib/python3.11/json/decoder.py", line 337, in decode
    obj, end = self.raw_decode(s)
json.decoder.JSONDecodeError: Expecting value: line 1
"""
NODE = """\
/home/ann/bot.js:2
function f(v){ return v.a.b; }
                          ^

TypeError: Cannot read properties of undefined (reading 'b')
    at f (/home/ann/bot.js:2:27)
    at Object.<anonymous> (/home/ann/bot.js:3:1)
    at Module._compile (node:internal/modules/cjs/loader:1521:14)

Node.js v20.20.2
"""
NODE_MODULE = """\
node:internal/modules/cjs/loader:1210
  throw err;
  ^

Error: Cannot find module 'nope'
Require stack:
- /home/ann/b.js
    at Module._resolveFilename (node:internal/modules/cjs/loader:1207:15)
    at Object.<anonymous> (/home/ann/b.js:1:9)
  code: 'MODULE_NOT_FOUND',
}

Node.js v20.20.2
"""
NODE_SYNTAX = """\
file:///home/ann/c.mjs:4
  if (


SyntaxError: Unexpected end of input
    at wrapSafe (node:internal/modules/cjs/loader:1464:18)

Node.js v20.20.2
"""
NODE_TEXT = """\
/home/ann/d.js:1
throw "text";
^
text
(Use `node --trace-uncaught ...` to show where the exception was thrown)

Node.js v20.20.2
"""
JAVA = """\
Exception in thread "main" java.lang.ArithmeticException: / by zero
\tat java.base/java.lang.Math.floorDiv(Math.java:1200)
\tat Bot.choose(Bot.java:12)
\tat Bot.main(Bot.java:5)
"""
RUST = """\
thread 'main' panicked at src/main.rs:7:5:
index out of bounds: the len is 0 but the index is 0
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
"""
OLD_RUST = "thread 'main' panicked at 'no move', src/main.rs:7:5\n"
GO = """\
panic: runtime error: index out of range [0] with length 0

goroutine 1 [running]:
main.choose(...)
\t/home/ann/bot/main.go:12
main.main()
\t/home/ann/bot/main.go:30 +0x1d
exit status 2
"""
EXPECTED = [
    (PYTHON, "bot.py, line 12, in main: json.decoder.JSONDecodeError: Expecting value: line 1"),
    (NODE, "bot.js, line 2: TypeError: Cannot read properties of undefined (reading 'b')"),
    (NODE_MODULE, "b.js, line 1: Error: Cannot find module 'nope'; is it spelt right, and installed (npm "
     "install nope)?"),
    (NODE_SYNTAX, "c.mjs, line 4: SyntaxError: Unexpected end of input"),
    (NODE_TEXT, "d.js, line 1: text"),
    (JAVA, "Bot.java, line 12: java.lang.ArithmeticException: / by zero"),
    (RUST, "main.rs, line 7: index out of bounds: the len is 0 but the index is 0"),
    (OLD_RUST, "main.rs, line 7: no move"),
    (GO, "main.go, line 12: runtime error: index out of range [0] with length 0"),
    ("bot: bot.c:7: main: Assertion `0' failed.\n", "bot: bot.c:7: main: Assertion `0' failed."),
]  # fmt: skip


@pytest.mark.parametrize(("stderr", "line"), EXPECTED)
def test_the_line_is_found_with_its_place(stderr: str, line: str) -> None:
    """The cause, the file and the line stand in one line; the stack trace is not part of the rest."""
    found = crash_of(f"depth 3\n{stderr}")
    assert found is not None
    assert (found.line, found.rest) == (line, "depth 3")


def test_silence_has_no_line() -> None:
    """A program that wrote nothing, or only blanks, did not say why."""
    assert crash_of("") is None
    assert crash_of("\n  \n") is None


def test_what_a_program_writes_is_cut_and_printable() -> None:
    """An escape sequence reaches no terminal, and a long line no report."""
    found = crash_of("\x1b[2J" + "x" * 10_000)
    assert found is not None
    assert len(found.line) <= MOST_LINE
    assert found.line.isprintable()
