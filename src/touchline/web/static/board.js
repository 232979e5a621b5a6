/**
 * The board: one SVG for any game, drawn from its spots with the game's art.
 *
 * Rule of this file: the document always has the newest position; animations only cover it, so a new position ends them,
 * and with reduced motion nothing is missing.
 */

import { mark, s } from "./dom.js";
import { neighbour, placeName, rowEnd, textOf } from "./spots.js";

/**
 * @typedef {import("./spots.js").Spot} Spot
 * @typedef {import("./spots.js").Spots} Spots
 * @typedef {import("./spots.js").Key} Key
 * @typedef {{element: SVGElement, content: SVGElement, spot: Spot, said: string}} Cell
 * @typedef {{seat: number, glyph: string, key: string, x: number, y: number, size: number, element: SVGElement}} Standing
 */

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const SLIDE = 420;
const EASING = "cubic-bezier(.3,.1,.2,1)";
const at = (x, y, size = 1) => `translate(${x}px, ${y}px) scale(${size})`;

export class Board {
  /**
   * @param {string} game @param {import("./art.js").Art} art
   * @param {{names: string[], pick?: (key: string) => void, back?: () => void, shortcut?: {key: string, act: () => void}}} options
   *   without `pick` the board is read-only
   */
  constructor(game, art, options) {
    this.art = art;
    this.options = options;
    this.layers = Object.fromEntries(["behind", "spots", "ghosts", "pieces"].map((name) => [name, s("g", { class: name })]));
    this.element = s("svg", {
      class: "board", "data-board": game, role: "group",
      "aria-label": `Board of ${game}`, "aria-describedby": options.pick ? "keys" : null,
    }, ...Object.values(this.layers));
    /** @type {Map<string, Cell>} */
    this.cells = new Map();
    /** @type {Standing[]} */
    this.standing = [];
    /** @type {Spots} */
    this.spots = new Map();
    /** @type {Map<string, {x: number, y: number, key: Key}>} */
    this.places = new Map();
    /** The position itself, whatever is previewed. @type {Spots | null} */
    this.base = null;
    this.previewed = "";
    this.offered = { options: new Map(), path: [], last: new Set(), hint: [] };
    this.focused = "";
    this.moving = 0;
    this.later = 0;
    this.shownAt = -Infinity;
    this.haste = 1;
    this.element.addEventListener("click", (event) => this.clicked(event));
    this.element.addEventListener("keydown", (event) => this.pressed(event));
    this.element.addEventListener("focusin", (event) => this.rove(event.target.dataset?.spot ?? this.focused));
  }

  // -- drawing --

  /**
   * Show a position; with `keys`, the spots of the move that led to it, animate that move.
   * @param {Spots} spots
   * @param {{keys?: Key[] | null, animate?: boolean}} [how]
   */
  show(spots, { keys = null, animate = true } = {}) {
    clearTimeout(this.later);
    // The faster positions come, the shorter the animations.
    this.haste = Math.max(0.2, Math.min(1, (performance.now() - this.shownAt) / (2.2 * SLIDE)));
    this.shownAt = performance.now();
    const path = keys?.map(textOf) ?? [];
    const [base, seen] = [this.base, this.previewed];
    this.base = spots;
    this.previewed = "";
    const stage = animate && !calm.matches && path.length && base ? this.art.preview?.(base, path) : null;
    if (!stage || seen === path.slice(0, 2).join()) {
      this.draw(spots, { animate });
      return;
    }
    if (seen) this.draw(base, { animate: false });
    this.draw(stage.spots, { animate, stage });
    this.later = setTimeout(() => this.draw(spots, { animate }), (SLIDE + 80) * this.haste);
  }

  /** Preview a move that is only partly picked. @param {string[]} path */
  preview(path) {
    const stage = this.base ? this.art.preview?.(this.base, path) : null;
    const name = stage ? path.slice(0, 2).join() : "";
    if (this.previewed === name) return;
    clearTimeout(this.later);
    this.draw(this.base, { animate: false });
    if (stage) this.draw(stage.spots, { animate: true, stage });
    this.previewed = name;
  }

  /** @param {Spots} spots @param {{animate?: boolean, stage?: import("./art.js").Stage | null}} how */
  draw(spots, { animate = true, stage = null }) {
    const move = animate && !calm.matches && document.visibilityState === "visible";
    const old = this.spots;
    this.spots = spots;
    const same = old.size === spots.size && [...spots.keys()].every((key) => old.has(key));
    if (!same) this.layOut();
    if (move && stage?.out) this.leave(this.cells.get(stage.out[0])?.content, stage.out[1], stage.out[2]);
    for (const [key, spot] of spots) {
      const cell = this.cells.get(key);
      if (cell.spot !== spot) this.ground(cell, key, spot, move && same);
      const off = stage?.from?.get(key);
      if (move && off) this.run(cell.content, [{ transform: at(...off) }, { transform: at(0, 0) }]);
    }
    this.stand(move && same, stage);
    this.refresh();
  }

  /** Lay out a board with other spots. */
  layOut() {
    this.places = new Map();
    this.cells = new Map();
    for (const [key, spot] of this.spots) {
      const [x, y] = this.art.place(spot, this.spots);
      const content = s("g");
      const role = this.options.pick ? "button" : "img";
      const element = s("g", { class: "spot", "data-spot": key, tabindex: "-1", role, transform: `translate(${x} ${y})` }, content);
      this.places.set(key, { x, y, key: spot.key });
      this.cells.set(key, { element, content, spot: null, said: "" });
    }
    const [xs, ys] = [[...this.places.values()].map(({ x }) => x), [...this.places.values()].map(({ y }) => y)];
    const [left, top] = [Math.min(...xs) - 62, Math.min(...ys) - 62];
    const box = { x: left, y: top, width: Math.max(...xs) + 62 - left, height: Math.max(...ys) + 70 - top };
    this.element.setAttribute("viewBox", `${left - 34} ${top - 34} ${box.width + 40} ${box.height + 38}`);
    this.element.style.setProperty("--numbers", `${Math.max(13, Math.min(26, 0.025 * Math.max(box.width, box.height)))}px`);
    this.layers.behind.replaceChildren(...this.art.behind(box), ...this.numbers(box));
    this.layers.spots.replaceChildren(...[...this.cells.values()].map((cell) => cell.element));
    this.layers.ghosts.replaceChildren();
    this.layers.pieces.replaceChildren();
    this.standing = [];
    if (!this.cells.has(this.focused)) this.rove(this.cells.keys().next().value ?? "");
  }

  /** The numbers of rows, on the left, and columns, at the top. */
  numbers(box) {
    return [...this.places.values()].filter(({ key }) => Array.isArray(key)).flatMap(({ key: [row, col], x, y }) => [
      col === 0 && s("text", { class: "number", x: box.x - 17, y, "aria-hidden": "true" }, row),
      row === 0 && s("text", { class: "number", x, y: box.y - 15, "aria-hidden": "true" }, col),
    ].filter(Boolean));
  }

  ground(cell, key, spot, move) {
    const vanished = move && cell.spot && cell.spot.fill !== "gap" && spot.fill === "gap";
    if (vanished) this.leave(cell.content, 0, 14);
    cell.spot = spot;
    cell.said = "";
    cell.content.replaceChildren(...this.art.ground(spot, key).filter(Boolean), s("path", { class: "ring", d: this.art.outline(spot) }));
    mark(cell.element, "data-fill", spot.fill);
    mark(cell.element, "data-pieces", spot.pieces.length ? spot.pieces.map((piece) => piece.seat).join(" ") : null);
  }

  /** Slide a copy of an element away and fade it out. */
  leave(element, x, y) {
    if (!element) return;
    const ghost = s("g", { transform: element.parentNode.getAttribute("transform") }, element.cloneNode(true));
    this.layers.ghosts.append(ghost);
    this.run(ghost.firstChild, [{ transform: at(0, 0), opacity: 1 }, { transform: at(x, y), opacity: 0 }], SLIDE * 1.4, () => ghost.remove());
  }

  // -- pieces --

  /** Place the pieces: one that stays is kept, another of the same seat and glyph walks, the rest appear or vanish. */
  stand(move, stage) {
    const wanted = [...this.spots].flatMap(([key, spot]) => spot.pieces.map((piece, n) => {
      const [x, y, size] = this.art.stand(n, spot.pieces.length, spot);
      const place = this.places.get(key);
      return { seat: piece.seat, glyph: piece.glyph, key, x: place.x + x, y: place.y + y, size, piece, spot };
    }));
    const left = [...this.standing];
    const like = (one, other) => one.seat === other.seat && one.glyph === other.glyph;
    const take = (test) => (left.some(test) ? left.splice(left.findIndex(test), 1)[0] : null);
    const stays = wanted.map((want) => take((old) => like(old, want) && old.key === want.key));
    this.standing = wanted.map((want, n) => this.walk(want, stays[n] ?? take((old) => like(old, want)), move, stage));
    for (const old of left) {
      if (move) this.run(old.element, [{ opacity: 1 }, { opacity: 0 }], SLIDE, () => old.element.remove());
      else old.element.remove();
    }
  }

  /** @returns {Standing} */
  walk({ piece, spot, ...want }, old, move, stage) {
    const element = old?.element ?? this.art.piece(piece, spot);
    if (!old) this.layers.pieces.append(element);
    element.setAttribute("transform", `translate(${want.x} ${want.y}) scale(${want.size})`);
    const off = stage?.from?.get(want.key);
    const there = { transform: at(want.x, want.y, want.size), opacity: 1 };
    if (move && off) this.run(element, [{ transform: at(want.x + off[0], want.y + off[1], want.size) }, there]);
    else if (move && !old) this.run(element, [{ transform: at(want.x, want.y - 26, want.size), opacity: 0 }, there]);
    else if (move && (old.x !== want.x || old.y !== want.y)) {
      this.layers.pieces.append(element);
      const route = old.key === want.key ? [] : (this.art.route?.(this.spots, old.key, want.key) ?? []).slice(1, -1);
      const via = route.map((key) => this.places.get(key)).map((place) => ({ transform: at(place.x, place.y, want.size) }));
      this.run(element, [{ transform: at(old.x, old.y, old.size) }, ...via, there], SLIDE + 70 * via.length);
    }
    return /** @type {any} */ ({ ...want, element });
  }

  run(element, frames, duration = SLIDE, done = () => {}) {
    this.moving++;
    mark(this.element, "data-moving", true);
    const animation = element.animate(frames, { duration: duration * this.haste, easing: frames.length > 2 ? "ease-in-out" : EASING });
    animation.startTime = document.timeline.currentTime; // animations of one position are in step
    animation.finished.catch(() => {}).then(() => {
      done();
      if (!--this.moving) mark(this.element, "data-moving", false);
    });
  }

  // -- legal picks --

  /** @param {{options?: Map<string, string>, path?: string[], last?: Key[] | null, hint?: Key[]}} offered  only what changes */
  offer({ options, path, last, hint }) {
    if (options) this.offered.options = options;
    if (path) this.offered.path = path;
    if (last !== undefined) this.offered.last = new Set((last ?? []).map(textOf).filter((key) => !this.art.fleeting?.(key)));
    if (hint) this.offered.hint = hint.map(textOf);
    this.refresh();
  }

  refresh() {
    const { options, path, last, hint } = this.offered;
    for (const [key, cell] of this.cells) {
      const [legal, picked, hinted] = [options.get(key) ?? null, path.indexOf(key), hint.indexOf(key)];
      const said = `${legal} ${picked} ${last.has(key)} ${hinted} ${path.length}`;
      if (cell.said === said) continue;
      cell.said = said;
      mark(cell.element, "data-legal", legal);
      mark(cell.element, "data-picked", picked < 0 ? null : picked + 1);
      mark(cell.element, "data-last", last.has(key));
      mark(cell.element, "data-hint", hinted < 0 ? null : hinted + 1);
      mark(cell.element, "aria-label", this.name(cell.spot, legal, picked, last.has(key), hinted));
      if (this.options.pick) {
        mark(cell.element, "aria-disabled", legal || picked >= 0 ? null : "true");
        mark(cell.element, "aria-pressed", picked >= 0 ? "true" : null);
      }
    }
  }

  /** The accessible name of a spot. */
  name(spot, legal, picked, last, hinted) {
    const own = spot.pieces.length > 0 && this.offered.path.length === 0;
    return [
      typeof spot.key === "string" ? "" : placeName(spot.key),
      ...this.art.words(spot, this.options.names),
      legal && (own ? "can be moved" : "can be picked"),
      picked >= 0 && "picked",
      last && "in the last move",
      hinted >= 0 && `hint ${hinted + 1}`,
    ].filter(Boolean).join(", ");
  }

  // -- input --

  clicked(event) {
    const key = event.target.closest?.("[data-spot]")?.dataset.spot;
    if (key === undefined) return;
    this.rove(key);
    this.options.pick?.(key);
  }

  pressed(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const key = event.key;
    if (key === "Enter" || key === " ") this.options.pick?.(this.focused);
    else if ((key === "Escape" || key === "Backspace") && this.offered.path.length) this.options.back?.();
    else if (key.toLowerCase() === this.options.shortcut?.key) this.options.shortcut.act();
    else if (key === "n" || key === "N") this.focus(this.nextLegal(key === "n" ? 1 : -1));
    else if (key === "Home" || key === "End") this.focus(rowEnd(this.places, this.focused, key === "End"));
    else if (key.startsWith("Arrow")) this.focus(neighbour(this.places, this.focused, key));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** The next legal spot, cyclically. */
  nextLegal(step) {
    const keys = [...this.cells.keys()].filter((key) => this.offered.options.get(key) === "next" || key === this.focused);
    return keys.at((keys.indexOf(this.focused) + step) % keys.length) ?? null;
  }

  focus(key) {
    if (key === null) return;
    this.rove(key);
    this.cells.get(key)?.element.focus({ preventScroll: false });
  }

  /** Roving tabindex: only the spot that had the focus last is in the tab order. */
  rove(key) {
    if (key === "" || !this.cells.has(key)) return;
    this.cells.get(this.focused)?.element.setAttribute("tabindex", "-1");
    this.focused = key;
    this.cells.get(key).element.setAttribute("tabindex", "0");
  }
}
