// Labyrinth: the legal moves of a position.
//
// A position has `connectors`, a string for each row, in which each character shows the ways of a tile; `spare`,
// the tile to push in; `seekers`, where each seat stands (`avatar`) and must go (`goal`; null if it is not yours);
// `last`, the push before this one, as [index, direction]; and `to_move`, the seat whose turn it is.

const [NORTH, EAST, SOUTH, WEST] = [1, 2, 4, 8];
const WAYS = {
  '│': NORTH | SOUTH, '─': EAST | WEST, '┐': SOUTH | WEST, '└': NORTH | EAST, '┌': EAST | SOUTH,
  '┘': NORTH | WEST, '┬': EAST | SOUTH | WEST, '├': NORTH | EAST | SOUTH, '┴': NORTH | EAST | WEST,
  '┤': NORTH | SOUTH | WEST, '┼': NORTH | EAST | SOUTH | WEST,
};
const SIDES = [[NORTH, -1, 0, SOUTH], [EAST, 0, 1, WEST], [SOUTH, 1, 0, NORTH], [WEST, 0, -1, EAST]];
const OPPOSITE = { LEFT: 'RIGHT', RIGHT: 'LEFT', UP: 'DOWN', DOWN: 'UP' };

// Return the legal moves of the seat to move, each as the referee wants it: {type: 'pass'}, or
// {type: 'slide', index, direction, degree, to: [row, col]}: turn the spare by `degree` counter-clockwise, push
// it into row (LEFT, RIGHT) or column (UP, DOWN) `index`, and walk to another tile.
export function legalMoves(position) {
  const board = position.connectors.map((row) => [...row].map((connector) => WAYS[connector]));
  const avatar = position.seekers[position.to_move].avatar;
  const moves = [];
  for (const [index, direction] of pushes(board)) {
    if (position.last && position.last[0] === index && position.last[1] === OPPOSITE[direction]) continue;
    for (const degree of [0, 90, 180, 270]) {
      const spare = turned(WAYS[position.spare.connector], degree);
      const [maze, start] = pushed(board, index, direction, spare, avatar);
      for (const to of reachable(maze, start)) moves.push({ type: 'slide', index, direction, degree, to });
    }
  }
  moves.push({ type: 'pass' });
  return moves;
}

// Rows and columns with an even index can be pushed.
function pushes(board) {
  const all = [];
  for (let row = 0; row < board.length; row += 2) all.push([row, 'LEFT'], [row, 'RIGHT']);
  for (let col = 0; col < board[0].length; col += 2) all.push([col, 'UP'], [col, 'DOWN']);
  return all;
}

function turned(ways, degree) {
  const quarters = degree / 90;
  return (ways >> quarters) | ((ways << (4 - quarters)) & 15);
}

// Return the board after a push, and where it leaves an avatar; who drops out comes back on the new tile.
function pushed(board, index, direction, spare, avatar) {
  const across = direction === 'LEFT' || direction === 'RIGHT';
  const length = across ? board[0].length : board.length;
  const cell = (at) => (across ? [index, at] : [at, index]);
  const shift = direction === 'RIGHT' || direction === 'DOWN' ? 1 : -1;
  const maze = board.map((row) => [...row]);
  let start = avatar;
  for (let at = 0; at < length; at++) {
    const from = at - shift;
    const [row, col] = cell(at);
    const [fromRow, fromCol] = cell((from + length) % length);
    maze[row][col] = from >= 0 && from < length ? board[fromRow][fromCol] : spare;
    if (avatar[0] === fromRow && avatar[1] === fromCol) start = [row, col];
  }
  return [maze, start];
}

// Return the tiles to which ways lead from a tile, without that tile.
function reachable(maze, start) {
  const seen = maze.map((row) => row.map(() => false));
  seen[start[0]][start[1]] = true;
  const found = [start];
  for (let next = 0; next < found.length; next++) {
    const [row, col] = found[next];
    for (const [side, down, right, back] of SIDES) {
      const [toRow, toCol] = [row + down, col + right];
      if (!(maze[row][col] & side) || !((maze[toRow]?.[toCol] ?? 0) & back) || seen[toRow][toCol]) continue;
      seen[toRow][toCol] = true;
      found.push([toRow, toCol]);
    }
  }
  return found.slice(1);
}
