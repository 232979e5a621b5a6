/**
 * The board: one drawing for any game, made of the symbols that its spots name.
 *
 * Rule of this file: the document always has the newest position; animations only cover it, so a new position ends them,
 * and with reduced motion nothing is missing. Layers, bottom to top: backdrop, grounds, trail, marks, pieces, what lies over them.
 *
 * What a page does with it:
 *
 *     const art = await artOf(game, snapshot.spots, snapshot.backdrop);
 *     const board = new Board(game, art, { names, seat, pick, back, confirm });
 *     board.show(byKey(snapshot.spots));          // a position; with `keys` the move that led to it is animated
 *     board.offer({ options, path, last, hint }); // what may be picked, what is picked, the last move, a hint
 *     board.preview(path);                        // the board after these picks
 *     board.arm({ premove });                     // while others move: picks make a premove, which is handed to `premove`
 */

import { ground, over, symbolOf } from "./art.js";
import { h, mark, s } from "./dom.js";
import { Input } from "./input.js";
import { Layout, isTray } from "./layout.js";
import { Marks } from "./marks.js";
import { MS, Motion, PUSH, at } from "./motion.js";
import { Premove } from "./picker.js";
import { Pieces } from "./pieces.js";
import { placeName, textOf } from "./spots.js";
import { Tray } from "./tray.js";
import { Zoom } from "./zoom.js";

/**
 * @typedef {import("./spots.js").Spot} Spot
 * @typedef {import("./spots.js").Spots} Spots
 * @typedef {import("./spots.js").Key} Key
 * @typedef {import("./art.js").Stage} Stage
 * @typedef {{element: any, content: SVGElement | null, over: SVGElement | null, spot: Spot | null, said: string, down: boolean}} Cell
 */

export class Board {
  /**
   * @param {string} game @param {import("./art.js").Art} art
   * @param {object} options
   * @param {string[]} options.names
   * @param {number | null} [options.seat] the seat that looks at it: the board is turned to it, and its pieces can be dragged
   * @param {(key: string) => void} [options.pick] without it the board is read-only
   * @param {() => void} [options.back] takes the last pick back
   * @param {(question: string, yes: string) => Promise<boolean>} [options.confirm] asks before a pick that cannot be taken back
   * @param {{key: string, act: () => void}} [options.shortcut]
   */
  constructor(game, art, options) {
    this.art = art;
    this.game = game;
    this.options = options;
    this.seat = options.seat ?? null;
    this.turned = this.seat !== null && (art.backdrop.above ?? []).includes(this.seat);
    this.layers = Object.fromEntries(["backdrop", "spots", "trail", "marks", "ghosts", "pieces", "over", "top"].map((name) => [name, s("g", { class: `layer-${name}` })]));
    this.svg = s("svg", {
      class: `board common ${game}`, "data-board": game, role: "group",
      "aria-label": `Board of ${game}`, "aria-describedby": options.pick ? "keys" : null,
    }, ...Object.values(this.layers));
    this.frame = h("div", { class: "board-frame" }, this.svg);
    this.asides = h("div", { class: "board-asides", hidden: true });
    this.bar = h("div", { class: "board-bar", hidden: true }, this.asides);
    this.element = h("div", { class: `board-box common ${game}` }, this.frame, this.bar);
    this.motion = new Motion(this.svg);
    this.marks = new Marks(this);
    this.zoom = new Zoom(this);
    /** @type {Tray | null} */
    this.tray = null;
    /** @type {Map<string, Cell>} */
    this.cells = new Map();
    this.pieces = new Pieces(this);
    /** @type {Layout | null} */
    this.layout = null;
    /** @type {Spots} */
    this.spots = new Map();
    /** @type {Map<string, {x: number, y: number, key: Key}>} */
    this.places = new Map();
    /** The position itself, whatever is previewed. @type {Spots | null} */
    this.base = null;
    /** @type {{name: string, push: string, stage: Stage | null}} */
    this.previewed = { name: "", push: "", stage: null };
    this.offered = { options: new Map(), path: [], last: new Set(), hint: [] };
    /** @type {Premove | null} */
    this.armed = null;
    /** The tile that a previewed push has driven out. @type {Node | null} */
    this.left = null;
    this.focused = "";
    this.input = new Input(this);
  }

  // -- positions --

  /**
   * Show a position; with `keys`, the spots of the move that led to it, animate that move.
   * @param {Spots} spots
   * @param {{keys?: Key[] | null, animate?: boolean}} [how]
   */
  show(spots, { keys = null, animate = true } = {}) {
    this.motion.hurry();
    const path = keys?.map(textOf) ?? [];
    const [base, seen] = [this.base, this.previewed];
    this.base = spots;
    this.previewed = { name: "", push: "", stage: null };
    const stage = path.length && base ? (this.art.preview?.(base, path) ?? null) : null;
    this.marks.past = base ? this.way(stage?.spots ?? base, path) : [];
    if (stage && seen.name === path.slice(0, 2).join()) this.draw(spots, { animate, stage: { ...stage, from: new Map(), seen: true } });
    else {
      if (seen.name) this.draw(base, { animate: false });
      this.draw(spots, { animate, stage });
      const pressed = stage && animate && this.cells.get(path[1]);
      if (pressed?.content && this.motion.seen && !this.motion.calm) this.motion.press(pressed.content);
    }
  }

  /** Preview a move that is only partly picked. @param {string[]} path */
  preview(path) {
    const stage = this.base ? (this.art.preview?.(this.base, path) ?? null) : null;
    const [name, push] = stage ? [path.slice(0, 2).join(), path[1]] : ["", ""];
    const was = this.previewed;
    if (was.name === name) return;
    this.previewed = { name, push, stage };
    if (stage && was.push === push) { // only the tile that came in has been turned
      const cell = this.cells.get(stage.entered);
      const ghost = cell?.content.cloneNode(true);
      this.draw(stage.spots, { animate: false });
      if (ghost && this.motion.seen && !this.motion.calm) {
        cell.content.after(ghost);
        this.motion.turn(ghost, cell.content, 1);
      }
      return;
    }
    if (this.base) this.draw(this.base, { animate: false });
    if (stage) this.draw(stage.spots, { animate: true, stage: { ...stage, trial: true } });
  }

  /** The spots along which the piece of a move goes. @param {Spots} spots @param {string[]} path @returns {string[]} */
  way(spots, path) {
    const to = path.at(-1);
    if (path.length < 2 || !this.places.has(to)) return [];
    if (!this.art.mine) return this.art.route?.(spots, path[0], to) ?? [path[0], to];
    // The mover is whoever stands there afterwards and did not stand there before.
    const [there, before] = [this.base?.get(to)?.pieces ?? [], spots.get(to)?.pieces ?? []];
    const mover = there.find((piece) => !before.some((old) => old.seat === piece.seat));
    const from = mover && [...spots].find(([, spot]) => spot.pieces.some((piece) => piece.seat === mover.seat))?.[0];
    return from ? (this.art.route?.(spots, from, to) ?? [from, to]) : [];
  }

  /** @param {Spots} spots @param {{animate?: boolean, stage?: any}} how */
  draw(spots, { animate = true, stage = null }) {
    const old = this.spots;
    this.spots = spots;
    const same = old.size === spots.size && [...spots.keys()].every((key) => old.has(key));
    if (!same) this.layOut();
    const seen = animate && same && this.motion.seen;
    const [move, fade] = [seen && !this.motion.calm, seen && this.motion.calm];
    if (move && stage?.out) this.leave(stage);
    const walked = this.pieces.stand(move, fade, stage);
    for (const [key, spot] of spots) {
      const cell = this.cells.get(key);
      if (cell.spot !== spot) this.ground(cell, spot, { move, fade, walked });
      const off = stage?.from?.get(key);
      if (move && off) this.motion.run(cell.content, { frames: [{ transform: at({ x: off[0], y: off[1] }) }, { transform: at({ x: 0, y: 0 }) }], ms: MS.push, easing: PUSH });
    }
    // The trail of a move is left by the piece that goes along it.
    if (move && walked) this.motion.run(this.layers.trail, { frames: [{ opacity: 0 }, { opacity: 0, offset: 0.8 }, { opacity: 1 }], ms: walked });
    this.refresh();
  }

  // -- layout --

  /** Lay out a board with other spots. */
  layOut() {
    this.layout = new Layout(this.art, this.spots, this.turned);
    this.places = new Map();
    this.cells = new Map();
    for (const [key, spot] of this.spots) {
      const [x, y] = this.layout.position(spot);
      this.places.set(key, { x, y, key: spot.key });
      this.cells.set(key, this.cell(key, spot, x, y));
    }
    const view = this.layout.view();
    this.layers.backdrop.replaceChildren(...this.layout.backdrop(view));
    const cells = [...this.cells.values()].filter(({ spot, content }) => content && !spot.group);
    if (this.turned) cells.reverse(); // those at the back first
    this.layers.spots.replaceChildren(...cells.map((cell) => cell.element));
    this.layers.over.replaceChildren(...cells.map((cell) => cell.over));
    this.layers.ghosts.replaceChildren();
    this.pieces.clear();
    this.asides.replaceChildren(...[...this.cells.values()].filter(({ content }) => !content).map((cell) => cell.element));
    this.asides.hidden = !this.asides.firstChild || !this.options.pick;
    this.layTray();
    for (const cell of this.cells.values()) cell.spot = null;
    this.marks.clear();
    this.zoom.fit(view);
    if (!this.cells.has(this.focused)) this.rove(this.cells.keys().next().value ?? "");
  }

  layTray() {
    const group = [...this.spots].filter(([, spot]) => spot.group).map(([key]) => key);
    if (!group.length) return;
    const boxes = (this.art.backdrop.panels ?? []).filter(isTray);
    const place = this.places.get(group[0]);
    const socket = { x: place.x - 66, y: place.y - 66, width: 132, height: 132 };
    this.tray?.element.remove();
    this.tray = new Tray(this, group, boxes.find((panel) => panel.tone.includes("well")) ?? socket);
    this.frame.after(this.tray.element);
  }

  /** @returns {Cell} */
  cell(key, spot, x, y) {
    const text = this.art.aside?.(key);
    if (text) return { element: h("button", { type: "button", class: "quiet", "data-spot": key, tabindex: "-1" }, text), content: null, over: null, spot, said: "", down: false };
    const content = s("g", { class: "ground" });
    const role = this.options.pick ? "button" : "img";
    const transform = `translate(${x} ${y})`;
    const element = s("g", { class: "spot", "data-spot": key, "data-group": spot.group || null, "data-shape": spot.shape, tabindex: "-1", role, transform },
      content, s("path", { class: "hit", d: this.layout.hit(spot, this.zoom.scale) }));
    return { element, content, over: s("g", { transform }), spot, said: "", down: false };
  }

  /** Make the keys in the frame as deep as they must be in this size. */
  reach() {
    for (const { element, spot, content } of this.cells.values()) {
      if (content && spot?.shape === "arrow") element.querySelector(".hit").setAttribute("d", this.layout.hit(spot, this.zoom.scale));
    }
  }

  // -- grounds --

  /** @param {Cell} cell @param {Spot} spot */
  ground(cell, spot, { move = false, fade = false, walked = 0 } = {}) {
    const old = cell.spot;
    cell.spot = spot;
    cell.said = "";
    if (!cell.content) return;
    const sinks = move && old && old.fill !== "gap" && spot.fill === "gap";
    const ghost = (sinks || fade) && old ? cell.content.cloneNode(true) : null;
    this.dress(cell);
    mark(cell.element, "data-fill", spot.fill);
    mark(cell.element, "data-pieces", spot.pieces.length ? spot.pieces.map((piece) => piece.seat).join(" ") : null);
    if (spot.group) return;
    cell.over.replaceChildren(...over(this.game, spot));
    if (ghost) cell.content.after(ghost);
    if (sinks) this.motion.sink(ghost, cell.element, 60);
    else if (ghost) this.motion.run(ghost, { frames: [{ opacity: 1 }, { opacity: 0 }], ms: MS.fade }, { done: () => ghost.remove() });
    if (move && old) this.greet(cell, old, walked);
  }

  /** Draw a spot; a key that is picked is down. */
  dress(cell) {
    const pressed = (art) => (cell.down && symbolOf(this.game, `${art.symbol}-in`) ? { ...art, symbol: `${art.symbol}-in` } : art);
    const spot = cell.down ? { ...cell.spot, art: cell.spot.art.map(pressed) } : cell.spot;
    cell.content.replaceChildren(...ground(this.game, spot));
  }

  /** What is new on a spot comes after the move: a goal pulses, a badge fades in. */
  greet(cell, old, walked) {
    const had = old.art.some((art) => (art.tone ?? "").includes("goal"));
    if (!had) for (const goal of cell.content.querySelectorAll(".goal")) this.motion.pulse(goal, walked);
    if (cell.spot.over.length && !old.over.length) {
      this.motion.run(cell.over, { frames: [{ opacity: 0 }, { opacity: 1 }], ms: MS.fade }, { delay: walked });
      const hidden = old.art.length > cell.spot.art.length && cell.spot.pieces.length;
      if (hidden) this.cover(cell, old, walked);
    }
  }

  /** Keep what a piece will hide in sight until it is there. */
  cover(cell, old, walked) {
    const ghost = s("g", {}, ...ground(this.game, old));
    cell.content.after(ghost);
    this.motion.run(ghost, { frames: [{ opacity: 1 }, { opacity: 1, offset: 0.8 }, { opacity: 0 }], ms: Math.max(1, walked) }, { done: () => ghost.remove() });
  }

  /** A tile is pushed out: it tips over the edge, and hops to the tray. */
  leave({ out: [key, x, y], trial = false, seen = false }) {
    const [cell, place] = [this.cells.get(key), this.places.get(key)];
    if (!cell?.content) return;
    const tile = seen && this.left ? this.left : cell.content.cloneNode(true);
    this.left = trial ? tile.cloneNode(true) : null; // it hops to the tray when the move is made
    const ghost = s("g", {}, s("rect", { class: "tile-shadow", x: -46, y: -42, width: 104, height: 104, rx: 8 }), tile);
    this.layers.ghosts.append(ghost);
    const edge = { x: place.x + x, y: place.y + y };
    const tipped = at({ x: edge.x + x * 0.12, y: edge.y + y * 0.12 + 4 }, " rotate(5deg)");
    const legs = seen ? [] : [{ frames: [{ transform: at(place, " rotate(0deg)"), opacity: 1 }, { transform: at(edge, " rotate(0deg)"), opacity: 1, offset: 0.8 }, { transform: tipped, opacity: 1 }], ms: MS.push, easing: PUSH }];
    const goal = trial ? null : this.tray?.spot();
    if (goal) {
      const high = at({ x: (edge.x + goal.x) / 2, y: Math.min(edge.y, goal.y) - 60, size: (1 + goal.size) / 2 }, " rotate(2deg)");
      legs.push({ frames: [{ transform: tipped, opacity: 1 }, { transform: high, opacity: 1 }, { transform: at(goal, " rotate(-4deg)"), opacity: 1 }], ms: MS.hop, easing: "ease-in-out" });
      this.tray.await(seen ? MS.hop : MS.push + MS.hop);
    } else legs.push({ frames: [{ transform: tipped, opacity: 1 }, { transform: tipped, opacity: 0 }], ms: MS.hop, easing: "ease-in" });
    this.motion.run(ghost, legs, { done: () => ghost.remove() });
  }

  // -- picks --

  /** @param {{options?: Map<string, string>, path?: string[], last?: Key[] | null, hint?: Key[]}} offered  only what changes */
  offer({ options, path, last, hint }) {
    if (options) this.offered.options = options;
    if (path) this.offered.path = path;
    if (last !== undefined) this.offered.last = new Set((last ?? []).map(textOf).filter((key) => !this.art.fleeting?.(key)));
    if (hint) this.offered.hint = hint.map(textOf);
    if (options?.size) this.input.offered();
    this.refresh();
  }

  /**
   * While it is not this seat's turn, let it pick a premove: one of its pieces and where it is to go, or the spot on
   * which it places its next piece. `premove` gets the picks once they are whole, and null when they are taken back (by a
   * second click, a right-click or Escape). The page sends the move if `picker.find(path)` knows it when the turn comes.
   * `arm(null)` ends it, and takes the picks away.
   * @param {{premove: (path: string[] | null) => void} | null} options
   */
  arm(options) {
    if (!options) this.armed = null;
    else if (this.armed) this.armed.told = options.premove;
    else this.armed = new Premove(this.art, this.seat, this.options.names.length, options.premove);
    mark(this.svg, "data-armed", this.armed?.places(this.spots) ? "placing" : Boolean(this.armed));
    this.refresh();
  }

  /** Pick a spot, as a click, a key or a dropped piece does. @param {string} key */
  pick(key) {
    const { options, hint } = this.offered;
    if (this.armed) {
      this.armed.pick(key, this.spots);
      this.refresh();
      return;
    }
    if (hint.length && options.has(key) && !hint.includes(key) && !this.art.fleeting?.(key)) this.offer({ hint: [] });
    const asks = options.has(key) && this.options.confirm ? this.art.asks?.(key) : null;
    if (asks) this.options.confirm(...asks).then((yes) => yes && this.options.pick?.(key));
    else this.options.pick?.(key);
  }

  /** Take the last pick back. */
  back() {
    if (this.armed?.path.length) {
      this.armed.clear();
      this.refresh();
    } else this.options.back?.();
  }

  refresh() {
    const { options, path, last, hint } = this.offered;
    const premoved = this.armed?.path ?? [];
    this.tray?.hold(premoved.find((key) => this.tray.keys.includes(key)) ?? path.find((key) => this.tray.keys.includes(key)), Boolean(this.previewed.name));
    for (const [key, cell] of this.cells) {
      if (!cell.spot) continue;
      const [legal, picked, hinted, armed] = [options.get(key) ?? null, path.indexOf(key), hint.indexOf(key), premoved.includes(key)];
      const said = `${legal} ${picked} ${last.has(key)} ${hinted} ${path.length} ${armed} ${this.armed ? 1 : 0}`;
      if (cell.said === said) continue;
      cell.said = said;
      mark(cell.element, "data-legal", legal);
      mark(cell.element, "data-picked", picked < 0 ? null : picked + 1);
      mark(cell.element, "data-premove", armed);
      mark(cell.element, "data-last", last.has(key));
      mark(cell.element, "data-hint", hinted < 0 ? null : hinted + 1);
      mark(cell.element, "aria-label", this.name(cell.spot, legal, picked, last.has(key), hinted, armed));
      this.press(cell, picked >= 0 || armed);
      cell.content?.classList.toggle("lit", legal === "next" && Array.isArray(cell.spot.key));
      if (this.options.pick) {
        mark(cell.element, "aria-disabled", legal || picked >= 0 || this.armed ? null : "true");
        mark(cell.element, "aria-pressed", picked >= 0 ? "true" : null);
      }
    }
    this.marks.show();
  }

  /** A key goes down when it is picked, and up again. */
  press(cell, down) {
    if (cell.down === down || cell.spot.shape !== "arrow" || !cell.content) return;
    cell.down = down;
    this.dress(cell);
    if (down && this.motion.seen && !this.motion.calm) this.motion.press(cell.content);
  }

  /** The accessible name of a spot. */
  name(spot, legal, picked, last, hinted, armed = false) {
    const own = spot.pieces.length > 0 && this.offered.path.length === 0;
    return [
      typeof spot.key === "string" ? "" : placeName(spot.key),
      ...this.art.words(spot, this.options.names),
      legal && (own ? "can be moved" : "can be picked"),
      picked >= 0 && "picked",
      armed && "in your next move",
      last && "in the last move",
      hinted >= 0 && `hint ${hinted + 1}`,
    ].filter(Boolean).join(", ");
  }

  /** The next legal spot, cyclically. */
  nextLegal(step) {
    const there = (key) => !this.tray?.keys.includes(key) || this.tray.held === key;
    const keys = [...this.cells.keys()].filter((key) => (this.offered.options.get(key) === "next" && there(key)) || key === this.focused);
    return keys.at((keys.indexOf(this.focused) + step) % keys.length) ?? null;
  }

  focus(key) {
    if (key === null) return;
    this.rove(key);
    this.zoom.reveal(key);
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
