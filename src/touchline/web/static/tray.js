/**
 * The tray beside the board (below it on a phone): spots of a group share one place, and one of them is in the hand. In Labyrinth
 * they are the four turns of the spare; it turns by its buttons, by a click, by the wheel or by a swipe.
 */

import { symbolOf, use } from "./art.js";
import { announce, h, mark, s } from "./dom.js";
import { MS } from "./motion.js";

const TILT = -4; // degrees: the tile lies loosely in its socket
const SWIPE = 24; // CSS pixels to a turn

export class Tray {
  /** @param {import("./board.js").Board} board @param {string[]} keys of the group @param {{x: number, y: number, width: number, height: number}} box the socket */
  constructor(board, keys, box) {
    this.board = board;
    this.keys = keys;
    this.held = keys[0];
    const place = board.places.get(keys[0]);
    this.bed = s("g", { class: "held", transform: `translate(${place.x} ${place.y}) rotate(${TILT})` });
    this.bed.append(s("rect", { class: "tile-shadow", x: -46, y: -42, width: 104, height: 104, rx: 6 }), s("rect", { class: "tile-edge", x: -50, y: -46, width: 100, height: 102, rx: 3 }));
    for (const key of keys) {
      const { element } = board.cells.get(key);
      element.removeAttribute("transform");
      this.bed.append(element);
    }
    this.svg = s("svg", { class: `tray-tile ${board.game}`, viewBox: `${box.x - 4} ${box.y - 4} ${box.width + 8} ${box.height + 8}`, role: "group", "aria-label": "Spare" },
      s("rect", { class: "socket", x: box.x, y: box.y, width: box.width, height: box.height, rx: 12 }), this.bed);
    this.element = h("div", { class: "tray" }, this.svg, h("div", { class: "tray-keys" }, this.key(-1), this.key(1)));
    this.svg.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.swiped = 0;
    this.svg.addEventListener("pointerdown", (event) => (this.from = event.clientX));
    this.svg.addEventListener("pointermove", (event) => this.swipe(event));
    this.svg.addEventListener("pointerup", () => (this.from = null));
    this.wheeled = 0;
    if (!board.options.pick) this.element.lastChild.hidden = true;
  }

  /** A button that turns it. @param {number} step 1 is clockwise */
  key(step) {
    const { game } = this.board;
    const name = step > 0 ? "Turn the spare right" : "Turn the spare left";
    const face = symbolOf(game, "turn")
      ? s("svg", { viewBox: "-30 -30 60 60", "aria-hidden": "true" }, use(game, "key"), s("g", { transform: `translate(0 -4) scale(${0.8 * step} 0.8)` }, use(game, "turn")))
      : step > 0 ? "↻" : "↺";
    return h("button", { type: "button", class: "tray-key", "aria-label": name, title: `${name} (${step > 0 ? "R" : "Shift+R"})`, onclick: () => this.turn(step) }, face);
  }

  /** Turn what is in the hand. @param {number} step */
  turn(step) {
    const { board } = this;
    const next = this.keys.at((this.keys.indexOf(this.held) + step) % this.keys.length);
    this.step = step;
    board.pick(next);
    if (this.held === next && board.art.shortcut) announce(board.art.shortcut.told(next));
  }

  /** Show one of the group. @param {string | undefined} key @param {boolean} away whether it lies on the board already */
  hold(key, away) {
    const held = key ?? this.keys[0];
    const { board } = this;
    const [was, now] = [board.cells.get(this.held), board.cells.get(held)];
    const turned = held !== this.held;
    if (turned && board.motion.seen && !board.motion.calm && was.content.firstChild) {
      const ghost = was.content.cloneNode(true);
      now.content.after(ghost);
      board.motion.turn(ghost, now.content, this.step ?? 1);
    }
    this.held = held;
    for (const one of this.keys) mark(board.cells.get(one).element, "hidden", one !== held);
    if (turned && was.element === document.activeElement) board.focus(held);
    mark(this.element, "data-away", away);
  }

  /** Where a tile lies in the tray, in units of the board; null if the tray is not shown. @returns {{x: number, y: number, size: number} | null} */
  spot() {
    const [ours, theirs] = [this.svg.isConnected && this.svg.getScreenCTM(), this.board.svg.getScreenCTM()];
    if (!ours || !theirs) return null;
    const { x, y } = this.board.places.get(this.keys[0]);
    const point = new DOMPoint(x, y).matrixTransform(ours).matrixTransform(theirs.inverse());
    return { x: point.x, y: point.y, size: ours.a / theirs.a };
  }

  /** Keep the tray empty until the tile that was pushed out arrives. @param {number} delay */
  await(delay) {
    this.board.motion.run(this.bed, { frames: [{ opacity: 0 }, { opacity: 0 }], ms: Math.max(1, delay - MS.fade) });
  }

  wheel(event) {
    if (event.ctrlKey || !this.board.options.pick) return;
    event.preventDefault();
    this.wheeled += event.deltaY;
    if (Math.abs(this.wheeled) < 40) return;
    this.turn(Math.sign(this.wheeled));
    this.wheeled = 0;
  }

  swipe(event) {
    if (this.from === null || this.from === undefined || event.pointerType === "mouse" || Math.abs(event.clientX - this.from) < SWIPE) return;
    this.turn(Math.sign(event.clientX - this.from));
    this.from = event.clientX;
    this.board.input.quiet = true;
  }
}
