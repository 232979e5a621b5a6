/** The seats of a table: name, score, clock and status. */

import { sign } from "./art.js";
import { h, mark, s, say } from "./dom.js";

const DOING = {
  arriving: "getting ready",
  waiting: "waiting",
  waking: "waking up",
  thinking: "thinking",
  away: "away",
  expelled: "expelled",
  resigned: "resigned",
  done: "done",
  empty: "nobody yet",
};
const KINDS = { me: "", open: "", house: "house player, ", remote: "program, " };

/** The badge of a seat: its colour and shape. @param {number} seat */
export function badge(seat) {
  return s("svg", { class: `badge seat${seat % 6}`, viewBox: "-14 -14 28 28", "aria-hidden": "true" },
    s("circle", { class: "disc", r: 12.5 }), s("g", { class: "inverse" }, sign(seat, 6)));
}

export class Seats {
  /**
   * @param {Array<{seat: number, kind: string, name: string | null, taken: boolean}>} seats @param {number | null} me
   * @param {import("./clock.js").Clocks | null} clocks
   */
  constructor(seats, me, clocks) {
    this.cards = seats.map((seat) => {
      const parts = {
        doing: h("span", { class: "doing" }),
        score: h("span", { "data-score": true }),
        clock: h("span", { class: "clock", role: "timer", "aria-live": "off", "data-clock": true, "aria-label": `Time of seat ${seat.seat}` }),
        bar: h("span", { class: "bar", "aria-hidden": "true" }, h("i")),
      };
      const you = seat.seat === me;
      const card = h("li", { class: `seat seat${seat.seat % 6}`, "data-seat": seat.seat },
        badge(seat.seat),
        h("span", { class: "who" }, h("strong", { title: seat.name }, seat.name ?? "open seat"), you && h("small", {}, "you")),
        h("span", { class: "score" }, h("span", { class: "unseen" }, "score "), parts.score), parts.clock, parts.doing, clocks && parts.bar);
      clocks?.faces.set(seat.seat, { face: parts.clock, bar: parts.bar.firstChild });
      if (!clocks) parts.clock.hidden = true;
      return { card, kind: you ? "" : KINDS[seat.kind], ...parts };
    });
    this.element = h("ul", { class: "seats", "aria-label": "Seats" }, ...this.cards.map(({ card }) => card));
  }

  /** @param {{to_move: number | null, doing?: string[], scores: number[] | null, winners?: number[]}} now */
  show(now) {
    this.cards.forEach(({ card, kind, doing, score }, seat) => {
      const about = now.doing?.[seat] ?? (now.to_move === seat ? "thinking" : "waiting");
      const won = now.winners?.includes(seat);
      mark(card, "data-status", about);
      mark(card, "aria-current", now.to_move === seat ? "true" : null);
      mark(card, "data-won", won);
      say(doing, `${kind}${won ? "won" : (DOING[about] ?? about)}`);
      say(score, now.scores ? String(now.scores[seat]) : "");
      score.parentNode.hidden = !now.scores;
    });
  }
}
