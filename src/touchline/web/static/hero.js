/** The moving pictures of the lobby: on each card a board on which house players play. */

import { get } from "./api.js";
import { artOf } from "./art.js";
import { Board } from "./board.js";
import { byKey, patched } from "./spots.js";

const PAUSE = 1500;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** Draw a game in its place. @returns {Promise<() => void>} a function that shows the next move */
async function stage(place) {
  const game = place.dataset.hero;
  const { spots, backdrop, moves } = await get(`/api/games/${encodeURIComponent(game)}/demonstration`);
  const art = await artOf(game, spots, backdrop);
  const board = new Board(game, art, { names: [], seat: 0 });
  const first = byKey(spots);
  board.show(first, { animate: false });
  board.svg.setAttribute("preserveAspectRatio", "xMidYMid slice");
  place.replaceChildren(board.svg);
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
