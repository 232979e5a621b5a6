/**
 * The pieces of a board, and how they get to their places: on a pushed tile, on their own feet, off the board.
 *
 * @typedef {{seat: number, glyph: string, key: string, x: number, y: number, size: number, element: SVGElement}} Standing
 */

import { figure, stand } from "./art.js";
import { GAITS, MS, at, ride } from "./motion.js";

export class Pieces {
  /** @param {import("./board.js").Board} board */
  constructor(board) {
    this.board = board;
    /** @type {Standing[]} */
    this.standing = [];
  }

  clear() {
    this.standing = [];
    this.board.layers.pieces.replaceChildren();
  }

  /** Place the pieces: one that stays is kept, another of the same seat and glyph moves, the rest appear or vanish; return how long it takes. */
  stand(move, fade, stage) {
    const { places, spots } = this.board;
    const wanted = [...spots].flatMap(([key, spot]) => spot.pieces.map((piece, n) => {
      const [x, y, size] = stand(piece, n, spot.pieces.length);
      const place = places.get(key);
      return { seat: piece.seat, glyph: piece.glyph, key, x: place.x + x, y: place.y + y, size, piece };
    }));
    const left = [...this.standing];
    const like = (one, other) => one.seat === other.seat && one.glyph === other.glyph;
    const take = (test) => (left.some(test) ? left.splice(left.findIndex(test), 1)[0] : null);
    const stays = wanted.map((want) => take((old) => like(old, want) && old.key === want.key));
    const olds = wanted.map((want, n) => stays[n] ?? take((old) => like(old, want)));
    let longest = 0;
    this.standing = wanted.map((want, n) => {
      const { element, ms } = this.put(want, olds[n], move, fade, stage);
      longest = Math.max(longest, ms);
      return /** @type {any} */ ({ ...want, element });
    });
    for (const old of left) this.vanish(old, move, fade, longest);
    this.sort();
    return longest;
  }

  /** Draw the pieces in front last. */
  sort() {
    const order = [...this.standing].sort((one, other) => one.y - other.y || one.x - other.x).map(({ element }) => element);
    const layer = this.board.layers.pieces;
    if (order.some((element, n) => layer.children[n] !== element)) layer.append(...order);
  }

  /** Put a piece in its place. */
  put({ piece, ...want }, old, move, fade, stage) {
    const { game, layers, motion } = this.board;
    const element = old?.element ?? figure(game, piece);
    if (!old) layers.pieces.append(element);
    const moved = !old || old.x !== want.x || old.y !== want.y || old.size !== want.size;
    if (old && moved && fade) motion.fadeOut(element, layers.ghosts);
    element.setAttribute("transform", `translate(${want.x} ${want.y}) scale(${want.size})`);
    if (moved && fade) motion.fadeIn(element);
    if (!move) return { element, ms: 0 };
    if (!old) {
      motion.appear(element, want);
      return { element, ms: MS.appear };
    }
    const legs = this.legs(want, old, stage);
    const delay = legs.length && stage?.from?.size && legs[0].ms !== MS.push ? MS.push : 0;
    return { element, ms: legs.length ? motion.run(element, legs, { delay }) : 0 };
  }

  /** The ways of a piece to its new place: on a pushed tile, then on its own feet. */
  legs(want, old, stage) {
    const legs = [];
    let [from, key] = [/** @type {any} */ (old), old.key];
    const middle = stage ? this.staged(stage, want) : null;
    const off = middle ? stage.from?.get(middle.key) : null;
    if (off) {
      legs.push(ride({ ...middle, x: middle.x + off[0], y: middle.y + off[1] }, middle));
      [from, key] = [middle, middle.key];
    }
    if (from.x === want.x && from.y === want.y) return legs; // it was dropped there
    if (key !== want.key) legs.push((GAITS[this.board.art.gait] ?? GAITS.step)(this.points(from, key, want)));
    else legs.push({ frames: [{ transform: at(from) }, { transform: at(want) }], ms: MS.step, easing: "ease-out" });
    return legs;
  }

  /** Where a piece is in an intermediate picture. */
  staged(stage, want) {
    for (const [key, spot] of stage.spots) {
      const n = spot.pieces.findIndex((piece) => piece.seat === want.seat && piece.glyph === want.glyph);
      if (n < 0) continue;
      const [x, y, size] = stand(spot.pieces[n], n, spot.pieces.length);
      const place = this.board.places.get(key);
      return { key, x: place.x + x, y: place.y + y, size };
    }
    return null;
  }

  /** The points along which a piece goes. */
  points(from, key, want) {
    const { art, places, spots } = this.board;
    const there = places.get(want.key);
    const via = (art.route?.(spots, key, want.key) ?? []).slice(1, -1).map((step) => places.get(step)).filter(Boolean);
    return [from, ...via.map(({ x, y }) => ({ x: x + want.x - there.x, y: y + want.y - there.y, size: want.size })), want];
  }

  /** Take a piece off the board: one that is captured tips over. */
  vanish(old, move, fade, longest) {
    const { motion } = this.board;
    const captured = this.standing.some(({ key }) => key === old.key);
    if (move && captured) motion.tip(old.element, old, Math.max(0, longest - 140));
    else if (move || fade) motion.run(old.element, { frames: [{ opacity: 1 }, { opacity: 0 }], ms: fade ? MS.fade : MS.hop }, { done: () => old.element.remove() });
    else old.element.remove();
  }

  /** The piece of this seat on a spot. @param {string} key @returns {Standing | undefined} */
  own(key) {
    return this.standing.find((one) => one.key === key && one.seat === this.board.seat);
  }
}
