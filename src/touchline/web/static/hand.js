/**
 * What a seat does with the board: picks, a move in advance, hints, and the sending of whole moves.
 *
 * Picks are kept while the question is the same, and while the match waits for others to come back. A move that may have
 * been lost with the connection is sent again: the server ignores it if it did arrive.
 */

import { post } from "./api.js";
import { announce, confirmed, h, say } from "./dom.js";
import { Picker } from "./picker.js";
import { textOf } from "./spots.js";

const PASS = "pass";
const ASKING = "Asking the house …";
const KEPT = "Your next move is kept, and made when it is your turn.";
const DROPPED = "The move you made in advance is not possible any more.";

export class Hand {
  /**
   * @param {string} table @param {string} token @param {number} seat @param {any} art
   * @param {{send: (message: object) => boolean, warn: (words: string) => void, quiet: () => void}} to
   */
  constructor(table, token, seat, art, to) {
    Object.assign(this, { table, token, seat, art, to });
    this.picker = new Picker(art);
    /** @type {import("./board.js").Board | null} */
    this.board = null;
    this.question = "";
    /** @type {any} */
    this.you = null;
    this.playing = this.sent = this.unheard = this.paused = this.asking = false;
    /** @type {string[]} */
    this.hinted = [];
    this.advice = h("p", { class: "advice" });
    const button = (text, act) => h("button", { type: "button", class: "quiet", onclick: act, hidden: true }, text);
    this.undo = button("Undo", () => this.back());
    this.turn = button(art.shortcut?.text ?? "", () => this.shortcut());
    this.help = button("Hint", () => this.hint());
    this.buttons = [this.undo, this.turn, this.help];
  }

  /** Whether this seat may pick now. */
  get free() {
    return Boolean(this.question) && !this.sent && !this.paused && !this.asking;
  }

  // -- the question --

  /** Take in a question, or none. @param {any} you @param {{paused: boolean, playing: boolean}} how */
  ask(you, { paused, playing }) {
    const question = you?.asked ? `${you.turn} ${you.legal.length}` : "";
    const held = paused && Boolean(this.question);
    this.paused = paused;
    this.playing = playing;
    if (!held && (question !== this.question || !question)) {
      this.question = question;
      this.you = you;
      this.sent = this.unheard = this.asking = false;
      this.picker.offer(you?.asked ? you.legal : []);
      this.forget();
      say(this.advice, question ? this.start : "");
    }
    const ahead = question && !paused ? (this.board.armed?.path ?? []) : [];
    this.show();
    if (!question || paused) return;
    if (this.unheard) this.commit(this.picker.whole());
    else if (ahead.length) this.advance(ahead);
  }

  /** What to do first. */
  get start() {
    const { placing, advice = "Pick a spot." } = this.art;
    return (this.you.legal[0]?.length === 1 && placing) || advice;
  }

  /** After a new snapshot: a move of before the connection was lost may not have arrived. */
  doubt() {
    this.unheard = this.sent;
  }

  /** Show what can be picked, and what is. */
  show() {
    const path = this.question ? this.picker.path : [];
    this.board.preview(path);
    this.board.offer({ options: this.free ? this.picker.options() : new Map(), path });
    this.board.arm(!this.question && this.playing ? { premove: (keys) => this.kept(keys) } : null);
    const asked = Boolean(this.question) && !this.paused;
    this.undo.hidden = !this.question && !this.board.armed?.path.length;
    this.undo.disabled = Boolean(this.question) && (!path.length || !this.free);
    this.help.hidden = !asked;
    this.turn.hidden = !asked || !this.art.shortcut || Boolean(this.board.tray);
  }

  // -- picking --

  pick(key) {
    if (!this.free) return;
    this.to.quiet();
    const choice = this.picker.pick(key);
    if (this.hinted.length && !this.picker.path.every((one, at) => one === this.hinted[at])) this.forget(true);
    this.show();
    if (choice !== null) this.commit(choice);
  }

  back() {
    if (this.board.armed?.path.length) this.board.back();
    else if (!this.free || !this.picker.back()) return;
    this.show();
    announce("taken back");
  }

  /** Pick what the game's own button and key pick. */
  shortcut() {
    if (!this.free) return;
    const { next, told } = this.art.shortcut;
    const key = next(this.picker.path);
    this.pick(key);
    announce(told(key));
  }

  /** A move in advance is picked, or taken back. @param {string[] | null} keys */
  kept(keys) {
    say(this.advice, keys ? KEPT : "");
    if (keys) announce(KEPT);
    this.undo.hidden = !keys;
  }

  /** Make the move that was picked in advance, if it is legal; go on with one that is only begun. @param {string[]} keys */
  advance(keys) {
    const { picker } = this;
    if (!picker.fitting(keys).length) {
      say(this.advice, DROPPED);
      announce(DROPPED);
      return;
    }
    picker.path = keys;
    const choice = picker.whole();
    if (choice !== null) this.commit(choice);
    else this.show();
  }

  // -- sending --

  /**
   * Send a whole move: over the live connection, or by a request while there is none. If the server does not answer,
   * the move waits until it does.
   */
  async commit(choice) {
    const { question } = this;
    if (textOf(this.you.legal[choice]?.[0] ?? "") === PASS && this.you.legal.length > 1) {
      this.asking = true;
      this.show();
      const sure = await confirmed("Pass this turn?", "Yes, pass");
      this.asking = false;
      if (this.question !== question) return;
      if (!sure) {
        this.picker.path = [];
        this.show();
        return;
      }
    }
    this.sent = true;
    this.unheard = false;
    this.show();
    const move = { turn: this.you.turn, choice };
    if (this.to.send({ type: "move", ...move })) return;
    post(`/api/tables/${this.table}/move`, move, this.token).catch((error) => {
      if (error.code !== "offline") this.refused(error.message);
    });
  }

  /** Show why a move was refused, and let the person pick another. */
  refused(message) {
    this.to.warn(message);
    this.sent = false;
    this.picker.path = [];
    this.show();
  }

  // -- hints --

  /** Take the hint away. */
  forget(speak = false) {
    this.hinted = [];
    this.board.offer({ hint: [] });
    if (speak) say(this.advice, this.start);
  }

  async hint() {
    const { question } = this;
    this.help.disabled = true;
    say(this.advice, ASKING);
    try {
      const told = await post(`/api/tables/${this.table}/hint`, {}, this.token);
      if (this.question !== question || this.sent) return;
      this.picker.path = [];
      this.show();
      this.hinted = told.keys.map(textOf);
      this.board.offer({ hint: told.keys });
      const words = told.keys.map((key) => (typeof key === "string" ? key.toLowerCase() : `(${key.join(", ")})`)).join(" → ");
      const chance = told.values.length ? `, with a chance of ${Math.round(100 * told.values[this.seat])} %` : "";
      say(this.advice, `Hint: ${words}${chance}.`);
      announce(this.advice.textContent);
    } catch (error) {
      say(this.advice, error.message);
    } finally {
      this.help.disabled = false;
      if (this.advice.textContent === ASKING) say(this.advice, "");
    }
  }
}
