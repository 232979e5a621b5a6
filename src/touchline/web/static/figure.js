/** The figure of a seat: as the game's sheet draws it, else the piece that stands on the board, else an emblem. */

import { symbolOf, use } from "./art.js";
import { s } from "./dom.js";
import { sheets } from "./game_art.js";

/** The view of a figure that is no symbol with a view of its own. */
const VIEW = "-50 -50 100 100";

export class Figure {
  /** @param {string} game @param {number} seat */
  constructor(game, seat) {
    this.game = game;
    this.seat = seat;
    this.name = "";
    this.element = s("svg", { class: `figure ${game}`, viewBox: VIEW, "aria-hidden": "true", "data-figure": true });
    this.show([]);
    if (!this.name) sheets(game).then(() => this.show([])); // a table without a board yet
  }

  /** Draw the figure; a position may show which piece it is. @param {any[]} spots */
  show(spots) {
    const piece = spots.flatMap((spot) => spot.pieces ?? []).find(({ seat, symbol }) => seat === this.seat && symbol)?.symbol;
    const name = [`figure-${this.seat}`, piece, this.name, `emblem-${this.seat % 6}`].find((one) => one && symbolOf(this.game, one)) ?? "";
    if (name === this.name) return;
    this.name = name;
    this.element.setAttribute("viewBox", symbolOf(this.game, name).getAttribute("viewBox") ?? VIEW);
    this.element.replaceChildren(s("g", { class: `seat${this.seat % 6}` }, use(this.game, name)));
  }
}

/** A figure on its own. @param {string} game @param {number} seat @param {any[]} spots */
export function figure(game, seat, spots) {
  const made = new Figure(game, seat);
  made.show(spots);
  return made.element;
}
