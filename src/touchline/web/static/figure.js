/** The figure of a seat: the piece that the game's sheet draws for it, else the emblem of the seat. */

import { sign } from "./art.js";
import { s } from "./dom.js";

/** The symbol of a seat's piece, as far as a position shows one. @param {Iterable<any>} spots @param {number} seat */
const worn = (spots, seat) => [...spots].flatMap((spot) => spot.pieces ?? []).find((piece) => piece.seat === seat && piece.symbol)?.symbol;

/** The id of the drawing of a seat: `fish-figure-1`, the piece that stands on the board, or an emblem. */
function drawingOf(game, seat, spots) {
  const ids = [`${game}-figure-${seat}`, `${game}-${worn(spots, seat)}`, `common-emblem-${seat % 6}`];
  return ids.find((id) => document.getElementById(id)) ?? null;
}

export class Figure {
  /** @param {string} game @param {number} seat */
  constructor(game, seat) {
    this.game = game;
    this.seat = seat;
    this.id = "";
    this.element = s("svg", { class: `figure ${game} seat${seat % 6}`, viewBox: "-14 -14 28 28", "aria-hidden": "true", "data-figure": true },
      s("circle", { class: "disc", r: 12.5 }), s("g", { class: "inverse" }, sign(seat, 6)));
  }

  /** Draw the figure that a position shows. @param {Iterable<any>} [spots] */
  show(spots = []) {
    const id = drawingOf(this.game, this.seat, spots);
    if (!id || id === this.id || (this.id && id.startsWith("common-"))) return;
    this.id = id;
    const box = document.getElementById(id).getAttribute("viewBox");
    const [x, y, width, height] = box?.split(" ").map(Number) ?? [];
    this.element.setAttribute("viewBox", box ?? "-50 -50 100 100");
    this.element.replaceChildren(s("g", { class: `seat${this.seat % 6}` }, s("use", { href: `#${id}`, x, y, width, height })));
  }
}

/** A figure on its own. @param {string} game @param {number} seat @param {Iterable<any>} [spots] */
export function figure(game, seat, spots) {
  const made = new Figure(game, seat);
  made.show(spots);
  return made.element;
}
