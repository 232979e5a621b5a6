/**
 * Clocks in step with the referee's: the time left at the server's time `at`, less the time since then.
 *
 * The clocks of server and browser may differ. The smallest observed delay of a line is taken as their offset.
 */

import { say } from "./dom.js";

/** @typedef {{left: number, bank: number} | null} ClockNow */

/** A time for display: `1:05`, and below ten seconds `9.4`. @param {number} millis */
export function faceOf(millis) {
  const left = Math.max(0, millis);
  if (left < 10_000) return (Math.floor(left / 100) / 10).toFixed(1);
  const seconds = Math.ceil(left / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

export class Clocks {
  constructor() {
    this.behind = Infinity;
    /** @type {Map<number, {face: HTMLElement, bar: HTMLElement | null}>} */
    this.faces = new Map();
    this.now = { at: 0, clocks: [], running: new Set(), most: 0 };
    this.timer = 0;
  }

  /** @param {number} at @param {{clocks: ClockNow[], thinking: number[]}} now @param {{seconds: number, bank: number} | null} terms */
  set(at, now, terms) {
    this.behind = Math.min(this.behind, Date.now() - at);
    const most = terms ? 1000 * (terms.seconds + terms.bank) : 0;
    this.now = { at, clocks: now.clocks, running: new Set(now.thinking), most };
    this.tick();
  }

  /** The time a seat has left now, in milliseconds; null without a limit. @param {number} seat */
  left(seat) {
    const clock = this.now.clocks[seat];
    if (!clock) return null;
    const passed = this.now.running.has(seat) ? Math.max(0, Date.now() - this.behind - this.now.at) : 0;
    return Math.max(0, clock.left - passed);
  }

  tick() {
    clearTimeout(this.timer);
    let soonest = Infinity;
    for (const [seat, { face, bar }] of this.faces) {
      const left = this.left(seat);
      say(face, left === null ? "–" : faceOf(left));
      face.classList.toggle("low", left !== null && left < this.now.most / 10 && this.now.running.has(seat));
      if (bar) bar.style.transform = `scaleX(${left === null ? 0 : Math.min(1, left / this.now.most)})`;
      if (left && this.now.running.has(seat)) soonest = Math.min(soonest, left < 11_000 ? 100 : 250);
    }
    if (soonest < Infinity) this.timer = setTimeout(() => this.tick(), soonest);
  }

  stop() {
    clearTimeout(this.timer);
    this.now.running = new Set();
  }
}
