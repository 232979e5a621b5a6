/**
 * Picks a move spot by spot: the picks so far, the legal next picks, and whether they are a whole move.
 *
 * A game may allow picks out of order (`replace`): a later pick then replaces an earlier one.
 */

import { textOf } from "./spots.js";

export class Picker {
  /** @param {import("./art.js").Art} art */
  constructor(art) {
    this.art = art;
    this.offer([]);
  }

  /** Start with new legal moves, and no picks. @param {import("./spots.js").Key[][]} legal */
  offer(legal) {
    this.moves = legal.map((keys) => keys.map(textOf));
    /** @type {string[]} */
    this.path = [];
  }

  /** The legal moves that begin with these picks. @param {string[]} path */
  fitting(path) {
    return this.moves.filter((keys) => path.every((key, at) => keys[at] === key));
  }

  /** The legal picks: `next` continues the move, `other` replaces an earlier pick. @returns {Map<string, string>} */
  options() {
    const found = new Map();
    for (const keys of this.fitting(this.path)) {
      if (keys.length > this.path.length) found.set(keys[this.path.length], "next");
    }
    for (const keys of this.moves) {
      for (const key of keys) {
        if (found.has(key)) continue;
        const path = this.replaced(key);
        if (path) found.set(key, path.length > this.path.length ? "next" : "other");
      }
      if (!this.art.replace) break;
    }
    if (this.path.length) {
      for (const [first] of this.moves) if (!found.has(first) && first !== this.path[0]) found.set(first, "other");
    }
    return found;
  }

  /** The picks after this key replaced an earlier one; null if it cannot. */
  replaced(key) {
    const path = this.art.replace?.(this.path, key) ?? null;
    return path && this.fitting(path).length ? path : null;
  }

  /**
   * Pick a spot. @param {string} key
   * @returns {number | null} the index of the move, once it is whole
   */
  pick(key) {
    const rest = this.fitting([...this.path, key]);
    if (rest.length) this.path = [...this.path, key];
    else if (this.path.at(-1) === key) {
      const whole = this.whole();
      if (whole === null && !this.replaced(key)) this.back();
      return whole;
    } else {
      const path = this.replaced(key) ?? (this.fitting([key]).length ? [key] : null);
      if (path) this.path = path;
      return null;
    }
    return rest.length === 1 && rest[0].length === this.path.length ? this.whole() : null;
  }

  /** The index of the picked move; null while it is not whole. */
  whole() {
    return this.find(this.path);
  }

  /** The index of the legal move with these picks, such as a premove; null if there is none. @param {string[]} path */
  find(path) {
    const at = this.moves.findIndex((keys) => keys.length === path.length && keys.every((key, n) => key === path[n]));
    return at < 0 ? null : at;
  }

  /** Take the last pick back; return whether there was one. */
  back() {
    const had = this.path.length > 0;
    this.path = this.path.slice(0, -1);
    return had;
  }
}

/** A move that is picked ahead, while others move: no legal moves are known, so any spot can be its end. */
export class Premove {
  /**
   * @param {import("./art.js").Art} art @param {number | null} seat @param {number} seats how many play
   * @param {(path: string[] | null) => void} told gets a whole premove, or null
   */
  constructor(art, seat, seats, told) {
    Object.assign(this, { art, seat, seats, told });
    /** @type {string[]} */
    this.path = [];
    this.whole = false;
  }

  /** Pick a spot. @param {string} key @param {import("./spots.js").Spots} spots */
  pick(key, spots) {
    const spot = spots.get(key);
    if (!spot) return;
    const cell = Array.isArray(spot.key);
    const own = cell && spot.pieces.some((piece) => piece.seat === this.seat);
    if (this.places(spots)) this.place(key, cell && !spot.pieces.length && spot.fill !== "gap");
    else if (this.whole && (this.path.includes(key) || !own)) this.clear();
    else if (this.art.replace) this.further(key, cell);
    else if (own && this.path[0] !== key) this.set([key], false);
    else if (this.path[0] === key) this.clear();
    else if (this.path.length === 1 && cell) this.set([this.path[0], key], true);
  }

  /** Whether the next move of this seat places a piece. @param {import("./spots.js").Spots} spots */
  places(spots) {
    return this.seat !== null && Boolean(this.art.places?.(spots, this.seat, this.seats));
  }

  /** Pick where a piece is to be placed; a second click takes it back. @param {string} key @param {boolean} free */
  place(key, free) {
    if (free && this.path[0] !== key) this.set([key], true);
    else this.clear();
  }

  /** Pick in any order, as the game allows. */
  further(key, cell) {
    const path = this.art.replace(this.path, key) ?? (this.art.fleeting?.(key) ? [key] : null);
    if (path) this.set(path, false);
    else if (cell && this.path.length === this.art.picks - 1) this.set([...this.path, key], true);
  }

  set(path, whole) {
    const had = this.whole;
    this.path = path;
    this.whole = whole;
    if (whole || had) this.told(whole ? path : null);
  }

  clear() {
    this.set([], false);
  }
}
