/**
 * How a game is drawn. Any game can be drawn from its sketch alone (`plain`). A game with art of its own brings one more
 * file, `<module>.js` beside its `<module>.py`; the server serves it at `/art/<game>.js`. It is a module that exports `art`,
 * the parts of `Art` that differ from `plain`, and optionally `style`, a text of CSS. It may import from `/static/art.js`,
 * `/static/dom.js` and `/static/spots.js`. Everything is drawn around (0, 0); a square is 100 units wide.
 *
 * @typedef {import("./spots.js").Spot} Spot
 * @typedef {import("./spots.js").Spots} Spots
 * @typedef {import("./spots.js").Piece} Piece
 * @typedef {{spots: Spots, from?: Map<string, [number, number]>, out?: [string, number, number]}} Stage
 *   an intermediate picture: `from` has the offset from which a spot's tile (and the pieces on it) slides in, `out` the
 *   tile that leaves and the offset it slides to
 * @typedef {{text: string, key: string, help: string, next: (path: string[]) => string, told: (key: string) => string}} Shortcut
 *   a button and a key of the game's own: `next` returns the spot that they pick, `told` the words for a screen reader
 * @typedef {Partial<Art>} OwnArt
 * @typedef {object} Art
 * @property {[number, number]} scale  pixels to a unit, across and down
 * @property {(spot: Spot, spots: Spots) => [number, number]} place  the centre of a spot
 * @property {(spot: Spot) => string} outline  the path of its edge, as SVG path data
 * @property {(spot: Spot, key: string) => Array<SVGElement | null>} ground
 * @property {(piece: Piece, spot: Spot) => SVGElement} piece
 * @property {(at: number, of: number, spot: Spot) => [number, number, number]} stand  x, y and scale of a piece on its spot
 * @property {(box: {x: number, y: number, width: number, height: number}) => SVGElement[]} behind
 * @property {(spot: Spot, names: string[]) => string[]} words  the content of a spot, for a screen reader
 * @property {(path: string[], key: string) => string[] | null} [replace]  the picks after `key` replaced an earlier one
 * @property {(spots: Spots, path: string[]) => Stage | null} [preview]  the board after these picks
 * @property {(spots: Spots, from: string, to: string) => string[]} [route]  the spots along which a piece walks
 * @property {(key: string) => boolean} [fleeting]  whether a spot means something else after the move
 * @property {Shortcut} [shortcut]
 * @property {Partial<Spot>} [sample]  a spot that stands for the game in the lobby
 * @property {string} [placing]  advice where a move is a single spot
 * @property {string} [advice]  advice for any other move
 */

import { s } from "./dom.js";

export const UNIT = 100;

/** A closed path with soft corners. @param {Array<[number, number]>} points */
export function soft(points, radius) {
  const toward = ([x, y], [to_x, to_y]) => {
    const share = Math.min(0.5, radius / Math.hypot(to_x - x, to_y - y));
    return `${(x + (to_x - x) * share).toFixed(1)} ${(y + (to_y - y) * share).toFixed(1)}`;
  };
  const parts = points.map((point, at) => {
    const [before, after] = [points.at(at - 1), points[(at + 1) % points.length]];
    return `${at ? "L" : "M"}${toward(point, before)}Q${point[0].toFixed(1)} ${point[1].toFixed(1)} ${toward(point, after)}`;
  });
  return `${parts.join("")}Z`;
}

/** @param {number} radius @returns {Array<[number, number]>} */
export const corners = (count, radius, turn = 0) =>
  Array.from({ length: count }, (_, at) => {
    const angle = turn + (2 * Math.PI * at) / count;
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  });

export const square = (half, radius) => soft([[-half, -half], [half, -half], [half, half], [-half, half]], radius);

/** A shape for each seat, so that seats differ not by colour alone. */
export function sign(seat, size) {
  const shape = [
    () => s("circle", { r: size * 0.9 }),
    () => s("path", { d: square(size * 0.82, 1) }),
    () => s("path", { d: soft(corners(3, size * 1.2, -Math.PI / 2), 1) }),
    () => s("path", { d: soft(corners(4, size * 1.15), 1) }),
    () => s("path", { d: "M-3-9H3V-3H9V3H3V9H-3V3H-9V-3H-3Z", transform: `scale(${size / 9})` }),
    () => s("path", { d: star(size * 1.25) }),
  ][seat % 6]();
  shape.setAttribute("class", "sign");
  return shape;
}

/** @param {number} size */
export function star(size) {
  return soft(corners(10, 1, -Math.PI / 2).map(([x, y], at) => [x * size * (at % 2 ? 0.46 : 1), y * size * (at % 2 ? 0.46 : 1)]), 1.5);
}

export const seatClass = (seat) => `seat${seat % 6}`;

const ARROWS = { "▲": 0, "▶": 90, "▼": 180, "◀": 270 };

/** A button on the board: an arrow, or a word. */
export function arrow(label) {
  const reach = s("rect", { x: -37, y: -37, width: 74, height: 74, fill: "transparent" }); // the target size for a finger
  if (label in ARROWS) {
    return [reach, s("circle", { class: "knob", r: 27 }), s("path", { class: "chevron", d: "M-12 7L0-7L12 7", transform: `rotate(${ARROWS[label]})` })];
  }
  return [reach, s("rect", { class: "knob", x: -46, y: -24, width: 92, height: 48, rx: 24 }), s("text", { class: "word", y: 1 }, label)];
}

const seatName = (seat, names) => names[seat] ?? `seat ${seat}`;

/** @type {Art} */
export const plain = {
  scale: [UNIT, UNIT],
  place(spot) {
    return [spot.x * this.scale[0], spot.y * this.scale[1]];
  },
  outline(spot) {
    if (spot.shape === "hexagon") return soft(corners(6, 47), 6);
    if (spot.shape !== "arrow") return square(47, 8);
    return spot.label in ARROWS ? soft(corners(8, 32), 12) : soft([[-47, -25], [47, -25], [47, 25], [-47, 25]], 24);
  },
  ground(spot) {
    if (spot.shape === "arrow") return arrow(spot.label);
    if (spot.fill === "gap") return [];
    const ways = { N: "V-47", E: "H47", S: "V47", W: "H-47" };
    return [
      s("path", { class: `tile ${spot.fill}`, d: this.outline(spot) }),
      spot.strokes ? s("path", { class: "way", d: [...spot.strokes].map((way) => `M0 0${ways[way]}`).join("") }) : null,
      spot.label && !spot.pieces.length ? s("text", { class: "label" }, spot.label.length > 6 ? `${spot.label.slice(0, 5)}…` : spot.label) : null,
      ...spot.marks.map((mark, at) => s("g", { class: seatClass(mark.seat), transform: `translate(${-34 + 22 * (at % 4)} ${-34 + 22 * Math.floor(at / 4)})` },
        mark.glyph === "*" ? s("path", { class: "mark", d: star(11) }) : sign(mark.seat, 8))),
    ];
  },
  piece(piece) {
    return s("g", { class: seatClass(piece.seat) }, s("circle", { class: "body", r: 30 }), s("text", { class: "glyph", y: 1 }, piece.glyph));
  },
  stand(at, of) {
    if (of === 1) return [0, 0, 1];
    const [[x, y]] = corners(of, of > 3 ? 25 : 20, Math.PI + (2 * Math.PI * at) / of);
    return [x, y, of > 3 ? 0.5 : 0.66];
  },
  behind: () => [],
  words(spot, names) {
    return [
      spot.label,
      ...spot.pieces.map((piece) => `${seatName(piece.seat, names)}'s ${piece.glyph}`),
      ...spot.marks.map((mark) => `${seatName(mark.seat, names)}'s ${mark.glyph === "*" ? "goal" : `mark ${mark.glyph}`}`),
    ].filter(Boolean);
  },
};

/** Hexagons touch at this scale: wider than high, and two rows are one height apart. @type {[number, number]} */
const HEXAGON = [UNIT * 0.75, (UNIT * Math.sqrt(3)) / 4];

/** What the games' art files export, by game. @type {Map<string, Promise<{art?: OwnArt}>>} */
const loaded = new Map();

/** Load the art of a game once, with its style. Art that does not load leaves the game drawn plainly. */
async function load(game) {
  try {
    const own = await import(`/art/${encodeURIComponent(game)}.js`);
    if (own.style) {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(own.style);
      document.adoptedStyleSheets.push(sheet);
    }
    return own;
  } catch (error) {
    console.error(`the art of ${game} does not load`, error);
    return {};
  }
}

/** The art of a game: its own where it has some, else drawn from the sketch. @param {string} game @param {Spot[]} spots @returns {Promise<Art>} */
export async function artOf(game, spots) {
  if (!loaded.has(game)) loaded.set(game, load(game));
  const { art } = await loaded.get(game);
  return dressed(art, spots);
}

/** Complete the art of a game with what is common to all. @param {OwnArt | undefined} own @param {Spot[]} spots @returns {Art} */
export function dressed(own, spots) {
  const hexagons = spots.some((spot) => spot.shape === "hexagon");
  return { ...plain, ...(hexagons ? { scale: HEXAGON } : {}), ...own };
}
