"""Say why an answer did not come in time, as far as it can be seen from outside.

What a program has read, written and used of the processor tells a slow search from an answer that lies in a
buffer. Law of this file: it states what is so, and asks where it can only guess.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from msgspec import UNSET, UnsetType

from touchline.core.printable import quoted

if TYPE_CHECKING:
    from touchline.core.clock import Micros
    from touchline.players.progress import Progress

Phase: TypeAlias = Literal["ready", "move", "goal"]
"""What a seat is asked: whether it is ready, for a move, or whether it knows its next goal."""
HEADS: dict[Phase, str] = {
    "ready": "not ready within",
    "move": "no move within",
    "goal": "did not confirm its goal within",
}


def lateness(
    phase: Phase,
    allowed: Micros,
    cpu: Micros | UnsetType = UNSET,
    progress: Progress | None = None,
    *,
    starved: bool = False,
) -> str:
    """Return the reason of a late answer: the limit, and what is known of the program, if it is ours.

    >>> from touchline.players.progress import Progress
    >>> lateness("move", 2_000_000)
    'no move within 2 s'
    >>> lateness("move", 2_000_000, 1_940_000, Progress(0, computes=True))
    'no move within 2 s; it still computes (1.9 s of processor time): a loop without end, or a long search?'
    >>> lateness("ready", 10_000_000, 30_000, Progress(0, b'{"type":"ready"}'))
    'not ready within 10 s; it wrote `{"type":"ready"}` without a newline: end each answer with one'
    """
    head = f"{HEADS[phase]} {round(allowed / 1e6, 2):g} s"
    if starved:
        return f"{head}, because the machine was busy{_used(cpu)}"
    return head if progress is None else f"{head}; {seen(progress, cpu, starting=phase == 'ready')}"


def _used(cpu: Micros | UnsetType) -> str:
    return "" if cpu is UNSET else f" ({cpu / 1e6:.1f} s of processor time)"


def seen(progress: Progress, cpu: Micros | UnsetType = UNSET, *, starting: bool = False) -> str:
    """Return what was seen of a program that is late, and what it may mean."""
    used = _used(cpu)
    if progress.unfinished:
        return f"it wrote {quoted(progress.unfinished)} without a newline: end each answer with one"
    if progress.unread:
        what = "its first message" if starting else "the question"
        doing = f"it still computes{used}" if progress.computes else f"it waits{used}"
        guess = "start faster, or allow more set-up time" if starting else "does it read its stdin?"
        return f"{doing}, and has not read {what}: {guess}"
    if progress.computes:
        return f"it still computes{used}: a loop without end, or a long search?"
    after = f" {progress.expected[:1].upper()}{progress.expected[1:]}" if progress.expected else ""
    return f"it waits{used}, and has read what it was sent: for more input? Is its answer not flushed?{after}"
