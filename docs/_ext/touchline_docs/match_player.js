/**
 * Small players of recorded matches in a page of the documentation. They fetch nothing, so they work from a file.
 *
 * An element `.match-player` holds a picture of the match and its positions as JSON (tournament/report/films.py); the picture
 * is replaced by a board with controls. Names and sentences are set as text, never as HTML.
 */

import { adopt, dressed } from "./art.js";
import { arts } from "./arts.js";
import { Board } from "./board.js";
import { h, mark, say } from "./dom.js";
import { sheets } from "./sheets.js";
import { patched } from "./spots.js";

const STEP = 800; // milliseconds between two positions that play by themselves
const [FAULT, WHOLE] = [1, 2];

class Player {
  /** @param {HTMLElement} holder */
  constructor(holder) {
    const { texts, spots, games } = JSON.parse(holder.querySelector("script").textContent);
    const film = Object.values(games)[0];
    this.frames = film.frames.map(([text, , , flags, changed, notes, keys]) => ({
      text: texts[text], keys, fault: Boolean(flags & FAULT), whole: Boolean(flags & WHOLE),
      spots: changed.map((number) => spots[number]), notes: notes.map((number) => texts[number]),
    }));
    const game = holder.dataset.game;
    this.board = new Board(game, dressed(game, arts[game]?.behaviour, this.frames[0].spots, film.backdrop), { names: film.names });
    this.at = -1;
    this.timer = 0;
    this.element = this.lay(film.names);
    holder.querySelector(".stage").replaceChildren(this.element);
    mark(holder, "data-ready", "true");
    this.go(holder.dataset.at ? Number(holder.dataset.at) : Math.floor(this.frames.length / 2), false);
    this.fresh = true; // nobody has touched it: Play begins at the beginning, whatever is shown
  }

  lay(names) {
    const button = (text, name, act) => h("button", { type: "button", "aria-label": name, title: name, onclick: act }, text);
    const seats = names.map((name, seat) => h("li", { class: `seat${seat % 6}` }, h("i", { "aria-hidden": "true" }), h("bdi", {}, name)));
    this.status = h("p", { class: "status", role: "status" });
    this.notes = h("p", { class: "notes" });
    this.slider = h("input", { type: "range", min: 0, max: this.frames.length - 1, "aria-label": "Position", oninput: () => this.go(Number(this.slider.value)) });
    this.play = button("Play", "Play", () => this.toggle());
    mark(this.play, "class", "go");
    return h("div", { class: `match-frame ${this.board.game}`, onkeydown: (event) => this.pressed(event) },
      h("ul", { class: "seats" }, ...seats), this.board.element, this.status, this.notes,
      h("div", { class: "hands" },
        button("|◀", "First position", () => this.go(0)), button("◀", "Back", () => this.go(this.at - 1)), this.play,
        button("▶", "Forward", () => this.go(this.at + 1)), button("▶|", "Last position", () => this.go(this.frames.length - 1)),
        this.slider));
  }

  /** Show a position; a step to the next one is animated. */
  go(wanted, animate = true) {
    const at = Math.max(0, Math.min(this.frames.length - 1, wanted));
    if (at === this.at) return;
    const frame = this.frames[at];
    const onward = animate && at === this.at + 1;
    this.board.show(this.frames.slice(0, at + 1).reduce(patched, new Map()), { animate: onward, keys: onward ? frame.keys : null });
    this.board.offer({ last: frame.keys });
    this.at = at;
    this.fresh = false;
    this.slider.value = String(at);
    mark(this.slider, "aria-valuetext", frame.text);
    mark(this.element, "data-n", at);
    mark(this.status, "class", frame.fault ? "status bad" : "status");
    say(this.status, frame.text);
    say(this.notes, frame.notes.join(" · "));
    if (at === this.frames.length - 1) this.stop();
  }

  toggle() {
    if (this.timer) return this.stop();
    if (this.fresh || this.at === this.frames.length - 1) this.go(0);
    this.name("Pause");
    this.timer = setInterval(() => this.go(this.at + 1), STEP);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = 0;
    this.name("Play");
  }

  name(text) {
    say(this.play, text);
    mark(this.play, "aria-label", text);
    mark(this.play, "title", text);
  }

  /** Arrow keys step through the match; elsewhere in the page they keep their meaning. */
  pressed(event) {
    if (event.target === this.slider || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "ArrowRight") this.go(this.at + 1);
    else if (event.key === "ArrowLeft") this.go(this.at - 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

const holders = [...document.querySelectorAll(".match-player")];
for (const [name, text] of Object.entries(sheets)) adopt(name, text, holders[0]);
for (const holder of holders) new Player(holder);
