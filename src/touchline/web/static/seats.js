/** The seats of a table, a card each: figure, name, score, clock, what it is doing, and what it says. */

import { symbolOf, use } from "./art.js";
import { h, mark, s, say } from "./dom.js";
import { Figure } from "./figure.js";

const DOING = {
  arriving: "getting ready",
  waiting: "waiting",
  waking: "waking up",
  thinking: "thinking",
  moving: "to move",
  away: "away",
  expelled: "removed",
  resigned: "gave up",
  done: "",
  empty: "nobody yet",
};
const SAID = 3000;

/** What a seat is, besides its name. */
function kindOf(seat, mine) {
  if (mine) return "you";
  if (seat.kind === "house") return seat.level ?? "house";
  return seat.kind === "remote" ? "program" : "";
}

export class Seats {
  /**
   * @param {Array<{seat: number, kind: string, name: string | null, taken: boolean, level?: string}>} seats
   * @param {number | number[] | null} me  the seats of this browser
   * @param {import("./clock.js").Clocks | null} clocks
   * @param {string} [game]
   */
  constructor(seats, me, clocks, game = "") {
    const mine = [me].flat().filter((seat) => seat !== null);
    this.cards = seats.map((seat) => {
      const parts = {
        figure: new Figure(game, seat.seat),
        kind: h("small", { class: "kind" }, kindOf(seat, mine.includes(seat.seat))),
        doing: h("span", { class: "doing" }),
        score: h("b", { "data-score": true }),
        unit: symbolOf(game, "score") && s("svg", { class: "unit", viewBox: "-20 -12 40 24", "aria-hidden": "true" }, use(game, "score")),
        clock: h("span", { class: "clock", role: "timer", "aria-live": "off", "data-clock": true, "aria-label": `Time of ${seat.name ?? "this seat"}`, hidden: !clocks }),
        bar: h("span", { class: "left", "aria-hidden": "true" }, h("i")),
        bubble: h("span", { class: "bubble", "data-emote": true, hidden: true }),
      };
      const card = h("li", { class: `seat seat${seat.seat % 6}`, "data-seat": seat.seat },
        parts.figure.element,
        h("span", { class: "who" }, h("strong", {}, seat.name ?? "Open seat"), " ", parts.kind),
        parts.doing, h("span", { class: "score" }, h("span", { class: "unseen" }, "score "), parts.score, parts.unit), parts.clock, clocks && parts.bar, parts.bubble);
      clocks?.faces.set(seat.seat, { face: parts.clock, bar: parts.bar.firstChild });
      return { card, timer: 0, mine: mine.includes(seat.seat), ...parts };
    });
    this.element = h("ul", { class: `seats ${game}`, "aria-label": "Seats", "data-count": seats.length }, ...this.cards.map(({ card }) => card));
  }

  /** @param {{to_move: number | null, doing?: string[], scores: number[] | null, winners?: number[]}} now @param {any[]} [spots] */
  show(now, spots = []) {
    const seen = [...spots];
    this.cards.forEach(({ card, figure, doing, score, mine }, seat) => {
      const about = now.doing?.[seat] ?? (now.to_move === seat ? "thinking" : "waiting");
      const won = now.winners?.includes(seat);
      figure.show(seen);
      mark(card, "data-status", about);
      mark(card, "aria-current", now.to_move === seat ? "true" : null);
      mark(card, "data-won", won);
      say(doing, won ? "won" : mine && about === "thinking" ? "your turn" : (DOING[about] ?? about));
      const flags = now.winners && Math.max(...(now.scores ?? [])) <= 1; // 1 for a win says no more than the word
      this.count(score, flags ? null : (now.scores?.[seat] ?? null));
    });
  }

  /** Show a score; one that grows is shown to grow. */
  count(score, points) {
    const before = Number(score.textContent || NaN);
    score.parentNode.hidden = points === null;
    say(score, points === null ? "" : String(points));
    if (points > before) score.animate?.([{ transform: "scale(1)" }, { transform: "scale(1.35)" }, { transform: "scale(1)" }], this.calm ? 0 : 320);
  }

  get calm() {
    return matchMedia("(prefers-reduced-motion: reduce)").matches;
  }

  /** A bubble at a card, for three seconds. @param {number} seat @param {string} words */
  bubble(seat, words) {
    const card = this.cards[seat];
    if (!card) return;
    clearTimeout(card.timer);
    say(card.bubble, words);
    card.bubble.hidden = false;
    card.timer = setTimeout(() => (card.bubble.hidden = true), SAID);
  }
}
