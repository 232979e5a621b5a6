/** The lobby: what this is, a game in one click, my games, tables to watch, cups, and records. */

import { Live, dropRecord, get, offers } from "./api.js";
import { announce, clear, h, mark, say, segmented } from "./dom.js";
import { levelWord, levelsOf, titleOf } from "./levels.js";
import { againstHouse, atOneScreen, makeTable, withFriend } from "./new_table.js";
import { keepLevel, keptSeat, keptTables, myLevel } from "./storage.js";

const REFRESH = 2000;
const [MINE, WATCHED, FINISHED, RECORDS] = [5, 8, 24, 20];
const theme = () => document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
const COUNTS = ["No", "One", "Two", "Three", "Four", "Five", "Six"];

// -- a card for each game --

/** @param {any} game @param {(error: Error) => void} wrong */
function gameCard(game, wrong) {
  const title = titleOf(game);
  const levels = levelsOf(game);
  const chosen = () => levels.find(({ level }) => level === kinds?.value) ?? levels[0];
  const character = h("p");
  const show = () => {
    const { name, about } = chosen();
    clear(character, h("b", {}, name), ` – ${about}`);
  };
  const first = levels.some(({ level }) => level === myLevel(game.name)) ? myLevel(game.name) : levels[0]?.level;
  const kinds = levels.length > 1 && segmented(`Level in ${title}`, levels.map(({ level }) => [level, levelWord(level)]), first, (level) => {
    keepLevel(game.name, level);
    show();
  });
  /** A button that makes a table; it cannot be pressed twice. */
  const button = (text, label, act, how) => {
    const made = h("button", { type: "button", class: how, "aria-label": label });
    made.append(text);
    made.addEventListener("click", async () => {
      made.disabled = true;
      await act().catch(wrong);
      made.disabled = false;
    });
    return made;
  };
  if (levels.length) show();
  return h("section", { class: "card game", "data-game": game.name, "aria-label": title },
    h("div", { class: `hero ${game.name}`, "data-hero": game.name, inert: true }),
    h("div", { class: "about" }, h("h2", {}, title), h("p", {}, game.tagline)),
    h("div", { class: "go" }, kinds && kinds.element, levels.length > 0 && button("Play", `Play ${title}`, () => againstHouse(game, chosen()), "")),
    h("div", { class: "character" }, h("span", { class: "face", "data-face": game.name }), character),
    h("div", { class: "more" },
      button("With a friend", `${title} with a friend`, () => withFriend(game), "text"),
      !game.hidden && button("At one screen", `${title} at one screen`, () => atOneScreen(game), "text"),
      h("a", { class: "text", href: `#rules=${game.name}`, "aria-label": `How to play ${title}` }, "How to play")));
}

/** The sentence that says what this is, and the games. */
class Games {
  constructor(wrong) {
    this.count = h("span", {}, "Board games");
    this.heading = h("h1", { tabindex: "-1" }, this.count, ", and someone to play them with", h("span", { class: "wide" }, ": house players, friends, or a program you wrote"), ".");
    this.cards = h("div", { class: "games" });
    this.element = h("div", { class: "quick" }, this.heading, this.cards);
    this.wrong = wrong;
    this.load();
  }

  async load() {
    mark(this.cards, "aria-busy", "true");
    clear(this.cards, ...[0, 1, 2].map((at) => h("div", { class: "card game waits" }, at === 0 && h("p", { class: "faint" }, "Setting up the games …"))));
    try {
      const { games } = await offers();
      say(this.count, `${COUNTS[games.length] ?? games.length} board games`);
      clear(this.cards, ...games.map((game) => gameCard(game, this.wrong)));
      import("./hero.js").then(({ heroes }) => (this.stop = heroes(this.cards)));
    } catch (error) {
      clear(this.cards, h("div", { class: "empty stack" }, h("p", {}, `The games could not be loaded. ${error.message}`),
        h("div", {}, h("button", { type: "button", onclick: () => this.load() }, "Try again"))));
    }
    mark(this.cards, "aria-busy", null);
  }
}

// -- tables --

const since = (millis) => {
  const minutes = Math.round((Date.now() - millis) / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  return minutes < 1440 ? `${Math.round(minutes / 60)} h ago` : new Date(millis).toLocaleDateString("en", { weekday: "long", day: "numeric", month: "short" });
};

/** The result from the view of a seat: "won 40–26". */
function verdict({ verdict: kind, winners, scores, resigned, expelled }, seat) {
  if (kind === "void") return ["does not count", ""];
  if (resigned.includes(seat)) return ["you gave up", "bad"];
  if (expelled.includes(seat)) return ["you were removed", "bad"];
  const rest = scores.filter((_, other) => other !== seat);
  const points = scores.length > 1 ? ` ${scores[seat]}–${Math.max(...rest)}` : "";
  if (!winners.includes(seat)) return [`lost${points}`, "bad"];
  return winners.length > 1 ? [`shared the win${points}`, "good"] : [`won${points}`, "good"];
}

const headline = (result) => result?.headline ?? result?.says?.[0] ?? "over";

/** One table or record in a list: a picture, who plays, what goes on, and the way there. */
class Row {
  constructor(table) {
    this.seen = 0;
    this.pictured = "";
    this.image = h("img", { alt: "", width: 96, height: 72, loading: "lazy", decoding: "async" });
    this.who = h("strong");
    this.about = h("small");
    this.act = h("span", { class: "button quiet" });
    this.element = h("a", { class: "card tablecard", "data-table": table.id, "data-game": table.game }, this.image, h("span", { class: "words" }, this.who, this.about), this.act);
    this.item = h("li", {}, this.element);
    this.show(table);
  }

  show(table) {
    this.table = table;
    const kept = keptSeat(table.id);
    this.mine = Boolean(kept.token);
    const seats = kept.seats?.map(({ seat }) => seat) ?? (this.mine ? [kept.seat] : []);
    this.myTurn = table.state === "running" && seats.includes(table.to_move);
    mark(this.element, "data-status", table.state);
    mark(this.element, "data-my-turn", this.myTurn);
    this.element.href = table.record ? `#record=${table.record}` : `#table=${table.id}`;
    clear(this.who, ...table.seats.flatMap(({ name, seat }, at) => [at ? " · " : "", seats.includes(seat) && seats.length === 1 ? "You" : (name ?? h("i", {}, "a free seat"))]));
    clear(this.about, ...this.words(table, seats), table.recorded === false ? ", not recorded" : "");
    const free = table.state === "open" && !this.mine;
    say(this.act, table.state === "finished" ? "Review" : this.mine ? "Go on" : free ? "Sit down" : "Watch");
    mark(this.act, "class", this.myTurn ? "button" : "button quiet");
    if (!this.pictured) this.picture();
  }

  words(table, seats) {
    const title = titleOf({ name: table.game });
    if (table.state === "open") {
      const free = table.seats.filter((seat) => !seat.taken).length;
      return [`${title}, waiting for ${free === 1 ? "one more" : `${free} more`}`];
    }
    if (table.state === "finished") {
      const [text, kind] = seats.length === 1 && table.result?.scores?.length > seats[0] ? verdict(table.result, seats[0]) : [headline(table.result), ""];
      return [`${title}, ${since(table.ended ?? table.made)} – `, kind ? h("b", { class: kind }, text) : text];
    }
    const watching = table.watching ? `, ${table.watching} watching` : "";
    const scores = table.scores?.length === 2 && table.scores.some(Boolean) ? ` – ${table.scores.join(" to ")}` : "";
    const state = this.myTurn ? [" – ", h("b", { class: "good" }, "your turn")] : [scores];
    return [h("span", { class: "livedot" }), `${title}, turn ${table.turn + 1}`, ...state, watching];
  }

  get now() {
    return `${this.table.turn} ${this.table.state} ${theme()}`;
  }

  /** Load the picture of the current position. */
  picture() {
    this.pictured = this.now;
    const { id, past, record, state, turn } = this.table;
    this.image.src = past ? `/api/records/${record}/picture?theme=${theme()}` : `/api/tables/${id}/picture?theme=${theme()}&turn=${turn}&state=${state}`;
  }

  get stale() {
    return this.pictured !== this.now;
  }
}

/** Mine first where I am asked, then what is going on, then the newest. */
const order = (one, other) =>
  Number(other.myTurn) - Number(one.myTurn) || Number(one.table.state === "finished") - Number(other.table.state === "finished") || other.table.made - one.table.made;

/** Free seats first, then tables that people watch or play at. */
const worth = ({ table }) => (table.state === "open" ? 1000 : 0) + table.watching + table.seats.filter(({ kind }) => kind === "me" || kind === "open").length;

class LobbyPage {
  constructor() {
    /** @type {Map<string, Row>} */
    this.rows = new Map();
    /** Rows of records of my games whose tables the server has forgotten. @type {Row[]} */
    this.past = [];
    this.all = false;
    this.alert = h("p", { class: "alert", role: "alert", hidden: true });
    this.link = h("p", { class: "toast", "data-connection": true, role: "status", hidden: true }, "Connection lost; trying again …");
    const wrong = (error) => this.wrong(error);
    this.games = new Games(wrong);
    const make = h("button", { type: "button", class: "quiet", onclick: () => makeTable().catch(wrong) }, "New table");
    this.more = h("button", { type: "button", class: "text", hidden: true, onclick: () => this.showAll() });
    this.running = this.section("Running now", "Nobody is playing right now. Start a game above, or make a table and send a friend the link.", make);
    this.mine = this.section("My games", "Games you play are listed here, so that you can go on with them or look at them again.", this.more);
    this.finished = this.section("Just finished", "");
    this.records = h("ul", { class: "plainlist" });
    this.cups = h("div", { hidden: true });
    this.element = h("main", { "data-page": "lobby", class: "lobby" },
      this.link, this.alert, this.games.element,
      h("div", { class: "two" }, this.mine.element, this.running.element), this.cups, this.finished.element, this.recordPart());
    this.finished.list.classList.add("tables");
    mark(this.mine.element, "data-mine", true);
    this.finished.element.hidden = true;
    this.live = new Live("/api/lobby/live", null, { line: (line) => this.heard(line), state: (state) => (this.link.hidden = state === "live") });
    this.timer = setInterval(() => this.refreshOne(), REFRESH);
    this.dropping();
    setTimeout(() => this.showCups(), 400); // the tables load first
  }

  section(title, empty, ...actions) {
    const none = h("p", { class: "empty" }, "Looking for tables …");
    const list = h("ul", { class: "rows" });
    const element = h("section", { "aria-label": title }, h("div", { class: "row spread bar" }, h("h2", {}, title), ...actions), none, list);
    return { element, list, none, empty };
  }

  wrong(error) {
    this.alert.hidden = false;
    say(this.alert, error.message);
    this.alert.scrollIntoView({ block: "center" });
  }

  heard(line) {
    if (line.type === "lobby") {
      this.rows.clear();
      for (const table of line.tables) this.rows.set(table.id, new Row(table));
      this.listRecords();
    } else if (line.type === "gone") this.rows.delete(line.id);
    else if (line.type === "table") {
      const row = this.rows.get(line.table.id);
      const same = row && row.table.state === line.table.state;
      const asked = row?.myTurn;
      if (row) row.show(line.table);
      else {
        this.rows.set(line.table.id, new Row(line.table));
        announce(`new table: ${titleOf({ name: line.table.game })}`);
      }
      if (same && asked === row.myTurn) return;
    }
    this.arrange();
  }

  /** Put the rows into their sections. */
  arrange() {
    const rows = [...this.rows.values()];
    const mine = [...rows.filter((row) => row.mine), ...this.past].sort(order);
    const others = rows.filter((row) => !row.mine);
    const going = others.filter(({ table }) => table.state !== "finished").sort((one, other) => worth(other) - worth(one) || other.table.made - one.table.made);
    fill(this.mine, this.all ? mine : mine.slice(0, MINE));
    fill(this.running, going.slice(0, WATCHED * 6));
    fill(this.finished, others.filter(({ table }) => table.state === "finished").sort(order).slice(0, FINISHED));
    mark(this.element, "data-my-turn", mine.some((row) => row.myTurn));
    this.finished.element.hidden = !this.finished.list.children.length;
    this.more.hidden = mine.length <= MINE;
    say(this.more, this.all ? "Fewer" : `All ${mine.length}`);
  }

  showAll() {
    this.all = !this.all;
    this.arrange();
  }

  /** Refresh one stale picture, the one that has waited longest. */
  refreshOne() {
    if (document.visibilityState !== "visible") return;
    const seen = (row) => row.item.isConnected && row.image.getBoundingClientRect().top < innerHeight;
    const rows = [...this.rows.values()].filter((row) => row.stale && seen(row));
    const row = rows.sort((one, other) => one.seen - other.seen)[0];
    if (!row) return;
    row.seen = Date.now();
    row.picture();
  }

  async showCups() {
    const found = await get("/api/cups").then((told) => told.cups, () => null); // null: the section tries again
    if (found?.length === 0 || !this.element.isConnected) return;
    const part = await import("./cup.js").catch(() => null); // without a server it does not load
    if (part) this.cups.replaceWith(part.cups());
  }

  // -- records --

  recordPart() {
    const chosen = () => file.files[0] && this.drop(file.files[0]);
    const file = h("input", { type: "file", "data-drop": true, class: "unseen", tabindex: "-1", "aria-label": "A record", accept: ".jsonl,.ndjson,.json,.gz", onchange: chosen });
    return h("section", { class: "records", "aria-label": "Records" },
      h("div", { class: "row spread bar" }, h("h2", {}, "Records"), h("button", { type: "button", class: "quiet", onclick: () => file.click() }, "Open a record"), file),
      h("p", { class: "faint" }, "A record is the file of a finished game. Open one, or drop it anywhere on this page: it is played again, checked, and shown move by move."), this.records);
  }

  dropping() {
    this.over = (event) => {
      event.preventDefault();
      mark(this.element, "data-dropping", event.type === "dragover");
      if (event.type === "drop" && event.dataTransfer.files[0]) this.drop(event.dataTransfer.files[0]);
    };
    for (const kind of ["dragover", "dragleave", "drop"]) addEventListener(kind, this.over);
  }

  async drop(file) {
    try {
      location.hash = `record=${(await dropRecord(file)).id}`;
    } catch (error) {
      this.wrong(error);
    }
  }

  /** List the records that no listed table leads to; those of my tables are among my games. */
  async listRecords() {
    const { records } = await get("/api/records").catch(() => ({ records: [] }));
    const mine = new Set(keptTables());
    const loose = records.filter((record) => record.source === "dropped" || !this.rows.has(record.table));
    this.past = loose.filter(({ table }) => mine.has(table)).map((record) => new Row({
      ...record, id: record.table, record: record.id, past: true, state: "finished", turn: record.turns, ended: record.made,
      seats: record.names.map((name, seat) => ({ name, seat, taken: true })),
    }));
    clear(this.records, ...loose.filter(({ table }) => !mine.has(table)).slice(0, RECORDS).map(({ id, game, names, turns, result }) => h("li", {},
      h("a", { href: `#record=${id}` }, `${titleOf({ name: game })}: ${names.join(" · ")}`), h("small", {}, ` ${turns} turns, ${headline(result)}`))));
    this.arrange();
  }

  close() {
    this.games.stop?.();
    this.live.close();
    clearInterval(this.timer);
    for (const kind of ["dragover", "dragleave", "drop"]) removeEventListener(kind, this.over);
  }
}

/** Show these rows in a section, or say that there are none. */
function fill({ list, none, empty }, rows) {
  const items = rows.map((row) => row.item);
  const had = [...list.children];
  if (had.length !== items.length || had.some((item, at) => item !== items[at])) clear(list, ...items);
  none.hidden = items.length > 0;
  say(none, empty);
}

/** @returns {import("./app.js").Page} */
export function lobbyPage() {
  const lobby = new LobbyPage();
  return { element: lobby.element, title: "Touchline", close: () => lobby.close(), moved: () => true };
}
