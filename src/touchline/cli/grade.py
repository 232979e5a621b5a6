"""`touchline grade RUBRIC.toml SUBMISSIONS...`: grade the bots of a course."""

from __future__ import annotations

import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from touchline.cli import _isolation
from touchline.cli._options import emit, json_option
from touchline.cli._terminal import echo
from touchline.cli.main import CONTEXT
from touchline.core.errors import BadOptions

if TYPE_CHECKING:
    from touchline.grading.grades import Grade
    from touchline.grading.rubric import Rubric
    from touchline.grading.run import GradingRun
    from touchline.tournament.executors.base import WorkerPool

NOT_ALL = 5
"""The exit code if a submission, or a step of one, is not graded."""
SHOWN = ("visible", "after_due_date", "after_published")


@click.command(
    context_settings=CONTEXT,
    epilog="""\b
Examples:
  touchline grade rubric.toml ann.zip bob.py --out grades
  touchline grade rubric.toml --each handed-in/ --out grades
  touchline grade rubric.toml --each handed-in/ --out grades --resume
  touchline grade rubric.toml /autograder/submission --results /autograder/results/results.json""",
)
@click.argument("rubric", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("submissions", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--each", is_flag=True, help="Each entry of the folders SUBMISSIONS is one submission.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder for pages, records and tables.  [default: grades; none with --results]",
)
@click.option(
    "--results",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write Gradescope's results.json of the only submission to this file.",
)
@click.option(
    "--resume",
    is_flag=True,
    help="Go on in the folder --out: submissions that are graded and have not changed are kept.",
)
@click.option("--workers", type=click.IntRange(1, 1024), help="Submissions at a time.  [default: the cores]")
@click.option(
    "--pages",
    type=click.Choice(SHOWN),
    default="after_published",
    show_default=True,
    help="Which steps the students' pages show: the visible ones, also those after the due date, or "
    "also those after publication. Hidden steps are never shown.",
)
@_isolation.options(*_isolation.CUP_OPTIONS)
@json_option
def command(
    rubric: Path,
    submissions: tuple[Path, ...],
    each: bool,
    out: Path | None,
    results: Path | None,
    resume: bool,
    workers: int | None,
    pages: str,
    isolation: str,
    allow_weak_isolation: bool,
    as_json: bool,
) -> int:  # fmt: skip
    """Grade bots by a rubric, in the cage.

    SUBMISSIONS are zips, folders, Python files or WebAssembly modules. For each there is a results.json for
    Gradescope, a JUnit file, records, and a page with the reason for every lost point; for all together
    index.html, grades.csv and junit.xml.

    The exit code is 0 if everything is graded, whatever the points, and 5 if something is not, because it was
    interrupted or we failed: run it again with --resume.
    """
    from touchline.bundles.store import BundleStore
    from touchline.grading.output.folder import GradeFolder, summary
    from touchline.grading.rubric import load
    from touchline.grading.run import GradingRun
    from touchline.grading.submissions import found_in, read_all
    from touchline.grading.trial import try_references

    with ExitStack() as stack:
        store = BundleStore(_temporary(stack))
        made = load(rubric, store)
        handed_in = read_all(found_in(submissions, each=each), store, links=not each)
        if results is not None and len(handed_in) != 1:
            raise BadOptions(f"--results is for one submission, and there are {len(handed_in)}")
        place = out or (_temporary(stack) if results is not None else Path("grades"))
        folder = GradeFolder(place, released=pages, resume=resume)
        tier = _tier(isolation, allow_weak_isolation)
        try_references(made, tier)
        progress = _Progress(len(handed_in))
        run = GradingRun(made, handed_in, folder, _pool(workers, len(handed_in)), tier, progress.tell)
        if resume and (kept := run.resume()):
            progress.skip(kept)
        _go(run)
        folder.finish(made, run.grades, run.left)
        if results is not None:
            _write_results(results, run.grades)
        if as_json:
            emit(summary(run.grades, run.left))
        else:
            _print(made, run.grades)
        return _end(run, None if out is None and results is not None else place)


def _temporary(stack: ExitStack) -> Path:
    """Return a new folder that is removed at the end, and that programs of other users can enter."""
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="touchline-grade-")))
    folder.chmod(0o711)
    return folder


def _tier(isolation: str, allow_weak: bool) -> str:
    """Return the tier of isolation, and say it. BadOptions if it is too weak for strangers."""
    from touchline.sandbox.tiers import chosen, require_strong

    tier = chosen(isolation)
    require_strong(tier, allow_weak=allow_weak)
    _isolation.say_tier(tier)
    return tier


def _pool(workers: int | None, submissions: int) -> WorkerPool:
    """Return worker processes: as many as are asked for, else one for each core."""
    from touchline.tournament.executors.base import worker_pool
    from touchline.tournament.worker import cores

    if workers is not None and workers > cores():
        echo("note: more workers than cores: programs compete for the processor", err=True)
    return worker_pool("cores", min(workers or cores(), submissions))


class _Progress:
    """A line on stderr for each submission that is graded, with the time that is left."""

    def __init__(self, count: int) -> None:
        self._count, self._done, self._fresh = count, 0, 0
        self._start = time.monotonic()

    def skip(self, kept: int) -> None:
        self._done = kept
        echo(f"{kept} of {self._count} are graded already and have not changed", err=True)

    def tell(self, grade: Grade) -> None:
        self._done, self._fresh = self._done + 1, self._fresh + 1
        left = (self._count - self._done) * (time.monotonic() - self._start) / self._fresh
        more = f"; about {left / 60:.0f} min left" if left >= 60 else ""
        echo(f"{self._done} of {self._count}: {grade.student}: {grade.total}{more}", err=True)


def _go(run: GradingRun) -> None:
    """Grade everything; Ctrl-C leaves what is finished."""
    try:
        run.go()
    except KeyboardInterrupt:
        click.echo("interrupted: what is finished stays", err=True)


def _write_results(file: Path, grades: list[Grade]) -> None:
    from touchline.grading.output.gradescope import results_json

    for grade in grades:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(results_json(grade))


def _print(rubric: Rubric, grades: list[Grade]) -> None:
    from touchline.grading.standard import number

    width = max([len(grade.student) for grade in grades], default=0)
    echo(f"{rubric.name}: {number(rubric.points)} points")
    for grade in grades:
        echo(f"  {grade.student:<{min(width, 40)}}  {grade.total}")


def _end(run: GradingRun, place: Path | None) -> int:
    if place is not None:
        echo(f"for staff: {place / 'index.html'}, {place / 'grades.csv'}; for students: "
             f"{place / 'students'}/NAME/page/", err=True)  # fmt: skip
    again = [grade.student for grade in run.grades if not grade.complete]
    if again:
        echo(f"not graded because of failures on our side: {', '.join(again)}", err=True)
    if run.left:
        echo(f"{run.left} submissions are not graded yet", err=True)
    if again or run.left:
        click.echo("go on with the same command and --resume", err=True)
        return NOT_ALL
    return 0
