/** Taking a move back by agreement: asking, being asked, and the answer. */

import { announce, clear, h } from "./dom.js";

export class TakeBack {
  /** @param {string[]} names @param {number[]} mine @param {(message: object) => void} send */
  constructor(names, mine, send) {
    Object.assign(this, { names, mine, send });
    /** @type {{seat: number, turn: number} | null} */
    this.offer = null;
    this.allowed = this.taken = false;
    this.button = h("button", { type: "button", class: "quiet", hidden: true, title: "Ask to take your last move back", onclick: () => send({ type: "takeback", agree: true }) }, "Take back");
    this.element = h("div", { class: "offer", role: "status", "data-takeback": true, hidden: true });
  }

  /** Whether there is a move that this browser could take back. @param {boolean} possible */
  allow(possible) {
    this.allowed = possible;
    this.button.hidden = !possible;
    this.button.disabled = this.offer !== null;
    if (!possible) this.element.hidden = true;
  }

  /** An offer stands, or none. @param {{seat: number, turn: number} | null} offer */
  show(offer) {
    const before = this.offer;
    if (JSON.stringify(offer) === JSON.stringify(before)) return;
    this.offer = offer;
    this.button.disabled = offer !== null;
    this.element.hidden = offer === null;
    const answer = (agree, text, how) => h("button", { type: "button", class: how, onclick: () => this.send({ type: "takeback", agree }) }, text);
    if (!offer) {
      if (before && this.mine.includes(before.seat) && !this.taken) announce("Your move stands: taking it back was declined.");
      this.taken = false;
    } else if (this.mine.includes(offer.seat) && this.mine.length < 2) {
      clear(this.element, h("p", {}, "You asked to take your move back."), answer(false, "Never mind", "quiet"));
    } else {
      const words = `${this.names[offer.seat]} asks to take the last move back.`;
      clear(this.element, h("p", {}, words), ...(this.mine.length ? [answer(true, "Accept", ""), answer(false, "Decline", "quiet")] : []));
      announce(words);
    }
  }
}
