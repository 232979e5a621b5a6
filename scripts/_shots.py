"""Make screenshots of every page (`scripts/shots`), from a server with fixed seeds and real matches.

A scene leads a browser to what is to be seen; each is shot in four looks. A scene that fails is reported, and
the others are still made.
"""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from html import escape
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import urlsplit

from playwright.sync_api import Error as BrowserError
from playwright.sync_api import sync_playwright

from touchline.cli._library_checks import chromium

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / ".artefacts" / "shots"
STARTING = 60
"""Seconds."""
LOOKS: dict[str, dict[str, Any]] = {
    "light": {"viewport": {"width": 1280, "height": 800}, "color_scheme": "light"},
    "dark": {"viewport": {"width": 1280, "height": 800}, "color_scheme": "dark"},
    "phone": {
        "viewport": {"width": 390, "height": 844}, "color_scheme": "light", "device_scale_factor": 2,
        "has_touch": True, "is_mobile": True,
    },
    "wide": {"viewport": {"width": 1920, "height": 1080}, "color_scheme": "light"},
}  # fmt: skip
GAMES: dict[str, tuple[dict[str, Any], int, int]] = {
    "fish": ({"rows": 8, "cols": 8}, 2, 26),
    "hexapawn": ({"rows": 5, "cols": 5}, 2, 8),
    "labyrinth": ({"rows": 7, "cols": 7, "goals": 6}, 3, 18),
}
"""Options, seats, and a turn late in the game."""
CROWDED: dict[str, tuple[dict[str, Any], int]] = {
    "fish": ({"rows": 8, "cols": 8}, 4),
    "hexapawn": ({"rows": 8, "cols": 8}, 2),
    "labyrinth": ({"rows": 11, "cols": 11, "goals": 4}, 4),
}
"""The largest boards that people play on a page."""
SEEDED = """
import random, sys, types
import touchline.drivers.match as match
bits = random.Random(18).getrandbits
match.secrets = types.SimpleNamespace(randbits=bits, token_hex=lambda n: f"{bits(8 * n):0{2 * n}x}")
from touchline.cli.main import main
sys.exit(main())
"""
"""The command line, with seeds that are the same each time."""
CUP = """
name = "Spring cup"
game = {name = "hexapawn", rows = 4, cols = 4}
format = {name = "round_robin", games = 4}
seed = 5
[[entrants]]
name = "Chance"
player = "random"
[[entrants]]
name = "Greed"
player = "greedy"
[[entrants]]
name = "Foresight"
player = "minimax:depth=3"
[[entrants]]
name = "Patience"
player = "minimax:depth=2"
"""
BOT = b"""class First:
    def choose(self, view, turn):
        return view.legal_moves()[0]
"""
LEAGUE = """
name = "Autumn league"
seed = 3
game = {name = "hexapawn", rows = 4, cols = 4}
clock = {seconds = 2}
quotas = {games = 12}
"""


# -- the server -------------------------------------------------------------------------------------


class Server:
    """`touchline serve` as a process, and its API."""

    def __init__(self, *words: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", SEEDED, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self._said: list[str] = []
        self._found = threading.Event()
        self.url = ""
        for stream in (self._process.stdout, self._process.stderr):
            threading.Thread(target=self._listen, args=(stream,), daemon=True).start()
        if not self._found.wait(STARTING) or not self.url:
            raise SystemExit(f"the server did not start: {''.join(self._said)}")
        self._host = urlsplit(self.url).netloc

    def _listen(self, stream: Any) -> None:
        for line in stream:
            self._said.append(line)
            if not self.url and "http://" in line:
                address = line[line.index("http://") :].split()[0].split('"')[0]
                self.url = "http://" + urlsplit(address).netloc
                self._found.set()
        self._found.set()

    def ask(self, method: str, path: str, body: Any = None, token: str = "") -> Any:
        """Return the answer of the API: JSON as a value, anything else as bytes."""
        connection = HTTPConnection(self._host, timeout=120)
        kind = "application/octet-stream" if isinstance(body, bytes) else "application/json"
        headers = {"Content-Type": kind, **({"Authorization": f"Bearer {token}"} if token else {})}
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        connection.request(method, path, data, headers)
        answer = connection.getresponse()
        read = answer.read()
        connection.close()
        if answer.status >= 400:
            raise LookupError(f"{method} {path}: {answer.status} {read[:300].decode(errors='replace')}")
        return json.loads(read) if answer.headers.get_content_type() == "application/json" else read

    def lines(self, path: str, token: str) -> Iterator[Any]:
        """Yield what a live feed says."""
        connection = HTTPConnection(self._host, timeout=120)
        connection.request("GET", path, headers={"Authorization": f"Bearer {token}"})
        answer = connection.getresponse()
        try:
            while line := answer.readline():
                if line.strip():
                    yield json.loads(line)
        finally:
            connection.close()

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self.kill()


@contextmanager
def served(*words: str) -> Iterator[Server]:
    server = Server(*words)
    try:
        yield server
    finally:
        server.stop()


# -- tables, and somebody who plays at them ---------------------------------------------------------


@dataclass
class Seat:
    """A table with somebody at it."""

    table: str
    token: str = ""

    @property
    def link(self) -> str:
        return f"/#table={self.table}" + (f"&token={self.token}" if self.token else "")


@dataclass
class Stage:
    """What scenes are shot at: a server with tables, a record, a cup and a league."""

    server: Server
    cup: str = ""
    league: Server | None = None
    offers: dict[str, Any] = field(default_factory=dict)
    records: dict[str, str] = field(default_factory=dict)
    seats: list[Seat] = field(default_factory=list)
    """The seats of the scene that is shot."""

    def house(self, game: str, level: int = 0) -> dict[str, Any]:
        """Return a house player that answers quickly."""
        offer = self.offers[game]
        if levels := offer.get("levels"):
            return {"kind": "house", "level": levels[min(level, len(levels) - 1)]["level"]}
        quick = [one for one in offer["house"] if one["player"] in ("greedy", "euclid")] or offer["house"]
        return {"kind": "house", "player": quick[0]["player"], "options": quick[0]["options"]}

    def table(self, game: str, options: dict[str, Any], seats: list[dict[str, Any]], **terms: Any) -> Seat:
        new = {"game": game, "options": options, "pace": 0, "clock": None, "seats": seats, **terms}
        made = self.server.ask("POST", "/api/tables", new)
        seat = Seat(made["table"]["id"], *(ticket["token"] for ticket in made["seats"][:1]))
        self.seats.append(seat)
        return seat

    def leave(self) -> None:
        """Give up the seats of a scene: a visitor has only so many tables at a time."""
        for seat in self.seats:
            with suppress(LookupError):  # the match is over
                self.server.ask("POST", f"/api/tables/{seat.table}/resign", {}, seat.token)
        self.seats.clear()

    def against_house(self, game: str, options: dict[str, Any], seats: int) -> Seat:
        others = [self.house(game, at) for at in range(seats - 1)]
        return self.table(game, options, [{"kind": "me", "name": "Ann"}, *others])

    def play(self, seat: Seat, game: str, until: int | None) -> Seat:
        """Play as a house player advises, until this turn is asked for, or to the end."""
        adviser = self._adviser(game)
        for line in self.server.lines(f"/api/tables/{seat.table}/watch", seat.token):
            now = line.get("now")
            if now is None:
                continue
            if now["result"] is not None or (
                until is not None and now["turn"] >= until and now["you"]["asked"]
            ):
                break
            if now["you"] is not None and now["you"]["asked"]:
                self._move(seat, now["you"]["turn"], adviser)
        return seat

    def _adviser(self, game: str) -> dict[str, Any]:
        quick = [one for one in self.offers[game]["house"] if one["player"] in ("greedy", "euclid")]
        return {name: quick[0][name] for name in ("player", "options")} if quick else {}

    def _move(self, seat: Seat, turn: int, adviser: dict[str, Any]) -> None:
        path = f"/api/tables/{seat.table}"
        try:
            choice = self.server.ask("POST", f"{path}/hint", adviser, seat.token)["choice"]
        except LookupError:  # no adviser, or too slow: any move will do
            choice = 0
        self.server.ask("POST", f"{path}/move", {"turn": turn, "choice": choice}, seat.token)

    def record(self, game: str) -> str:
        """Return the id of the record of a whole match."""
        if game not in self.records:
            options, seats, _ = GAMES[game]
            seat = self.play(self.against_house(game, options, seats), game, None)
            for _ in range(100):
                found = self.server.ask("GET", f"/api/tables/{seat.table}")["table"]["record"]
                if found:
                    break
                time.sleep(0.05)
            self.records[game] = found
        return self.records[game]


# -- scenes -----------------------------------------------------------------------------------------

Lead: TypeAlias = "Callable[[Stage, Page], None]"
"""Leads a browser to what is to be seen."""
Scene: TypeAlias = "Callable[[Stage], Lead]"
SCENES: dict[str, Scene] = {}
"""Each prepares what it shows, once, and returns what leads a browser there, for each look."""


def scene(name: str) -> Callable[[Scene], Scene]:
    def keep(prepare: Scene) -> Scene:
        SCENES[name] = prepare
        return prepare

    return keep


def at(path: str, *waits: str, base: str = "") -> Lead:
    """Lead a browser to a path, and wait for these selectors."""

    def go(stage: Stage, page: Page) -> None:
        page.goto((base or stage.server.url) + path)
        for wait in ("main", *waits):
            page.locator(wait).first.wait_for()

    return go


@scene("lobby")
def _lobby(stage: Stage) -> Lead:
    stage.table("fish", {}, [{"kind": "me", "name": "Bob"}, {"kind": "open"}])
    stage.table("labyrinth", {}, [{"kind": "me", "name": "Cleo"}, {"kind": "open"}, {"kind": "open"}])
    stage.record("hexapawn")
    return at("/", "[data-table]", ".hero use")


@scene("new-table")
def _new_table(stage: Stage) -> Lead:
    def go(stage: Stage, page: Page) -> None:
        at("/")(stage, page)
        page.get_by_role("button", name="New table").first.click()
        page.get_by_role("dialog").first.wait_for()

    return go


@scene("waiting")
def _waiting(stage: Stage) -> Lead:
    seat = stage.table("fish", {}, [{"kind": "me", "name": "Ann"}, {"kind": "open"}])
    return at(seat.link, 'main[data-status="open"]')


def _tables(game: str) -> None:
    options, seats, late = GAMES[game]

    @scene(f"{game}-1-opening")
    def _opening(stage: Stage) -> Lead:
        return at(stage.against_house(game, options, seats).link, "main[data-asked]", "[data-spot]")

    @scene(f"{game}-2-picked")
    def _picked(stage: Stage) -> Lead:
        turn = 10 if game == "fish" else 4
        seat = stage.play(stage.against_house(game, options, seats), game, turn)

        def go(stage: Stage, page: Page) -> None:
            at(seat.link, "main[data-asked]", "[data-spot]")(stage, page)
            page.locator('[data-legal="next"]:not([data-spot="pass"])').first.click(force=True)
            page.locator("[data-picked]").first.wait_for()

        return go

    @scene(f"{game}-3-late")
    def _late(stage: Stage) -> Lead:
        seat = stage.play(stage.against_house(game, options, seats), game, late)
        return at(seat.link, "[data-spot]")

    @scene(f"{game}-4-end")
    def _end(stage: Stage) -> Lead:
        seat = stage.play(stage.against_house(game, options, seats), game, None)
        return at(seat.link, 'main[data-status="finished"]', "[data-spot]")

    @scene(f"{game}-5-large")
    def _large(stage: Stage) -> Lead:
        big, players = CROWDED[game]
        return at(stage.against_house(game, big, players).link, "main[data-asked]", "[data-spot]")

    @scene(f"{game}-6-replay")
    def _replay(stage: Stage) -> Lead:
        return at(f"/#record={stage.record(game)}&n={late}", "[data-spot]")

    @scene(f"{game}-7-rules")
    def _rules(stage: Stage) -> Lead:
        return at(f"/#rules={game}")

    @scene(f"{game}-8-tutorial")
    def _tutorial(stage: Stage) -> Lead:
        return at(f"/#tutorial={game}")


for _game in GAMES:
    _tables(_game)


@scene("replay-analysis")
def _analysis(stage: Stage) -> Lead:
    record = stage.record("hexapawn")
    stage.server.ask("GET", f"/api/records/{record}/analysis")

    def go(stage: Stage, page: Page) -> None:
        at(f"/#record={record}", "[data-spot]")(stage, page)
        page.get_by_role("button", name="Analyse").first.click()
        page.locator("svg.chart, [data-analysis], figure svg").first.wait_for()

    return go


@scene("cup")
def _cup(stage: Stage) -> Lead:
    return at(f"/#cup={stage.cup}")


@scene("league")
def _league(stage: Stage) -> Lead:
    assert stage.league is not None
    for _ in range(600):
        if stage.league.ask("GET", "/api/league")["league"]["games"] >= 12:
            break
        time.sleep(0.1)
    return at("/league", "[data-version]", base=stage.league.url)


@scene("missing")
def _missing(stage: Stage) -> Lead:
    return at("/foo")


@scene("gone")
def _gone(stage: Stage) -> Lead:
    return at("/#table=0123456789", "h1")


@scene("shared-link")
def _shared(stage: Stage) -> Lead:
    seat = stage.table("fish", {}, [{"kind": "me", "name": "Ann"}, {"kind": "open"}])
    return at(f"/t/{seat.table}", 'main[data-status="open"]')


# -- shooting ---------------------------------------------------------------------------------------


class Camera:
    """Shoots scenes in the looks that were asked for."""

    def __init__(self, browser: Browser, folder: Path, looks: list[str]) -> None:
        self._browser, self._folder, self._looks = browser, folder, looks
        self.failed: list[str] = []
        self.made: list[str] = []

    def shoot(self, name: str, stage: Stage) -> None:
        """Shoot a scene in every look."""
        try:
            go = SCENES[name](stage)
        except (LookupError, AssertionError, OSError) as error:
            self._fail(name, error)
            return
        for look in self._looks:
            context = self._browser.new_context(reduced_motion="reduce", **LOOKS[look])
            page = context.new_page()
            page.set_default_timeout(15_000)
            try:
                go(stage, page)
                self.keep(page, f"{name}-{look}")
            except (BrowserError, LookupError) as error:
                self._fail(f"{name}-{look}", error)
                page.screenshot(path=self._folder / f"{name}-{look}-FAILED.png")
            finally:
                context.close()
        stage.leave()

    def lost(self, stage: Stage) -> None:
        """Shoot tables whose server was killed while they were looked at."""
        with ExitStack() as contexts:
            pages = {}
            for look in self._looks:
                context = contexts.enter_context(
                    self._browser.new_context(reduced_motion="reduce", **LOOKS[look])
                )
                pages[look] = context.new_page()
                seat = stage.play(stage.against_house("fish", {}, 2), "fish", 10)
                at(seat.link, "[data-spot]")(stage, pages[look])
            stage.server.kill()
            for look, page in pages.items():
                try:
                    page.locator('main[data-link="lost"]').wait_for(timeout=15_000)
                    page.wait_for_timeout(1500)
                    self.keep(page, f"lost-{look}")
                except BrowserError as error:
                    self._fail(f"lost-{look}", error)

    def keep(self, page: Page, name: str) -> None:
        """Shoot what fits on the screen when nothing moves any more, and all of a long page."""
        page.wait_for_timeout(600)
        page.screenshot(path=self._folder / f"{name}.png")
        self.made.append(name)
        if page.evaluate("document.documentElement.scrollHeight > innerHeight + 8"):
            page.screenshot(path=self._folder / f"{name}-whole.png", full_page=True)
            self.made.append(f"{name}-whole")

    def _fail(self, name: str, error: BaseException) -> None:
        self.failed.append(name)
        print(
            f"{name}: {str(error).splitlines()[0] if str(error) else type(error).__name__}", file=sys.stderr
        )

    def files(self, stage: Stage) -> None:
        """Keep what people share: cards, films and pictures."""
        for game in GAMES:
            record = stage.record(game)
            wanted = {
                "card.png": "card.png", "gif": "film.gif", "webp": "film.webp", "png?n=6": "picture.png",
                "svg?n=6": "picture.svg", "svg?n=6&theme=dark": "picture-dark.svg",
            }  # fmt: skip
            for path, name in wanted.items():
                try:
                    data = stage.server.ask("GET", f"/api/records/{record}/{path}")
                    (self._folder / f"{game}-9-{name}").write_bytes(data)
                except LookupError as error:
                    self._fail(f"{game}-9-{name}", error)

    def contact_sheet(self) -> None:
        """Write a page that shows all shots."""
        shots = "".join(
            f'<figure><a href="{name}.png"><img src="{name}.png" loading="lazy" width="360"></a>'
            f"<figcaption>{escape(name)}</figcaption></figure>"
            for name in self.made
        )
        style = "body{font:14px system-ui;display:flex;flex-wrap:wrap;gap:12px}figure{margin:0}"
        page = f"<!doctype html><meta charset=utf-8><title>Shots</title><style>{style}</style>{shots}"
        (self._folder / "index.html").write_text(page)


@contextmanager
def staged(folder: Path, wanted: list[str]) -> Iterator[Stage]:
    """Start the servers, with a cup and a league if they are wanted."""
    (folder / "cup.toml").write_text(CUP)
    (folder / "league.toml").write_text(LEAGUE)
    words = [sys.executable, "-m", "touchline", "tournament", "run", str(folder / "cup.toml")]
    subprocess.run(words, check=True, capture_output=True)
    shows = ["fish greedy greedy", "labyrinth euclid riemann", "hexapawn greedy minimax"]
    with ExitStack() as stack:
        server = stack.enter_context(
            served(
                "serve", "--page", "127.0.0.1:0", "--grace", "0", "--record", str(folder / "records"),
                "--cup", str(folder / "cup.db"), *(word for show in shows for word in ("--show", show)),
            )
        )  # fmt: skip
        stage = Stage(server, server.ask("GET", "/api/cups")["cups"][0]["id"])
        stage.offers = {offer["name"]: offer for offer in server.ask("GET", "/api/games")["games"]}
        if any("league" in name for name in wanted):
            words = [sys.executable, "-m", "touchline", "league", "token", str(folder / "league.toml"), "Ann"]
            token = subprocess.run(words, check=True, capture_output=True, text=True).stdout.split()[-1]
            weak = ["--isolation", "none", "--allow-weak-isolation", "--on", "here"]
            stage.league = stack.enter_context(
                served("league", "serve", str(folder / "league.toml"), "--port", "0", "--json", *weak)
            )
            stage.league.ask("POST", "/api/league/versions?name=bot.py", BOT, token)
        yield stage


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/shots", description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER, help="where the pictures go")
    parser.add_argument(
        "--only", action="append", default=[], metavar="TEXT", help="scenes with this in their name"
    )
    parser.add_argument("--looks", default=",".join(LOOKS), help="some of: %(default)s")
    parser.add_argument("--list", action="store_true", help="list the scenes")
    given = parser.parse_args()
    names = [*SCENES, "files", "lost"]
    if given.list:
        print("\n".join(names))
        return 0
    wanted = [name for name in names if not given.only or any(text in name for text in given.only)]
    given.folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as scratch,
        staged(Path(scratch), wanted) as stage,
        sync_playwright() as play,
    ):
        browser = play.chromium.launch(
            executable_path=chromium(), args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        camera = Camera(browser, given.folder, given.looks.split(","))
        for name in wanted:
            begin = time.monotonic()
            if name == "lost":
                camera.lost(stage)  # the last: it kills the server
            elif name == "files":
                camera.files(stage)
            else:
                camera.shoot(name, stage)
            print(f"{name}: {time.monotonic() - begin:.1f} s", file=sys.stderr)
        camera.contact_sheet()
        browser.close()
    print(
        f"{len(camera.made)} pictures in {given.folder}"
        + (f"; failed: {', '.join(camera.failed)}" if camera.failed else "")
    )
    return 1 if camera.failed else 0


if __name__ == "__main__":
    sys.exit(main())
