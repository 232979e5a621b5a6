/** Art of Hexapawn: a wooden board and pawns. */

import { seatClass, sign, square } from "/static/art.js";
import { s } from "/static/dom.js";

/** @type {import("/static/art.js").OwnArt} */
export const art = {
  sample: { pieces: [{ seat: 1, glyph: "2" }] },
  outline: () => square(46, 6),
  ground: (spot) => [s("path", { class: `wood ${spot.fill}`, d: square(50, 0.1) })],
  piece: (piece) =>
    s("g", { class: `pawn ${seatClass(piece.seat)}` },
      s("ellipse", { class: "shade", cy: 33, rx: 27, ry: 6 }),
      s("path", { class: "body", d: "M-25 32Q-26 24-19 22C-12 14-10 4-9-5H9C10 4 12 14 19 22Q26 24 25 32Q0 38-25 32Z" }),
      s("rect", { class: "body", x: -15, y: -11, width: 30, height: 8, rx: 4 }),
      s("circle", { class: "body", cy: -22, r: 14 }),
      s("path", { class: "shine", d: "M-8-25Q-6-31 0-32" }),
      s("g", { transform: "translate(0 17)" }, sign(piece.seat, 6))),
  behind: ({ x, y, width, height }) => [s("rect", { class: "frame", x, y, width, height, rx: 16 })],
  words: (spot, names) => (spot.pieces.length ? spot.pieces.map((piece) => `${names[piece.seat] ?? `seat ${piece.seat}`}'s pawn`) : ["empty"]),
  advice: "Pick a pawn, then the square ahead, or one aslant to capture.",
};

/** The colours and strokes of the drawing, as CSS. */
export const style = `
.frame { fill: light-dark(#c9b38f, #3a3128); }
.wood.light { fill: light-dark(#f3e9d6, #6d6153); }
.wood.dark { fill: light-dark(#dcc7a3, #574b3e); }
[data-board="hexapawn"], [data-game="hexapawn"] { --pick: light-dark(#0a6b54, #7ee6c0); }
.pawn .body { stroke: light-dark(#ffffffd0, #0d1214); stroke-width: 2; }
.pawn .sign { fill: var(--on-seat); }
.pawn .shine { fill: none; stroke: #ffffffb0; stroke-width: 3.5; stroke-linecap: round; }
`;
