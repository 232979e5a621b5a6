/** What a table waits for, in words; the wait for a house player that wakes up counts down. */

import { h, say } from "./dom.js";
import { listed } from "./restart_note.js";

export class Status {
  constructor() {
    this.element = h("p", { class: "status" });
    this.timer = 0;
    this.until = 0;
  }

  /** @param {any} now @param {string[]} names @param {{asked: boolean, mine: number[], alone: boolean}} who */
  show(now, names, { asked, mine, alone }) {
    clearInterval(this.timer);
    const { to_move: mover, missing, doing, waking } = now;
    if (now.result) say(this.element, "Finished");
    else if (missing.length) say(this.element, `Waiting for ${listed(missing.map((seat) => names[seat]))} to come back`);
    else if (asked) say(this.element, alone ? "Your turn" : `${names[mover]}, it is your turn`);
    else if (mover === null) say(this.element, "Waiting for the players to get ready");
    else if (waking || doing[mover] === "waking") this.wake(names[waking?.seat ?? mover], waking?.seconds);
    else if (doing[mover] === "away") say(this.element, `${names[mover]} is to move, but away`);
    else say(this.element, mine.includes(mover) ? "Your move is on its way" : `${names[mover]} is thinking`);
  }

  /** @param {string} name @param {number} [seconds]  how long it may take */
  wake(name, seconds) {
    this.until = Date.now() + 1000 * (seconds ?? 0);
    const tick = () => {
      const left = Math.ceil((this.until - Date.now()) / 1000);
      say(this.element, `Waking up ${name}${left > 0 ? `, about ${left} s` : " …"}`);
    };
    tick();
    this.timer = setInterval(tick, 1000);
  }

  stop() {
    clearInterval(this.timer);
  }
}
