"""The fenced blocks of a Markdown page, and the commands in them."""

from __future__ import annotations

import re
from typing import NamedTuple

_FENCE = re.compile(r"^(?P<indent> *)(?P<fence>`{3,}|~{3,})(?P<info>[^`]*)$")
_OPTION = re.compile(r"^:(?P<key>[\w-]+):\s*(?P<value>.*)$")
_NOT_RUN = re.compile(r"^<!-- not run: (?P<why>.+?) -->$")
_NEEDS = re.compile(r"^<!-- needs: (?P<path>[\w./-]+) -->$", re.MULTILINE)
_EXIT = re.compile(r"#\s*exit (\d+)\b")
_BACKGROUND = re.compile(r"(?<!&)&\s*(#.*)?$")


class Block(NamedTuple):
    """A fenced block."""

    language: str
    """The word after the fence; of a directive the directive in braces."""
    argument: str
    """What follows the directive, such as the language of a code block."""
    caption: str
    """The name of the file that the block is, or empty."""
    text: str
    line: int
    """The line of the page on which its text begins."""
    not_run: str
    """Why it is not run; empty if it is."""


class Command(NamedTuple):
    """A command of a console block."""

    text: str
    expected: str
    """What it prints, with `...` for anything; empty: anything."""
    exit_code: int
    background: bool
    line: int


def blocks(text: str) -> list[Block]:
    """Return the blocks of a page.

    >>> [(block.language, block.text) for block in blocks("# A\\n```json\\n{}\\n```\\n")]
    [('json', '{}\\n')]
    """
    lines, found, at = text.splitlines(), [], 0
    while at < len(lines):
        opening = _FENCE.match(lines[at])
        if opening is None:
            at += 1
            continue
        end = _end(lines, at, opening["fence"])
        width = len(opening["indent"])
        found.append(
            _block(
                opening["info"].strip(), [line[width:] for line in lines[at + 1 : end]], at + 2, lines[:at]
            )
        )
        at = end + 1
    return found


def _end(lines: list[str], start: int, fence: str) -> int:
    for at in range(start + 1, len(lines)):
        closing = lines[at].strip()
        if closing.startswith(fence) and not closing.strip(fence[0]):
            return at
    raise ValueError(f"line {start + 1}: the block has no end")


def _block(info: str, body: list[str], line: int, before: list[str]) -> Block:
    language, _, argument = info.partition(" ")
    options: dict[str, str] = {}
    if language.startswith("{"):
        while body and (option := _OPTION.match(body[0])):
            options[option["key"]] = option["value"].strip()
            body, line = body[1:], line + 1
        while body and not body[0].strip():
            body, line = body[1:], line + 1
    said = next((text.strip() for text in reversed(before) if text.strip()), "")
    skipped = _NOT_RUN.match(said)
    text = "".join(f"{one}\n" for one in body)
    return Block(
        language, argument.strip(), options.get("caption", ""), text, line, skipped["why"] if skipped else ""
    )


def needs(text: str) -> list[str]:
    """Return the files and folders of the repository that a page wants beside it."""
    return _NEEDS.findall(text)


def commands(block: Block) -> list[Command]:
    r"""Return the commands of a console block, each with what it prints.

    >>> block = blocks("```console\n$ echo a &&\\\n  false   # exit 1\na\n$ true\n```")[0]
    >>> [(command.exit_code, command.expected) for command in commands(block)]
    [(1, 'a\n'), (0, '')]
    """
    found: list[tuple[list[str], list[str], int]] = []
    for number, line in enumerate(block.text.splitlines(), block.line):
        if line.startswith("$ "):
            found.append(([line[2:]], [], number))
        elif found and not found[-1][1] and found[-1][0][-1].rstrip().endswith("\\"):
            found[-1][0].append(line.removeprefix("> "))
        elif found:
            found[-1][1].append(line)
        elif line.strip():
            raise ValueError(f"line {number}: a console block begins with a command: $ ...")
    return [_command("\n".join(words), output, line) for words, output, line in found]


def _command(text: str, output: list[str], line: int) -> Command:
    code = _EXIT.search(text)
    while output and not output[-1].strip():
        output.pop()
    expected = "".join(f"{one}\n" for one in output)
    return Command(text, expected, int(code[1]) if code else 0, bool(_BACKGROUND.search(text)), line)
