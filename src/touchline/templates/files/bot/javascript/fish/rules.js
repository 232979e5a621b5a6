// Fish: the legal moves of a position.
//
// A position has `board`, the fish on each tile, row by row, with 0 for a hole; `penguins`, the tiles of each
// seat's penguins, null for a seat that is out; `phase`, "placing" or "sliding"; `tiles`, which is empty except
// under the commercial rules; and `to_move`, the seat whose turn it is.

// The steps to the N, NE, SE, S, SW and NW. Odd rows lie half a tile to the right, so they depend on the row.
const STEPS = [
  [[-2, 0], [-1, 0], [1, 0], [2, 0], [1, -1], [-1, -1]], // from an even row
  [[-2, 0], [-1, 1], [1, 1], [2, 0], [1, 0], [-1, 0]], // from an odd row
];

// Return the legal moves of the seat to move, each as the referee wants it:
// {type: 'place', at: [row, col]} or {type: 'slide', from: [row, col], to: [row, col]}.
export function legalMoves(position) {
  const free = position.board.map((row) => row.map((fish) => fish > 0));
  for (const penguins of position.penguins) {
    for (const [row, col] of penguins ?? []) free[row][col] = false;
  }
  return position.phase === 'placing' ? placements(position, free) : slides(position, free);
}

function placements(position, free) {
  const commercial = position.tiles.length > 0; // then a penguin starts on a tile with one fish
  const moves = [];
  position.board.forEach((tiles, row) => tiles.forEach((fish, col) => {
    if (free[row][col] && (!commercial || fish === 1)) moves.push({ type: 'place', at: [row, col] });
  }));
  return moves;
}

function slides(position, free) {
  const moves = [];
  for (const from of position.penguins[position.to_move]) {
    for (let way = 0; way < 6; way++) {
      let [row, col] = step(from, way);
      while (free[row]?.[col]) {
        moves.push({ type: 'slide', from, to: [row, col] });
        [row, col] = step([row, col], way);
      }
    }
  }
  return moves;
}

function step([row, col], way) {
  const [down, right] = STEPS[row % 2 === 0 ? 0 : 1][way];
  return [row + down, col + right];
}
