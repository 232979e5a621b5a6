"""`touchline doctor`: what works on this machine, what is missing, and what mends it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from touchline.cli._options import emit, json_option
from touchline.cli._terminal import echo

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from touchline.cli._diagnosis import Check, Finding

LACKING = 4
"""The exit code if something that is needed does not work."""


@click.command(
    epilog="""\b
Examples:
  touchline doctor
  touchline doctor A B bubblewrap            check only these
  touchline doctor --need A,wasm             exit with 4 if one of these does not work
  touchline doctor --json | jq '.checks[] | select(.status != "ok") | .fix'"""
)
@click.argument("check", nargs=-1)
@click.option("--need", "needs", multiple=True, metavar="CHECK,...", help="Checks that must succeed.")
@json_option
@click.pass_context
def command(ctx: click.Context, check: tuple[str, ...], needs: tuple[str, ...], as_json: bool) -> None:
    """Check what works on this machine: isolation, optional libraries, limits; say how to mend the rest.

    CHECK names the checks to run; all are run if none is given. The exit code is 4 if neither isolation A nor
    B works, in which the programs of others may run, or if a check that --need names does not succeed.
    """
    from touchline.cli._diagnosis import examine, lacking, select
    from touchline.cli._library_checks import library_checks
    from touchline.cli._machine_checks import machine_checks

    known = [*machine_checks(), *library_checks()]
    needed = [name.strip() for names in needs for name in names.split(",") if name.strip()]
    select(known, needed)
    checks = select(known, {*check, *needed} if check else ())
    findings = examine(checks)
    lost = lacking(findings, needed)
    if as_json:
        _emit(checks, findings, lost)
    else:
        _print(checks, findings, lost)
    ctx.exit(LACKING if lost else 0)


def _emit(checks: Sequence[Check], findings: Mapping[str, Finding], lost: Sequence[str]) -> None:
    rows = []
    for check in checks:
        found = findings[check.name]
        row = {"name": check.name, "use": check.use, "status": found.status, "detail": found.detail}
        rows.append(row | ({"fix": found.fix} if found.fix else {}))
    emit({"ok": not lost, "lacking": list(lost), "checks": rows})


def _print(checks: Sequence[Check], findings: Mapping[str, Finding], lost: Sequence[str]) -> None:
    from touchline.cli._diagnosis import WORDS

    for check in checks:
        found = findings[check.name]
        echo(f"{check.name:<12} {WORDS[found.status]:<14} {found.detail}")
        if found.fix:
            echo(f"{'':<12} {'for ' + check.use}")
            echo(f"{'':<12} mend it: {found.fix}")
    if lost:
        echo(f"needed, and does not work: {', '.join(lost)}", err=True)
