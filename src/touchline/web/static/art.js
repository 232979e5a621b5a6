/**
 * How a game is drawn and played on a screen. A game ships a sheet of SVG symbols (`fish.svg` beside `fish.py`, served at
 * `/art/fish.svg`); its `sketch()` says which symbol lies where, and this file places them. A game without a sheet is drawn
 * from the symbols of the common sheet. `fish.js`, served at `/art/fish.js`, has behaviour only (`Behaviour`).
 * A square is 100 units wide, and everything on a spot is drawn around (0, 0).
 *
 * @typedef {import("./spots.js").Spot} Spot
 * @typedef {import("./spots.js").Spots} Spots
 * @typedef {import("./spots.js").Piece} Piece
 * @typedef {import("./spots.js").Placed} Placed
 * @typedef {{panels?: any[], ornaments?: Placed[], scale?: [number, number] | null, view?: number[] | null, dot?: Placed, ring?: Placed, above?: number[]}} Backdrop
 * @typedef {{spots: Spots, from?: Map<string, [number, number]>, out?: [string, number, number], entered?: string}} Stage
 *   an intermediate picture: `from` has the offset from which a spot's tile (and the pieces on it) slides in, `out` the
 *   tile that leaves and the offset it slides to, `entered` the spot of the tile that came in
 * @typedef {{text: string, key: string, help: string, next: (path: string[], step?: number) => string, told: (key: string) => string}} Shortcut
 *   a button and a key of the game's own: `next` returns the spot that they pick, `told` the words for a screen reader
 * @typedef {object} Behaviour
 * @property {(spot: Spot, names: string[]) => string[]} [words]  the content of a spot, for a screen reader
 * @property {(path: string[], key: string) => string[] | null} [replace]  the picks after `key` replaced an earlier one
 * @property {number} [picks]  how many picks make a whole move, where a later pick may replace an earlier one
 * @property {(spots: Spots, path: string[]) => Stage | null} [preview]  the board after these picks
 * @property {(spots: Spots, from: string, to: string) => string[]} [route]  the spots along which a piece moves
 * @property {(key: string) => boolean} [fleeting]  whether a spot means something else after the move
 * @property {"walk" | "slide" | "step"} [gait]  how a piece moves: it walks with hops, slides on its belly, or is carried
 * @property {boolean} [mine]  whether the mover's own piece wears the ring: it moves without being picked
 * @property {(key: string) => string} [aside]  the text of a button below the board, for a spot that is not drawn
 * @property {(key: string) => [string, string] | null} [asks]  the question to ask before a pick, and the word for yes
 * @property {Shortcut} [shortcut]
 * @property {(spots: Spots, seat: number, seats: number) => boolean} [places]  whether the next move of a seat places a piece, so that a
 *   premove is a single spot; `seats` is how many play
 * @property {string} [placing]  advice where a move is a single spot
 * @property {string} [advice]  advice for any other move
 * @typedef {Behaviour & {game: string, backdrop: Backdrop, scale: [number, number]}} Art
 */

import { s } from "./dom.js";

export const UNIT = 100;

/** Hexagons touch at this scale: wider than high, and two rows are one height apart. @type {[number, number]} */
const HEXAGON = [UNIT * 0.75, (UNIT * Math.sqrt(3)) / 4];
const ARROWS = { "▲": "N", "▶": "E", "▼": "S", "◀": "W" };
const STYLE = /<style[^>]*>([^]*?)<\/style>/g;
const MARKS = { "*": "goal", "+": "target" };

// -- sheets --

/** The names of the sheets that are in this document. @type {Set<string>} */
const adopted = new Set();

/** @param {string} text @returns {Element} */
const parsed = (text) => new DOMParser().parseFromString(text, "image/svg+xml").documentElement;

/** Write out each element that stands for several: one for each word of `each`, with the word for every `*`. @param {Element} root */
function unfold(root) {
  for (const element of root.querySelectorAll("[each]")) {
    const words = element.getAttribute("each")?.split(" ") ?? [];
    element.removeAttribute("each");
    element.replaceWith(...words.map((word) => parsed(element.outerHTML.replaceAll("*", word))));
  }
}

/**
 * Put the symbols and the style of a sheet into the document, once.
 * @param {string} name "common" or a game @param {string} text @param {Element} [home] an element with the colour scheme of the boards
 */
export function adopt(name, text, home = document.body) {
  if (adopted.has(name)) return;
  adopted.add(name);
  // The policy of the page allows no style elements, not even in a document that is only parsed.
  let rules = "";
  const drawing = text.replace(STYLE, (_, css) => ((rules += css), ""));
  const root = parsed(drawing);
  unfold(root);
  const style = new CSSStyleSheet();
  style.replaceSync(rules);
  // The style of a game beats that of all games, whichever of them arrives first.
  const styles = document.adoptedStyleSheets;
  document.adoptedStyleSheets = name === "common" ? [style, ...styles] : [...styles, style];
  // Gradients read their variables where the sheet stands, so it has the class of its game.
  const sheet = s("svg", { class: `sheet common ${name}`, width: 0, height: 0, "aria-hidden": "true", focusable: "false" });
  sheet.style.position = "absolute";
  for (const child of [...root.children]) sheet.append(document.importNode(child, true));
  home.append(sheet);
}

/** The symbol of a game, or the one that all games share. @param {string} game @param {string} name @returns {Element | null} */
export const symbolOf = (game, name) => document.getElementById(`${game}-${name}`) ?? document.getElementById(`common-${name}`);

/** An element that shows a symbol in its own size; an empty group if there is none. @param {string} game @param {string} name */
export function use(game, name, attributes = {}) {
  const symbol = symbolOf(game, name);
  if (!symbol) return s("g", attributes);
  const box = symbol.localName === "symbol" ? symbol.getAttribute("viewBox")?.split(/[ ,]+/) : null;
  const [x, y, width, height] = box ?? [];
  return s("use", { href: `#${symbol.id}`, x, y, width, height, ...attributes });
}

/** A symbol or a text in its place. @param {string} game @param {Placed} art */
export function placed(game, { symbol, tone = "", x = 0, y = 0, size = 1, text = "" }) {
  const transform = x || y || size !== 1 ? `translate(${x} ${y})${size === 1 ? "" : ` scale(${size})`}` : null;
  if (text) return s("text", { class: `${symbol} ${tone}`.trim(), transform }, text);
  return use(game, symbol, { class: tone || null, transform });
}

// -- spots and pieces --

/** The drawing of a spot in a game without a sheet. @param {Spot} spot @returns {Placed[]} */
function plainGround(spot) {
  if (spot.shape === "arrow") {
    if (spot.label in ARROWS) return [{ symbol: "plain-arrow" }, { symbol: `plain-${ARROWS[spot.label]}` }];
    return [{ symbol: "plain-key" }, { symbol: "plain-word", text: spot.label }];
  }
  if (spot.fill === "gap") return [];
  const label = spot.label.length > 6 ? `${spot.label.slice(0, 5)}…` : spot.label;
  return [
    { symbol: `plain-${spot.shape}`, tone: `plain-${spot.fill}` },
    ...[...spot.strokes].map((way) => ({ symbol: `way-${way}` })),
    ...(label && !spot.pieces.length ? [{ symbol: label.length > 2 ? "plain-word" : "plain-label", text: label }] : []),
    ...spot.marks.map((mark, at) => ({ symbol: MARKS[mark.glyph] ?? "home", tone: seatClass(mark.seat), x: -32 + 22 * (at % 4), y: -32 + 22 * Math.floor(at / 4) })),
  ];
}

export const seatClass = (seat) => `seat${seat % 6}`;

/** The ground of a spot, bottom to top. @param {string} game @param {Spot} spot */
export const ground = (game, spot) => (spot.art.length ? spot.art : plainGround(spot)).map((art) => placed(game, art));

/** What lies above the pieces of a spot. @param {string} game @param {Spot} spot */
export const over = (game, spot) => spot.over.map((art) => placed(game, art));

/** A piece, drawn around (0, 0). @param {string} game @param {Piece} piece */
export function figure(game, piece) {
  const drawn = piece.symbol
    ? [use(game, piece.symbol)]
    : [use(game, "piece"), s("text", { class: "plain-glyph" }, piece.glyph)];
  return s("g", { class: `piece ${seatClass(piece.seat)}` }, s("g", { class: "pose" }, ...drawn));
}

/** Where a piece stands on its spot: x, y and scale. @param {Piece} piece @param {number} at @param {number} of */
export function stand(piece, at, of) {
  if (piece.symbol || of === 1) return [piece.x ?? 0, piece.y ?? 0, piece.size ?? 1];
  const angle = Math.PI + (2 * Math.PI * at) / of;
  const far = of > 3 ? 25 : 20;
  return [far * Math.cos(angle), far * Math.sin(angle), of > 3 ? 0.5 : 0.66];
}

/** The centre of a spot. @param {Art} art @param {Spot} spot @returns {[number, number]} */
export const placeOf = (art, spot) => spot.at ?? [spot.x * art.scale[0], spot.y * art.scale[1]];

/** The edge of a spot, as path data. @param {Spot} spot */
export function outline(spot) {
  if (spot.shape === "hexagon") return "M47 0L24 41H-24L-47 0L-24-41H24Z";
  const [wide, high] = spot.shape !== "arrow" ? [48, 48] : spot.label in ARROWS || spot.art.length ? [32, 32] : [47, 27];
  return `M${-wide}-${high}H${wide}V${high}H${-wide}Z`;
}

const seatName = (seat, names) => names[seat] ?? `seat ${seat}`;

/** The content of a spot in words, for a game that has none of its own. @param {Spot} spot @param {string[]} names */
function plainWords(spot, names) {
  return [
    spot.label,
    ...spot.pieces.map((piece) => `${seatName(piece.seat, names)}'s ${piece.glyph}`),
    ...spot.marks.map((mark) => `${seatName(mark.seat, names)}'s ${mark.glyph === "*" ? "goal" : `mark ${mark.glyph}`}`),
  ].filter(Boolean);
}

/** A shape for each seat, so that seats differ not by colour alone. @param {number} seat @param {number} size */
export function sign(seat, size) {
  return s("use", { class: "sign", href: `#common-emblem-${seat % 6}`, x: -1.15 * size, y: -1.15 * size, width: 2.3 * size, height: 2.3 * size });
}

/** Complete the behaviour of a game, whose sheets are adopted. @param {string} game @param {Behaviour | undefined} behaviour @param {Spot[]} spots @param {Backdrop} [backdrop] @returns {Art} */
export function dressed(game, behaviour, spots, backdrop = {}) {
  const hexagons = spots.some((spot) => spot.shape === "hexagon");
  const scale = backdrop?.scale ?? (hexagons ? HEXAGON : [UNIT, UNIT]);
  return { words: plainWords, ...behaviour, game, backdrop: backdrop ?? {}, scale };
}
