/** Fish: floes that drift apart, fish under the ice, penguins in the four colours of the box. */

import { HEXAGON, corners, plain, seatClass, sign, soft } from "./art.js";
import { s } from "./dom.js";
import { hashed } from "./spots.js";

const COLOURS = ["red", "white", "brown", "black"];
const SWIM = "M-15 0C-9-9 5-9 12-1L19-7Q17 0 19 7L12 1C5 9-9 9-15 0Z";
/** Where so many fish swim, and how large. */
const SHOALS = [
  [],
  [[0, 0, 1.35]],
  [[-4, -14, 1.1], [4, 14, 1.1]],
  [[-6, -20, 0.92], [8, 0, 0.92], [-6, 20, 0.92]],
  [[-19, -13, 0.78], [17, -13, 0.78], [-17, 13, 0.78], [19, 13, 0.78]],
  [[-19, -19, 0.74], [18, -19, 0.74], [0, 0, 0.74], [-18, 19, 0.74], [19, 19, 0.74]],
];

/** @param {number[]} place */
const fish = ([x, y, size], at) =>
  s("g", { transform: `translate(${x} ${y}) scale(${at % 2 ? -size : size} ${size})` },
    s("path", { class: "fish", d: SWIM }), s("circle", { class: "eye", cx: -8, cy: -1.6, r: 1.7 }));

/** No two floes have broken off alike. */
function floe(key) {
  const hash = hashed(key);
  return soft(corners(6, 46.5).map(([x, y], at) => [x * (1 - ((hash >> (at * 4)) & 7) / 170), y * (1 - ((hash >> (at * 4 + 2)) & 7) / 170)]), 10);
}

function ice(spot, key) {
  const count = Number(spot.label) || 0;
  const shoal = spot.pieces.length
    ? Array.from({ length: count }, (_, at) => [(at - (count - 1) / 2) * 13, 34, 0.34])
    : SHOALS[Math.min(count, 5)];
  const edge = floe(key);
  return [
    s("path", { class: "ice-side", d: edge, transform: "translate(0 6)" }),
    s("path", { class: "ice", d: edge }),
    s("path", { class: "glint", d: "M-27-31Q-8-37 12-34" }),
    ...shoal.map((place, at) => fish(place, spot.pieces.length ? 0 : at)),
    count > 5 && s("text", { class: "label", y: 36 }, count),
  ];
}

const ripple = (key) => {
  const [x, y] = [(hashed(key) % 30) - 15, (hashed(`${key} `) % 24) - 12];
  return [s("path", { class: "ripple", d: `M${x - 16} ${y}q8-6 16 0t16 0` })];
};

/** @type {import("./art.js").Art} */
export const art = {
  ...plain,
  scale: HEXAGON,
  ground: (spot, key) => (spot.fill === "gap" ? ripple(key) : ice(spot, key)),
  piece: (piece) =>
    s("g", { class: `penguin ${seatClass(piece.seat)}` },
      s("ellipse", { class: "shade", cy: 30, rx: 21, ry: 5 }),
      s("path", { class: "foot", d: "M-15 30q6-8 12 0ZM3 30q6-8 12 0Z" }),
      s("path", { class: "body", d: "M-19-2C-29 6-30 16-25 20Q-20 14-18 8ZM19-2C29 6 30 16 25 20Q20 14 18 8Z" }),
      s("path", { class: "body", d: "M0-34C15-34 18-18 20-3C23 16 16 29 0 29C-16 29-23 16-20-3C-18-18-15-34 0-34Z" }),
      s("path", { class: "belly", d: "M0-9C10-9 14 2 14 11C14 21 8 26 0 26C-8 26-14 21-14 11C-14 2-10-9 0-9Z" }),
      s("circle", { class: "white", cx: -6.5, cy: -20, r: 4.6 }), s("circle", { class: "white", cx: 6.5, cy: -20, r: 4.6 }),
      s("circle", { class: "eye", cx: -5.6, cy: -19.5, r: 2.2 }), s("circle", { class: "eye", cx: 5.6, cy: -19.5, r: 2.2 }),
      s("path", { class: "foot", d: "M-5-15H5L0-8Z" }),
      s("g", { transform: "translate(0 10)" }, sign(piece.seat, 7.5))),
  stand: () => [0, -9, 1],
  behind: (box) => [s("rect", { class: "water", ...box, rx: 22 })],
  words: (spot) => [
    spot.fill === "gap" ? "water" : `${spot.label} fish`,
    ...spot.pieces.map((piece) => `${COLOURS[piece.seat] ?? `seat ${piece.seat}`} penguin`),
  ],
  placing: "Pick a floe to place a penguin on.",
  advice: "Pick a penguin, then a floe it can slide to in a straight line.",
};
