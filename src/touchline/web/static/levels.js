/** The words for games and levels: titles, taglines, and a character for each level. */

const WORDS = { easy: "Easy", medium: "Medium", hard: "Hard", unbeatable: "Unbeatable" };

/** The name of a game for people. @param {{name: string, title?: string}} game */
export const titleOf = (game) => game.title ?? game.name.charAt(0).toUpperCase() + game.name.slice(1);

/** @param {string} level */
export const levelWord = (level) => WORDS[level] ?? level;

/**
 * The levels of a game, the weakest first, with the seat to ask for.
 * @param {any} game @returns {Array<{level: string, name: string, about: string, seat: object}>}
 */
export const levelsOf = (game) => game.levels.map(({ level, name, about }) => ({ level, name, about, seat: { kind: "house", level } }));
