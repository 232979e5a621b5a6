"""`touchline serve` without a game: the web page alone."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

from touchline.cli import _web_page
from touchline.cli._port_records import report_failures
from touchline.cli._server_key import server_key
from touchline.cli._signing import signer_of
from touchline.cli._web_page import PageOptions
from touchline.core.errors import BadOptions
from touchline.transports.shared import descriptors

if TYPE_CHECKING:
    from touchline.records.record_folder import RecordFolder


def page_only(
    page: str | None, host: str | None, no_record: bool, no_page: bool, browse: bool,
    host_name: tuple[str, ...], trusted_proxy: tuple[str, ...], show: tuple[str, ...],
    cup: tuple[str, ...], public: bool,
    key: str | None, open_to_all: bool, grace: float,
    record: str | None, sign: str | None, minutes: float | None,
) -> int:  # fmt: skip
    """Serve the page alone; people create tables of any game on it."""
    from touchline.drivers.runner import run
    from touchline.records.record_folder import RecordFolder

    looks = PageOptions(
        page=page, host=host, no_record=no_record, no_page=no_page, browse=browse, host_name=host_name,
        trusted_proxy=trusted_proxy, show=show, cup=cup,
    )  # fmt: skip
    if no_page:
        raise BadOptions("--no-page needs a game: touchline serve GAME --no-page")
    looks.place(public=public)
    public = looks.admits_others(public=public)
    key = server_key(public=public, key=key, open_to_all=open_to_all)
    files = RecordFolder(record, signer_of(sign))
    return report_failures(files, run(_serve_page(looks, files, grace, public, minutes, key)))


async def _serve_page(
    looks: PageOptions,
    files: RecordFolder,
    grace: float,
    public: bool,
    minutes: float | None,
    key: str | None,
) -> int:
    import asyncio

    from touchline.drivers.runner import asked_to_stop

    descriptors.raise_limit()
    asked = asked_to_stop()
    page = await _web_page.opened(looks, public=public, files=files, key=key)
    if page is None:
        return 2
    _web_page.announce(page[1], looks, key)
    seconds = None if minutes is None else 60 * minutes
    done, _ = await asyncio.wait({asked}, timeout=seconds)
    number = asked.result() if done else signal.SIGTERM
    again = asked_to_stop()
    stopping = asyncio.ensure_future(page[0].stop(grace))
    await asyncio.wait((stopping, again), return_when=asyncio.FIRST_COMPLETED)
    if again.done():
        stopping.cancel()
        await page[0].stop()
    return 130 if number == signal.SIGINT else 0
