/**
 * The playback of a record: step, scrub, play at speed, jump to faults, analyse, download.
 *
 * Rule of this file: how the game ends is not shown before the viewer gets there, or asks for it.
 */

import { Analysis } from "./analysis.js";
import { lines } from "./api.js";
import { Board } from "./board.js";
import { Clocks } from "./clock.js";
import { announce, clear, copyButton, h, labelled, mark, s, say, select } from "./dom.js";
import { headline } from "./end.js";
import { DULL, Film } from "./film.js";
import { artOf } from "./game_art.js";
import { Log, beside } from "./log.js";
import { Seats } from "./seats.js";
import { placesOf, share } from "./share.js";
import { keptSeat } from "./storage.js";
import { terms } from "./terms.js";

/** @type {Array<[string, string]>} */
const SPEEDS = [["2000", "slow"], ["1000", "usual"], ["500", "fast"], ["150", "very fast"]];
const ICONS = {
  First: "M4 5h2v14H4zM13 5v14L6.5 12zM20.5 5v14L13.5 12z",
  Back: "M6 5h2.5v14H6zM19 5v14L9 12z",
  Play: "M7 4.5v15L19 12z",
  Pause: "M7 5h3.5v14H7zM13.5 5H17v14h-3.5z",
  Forward: "M15.5 5H18v14h-2.5zM5 5v14l10-7z",
  Last: "M18 5h2v14h-2zM11 5v14l6.5-7zM3.5 5v14l7-7z",
};

class ReplayPage {
  constructor(record, agreed, film, art, at) {
    const { positions } = film;
    this.record = record;
    this.film = film;
    const mine = [record.table ? keptSeat(record.table).seat : null].filter((seat) => seat !== null && seat !== undefined);
    this.board = new Board(record.game, art, { names: record.names, seat: mine[0] });
    /** They do not run: they show the time left after an event. */
    this.clocks = new Clocks();
    this.clock = agreed.clock;
    const sitting = record.names.map((name, seat) => ({ seat, kind: "me", name, taken: true }));
    this.seats = new Seats(sitting, mine, agreed.clock ? this.clocks : null, record.game);
    this.log = new Log((n) => this.go(this.film.stopAt(n), { animate: false }));
    this.log.reset(positions.map((position) => position.event).filter((event) => !DULL.has(event.kind)));
    this.faults = this.film.stops.filter((n) => positions[n].event.fault);
    this.analysis = new Analysis(record, mine, { pick: (turn) => this.go(this.film.stopOfTurn(turn), { animate: false }), shown: () => this.pointed() });
    this.at = this.seen = -1;
    this.timer = 0;
    this.lay(agreed);
    this.go(at === null ? 0 : this.film.stopAt(at), { animate: false });
    beside(this.element, this.board, this.log.section(record.game));
    this.keys = (event) => this.pressed(event);
    addEventListener("keydown", this.keys);
  }

  lay(agreed) {
    const { record } = this;
    const button = (name, act) => h("button", { type: "button", class: "quiet", title: name, "aria-label": name, onclick: act },
      ICONS[name] ? s("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d: ICONS[name] })) : name);
    this.play = button("Play", () => this.toggle());
    const scrub = () => this.go(Number(this.slider.value), { animate: false });
    this.slider = h("input", { type: "range", min: 0, max: this.film.stops.length - 1, value: 0, oninput: scrub });
    this.speed = select(SPEEDS, "1000", { onchange: () => this.timer && this.run() });
    this.fault = button("Next fault", () => this.nextFault());
    this.fault.hidden = !this.faults.length;
    this.ticks = h("div", { class: "ticks", "aria-hidden": "true" }, ...this.faults.map((n) => this.tick(n)));
    this.status = h("p", { class: "status", "aria-live": "off" });
    this.notes = h("ul", { class: "notes" });
    this.reveal = button("Show the result", () => this.tellAll());
    const words = headline(record.result, record.names, []);
    this.result = h("div", { "data-result": true, hidden: true }, h("h2", {}, words), h("p", {}, record.result.why ?? ""));
    const hands = h("div", { class: "transport", role: "group", "aria-label": "Playing back" },
      button("First", () => this.go(0, { animate: false })), button("Back", () => this.go(this.at - 1, { animate: false })), this.play,
      button("Forward", () => this.go(this.at + 1)), button("Last", () => this.go(this.film.stops.length - 1, { animate: false })),
      this.fault, labelled("Speed", this.speed));
    this.element = h("main", { "data-page": "replay", class: "table" },
      h("header", { class: "title" }, h("h1", { tabindex: "-1" }, record.title ?? record.game), this.status),
      this.seats.element,
      h("div", { class: "stage" }, this.board.element, h("div", { class: "scrub" }, labelled("Position", this.slider), this.ticks), hands),
      h("div", { class: "side" }, h("section", { class: "ending" }, this.result,
        h("div", { class: "row choices" }, this.reveal, this.analysis.button, button("Share", () => share(record.id, words)), copyButton("Copy a link to this move", () => location.href)), this.analysis.element),
        this.downloads(), terms(agreed, null, this.notes)));
  }

  downloads() {
    const { id } = this.record;
    const { record, gif, webp } = placesOf(id);
    const link = (text, href, name) => h("a", { href, download: `${id}.${name}` }, text);
    this.pictures = ["svg", "png"].map((kind) => link(`Picture (${kind.toUpperCase()})`, "", kind));
    return h("p", { class: "downloads" }, link("Record (JSONL)", record, "jsonl"), ...this.pictures, link("Film (GIF)", gif, "gif"), link("Film (WebP)", webp, "webp"));
  }

  /** Show how the game ended. */
  tellAll() {
    this.seen = Infinity;
    this.result.hidden = false;
    this.reveal.hidden = true;
    this.log.upTo(Infinity);
  }

  tick(n) {
    const tick = h("i");
    tick.style.left = `${(100 * this.film.stopAt(n)) / Math.max(1, this.film.stops.length - 1)}%`;
    return tick;
  }

  /** Show a stop; a step to the next one is animated. */
  go(stop, { animate = true } = {}) {
    const at = Math.max(0, Math.min(this.film.stops.length - 1, stop));
    if (at === this.at) return;
    const onward = at === this.at + 1;
    this.at = at;
    const n = this.film.stops[at];
    const position = this.film.positions[n];
    const spots = this.film.spots(n);
    this.board.show(spots, { animate: animate && onward, keys: onward ? position.event.keys : null });
    this.board.offer({ last: position.event.keys ?? null });
    this.slider.value = String(at);
    this.slider.setAttribute("aria-valuetext", position.event.text);
    const result = position.event.kind === "ended" ? this.record.result : null;
    this.seats.show({ to_move: position.to_move, scores: position.scores, winners: result?.winners, doing: this.film.doing(n, this.record.names, result) }, [...spots.values()]);
    this.clocks.set(0, { clocks: position.clocks, thinking: [] }, this.clock);
    say(this.status, position.event.text);
    clear(this.notes, ...position.notes.map((note) => h("li", {}, note)));
    mark(this.element, "data-n", n);
    mark(this.element, "data-turn", position.turn);
    this.seen = Math.max(this.seen, n);
    if (result) this.tellAll();
    else this.log.upTo(this.seen);
    this.log.point(n);
    for (const link of this.pictures) link.href = `${placesOf(this.record.id).record}/${link.download.split(".").at(-1)}?n=${n}`;
    history.replaceState(null, "", `#record=${this.record.id}&n=${n}`);
    this.pointed();
    if (at === this.film.stops.length - 1) this.stop();
    if (!this.timer) announce(position.event.text);
  }

  /** Show on the chart where we are. */
  pointed() {
    this.analysis.chart?.point(this.film.positions[this.film.stops[this.at]].turn);
  }

  toggle() {
    if (this.timer) this.stop();
    else {
      if (this.at === this.film.stops.length - 1) this.go(0, { animate: false });
      this.run();
      this.go(this.at + 1);
    }
  }

  run() {
    clearInterval(this.timer);
    this.timer = setInterval(() => this.go(this.at + 1), Number(this.speed.value));
    this.label("Pause");
  }

  stop() {
    clearInterval(this.timer);
    this.timer = 0;
    this.label("Play");
  }

  label(name) {
    this.play.querySelector("path").setAttribute("d", ICONS[name]);
    this.play.setAttribute("aria-label", name);
    this.play.title = name;
  }

  nextFault() {
    const n = this.faults.find((fault) => fault > this.film.stops[this.at]) ?? this.faults[0];
    this.go(this.film.stopAt(n), { animate: false });
  }

  /** Handle arrow keys and space, unless a control has the focus. */
  pressed(event) {
    const wanted = event.target.closest?.("input, select, button, a, summary, dialog, [data-spot]");
    if (wanted || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "ArrowRight") this.go(this.at + 1);
    else if (event.key === "ArrowLeft") this.go(this.at - 1, { animate: false });
    else if (event.key === " ") this.toggle();
    else return;
    event.preventDefault();
  }

  close() {
    this.stop();
    this.analysis.close();
    removeEventListener("keydown", this.keys);
  }
}

const numbered = (said) => (/^\d+$/.test(said.get("n") ?? "") ? Number(said.get("n")) : null);

/** The event that an address names: by its number, or as the first fault of a player. */
const named = (said, film, names) => numbered(said) ?? (said.get("fault") === null ? null : film.faultOf(said.get("fault"), said.get("offence"), names));

/** @param {URLSearchParams} said @returns {Promise<import("./app.js").Page>} */
export async function replayPage(said) {
  const [head, ...positions] = await lines(`/api/records/${encodeURIComponent(said.get("record"))}/positions`);
  const { record } = head;
  const art = await artOf(record.game, positions[0].spots, head.backdrop);
  const film = new Film(positions);
  const replay = new ReplayPage(record, head.terms, film, art, named(said, film, record.names));
  const moved = (next) => {
    const n = named(next, replay.film, record.names);
    if (n !== null) replay.go(replay.film.stopAt(n), { animate: false });
    return true;
  };
  return { element: replay.element, title: `${record.title ?? record.game}: ${record.names.join(", ")}`, close: () => replay.close(), moved };
}
