/** A live table: the connection, the match as it is told, and the parts of the page that show it. */

import { Live, offers, post } from "./api.js";
import { Board } from "./board.js";
import { Clocks } from "./clock.js";
import { ConnectionNote } from "./connection_note.js";
import { announce, clear, confirmed, copyButton, h, mark, say } from "./dom.js";
import { emoteWords, emotes, isMuted } from "./emotes.js";
import { End, gone } from "./end.js";
import { artOf } from "./game_art.js";
import { Hand } from "./hand.js";
import { Log, beside } from "./log.js";
import { OneScreen, curtain } from "./one_screen.js";
import { RestartNote } from "./restart_note.js";
import { rulesPanel } from "./rules.js";
import { Seats } from "./seats.js";
import { notify, notifyButton, sound } from "./sounds.js";
import { byKey, patched } from "./spots.js";
import { Status } from "./status.js";
import { dropSeat, keepSeat, keptSeat } from "./storage.js";
import { TakeBack } from "./takeback.js";
import { terms } from "./terms.js";
import { waitingRoom } from "./waiting_room.js";

const GONE = {
  missing: "There is no such table. Finished tables are put away after a while, and a server that stops forgets the tables that it does not record.",
  closed: "This table was closed before the game began.",
  over: "This game is over, and its table was put away.",
  bad: "The server could not read a message of this page. That is our mistake: reload the page.",
};
const FORGOTTEN = "The server does not have this game any more: it was put away, or the server was started again and had not kept it. That is not your fault.";
const UNRECORDED = "This game is not recorded: the server cannot write its file.";
/** The width of a window that has room for the rules beside the board, in pixels. */
const WIDE = 992;
const KEYS = "Arrow keys move, Enter picks, Escape takes back, N goes to the next legal spot";

/** What is seldom wanted. */
const more = (...buttons) => h("details", { class: "further", name: "act" }, h("summary", { class: "button quiet" }, "More"), h("div", { class: "palette" }, ...buttons));

class TablePage {
  /** @param {string} id */
  constructor(id) {
    this.id = id;
    this.kept = keptSeat(id);
    this.element = h("main", { "data-page": "table", "data-status": "open", "data-link": "lost", class: "table" },
      h("h1", { tabindex: "-1", class: "unseen" }, "Table"), h("p", { class: "plain" }, "Coming to the table …"));
    this.alert = h("p", { class: "alert", role: "alert", hidden: true });
    this.link = new ConnectionNote(() => this.connect());
    this.restart = new RestartNote();
    this.status = new Status();
    this.clocks = new Clocks();
    this.log = new Log();
    /** @type {Board | null} */
    this.board = null;
    /** @type {Hand | null} */
    this.hand = null;
    /** @type {End | null} */
    this.end = null;
    this.busy = Promise.resolve();
    this.connect();
  }

  connect() {
    this.live?.close();
    const path = `/api/tables/${encodeURIComponent(this.id)}/live`;
    const { seats, token } = this.kept;
    // Lines are handled in order, even while the first waits for the game's art.
    const to = {
      line: (said) => (this.busy = this.busy.then(() => this.heard(said))),
      state: (state, message, record) => this.linked(state, message, record),
    };
    if (seats?.length > 1) this.live = new OneScreen(path, seats, to);
    else this.live = new Live(path, token ? { type: "seat", token } : { type: "watch" }, to);
  }

  close() {
    this.live.close();
    this.clocks.stop();
    this.status.stop();
    this.restart.hide();
    this.end?.close();
  }

  /** The seats of this browser. @returns {number[]} */
  get mine() {
    if (this.kept.seats?.length > 1) return this.kept.seats.map(({ seat }) => seat);
    return this.me === null || this.me === undefined ? [] : [this.me];
  }

  /** The token of the seat that is shown. */
  get token() {
    return this.kept.seats?.find(({ seat }) => seat === this.me)?.token ?? this.kept.token;
  }

  // -- the connection --

  linked(state, message, record) {
    mark(this.element, "data-link", state === "live" || state === "lost" ? state : "over");
    if (state === "no_seat") {
      dropSeat(this.id);
      this.kept = {};
      this.connect();
    } else if (state === "live") {
      this.link.live();
      if (this.offline) this.quiet(); // what the server did not answer is no news any more
    } else if (state === "over") this.link.hide();
    else if (state === "taken") this.link.taken();
    else if (state === "lost") {
      this.restart.hide();
      this.link.lost(message);
    } else if (state === "gone") this.lose(record ? GONE.over : GONE.closed, record);
    else this.lose(GONE[state] ?? message);
  }

  /** The table is gone: nothing of it is live any more. */
  lose(why, record = this.now?.record ?? null) {
    this.link.hide();
    if (this.board && why === GONE.missing) why = FORGOTTEN;
    const way = gone({ id: this.id, why, record, wanted: this.kept.wanted, warn: (words) => this.warn(words) });
    announce(why);
    document.title = "Touchline";
    if (!this.board) {
      clear(this.element, h("h1", { tabindex: "-1" }, "No table"), way);
      this.element.classList.add("plain");
      return;
    }
    mark(this.element, "data-status", "gone");
    mark(this.element, "data-asked", null);
    this.clocks.stop();
    this.seats.show({ to_move: null, scores: this.now.scores, doing: this.names.map(() => "done") });
    this.hand?.ask(null, { paused: false, playing: false });
    say(this.status.element, "This table is gone");
    this.actions.replaceChildren();
    this.offers.replaceChildren();
    this.end.element.replaceWith(way);
  }

  async heard(line) {
    if (line.type === "table") this.waiting(line.table);
    else if (line.type === "snapshot") await this.begin(line);
    else if (line.type === "update" && this.board) this.update(line);
    else if (line.type === "people") this.people(line);
    else if (line.type === "heard" && line.verdict === "rejected") this.hand?.refused(line.reason ?? "The referee did not accept this move.");
  }

  waiting(table) {
    this.table = table;
    mark(this.element, "data-status", "open");
    this.fill(this.link.element, waitingRoom(table, this.kept, (seated) => {
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
    const other = this.me !== line.seat; // a spectator has taken a seat, or the next at this screen moves
    this.table = line.table;
    this.me = line.seat;
    if (line.seat !== null && keptSeat(this.id).seat === undefined) keepSeat(this.id, { seat: line.seat }); // it came by a link
    this.terms = line.terms;
    this.names = line.table.seats.map((seat) => seat.name ?? `Player ${seat.seat + 1}`);
    this.spots = byKey(line.spots);
    mark(this.element, "data-me", line.seat);
    if (!this.board || other) await this.furnish(line);
    this.log.reset(line.log);
    this.board.show(this.spots, { animate: false });
    beside(this.element, this.board, this.log.section(line.table.game));
    this.hand?.doubt();
    this.restart.follow(line.log, line.now, this.names);
    this.stand(line, Boolean(this.now) && !this.now.result);
    if (line.from !== undefined && line.from !== line.seat) await this.cover();
  }

  async furnish(line) {
    const { table } = line;
    const art = await artOf(table.game, line.spots, line.backdrop);
    const { mine } = this;
    const plays = line.seat !== null;
    this.hand = plays ? new Hand(this.id, this.token, line.seat, art, {
      send: (message) => this.live.send(message), warn: (words) => this.warn(words), quiet: () => this.quiet(),
    }) : null;
    const { hand } = this;
    this.board = new Board(table.game, art, {
      names: this.names,
      seat: line.seat,
      pick: plays ? (key) => hand.pick(key) : undefined,
      back: () => hand?.back(),
      shortcut: plays && art.shortcut ? { key: art.shortcut.key, act: () => hand.shortcut() } : undefined,
    });
    if (hand) hand.board = this.board;
    // Two at one screen sit side by side: the board stays as the first of them sees it, unless they want it turned.
    if (mine.length > 1 && !this.turns) this.board.turned = (art.backdrop.above ?? []).includes(mine[0]);
    this.seats = new Seats(table.seats, mine, line.terms.clock ? this.clocks : null, table.game);
    this.notes = h("ul", { class: "notes" });
    this.takeback = new TakeBack(this.names, mine, (message) => this.say(message));
    this.end?.close();
    const people = table.seats.every((seat) => seat.kind !== "remote"); // programs come to one match only
    this.end = new End({ id: this.id, game: table.game, names: this.names, mine, people, wanted: this.kept.wanted }, (message) => this.say(message, true));
    this.watching = h("small", { class: "watching", "data-watching": true, hidden: true });
    this.rules = rulesPanel(table.game);
    this.rules.open = plays && innerWidth >= WIDE && !line.now.result;
    this.actions = h("div", { class: "actions" }, ...this.buttons(plays));
    this.offers = h("div", { class: "offers" }, this.takeback.element);
    this.stage = h("div", { class: "stage" }, this.board.element, hand?.advice ?? null,
      plays && h("p", { class: "keys", id: "keys" }, `${[KEYS, art.shortcut?.help].filter(Boolean).join(", ")}.`));
    this.fill(
      h("header", { class: "title" }, h("h1", { tabindex: "-1" }, table.title ?? table.game), this.status.element, this.watching),
      this.link.element, this.restart.element, this.alert, this.seats.element, this.stage,
      h("div", { class: "side" }, this.offers, this.end.element, this.actions, this.rules,
        terms(line.terms, table, this.notes)));
    this.element.classList.remove("plain");
    const next = table.rematch ? { wanted: [], swap: false, table: table.rematch, seat: null, token: null } : null;
    this.people(this.crowd ?? { watching: table.watching, emote: null, takeback: null, rematch: next });
  }

  /** The buttons. */
  buttons(plays) {
    const watch = copyButton("Copy the link", () => `${location.origin}/t/${this.id}`);
    watch.title = "A link to watch this table";
    if (!plays) return [watch, emotes(null)];
    this.resigning = h("button", { type: "button", class: "quiet", onclick: () => this.resign() }, "Resign");
    this.seatLink = copyButton("Copy my seat", () => `${location.origin}/#table=${this.id}&token=${this.token}`);
    this.seatLink.title = "A link to go on with this seat elsewhere: keep it to yourself";
    return [...this.hand.buttons, this.takeback.button, emotes((emote) => this.say({ type: "emote", emote })), this.resigning, more(notifyButton(), watch, this.seatLink, this.mine.length > 1 && this.turning())];
  }

  /** A choice for people at one screen. */
  turning() {
    const box = h("input", { type: "checkbox", checked: Boolean(this.turns), onchange: () => (this.turns = box.checked) });
    return h("label", { class: "mute" }, box, " Turn the board to whoever moves");
  }

  update(line) {
    const before = this.spots;
    this.spots = patched(before, line);
    this.log.add(line.events);
    const moves = line.events.filter((event) => event.kind === "moved");
    const last = line.now.last;
    if (line.events.some((event) => event.kind === "taken_back")) this.takeback.taken = true;
    this.board.show(this.spots, { keys: moves.length === 1 && last?.n === moves[0].n ? last.keys : null });
    this.restart.follow(line.events, line.now, this.names);
    const asked = this.hand?.question;
    this.stand(line, true);
    this.hear(line, moves, before, asked);
    const against = line.events.findLast((event) => event.fault && event.seat === this.me);
    if (against) this.warn(against.text);
    const told = line.events.filter((event) => event.kind !== "sat_down").at(-1)?.text;
    const yours = line.now.you?.asked ? "Your turn. " : "";
    if ((told || yours) && !line.now.result) announce(`${yours}${told ?? ""}`);
  }

  /** The sounds of an update. */
  hear(line, moves, before, asked) {
    const { result, you } = line.now;
    const count = (spots) => [...spots.values()].reduce((sum, spot) => sum + spot.pieces.length, 0);
    if (result && this.mine.length) sound(result.winners.some((seat) => this.mine.includes(seat)) ? "win" : "lose");
    else if (moves.length) sound(count(this.spots) < count(before) ? "capture" : "move");
    if (!you?.asked || asked) return;
    if (!result) setTimeout(() => sound("turn"), 180);
    notify("Your turn", `${this.table.title ?? this.table.game}: ${this.names.join(", ")}`, this.id);
  }

  /** Show the current state of the match, which every line has. @param {boolean} live  whether it changed under our eyes */
  stand(line, live) {
    const { now } = line;
    const { result, doing } = now;
    this.now = now;
    const playing = this.me !== null && !result && !["expelled", "resigned"].includes(doing[this.me]);
    const paused = now.missing.length > 0;
    mark(this.element, "data-status", result ? "finished" : "running");
    mark(this.element, "data-turn", now.turn);
    this.clocks.set(line.at, now, this.terms.clock);
    this.seats.show({ ...now, winners: result?.winners }, [...this.spots.values()]);
    const notes = now.recorded === false ? [...line.notes, UNRECORDED] : line.notes;
    clear(this.notes, ...notes.map((note) => h("li", {}, note)));
    this.board.offer({ last: now.last?.keys ?? null });
    this.hand?.ask(now.you, { paused, playing });
    const asked = Boolean(now.you?.asked);
    mark(this.element, "data-asked", asked);
    this.status.show(now, this.names, { asked, mine: this.mine, alone: this.mine.length < 2 });
    if (this.hand) {
      this.resigning.hidden = !playing;
      this.seatLink.hidden = Boolean(result);
      this.takeback.allow(playing && Boolean(this.table.takeback) && this.log.moved(this.mine));
    }
    if (result && live) this.rules.open = false;
    if (result) this.end.show(result, now.record, [...this.spots.values()], live);
    document.title = `${asked ? "● Your turn – " : ""}${this.table.title ?? this.table.game}: ${this.names.join(", ")}`;
  }

  /** What the people at the table do besides moving. */
  people(line) {
    this.crowd = { ...line, emote: null };
    if (!this.board) return;
    this.watching.hidden = !line.watching;
    say(this.watching, `${line.watching} watching`);
    if (line.emote && !(isMuted() && !this.mine.includes(line.emote.seat))) this.seats.bubble(line.emote.seat, emoteWords(line.emote.emote));
    this.takeback.show(line.takeback);
    this.end.people(line.rematch);
  }

  // -- what a person does besides moving --

  /** Send a message, for one seat of this browser or for all. */
  say(message, all = false) {
    if (all && this.live instanceof OneScreen) this.live.sendAll(message);
    else if (!this.live.send(message)) this.warn("There is no connection just now.", true);
  }

  async resign() {
    if (!(await confirmed("Resign this game?", "Yes, resign"))) return;
    await post(`/api/tables/${this.id}/resign`, {}, this.token).catch((error) => this.warn(error.message, error.code === "offline"));
  }

  /** In a game with secrets, hide the board until the next person sits at the screen. */
  async cover() {
    const { games } = await offers().catch(() => ({ games: [] }));
    if (!games.find(({ name }) => name === this.table.game)?.hidden || this.now.result) return;
    mark(this.stage, "data-covered", true);
    this.stage.prepend(curtain(this.names[this.me], () => mark(this.stage, "data-covered", null)));
  }

  /** @param {string} message @param {boolean} [offline]  whether it is about the connection, and goes with its return */
  warn(message, offline = false) {
    this.offline = offline;
    this.alert.hidden = false;
    say(this.alert, message);
  }

  quiet() {
    this.alert.hidden = true;
    this.offline = false;
  }
}

/** @param {URLSearchParams} said @returns {import("./app.js").Page} */
export function tablePage(said) {
  const table = new TablePage(said.get("table"));
  return { element: table.element, title: "Touchline", close: () => table.close(), moved: () => true };
}
