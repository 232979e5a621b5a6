/**
 * Motion on the board. An animation covers what the document already shows: it begins where things were, and ends where they
 * are. Rules of this file: a hidden tab does not animate; with reduced motion things cross-fade; quick successions are shortened.
 *
 * @typedef {{x: number, y: number, size?: number}} Point
 * @typedef {{frames: Keyframe[], ms: number, easing?: string}} Leg  a part of a motion: its frames are evenly spaced unless they have an offset
 */

import { mark, s } from "./dom.js";

/** Milliseconds; the table of the art direction. */
export const MS = {
  push: 420, hop: 260, turn: 180, tile: 110, walk: 900, floe: 90, slide: 120, sink: 600, step: 220, tip: 260, press: 80, fade: 120, pulse: 900, appear: 240,
};
export const PUSH = "cubic-bezier(.3,.9,.3,1)";
const SLIDE = "cubic-bezier(.2,.7,.2,1)";
const HOP = 3; // units
const FEET = 30; // units below the centre of a figure: what it tips and turns around
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** A place as a CSS transform. @param {Point} point */
export const at = ({ x, y, size = 1 }, rest = "") => `translate(${x.toFixed(2)}px, ${y.toFixed(2)}px) scale(${size})${rest}`;

/** Turned around the feet. @param {number} degrees */
const leaning = (degrees, squash = "") => ` translate(0px, ${FEET}px) rotate(${degrees}deg)${squash} translate(0px, ${-FEET}px)`;

/** Walk along corridors with a small hop on each tile. @param {Point[]} points @returns {Leg} */
export function walk(points) {
  const frames = [{ transform: at(points[0]) }];
  for (let n = 1; n < points.length; n++) {
    const [from, to] = [points[n - 1], points[n]];
    const size = ((from.size ?? 1) + (to.size ?? 1)) / 2;
    frames.push({ transform: at({ x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 - HOP, size }) }, { transform: at(to) });
  }
  return { frames, ms: Math.min(MS.walk, MS.tile * (points.length - 1)), easing: "linear" };
}

/** Slide on the belly: tip over, glide, get up. @param {Point[]} points @returns {Leg} */
export function slide(points) {
  const [from, to] = [points[0], points.at(-1)];
  const lean = leaning(to.x < from.x ? -72 : 72);
  const between = (share) => ({ x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share, size: to.size });
  const frames = [
    { transform: at(from, leaning(0)), offset: 0 },
    { transform: at(between(0.16), lean), offset: 0.16 },
    { transform: at(between(0.84), lean), offset: 0.84 },
    { transform: at(to, leaning(0)), offset: 1 },
  ];
  return { frames, ms: MS.floe * (points.length - 1) + MS.slide, easing: SLIDE };
}

/** Carry a piece with some weight: lifted, put down, settling. @param {Point[]} points @returns {Leg} */
export function step(points) {
  const [from, to] = [points[0], points.at(-1)];
  const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 - 10, size: (to.size ?? 1) * 1.05 };
  const frames = [
    { transform: at(from, leaning(0, " scale(1, 1)")), offset: 0 },
    { transform: at(middle, leaning(0, " scale(1, 1)")), offset: 0.45 },
    { transform: at(to, leaning(0, " scale(1.05, 0.94)")), offset: 0.85 },
    { transform: at(to, leaning(0, " scale(1, 1)")), offset: 1 },
  ];
  return { frames, ms: MS.step, easing: "ease-out" };
}

export const GAITS = { walk, slide, step };

/** Ride on a tile that is pushed. @param {Point} from @param {Point} to @returns {Leg} */
export const ride = (from, to) => ({ frames: [{ transform: at(from) }, { transform: at(to) }], ms: MS.push, easing: PUSH });

/** Legs one after the other as the frames of one animation. @param {Leg[]} legs @returns {{frames: Keyframe[], ms: number}} */
function joined(legs) {
  const ms = legs.reduce((sum, leg) => sum + leg.ms, 0);
  let [begun, frames] = [0, []];
  for (const leg of legs) {
    leg.frames.forEach((frame, n) => {
      const share = frame.offset ?? n / (leg.frames.length - 1);
      frames.push({ ...frame, offset: Math.min(1, (begun + share * leg.ms) / ms), easing: leg.easing ?? "linear" });
    });
    begun += leg.ms;
  }
  return { frames, ms };
}

export class Motion {
  /** @param {Element} element gets `data-moving` while something is animated */
  constructor(element) {
    this.element = element;
    this.running = 0;
    this.haste = 1;
    this.shownAt = -Infinity;
  }

  /** Whether there is reduced motion: things cross-fade. */
  get calm() {
    return calm.matches;
  }

  /** Whether anything may be animated at all. */
  get seen() {
    return document.visibilityState === "visible" && this.element.isConnected;
  }

  /** A new position has come: the faster they come, the shorter their animations. */
  hurry() {
    this.haste = Math.max(0.2, Math.min(1, (performance.now() - this.shownAt) / 920));
    this.shownAt = performance.now();
  }

  /**
   * Animate an element.
   * @param {Element} element @param {Leg | Leg[]} legs @param {{delay?: number, done?: () => void}} [how]
   * @returns {number} the milliseconds until it ends, before haste
   */
  run(element, legs, { delay = 0, done = () => {} } = {}) {
    const { frames, ms } = joined([legs].flat());
    this.running++;
    mark(this.element, "data-moving", true);
    const animation = element.animate(frames, { duration: ms * this.haste, delay: delay * this.haste, fill: "both" });
    animation.startTime = document.timeline.currentTime; // animations of one position are in step
    animation.finished.catch(() => {}).then(() => {
      done();
      animation.cancel();
      if (!--this.running) mark(this.element, "data-moving", false);
    });
    return delay + ms;
  }

  /** End all animations at once. */
  settle() {
    for (const animation of this.element.getAnimations({ subtree: true })) if (!(animation instanceof CSSAnimation)) animation.finish();
  }

  /** Let a copy of an element fade out over the new one, which has reduced motion. @param {Element} element @param {Element} layer */
  fadeOut(element, layer = element.parentNode) {
    const ghost = /** @type {Element} */ (element.cloneNode(true));
    layer.append(ghost);
    this.run(ghost, { frames: [{ opacity: 1 }, { opacity: 0 }], ms: MS.fade }, { done: () => ghost.remove() });
  }

  fadeIn(element) {
    this.run(element, { frames: [{ opacity: 0 }, { opacity: 1 }], ms: MS.fade });
  }

  /** A floe sinks, and rings widen on the water. @param {Element} ghost what sinks @param {Element} cell where the rings are */
  sink(ghost, cell, delay = 0) {
    const frames = [{ transform: "translate(0px, 0px) scale(1)", opacity: 1 }, { transform: "translate(0px, 9px) scale(0.74)", opacity: 0 }];
    this.run(ghost, { frames, ms: MS.sink, easing: "ease-in" }, { delay, done: () => ghost.remove() });
    [0, 130, 260].forEach((later, n) => {
      const ring = s("ellipse", { class: "ripple", rx: 44, ry: 34 });
      cell.append(ring);
      const widen = [{ transform: "scale(0.55)", opacity: 0 }, { opacity: 0.9 - 0.2 * n, offset: 0.3 }, { transform: "scale(1.12)", opacity: 0 }];
      this.run(ring, { frames: widen, ms: MS.sink, easing: "ease-out" }, { delay: delay + 240 + later, done: () => ring.remove() });
    });
  }

  /** A captured piece tips over and fades. @param {Element} element @param {Point} place */
  tip(element, place, delay = 0) {
    const frames = [
      { transform: at(place, leaning(0)), opacity: 1 },
      { transform: at(place, leaning(52)), opacity: 0.9, offset: 0.55 },
      { transform: at({ ...place, x: place.x + 7 }, leaning(78)), opacity: 0 },
    ];
    this.run(element, { frames, ms: MS.tip, easing: "ease-out" }, { delay, done: () => element.remove() });
  }

  /** A piece that comes onto the board: put down from above. @param {Element} element @param {Point} place */
  appear(element, place, delay = 0) {
    const frames = [
      { transform: at({ ...place, y: place.y - 26 }), opacity: 0 },
      { transform: at(place, leaning(0, " scale(1.05, 0.94)")), opacity: 1, offset: 0.75 },
      { transform: at(place, leaning(0, " scale(1, 1)")), opacity: 1 },
    ];
    this.run(element, { frames, ms: MS.appear, easing: "ease-out" }, { delay });
  }

  /** A goal pulses once. @param {Element} element */
  pulse(element, delay = 0) {
    const grown = (size) => `${element.getAttribute("transform")?.replace(/(-?[\d.]+) (-?[\d.]+)/, "$1px, $2px") ?? ""} scale(${size})`;
    const frames = [{ transform: grown(0.4), opacity: 0 }, { transform: grown(1.28), opacity: 1, offset: 0.35 }, { transform: grown(0.94), offset: 0.65 }, { transform: grown(1), opacity: 1 }];
    this.run(element, { frames, ms: MS.pulse, easing: "ease-in-out" }, { delay });
  }

  /** The old side of a tile turns out, and the new one comes in. @param {Element} ghost the old side @param {Element} element the new one @param {number} step 1 is clockwise */
  turn(ghost, element, step) {
    this.run(ghost, { frames: [{ transform: "rotate(0deg)" }, { transform: `rotate(${90 * step}deg)` }], ms: MS.turn, easing: "ease-out" }, { done: () => ghost.remove() });
    this.run(element, { frames: [{ opacity: 0 }, { opacity: 0, offset: 0.7 }, { opacity: 1 }], ms: MS.turn });
  }

  /** A key is pressed. @param {Element} element */
  press(element) {
    this.run(element, { frames: [{ transform: "translate(0px, 0px)" }, { transform: "translate(0px, 4px)" }, { transform: "translate(0px, 0px)" }], ms: 2 * MS.press, easing: "ease-out" });
  }
}
