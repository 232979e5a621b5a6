/** How Hexapawn is played on a screen. */

/** @type {import("../web/static/art.js").Behaviour} */
export const behaviour = {
  gait: "step",
  words: (spot, names) => (spot.pieces.length ? spot.pieces.map((piece) => `${names[piece.seat] ?? `seat ${piece.seat}`}'s pawn`) : ["empty"]),
  advice: "Pick a pawn, then the square ahead, or one aslant to capture.",
};
