/** The words for games and levels: titles, taglines, and a character for each level. */

const WORDS = { easy: "Easy", medium: "Medium", hard: "Hard", unbeatable: "Unbeatable" };

/** The name of a game for people. @param {{name: string, title?: string}} game */
export const titleOf = (game) => game.title || game.name.charAt(0).toUpperCase() + game.name.slice(1);

/** What one does in a game, in one sentence. @param {any} game */
export const taglineOf = (game) => game.tagline || game.about;

/** @param {string} level */
export const levelWord = (level) => WORDS[level] ?? level;

/**
 * The levels of a game, the weakest first; of a game without any, the weakest, a middle and the strongest house player.
 * @param {any} game @returns {Array<{level: string, name: string, about: string, seat: object}>}
 */
export function levelsOf(game) {
  if (game.levels?.length) return game.levels.map(({ level, name, about }) => ({ level, name, about, seat: { kind: "house", level } }));
  const { house } = game;
  const places = [...new Set([0, Math.floor(house.length / 2), house.length - 1])].filter((at) => at >= 0);
  return places.map((at, n) => ({
    level: Object.keys(WORDS)[n], name: house[at].label, about: house[at].about, seat: { kind: "house", player: house[at].player, options: house[at].options },
  }));
}
