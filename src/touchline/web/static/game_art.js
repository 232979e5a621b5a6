/** Load what a game brings along: its sheet of symbols and its behaviour. What does not load leaves the game drawn plainly. */

import { addressOf } from "./addresses.js";
import { adopt, dressed } from "./art.js";

/** The sheets on their way, by name. @type {Map<string, Promise<void>>} */
const fetched = new Map();
/** What the games' scripts export, by game. @type {Map<string, Promise<{behaviour?: import("./art.js").Behaviour}>>} */
const loaded = new Map();

/** Load a sheet, once; without it a game is drawn plainly. @param {string} name */
async function fetchSheet(name) {
  try {
    const answer = await fetch(addressOf(`/art/${encodeURIComponent(name)}.svg`));
    if (answer.ok) adopt(name, await answer.text());
  } catch (error) {
    fetched.delete(name); // the next board tries again
    console.error(`the sheet of ${name} does not load`, error);
  }
}

/** Put the sheets of a game, and the one that all share, into the document. @param {string} [game] */
export async function sheets(game) {
  const names = ["common", ...(game ? [game] : [])];
  for (const name of names) if (!fetched.has(name)) fetched.set(name, fetchSheet(name));
  await Promise.all(names.map((name) => fetched.get(name)));
}

/** @param {string} game @returns {Promise<{behaviour?: import("./art.js").Behaviour}>} */
async function loadBehaviour(game) {
  try {
    return await import(addressOf(`/art/${encodeURIComponent(game)}.js`));
  } catch (error) {
    loaded.delete(game);
    console.error(`the behaviour of ${game} does not load`, error);
    return {};
  }
}

/**
 * How a game is drawn and played: load its sheet and its behaviour.
 * @param {string} game @param {import("./spots.js").Spot[]} [spots] @param {import("./art.js").Backdrop} [backdrop] that of the snapshot or of the record
 * @returns {Promise<import("./art.js").Art>}
 */
export async function artOf(game, spots = [], backdrop = {}) {
  if (!loaded.has(game)) loaded.set(game, loadBehaviour(game));
  const [{ behaviour }] = await Promise.all([loaded.get(game), sheets(game)]);
  return dressed(game, behaviour, spots, backdrop);
}
