/** The moving pictures of the lobby: on each card a board on which house players play. */

import { get } from "./api.js";
import { artOf } from "./art.js";
import { Board } from "./board.js";
import { figure } from "./figure.js";
import { byKey, patched } from "./spots.js";

const PAUSE = 1500;
const [WIDE, HIGH] = [570, 222]; // the part of a board that a card shows, in units
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** The part of a board to show: round the goal that is sought, or the middle; whole rows of squares. */
function view({ places, spots }) {
  const cells = [...places.values()].filter(({ key }) => Array.isArray(key));
  const goal = [...spots].find(([, { art }]) => art.some(({ symbol }) => symbol === "goal"))?.[0];
  const [xs, ys] = [cells.map(({ x }) => x), cells.map(({ y }) => y)];
  const between = (least, most, wanted) => (least > most ? (least + most) / 2 : Math.min(most, Math.max(least, wanted)));
  const middle = (all) => (Math.min(...all) + Math.max(...all)) / 2;
  const { x, y } = places.get(goal) ?? { x: middle(xs), y: middle(ys) };
  const square = cells.some((one) => one.y === y && one.x !== x);
  const left = between(Math.min(...xs) + WIDE / 2 - 50, Math.max(...xs) - WIDE / 2 + 50, x) - WIDE / 2;
  const top = between(Math.min(...ys) + HIGH / 2 - 50, Math.max(...ys) - HIGH / 2 + 50, y + (square ? 50 : 0)) - HIGH / 2;
  return `${left} ${top} ${WIDE} ${HIGH}`;
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
  if (!("whole" in place.dataset)) {
    board.svg.setAttribute("preserveAspectRatio", "xMidYMid slice");
    requestAnimationFrame(() => board.svg.setAttribute("viewBox", view(board))); // after the board has measured itself
  }
  document.querySelector(`[data-face="${game}"]`)?.replaceChildren(figure(game, 1, spots));
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
  for (const place of page.querySelectorAll("[data-hero]")) stage(place).then((next) => ready.push(next)).catch(() => {});
  let turn = 0;
  const timer = setInterval(() => {
    if (!calm.matches && document.visibilityState === "visible" && ready.length && scrollY < innerHeight) ready[turn++ % ready.length]();
  }, PAUSE);
  return () => clearInterval(timer);
}
