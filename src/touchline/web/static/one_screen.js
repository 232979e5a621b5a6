/**
 * Several people at one screen: a connection for each of their seats. The page shows the seat that is to move; of the
 * others the latest position is kept, so that the screen can be turned to them at once.
 */

import { Live } from "./api.js";
import { h } from "./dom.js";
import { byKey, patched } from "./spots.js";

/** The last of a seat's own log that is kept. */
const MOST = 200;

export class OneScreen {
  /**
   * @param {string} path @param {Array<{seat: number, token: string}>} seats
   * @param {{line: (line: any) => void, state: (state: string, message: string) => void}} to  gets the lines of the seat that is shown
   */
  constructor(path, seats, to) {
    this.to = to;
    /** @type {Map<number, any>} */
    this.kept = new Map();
    this.shown = seats[0].seat;
    this.lives = new Map(seats.map(({ seat, token }) => [seat, new Live(path, { type: "seat", token }, {
      line: (line) => this.heard(seat, line),
      state: (state, ...why) => (seat === this.shown || state !== "live") && to.state(state, ...why),
    })]));
  }

  heard(seat, line) {
    const kept = this.kept.get(seat);
    if (line.type === "snapshot") this.kept.set(seat, { ...line, map: byKey(line.spots) });
    else if (line.type === "update" && kept) {
      const map = patched(kept.map, line);
      this.kept.set(seat, { ...kept, at: line.at, now: line.now, notes: line.notes, map, log: [...kept.log, ...line.events].slice(-MOST) });
    }
    if (seat === this.shown || line.type === "people") this.to.line(line);
    const asked = [...this.kept].find(([, { now }]) => now.you?.asked)?.[0];
    if (asked !== undefined && asked !== this.shown && this.kept.get(this.shown)?.now.to_move !== this.shown) this.turn(asked);
  }

  /** Show the table as another seat sees it. */
  turn(seat) {
    const before = this.shown;
    this.shown = seat;
    const { map, ...snapshot } = this.kept.get(seat);
    this.to.line({ ...snapshot, spots: [...map.values()], from: before });
  }

  send(message) {
    return this.lives.get(this.shown).send(message);
  }

  /** Send a message for every seat. */
  sendAll(message) {
    this.lives.forEach((live) => live.send(message));
  }

  close() {
    this.lives.forEach((live) => live.close());
  }
}

/** A curtain between two people: what one may see, the other may not. @param {string} name @param {() => void} open */
export function curtain(name, open) {
  const cover = h("div", { class: "curtain", "data-curtain": true },
    h("p", {}, `Hand the screen to ${name}.`),
    h("button", { type: "button", onclick: () => {
      cover.remove();
      open();
    } }, `I am ${name}`));
  return cover;
}
