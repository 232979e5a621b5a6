/** The log of events, one sentence each, faults highlighted; in a replay a click jumps to the event. */

import { h, mark } from "./dom.js";

/** @typedef {{n: number, kind: string, turn: number, seat: number | null, text: string, fault: boolean}} Event */

const MOST = 400;

export class Log {
  /** @param {(n: number) => void} [jump]  what a click on an event does */
  constructor(jump) {
    this.jump = jump;
    this.list = h("ol", { class: "log", "data-log": true, tabindex: "0", "aria-label": "What happened" });
    this.items = new Map();
    this.current = null;
  }

  /** Replace all events. @param {Event[]} events */
  reset(events) {
    this.list.replaceChildren();
    this.items.clear();
    this.add(events);
  }

  /** @param {Event[]} events */
  add(events) {
    const { scrollTop, scrollHeight, clientHeight } = this.list;
    const atEnd = scrollHeight - scrollTop - clientHeight < 40;
    const fresh = events.filter((event) => !this.items.has(event.n)).map((event) => {
      const item = h("li", { "data-event": event.kind, "data-fault": event.fault, class: event.seat === null ? "" : `seat${event.seat % 6}` },
        h("span", { class: "turn", "aria-hidden": "true" }, event.kind === "moved" ? event.turn : ""),
        this.jump ? h("button", { type: "button", class: "line", onclick: () => this.jump(event.n) }, event.text) : h("span", { class: "line" }, event.text));
      this.items.set(event.n, item);
      return item;
    });
    this.list.append(...fresh);
    while (!this.jump && this.list.childElementCount > MOST) {
      const [n, item] = this.items.entries().next().value;
      item.remove();
      this.items.delete(n);
    }
    if (atEnd && !this.jump) this.list.scrollTop = this.list.scrollHeight;
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
