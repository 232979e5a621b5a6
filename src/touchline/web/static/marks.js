/**
 * Marks on the board: pieces that can be moved, legal targets as quiet dots, what can be captured, the ring of the chosen
 * piece, the last move as a trail, a hint, a premove, the way that a piece would walk, and the focus of the keyboard.
 */

import { outline, placed, symbolOf, use } from "./art.js";
import { s } from "./dom.js";

const LOW = 5; // units: trails run a little below the middle of the spots, where the feet are

export class Marks {
  /** @param {import("./board.js").Board} board */
  constructor(board) {
    this.board = board;
    /** The spots along which the last move went. @type {string[]} */
    this.past = [];
    /** The spot to which a walk is shown. */
    this.aimed = "";
    this.said = "";
  }

  clear() {
    this.past = [];
    this.aimed = "";
    this.said = "";
    for (const name of ["trail", "marks", "top"]) this.board.layers[name].replaceChildren();
  }

  /** Draw what the board offers; nothing is drawn again if it is the same. */
  show() {
    const { board, past, aimed } = this;
    const { options, path, last, hint } = board.offered;
    const said = JSON.stringify([[...options], path, [...last], hint, past, aimed, board.armed?.path, board.pieces.standing.map(({ key, seat }) => [key, seat])]);
    if (said === this.said) return;
    this.said = said;
    board.layers.trail.replaceChildren(...this.lastMove());
    const way = this.walk();
    board.layers.marks.replaceChildren(...this.movable(), ...this.targets(new Set(way)), ...this.rings(), ...this.line(way, "ahead", this.isGoal(way.at(-1)) ? 0.38 : 0),
      ...this.hints(), ...this.premove());
    this.focus();
  }

  /** An element at a spot. */
  at(key, ...content) {
    const { x, y } = this.board.places.get(key);
    return s("g", { transform: `translate(${x} ${y})` }, ...content);
  }

  /** Whether a spot is drawn on the board or its frame. */
  drawn(key) {
    const spot = this.board.spots.get(key);
    return Boolean(spot) && !spot.group && Boolean(this.board.cells.get(key).content);
  }

  /** Whether a spot is drawn and no key: what can be picked there needs a mark. */
  bare(key) {
    return this.drawn(key) && this.board.spots.get(key).shape !== "arrow";
  }

  /** Whether a spot is on the board itself. */
  onBoard(key) {
    const spot = this.board.spots.get(key);
    return Boolean(spot) && Array.isArray(spot.key);
  }

  /** Dotted lines through spots. @param {string[]} keys @param {string} name the class @param {number} short how much of the last step is left out */
  line(keys, name, short = 0) {
    const points = keys.map((key) => this.board.places.get(key)).filter(Boolean).map(({ x, y }) => [x + 1, y + LOW]);
    if (points.length < 2) return [];
    const [[fromX, fromY], [x, y]] = points.slice(-2);
    points[points.length - 1] = [x + (fromX - x) * short, y + (fromY - y) * short];
    const d = `M${points.map(([px, py]) => `${px.toFixed(1)} ${py.toFixed(1)}`).join("L")}`;
    return [s("path", { class: `trail-bed ${name}`, d }), s("path", { class: `trail ${name}`, d })];
  }

  lastMove() {
    const { board } = this;
    const last = [...board.offered.last].filter((key) => this.onBoard(key));
    const to = last.at(-1);
    if (!to) return [];
    const way = this.past.at(-1) === to ? this.past : this.guessed(last);
    const trail = board.previewed.name ? [] : this.line(way, "past");
    const ring = { symbol: "ring", ...board.art.backdrop.ring, tone: "past" };
    const from = last.length > 1 && symbolOf(board.game, "last-from") ? [this.at(last[0], use(board.game, "last-from"))] : [];
    return [...from, ...trail, this.at(to, last.length === 1 && !board.art.mine ? placed(board.game, ring) : use(board.game, "last"))];
  }

  /** The way of a move that was not seen: from one spot to the other. @param {string[]} last */
  guessed(last) {
    const { board } = this;
    if (last.length !== 2 || board.art.mine) return [];
    return board.art.route?.(board.spots, last[0], last[1]) ?? last;
  }

  /** Dots on what may be picked next, and frames round what may be captured. @param {Set<string>} way where a walk is shown */
  targets(way) {
    const { board } = this;
    const dot = { symbol: "dot", ...(board.art.backdrop.dot ?? { y: 33 }) };
    return [...board.offered.options].filter(([key, how]) => how === "next" && this.bare(key)).map(([key]) => {
      const spot = board.spots.get(key);
      if (spot.pieces.some((piece) => piece.seat === board.seat)) return null;
      if (spot.pieces.length && !board.art.mine) return this.at(key, use(board.game, "take"));
      if (spot.pieces.length || way.has(key) || this.isGoal(key)) return null;
      return this.at(key, placed(board.game, dot));
    }).filter(Boolean);
  }

  /** Thin rings at the feet of the pieces that can be picked, until one is. */
  movable() {
    const { board } = this;
    const { options, path } = board.offered;
    if (path.length || board.art.mine) return [];
    const { x = 0, y = 0, size = 1 } = board.art.backdrop.ring ?? {};
    return [...options.keys()].filter((key) => board.pieces.own(key))
      .map((key) => this.at(key, s("ellipse", { class: "movable", cx: x, cy: y, rx: 37 * size, ry: 18 * size })));
  }

  rings() {
    const { board } = this;
    const { options, path } = board.offered;
    const ring = { symbol: "ring", ...board.art.backdrop.ring };
    const mine = board.art.mine && options.size ? board.pieces.standing.filter(({ seat }) => seat === board.seat).map(({ key }) => key) : [];
    const chosen = path.filter((key) => this.onBoard(key) && board.spots.get(key).pieces.length);
    const empty = path.filter((key) => this.bare(key) && !board.spots.get(key).pieces.length);
    return [
      ...[...new Set([...mine, ...chosen])].map((key) => this.at(key, placed(board.game, ring))),
      ...empty.map((key) => this.at(key, s("path", { class: "chosen-spot", d: outline(board.spots.get(key)) }))),
    ];
  }

  /** The way to the spot that is pointed at, else to the goal if it can be reached. @returns {string[]} */
  walk() {
    const { board, aimed } = this;
    if (!board.art.mine || !board.art.route) return [];
    const from = board.pieces.standing.find(({ seat }) => seat === board.seat)?.key;
    const open = (key) => board.offered.options.get(key) === "next" && this.onBoard(key);
    const goal = [...board.offered.options.keys()].find((key) => open(key) && this.isGoal(key));
    const to = open(aimed) ? aimed : goal;
    if (!from || !to || to === from) return [];
    return board.art.route(board.spots, from, to);
  }

  isGoal(key) {
    return (this.board.spots.get(key)?.art ?? []).some((art) => (art.tone ?? "").split(" ").includes("goal") && art.symbol === "goal");
  }

  hints() {
    const { board } = this;
    const { hint } = board.offered;
    const cells = hint.filter((key) => this.onBoard(key));
    return [...this.line(cells, "hint"), ...hint.filter((key) => this.drawn(key)).map((key) => this.at(key, placed(board.game, { symbol: "hint", tone: "hint", size: board.spots.get(key).pieces.length ? 1.5 : 1 })))];
  }

  premove() {
    const { board } = this;
    const path = board.armed?.path ?? [];
    const cells = path.filter((key) => this.onBoard(key));
    const marks = path.filter((key) => this.drawn(key)).map((key) => this.at(key, s("path", { class: "premove-spot", d: outline(board.spots.get(key)) })));
    return [...marks, ...this.line(cells, "premove")];
  }

  /** Show the focus of the keyboard above everything else. */
  focus() {
    const { board } = this;
    board.layers.top.querySelector(".focus")?.remove();
    const cell = board.cells.get(board.focused);
    if (!cell?.content || cell.spot?.group || document.activeElement !== cell.element || !cell.element.matches(":focus-visible")) return;
    const d = outline(cell.spot);
    const ring = this.at(board.focused, s("path", { class: "focus-bed", d }), s("path", { class: "focus-line", d }));
    ring.setAttribute("class", "focus");
    board.layers.top.append(ring);
  }

  /** Point at a spot: the way to it is shown. @param {string} key */
  aim(key) {
    if (this.aimed === key) return;
    this.aimed = key;
    if (this.board.art.mine) this.show();
  }
}
