/**
 * Picks a move spot by spot: the picks so far, the legal next picks, and whether they are a whole move.
 *
 * A game's art may allow picks out of order (`replace`): a later pick then replaces an earlier one.
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
    const at = this.moves.findIndex((keys) => keys.length === this.path.length && keys.every((key, n) => key === this.path[n]));
    return at < 0 ? null : at;
  }

  /** Take the last pick back; return whether there was one. */
  back() {
    const had = this.path.length > 0;
    this.path = this.path.slice(0, -1);
    return had;
  }
}
