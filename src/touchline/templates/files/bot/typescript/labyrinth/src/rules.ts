// Labyrinth: the legal moves of a position.

export type Cell = [row: number, col: number];
export type Direction = 'LEFT' | 'RIGHT' | 'UP' | 'DOWN';
// Turn the spare by `degree` counter-clockwise, push it into row (LEFT, RIGHT) or column (UP, DOWN) `index`, and
// walk to another tile; or pass.
export type Move =
  | { type: 'slide'; index: number; direction: Direction; degree: number; to: Cell }
  | { type: 'pass' };
export type Position = {
  connectors: string[]; // a string for each row, in which each character shows the ways of a tile
  spare: { connector: string }; // the tile to push in
  seekers: { avatar: Cell | null; home: Cell; goal: Cell | null }[]; // you see no goal but your own
  last: [index: number, direction: Direction] | null; // the push before this one
  to_move: number; // the seat whose turn it is
};

type Maze = number[][]; // the open sides of each tile

const [NORTH, EAST, SOUTH, WEST] = [1, 2, 4, 8] as const;
const WAYS: Record<string, number> = {
  '│': NORTH | SOUTH, '─': EAST | WEST, '┐': SOUTH | WEST, '└': NORTH | EAST, '┌': EAST | SOUTH,
  '┘': NORTH | WEST, '┬': EAST | SOUTH | WEST, '├': NORTH | EAST | SOUTH, '┴': NORTH | EAST | WEST,
  '┤': NORTH | SOUTH | WEST, '┼': NORTH | EAST | SOUTH | WEST,
};
const SIDES = [[NORTH, -1, 0, SOUTH], [EAST, 0, 1, WEST], [SOUTH, 1, 0, NORTH], [WEST, 0, -1, EAST]] as const;
const OPPOSITE = { LEFT: 'RIGHT', RIGHT: 'LEFT', UP: 'DOWN', DOWN: 'UP' } as const;

// Return the legal moves of the seat to move.
export function legalMoves(position: Position): Move[] {
  const board: Maze = position.connectors.map((row) => [...row].map((connector) => WAYS[connector]!));
  const avatar = position.seekers[position.to_move]!.avatar!;
  const moves: Move[] = [];
  for (const [index, direction] of pushes(board)) {
    if (position.last && position.last[0] === index && position.last[1] === OPPOSITE[direction]) continue;
    for (const degree of [0, 90, 180, 270]) {
      const spare = turned(WAYS[position.spare.connector]!, degree);
      const [maze, start] = pushed(board, index, direction, spare, avatar);
      for (const to of reachable(maze, start)) moves.push({ type: 'slide', index, direction, degree, to });
    }
  }
  moves.push({ type: 'pass' });
  return moves;
}

// Rows and columns with an even index can be pushed.
function pushes(board: Maze): [number, Direction][] {
  const all: [number, Direction][] = [];
  for (let row = 0; row < board.length; row += 2) all.push([row, 'LEFT'], [row, 'RIGHT']);
  for (let col = 0; col < board[0]!.length; col += 2) all.push([col, 'UP'], [col, 'DOWN']);
  return all;
}

function turned(ways: number, degree: number): number {
  const quarters = degree / 90;
  return (ways >> quarters) | ((ways << (4 - quarters)) & 15);
}

// Return the board after a push, and where it leaves an avatar; who drops out comes back on the new tile.
function pushed(board: Maze, index: number, direction: Direction, spare: number, avatar: Cell): [Maze, Cell] {
  const across = direction === 'LEFT' || direction === 'RIGHT';
  const length = across ? board[0]!.length : board.length;
  const cell = (at: number): Cell => (across ? [index, at] : [at, index]);
  const shift = direction === 'RIGHT' || direction === 'DOWN' ? 1 : -1;
  const maze = board.map((row) => [...row]);
  let start = avatar;
  for (let at = 0; at < length; at++) {
    const from = at - shift;
    const [row, col] = cell(at);
    const [fromRow, fromCol] = cell((from + length) % length);
    maze[row]![col] = from >= 0 && from < length ? board[fromRow]![fromCol]! : spare;
    if (avatar[0] === fromRow && avatar[1] === fromCol) start = [row, col];
  }
  return [maze, start];
}

// Return the tiles to which ways lead from a tile, without that tile.
function reachable(maze: Maze, start: Cell): Cell[] {
  const seen = maze.map((row) => row.map(() => false));
  seen[start[0]]![start[1]] = true;
  const found: Cell[] = [start];
  for (const [row, col] of found) {
    for (const [side, down, right, back] of SIDES) {
      const [toRow, toCol] = [row + down, col + right];
      const open = maze[row]![col]! & side && (maze[toRow]?.[toCol] ?? 0) & back;
      if (!open || seen[toRow]![toCol]) continue;
      seen[toRow]![toCol] = true;
      found.push([toRow, toCol]);
    }
  }
  return found.slice(1);
}
