/** The note about the connection: lost, back again, or taken over by another window. */

import { announce, clear, h, say } from "./dom.js";

const SHOWN = 2500;

export class ConnectionNote {
  /** @param {() => void} again  what "Play it here" does */
  constructor(again) {
    this.again = again;
    this.timer = 0;
    this.down = false;
    this.element = h("div", { class: "toast", "data-connection": true, role: "status", hidden: true });
  }

  /** @param {string} message */
  lost(message) {
    this.show(navigator.onLine === false ? "You are offline; trying again …" : `Connection lost${message ? ` (${message})` : ""}; trying again …`);
    if (!this.down) announce("connection lost; trying again");
    this.down = true;
  }

  /** Say that it is back, if it was lost. */
  live() {
    if (!this.down) return this.hide();
    this.down = false;
    this.show("Connected again.");
    announce("connected again");
    this.timer = setTimeout(() => this.hide(), SHOWN);
  }

  taken() {
    this.show("");
    clear(this.element, "This seat is played in another window. ", h("button", { type: "button", onclick: this.again }, "Play it here"));
  }

  show(text) {
    clearTimeout(this.timer);
    this.element.hidden = false;
    say(this.element, text);
  }

  hide() {
    clearTimeout(this.timer);
    this.down = false;
    this.element.hidden = true;
  }
}
