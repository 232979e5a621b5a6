"""The ports of `touchline serve GAME`: open them, report on their tables, and stop."""

from __future__ import annotations

import signal
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from touchline.cli import _web_page
from touchline.cli._options import emit
from touchline.cli._players import is_program
from touchline.cli._port_records import PortRecords
from touchline.cli._terminal import echo
from touchline.core.errors import BadOptions
from touchline.transports.shared import descriptors

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Sequence

    from touchline.cli._web_page import PageOptions
    from touchline.core.events import Result
    from touchline.core.rules import Game
    from touchline.drivers.match import MatchSpec
    from touchline.drivers.terms import Terms
    from touchline.players.address import ServerAddress
    from touchline.records.record_folder import RecordFolder
    from touchline.server.server import Server


@dataclass(frozen=True, kw_only=True)
class PortServer:
    """What the command line says about the ports."""

    game: Game
    seats: int
    places: Sequence[ServerAddress]
    options: dict[str, Any]
    """The options of `server.server.Server`."""
    looks: PageOptions
    files: RecordFolder
    grace: float
    minutes: float | None
    as_json: bool
    public: bool

    async def run(self) -> int:
        """Serve until the last table is done or somebody stops it; return the exit code."""
        from touchline.drivers.runner import asked_to_stop
        from touchline.server.server import Server

        descriptors.raise_limit()
        asked, options = asked_to_stop(), dict(self.options)
        page = await _web_page.opened(self.looks, public=self.public, files=self.files, key=options["key"])
        try:
            records = PortRecords(self.files, page)
            options |= {"observers": records.begin, "told": _teller(self.as_json, records)}
            options |= {"begun": _begun, "house": _house(self.game, options, page)}
            records.server = server = Server(self.game, self.seats, **options)
            urls = [await server.listen(place) for place in self.places]
            _resume(server, records, self.files)
            self._announce(urls, page)
            return await _until_stopped(server, page, asked, self)
        finally:
            if page is not None:
                await page[0].stop()

    def _announce(self, urls: list[str], page: tuple[Any, str] | None) -> None:
        if self.as_json:
            emit({"listening": urls, **({} if page is None else {"page": page[1]})})
            sys.stdout.flush()
        for url in urls:
            known = _web_page.known(url, self.looks.host_name)
            click.echo(f"{self.game.name} for {self._wanted()} at {known}", err=True)
        if page is not None:
            _web_page.announce(page[1], self.looks, self.options["key"])

    def _wanted(self) -> str:
        """Return how many players sit at a table, and how they come to it."""
        window, least = self.options["window"], self.options["least"]
        if window is None:
            return f"{self.seats}"
        last = "; the last to sign up moves first" if self.options["last_first"] else ""
        return f"{least + len(self.options['house'])} to {self.seats} ({window:g} s to sign up{last})"


def _begun(number: int, spec: MatchSpec, terms: Terms) -> None:
    echo(f"table {number}: {', '.join(spec.names)}; {terms}", err=True)


def _teller(as_json: bool, records: PortRecords) -> Callable[[int, MatchSpec, Result], None]:
    def told(number: int, spec: MatchSpec, result: Result) -> None:
        whole, mover = records.recorded(number), records.last_mover(number)
        if as_json:
            emit({"table": number, "names": spec.names, "result": result, "recorded": whole})
        else:
            from touchline.records.story import story

            for line in story(result, spec.names, mover):
                echo(f"table {number}: {line}")
        sys.stdout.flush()

    return told


def _resume(server: Server, records: PortRecords, files: RecordFolder) -> None:
    """Go on with the matches of these ports that were interrupted."""
    for match in files.interrupted("serve"):
        try:
            observers = records.resume(match)
        except BadOptions as error:
            click.echo(f"not resumed: {error}", err=True)
            continue
        number = server.resume(match, observers)
        click.echo(f"table {number}: going on with {match.path} ({', '.join(match.spec.names)})", err=True)


def _house(
    game: Game, options: dict[str, Any], page: tuple[Any, str] | None
) -> list[tuple[str, Callable[[str], Any]]]:
    """Return the house players; the workers of the page run slow ones."""
    from touchline.bots.shared import factory

    def elsewhere(word: str, make: Callable[[str], Any]) -> Callable[[str], Any]:
        if is_program(word):
            return make
        quick = factory.kind(word.partition(":")[0]).quick
        if page is None or quick or options["seed"] is not None:
            return make
        return lambda seed: _web_page.thinker(page[0], game, word, seed)

    return [(word, elsewhere(word, make)) for word, make in options["house"]]


async def _until_stopped(
    server: Server, page: tuple[Any, str] | None, asked: asyncio.Future[int], terms: PortServer
) -> int:
    import asyncio

    from touchline.drivers.runner import asked_to_stop

    grace, seconds = terms.grace, None if terms.minutes is None else 60 * terms.minutes
    idle = asyncio.ensure_future(server.idle.wait())
    done, _ = await asyncio.wait((asked, idle), timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    if not done:
        asked.set_result(signal.SIGTERM)
    if asked.done():
        click.echo(f"stopping: running matches have {grace:g} s; Ctrl-C again stops at once", err=True)
    stopping = asyncio.ensure_future(server.stop(grace if asked.done() else 0))
    again = asked_to_stop()
    await asyncio.wait((stopping, again), return_when=asyncio.FIRST_COMPLETED)
    if again.done():
        await server.stop(0)
    await stopping
    if page is not None and asked.done() and not again.done():
        await page[0].stop(grace)
    idle.cancel()
    return 130 if asked.done() and asked.result() == signal.SIGINT else 0
