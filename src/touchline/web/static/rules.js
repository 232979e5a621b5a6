/** The rules in 20 seconds: a card beside the board, and a page. */

import { offers } from "./api.js";
import { h } from "./dom.js";
import { levelsOf, titleOf } from "./levels.js";

const list = (rules) => h("ol", { class: "rules-list" }, ...rules.map((line) => h("li", {}, line)));

/** The game of this name. @param {string} name @returns {Promise<any>} */
export async function offerOf(name) {
  const game = (await offers()).games.find((one) => one.name === name);
  if (!game) throw new Error(`There is no game called ${name} here.`);
  return game;
}

/** A card with the rules of a game, to be opened; hidden for a game that has none. @param {string} name */
export function rulesPanel(name, open = false) {
  const panel = h("details", { class: "card rules", "data-rules": name, hidden: true, open }, h("summary", {}, "Rules in 20 seconds"));
  offerOf(name).then(({ rules }) => {
    if (!rules?.length) return;
    panel.append(list(rules), h("a", { class: "text", href: `#tutorial=${name}` }, "Learn it in five steps"));
    panel.hidden = false;
  }).catch(() => {});
  return panel;
}

/** A button that starts a game against the first level. @param {any} game @param {string} text @param {HTMLElement} wrong */
export function firstGame(game, text, wrong, how = "") {
  const button = h("button", { type: "button", class: how }, text);
  button.addEventListener("click", async () => {
    button.disabled = true;
    const { againstHouse } = await import("./new_table.js");
    await againstHouse(game, levelsOf(game)[0]).catch((error) => {
      wrong.textContent = error.message;
      wrong.hidden = false;
    });
    button.disabled = false;
  });
  return button;
}

/** @param {URLSearchParams} said @returns {Promise<import("./app.js").Page>} */
export async function rulesPage(said) {
  const game = await offerOf(said.get("rules"));
  const title = titleOf(game);
  const wrong = h("p", { class: "alert", role: "alert", hidden: true });
  const players = game.least === game.most ? `${game.least} players` : `${game.least} to ${game.most} players`;
  const picture = h("div", { class: `hero ${game.name}`, "data-hero": game.name, "data-whole": true, inert: true });
  const element = h("main", { "data-page": "rules", class: "rulespage" },
    h("div", { class: "stack" },
      h("header", {}, h("h1", { tabindex: "-1" }, title), h("p", { class: "status" }, `${game.tagline} ${players}.`)),
      h("section", { class: "panel" }, h("h2", {}, "The rules in 20 seconds"), game.rules?.length ? list(game.rules) : h("p", {}, game.about)), wrong,
      h("div", { class: "row" }, h("a", { class: "button", href: `#tutorial=${game.name}` }, "Learn it in five steps"),
        firstGame(game, `Play ${title}`, wrong, "quiet"), h("a", { class: "button quiet", href: "#" }, "To the lobby"))),
    picture);
  const stopping = import("./hero.js").then(({ heroes }) => heroes(element));
  return { element, title: `How to play ${title}`, close: () => stopping.then((stop) => stop()) };
}
