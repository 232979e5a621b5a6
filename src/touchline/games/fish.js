/** Art of Fish: ice floes, fish under the ice, penguins in the four colours of the boxed game. */

import { corners, seatClass, sign, soft } from "/static/art.js";
import { s } from "/static/dom.js";
import { hashed } from "/static/spots.js";

const COLOURS = ["red", "white", "brown", "black"];
const SWIM = "M-15 0C-9-9 5-9 12-1L19-7Q17 0 19 7L12 1C5 9-9 9-15 0Z";
/** For each number of fish on a floe: x, y and scale of every fish. */
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

/** The outline of a floe: a hexagon whose corners vary with its key, so that floes differ. */
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

/** @type {import("/static/art.js").OwnArt} */
export const art = {
  sample: { shape: "hexagon", label: "3", pieces: [{ seat: 0, glyph: "R" }] },
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

/** The colours and strokes of the drawing, as CSS. */
export const style = `
[data-board="fish"], [data-game="fish"], [data-page]:has([data-board="fish"]) {
  --seat0: #d13a31; --seat1: #f3f0e8; --seat2: #8a5730; --seat3: #2a2f36; --on-seat: #ffffff;
}
[data-page]:has([data-board="fish"]) .seat1, .board .penguin.seat1 { --on-mine: #414b52; }
[data-page]:has([data-board="fish"]) .badge .disc { stroke: var(--edge); stroke-width: 1.5; }
[data-page]:has([data-board="fish"]) .c1 { color: var(--faint); }
[data-page]:has([data-board="fish"]) .c3 { color: var(--ink); }
[data-page]:has([data-board="fish"]) .c2 { color: light-dark(#8a5730, #d39a6c); }
.water { fill: light-dark(#8fc3d8, #123242); }
.ripple { fill: none; stroke: light-dark(#b9deeb, #24536a); stroke-width: 4; stroke-linecap: round; }
.ice { fill: light-dark(#f4fafc, #c4dae4); stroke: light-dark(#ffffff, #dceaf0); stroke-width: 2; }
.ice-side { fill: light-dark(#5f9fb9, #4a7388); }
.glint { fill: none; stroke: #fff; stroke-width: 4; stroke-linecap: round; opacity: 0.9; }
.fish { fill: light-dark(#e07a3f, #bf5a22); stroke: light-dark(#a94f1d, #7c3510); stroke-width: 1.5; stroke-linejoin: round; }
.eye { fill: #20262b; }
[data-board="fish"] { --pick: light-dark(#0a6b54, #006a50); }
[data-board="fish"] .spot[data-fill="gap"][data-last] .ring { fill: none; stroke: light-dark(#ffffffb0, #f0b64a90); stroke-width: 4; stroke-dasharray: 9 9; }
[data-board="fish"] .spot:focus-visible .ring { stroke: #16202a; }
[data-board="fish"] .spot[data-fill="gap"]:focus-visible .ring { stroke: light-dark(#16202a, #e9eeef); }
.penguin .body { stroke: #20262b; stroke-width: 2; }
.penguin .belly { fill: #fffaf1; }
.penguin .white { fill: #fff; stroke: #20262b; stroke-width: 0.8; }
.penguin .foot { fill: #f0a021; stroke: #8f5a05; stroke-width: 1; }
.penguin.seat1 .belly { fill: #dfe5e6; }
.penguin.seat1 .sign { fill: #414b52; }
`;
