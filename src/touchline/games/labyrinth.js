/**
 * Art of Labyrinth: stone corridors, gems, homes, goals and seekers, arrows to push at, the spare tile in four rotations.
 *
 * A person may try rotations and pushes in any order, and the board previews the result; only the choice of the tile to
 * walk to commits the move.
 */

import { UNIT, arrow, corners, seatClass, sign, soft, square, star } from "/static/art.js";
import { s } from "/static/dom.js";
import { hashed, placeName } from "/static/spots.js";

/** How much nearer to the board the arrows are than a whole tile, in tiles. */
const NEAR = 0.15;
const TURNS = ["0", "90", "180", "270"];
const WAYS = { N: [0, -1], E: [1, 0], S: [0, 1], W: [-1, 0] };
const BACK = { N: "S", E: "W", S: "N", W: "E" };
const isTurn = (key) => TURNS.includes(key);
const isPush = (key) => /^(LEFT|RIGHT|UP|DOWN) \d+$/.test(key);

function gem(name, x) {
  const hash = hashed(name);
  const shape = [corners(4, 10), corners(6, 9), corners(3, 10.5, -Math.PI / 2), corners(5, 9.5, -Math.PI / 2), corners(8, 9, 0.4)][hash % 5];
  const hue = ((hash >> 3) % 18) * 20;
  return s("g", { transform: `translate(${x} 33)` },
    s("path", { d: soft(shape, 2), fill: `hsl(${hue} 70% 52%)`, stroke: `hsl(${hue} 55% 28%)`, "stroke-width": 1.6 }),
    s("path", { class: "sparkle", d: "M-4-1L-1-5L3-4" }));
}

const HOUSE = soft([[0, -13], [13, -1], [9, -1], [9, 11], [-9, 11], [-9, -1], [-13, -1]], 2);
const home = (seat) => [
  s("path", { class: "mark", d: HOUSE }),
  s("g", { class: "inverse", transform: "translate(0 3)" }, sign(seat, 4.6)),
];

function marks(spot) {
  const places = { home: [-33, -33], goal: [33, -33] };
  return spot.marks.map((mark) => {
    const kind = mark.glyph === "*" ? "goal" : "home";
    const [x, y] = places[kind];
    places[kind] = [x, y + 18];
    const drawn = kind === "goal" ? [s("path", { class: "mark goal", d: star(18) })] : home(mark.seat);
    return s("g", { class: seatClass(mark.seat), transform: `translate(${x} ${y})` }, ...drawn);
  });
}

function tile(spot) {
  const ways = [...spot.strokes].map((way) => `M0 0L${WAYS[way][0] * 47.5} ${WAYS[way][1] * 47.5}`).join("");
  const gems = spot.label ? spot.label.split(" & ").slice(0, 2) : [];
  return [
    s("path", { class: `stone ${spot.fill}`, d: square(47.5, 7) }),
    s("path", { class: "kerb", d: ways }), s("circle", { class: "kerb-end", r: 17.5 }),
    s("path", { class: "floor", d: ways }), s("circle", { class: "floor-end", r: 14.5 }),
    ...gems.map((name, at) => gem(name, at ? 33 : -33)),
    ...marks(spot),
  ];
}

/** The board after the spare tile, rotated by `turn`, is pushed in. @returns {import("/static/art.js").Stage | null} */
function pushed(spots, turn, push) {
  const [direction, number] = push.split(" ");
  const index = Number(number);
  const lying = direction === "LEFT" || direction === "RIGHT";
  const line = [...spots.values()].filter((spot) => Array.isArray(spot.key) && spot.key[lying ? 0 : 1] === index);
  const step = direction === "LEFT" || direction === "UP" ? 1 : -1;
  if (step < 0) line.reverse(); // now the first tile drops out, and the spare enters behind the last
  const spare = spots.get(turn);
  if (!line.length || !spare) return null;
  const offset = /** @type {[number, number]} */ (lying ? [step * UNIT, 0] : [0, step * UNIT]);
  const [after, from] = [new Map(spots), new Map()];
  line.forEach((spot, at) => {
    const source = line[at + 1] ?? { ...spare, pieces: line[0].pieces };
    const key = spot.key.join(",");
    after.set(key, { ...spot, strokes: source.strokes, label: source.label, pieces: source.pieces });
    from.set(key, offset);
  });
  return { spots: after, from, out: [line[0].key.join(","), -offset[0], -offset[1]] };
}

/** @type {import("/static/art.js").OwnArt} */
export const art = {
  sample: { strokes: "NES", label: "ruby & opal", pieces: [{ seat: 2, glyph: "A" }] },
  place(spot, spots) {
    if (Array.isArray(spot.key)) return [spot.x * UNIT, spot.y * UNIT];
    let [cols, rows] = [0, 0];
    for (const { key } of spots.values()) {
      if (Array.isArray(key)) [cols, rows] = [Math.max(cols, key[1] + 1), Math.max(rows, key[0] + 1)];
    }
    const nearer = (at, end) => UNIT * (at < 0 ? at + NEAR : at === end ? at - NEAR : at);
    if (isPush(spot.key)) return [nearer(spot.x, cols), nearer(spot.y, rows)];
    return [((cols - 1) / 2 + (spot.x / 2 - 2) * 1.5) * UNIT, (spot.y - 0.1) * UNIT];
  },
  ground(spot) {
    if (spot.key === "pass") return arrow("pass");
    if (spot.shape === "arrow") return arrow(spot.label);
    return isTurn(String(spot.key)) ? [...tile(spot), s("text", { class: "caption", y: 66 }, `${spot.key}°`)] : tile(spot);
  },
  piece: (piece) =>
    s("g", { class: `seeker ${seatClass(piece.seat)}` },
      s("ellipse", { class: "shade", cy: 21, rx: 18, ry: 5 }), s("circle", { class: "body", r: 21 }), s("text", { class: "glyph", y: 1 }, piece.glyph)),
  words(spot, names) {
    if (spot.key === "pass") return ["pass, stay and push nothing"];
    if (spot.shape === "arrow") return [`push ${placeName(spot.key)}`];
    const ways = [...spot.strokes].map((way) => ({ N: "up", E: "right", S: "down", W: "left" })[way]).join(" ");
    return [
      isTurn(String(spot.key)) ? `spare turned by ${spot.key} degrees` : "",
      `ways ${ways || "none"}`,
      ...spot.pieces.map((piece) => `${names[piece.seat] ?? `seat ${piece.seat}`} stands here`),
      ...spot.marks.map((mark) => `${mark.glyph === "*" ? "goal" : "home"} of ${names[mark.seat] ?? `seat ${mark.seat}`}`),
      spot.label && `gems ${spot.label}`,
    ].filter(Boolean);
  },
  replace(path, key) {
    if (isTurn(key)) return path.length ? [key, ...path.slice(1)] : null;
    if (isPush(key)) return [path[0] ?? "0", key];
    return null;
  },
  preview: (spots, path) => (path.length >= 2 && isPush(path[1]) ? pushed(spots, path[0], path[1]) : null),
  fleeting: isTurn,
  shortcut: {
    text: "Turn the spare",
    key: "r",
    help: "R turns the spare",
    next: (path) => TURNS[(TURNS.indexOf(path[0] ?? "0") + 1) % TURNS.length],
    told: (key) => `spare turned by ${key} degrees`,
  },
  /** The shortest way along the corridors, found breadth first. */
  route(spots, from, to) {
    const came = new Map([[from, ""]]);
    for (const key of came.keys()) {
      if (key === to) break;
      const spot = spots.get(key);
      for (const way of spot?.strokes ?? "") {
        const [row, col] = spot.key;
        const next = `${row + WAYS[way][1]},${col + WAYS[way][0]}`;
        if (!came.has(next) && spots.get(next)?.strokes.includes(BACK[way])) came.set(next, key);
      }
    }
    if (!came.has(to)) return [from, to];
    const walked = [];
    for (let key = to; key; key = came.get(key)) walked.unshift(key);
    return walked;
  },
  advice: "Turn the spare (R), push it in at an arrow, look, and walk to a lit tile.",
};

/** The colours and strokes of the drawing, as CSS. */
export const style = `
.stone { stroke: light-dark(#6f7a76, #11161a); stroke-width: 1.5; }
.stone.light { fill: light-dark(#a3afa8, #37444a); }
.stone.dark { fill: light-dark(#8e9c95, #2b363b); }
.kerb { stroke: light-dark(#6f7b75, #1d2528); stroke-width: 35; fill: none; }
.kerb-end { fill: light-dark(#6f7b75, #1d2528); }
.floor { stroke: light-dark(#f4ecd8, #a2967c); stroke-width: 29; fill: none; }
.floor-end { fill: light-dark(#f4ecd8, #a2967c); }
.sparkle { fill: none; stroke: #fff; stroke-width: 1.6; stroke-linecap: round; stroke-linejoin: round; opacity: 0.85; }
[data-board="labyrinth"] .spot[data-last] .ring { fill: color-mix(in srgb, var(--last) 22%, transparent); stroke: var(--last); stroke-width: 4; }
[data-board="labyrinth"] .goal { stroke-width: 2.2; }
.seeker .body { stroke-width: 3; }
`;
