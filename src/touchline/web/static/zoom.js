/**
 * Zoom and pan of a board: two fingers pinch, one pans while it is zoomed, a double tap or the button shows the whole board, and the
 * wheel zooms with Ctrl. A large board on a phone begins so near that its tiles can be touched.
 */

import { h } from "./dom.js";

const TOUCH = 44; // CSS pixels that a tile needs to be touched
const SMALL = 38; // CSS pixels of a tile: below this a board begins zoomed
const NEAREST = 132; // CSS pixels of a tile in the nearest view
const NARROW = 600; // CSS pixels: a phone
const TALL = 1.15; // how much higher than wide the window may be in which a wide board is zoomed

export class Zoom {
  /** @param {import("./board.js").Board} board */
  constructor(board) {
    this.board = board;
    this.full = this.view = { x: 0, y: 0, width: 1, height: 1 };
    /** The pointers that touch the board. @type {Map<number, {x: number, y: number}>} */
    this.pointers = new Map();
    this.fresh = true;
    this.button = h("button", { type: "button", class: "quiet board-zoom", hidden: true, onclick: () => this.toggle() }, "Whole board");
    board.bar.prepend(this.button);
    const { svg } = board;
    svg.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    svg.addEventListener("dblclick", () => this.zoomed && this.whole());
    svg.addEventListener("pointerdown", (event) => this.down(event));
    svg.addEventListener("pointermove", (event) => this.moved(event));
    for (const end of ["pointerup", "pointercancel", "pointerleave"]) svg.addEventListener(end, (event) => this.pointers.delete(event.pointerId));
    svg.addEventListener("touchmove", (event) => event.touches.length > 1 && event.cancelable && event.preventDefault(), { passive: false });
    new ResizeObserver(() => this.resized()).observe(svg);
  }

  get zoomed() {
    return this.view.width < this.full.width - 0.5;
  }

  get pinching() {
    return this.pointers.size > 1;
  }

  /** The CSS pixels of a unit. */
  get scale() {
    const { clientWidth: width, clientHeight: height } = this.board.svg;
    return Math.min(width / this.view.width, height / this.view.height);
  }

  /** Show all of a new board. @param {import("./layout.js").Box} box */
  fit(box) {
    this.full = box;
    this.whole();
    this.fresh = true;
    this.resized();
  }

  whole() {
    this.look(this.full);
  }

  /** The height of a view of this width: a wide board that is zoomed on a phone gets a higher window. */
  height(width) {
    const { full } = this;
    const like = (width * full.height) / full.width;
    return this.narrow && width < full.width - 0.5 ? Math.max(like, Math.min(full.height, width * TALL)) : like;
  }

  get narrow() {
    return this.board.svg.clientWidth < NARROW;
  }

  /** Look at a part of the board, kept within it. @param {import("./layout.js").Box} view */
  look({ x, y, width, height }) {
    const { full } = this;
    const within = (from, size, least, most) => Math.max(least, Math.min(least + most - size, from));
    this.view = { x: within(x, width, full.x, full.width), y: within(y, height, full.y, full.height), width, height };
    const { svg, element } = this.board;
    element.style.setProperty("--ratio", (width / height).toFixed(4));
    svg.setAttribute("viewBox", `${this.view.x.toFixed(1)} ${this.view.y.toFixed(1)} ${width.toFixed(1)} ${height.toFixed(1)}`);
    svg.toggleAttribute("data-zoomed", this.zoomed);
    this.label();
  }

  /** Zoom by a factor around a point, in units of the board. */
  by(factor, point) {
    const { view, full } = this;
    const nearest = Math.max(1, NEAREST / 100 / (this.scale * (view.width / full.width)));
    const width = Math.max(full.width / nearest, Math.min(full.width, view.width / factor));
    const height = this.height(width);
    this.look({ x: point.x - ((point.x - view.x) * width) / view.width, y: point.y - ((point.y - view.y) * height) / view.height, width, height });
  }

  /** A large board on a phone begins near, around the pieces of the one who plays. */
  resized() {
    if (!this.board.svg.clientWidth) return;
    this.label();
    this.board.reach();
    if (!this.fresh) return;
    this.fresh = false;
    const small = this.scale * 100 < SMALL && this.narrow;
    if (small && this.board.options.pick) requestAnimationFrame(() => this.near());
  }

  /** Look so near that tiles can be touched. */
  near() {
    const { board } = this;
    const mine = board.pieces.standing.filter(({ seat }) => seat === board.seat);
    const middle = (name) => (mine.length ? mine.reduce((sum, piece) => sum + piece[name], 0) / mine.length : null);
    const point = { x: middle("x") ?? this.full.x + this.full.width / 2, y: middle("y") ?? this.full.y + this.full.height / 2 };
    const factor = (TOUCH * 1.05) / (this.scale * 100);
    const width = this.view.width / factor;
    const height = this.height(width);
    this.look({ x: point.x - width / 2, y: point.y - height / 2, width, height });
  }

  toggle() {
    if (this.zoomed) this.whole();
    else this.near();
  }

  label() {
    const small = this.board.options.pick && this.scale * 100 < TOUCH - 2 && this.narrow;
    this.button.hidden = !this.zoomed && !small;
    this.button.textContent = this.zoomed ? "Whole board" : "Zoom in";
    this.board.bar.hidden = this.button.hidden && this.board.asides.hidden;
  }

  /** Keep a spot in sight. @param {string} key */
  reveal(key) {
    const place = this.board.places.get(key);
    if (!this.zoomed || !place) return;
    const { x, y, width, height } = this.view;
    const into = (from, size, at) => Math.min(at - 60, Math.max(from, at + 60 - size));
    this.look({ x: into(x, width, place.x), y: into(y, height, place.y), width, height });
  }

  /** Where a pointer is, in units of the board. @param {{clientX: number, clientY: number}} event */
  point({ clientX, clientY }) {
    return new DOMPoint(clientX, clientY).matrixTransform(this.board.svg.getScreenCTM().inverse());
  }

  wheel(event) {
    if (!event.ctrlKey) return;
    event.preventDefault();
    this.by(Math.exp(-event.deltaY / 300), this.point(event));
  }

  down(event) {
    if (event.pointerType === "mouse" && !this.zoomed) return;
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (this.pinching) this.board.input.putBack();
  }

  moved(event) {
    const old = this.pointers.get(event.pointerId);
    if (!old || this.board.input.drag) return;
    const now = { x: event.clientX, y: event.clientY };
    if (this.pinching) this.pinch(event.pointerId, old, now);
    else if (this.zoomed && Math.hypot(now.x - old.x, now.y - old.y) > (old.panned ? 0 : 7)) {
      const { scale } = this;
      this.look({ ...this.view, x: this.view.x - (now.x - old.x) / scale, y: this.view.y - (now.y - old.y) / scale });
      this.board.input.quiet = true; // the click at the end of a pan
      now.panned = true;
    } else return;
    this.pointers.set(event.pointerId, now);
  }

  pinch(id, old, now) {
    const [, other] = [...this.pointers].find(([pointer]) => pointer !== id);
    const apart = (one) => Math.max(1, Math.hypot(one.x - other.x, one.y - other.y));
    const middle = (one) => ({ clientX: (one.x + other.x) / 2, clientY: (one.y + other.y) / 2 });
    const point = this.point(middle(old));
    this.by(apart(now) / apart(old), point);
    const moved = this.point(middle(now));
    this.look({ ...this.view, x: this.view.x + point.x - moved.x, y: this.view.y + point.y - moved.y });
    this.board.input.quiet = true;
  }
}
