/**
 * How Labyrinth is played on a screen: the spare is turned in the hand, pushed in at a key, and a seeker walks the corridors.
 *
 * A person may try turns and pushes in any order, and the board previews the result; only the choice of the tile to
 * walk to commits the move.
 */

const UNIT = 100;
const TURNS = ["0", "90", "180", "270"];
const WAYS = { N: [0, -1], E: [1, 0], S: [0, 1], W: [-1, 0] };
const BACK = { N: "S", E: "W", S: "N", W: "E" };
const isTurn = (key) => TURNS.includes(key);
const isPush = (key) => /^(LEFT|RIGHT|UP|DOWN) \d+$/.test(key);

/** The art of a tile with or without the stone that closes its way to the north. */
function capped(art, spot, above) {
  const meets = spot.strokes.includes("N") && !above?.strokes.includes("S");
  if (meets === art.some(({ symbol }) => symbol === "cap")) return art;
  if (!meets) return art.filter(({ symbol }) => symbol !== "cap");
  const tile = art.findIndex(({ symbol }) => symbol.startsWith("tile-"));
  const tone = art[tile]?.tone;
  return [...art.slice(0, tile + 1), { symbol: "cap", ...(tone ? { tone } : {}) }, ...art.slice(tile + 1)];
}

/** The board after the spare tile, turned by `turn`, is pushed in. @returns {import("../web/static/art.js").Stage | null} */
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
    after.set(key, { ...spot, strokes: source.strokes, label: source.label, pieces: source.pieces, art: source.art });
    from.set(key, offset);
  });
  for (const [key, spot] of after) {
    if (!Array.isArray(spot.key)) continue;
    const art = capped(spot.art, spot, after.get(`${spot.key[0] - 1},${spot.key[1]}`));
    if (art !== spot.art) after.set(key, { ...spot, art });
  }
  return { spots: after, from, out: [line[0].key.join(","), -offset[0], -offset[1]], entered: line.at(-1).key.join(",") };
}

/** @type {import("../web/static/art.js").Behaviour} */
export const behaviour = {
  gait: "walk",
  mine: true,
  picks: 3,
  words(spot, names) {
    if (spot.key === "pass") return ["pass, stay and push nothing"];
    if (spot.shape === "arrow") return [`push ${spot.key.toLowerCase()}`];
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
  aside: (key) => (key === "pass" ? "Pass" : ""),
  asks: (key) => (key === "pass" ? ["Pass? Your seeker stays, and nothing is pushed.", "Yes, pass"] : null),
  shortcut: {
    text: "Turn the spare",
    key: "r",
    help: "R turns the spare",
    next: (path, step = 1) => TURNS.at((TURNS.indexOf(path[0] ?? "0") + step) % TURNS.length),
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
  advice: "Turn the spare (R), push it in at a key, look, and walk to a lit tile.",
};
