/**
 * The local storage of this browser: a name, the tokens of its seats, and how to play the same again. Nothing of it is
 * sent, except a seat's token to its own table.
 */

/**
 * @typedef {{token?: string, seat?: number, seats?: Array<{seat: number, token: string}>, wanted?: object,
 *            remotes?: Array<{seat: number, join: string}>, at?: number}} Kept
 *   `token` and `seat` are those of the first seat; `seats` has all of them, if several people play at this screen
 */

const PREFIX = "touchline.table.";
const MOST = 50;

/** @param {string} table @returns {Kept} */
export function keptSeat(table) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + table) ?? "{}") ?? {};
  } catch {
    return {};
  }
}

/** @param {string} table @param {Kept} kept */
export function keepSeat(table, kept) {
  localStorage.setItem(PREFIX + table, JSON.stringify({ ...keptSeat(table), ...kept, at: Date.now() }));
  tidy();
}

/** The tables at which this browser has a seat. @returns {string[]} */
export function keptTables() {
  return Object.keys(localStorage).filter((name) => name.startsWith(PREFIX)).map((name) => name.slice(PREFIX.length));
}

/** @param {string} table */
export function dropSeat(table) {
  localStorage.removeItem(PREFIX + table);
}

/** Remove the oldest seats if there are too many. */
function tidy() {
  const tables = keptTables();
  if (tables.length <= MOST) return;
  tables.sort((one, other) => (keptSeat(one).at ?? 0) - (keptSeat(other).at ?? 0));
  tables.slice(0, tables.length - MOST).forEach(dropSeat);
}

/** The name of this person. */
export function myName() {
  return localStorage.getItem("touchline.name") || "guest";
}

/** @param {string} name */
export function keepName(name) {
  localStorage.setItem("touchline.name", name.trim().slice(0, 32));
  dispatchEvent(new Event("touchline-name"));
}

/** The level that was chosen last for a game. @param {string} game */
export const myLevel = (game) => localStorage.getItem(`touchline.level.${game}`) ?? "";

/** @param {string} game @param {string} level */
export const keepLevel = (game, level) => localStorage.setItem(`touchline.level.${game}`, level);
