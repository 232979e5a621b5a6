"""A cup: the organiser's TOML file, read and validated into one value.

Law of this file: a `Cup` is complete. It names no file but those of its entrants, holds its conduct in full,
and its canonical bytes are what the ledger stores; so a tournament can be resumed, or verified by a stranger,
from the ledger alone.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from touchline.conducts.base import conduct_of
from touchline.conducts.course import CONDUCT as COURSE
from touchline.conducts.standard import CONDUCT as STANDARD
from touchline.core import registry
from touchline.core.clock import UNTIMED, Clock, Limits, micros
from touchline.core.conduct import Conduct
from touchline.core.errors import BadInput, BadOptions, TouchlineError
from touchline.core.fuel import fuel_of
from touchline.core.rules import check_seats
from touchline.drivers.lineup import sandbox_for
from touchline.drivers.match import agreed, opened
from touchline.drivers.terms import terms_of
from touchline.players.by_name import checked, is_program, spoken_by
from touchline.players.project import resolved
from touchline.sandbox.limits import DEFAULT, ProgramLimits, limits_beside, read_limits
from touchline.server.names import problem_with, skeleton
from touchline.tournament.formats.base import DRAW, ScheduledFormat
from touchline.tournament.openings import moves_on_boards
from touchline.tournament.toml_files import converted, read_table, read_text

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping, Sequence

    from touchline.core.rules import Game
    from touchline.sandbox.launch import Sandbox
    from touchline.tournament.formats.base import Format

MOST_ENTRANTS = 2_000
LEAGUE = "league"
"""The format of a league, which has no schedule of its own: `touchline.league` chooses the games."""
REMOTE = "remote"
"""The player of an entrant that signs up over the network."""


class Entrant(Struct, frozen=True, forbid_unknown_fields=True):
    """A participant of a cup."""

    name: str
    """1 to 32 characters; no two entrants have names that look alike."""
    player: str
    """A house player, a file, a command, or `remote`."""
    key: str = ""
    """The secret with which a remote entrant signs up under this name."""
    untrusted: bool | UnsetType = UNSET
    """Whether its program is a stranger's, which needs isolation A or B."""
    files: tuple[str, ...] | UnsetType = UNSET
    """More files and folders of its program, besides those that `player` names; see `entrant_bundles`."""


class Cup(Struct, frozen=True, kw_only=True):
    """Everything that is fixed before a tournament."""

    name: str
    seed: int
    game: str
    boards: tuple[dict[str, Any], ...]
    """The game's options on each board; boards are used in turn."""
    format: str
    options: dict[str, Any]
    """The format's options."""
    entrants: tuple[Entrant, ...]
    conduct: Conduct
    limits: Limits
    turn_cap: int
    program: ProgramLimits | UnsetType = UNSET
    """What the entrants' programs may use, if it is not the default."""
    ponder: bool | UnsetType = UNSET
    """Whether programs may think in the turns of others; unset: no, they are frozen."""
    draw: int | UnsetType = UNSET
    """The version of the rules by which the format draws; unset: 1, the cup was begun before that."""
    openings: tuple[int, ...] | UnsetType = UNSET
    """The random moves with which a game begins on each board; unset: none."""

    def bytes(self) -> bytes:
        """Return the canonical form, without the keys of remote entrants."""
        open_cup = msgspec.structs.replace(
            self, entrants=tuple(msgspec.structs.replace(one, key="") for one in self.entrants)
        )
        return msgspec.json.encode(open_cup, order="deterministic")

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(entrant.name for entrant in self.entrants)

    @property
    def remote(self) -> tuple[str, ...]:
        """The entrants that sign up over the network."""
        return tuple(entrant.name for entrant in self.entrants if entrant.player == REMOTE)

    @property
    def untrusted(self) -> bool:
        """Whether a stranger's program takes part."""
        return any(one.untrusted is True for one in self.entrants)

    def sandbox(
        self,
        entrants: Iterable[str],
        isolation: str,
        folder: Path,
        hidden: Sequence[str] = (),
        bundled: Container[str] = (),
    ) -> Sandbox:
        """Return how the programs of a game run: they see no other entrant's files, and no `hidden` ones.

        The `bundled` entrants run in folders of their own, and have no files in `folder`. BadOptions if this
        isolation does not work here.
        """
        words = [self.player_of(name) for name in entrants]
        in_folder = [one.player for one in self.entrants if one.name not in bundled]
        limits = DEFAULT if self.program is UNSET else self.program
        return sandbox_for(
            words, isolation, limits, ponder=self.ponder is True, folder=folder,
            hidden=[Path(path) for path in hidden], others=in_folder,
        )  # fmt: skip

    def player_of(self, name: str) -> str:
        return next(entrant.player for entrant in self.entrants if entrant.name == name)

    def board(self, number: int) -> Game:
        """Return the game with the options of a board."""
        return registry.game(self.game, self.boards[number % len(self.boards)])

    @property
    def drawn_earlier(self) -> bool:
        """Whether the cup was begun when rounds were drawn by earlier rules."""
        return self.draw is UNSET or self.draw < DRAW

    def opening_moves(self, number: int) -> int:
        """Return the number of random moves with which a game begins on a board."""
        return 0 if self.openings is UNSET else self.openings[number % len(self.boards)]

    def rules(self) -> Format:
        """Return the format with its options, and with what it is told about the cup."""
        if self.format == LEAGUE:
            raise BadInput(f"{self.name} is a league, not a cup: see `touchline league --help`")
        made: Format = registry.format(self.format, self.options)
        if isinstance(made, ScheduledFormat):
            draw = 1 if self.draw is UNSET else self.draw
            boards = 1 if draw == 1 else len(self.boards)
            return msgspec.structs.replace(made, boards=boards, draw=draw)
        return made


class _Clock(Struct, frozen=True, forbid_unknown_fields=True):
    seconds: float | None = 10.0
    """Seconds for each move."""
    bank: float = 0.0
    """Seconds for the whole game, used when those of a move are over."""
    increment: float = 0.0
    """Seconds that each move adds to the bank."""
    set_up: float = 10.0
    """Seconds until a player must be ready."""
    no_timeout: bool = False
    """Whether nobody is ever late; for trusted players only."""
    fuel: int | str | None = None
    """Fuel for each move of a WebAssembly module, such as `"5M"`."""


class _Openings(Struct, frozen=True, forbid_unknown_fields=True):
    moves: int | None = None
    """Random moves with which every game begins; left out: two of each seat on boards with a single start."""


class _Written(Struct, forbid_unknown_fields=True):
    """A cup as it is written in TOML."""

    name: str
    """The name of the cup."""
    game: dict[str, Any]
    """`name`, and the options of the game."""
    format: dict[str, Any]
    """`name`, and the options of the format."""
    entrants: tuple[Entrant, ...]
    """2 to 2,000 participants."""
    seed: int = 0
    """An ingredient of all seeds, besides the secret salt."""
    boards: tuple[dict[str, Any], ...] = ({},)
    """More options of the game for each board."""
    conduct: str | None = None
    """What an offence costs: the name of a conduct, or a TOML file beside the cup; left out: `course`, or
    that of the dialect which all entrants speak."""
    clock: _Clock = _Clock()
    """How long a move may take."""
    turn_cap: int = 10_000
    """Turns after which a game is void."""
    program: dict[str, Any] | None = None
    """What each program may use."""
    openings: _Openings = _Openings()
    """How games begin."""
    ponder: bool | UnsetType = UNSET
    """Whether programs may think in the turns of others; left out: no, they are frozen."""


def load(path: Path, files: Path | None = None) -> Cup:
    """Read the cup in a file; `BadInput` says what is wrong, at which key.

    `files` is where its players are looked for, if that is not the folder of the cup.
    """
    return parse(read_text(path, "a cup"), str(path), path.parent, files)


def parse(text: str, where: str, folder: Path = Path(), files: Path | None = None) -> Cup:
    """Read a cup from TOML text; a conduct's file is looked for in `folder`, and players are in `files`."""
    return from_table(read_table(text, where), where, folder, files)


def from_table(table: Mapping[str, Any], where: str, folder: Path = Path(), files: Path | None = None) -> Cup:
    """Read a cup from a table of TOML; `folder` and `files` are as in `parse`."""
    written = converted(table, _Written, where)
    try:
        written.entrants = tuple(_in_folder(one, files or folder) for one in written.entrants)
        cup = _resolved(written, folder)
        _check(cup)
        cup = msgspec.structs.replace(cup, openings=moves_on_boards(cup, written.openings.moves))
    except BadInput:
        raise
    except (TouchlineError, ValueError) as error:
        raise BadInput(str(error), where) from None
    return cup


def unpacked(data: bytes) -> Cup:
    """Return the cup with these canonical bytes."""
    try:
        return msgspec.json.decode(data, type=Cup)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput(f"the ledger's cup cannot be read: {error}") from None


def _in_folder(entrant: Entrant, folder: Path) -> Entrant:
    """Return an entrant whose player may be a folder with a `touchline.toml`, as the player that it names."""
    return replace(entrant, player=resolved(entrant.player, folder))


def _resolved(written: _Written, folder: Path) -> Cup:
    game, options = _named(written.game, "game")
    format_, rules = _named(written.format, "format")
    return Cup(
        name=written.name, seed=written.seed, game=game,
        boards=tuple({**options, **board} for board in written.boards),
        format=format_, options=rules, entrants=written.entrants,
        conduct=_conduct(written, folder), limits=_limits(written.clock), turn_cap=written.turn_cap,
        program=_program(written, folder), ponder=written.ponder, draw=DRAW,
    )  # fmt: skip


def _named(table: dict[str, Any], what: str) -> tuple[str, dict[str, Any]]:
    name = table.get("name")
    if not isinstance(name, str):
        raise BadOptions(f'[{what}] needs a name, as in name = "..."')
    return name, {key: value for key, value in table.items() if key != "name"}


def _conduct(cup: _Written, folder: Path) -> Conduct:
    """Return the conduct of all games of a cup: the one it names, else by the rule for one table."""
    name = cup.conduct
    if name is None:
        found = terms_of(spoken_by(entrant.player) for entrant in cup.entrants).conduct
        return COURSE if found == STANDARD else found  # as in the ledgers of earlier versions
    return conduct_of(name, folder)


def _program(cup: _Written, folder: Path) -> ProgramLimits | UnsetType:
    """Return what programs may use: as the cup says, else as the file of its conduct says."""
    if cup.program is not None:
        return read_limits(cup.program, "program")
    beside = DEFAULT if cup.conduct is None else limits_beside(folder / cup.conduct)
    return UNSET if beside == DEFAULT else beside


def _limits(clock: _Clock) -> Limits:
    limits = _times(clock)
    if clock.fuel is None:
        return limits
    try:
        return msgspec.structs.replace(limits, fuel=fuel_of(str(clock.fuel)))
    except ValueError as error:
        raise BadOptions(f"[clock] fuel: {error}") from None


def _times(clock: _Clock) -> Limits:
    if clock.no_timeout or clock.seconds is None:
        return UNTIMED
    if not all(0 <= part < 1e6 for part in (clock.seconds, clock.bank, clock.increment, clock.set_up)):
        raise BadOptions("[clock]: each time is between 0 and a million seconds")
    times = Clock(micros(clock.seconds), micros(clock.bank), micros(clock.increment))
    return Limits(clock=times, set_up=micros(clock.set_up))


def _check(cup: Cup) -> None:
    """Raise if the cup cannot be played: bad names, unknown players, a wrong number of seats."""
    if not cup.boards:
        raise BadOptions("[[boards]] is empty: leave it out, or give at least one board")
    if not 2 <= len(cup.entrants) <= MOST_ENTRANTS:
        raise BadOptions(f"a cup has 2 to {MOST_ENTRANTS} entrants, not {len(cup.entrants)}")
    seen: dict[str, str] = {}
    for entrant in cup.entrants:
        if (why := problem_with(entrant.name)) is not None:
            raise BadOptions(f"{entrant.name!r}: {why}")
        if (other := seen.setdefault(skeleton(entrant.name), entrant.name)) is not entrant.name:
            raise BadOptions(f"{entrant.name!r} and {other!r} look alike: give each a name of its own")
        if entrant.player != REMOTE and not is_program(entrant.player):  # programs are started by `check`
            checked(entrant.player, cup.board(0))
    rules = cup.rules()
    smaller = rules.table_sizes(len(cup.entrants)) if isinstance(rules, ScheduledFormat) else set[int]()
    for number in range(len(cup.boards)):
        game = cup.board(number)
        check_seats(game, rules.seats, BadOptions)
        for seats in sorted(smaller - {rules.seats}):
            _check_smaller(game, cup, seats)
        opened(agreed(game, [""] * rules.seats, cup.seed))


def _check_smaller(game: Game, cup: Cup, seats: int) -> None:
    try:
        check_seats(game, seats, BadOptions)
    except BadOptions as error:
        rest = f"; with smallest = {game.seats[0]} in [format], those who do not fill a table rest"
        raise BadOptions(
            f"{len(cup.entrants)} entrants in {cup.format} have a table of {seats}, but {error}: "
            f"give another number of entrants or seats{rest if cup.format == 'swiss' else ''}"
        ) from None
