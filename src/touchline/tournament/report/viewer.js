/**
 * The replay viewer of a report: opens a game in a dialog, at its first fault if there is one.
 *
 * A link `#game=ID` opens a game, `#game=ID&n=12` at a frame. The positions are in the element `#films`, made by films.py:
 * spots and texts are numbered, a frame is `[text, turn, seat, flags, spots, notes, keys]`. All text stays text.
 */

import { adopt, dressed } from "./art.js";
import { behaviour } from "./behaviour.js";
import { Board } from "./board.js";
import { h, mark, say } from "./dom.js";
import { sheets } from "./sheets.js";
import { patched } from "./spots.js";

const [FAULT, WHOLE] = [1, 2];
const STEP = 800; // milliseconds between two positions that play by themselves
const holder = document.querySelector("#films");
let table = null;

/** The films, parsed when the first one is opened. */
const films = () => (table ??= JSON.parse(holder.textContent));

/** The frames of a game, with what their numbers stand for. */
function framesOf(film) {
  const { texts, spots } = films();
  return film.frames.map(([text, turn, seat, flags, changed, notes, keys]) => ({
    text: texts[text], turn, seat, keys, fault: Boolean(flags & FAULT), whole: Boolean(flags & WHOLE),
    spots: changed.map((number) => spots[number]), notes: notes.map((number) => texts[number]),
  }));
}

class Viewer {
  /** @param {string} id @param {string} game */
  constructor(id, game) {
    const film = films().games[id];
    this.id = id;
    this.frames = framesOf(film);
    this.board = new Board(game, dressed(game, behaviour, this.frames[0].spots, film.backdrop), { names: film.names });
    this.at = -1;
    this.timer = 0;
    this.faults = this.frames.map((_, at) => at).filter((at) => this.frames[at].fault);
    this.lay(film);
    this.go(film.at);
  }

  lay(film) {
    const button = (text, act, name = text) => h("button", { type: "button", "aria-label": name, title: name, onclick: act }, text);
    const seats = film.names.map((name, seat) => h("li", { class: `seat${seat % 6}` }, h("i", { "aria-hidden": "true" }), h("bdi", {}, name)));
    this.status = h("p", { class: "status", role: "status" });
    this.notes = h("p", { class: "notes" });
    this.slider = h("input", { type: "range", min: 0, max: this.frames.length - 1, "aria-label": "Position", oninput: () => this.go(Number(this.slider.value)) });
    this.play = button("Play", () => this.toggle());
    this.items = this.frames.map((frame, at) =>
      h("li", {}, h("button", { type: "button", class: frame.fault ? "bad" : null, onclick: () => this.go(at) }, frame.text)));
    this.log = h("ol", { class: "log", tabindex: "0", "aria-label": "What happened" }, ...this.items);
    this.element = h("dialog", { class: `viewer ${holder.dataset.game}`, "data-page": "replay", "data-viewer": this.id, "aria-label": `Replay of ${this.id}`, onkeydown: (event) => this.pressed(event) },
      h("header", {}, h("h2", {}, this.id), h("ul", { class: "seats" }, ...seats), button("✕", () => this.element.close(), "Close")),
      h("div", { class: "stage" }, this.board.element),
      h("div", { class: "side" }, this.status,
        h("div", { class: "hands" }, button("|◀", () => this.go(0), "First"), button("◀", () => this.go(this.at - 1), "Back"), this.play,
          button("▶", () => this.go(this.at + 1), "Forward"), button("▶|", () => this.go(this.frames.length - 1), "Last"),
          this.faults.length ? button("Next fault", () => this.nextFault()) : null),
        this.slider, this.notes, this.log));
    this.element.addEventListener("close", () => this.closed());
  }

  /** Show a frame; a step to the next one is animated. */
  go(wanted) {
    const at = Math.max(0, Math.min(this.frames.length - 1, wanted));
    if (at === this.at) return;
    const onward = at === this.at + 1;
    const frame = this.frames[at];
    this.board.show(this.frames.slice(0, at + 1).reduce(patched, new Map()), { animate: onward, keys: onward ? frame.keys : null });
    this.board.offer({ last: frame.keys });
    mark(this.items[this.at]?.firstChild ?? this.log, "aria-current", null);
    mark(this.items[at].firstChild, "aria-current", "true");
    this.at = at;
    this.slider.value = String(at);
    mark(this.slider, "aria-valuetext", frame.text);
    mark(this.element, "data-n", at);
    mark(this.status, "class", frame.fault ? "status bad" : "status");
    say(this.status, frame.text);
    say(this.notes, frame.notes.join(" · "));
    this.follow();
    if (at === this.frames.length - 1) this.stop();
  }

  /** Scroll the log to the event that is shown. */
  follow() {
    const item = this.items[this.at];
    this.log.scrollTop = item.offsetTop - this.log.offsetTop - this.log.clientHeight / 2;
  }

  nextFault() {
    this.go(this.faults.find((at) => at > this.at) ?? this.faults[0]);
  }

  toggle() {
    if (this.timer) return this.stop();
    if (this.at === this.frames.length - 1) this.go(0);
    say(this.play, "Pause");
    this.timer = setInterval(() => this.go(this.at + 1), STEP);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = 0;
    say(this.play, "Play");
  }

  pressed(event) {
    if (event.target === this.slider || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "ArrowRight") this.go(this.at + 1);
    else if (event.key === "ArrowLeft") this.go(this.at - 1);
    else if (event.key === "Home") this.go(0);
    else if (event.key === "End") this.go(this.frames.length - 1);
    else return;
    event.preventDefault();
  }

  closed() {
    this.stop();
    this.element.remove();
    if (location.hash.startsWith("#game=")) location.hash = `#${this.id}`;
  }
}

let open = null;

/** Open the game that the address names. */
function route() {
  const said = new URLSearchParams(location.hash.slice(1));
  const id = said.get("game");
  if (open && open.id !== id) open.element.close();
  if (!id || !Object.hasOwn(films().games, id)) return;
  if (!open?.element.isConnected || open.id !== id) {
    open = new Viewer(id, holder.dataset.game);
    document.body.append(open.element);
    open.element.showModal();
    open.follow();
  }
  if (/^\d+$/.test(said.get("n") ?? "")) open.go(Number(said.get("n")));
}

if (holder) {
  for (const [name, text] of Object.entries(sheets)) adopt(name, text);
  addEventListener("hashchange", route);
  route();
}
