/** The moving pictures of the lobby: on each card a small board on which somebody plays. */

import { get } from "./api.js";
import { artOf } from "./art.js";
import { Board } from "./board.js";
import { byKey } from "./spots.js";

const PAUSE = 2600;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** The positions of a tutorial, in order: before and after each step. */
async function film(game) {
  const { steps } = await get(`/api/games/${encodeURIComponent(game)}/tutorial`);
  const scenes = steps.flatMap(({ position, wanted, after }) => [
    { spots: byKey(position.spots), cut: true },
    { spots: byKey(after), keys: position.legal[wanted[0]] },
  ]);
  return { first: steps[0].position, scenes };
}

/** Draw a game on its card. @returns {Promise<(() => void) | null>} a function that shows the next scene */
async function stage(place) {
  const game = place.dataset.hero;
  const { first, scenes } = await film(game);
  const art = await artOf(game, first.spots, first.backdrop);
  const board = new Board(game, art, { names: [], still: true, backdrop: first.backdrop });
  board.svg.setAttribute("preserveAspectRatio", "xMidYMid slice");
  board.element.setAttribute("aria-hidden", "true");
  board.show(scenes[0].spots, { animate: false });
  place.replaceChildren(board.element);
  let at = 0;
  return () => {
    at = (at + 1) % scenes.length;
    board.show(scenes[at].spots, scenes[at].cut ? { animate: false } : { keys: scenes[at].keys });
  };
}

/** Draw a board on every card, and move a piece on one after the other. @returns {() => void} a function that stops it */
export function heroes(cards) {
  /** @type {Array<() => void>} */
  const ready = [];
  for (const place of cards.querySelectorAll("[data-hero]")) {
    stage(place).then((next) => ready.push(next), () => {}); // a game without a tutorial has a plain card
  }
  let turn = 0;
  const timer = setInterval(() => {
    if (!calm.matches && document.visibilityState === "visible" && ready.length && scrollY < innerHeight) ready[turn++ % ready.length]();
  }, PAUSE / 2);
  return () => clearInterval(timer);
}
