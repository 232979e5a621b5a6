/** The moving pictures of the lobby: on each card a board on which house players play. */

import { get, Refused } from "./api.js";
import { Board } from "./board.js";
import { figure } from "./figure.js";
import { artOf } from "./game_art.js";
import { byKey, patched } from "./spots.js";

const PAUSE = 1500;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * The part of a board to show, as a view box. Of hexagons the whole width; of squares six at most, and whole rows: those
 * of the goal that is sought, or those where most is going on.
 */
function view({ places, spots }, ratio) {
  const cells = [...places].filter(([, { key }]) => Array.isArray(key)).map(([key, { x, y }]) => ({ x, y, spot: spots.get(key) }));
  const [xs, ys] = [cells.map(({ x }) => x), [...new Set(cells.map(({ y }) => y))].sort((one, other) => one - other)];
  const [left, right, top, bottom] = [Math.min(...xs) - 54, Math.max(...xs) + 54, ys[0] - 54, ys.at(-1) + 54];
  const hexagons = cells[0].spot.shape === "hexagon";
  const wide = Math.min(hexagons ? right - left - 12 : Math.min(right - left, 590), (bottom - top + (hexagons ? 10 : 0)) * ratio);
  const high = wide / ratio;
  const goal = cells.find(({ spot }) => spot.art.some(({ symbol }) => symbol === "goal"));
  const crowd = (y) => {
    const seats = cells.filter((cell) => Math.abs(cell.y - y) < high / 2).flatMap(({ spot }) => spot.pieces.map(({ seat }) => seat));
    return seats.length + 4 * new Set(seats).size;
  };
  const rows = ys.slice(1).map((y, at) => (y + ys[at]) / 2);
  const row = goal ? goal.y + 40 : rows.reduce((best, y) => (crowd(y) > crowd(best) ? y : best), rows[0] ?? ys[0]);
  const within = (least, most, wanted) => (least > most ? (least + most) / 2 : Math.min(most, Math.max(least, wanted)));
  const x = within(left + wide / 2, right - wide / 2, goal?.x ?? (left + right) / 2);
  const y = hexagons ? (top + bottom) / 2 + 8 : within(top + high / 2, bottom - high / 2, row);
  return [x - wide / 2, y - high / 2, wide, high].join(" ");
}

/** Draw a game in its place. @returns {Promise<() => void>} a function that shows the next move */
async function stage(place) {
  const game = place.dataset.hero;
  const { spots, backdrop, moves } = await get(`/api/games/${encodeURIComponent(game)}/demonstration`);
  const art = await artOf(game, spots, backdrop);
  const board = new Board(game, art, { names: [], seat: 0 });
  const first = byKey(spots);
  board.show(first, { animate: false });
  place.replaceChildren(board.svg);
  if ("whole" in place.dataset) board.svg.setAttribute("preserveAspectRatio", "xMidYMin");
  else {
    board.svg.setAttribute("preserveAspectRatio", "xMidYMid slice");
    // After the board has measured itself; the page may have been left by then.
    requestAnimationFrame(() => place.clientHeight && board.svg.setAttribute("viewBox", view(board, place.clientWidth / place.clientHeight)));
  }
  document.querySelector(`[data-face="${game}"]`)?.replaceChildren(figure(game, 1, []));
  let [shown, at] = [first, 0];
  return () => {
    const move = moves[at++];
    if (!move) [shown, at] = [first, 0];
    else shown = patched(shown, move);
    board.show(shown, move ? { keys: move.keys } : { animate: false });
  };
}

/** Draw a board in every place, and move a piece on one after the other. @returns {() => void} a function that stops it */
export function heroes(page) {
  /** @type {Array<() => void>} */
  const ready = [];
  const failed = (error) => error instanceof Refused || console.error(error); // the page says elsewhere that the server is away
  for (const place of page.querySelectorAll("[data-hero]")) stage(place).then((next) => ready.push(next)).catch(failed);
  let turn = 0;
  const timer = setInterval(() => {
    if (!calm.matches && document.visibilityState === "visible" && ready.length && scrollY < innerHeight) ready[turn++ % ready.length]();
  }, PAUSE);
  return () => clearInterval(timer);
}
