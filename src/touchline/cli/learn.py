"""`touchline learn GAME PLAYER`: train a learning bot in many games, and report how it improves.

The bot is a `bots.base.LearningBot`.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from touchline.cli._learning import School, Show, known
from touchline.cli._options import PerGame, emit, options_of
from touchline.cli._players import bot, dialect_of, is_program
from touchline.core.errors import BadOptions, NotWritten

if TYPE_CHECKING:
    from touchline.bots.base import Bot, LearningBot
    from touchline.core.rules import Game, Seat, State


def learn(
    game: Game,
    learner: str,
    against: str,
    games: int,
    seat: str,
    memory: str | None,
    seed: int | None,
    svg: Path | None,
    as_json: bool,
) -> int:
    from random import Random

    from touchline.bots.base import LearningBot

    first = Random().randrange(1 << 32) if seed is None else seed
    for word in (learner, against):
        if is_program(word) or dialect_of(word) or word == "human":
            raise BadOptions(f"{word}: only house bots can play here; for others use `play --games`")
    options = {"memory": memory} if memory else None
    pupil = bot(learner, game.name, f"{first} learner", options=options)
    if not isinstance(pupil, LearningBot):
        raise BadOptions(f"{learner} does not learn: it is not derived from LearningBot, as her is")
    if svg is not None and not os.access(svg.parent, os.W_OK):
        raise BadOptions(f"cannot write to the folder {svg.parent}")
    school = School((0, 1) if seat == "both" else (int(seat),), games)
    rival = bot(against, game.name, f"{first} against")
    interrupted = _go_to_school(game, school, pupil, rival, (learner, against), first)
    report = _report(game, school, pupil, (learner, against), first)
    if as_json:
        emit(report)
    else:
        click.echo("\n".join(_in_words(report)))
    if seed is None:
        click.echo(f"played with --seed {first}", err=True)
    _save(pupil, school, svg, f"{learner} against {against} at {game.name}", learner)
    return 130 if interrupted else 0


def _go_to_school(
    game: Game, school: School, pupil: LearningBot, rival: Bot, names: tuple[str, str], seed: int
) -> bool:
    """Play the games and show the progress. Return whether Ctrl-C cut it short."""
    from touchline.cli._draw import console
    from touchline.drivers.match import agreed, play_now

    try:
        with Show(school, pupil, console(stderr=True)) as show:
            for number in range(1, school.total + 1):
                at = school.seat(number)
                players = [pupil if place == at else rival for place in range(2)]
                called = [names[place != at] for place in range(2)]
                school.count(play_now(agreed(game, called, seed + number - 1), players))
                show.update()
    except KeyboardInterrupt:
        click.echo(f"interrupted after {school.games} games", err=True)
        return True
    return False


def _save(pupil: LearningBot, school: School, svg: Path | None, title: str, name: str) -> None:
    """Save what the bot has learnt, and write the chart."""
    try:
        pupil.save()
    except OSError as error:
        raise NotWritten(f"cannot save what it has learnt: {error.strerror}") from None
    try:
        if svg is not None:
            svg.write_text(_chart(school, title, name), encoding="utf-8")
    except OSError as error:
        raise NotWritten(f"cannot write {svg}: {error.strerror}") from None


def _report(
    game: Game, school: School, pupil: LearningBot, names: tuple[str, str], seed: int
) -> dict[str, Any]:
    return {
        "game": game.name,
        "options": options_of(game),
        "learner": names[0],
        "against": names[1],
        "seed": seed,
        "games": school.games,
        "won": school.won,
        "lost": len(school.losses),
        "resigned": school.resigned,
        "void": school.void,
        "losses": school.losses,
        "learnt": pupil.learnt(),
        "seats": [_standing(game, school, pupil, seat) for seat in school.seats],
    }


def _standing(game: Game, school: School, pupil: LearningBot, seat: Seat) -> dict[str, Any]:
    """Return whether the learner can still be beaten on a seat.

    The moves that it may play change only when it loses. So if nothing beats it now, nothing could beat it
    since its last loss.
    """
    from random import Random

    from touchline.bots.hexapawn.forced_loss import TooManyStates, line_against

    found: dict[str, Any] = {"seat": seat, "last_loss": school.last_loss(seat) or None}
    start = game.start(2, Random(0))
    if pupil.may_play(start.view(seat)) is None:
        return found
    try:
        line = line_against(start, seat, lambda view: pupil.may_play(view) or ())
    except TooManyStates as error:
        return {**found, "unknown": str(error)}
    if line is None:
        return {**found, "unbeatable_since": school.last_loss(seat)}
    return {**found, "beaten_by": _spelled(start, line)}


def _spelled(state: State, line: list[Any]) -> list[str]:
    """Return the moves as a person types them."""
    from touchline.draw.words import typed

    words = []
    for move in line:
        words.append(next(text for text, legal in typed(state).items() if legal == move))
        state = state.play(move)
    return words


def _in_words(report: dict[str, Any]) -> list[str]:
    options = ", ".join(f"{name} {value}" for name, value in report["options"].items())
    void = f", {report['void']} void" if report["void"] else ""
    lines = [
        f"{report['learner']} against {report['against']}, "
        f"{report['games']} games of {report['game']}: {options}",
        f"won {report['won']}, lost {report['lost']} (resigned {report['resigned']}){void}",
    ]
    if report["learnt"]:
        lines.append(known(report["learnt"]).removeprefix(", "))
    for standing in report["seats"]:
        last = standing["last_loss"]
        lost = f"last lost game {last}" if last else "never lost"
        lines.append(f"seat {standing['seat']}: {lost}{_prospect(standing)}")
    return lines


def _prospect(standing: dict[str, Any]) -> str:
    if "unknown" in standing:
        return f"; whether it can be beaten is not known: {standing['unknown']}"
    if "unbeatable_since" in standing:
        since = standing["unbeatable_since"]
        when = f"since game {since}" if since else "from the start"
        return f"; unbeatable {when}: no line of play beats what it may still play"
    if "beaten_by" not in standing:
        return ""
    moves = "; ".join(standing["beaten_by"])
    return f"; can be beaten: {moves}" if moves else "; has nothing left to play, and resigns at once"


def _chart(school: School, title: str, name: str) -> str:
    from touchline.draw.chart import Series, line_chart

    points = [(0.0, 0.0)]
    for count, game in enumerate(school.losses):
        points += [(game - 1, count), (game, count + 1)]
    points.append((school.games, len(school.losses)))
    last = [(game, len(school.losses), f"last lost game {game}") for game in school.losses[-1:]]
    return line_chart(
        [Series(name, tuple(points), marks=tuple(last))], title=title, x_label="game", y_label="lost so far"
    )


command = PerGame(
    "learn",
    run=learn,
    usual={"hexapawn": {"rows": 3, "cols": 3}},
    params_of_run=[
        click.Argument(["learner"], metavar="PLAYER"),
        click.Option(["--against"], default="random", show_default=True, help="Its opponent: a house bot."),
        click.Option(
            ["--games"], type=click.IntRange(1), default=200, show_default=True, help="The number of games."
        ),
        click.Option(
            ["--seat"],
            type=click.Choice(["1", "0", "both"]),
            default="1",
            show_default=True,
            help="Its seat; both means in turn.",
        ),
        click.Option(
            ["--memory"], type=click.Path(dir_okay=False), help="Continue from this file, and save to it."
        ),
        click.Option(
            ["--seed"], type=int, help="The seed of all random choices; drawn and printed if not given."
        ),
        click.Option(
            ["--svg"], type=click.Path(dir_okay=False, path_type=Path), help="Write the chart."
        ),
        click.Option(["--json", "as_json"], is_flag=True, help="Print the result as JSON."),
    ],
    help="Train a bot in many games, show how often it loses, and prove whether it can still be beaten.",
    epilog="""Hexapawn is 3 by 3 here unless you set --rows or --cols.

\b
Examples:
  touchline learn hexapawn her
  touchline learn hexapawn her --seat both --games 500 --memory her.json --svg her.svg
  touchline play hexapawn human her:memory=her.json --rows 3 --cols 3""",
)  # fmt: skip
