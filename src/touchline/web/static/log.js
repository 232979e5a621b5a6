/** The log of events, one sentence each, the newest first; in a replay a click jumps to the event. */

import { h, mark } from "./dom.js";

/** @typedef {{n: number, kind: string, turn: number, seat: number | null, text: string, fault: boolean}} Event */

const MOST = 400;

/** Put a log below a board that is low, else beside it. @param {HTMLElement} page @param {any} board @param {HTMLElement} part */
export function beside(page, board, part) {
  const { width, height } = board.svg.viewBox.baseVal;
  const low = width > 1.4 * height;
  mark(page, "data-low", low);
  if (low) page.append(part);
  else page.querySelector(".side > .terms, .side > .downloads").before(part);
}

export class Log {
  /** @param {(n: number) => void} [jump]  what a click on an event does */
  constructor(jump) {
    this.jump = jump;
    this.list = h("ol", { class: "log", "data-log": true, tabindex: "0", "aria-label": "What happened" });
    this.items = new Map();
    this.movers = new Map();
    this.current = null;
  }

  /** The log with its heading. @param {string} game */
  section(game) {
    return (this.part ??= h("section", { class: `happened ${game}` }, h("h2", {}, "What happened"), this.list));
  }

  /** Replace all events. @param {Event[]} events */
  reset(events) {
    this.list.replaceChildren();
    this.items.clear();
    this.movers.clear();
    this.add(events);
  }

  /** @param {Event[]} events */
  add(events) {
    const fresh = events.filter((event) => event.kind !== "sat_down" && !this.items.has(event.n)).map((event) => {
      const item = h("li", { "data-event": event.kind, "data-fault": event.fault, class: event.seat === null ? "" : `seat${event.seat % 6}` },
        h("span", { class: "turn", "aria-hidden": "true" }, event.kind === "moved" ? event.turn : ""), h("i", { class: "dot", "aria-hidden": "true" }),
        this.jump ? h("button", { type: "button", class: "line", onclick: () => this.jump(event.n) }, event.text) : h("span", { class: "line" }, event.text));
      this.items.set(event.n, item);
      if (event.kind === "moved") this.movers.set(event.n, event.seat);
      return item;
    });
    this.list.prepend(...fresh.reverse());
    while (!this.jump && this.list.childElementCount > MOST) {
      const [n, item] = this.items.entries().next().value;
      item.remove();
      this.items.delete(n);
    }
  }

  /** Whether one of these seats has moved. @param {number[]} seats */
  moved(seats) {
    return [...this.movers.values()].some((seat) => seats.includes(seat));
  }

  /** Show no event after this one: it would tell how the game ends. @param {number} n */
  upTo(n) {
    for (const [at, item] of this.items) item.hidden = at > n;
  }

  /** Highlight the event that a replay shows. @param {number} n */
  point(n) {
    mark(this.current ?? this.list, "aria-current", null);
    this.current = this.items.get(n) ?? null;
    if (!this.current) return;
    mark(this.current, "aria-current", "true");
    const { scrollTop, clientHeight } = this.list;
    const top = this.current.offsetTop - this.list.offsetTop;
    const seen = top >= scrollTop && top + this.current.offsetHeight <= scrollTop + clientHeight;
    if (!seen) this.list.scrollTop = top - clientHeight / 2;
  }
}
