/** The positions of a record, each rebuilt from the nearest keyframe before it, and the stops of its playback. */

import { patched } from "./spots.js";

const KEYFRAMES = 32;

/** Events at which nothing is seen. */
export const DULL = new Set(["sat_down", "ignored"]);

export class Film {
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

  /** The stop at which a turn begins. @param {number} turn */
  stopOfTurn(turn) {
    return this.stops.findIndex((n) => this.positions[n].turn >= turn);
  }

  /** The event of the first fault of a player, or of anybody. @param {string} name @param {string | null} offence @param {string[]} names */
  faultOf(name, offence, names) {
    const faults = this.positions.filter(({ event }) => event.fault);
    const own = faults.filter(({ event }) => names[event.seat] === name);
    return (own.find(({ event }) => event.offence === offence) ?? own[0] ?? faults[0])?.n ?? null;
  }

  /** What each seat was doing after an event. @param {number} n @param {string[]} names @param {any} result */
  doing(n, names, result) {
    const happened = this.positions.slice(0, n + 1).map(({ event }) => event);
    const out = new Map(happened.filter(({ kind }) => kind === "expelled" || kind === "resigned").map(({ seat, kind }) => [seat, kind]));
    const mover = this.positions[n].to_move;
    return names.map((_, seat) => out.get(seat) ?? (result || seat !== mover ? "done" : "moving"));
  }
}
