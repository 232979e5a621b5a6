"""`touchline course GAME serve|clients`: the courses' servers and clients over TCP.

`touchline course labyrinth state` draws a state to begin with. `touchline harness GAME xserver|xclients` are
the same commands under the names that the courses gave them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from touchline.cli._over_tcp import IP, PORT, playing, seconds, sent, served, serving, stdin_bytes
from touchline.cli.main import CONTEXT, Group

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from touchline.coursework.courses.signup import ServerOptions

LENIENT = "Also read {0}, and send messages as a player sends its own; docs/how-to/run-a-course-server.md."
BARE = "names and answers without quotes, and messages with their length in front"


def fish_serve(name: str) -> click.Command:
    """Return the server of the Fish course under a name."""

    @click.command(
        name, context_settings=CONTEXT,
        epilog=f"""\b
Examples:
  touchline {_path('fish', name)} 45678
  touchline {_path('fish', name)} 45678 --host 0.0.0.0 --record games/ --verbose
  touchline {_path('fish', name)} 45678 --lenient 2> log.txt

\b
It says on stderr who signed up, who was refused or expelled and why, and who won.
Players: touchline course fish clients 5 45678
         touchline join tcp://127.0.0.1:45678/fish-course --name ann mybot.py""",
    )  # fmt: skip
    @serving(30, 10, 10, 5, LENIENT.format(BARE))
    def command(
        port: int, sign_up: float, name_seconds: float, call_seconds: float, **given: Any
    ) -> int:  # fmt: skip
        """Run a knock-out tournament over TCP, and print [winners, cheaters and failures], two numbers.

        5 to 10 players sign up. If fewer do there is no tournament, and [0, 0] is printed.
        """
        from touchline.coursework.courses.fish import xserver

        async def run_it(options: ServerOptions) -> tuple[int, int]:
            said = await xserver(port, sign_up=sign_up, name=name_seconds, call=call_seconds, options=options)
            return said or (0, 0)

        return served(run_it, given)

    return command


def fish_clients(name: str) -> click.Command:
    """Return the clients of the Fish course under a name."""

    @click.command(
        name, context_settings=CONTEXT,
        epilog=f"""\b
Examples:
  touchline {_path('fish', name)} 10 45678
  touchline {_path('fish', name)} 5 45678 192.168.0.7 --depth 2 --json

{_CODES}""",
    )  # fmt: skip
    @click.argument("n", type=click.IntRange(1, 26))
    @PORT
    @IP
    @click.option(
        "--depth", type=click.IntRange(0), default=1, show_default=True,
        help="Own turns that they look ahead.",
    )  # fmt: skip
    @playing()
    def command(n: int, port: int, ip: str, depth: int, retry: float, **given: Any) -> int:
        """Connect N house players to a server at PORT, and say what became of each."""
        from touchline.coursework.courses.fish import xclients

        return sent(lambda options: xclients(n, port, ip, depth=depth, retry=retry, options=options), **given)

    return command


def labyrinth_serve(name: str) -> click.Command:
    """Return the server of the Labyrinth course under a name."""

    @click.command(
        name, context_settings=CONTEXT,
        epilog=f"""\b
Examples:
  touchline {_path('labyrinth', name)} 45678 < state.json
  touchline {_path('labyrinth', name)} 45678 --host 0.0.0.0 --record game.jsonl < state.json
  touchline {_path('labyrinth', name)} 45678 --sign-up 5 --verbose < state.json

\b
It says on stderr who signed up, who was refused or expelled and why, and who won.
Players: touchline course labyrinth clients 45678 < players.json
         touchline join tcp://127.0.0.1:45678/labyrinth-course --name ann riemann""",
    )  # fmt: skip
    @serving(20, 2, 4, 2, LENIENT.format(BARE))
    def command(
        port: int, sign_up: float, name_seconds: float, call_seconds: float, **given: Any
    ) -> int:  # fmt: skip
        """Referee one game over TCP from the RefereeState on stdin, and print [winners, misbehaving].

        2 to 6 players sign up; the last to sign up moves first. If the state has fewer places, those who
        signed up first play. If fewer than 2 sign up, [[], []] is printed.
        """
        from touchline.coursework.courses.labyrinth import xserver

        state = stdin_bytes("RefereeState")

        def run_it(options: ServerOptions) -> Coroutine[Any, Any, Any]:
            return xserver(
                port, state, sign_up=sign_up, name=name_seconds, call=call_seconds, options=options
            )

        return served(run_it, given)

    return command


def labyrinth_clients(name: str) -> click.Command:
    """Return the clients of the Labyrinth course under a name."""

    @click.command(
        name, context_settings=CONTEXT,
        epilog=f"""\b
Examples:
  echo '[["ann", "Riemann"], ["bob", "Euclid", "takeTurn", 2]]' | touchline {_path('labyrinth', name)} 45678
  touchline {_path('labyrinth', name)} 45678 192.168.0.7 --pause 0.1 < players.json

{_CODES}""",
    )  # fmt: skip
    @PORT
    @IP
    @seconds("--pause", 3, "Seconds between the starts of two clients.")
    @playing()
    def command(port: int, ip: str, pause: float, retry: float, **given: Any) -> int:
        """Connect the players of the BadPlayerSpec2 on stdin to a server at PORT, in that order."""
        from touchline.coursework.courses.labyrinth import xclients

        spec = stdin_bytes("BadPlayerSpec2")
        return sent(
            lambda options: xclients(port, spec, ip, pause=pause, retry=retry, options=options), **given
        )

    return command


@click.command(
    "state", context_settings=CONTEXT,
    epilog="""\b
Examples:
  touchline course labyrinth state > state.json
  touchline course labyrinth state --players 6 --rows 9 --cols 9 --goals 3 --seed 7""",
)  # fmt: skip
@click.option("--players", type=int, default=4, show_default=True, help="Players of the game.")
@click.option("--rows", type=int, default=7, show_default=True, help="Rows of the board.")
@click.option("--cols", type=int, default=7, show_default=True, help="Columns of the board.")
@click.option(
    "--goals", type=int, default=0, show_default=True,
    help="Goals that follow the first ones, common to all players.",
)  # fmt: skip
@click.option("--seed", type=int, help="The random seed.  [default: a new one each time]")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON, as always.")
def labyrinth_state(
    players: int, rows: int, cols: int, goals: int, seed: int | None, as_json: bool
) -> None:  # fmt: skip
    """Print a RefereeState of a new game, drawn at random, for `touchline course labyrinth serve`."""
    import json
    import secrets

    from touchline.core import registry
    from touchline.coursework.courses.labyrinth import drawn_state

    game: Any = registry.game("labyrinth", {"rows": rows, "cols": cols, "goals": goals})
    state = drawn_state(game, players, secrets.randbits(32) if seed is None else seed)
    click.echo(json.dumps(state, ensure_ascii=False))


_CODES = """\b
Exit codes: 0 if at least one played to the end, 2 if none could connect,
            3 if all were refused or expelled."""


def _path(game: str, name: str) -> str:
    return f"{'harness' if name.startswith('x') else 'course'} {game} {name}"


OVER_TCP = {
    "fish": {"serve": fish_serve, "clients": fish_clients},
    "labyrinth": {"serve": labyrinth_serve, "clients": labyrinth_clients},
}
"""The makers of commands, by game and by their names here."""


@click.group(
    cls=Group,
    context_settings=CONTEXT,
    epilog="""\b
Examples:
  touchline course fish serve 45678
  touchline course fish clients 10 45678
  touchline course labyrinth state > state.json
  touchline course labyrinth serve 45678 < state.json
  touchline course labyrinth clients 45678 < players.json
  touchline serve labyrinth --listen tcp://127.0.0.1:4500/labyrinth-course   # one game after another""",
)
def command() -> None:
    """Run the server or the clients of one of the two courses, over TCP, as the courses specify them.

    `touchline harness GAME xserver|xclients` are the same under the courses' names.
    docs/how-to/run-a-course-server.md shows them step by step.
    """


for _game, _makers in OVER_TCP.items():
    _group = Group(
        _game,
        epilog=f"""\b
Examples:
  touchline course {_game} serve --help
  touchline course {_game} clients --help""",
        help=f"The server and the clients of the {_game.capitalize()} course, over TCP.",
        context_settings=CONTEXT,
    )
    for _name, _make in _makers.items():
        _group.add_command(_make(_name))
    if _game == "labyrinth":
        _group.add_command(labyrinth_state)
    command.add_command(_group)
