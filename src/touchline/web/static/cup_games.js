/** Every finished game of a tournament, page by page; of one player, or of two against each other. */

import { get } from "./api.js";
import { clear, h, labelled, say, select } from "./dom.js";

const PAGE = 20;
const theme = () => document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
const replay = (cup, game) => `#record=${encodeURIComponent(`cup:${cup.id}:${game}`)}`;

/** The result of a game in words. */
function resultOf(game) {
  if (game.voided) return `void: ${game.voided}`;
  if (game.verdict === "void") return "does not count";
  const winners = game.winners.map((seat) => game.entrants[seat]).join(" and ");
  return `${winners || "nobody"} won${game.verdict === "forfeited" ? " by forfeit" : ""}: ${game.reason}`;
}

/** A finished game, with its last position. */
export function finished(cup, game) {
  const words = h("span", { class: "words" }, h("b", {}, game.entrants.join(" – ")), h("small", {}, resultOf(game)));
  if (!game.record) return h("li", {}, h("span", { class: "card tablecard" }, words));
  const image = h("img", { src: `/api/cups/${cup.id}/games/${game.game}/svg?theme=${theme()}`, alt: "", width: 112, height: 84, loading: "lazy" });
  return h("li", {}, h("a", { class: "card tablecard", "data-game": game.game, href: replay(cup, game.game) }, image, words));
}

export class CupGames {
  /** @param {{id: string}} cup @param {string[]} names */
  constructor(cup, names) {
    this.cup = cup;
    this.first = this.done = 0;
    const choices = [["", "anybody"], ...names.map((name) => [name, name])];
    const chosen = () => this.look(0);
    this.one = select(choices, "", { onchange: chosen });
    this.other = select(choices, "", { onchange: chosen });
    this.list = h("ol", { class: "games-list" });
    this.where = h("span", { role: "status" });
    const button = (text, by) => h("button", { type: "button", class: "quiet", onclick: () => this.look(this.first + by * PAGE) }, text);
    [this.back, this.on] = [button("Earlier", -1), button("Later", 1)];
    this.heading = h("h2", { tabindex: "-1" }, "All games");
    this.element = h("section", { "data-games": true, hidden: true }, this.heading,
      h("div", { class: "row" }, labelled("Games of", this.one), labelled("against", this.other)), this.list,
      h("div", { class: "row" }, this.back, this.where, this.on));
  }

  /** Look again if there are more games. @param {number} done */
  renew(done) {
    this.element.hidden = !done;
    if (done === this.done) return;
    this.done = done;
    this.look(this.first);
  }

  /** Show the games of two players. */
  show(one, other) {
    [this.one.value, this.other.value] = [one, other];
    this.look(0);
    this.heading.focus();
    this.element.scrollIntoView();
  }

  async look(first) {
    this.first = Math.max(0, first);
    const asked = new URLSearchParams({ first: String(this.first), count: String(PAGE) });
    if (this.one.value || this.other.value) asked.set("entrant", this.one.value || this.other.value);
    if (this.one.value && this.other.value) asked.set("other", this.other.value);
    try {
      const { total, games } = await get(`/api/cups/${encodeURIComponent(this.cup.id)}/games?${asked}`);
      const last = this.first + games.length;
      clear(this.list, ...games.map((game) => this.item(game)));
      say(this.where, total ? `${this.first + 1} to ${last} of ${total}` : "no games");
      this.back.disabled = !this.first;
      this.on.disabled = last >= total;
    } catch (error) {
      say(this.where, error.message);
    }
  }

  item(game) {
    const words = [h("small", {}, `${game.round + 1}.${game.table + 1}`), h("b", {}, game.entrants.join(" – ")), h("span", {}, resultOf(game))];
    return h("li", {}, game.record ? h("a", { "data-cup-game": game.game, href: replay(this.cup, game.game) }, ...words) : h("span", {}, ...words));
  }
}
