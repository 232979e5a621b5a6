/** The end of a game: who won, rematch, sharing, how it went, and where to go next. */

import { Analysis } from "./analysis.js";
import { get } from "./api.js";
import { announce, clear, h } from "./dom.js";
import { figure } from "./figure.js";
import { listed } from "./restart_note.js";
import { share } from "./share.js";
import { keepSeat } from "./storage.js";

/** A pause before the analysis begins by itself: who leaves at once does not cost a worker, in milliseconds. */
const SOON = 2500;

/** The result in one line, from a seat's own point of view. @param {any} result @param {string[]} names @param {number[]} mine */
export function headline(result, names, mine) {
  const told = result.headline ?? result.says.join("; ");
  if (mine.length !== 1 || result.verdict === "void") return told;
  const [me] = mine;
  if (result.winners.includes(me)) {
    if (told.startsWith(`${names[me]} `)) return `You${told.slice(names[me].length)}`;
    return told.replace(` and ${names[me]} share`, " and you share");
  }
  const other = names[result.winners[0]];
  const [, score, won, lost] = names.length === 2 && told.startsWith(`${other} won`) ? (/^( (\d+)–(\d+))?\.?$/.exec(told.slice(other.length + 4)) ?? []) : [];
  if (score) return `You lost ${lost}–${won}`;
  return told === `${other} won` ? "You lost" : told;
}

export class End {
  /**
   * @param {{id: string, game: string, names: string[], mine: number[], people: boolean, wanted?: object}} at  `people`: whether
   *   a rematch can be agreed on; else the same table is `wanted` once more
   * @param {(message: object) => void} send  to every seat of this browser
   */
  constructor({ people, ...at }, send) {
    Object.assign(this, { ...at, agreeable: people, send });
    this.element = h("section", { class: `ending ${at.game}`, "aria-label": "The result", "data-end": true, hidden: true });
    this.offer = h("div", { class: "offer", role: "status", "data-rematch": true, hidden: true });
    this.next = h("p", { class: "next", hidden: true });
    this.shown = false;
    /** The people's wishes, as last told. @type {any} */
    this.wish = undefined;
    /** Tokens of our seats at the next table. @type {Map<number, string>} */
    this.tickets = new Map();
    /** @type {Analysis | null} */
    this.analysis = null;
  }

  /** @param {any} result @param {string | null} record @param {any[]} spots @param {boolean} fresh  whether it has just ended */
  show(result, record, spots, fresh) {
    if (this.shown && this.record === record) return;
    const { names, mine, game } = this;
    this.shown = true;
    this.record = record;
    const words = headline(result, names, mine);
    const button = (text, act, how = "quiet") => h("button", { type: "button", class: how, onclick: act }, text);
    this.again = mine.length && this.agreeable ? [button("Rematch", () => this.want(false), ""), button("Swap seats", () => this.want(true))] : [];
    if (mine.length && !this.agreeable && this.wanted) this.again = [button("Play again", () => playAgain(this.wanted), "")];
    if (record) {
      this.analysis = new Analysis({ id: record, game, names }, mine);
      if (mine.length && result.turns > 1) this.analysis.soon(SOON);
      else clear(this.analysis.element, this.analysis.button, this.analysis.progress);
    }
    const winner = result.winners.length ? figure(game, result.winners[0], spots) : null;
    this.element.hidden = false;
    clear(this.element,
      h("div", { class: "verdict", "data-hop": fresh && Boolean(winner) }, winner,
        h("div", { "data-result": true }, h("h2", {}, words), h("p", {}, result.why ?? ""))),
      h("div", { class: "row choices" }, ...this.again, record && button("Share", () => share(record, words)),
        record && h("a", { class: "button quiet", href: `#record=${encodeURIComponent(record)}` }, "Replay")),
      this.offer, this.next, this.analysis?.element);
    this.people(this.wish);
    if (!mine.length) this.elsewhere();
    if (fresh) announce(`${words}. ${result.why ?? ""}`);
  }

  // -- rematch --

  want(swap) {
    this.asked = true;
    this.send({ type: "rematch", swap });
  }

  /** @param {{wanted: number[], swap: boolean, table: string | null, seat: number | null, token: string | null} | null | undefined} wish */
  people(wish) {
    const first = this.wish === undefined;
    this.wish = wish;
    if (!this.shown || !wish) {
      this.offer.hidden = true;
      return;
    }
    if (wish.table) return this.begin(wish, first);
    const { names, mine } = this;
    const others = wish.wanted.filter((seat) => !mine.includes(seat));
    const wanting = mine.some((seat) => wish.wanted.includes(seat));
    const how = wish.swap ? " with seats swapped" : "";
    const text = others.length ? `${listed(others.map((seat) => names[seat]))} ${others.length > 1 ? "want" : "wants"} a rematch${how}.` : "";
    const rest = names.filter((_, seat) => !wish.wanted.includes(seat));
    this.offer.hidden = !wish.wanted.length;
    this.again.forEach((button) => (button.disabled = wanting));
    if (mine.length && !wanting && others.length) {
      clear(this.offer, h("p", {}, text), h("button", { type: "button", onclick: () => this.want(wish.swap) }, "Accept"));
    } else clear(this.offer, h("p", {}, wanting ? `You want a rematch${how}. Waiting for ${listed(rest)} …` : text));
    announce(this.offer.textContent);
  }

  /** There is a next table: its people go there, and spectators may. */
  begin({ table, seat, token }, first) {
    if (seat !== null && token) this.tickets.set(seat, token);
    const ready = this.mine.length > 0 && this.tickets.size === this.mine.length;
    if (ready) {
      const seats = [...this.tickets].map(([at, key]) => ({ seat: at, token: key }));
      keepSeat(table, { ...seats[0], ...(seats.length > 1 ? { seats } : {}) });
      if (!first || this.asked) {
        location.hash = `#table=${table}`;
        return;
      }
    }
    this.again.forEach((button) => (button.hidden = true));
    this.offer.hidden = false;
    const words = this.mine.length ? "To the rematch" : "Watch the next game";
    clear(this.offer, h("p", {}, this.mine.length ? "The rematch has begun." : "They play again."), h("a", { class: "button", href: `#table=${table}` }, words));
    announce(this.offer.textContent);
  }

  // -- where to go next --

  /** Offer a spectator a game that is being played. */
  async elsewhere() {
    const { tables } = await get("/api/tables?state=running").catch(() => ({ tables: [] }));
    const other = tables.find(({ game, id }) => game === this.game && id !== this.id) ?? tables.find(({ id }) => id !== this.id);
    if (!other) return;
    this.next.hidden = false;
    const names = other.seats.map((seat) => seat.name).filter(Boolean);
    clear(this.next, "Being played now: ", h("a", { href: `#table=${other.id}` }, `${names.join(" – ")}`));
  }

  close() {
    this.analysis?.close();
  }
}

/** Make the same table once more. */
async function playAgain(wanted) {
  const { seatAt } = await import("./new_table.js");
  await seatAt(wanted);
}

/**
 * A table that is gone: why, and the ways on.
 * @param {{id: string, why: string, record: string | null, wanted?: object, warn: (words: string) => void}} at
 */
export function gone({ id, why, record, wanted, warn }) {
  const past = h("a", { class: "button quiet", hidden: !record, href: `#record=${encodeURIComponent(record ?? "")}` }, "Open what was recorded");
  if (!record) {
    get("/api/records").then(({ records }) => {
      const found = records.find((one) => one.table === id);
      past.hidden = !found;
      if (found) past.href = `#record=${encodeURIComponent(found.id)}`;
    }, () => {});
  }
  return h("section", { class: "ending", "data-gone": true }, h("h2", {}, "This table is gone"), h("p", {}, why),
    h("div", { class: "row choices" }, h("a", { class: "button", href: "#" }, "To the lobby"),
      wanted && h("button", { type: "button", class: "quiet", onclick: () => playAgain(wanted).catch((error) => warn(error.message)) }, "Play again"), past));
}
