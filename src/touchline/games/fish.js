/** How Fish is played on a screen: penguins slide on their bellies along straight lines. */

const COLOURS = ["red", "white", "brown", "black"];

/** @type {import("../web/static/art.js").Behaviour} */
export const behaviour = {
  gait: "slide",
  /** The floes of a straight line, one after the other. */
  route(spots, from, to) {
    const [[row, col], [toRow, toCol]] = [from.split(",").map(Number), to.split(",").map(Number)];
    const across = 2 * toCol + (toRow % 2) - (2 * col + (row % 2));
    const steps = across ? Math.abs(toRow - row) : Math.abs(toRow - row) / 2;
    return Array.from({ length: steps + 1 }, (_, at) => {
      const there = row + ((toRow - row) * at) / steps;
      return `${there},${(2 * col + (row % 2) + (across * at) / steps - (there % 2)) / 2}`;
    });
  },
  words: (spot) => [
    spot.fill === "gap" ? "water" : `${spot.label} fish`,
    ...spot.pieces.map((piece) => `${COLOURS[piece.seat] ?? `seat ${piece.seat}`} penguin`),
  ],
  /** A seat places 6 less the number of seats before its penguins slide. */
  places: (spots, seat, seats) => [...spots.values()].filter((spot) => spot.pieces[0]?.seat === seat).length < 6 - seats,
  placing: "Pick a floe to place a penguin on.",
  advice: "Pick a penguin, then a floe it can slide to in a straight line.",
};
