"""What a check of this machine finds, and what must work.

Law of this package's checks: what can be tried is tried, not guessed from a version; a check never raises.
"""

from __future__ import annotations

import concurrent.futures
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, TypeAlias

from msgspec import Struct

from touchline.core.errors import BadOptions

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

Status: TypeAlias = Literal["ok", "missing", "broken"]
WORDS: dict[Status, str] = {"ok": "ok", "missing": "missing", "broken": "does not work"}
STRONG = ("A", "B")
"""The tiers of isolation of which one must work, because others' programs run in nothing less."""


class Finding(Struct, frozen=True):
    """The result of one check: whether it works, details or the reason, and what mends it."""

    status: Status
    detail: str
    fix: str = ""


class Check(Struct, frozen=True):
    """One thing to check: what it is for, and how."""

    name: str
    use: str
    run: Callable[[], Finding]


def ok(detail: str) -> Finding:
    return Finding("ok", detail)


def examine(checks: Sequence[Check]) -> dict[str, Finding]:
    """Run the checks, several at a time because most wait for a process; return what each found."""
    with concurrent.futures.ThreadPoolExecutor(max_workers=4) as pool:
        return dict(zip([check.name for check in checks], pool.map(_found, checks), strict=True))


def _found(check: Check) -> Finding:
    try:
        return check.run()
    except Exception as error:
        return Finding("broken", f"the check failed: {type(error).__name__}: {error}", "report this as a bug")


def select(checks: Sequence[Check], names: Iterable[str]) -> list[Check]:
    """Return the checks of these names, or all if no name is given. BadOptions for an unknown name."""
    wanted = set(names)
    known = [check.name for check in checks]
    if unknown := sorted(wanted.difference(known)):
        raise BadOptions(f"there is no check {unknown[0]!r}; there are: {', '.join(known)}")
    return [check for check in checks if not wanted or check.name in wanted]


def lacking(findings: Mapping[str, Finding], needs: Iterable[str]) -> list[str]:
    """Return what is needed and does not work, as words for people.

    One of the strong tiers of isolation is always needed, if both were checked.
    """
    lost = [name for name in needs if findings[name].status != "ok"]
    if all(name in findings and findings[name].status != "ok" for name in STRONG):
        lost.append("isolation A or B")
    return lost
