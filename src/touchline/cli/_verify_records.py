"""`touchline replay verify`: verify records, and say what was shown and what was not checked."""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from touchline.cli._options import emit, json_option
from touchline.cli.main import CONTEXT
from touchline.core.errors import BadOptions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from touchline.records.module_rerun import Given
    from touchline.records.verification import Verification
    from touchline.records.verify_many import Checked, Worker

MOST_WRONG = 100
"""Lines about wrong records that are printed; the summary counts all of them."""


wasm_option = click.option(
    "--wasm",
    multiple=True,
    metavar="[SEAT=]FILE",
    help="Run this WebAssembly module again in its seat, and compare its answers and its fuel.",
)


@click.command(
    context_settings=CONTEXT,
    epilog="""\b
Examples:
  touchline replay verify match.jsonl
  touchline replay verify match.jsonl --digest 5f1c0a...
  touchline replay verify matches/ --key ann.key.pub
  touchline replay verify match.jsonl --wasm bot.wasm
  touchline replay verify match.jsonl --wasm 0=bot.wasm --wasm 1=other.wasm
  touchline replay verify match.jsonl --json | jq .follows""",
)
@click.argument(
    "files", nargs=-1, required=True, metavar="FILE|FOLDER...", type=click.Path(exists=True, allow_dash=True)
)
@click.option("--digest", metavar="HEX", help="Compare with this published digest; for one record.")
@click.option("--key", metavar="PUB", help="Check that this key signed: 64 hex digits, or a key file.")
@wasm_option
@json_option
def verify(
    files: Sequence[str], digest: str | None, key: str | None, wasm: Sequence[str], as_json: bool
) -> int:
    """Verify records: replay each match, and say in three words what was shown.

    \b
    follows  rules, referee and conduct give these events from what was said
    sealed   names, times and every other byte are as under the known digest or key
    signed   by the holder of the key that you gave

    A folder stands for its files *.jsonl, and a file may have many records. The exit code is 0 if all that
    was checked holds, 4 if something is wrong or cannot be read, and 5 if nothing is wrong, but a match did
    not end.
    """
    return verify_records(files, digest=digest, key=key, wasm=wasm, as_json=as_json)


def are_records(path: str) -> bool:
    """Return whether `touchline verify PATH` means records: a folder, or a file called *.jsonl."""
    return path.endswith(".jsonl") or Path(path).is_dir()


def verify_records(
    files: Sequence[str], *, digest: str | None, key: str | None, wasm: Sequence[str] = (), as_json: bool
) -> int:
    """Verify the records in files and folders, print what was shown, and return the exit code."""
    from touchline.records.verify_many import Worker

    worker = Worker(_checked_digest(digest), _public(key), tuple(map(given_module, wasm)))
    checked = list(_with_progress(files, worker))
    if digest is not None and len(checked) != 1:
        raise BadOptions(f"--digest is that of one record, and these are {len(checked)}")
    if len(checked) == 1:
        _print_one(checked[0].where, checked[0].found, as_json=as_json)
    else:
        _print_many(checked, as_json=as_json)
    return _exit_code([one.found for one in checked])


def _checked_digest(digest: str | None) -> str | None:
    if digest is not None and not re.fullmatch("[0-9A-Fa-f]{64}", digest):
        raise BadOptions(f"--digest must be 64 hex digits, not {digest!r}")
    return digest


def given_module(word: str) -> Given:
    """Return the module of `--wasm FILE` or `--wasm SEAT=FILE`. BadOptions if it cannot be run."""
    from touchline.players.wasm import digest_of, problem
    from touchline.records.module_rerun import Given

    seat, equals, path = word.partition("=")
    seated = bool(equals) and seat.isdigit()
    given = Given(path, int(seat)) if seated else Given(word)
    if (why := problem()) is not None:
        raise BadOptions(why)
    digest_of(Path(given.path))
    return given


def _public(key: str | None) -> str | None:
    if key is None:
        return None
    from touchline.records.signing import public_key

    return public_key(key)


def _with_progress(files: Sequence[str], worker: Worker) -> Iterator[Checked]:
    from rich.progress import Progress

    from touchline.cli._draw import console
    from touchline.records.verify_many import verify_data, verify_files

    if "-" in files:
        if len(files) > 1:
            raise BadOptions("- stands for standard input, which must be the only file")
        yield from verify_data(sys.stdin.buffer, "standard input", worker)
        return
    screen = console(stderr=True)
    with Progress(console=screen, transient=True, disable=not screen.is_terminal) as bar:
        task = bar.add_task("verifying", total=None)
        yield from verify_files(
            _paths(files), worker, lambda done, of: bar.update(task, completed=done, total=of)
        )


def _paths(files: Sequence[str]) -> list[Path]:
    """Return the files, and those of folders. BadOptions if a folder has none."""
    paths = list[Path]()
    for path in map(Path, files):
        found = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
        if not found:
            raise BadOptions(f"{path} has no records (*.jsonl)")
        paths += found
    return paths


def _exit_code(found: Sequence[Verification]) -> int:
    if any(one.wrong for one in found):
        return 4
    return 0 if all(one.whole for one in found) else 5


# -- what is printed --------------------------------------------------------------------------


def _print_one(where: str, found: Verification, *, as_json: bool) -> None:
    if as_json:
        emit(_row(where, found))
        return
    for line in lines(found):
        click.echo(line)


def lines(found: Verification) -> Iterator[str]:
    """Yield what was shown of a record, what is wrong, and what was not checked."""
    if found.follows:
        so_far = "" if found.ended else " so far"
        shown = f"yes, rules, referee and conduct give these {found.events} events{so_far} from what was said"
        yield f"follows: {shown}"
    else:
        yield f"follows: {'no' if found.wrong else 'not checked'}"
    if found.modules:
        seats = ", ".join(f"seat {seat}" for seat in found.modules)
        yield f"fuel: yes, run again, the module of {seats} gives these answers with this fuel"
    if found.digest:
        yield f"sealed: {_sealed(found)}"
        yield f"signed: {_signed(found)}"
    yield from (f"wrong: {what}" for what in found.wrong)
    yield from (f"not checked: {what}" for what in found.not_checked)


def _sealed(found: Verification) -> str:
    if not found.sealed:
        return f"no, nothing shows that this is the digest from the match: {found.digest}"
    return f"yes, every byte is under the known {'key' if found.signed else 'digest'} ({found.digest})"


def _signed(found: Verification) -> str:
    if found.signed:
        return f"yes, by {found.key}"
    return "no" if found.key is None else "no, not by a known key"


def _row(where: str, found: Verification) -> dict[str, object]:
    import msgspec

    return {"record": where, **msgspec.structs.asdict(found)}


def _print_many(checked: Sequence[Checked], *, as_json: bool) -> None:
    found = [one.found for one in checked]
    counts = {
        "records": len(found), "follow": sum(one.follows for one in found),
        "sealed": sum(one.sealed for one in found), "signed": sum(one.signed for one in found),
        "wrong": sum(bool(one.wrong) for one in found), "not_ended": sum(not one.whole for one in found),
    }  # fmt: skip
    if as_json:
        emit({**counts, "each": [_row(one.where, one.found) for one in checked]})
        return
    wrong = [one for one in checked if one.found.wrong]
    for one in wrong[:MOST_WRONG]:
        named = one.found.wrong[0].startswith(one.where)
        click.echo(f"wrong: {'' if named else f'{one.where}: '}{one.found.wrong[0]}")
    if len(wrong) > MOST_WRONG:
        click.echo(f"and {len(wrong) - MOST_WRONG:,} more that are wrong")
    for what, count in Counter(reason for one in found for reason in one.not_checked).most_common(5):
        click.echo(f"not checked of {count:,}: {what}")
    click.echo(
        "{records:,} records: {follow:,} follow, {sealed:,} sealed, {signed:,} signed, {wrong:,} wrong, "
        "{not_ended:,} not ended".format(**counts)
    )
