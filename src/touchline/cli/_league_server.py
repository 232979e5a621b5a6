"""Run a league: the coordinator in a thread, the page on the event loop of this process."""

from __future__ import annotations

import asyncio
import secrets
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from touchline.cli._options import emit
from touchline.cli._terminal import echo
from touchline.cli._web_page import MISSING
from touchline.core.errors import BadOptions

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from touchline.bundles.store import BundleStore
    from touchline.league.coordinator import Coordinator
    from touchline.league.feedback import Feedback
    from touchline.league.league_file import League
    from touchline.tournament.executors.base import WorkerPool
    from touchline.tournament.ledger import Ledger


@dataclass(frozen=True, kw_only=True)
class ServerOptions:
    """Where a league is served, and where its files are."""

    host: str
    port: int
    host_name: tuple[str, ...]
    trusted_proxy: tuple[str, ...]
    public: bool
    ledger: str
    files: Path
    """The folder of bundles and private feedback."""
    folder: Path
    """The folder of the league's TOML file."""
    isolation: str
    as_json: bool

    def check(self) -> None:
        """Raise BadOptions if others could reach the page, and that is not allowed."""
        if self.host in ("127.0.0.1", "localhost", "::1"):
            return
        if not self.public:
            raise BadOptions(f"{self.host} can be reached from other machines: allow it with --public")
        if not self.host_name:
            raise BadOptions("a public page needs --host-name: the name that clients will use for it")


def serve(league: League, pool: WorkerPool, options: ServerOptions) -> int:
    """Serve a league until SIGINT or SIGTERM; return the exit code."""
    from touchline.drivers.runner import run
    from touchline.league.league_file import webhook_secret
    from touchline.league.webhook import Webhook

    try:
        from touchline.web.app import Site  # noqa: F401 - say what is missing before anything is started
    except ModuleNotFoundError as error:
        if error.name != "aiohttp":
            raise
        raise BadOptions(MISSING) from None
    if league.webhook is None:
        return run(_serve(league, pool, options, _say))
    hook = Webhook(league.webhook.url, webhook_secret(league.webhook, options.folder))

    def told(news: dict[str, Any]) -> None:
        _say(news)
        hook.send(news)

    try:
        return run(_serve(league, pool, options, told))
    finally:
        hook.close()


def _say(news: dict[str, Any]) -> None:
    """Print the verdict on a version."""
    if news["type"] == "submission":
        why = f": {news['reason']}" if news["reason"] else ""
        echo(f"{news['version']}: {news['status']}{why}", err=True)


async def _serve(
    league: League, pool: WorkerPool, options: ServerOptions, told: Callable[[dict[str, Any]], None]
) -> int:
    from touchline.bundles.store import BundleStore
    from touchline.drivers.runner import asked_to_stop
    from touchline.league.coordinator import Coordinator
    from touchline.league.feedback import Feedback
    from touchline.tournament.ledger import open_ledger
    from touchline.transports.shared import descriptors

    descriptors.raise_limit()
    asked = asked_to_stop()
    store, feedback = BundleStore(options.files / "bundles"), Feedback(options.files / "feedback")
    loop = asyncio.get_running_loop()
    thread = ThreadPoolExecutor(1, thread_name_prefix="coordinator")

    def begin() -> tuple[Ledger, Coordinator]:
        ledger = open_ledger(options.ledger)
        made = Coordinator(ledger, league, pool, store, feedback, isolation=options.isolation, told=told)
        try:
            made.begin()
        except BaseException:
            ledger.close()
            raise
        return ledger, made

    try:
        ledger, made = await loop.run_in_executor(thread, begin)  # a ledger belongs to one thread
        try:
            async with _page(made, options, store, feedback) as url:
                if options.as_json:
                    emit({"league": league.cup.name, "page": f"{url}league"})
                    sys.stdout.flush()
                click.echo(f"the league {league.cup.name} is at {url}league", err=True)
                await _until_stopped(made, loop.run_in_executor(thread, made.go), asked)
        finally:
            await loop.run_in_executor(thread, ledger.close)
    finally:
        await loop.run_in_executor(thread, partial(pool.stop, now=True))  # also if it was not begun
        thread.shutdown()
    return 130 if asked.done() and asked.result() == signal.SIGINT else 0


async def _until_stopped(run: Coordinator, going: asyncio.Future[None], asked: asyncio.Future[int]) -> None:
    """Wait for a signal; then for the running games, or for another signal."""
    from touchline.drivers.runner import asked_to_stop

    try:
        await asyncio.wait((asked, going), return_when=asyncio.FIRST_COMPLETED)
        if asked.done():
            click.echo("stopping when the running games have ended; Ctrl-C again stops at once", err=True)
        run.stop()
        again = asked_to_stop()
        await asyncio.wait((again, going), return_when=asyncio.FIRST_COMPLETED)
    finally:
        run.stop(now=True)
        await going


@asynccontextmanager
async def _page(
    run: Coordinator, options: ServerOptions, store: BundleStore, feedback: Feedback
) -> AsyncIterator[str]:
    """Serve the page; yield its URL."""
    from touchline.league.front_desk import FrontDesk
    from touchline.tournament.ledger import open_ledger
    from touchline.transports.shared.addresses import TrustedProxies
    from touchline.web.app import Site
    from touchline.web.live.cups import cup_sources
    from touchline.web.live.league import LeagueDesk

    def open_desk() -> FrontDesk:
        return FrontDesk(open_ledger(options.ledger), store, run.league, run.wake)

    with open_ledger(options.ledger, readonly=True) as book:
        sources = cup_sources([(options.ledger, book)], leagues=True)
    desk = LeagueDesk(run, open_desk, feedback, sources[0].id)
    site = Site(
        names=options.host_name, proxies=TrustedProxies(options.trusted_proxy), cups=sources, league=desk,
        key=secrets.token_urlsafe(16),  # nobody plays here, or has the server think: it is for the league
    )  # fmt: skip
    try:
        yield await site.start(options.host, options.port)
    finally:
        await site.stop()
        desk.close()
