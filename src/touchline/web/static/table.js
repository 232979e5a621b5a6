/** A live table: the waiting room, the match, and its result. */

import { Live, post } from "./api.js";
import { artOf } from "./art.js";
import { Board } from "./board.js";
import { Clocks } from "./clock.js";
import { announce, clear, confirmed, copyButton, h, mark, say } from "./dom.js";
import { Log } from "./log.js";
import { Picker } from "./picker.js";
import { RestartNote, listed } from "./restart_note.js";
import { dropSeat, keepSeat, keptSeat } from "./storage.js";
import { Seats } from "./seats.js";
import { patched, byKey } from "./spots.js";
import { terms } from "./terms.js";
import { waitingRoom } from "./waiting_room.js";

const GONE = {
  missing: "There is no such table; finished tables are removed after a while.",
  closed: "This table was closed before it began.",
  bad: "The server could not read a message of this page; reload it.",
};

const MOVING = {
  away: "is to move, but away",
  waking: "is being compiled: this happens once, and no clock runs",
};
const UNRECORDED = "This match is not recorded: the server cannot write its file.";
const KEYS = "Arrow keys move, Enter picks, Escape takes back, N goes to the next legal spot";

class TablePage {
  /** @param {string} id */
  constructor(id) {
    this.id = id;
    this.kept = keptSeat(id);
    this.element = h("main", { "data-page": "table", "data-status": "open", "data-link": "lost", class: "table" },
      h("h1", { tabindex: "-1", class: "unseen" }, "Table"), h("p", { class: "plain" }, "Coming to the table …"));
    this.alert = h("p", { class: "alert", role: "alert", hidden: true });
    this.link = h("div", { class: "alert", "data-connection": true, role: "status", hidden: true });
    this.restart = new RestartNote();
    this.paused = this.unheard = false;
    /** @type {Board | null} */
    this.board = null;
    this.clocks = new Clocks();
    this.log = new Log();
    this.busy = Promise.resolve();
    this.connect();
  }

  connect() {
    this.live?.close();
    const first = this.kept.token ? { type: "seat", token: this.kept.token } : { type: "watch" };
    // Lines are handled in order, even while the first waits for the game's art.
    const line = (said) => (this.busy = this.busy.then(() => this.heard(said)));
    this.live = new Live(`/api/tables/${encodeURIComponent(this.id)}/live`, first, { line, state: (state, message) => this.linked(state, message) });
  }

  close() {
    this.live.close();
    this.clocks.stop();
    this.restart.hide();
  }

  // -- the connection --

  linked(state, message) {
    mark(this.element, "data-link", state === "live" || state === "lost" ? state : "over");
    if (state === "no_seat") {
      dropSeat(this.id);
      this.kept = {};
      this.connect();
      return;
    }
    if (state === "live" || state === "over") {
      if (!this.link.hidden && state === "live") announce("connected again");
      this.link.hidden = true;
      return;
    }
    this.link.hidden = false;
    this.link.className = state === "lost" ? "toast" : "alert";
    if (state === "lost") this.restart.hide();
    if (state === "taken") {
      clear(this.link, "This seat is played in another window. ", h("button", { type: "button", onclick: () => this.connect() }, "Play it here"));
    } else if (state === "lost") {
      clear(this.link, `Connection lost${message ? ` (${message})` : ""}; trying again …`);
      announce("connection lost; trying again");
    } else if (!this.board) {
      clear(this.element,
        h("h1", { tabindex: "-1" }, "No table"), h("p", {}, GONE[state] ?? message), h("a", { class: "button", href: "#" }, "To the lobby"));
      this.element.classList.add("plain");
      announce(GONE[state] ?? message);
    } else clear(this.link, GONE[state] ?? message);
  }

  async heard(line) {
    if (line.type === "table") this.waiting(line.table);
    else if (line.type === "snapshot") await this.begin(line);
    else if (line.type === "update" && this.board) this.update(line);
    else if (line.type === "heard" && line.verdict === "rejected") this.refused(line.reason ?? "the referee rejected the move");
  }

  waiting(table) {
    this.table = table;
    mark(this.element, "data-status", "open");
    this.fill(this.link, waitingRoom(table, this.kept, (seated) => {
      const [{ token, seat }] = seated.seats;
      keepSeat(this.id, { token, seat });
      this.kept = keptSeat(this.id);
      this.connect();
    }));
  }

  /** Replace the content; if it had the focus, focus the new heading. */
  fill(...content) {
    const focused = this.element.contains(document.activeElement);
    clear(this.element, ...content);
    if (focused) this.element.querySelector("h1").focus();
  }

  // -- the match --

  async begin(line) {
    const other = this.me !== line.seat; // a spectator has taken a seat
    this.table = line.table;
    this.me = line.seat;
    this.terms = line.terms;
    this.names = line.table.seats.map((seat) => seat.name ?? `seat ${seat.seat}`);
    this.spots = byKey(line.spots);
    mark(this.element, "data-me", line.seat);
    if (!this.board || other) {
      await this.furnish(line);
      this.question = "";
    }
    this.log.reset(line.log);
    this.board.show(this.spots, { animate: false });
    this.unheard = this.sent; // a move of before the connection was lost may not have arrived
    this.restart.follow(line.log, line.now, this.names);
    this.stand(line);
  }

  async furnish(line) {
    const art = await artOf(line.table.game, line.spots);
    const plays = line.seat !== null;
    this.picker = new Picker(art);
    this.board = new Board(line.table.game, art, {
      names: this.names,
      pick: plays ? (key) => this.pick(key) : undefined,
      back: () => this.back(),
      shortcut: plays && art.shortcut ? { key: art.shortcut.key, act: () => this.shortcut() } : undefined,
    });
    this.seats = new Seats(line.table.seats, line.seat, line.terms.clock ? this.clocks : null);
    this.status = h("p", { class: "status", "data-result": false });
    this.notes = h("ul", { class: "notes" });
    this.advice = h("p", { class: "advice" });
    this.actions = this.hands(plays, art);
    this.fill(
      h("header", { class: "title" }, h("h1", { tabindex: "-1" }, line.table.game), this.status),
      this.link, this.restart.element, this.alert,
      h("div", { class: "stage" }, this.board.element, this.advice,
        plays && h("p", { class: "keys", id: "keys" }, `${[KEYS, art.shortcut?.help].filter(Boolean).join(", ")}.`)),
      h("div", { class: "side" }, this.seats.element, this.actions.element, this.notes,
        h("h2", {}, "What happened"), this.log.list, terms(line.terms, line.table)));
    this.element.classList.remove("plain");
    document.title = `${line.table.game}: ${this.names.join(", ")}`;
  }

  /** The buttons. */
  hands(plays, art) {
    const button = (text, act, how = "quiet") => h("button", { type: "button", class: how, onclick: act, hidden: true }, text);
    const parts = {
      back: button("Take back", () => this.back()),
      shortcut: button(art.shortcut?.text ?? "", () => this.shortcut()),
      hint: button("Hint", () => this.hint()),
      resign: button("Resign", () => this.resign()),
      again: button("Play again", () => this.again(), ""),
      replay: h("a", { class: "button", hidden: true }, "Replay"),
    };
    const links = [copyButton("Copy the link", () => `${location.origin}/#table=${this.id}`)];
    links[0].title = "A link to watch this table";
    if (plays) {
      links.push(copyButton("Copy my seat", () => `${location.origin}/#table=${this.id}&token=${this.kept.token}`));
      links[1].title = "A link to go on with this seat elsewhere: keep it to yourself";
    }
    return { ...parts, seat: links[1], element: h("div", { class: "actions" }, ...Object.values(parts), ...links) };
  }

  update(line) {
    this.spots = patched(this.spots, line);
    this.log.add(line.events);
    const moves = line.events.filter((event) => event.kind === "moved");
    const last = line.now.last;
    this.board.show(this.spots, { keys: moves.length === 1 && last?.n === moves[0].n ? last.keys : null });
    this.restart.follow(line.events, line.now, this.names);
    this.stand(line);
    const against = line.events.findLast((event) => event.fault && event.seat === this.me);
    if (against) this.warn(against.text);
    const asked = line.now.you?.asked ? "Your turn. " : "";
    const told = line.events.filter((event) => event.kind !== "sat_down").at(-1)?.text;
    if (told || asked) announce(`${asked}${told ?? ""}`);
  }

  /** Show the current state of the match, which every line has. */
  stand(line) {
    const now = line.now;
    this.now = now;
    const over = now.result !== null;
    mark(this.element, "data-status", over ? "finished" : "running");
    mark(this.element, "data-turn", now.turn);
    this.clocks.set(line.at, now, this.terms.clock);
    this.seats.show({ ...now, winners: now.result?.winners });
    const notes = now.recorded === false ? [...line.notes, UNRECORDED] : line.notes;
    clear(this.notes, ...notes.map((note) => h("li", {}, note)));
    this.board.offer({ last: now.last?.keys ?? null });
    this.paused = now.missing.length > 0;
    this.ask(now.you);
    this.tell();
  }

  /**
   * Show the question to this seat. Picks are kept while the question is the same, and while the match waits for
   * others to come back; a move that may have been lost with the connection is sent again.
   */
  ask(you) {
    const question = you?.asked ? `${you.turn} ${you.legal.length}` : "";
    const held = this.paused && Boolean(this.question);
    if (!held && (question !== this.question || !question)) {
      this.question = question;
      this.sent = this.unheard = false;
      this.picker.offer(you?.asked ? you.legal : []);
      this.board.offer({ hint: [] });
      const { placing, advice = "Pick a spot." } = this.board.art;
      say(this.advice, question ? ((you.legal[0]?.length === 1 && placing) || advice) : "");
    }
    mark(this.element, "data-asked", Boolean(question));
    this.picked();
    if (question && this.unheard) this.commit(this.picker.whole());
  }

  tell() {
    const { result, record, to_move: mover, doing, missing } = this.now;
    const { hint, resign, again, replay, shortcut } = this.actions;
    const playing = this.me !== null && !result && !["expelled", "resigned"].includes(doing[this.me]);
    mark(this.status, "data-result", result !== null);
    const asked = Boolean(this.question) && !this.paused;
    hint.hidden = !asked;
    shortcut.hidden = !asked || !this.board.art.shortcut;
    resign.hidden = !playing;
    again.hidden = !result || !this.kept.wanted;
    replay.hidden = !record;
    if (this.actions.seat) this.actions.seat.hidden = result !== null;
    if (record) replay.href = `#record=${record}`;
    if (result) say(this.status, result.says.join("; "));
    else if (this.paused) say(this.status, `Waiting for ${listed(missing.map((seat) => this.names[seat]))} to come back`);
    else if (asked) say(this.status, "Your turn");
    else if (mover === null) say(this.status, "Waiting for the players to get ready");
    else say(this.status, `${this.names[mover]} ${MOVING[doing[mover]] ?? "is thinking"}`);
    document.title = `${asked ? "● " : ""}${this.table.game}: ${this.names.join(", ")}`;
  }

  // -- moving --

  /** Whether this seat may pick now. */
  get free() {
    return Boolean(this.question) && !this.sent && !this.paused;
  }

  pick(key) {
    if (!this.free) return;
    this.alert.hidden = true;
    const choice = this.picker.pick(key);
    this.picked();
    if (choice !== null) this.commit(choice);
  }

  back() {
    if (!this.free || !this.picker.back()) return;
    this.picked();
    announce("taken back");
  }

  /** Pick what the game's own button and key pick. */
  shortcut() {
    if (!this.free) return;
    const { next, told } = this.board.art.shortcut;
    const key = next(this.picker.path);
    this.pick(key);
    announce(told(key));
  }

  picked() {
    const { path } = this.picker;
    this.board.preview(path);
    this.board.offer({ options: this.free ? this.picker.options() : new Map(), path });
    this.actions.back.hidden = !this.question;
    this.actions.back.disabled = !path.length || !this.free;
  }

  /**
   * Send a whole move: over the live connection, or by a request while there is none. If the server does not answer,
   * the move waits until it does.
   */
  commit(choice) {
    this.sent = true;
    this.unheard = false;
    this.picked();
    const move = { turn: this.now.you.turn, choice };
    if (this.live.send({ type: "move", ...move })) return;
    post(`/api/tables/${this.id}/move`, move, this.kept.token).catch((error) => {
      if (error.code !== "offline") this.refused(error.message);
    });
  }

  /** Show why a move was refused, and let the person pick another. */
  refused(message) {
    this.warn(message);
    this.sent = false;
    this.picker.path = [];
    this.picked();
  }

  warn(message) {
    this.alert.hidden = false;
    say(this.alert, message);
  }

  async hint() {
    const { hint } = this.actions;
    hint.disabled = true;
    say(this.advice, "Asking the house …");
    try {
      const told = await post(`/api/tables/${this.id}/hint`, {}, this.kept.token);
      if (told.turn !== this.now.you?.turn || !this.question) return;
      this.board.offer({ hint: told.keys });
      const words = told.keys.map((key) => (typeof key === "string" ? key : `(${key.join(", ")})`)).join(" → ");
      const chance = told.values.length ? ` (you can expect ${Math.round(100 * told.values[this.me])} %)` : "";
      say(this.advice, `${told.player} would play ${words}${told.says ? `: ${told.says}` : ""}${chance}`);
      announce(this.advice.textContent);
    } catch (error) {
      say(this.advice, error.message);
    } finally {
      hint.disabled = false;
    }
  }

  async resign() {
    if (!(await confirmed("Resign this game?", "Yes, resign"))) return;
    await post(`/api/tables/${this.id}/resign`, {}, this.kept.token).catch((error) => this.warn(error.message));
  }

  async again() {
    const { seatAt } = await import("./new_table.js");
    await seatAt(this.kept.wanted).catch((error) => this.warn(error.message));
  }
}

/** @param {URLSearchParams} said @returns {import("./app.js").Page} */
export function tablePage(said) {
  const table = new TablePage(said.get("table"));
  return { element: table.element, title: "Touchline", close: () => table.close(), moved: () => true };
}
