// Fish: the legal moves of a position.

export type Cell = [row: number, col: number];
export type Move = { type: 'place'; at: Cell } | { type: 'slide'; from: Cell; to: Cell };
export type Position = {
  board: number[][]; // the fish on each tile, row by row; 0 is a hole
  penguins: (Cell[] | null)[]; // the tiles of each seat's penguins; null for a seat that is out
  scores: number[];
  tiles: number[]; // empty, except under the commercial rules
  phase: 'placing' | 'sliding' | 'over';
  to_move: number; // the seat whose turn it is
};

// The steps to the N, NE, SE, S, SW and NW. Odd rows lie half a tile to the right, so they depend on the row.
const EVEN: Cell[] = [[-2, 0], [-1, 0], [1, 0], [2, 0], [1, -1], [-1, -1]];
const ODD: Cell[] = [[-2, 0], [-1, 1], [1, 1], [2, 0], [1, 0], [-1, 0]];

// Return the legal moves of the seat to move.
export function legalMoves(position: Position): Move[] {
  const free = position.board.map((row) => row.map((fish) => fish > 0));
  for (const [row, col] of position.penguins.flatMap((penguins) => penguins ?? [])) free[row]![col] = false;
  return position.phase === 'placing' ? placements(position, free) : slides(position, free);
}

function placements(position: Position, free: boolean[][]): Move[] {
  const commercial = position.tiles.length > 0; // then a penguin starts on a tile with one fish
  const moves: Move[] = [];
  position.board.forEach((tiles, row) => tiles.forEach((fish, col) => {
    if (free[row]![col] && (!commercial || fish === 1)) moves.push({ type: 'place', at: [row, col] });
  }));
  return moves;
}

function slides(position: Position, free: boolean[][]): Move[] {
  const moves: Move[] = [];
  for (const from of position.penguins[position.to_move] ?? []) {
    for (let way = 0; way < 6; way++) {
      for (let to = step(from, way); free[to[0]]?.[to[1]]; to = step(to, way)) {
        moves.push({ type: 'slide', from, to });
      }
    }
  }
  return moves;
}

function step([row, col]: Cell, way: number): Cell {
  const [down, right] = (row % 2 === 0 ? EVEN : ODD)[way]!;
  return [row + down, col + right];
}
