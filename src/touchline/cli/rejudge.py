"""`touchline rejudge RECORD...`: judge recorded matches again, and list the verdicts that change."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from touchline.cli._options import emit, json_option
from touchline.cli._terminal import echo
from touchline.cli.main import CONTEXT

if TYPE_CHECKING:
    from touchline.cli._rejudge_report import Judged
    from touchline.core.conduct import Conduct
    from touchline.records.replay import Replay


@click.command(
    context_settings=CONTEXT,
    epilog="""\b
Examples:
  touchline rejudge match.jsonl --conduct seed-001
  touchline rejudge matches/ --conduct mild.toml
  touchline rejudge matches/ --seconds 2 --json | jq .totals
  touchline rejudge matches/ --reread --fail-on-change""",
)
@click.argument("records", nargs=-1, required=True, metavar="RECORD...")
@click.option("--conduct", metavar="NAME", help="The name of another conduct, or a TOML file.")
@click.option(
    "--seconds", type=click.FloatRange(0, 1_000_000, min_open=True), help="Other seconds for a move."
)
@click.option("--reread", is_flag=True, help="Read the raw messages again, as this version reads them.")
@click.option("--fail-on-change", is_flag=True, help="Exit with code 4 if a verdict or a reading changes.")
@json_option
def command(
    records: tuple[str, ...],
    conduct: str | None,
    seconds: float | None,
    reread: bool,
    fail_on_change: bool,
    as_json: bool,
) -> int:
    """Judge recorded matches again, under another conduct, and list the verdicts that change.

    RECORD is a file of one or more records, a folder of such files, or - for standard input. The players'
    answers are those of the record. They count for as long as the players would have been told the same; then
    the match diverges, and what would have followed is not known.

    The exit code is 0 whether verdicts change or not, or 4 with --fail-on-change; 2 if a record is damaged,
    and then the others are judged all the same.
    """
    from touchline.cli._record_files import read_records
    from touchline.cli._rejudge_report import Judged, record_json, report, totals
    from touchline.conducts.base import conduct_of
    from touchline.core.errors import BadOptions, TouchlineError

    if conduct is None and seconds is None and not reread:
        raise BadOptions("say what is different: --conduct, --seconds or --reread")
    terms = None if conduct is None else conduct_of(conduct)
    judged, damaged = list[Judged](), list[dict[str, str]]()
    for name, record in read_records(records):
        try:
            if isinstance(record, TouchlineError):
                raise record
            judged.append(_judged(name, record, terms, seconds, reread=reread))
        except TouchlineError as error:
            damaged.append({"record": name, "error": str(error)})
            echo(f"Error: {error}", err=True)
    if as_json:
        found = [record_json(one) for one in judged]
        emit({"records": found, "damaged": damaged, "totals": totals(judged, len(damaged))})
    else:
        for line in report(judged):
            echo(line)
    if damaged:
        return 2
    return 4 if fail_on_change and any(one.changed for one in judged) else 0


def _judged(
    name: str, replay: Replay, conduct: Conduct | None, seconds: float | None, *, reread: bool
) -> Judged:
    from msgspec.structs import replace

    from touchline.cli._rejudge_report import Judged
    from touchline.core.clock import micros
    from touchline.records.rejudge import rejudge
    from touchline.records.reread import reread as read_again

    limits = replay.begun.limits
    if seconds is not None:
        limits = replace(limits, clock=replace(limits.clock, per_move=micros(seconds)))
    rereading = read_again(replay) if reread else None
    again = rejudge(replay, conduct=conduct, limits=limits, rereading=rereading)
    return Judged(name, replay.begun, again, rereading)
