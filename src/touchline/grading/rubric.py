"""A rubric: the staff's TOML file, read and validated into one value.

Law of this file: a `Rubric` is complete and playable. Every key is known, every step has a standard, every
reference solution was read and unpacked. What is wrong is said before anything is graded.
"""

from __future__ import annotations

import hashlib
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Struct, UnsetType

from touchline.bundles.submissions import read_submission
from touchline.core import registry
from touchline.core.errors import BadInput, BadOptions, TouchlineError
from touchline.dialects import DEFAULT
from touchline.grading.standard import OF_CHECKS, OF_GAMES, Standard
from touchline.players.by_name import check_spoken, is_program
from touchline.server.names import problem_with, skeleton
from touchline.testing.player_check import SITUATIONS
from touchline.tournament.cup import Cup, from_table
from touchline.tournament.toml_files import converted, read_table, read_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from touchline.bundles.store import BundleStore

MOST_STEPS, MOST_GAMES = 100, 1_000
MOST_NAME = 100
"""Characters in the name of a step."""
SUBMISSION = "submission"
"""The name of every submission at its tables, so that records do not tell whose they are."""
REFERENCES = (".py", ".zip", ".wasm")
ALL_CHECKS = tuple(range(1, len(SITUATIONS) + 1))
OF_A_CUP = ("game", "boards", "conduct", "clock", "turn_cap", "program", "ponder", "openings")
"""The keys that mean the same as in a cup."""

Visibility: TypeAlias = Literal["visible", "hidden", "after_due_date", "after_published"]

LEVELS: tuple[Visibility, ...] = ("visible", "after_due_date", "after_published", "hidden")
"""From what students see first to what they never see."""


class Opponent(Struct, frozen=True):
    """A house player, or a reference solution of the staff."""

    name: str
    player: str
    folder: str = ""
    """Where the files of a reference solution are; empty for a house player."""
    digest: str = ""


class Step(Struct, frozen=True, kw_only=True):
    """A step of a rubric: compliance checks, or games against opponents."""

    name: str
    standard: Standard
    visibility: Visibility
    after: tuple[str, ...] = ()
    """Earlier steps that must be met, else this one is skipped."""
    leaderboard: str = ""
    """The name of a column of Gradescope's leaderboard, or empty."""
    checks: tuple[int, ...] = ()
    seconds: float = 0.0
    """The time limit of an answer in a check."""
    opponents: tuple[Opponent, ...] = ()
    games: int = 0
    cup: Cup
    """The terms of the games; its entrants are the submission and the opponents."""


class Rubric(Struct, frozen=True, kw_only=True):
    """Everything that is fixed before grading."""

    name: str
    seed: int
    dialect: str | None
    visibility: Visibility
    minutes: float
    """The thinking time of one submission in all its games."""
    steps: tuple[Step, ...]
    digest: str
    """The hash of the file, the reference solutions and the conduct."""

    @property
    def points(self) -> float:
        return sum(step.standard.points for step in self.steps)


class _WrittenStep(Struct, forbid_unknown_fields=True, kw_only=True):
    name: str
    """1 to 100 characters, shown to the student."""
    points: float | None = None
    """The points of the step; required unless there is a `scale`."""
    checks: Literal["all"] | tuple[int, ...] | None = None
    """`"all"`, or numbers of the checks of `touchline check player`; this or `against`."""
    against: str | tuple[str, ...] | None = None
    """A house player, a reference solution, or a list of them, one for each other seat; this or `checks`."""
    games: int | None = None
    """Games against them; left out: one from each seat."""
    seed: int | None = None
    """Steps with the same seed play on the same boards; left out: from the rubric's seed and the name."""
    seconds: float | None = None
    """The time limit of an answer in a check; left out: that of the clock."""
    needs: dict[str, float] | None = None
    """The least share of each measure for full points, such as `{wins = 0.6, clean = 1}`."""
    partial: bool = False
    """Whether a result below `needs` earns points in proportion."""
    scale: tuple[tuple[float, float], ...] | None = None
    """Rows of a share and the points from that share on, such as `[[0.3, 5], [0.6, 10]]`."""
    measure: str | None = None
    """What the scale is about: `wins`, `score`, `clean` or `passed`."""
    after: str | tuple[str, ...] = ()
    """Earlier steps that must be met, else this one is skipped."""
    visibility: Visibility | None = None
    """Who sees the step and when; left out: that of the rubric."""
    leaderboard: str = ""
    """The name of a column of Gradescope's leaderboard."""


class _Written(Struct, forbid_unknown_fields=True, kw_only=True):
    name: str
    """The name of the assignment."""
    game: dict[str, Any]
    """`name`, and the options of the game."""
    steps: tuple[_WrittenStep, ...]
    """The steps, run one after the other."""
    seed: int = 0
    """All boards and seeds of opponents follow from it."""
    dialect: str | None = None
    """What submissions speak; left out: native, or what a submission says."""
    visibility: Visibility = "visible"
    """The visibility of steps that have none of their own."""
    minutes: float = 30.0
    """The thinking time of one submission in all its games."""
    boards: Any = UNSET
    """As in a cup."""
    conduct: Any = UNSET
    """As in a cup."""
    clock: dict[str, Any] | UnsetType = UNSET
    """As in a cup; a clock without a timeout is refused."""
    turn_cap: Any = UNSET
    """As in a cup."""
    program: Any = UNSET
    """As in a cup."""
    ponder: Any = UNSET
    """As in a cup."""
    openings: Any = UNSET
    """As in a cup."""


def load(path: Path, store: BundleStore) -> Rubric:
    """Read the rubric in a file, and unpack its reference solutions in a store.

    BadInput says what is wrong, at which step or key.
    """
    return parse(read_text(path, "a rubric"), str(path), path.parent, store)


def parse(text: str, where: str, folder: Path, store: BundleStore) -> Rubric:
    """Read a rubric from TOML text; reference solutions and a conduct's file are looked for in `folder`."""
    table = read_table(text, where)
    written = converted(table, _Written, where)
    try:
        return _Reader(written, table, where, folder, store).rubric()
    except BadInput:
        raise
    except (TouchlineError, ValueError) as error:
        raise BadInput(str(error), where) from None


class _Reader:
    """Turns what is written into a rubric."""

    def __init__(
        self, written: _Written, table: dict[str, Any], where: str, folder: Path, store: BundleStore
    ) -> None:
        self._written, self._where, self._folder, self._store = written, where, folder, store
        self._terms = {key: table[key] for key in OF_A_CUP if key in table}

    def rubric(self) -> Rubric:
        written = self._written
        if not 1 <= len(written.steps) <= MOST_STEPS:
            raise BadOptions(f"a rubric has 1 to {MOST_STEPS} [[steps]], not {len(written.steps)}")
        if not 0 < written.minutes <= 10_000:
            raise BadOptions(f"minutes is more than 0 and at most 10000, not {written.minutes:g}")
        self._check_clock()
        steps: list[Step] = []
        for step in written.steps:
            steps.append(self._step(step, {one.name: one.visibility for one in steps}))
        if written.dialect is not None:
            check_spoken(written.dialect, steps[0].cup.board(0))
        return Rubric(
            name=written.name, seed=written.seed, dialect=written.dialect, visibility=written.visibility,
            minutes=written.minutes, steps=tuple(steps), digest=_digest(written, steps),
        )  # fmt: skip

    def _check_clock(self) -> None:
        clock = {} if self._written.clock is UNSET else self._written.clock
        if clock.get("no_timeout") or clock.get("seconds", 0) is None:
            raise BadInput(
                "submissions need a time limit: one that hangs would never end; remove no_timeout",
                f"{self._where}: clock",
            )

    def _step(self, step: _WrittenStep, earlier: Mapping[str, Visibility]) -> Step:
        where = f"{self._where}: step {step.name!r}"
        visibility = step.visibility or self._written.visibility
        try:
            _check_names(step, visibility, earlier)
            checks = _checks(step)
            opponents = () if checks else tuple(self._opponents(step))
            cup = self._cup(step, opponents, where)
            return Step(
                name=step.name, standard=_standard(step, OF_CHECKS if checks else OF_GAMES),
                visibility=visibility, after=_listed(step.after),
                leaderboard=step.leaderboard, checks=checks, seconds=_seconds(step, checks, cup),
                opponents=opponents, games=0 if checks else _games(step, 1 + len(opponents)), cup=cup,
            )  # fmt: skip
        except BadInput:
            raise
        except (TouchlineError, ValueError) as error:
            raise BadInput(str(error), where) from None

    def _cup(self, step: _WrittenStep, opponents: Sequence[Opponent], where: str) -> Cup:
        """Return the terms of a step's games, as a cup of the submission and its opponents."""
        spoken = f"{self._written.dialect or DEFAULT}+{SUBMISSION}.py"
        others = opponents or (Opponent("random", "random"),)
        seats = 1 + len(opponents) if opponents else self._fewest_seats()
        own = step.seed if step.seed is not None else f"{self._written.seed} {step.name}"
        entrants = [{"name": SUBMISSION, "player": spoken, "untrusted": True}]
        entrants += [{"name": one.name, "player": one.player} for one in others]
        entrants += [{"name": f"random {n}", "player": "random"} for n in range(len(entrants), seats)]
        table = {
            **self._terms, "name": self._written.name, "entrants": entrants,
            "seed": int.from_bytes(hashlib.sha256(f"rubric {own}".encode()).digest()[:6]),
            "format": {"name": "round_robin", "seats": seats},
        }  # fmt: skip
        return from_table(table, where, self._folder)

    def _fewest_seats(self) -> int:
        name, options = self._written.game.get("name"), dict(self._written.game)
        options.pop("name", None)
        if not isinstance(name, str):
            raise BadOptions('[game] needs a name, as in name = "..."')
        fewest: int = registry.game(name, options).seats[0]
        return fewest

    def _opponents(self, step: _WrittenStep) -> Iterator[Opponent]:
        known = {skeleton(SUBMISSION)}
        for place, word in enumerate(_listed(step.against or ()), 1):
            opponent = self._reference(word) if _is_file(word) else Opponent(word, word)
            if is_program(opponent.player) and not opponent.folder:
                raise BadOptions(
                    f"{word!r} is neither a house player nor a file: put it into a folder with a "
                    'touchline.toml, and name that folder with a slash, as in "reference/"'
                )
            names = (opponent.name, f"{opponent.name[:20]} {place}", f"opponent {place}")
            name = next(one for one in names if problem_with(one) is None and skeleton(one) not in known)
            known.add(skeleton(name))
            yield msgspec.structs.replace(opponent, name=name)

    def _reference(self, word: str) -> Opponent:
        path = self._folder / word
        if not path.exists():
            raise BadOptions(f"there is no reference solution {word!r} in {self._folder}")
        try:
            found = read_submission(path)
        except BadInput as error:
            raise BadOptions(f"the reference solution {word!r} cannot be used: {error}") from None
        digest = self._store.put(found.bundle)
        return Opponent(Path(word).stem, found.player, str(self._store.folder_of(digest)), digest)


def _is_file(word: str) -> bool:
    return "/" in word or word.endswith(REFERENCES)


def _listed(words: str | tuple[str, ...]) -> tuple[str, ...]:
    return (words,) if isinstance(words, str) else words


def _check_names(step: _WrittenStep, visibility: Visibility, earlier: Mapping[str, Visibility]) -> None:
    if not 1 <= len(step.name) <= MOST_NAME or not step.name.isprintable():
        raise BadOptions(f"the name of a step has 1 to {MOST_NAME} printable characters")
    if step.name in earlier:
        raise BadOptions("another step has this name already")
    for name in _listed(step.after):
        if name not in earlier:
            raise BadOptions(f"after: there is no earlier step {name!r}")
        if LEVELS.index(earlier[name]) > LEVELS.index(visibility):
            raise BadOptions(f"after: students see this step before {name!r}, and would learn about that one")
    if (step.checks is None) == (step.against is None):
        raise BadOptions(
            'a step has either checks, as in checks = "all", or against, as in against = "greedy"'
        )


def _checks(step: _WrittenStep) -> tuple[int, ...]:
    """Return the numbers of a step's checks; none if it is a step of games."""
    games = {"games": step.games, "seed": step.seed}
    if step.checks is None:
        if step.seconds is not None:
            raise BadOptions("seconds is for checks; games have the [clock]")
        return ()
    for key, value in games.items():
        if value is not None:
            raise BadOptions(f"{key} is for steps with against, not for checks")
    chosen = ALL_CHECKS if step.checks == "all" else tuple(sorted({*step.checks}))
    if not chosen or not {*chosen} <= {*ALL_CHECKS}:
        raise BadOptions(
            f'checks are "all" or numbers from 1 to {len(ALL_CHECKS)}, as `touchline check player` has'
        )
    return chosen


def _seconds(step: _WrittenStep, checks: Sequence[int], cup: Cup) -> float:
    if not checks:
        return 0.0
    clock = cup.limits.clock
    seconds = step.seconds if step.seconds is not None else ((clock.per_move or 0) + clock.bank) / 1e6
    if not 0 < seconds <= 3600:
        raise BadOptions(f"seconds is more than 0 and at most 3600, not {seconds:g}")
    return seconds


def _games(step: _WrittenStep, seats: int) -> int:
    games = seats if step.games is None else step.games
    if not 1 <= games <= MOST_GAMES:
        raise BadOptions(f"a step has 1 to {MOST_GAMES} games, not {games}")
    return games


def _standard(step: _WrittenStep, known: Sequence[str]) -> Standard:
    """Return what the step needs for its points."""
    if step.needs is not None and step.scale is not None:
        raise BadOptions("a step has needs or a scale, not both")
    for name in [*(step.needs or {}), *([step.measure] if step.measure else [])]:
        if name not in known:
            raise BadOptions(f"{name!r} is not measured in this step; there is: {', '.join(known)}")
    if step.scale is not None:
        return _scaled(step, step.scale, step.measure or known[0])
    if step.measure is not None:
        raise BadOptions("measure belongs to a scale; needs name what they are about")
    needs = step.needs if step.needs is not None else {"passed": 1.0} if known == OF_CHECKS else {}
    if not needs:
        raise BadOptions("how are the points earned? add needs = {wins = 0.5} or a scale")
    if not all(0 < need <= 1 for need in needs.values()):
        raise BadOptions("needs are shares: more than 0 and at most 1")
    if step.points is None or not 0 <= step.points <= 1e6:
        raise BadOptions("points is missing, or not from 0 to 1000000")
    return Standard(points=step.points, needs=needs, partial=step.partial)


def _scaled(step: _WrittenStep, scale: tuple[tuple[float, float], ...], measure: str) -> Standard:
    if step.partial:
        raise BadOptions("partial belongs to needs; a scale has its parts already")
    rising = all(one[0] < two[0] and one[1] <= two[1] for one, two in pairwise(scale))
    inside = all(0 <= share <= 1 and 0 <= worth <= 1e6 for share, worth in scale)
    if not scale or not rising or not inside:
        raise BadOptions("a scale has rows [share, points] that rise, with shares from 0 to 1")
    if step.points is not None and step.points != scale[-1][1]:
        raise BadOptions(
            f"points is {step.points:g}, but the scale ends with {scale[-1][1]:g}: remove points"
        )
    return Standard(points=scale[-1][1], scale=scale, measure=measure)


def _digest(written: _Written, steps: Sequence[Step]) -> str:
    """Return a hash of all that decides about points; not of where reference solutions were unpacked."""
    decided = [
        msgspec.structs.replace(
            step, opponents=tuple(msgspec.structs.replace(one, folder="") for one in step.opponents)
        )
        for step in steps
    ]
    whole = (written.name, written.seed, written.dialect, written.visibility, written.minutes, decided)
    return hashlib.sha256(msgspec.json.encode(whole, order="deterministic")).hexdigest()
