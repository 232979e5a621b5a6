/** The playback of a record: step, scrub, play at speed, jump to faults, download. */

import { get, lines } from "./api.js";
import { artOf } from "./art.js";
import { Board } from "./board.js";
import { lineChart } from "./chart.js";
import { Clocks } from "./clock.js";
import { announce, clear, copyButton, h, labelled, mark, s, say, select } from "./dom.js";
import { Log } from "./log.js";
import { Seats } from "./seats.js";
import { patched } from "./spots.js";
import { terms } from "./terms.js";

/** @type {Array<[string, string]>} */
const SPEEDS = [["2000", "slow"], ["1000", "usual"], ["500", "fast"], ["150", "very fast"]];
const KEYFRAMES = 32;
const ICONS = {
  First: "M4 5h2v14H4zM13 5v14L6.5 12zM20.5 5v14L13.5 12z",
  Back: "M6 5h2.5v14H6zM19 5v14L9 12z",
  Play: "M7 4.5v15L19 12z",
  Pause: "M7 5h3.5v14H7zM13.5 5H17v14h-3.5z",
  Forward: "M15.5 5H18v14h-2.5zM5 5v14l10-7z",
  Last: "M18 5h2v14h-2zM11 5v14l6.5-7zM3.5 5v14l7-7z",
};
const DULL = new Set(["sat_down", "ignored"]);

/** The positions of a record, each rebuilt from the nearest keyframe before it. */
class Film {
  /** @param {any[]} positions */
  constructor(positions) {
    this.positions = positions;
    /** The positions at which playback stops. */
    this.stops = positions.map((_, at) => at).filter((at) => at === 0 || !DULL.has(positions[at].event.kind));
    this.kept = [];
    let spots = new Map();
    positions.forEach((position, at) => {
      spots = patched(spots, position);
      if (at % KEYFRAMES === 0) this.kept.push(spots);
    });
  }

  /** @param {number} at @returns {import("./spots.js").Spots} */
  spots(at) {
    const key = Math.floor(at / KEYFRAMES);
    return this.positions.slice(key * KEYFRAMES + 1, at + 1).reduce(patched, this.kept[key]);
  }

  /** The last stop that is not after an event. @param {number} n */
  stopAt(n) {
    return Math.max(0, this.stops.findLastIndex((at) => at <= n));
  }
}

class ReplayPage {
  constructor(record, agreed, positions, art, at) {
    this.record = record;
    this.film = new Film(positions);
    this.board = new Board(record.game, art, { names: record.names });
    /** They do not run: they show the time left after an event. */
    this.clocks = new Clocks();
    this.clock = agreed.clock;
    const sitting = record.names.map((name, seat) => ({ seat, kind: "me", name, taken: true }));
    this.seats = new Seats(sitting, null, agreed.clock ? this.clocks : null);
    this.log = new Log((n) => this.go(this.film.stopAt(n), { animate: false }));
    this.log.reset(positions.map((position) => position.event).filter((event) => !DULL.has(event.kind)));
    this.faults = this.film.stops.filter((n) => positions[n].event.fault);
    this.at = -1;
    this.timer = 0;
    this.lay(agreed);
    this.go(at === null ? 0 : this.film.stopAt(at), { animate: false });
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
    this.graph = h("div", { class: "graph" });
    this.analyse = button("Analyse", () => this.value());
    this.picture = h("a", { download: `${record.id}.svg` }, "Picture (SVG)");
    const downloads = h("p", { class: "downloads" },
      h("a", { href: `/api/records/${record.id}`, download: `${record.id}.jsonl` }, "Record (JSONL)"), this.picture,
      h("a", { href: `/api/records/${record.id}/gif`, download: `${record.id}.gif` }, "Film (GIF)"));
    const hands = h("div", { class: "transport", role: "group", "aria-label": "Playing back" },
      button("First", () => this.go(0, { animate: false })), button("Back", () => this.go(this.at - 1, { animate: false })), this.play,
      button("Forward", () => this.go(this.at + 1)), button("Last", () => this.go(this.film.stops.length - 1, { animate: false })),
      this.fault, labelled("Speed", this.speed));
    this.element = h("main", { "data-page": "replay", class: "table" },
      h("header", { class: "title" }, h("h1", { tabindex: "-1" }, record.game), this.status),
      h("div", { class: "stage" }, this.board.element, h("div", { class: "scrub" }, labelled("Position", this.slider), this.ticks), hands, this.graph),
      h("div", { class: "side" }, this.seats.element, h("p", { class: "result", "data-result": true }, record.result.says.join("; ")), this.notes,
        h("div", { class: "actions" }, copyButton("Copy a link to this move", () => location.href), this.analyse), downloads,
        h("h2", {}, "What happened"), this.log.list, terms(agreed)));
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
    this.board.show(this.film.spots(n), { animate: animate && onward, keys: onward ? position.event.keys : null });
    this.board.offer({ last: position.event.keys ?? null });
    this.slider.value = String(at);
    this.slider.setAttribute("aria-valuetext", position.event.text);
    const result = position.event.kind === "ended" ? this.record.result : null;
    this.seats.show({ to_move: position.to_move, scores: position.scores, winners: result?.winners, doing: this.doing(n, result) });
    this.clocks.set(0, { clocks: position.clocks, thinking: [] }, this.clock);
    say(this.status, position.event.text);
    clear(this.notes, ...position.notes.map((note) => h("li", {}, note)));
    mark(this.element, "data-n", n);
    mark(this.element, "data-turn", position.turn);
    this.log.point(n);
    this.picture.href = `/api/records/${this.record.id}/svg?n=${n}`;
    history.replaceState(null, "", `#record=${this.record.id}&n=${n}`);
    this.chart?.point(position.turn);
    if (at === this.film.stops.length - 1) this.stop();
    if (!this.timer) announce(position.event.text);
  }

  /** What each seat was doing after an event. */
  doing(n, result) {
    const happened = this.film.positions.slice(0, n + 1).map(({ event }) => event);
    const gone = new Map(happened.filter(({ kind }) => kind === "expelled" || kind === "resigned").map(({ seat, kind }) => [seat, kind]));
    const mover = this.film.positions[n].to_move;
    return this.record.names.map((_, seat) => gone.get(seat) ?? (result ? "done" : seat === mover ? "thinking" : "waiting"));
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

  /** Show the chart of values, which a house player computes. */
  async value() {
    this.analyse.disabled = true;
    say(this.analyse, "Analysing …");
    try {
      const told = await get(`/api/records/${this.record.id}/analysis`);
      if (!told.values.length) throw new Error("there is no move to look at");
      const points = (seat) => told.values.map((value) => [value.turn, value.values[seat]]);
      const series = this.record.names.map((name, seat) => ({ name, colour: seat, points: points(seat) }));
      this.chart = lineChart(series, {
        title: `What each could expect, as ${told.player} sees it`, xLabel: "turn", yRange: [0, 1],
        pick: (turn) => this.go(this.film.stops.findIndex((n) => this.film.positions[n].turn >= turn), { animate: false }),
      });
      clear(this.graph, this.chart.element);
      this.chart.point(this.film.positions[this.film.stops[this.at]].turn);
      this.analyse.hidden = true;
    } catch (error) {
      clear(this.graph, h("p", { class: "alert", role: "alert" }, error.message));
      this.analyse.disabled = false;
      say(this.analyse, "Analyse");
    }
  }

  close() {
    this.stop();
    removeEventListener("keydown", this.keys);
  }
}

const numbered = (said) => (/^\d+$/.test(said.get("n") ?? "") ? Number(said.get("n")) : null);

/** @param {URLSearchParams} said @returns {Promise<import("./app.js").Page>} */
export async function replayPage(said) {
  const [head, ...positions] = await lines(`/api/records/${encodeURIComponent(said.get("record"))}/positions`);
  const art = await artOf(head.record.game, positions[0].spots);
  const replay = new ReplayPage(head.record, head.terms, positions, art, numbered(said));
  const moved = (next) => {
    const n = numbered(next);
    if (n !== null) replay.go(replay.film.stopAt(n), { animate: false });
    return true;
  };
  return { element: replay.element, title: `${head.record.game}: ${head.record.names.join(", ")}`, close: () => replay.close(), moved };
}
