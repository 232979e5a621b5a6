/**
 * Spots of a drawing (src/touchline/core/sketch.py): their keys as text, and their neighbours.
 *
 * @typedef {[number, number] | string} Key
 * @typedef {{symbol: string, tone?: string, x?: number, y?: number, size?: number, text?: string}} Placed  a symbol or text in its place
 * @typedef {{seat: number, glyph: string, symbol?: string, x?: number, y?: number, size?: number}} Piece
 * @typedef {{key: Key, x: number, y: number, shape: "square" | "hexagon" | "arrow", fill: "light" | "dark" | "gap", strokes: string, label: string,
 *            pieces: Piece[], marks: Piece[], art: Placed[], over: Placed[], at: [number, number] | null, group: string}} Spot
 * @typedef {Map<string, Spot>} Spots  by the text of their keys, in the order of the drawing
 */

/** What the server leaves out of a spot. */
const DEFAULTS = { shape: "square", fill: "light", strokes: "", label: "", pieces: [], marks: [], art: [], over: [], at: null, group: "" };

/** A key as text: `row,column` or the word. @param {Key} key */
export const textOf = (key) => (typeof key === "string" ? key : key.join(","));

/** Spots that are complete, by what was sent: the same object again, so that a board sees what has not changed. */
const completed = new WeakMap();

/** A spot with what the server left out. @param {Partial<Spot>} spot @returns {Spot} */
function whole(spot) {
  if (!completed.has(spot)) completed.set(spot, { ...DEFAULTS, ...spot });
  return completed.get(spot);
}

/** @param {Spot[]} spots @returns {Spots} */
export const byKey = (spots) => new Map(spots.map((spot) => [textOf(spot.key), whole(spot)]));

/** The spots after an update or position. @param {Spots} old @param {{whole: boolean, spots: Spot[]}} line @returns {Spots} */
export function patched(old, line) {
  if (line.whole) return byKey(line.spots);
  if (!line.spots.length) return old;
  const spots = new Map(old);
  for (const spot of line.spots) spots.set(textOf(spot.key), whole(spot));
  return spots;
}

/** @param {Key} key */
export const placeName = (key) => (typeof key === "string" ? key.toLowerCase() : `row ${key[0]}, column ${key[1]}`);

/**
 * The spot to which an arrow key leads: along the row, or in the nearest row above or below.
 * @param {Map<string, {x: number, y: number, key: Key}>} places  where each spot is drawn
 * @param {string} from @param {string} arrow ArrowUp, ArrowDown, ArrowLeft or ArrowRight
 * @returns {string | null}
 */
export function neighbour(places, from, arrow) {
  const here = places.get(from);
  if (!here) return null;
  const across = arrow === "ArrowLeft" || arrow === "ArrowRight";
  const sign = arrow === "ArrowRight" || arrow === "ArrowDown" ? 1 : -1;
  let [best, found] = [Infinity, null];
  for (const [text, place] of places) {
    const ahead = sign * (across ? place.x - here.x : place.y - here.y);
    const aside = Math.abs(across ? place.y - here.y : place.x - here.x);
    if (ahead < 10 || (across && aside > 40)) continue;
    const column = !across && place.key[1] === here.key[1] ? 0 : 0.5; // of two at the same distance, prefer the same column
    const cost = across ? ahead + 3 * aside : ahead + aside * (aside > 80 ? 3 : 0.2) + column;
    if (cost < best) [best, found] = [cost, text];
  }
  return found;
}

/** The first or last spot of a row. @param {Map<string, {x: number, y: number}>} places */
export function rowEnd(places, from, last) {
  const here = places.get(from);
  const row = [...places].filter(([, place]) => Math.abs(place.y - here.y) < 10).sort((one, other) => one[1].x - other[1].x);
  return row.at(last ? -1 : 0)[0];
}
