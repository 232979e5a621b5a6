/**
 * The layout of a board: where spots are on this screen, what a pointer hits of them, what is in sight, and what lies behind them.
 *
 * @typedef {import("./spots.js").Spot} Spot
 * @typedef {{x: number, y: number, width: number, height: number}} Box
 */

import { outline, placed, placeOf } from "./art.js";
import { s } from "./dom.js";

const TOUCH = 44; // CSS pixels that a finger needs
const OUTWARDS = 92; // units that the hit area of a key reaches from the edge of the board: the frame, and the margin of the page
const INWARDS = 26; // units that it may reach over the tiles, if that is not enough
const WAVES = 150; // units by which waves drift, the width of their pattern

/** How many boards have been drawn in this document. */
let boards = 0;

/** Whether a panel belongs to the tray. */
export const isTray = ({ tone }) => tone.split(" ").includes("tray");

/** The box round other boxes. @param {Box[]} boxes @param {number} [more] a margin @returns {Box} */
function around(boxes, more = 0) {
  const [left, top] = [Math.min(...boxes.map(({ x }) => x)), Math.min(...boxes.map(({ y }) => y))];
  const [right, bottom] = [Math.max(...boxes.map(({ x, width }) => x + width)), Math.max(...boxes.map(({ y, height }) => y + height))];
  return { x: left - more, y: top - more, width: right - left + 2 * more, height: bottom - top + 2 * more };
}

/** A rectangle of the backdrop. */
const slab = ({ tone, x, y, width, height, radius = 0 }) => s("rect", { class: tone, x, y, width, height, rx: radius || null });

/** Waves that drift by their pattern. */
const drifting = (panel) => slab({ ...panel, tone: `${panel.tone} drifting`, x: panel.x - WAVES, width: panel.width + WAVES, radius: 0 });

export class Layout {
  /** @param {import("./art.js").Art} art @param {import("./spots.js").Spots} spots @param {boolean} turned whether it is seen from above */
  constructor(art, spots, turned) {
    this.art = art;
    this.spots = spots;
    this.turned = turned;
    this.main = (art.backdrop.panels ?? []).filter((panel) => !isTray(panel));
    const points = [...spots.values()].filter(({ key }) => Array.isArray(key)).map((spot) => placeOf(art, spot));
    const { x, y, width, height } = points.length ? around(points.map(([px, py]) => ({ x: px, y: py, width: 0, height: 0 })), 50) : { x: 0, y: 0, width: 0, height: 0 };
    /** Where the board itself ends. */
    this.edges = { left: x, right: x + width, top: y, bottom: y + height };
    this.middle = [x + width / 2, y + height / 2];
  }

  /** Where a spot is on this screen. @param {Spot} spot @returns {[number, number]} */
  position(spot) {
    const [x, y] = placeOf(this.art, spot);
    return this.turned ? [2 * this.middle[0] - x, 2 * this.middle[1] - y] : [x, y];
  }

  /**
   * What a pointer hits of a spot, as path data: a key in the frame has the whole strip of the frame, and as deep as a finger needs.
   * @param {Spot} spot @param {number} scale CSS pixels to a unit
   */
  hit(spot, scale) {
    if (spot.shape === "hexagon") return "M50 0L25 43.4H-25L-50 0L-25-43.4H25Z";
    if (spot.shape !== "arrow" || !spot.art.length) return outline(spot);
    const [x, y] = this.position(spot);
    const { left, right, top, bottom } = this.edges;
    const inwards = Math.max(0, Math.min(INWARDS, TOUCH / scale - OUTWARDS));
    if (x < left) return `M${left - OUTWARDS - x}-50H${left + inwards - x}V50H${left - OUTWARDS - x}Z`;
    if (x > right) return `M${right - inwards - x}-50H${right + OUTWARDS - x}V50H${right - inwards - x}Z`;
    if (y < top) return `M-50 ${top - OUTWARDS - y}H50V${top + inwards - y}H-50Z`;
    if (y > bottom) return `M-50 ${bottom - inwards - y}H50V${bottom + OUTWARDS - y}H-50Z`;
    return outline(spot);
  }

  /** What is in sight when the whole board is. @returns {Box} */
  view() {
    const { view } = this.art.backdrop;
    const groups = [...this.spots.values()].some(({ group }) => group);
    if (groups && this.main.length) return around(this.main, 4);
    if (view) return { x: view[0], y: view[1], width: view[2], height: view[3] };
    const drawn = [...this.spots].filter(([key, { group }]) => !group && !this.art.aside?.(key)).map(([, spot]) => this.position(spot));
    const box = drawn.length ? around(drawn.map(([x, y]) => ({ x, y, width: 0, height: 0 })), 62) : { x: 0, y: 0, width: 1, height: 1 };
    return { x: box.x - 34, y: box.y - 34, width: box.width + 40, height: box.height + 38 };
  }

  /** Panels, ornaments and numbers. @param {Box} view */
  backdrop(view) {
    const { main } = this;
    const { ornaments = [] } = this.art.backdrop;
    const { game } = this.art;
    if (!main.length) {
      const plain = { tone: "plain-board", x: view.x + 34, y: view.y + 34, width: view.width - 40, height: view.height - 38, radius: 18 };
      return [slab(plain), ...(ornaments.length ? [] : this.numbers(view)), ...ornaments.map((art) => placed(game, this.mirrored(art)))];
    }
    const clip = `board-clip-${++boards}`;
    const drawn = (wanted) => ornaments.filter((art) => Boolean(art.text) === wanted).map((art) => placed(game, this.mirrored(art)));
    return [
      s("clipPath", { id: clip }, slab({ ...main[0], tone: "" })),
      ...main.map((panel) => (panel.tone.split(" ").includes("waves") ? s("g", { "clip-path": `url(#${clip})` }, drifting(panel)) : slab(panel))),
      s("g", { "clip-path": `url(#${clip})` }, ...drawn(false)), ...drawn(true),
    ];
  }

  /** An ornament on this screen: numbers stay at their edge, and follow their row or column. */
  mirrored(art) {
    const tones = (art.tone ?? "").split(" ");
    if (!this.turned) return art;
    if (tones.includes("row")) return { ...art, y: 2 * this.middle[1] - (art.y ?? 0) };
    return tones.includes("column") ? { ...art, x: 2 * this.middle[0] - (art.x ?? 0) } : art;
  }

  /** The numbers of rows, on the left, and columns, at the top, of a game without a backdrop. @param {Box} view */
  numbers(view) {
    const cells = [...this.spots.values()].filter(({ key }) => Array.isArray(key)).map((spot) => [...spot.key, ...this.position(spot)]);
    return cells.flatMap(([row, col, x, y]) => [
      col === 0 && s("text", { class: "number", x: view.x + 17, y, "aria-hidden": "true" }, row),
      row === 0 && s("text", { class: "number", x, y: view.y + 19, "aria-hidden": "true" }, col),
    ].filter(Boolean));
  }
}
