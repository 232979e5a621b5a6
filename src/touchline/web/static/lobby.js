/** The lobby: quick games against house players, the live list of tables, and records. */

import { Live, dropRecord, get, offers } from "./api.js";
import { artOf } from "./art.js";
import { cups } from "./cup.js";
import { announce, clear, h, labelled, mark, s, say, select } from "./dom.js";
import { againstHouse, makeTable } from "./new_table.js";
import { keepName, keptSeat, myName } from "./storage.js";

const STATES = { open: "Waiting for players", running: "Being played", finished: "Finished" };
const REFRESH = 2000;
const MOST = { open: 60, running: 60, finished: 24 };
const theme = () => document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");

const SPOT = { key: [0, 0], x: 0, y: 0, shape: "square", fill: "light", strokes: "", label: "", pieces: [], marks: [] };

/** A picture for a game: the sample spot of its art, if it has one. */
function gameSign(game) {
  const picture = s("svg", { class: "board sign-of-game", "data-game": game, viewBox: "-52 -52 104 104", "aria-hidden": "true" });
  artOf(game, []).then((art) => {
    if (!art.sample) return;
    const spot = /** @type {any} */ ({ ...SPOT, ...art.sample });
    const [x, y] = art.stand(0, 1, spot);
    const pieces = spot.pieces.map((piece) => s("g", { transform: `translate(${x} ${y})` }, art.piece(piece, spot)));
    picture.append(...art.ground(spot, "0,0").filter(Boolean), ...pieces);
  });
  return picture;
}

/** Quick games: a card for each game. */
function quickPlay(wrong) {
  const name = h("input", { type: "text", value: myName(), maxlength: 32, autocomplete: "nickname", onchange: () => keepName(name.value) });
  const cards = h("div", { class: "games", "aria-busy": "true" });
  offers().then(({ games }) => {
    cards.removeAttribute("aria-busy");
    clear(cards, ...games.map((game) => {
      const level = select(game.house.map((offer, at) => [String(at), offer.label]), "1", { "aria-label": `Opponent in ${game.name}` });
      const play = h("button", { type: "button", "aria-label": `Play ${game.name}` }, "Play");
      play.addEventListener("click", async () => {
        play.disabled = true;
        keepName(name.value);
        await againstHouse(game, game.house[Number(level.value)], myName()).catch(wrong);
        play.disabled = false;
      });
      return h("section", { class: "card game", "data-game": game.name },
        gameSign(game.name), h("h2", {}, game.name), h("p", {}, game.about), h("div", { class: "row" }, level, play));
    }));
  }).catch(wrong);
  return h("section", { class: "quick" },
    h("div", { class: "row spread" }, h("h1", { tabindex: "-1" }, "Play a house player"), labelled("Your name", name)), cards);
}

const since = (millis) => {
  const minutes = Math.round((Date.now() - millis) / 60_000);
  if (minutes < 1) return "just now";
  return minutes < 60 ? `${minutes} min ago` : `${Math.round(minutes / 60)} h ago`;
};

/** One table in the list. */
class Row {
  constructor(table) {
    this.seen = 0;
    this.pictured = "";
    this.image = h("img", { alt: "", width: 112, height: 84, loading: "lazy", decoding: "async" });
    this.head = h("strong");
    this.who = h("span", { class: "names" });
    this.about = h("small");
    this.element = h("a", { class: "card tablecard", "data-table": table.id, "data-game": table.game },
      this.image, h("span", { class: "words" }, this.head, this.who, this.about));
    this.item = h("li", {}, this.element);
    this.show(table);
  }

  show(table) {
    this.table = table;
    const mine = keptSeat(table.id).token && table.state !== "finished";
    mark(this.element, "data-status", table.state);
    this.element.href = table.record ? `#record=${table.record}` : `#table=${table.id}`;
    say(this.head, table.game);
    say(this.who, table.seats.map((seat) => seat.name ?? "open seat").join(" · "));
    const free = table.seats.filter((seat) => !seat.taken).length;
    const words = {
      open: `${free} ${free === 1 ? "seat is" : "seats are"} free, ${since(table.made)}`,
      running: `turn ${table.turn}${table.watching ? `, ${table.watching} watching` : ""}`,
      finished: `${table.result?.says[0] ?? "over"}, ${since(table.ended ?? table.made)}`,
    }[table.state];
    const lost = table.recorded === false ? ", not recorded" : "";
    say(this.about, `${mine ? "your seat – " : ""}${words}${lost}`);
    this.image.hidden = table.state === "open";
    if (!this.image.hidden && !this.pictured) this.picture();
  }

  /** Load the picture of the current position. */
  picture() {
    this.pictured = `${this.table.turn} ${this.table.state} ${theme()}`;
    this.image.src = this.table.record
      ? `/api/records/${this.table.record}/svg?theme=${theme()}`
      : `/api/tables/${this.table.id}/svg?theme=${theme()}&turn=${this.table.turn}`;
  }

  get stale() {
    return this.table.state !== "open" && this.pictured !== `${this.table.turn} ${this.table.state} ${theme()}`;
  }
}

class LobbyPage {
  constructor() {
    /** @type {Map<string, Row>} */
    this.rows = new Map();
    this.alert = h("p", { class: "alert", role: "alert", hidden: true });
    this.link = h("p", { class: "toast", "data-connection": true, role: "status", hidden: true }, "Connection lost; trying again …");
    this.filter = select([["", "All games"]], "", { onchange: () => this.arrange() });
    this.lists = Object.fromEntries(Object.keys(STATES).map((state) => [state, h("ul", { class: "tables" })]));
    this.sections = Object.fromEntries(Object.entries(STATES).map(([state, title]) =>
      [state, h("section", { hidden: true, "aria-label": title }, h("h2", {}, title), this.lists[state])]));
    this.records = h("ul", { class: "plainlist" });
    this.none = h("p", { class: "faint" }, "No tables yet. Make one, or play the house.");
    const wrong = (error) => this.wrong(error);
    const make = h("button", { type: "button", onclick: () => makeTable(this.filter.value).catch(wrong) }, "New table");
    this.element = h("main", { "data-page": "lobby", class: "lobby" },
      this.link, this.alert, quickPlay(wrong),
      h("div", { class: "row spread bar" }, h("h2", {}, "Tables"), h("div", { class: "row" }, labelled("Show", this.filter), make)),
      this.none, this.sections.open, this.sections.running, cups(), this.sections.finished, this.recordPart());
    offers().then(({ games }) => this.filter.append(...games.map((game) => h("option", { value: game.name }, game.name)))).catch(() => {});
    this.live = new Live("/api/lobby/live", null, { line: (line) => this.heard(line), state: (state) => (this.link.hidden = state === "live") });
    this.timer = setInterval(() => this.refreshOne(), REFRESH);
    this.dropping();
  }

  wrong(error) {
    this.alert.hidden = false;
    say(this.alert, error.message);
  }

  heard(line) {
    if (line.type === "lobby") {
      this.rows.clear();
      for (const table of line.tables) this.rows.set(table.id, new Row(table));
      this.listRecords();
    } else if (line.type === "gone") this.rows.delete(line.id);
    else if (line.type === "table") {
      const row = this.rows.get(line.table.id);
      if (row && row.table.state === line.table.state) {
        row.show(line.table);
        return;
      }
      if (row) row.show(line.table);
      else {
        this.rows.set(line.table.id, new Row(line.table));
        announce(`new table: ${line.table.game}`);
      }
    }
    this.arrange();
  }

  /** Put the rows into their sections, the newest first. */
  arrange() {
    const wanted = [...this.rows.values()]
      .filter(({ table }) => !this.filter.value || table.game === this.filter.value)
      .sort((one, other) => other.table.made - one.table.made);
    for (const state of Object.keys(STATES)) {
      const items = wanted.filter((row) => row.table.state === state).slice(0, MOST[state]).map((row) => row.item);
      const [had, has] = [[...this.lists[state].children], items];
      if (had.length !== has.length || had.some((item, at) => item !== has[at])) clear(this.lists[state], ...items);
      this.sections[state].hidden = !items.length;
    }
    this.none.hidden = wanted.length > 0;
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

  // -- records --

  recordPart() {
    const chosen = () => file.files[0] && this.drop(file.files[0]);
    const file = h("input", { type: "file", "data-drop": true, accept: ".jsonl,.ndjson,.json,.gz", onchange: chosen });
    return h("section", { class: "records", "aria-label": "Records" }, h("h2", {}, "Records"),
      h("div", { class: "dropzone" }, labelled("Open a record", file, "or drop the file anywhere on this page; it is played again and checked")), this.records);
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

  /** List the records that no listed table leads to. */
  async listRecords() {
    const { records } = await get("/api/records").catch(() => ({ records: [] }));
    const dropped = records.filter((record) => record.source === "dropped" || !this.rows.has(record.table)).slice(0, 20);
    clear(this.records, ...dropped.map(({ id, game, names, turns, result }) => h("li", {},
      h("a", { href: `#record=${id}` }, `${game}: ${names.join(" · ")}`),
      h("small", {}, ` ${turns} turns, ${result.says[0] ?? result.reason}`))));
  }

  close() {
    this.live.close();
    clearInterval(this.timer);
    for (const kind of ["dragover", "dragleave", "drop"]) removeEventListener(kind, this.over);
  }
}

/** @returns {import("./app.js").Page} */
export function lobbyPage() {
  const lobby = new LobbyPage();
  return { element: lobby.element, title: "Touchline", close: () => lobby.close(), moved: () => true };
}
