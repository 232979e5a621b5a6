/** The note about a restart of the server: who is still missing, and then that the match goes on. */

import { announce, h, say } from "./dom.js";

const SHOWN = 6000;

/** Names in a sentence. @param {string[]} names */
export const listed = (names) => (names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`);

export class RestartNote {
  constructor() {
    this.element = h("p", { class: "toast", "data-restarted": true, role: "status", hidden: true });
    this.seen = -1;
    this.waiting = false;
    this.timer = 0;
  }

  /**
   * Take in a line of the feed. @param {Array<{n: number, kind: string}>} events  of the log, or new ones
   * @param {{missing: number[], result: any}} now @param {string[]} names
   */
  follow(events, now, names) {
    const restarted = this.seen >= 0 && events.some(({ kind, n }) => kind === "resumed" && n > this.seen);
    this.seen = Math.max(this.seen, events.at(-1)?.n ?? -1);
    const waited = this.waiting;
    this.waiting = now.missing.length > 0;
    if (this.waiting) this.show(`The server restarted; waiting for ${listed(now.missing.map((seat) => names[seat]))} to come back …`);
    else if (now.result) this.hide();
    else if (restarted || waited) {
      this.show("The server restarted; going on.");
      this.timer = setTimeout(() => this.hide(), SHOWN);
    }
  }

  show(text) {
    clearTimeout(this.timer);
    this.element.hidden = false;
    if (this.element.textContent !== text) announce(text);
    say(this.element, text);
  }

  hide() {
    clearTimeout(this.timer);
    this.element.hidden = true;
    say(this.element, "");
  }
}
