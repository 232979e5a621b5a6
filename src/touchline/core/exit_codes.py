"""The exit codes of `touchline`. Each has one meaning; a test compares the documentation with this table."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """How a command ended.

    >>> ExitCode.USAGE.value, ExitCode.USAGE.meaning
    (2, 'wrong usage or input')
    """

    meaning: str
    """When a command exits with this code."""

    def __new__(cls, value: int, meaning: str) -> ExitCode:
        code = int.__new__(cls, value)
        code._value_ = value
        code.meaning = meaning
        return code

    DONE = 0, "done"
    OURS = 1, "our own failure: an internal error, or the output or a record could not be written"
    USAGE = 2, "wrong usage or input"
    FAULT = (
        3,
        "a player was at fault (`play --strict`, `shrink --strict`, `tournament check`, `course` clients)",
    )
    FAILED = (
        4,
        "the answer is no: a check failed, a record or ledger is damaged, a verdict changed, "
        "a version is not better",
    )
    UNDECIDED = 5, "not finished or not decided yet; a submission is not graded"
    INTERRUPTED = 130, "interrupted (Ctrl-C)"
    PIPE_CLOSED = 141, "the reader of our output has exited, as `head` does"
