/**
 * Clicks, dragged pieces and keys on a board. A piece of one's own follows the pointer; dropped elsewhere it goes back.
 */

import { mark } from "./dom.js";
import { neighbour, rowEnd } from "./spots.js";

const FAR = 7; // CSS pixels that a pointer moves before it drags
const LIFT = 1.12;

export class Input {
  /** @param {import("./board.js").Board} board */
  constructor(board) {
    this.board = board;
    /** @type {{key: string, id: number, x: number, y: number, piece: any, lifted: boolean} | null} */
    this.drag = null;
    /** A piece that was dropped on a legal spot: it stays there until the position says where it is. */
    this.dropped = null;
    this.quiet = false;
    const { element, svg } = board;
    element.addEventListener("click", (event) => this.clicked(event));
    element.addEventListener("keydown", (event) => this.pressed(event));
    element.addEventListener("contextmenu", (event) => this.refused(event));
    element.addEventListener("focusin", (event) => this.focused(event));
    element.addEventListener("focusout", () => board.marks.focus());
    svg.addEventListener("pointerover", (event) => event.pointerType === "mouse" && board.marks.aim(spotOf(event.target) ?? ""));
    svg.addEventListener("pointerleave", () => board.marks.aim(""));
    svg.addEventListener("pointerdown", (event) => this.down(event));
    svg.addEventListener("pointermove", (event) => this.moved(event));
    svg.addEventListener("pointerup", (event) => this.up(event));
    svg.addEventListener("pointercancel", () => this.putBack());
    // A finger on a piece drags it, anywhere else it scrolls the page.
    svg.addEventListener("touchmove", (event) => this.drag && event.cancelable && event.preventDefault(), { passive: false });
  }

  // -- clicks --

  clicked(event) {
    if (this.quiet) {
      this.quiet = false;
      return;
    }
    const key = this.meant(event);
    if (key === undefined) return;
    this.board.rove(key);
    this.enter(key);
  }

  /** The spot that a click means: the one under it, or the legal piece whose head it hits. */
  meant(event) {
    const key = spotOf(event.target);
    const { board } = this;
    if (key === undefined || board.offered.options.has(key) || event.detail === 0 || board.armed) return key;
    const { x, y } = board.zoom.point(event);
    const hit = board.pieces.standing.find((one) => board.offered.options.has(one.key) && one.seat === board.seat
      && Math.abs(x - one.x) < 26 && y < one.y + 30 && y > one.y - 52);
    return hit?.key ?? key;
  }

  /** A right-click takes back what is picked. */
  refused(event) {
    const { board } = this;
    if (!board.offered.path.length && !board.armed?.path.length) return;
    event.preventDefault();
    board.back();
  }

  // -- dragging --

  /** Whether the piece on a spot may be dragged now. */
  draggable(key) {
    const { board } = this;
    if (!board.options.pick || !board.pieces.own(key)) return false;
    if (board.armed) return !board.art.replace;
    const { options, path } = board.offered;
    if (board.art.mine) return path.length > 0 && [...options].some(([to, how]) => how === "next" && board.places.has(to) && to !== key && Array.isArray(board.spots.get(to).key));
    return path[0] === key || options.has(key) || path.length > 0;
  }

  down(event) {
    const key = this.meant(event);
    this.quiet = false;
    if (event.button !== 0 || key === undefined || this.drag) return;
    if (event.pointerType !== "mouse") this.board.marks.aim(key);
    if (this.board.zoom.pinching || !this.draggable(key)) return;
    this.drag = { key, id: event.pointerId, x: event.clientX, y: event.clientY, piece: this.board.pieces.own(key), lifted: false };
  }

  moved(event) {
    const { drag, board } = this;
    if (!drag || event.pointerId !== drag.id) return;
    if (!drag.lifted) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < FAR) return;
      if (!this.lift(event)) return;
    }
    const { x, y } = board.zoom.point(event);
    drag.piece.element.setAttribute("transform", `translate(${x} ${y - 8}) scale(${drag.piece.size * LIFT})`);
    const over = this.under(event);
    this.over(over && this.takes(over) ? over : "");
    board.marks.aim(over ?? "");
  }

  /** Begin to drag: the piece is picked, unless it moves without that. */
  lift(event) {
    const { drag, board } = this;
    drag.lifted = true;
    this.quiet = true; // the click at the end of a drag
    const picks = !board.art.mine && !(board.armed ? board.armed.path.length === 1 && board.armed.path[0] === drag.key : board.offered.path.includes(drag.key));
    if (picks) board.pick(drag.key);
    const picked = board.armed ? board.armed.path[0] === drag.key : board.art.mine || board.offered.path.includes(drag.key);
    if (!picked) {
      this.drag = null;
      return false;
    }
    drag.piece.element.getAnimations().forEach((animation) => animation.finish());
    board.svg.setPointerCapture(event.pointerId);
    board.svg.setAttribute("data-dragging", "");
    board.layers.pieces.append(drag.piece.element);
    return true;
  }

  under(event) {
    return spotOf(document.elementFromPoint(event.clientX, event.clientY));
  }

  /** Whether a piece may be dropped on a spot. */
  takes(key) {
    const { board, drag } = this;
    if (key === drag?.key) return false;
    return board.armed ? Array.isArray(board.spots.get(key)?.key) : board.offered.options.get(key) === "next";
  }

  up(event) {
    const { drag, board } = this;
    if (!drag || event.pointerId !== drag.id) return;
    if (!drag.lifted) {
      this.drag = null;
      return;
    }
    setTimeout(() => (this.quiet = false), 0); // where no click follows
    const to = this.under(event);
    const legal = to !== undefined && this.takes(to);
    if (!legal) {
      this.putBack();
      return;
    }
    this.end();
    if (board.armed) this.rest(drag.piece);
    else this.dropped = this.settle(drag.piece, to);
    board.pick(to);
  }

  /** Leave a piece where it was dropped. */
  settle(piece, to) {
    const [from, there] = [this.board.places.get(piece.key), this.board.places.get(to)];
    const home = { x: piece.x, y: piece.y };
    Object.assign(piece, { x: there.x + piece.x - from.x, y: there.y + piece.y - from.y });
    this.rest(piece);
    return { piece, home };
  }

  rest(piece) {
    piece.element.setAttribute("transform", `translate(${piece.x} ${piece.y}) scale(${piece.size})`);
    this.board.pieces.sort();
  }

  end() {
    this.drag = null;
    this.board.svg.removeAttribute("data-dragging");
    this.over("");
  }

  /** Show on which spot the dragged piece would be dropped. @param {string} key */
  over(key) {
    for (const [one, cell] of this.board.cells) mark(cell.element, "data-over", one === key);
  }

  /** The piece glides back to where it was. */
  putBack() {
    const { drag, board } = this;
    if (!drag) return;
    this.end();
    if (!drag.lifted) return;
    const { piece } = drag;
    const now = piece.element.getAttribute("transform").replace(/translate\((\S+) (\S+)\)/, "translate($1px, $2px)");
    this.rest(piece);
    if (board.motion.seen && !board.motion.calm) {
      const there = `translate(${piece.x}px, ${piece.y}px) scale(${piece.size})`;
      board.motion.run(piece.element, { frames: [{ transform: now }, { transform: there }], ms: 180, easing: "ease-out" });
    }
    board.marks.aim("");
  }

  /** The seat is asked (again): a piece that was dropped and not moved goes back. */
  offered() {
    const { dropped, board } = this;
    this.dropped = null;
    if (!dropped || !board.pieces.standing.includes(dropped.piece)) return;
    Object.assign(dropped.piece, dropped.home);
    this.rest(dropped.piece);
  }

  // -- keys --

  pressed(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || !spotOf(event.target)) return;
    const { board } = this;
    const key = event.key;
    if (key === "Enter" || key === " ") this.enter(board.focused);
    else if ((key === "Escape" || key === "Backspace") && (board.offered.path.length || board.armed?.path.length)) board.back();
    else if (board.tray && key.toLowerCase() === "r") board.tray.turn(event.shiftKey ? -1 : 1);
    else if (key.toLowerCase() === board.options.shortcut?.key) board.options.shortcut.act();
    else if (key === "n" || key === "N") board.focus(board.nextLegal(key === "n" ? 1 : -1));
    else if (key === "Home" || key === "End") board.focus(rowEnd(board.places, board.focused, key === "End"));
    else if (key.startsWith("Arrow")) board.focus(this.next(key));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  enter(key) {
    const { board } = this;
    if (board.tray?.keys.includes(key)) board.tray.turn(1);
    else board.pick(key);
  }

  /** The spot to which an arrow key leads, among those in sight. */
  next(arrow) {
    const { board } = this;
    const hidden = (key) => board.tray?.keys.includes(key) && board.tray.held !== key;
    const places = new Map([...board.places].filter(([key]) => !hidden(key)));
    return neighbour(places, board.focused, arrow);
  }

  focused(event) {
    const { board } = this;
    const key = spotOf(event.target);
    if (key === undefined) return;
    board.rove(key);
    board.marks.focus();
    if (event.target.matches(":focus-visible")) board.marks.aim(key);
  }
}

/** The spot to which an element belongs. @param {any} element @returns {string | undefined} */
const spotOf = (element) => element?.closest?.("[data-spot]")?.dataset.spot;
