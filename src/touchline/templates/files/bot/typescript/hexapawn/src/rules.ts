// Hexapawn: the legal moves of a position.

export type Cell = [row: number, col: number];
export type Move = { from: Cell; to: Cell };
export type Position = {
  board: string[]; // a string for each row from the top: "1" is a pawn of seat 0, "2" of seat 1, "." is empty
  to_move: number; // the seat whose turn it is; seat 0 walks down, seat 1 up
};

// Return the legal moves of the seat to move.
export function legalMoves(position: Position): Move[] {
  const { board, to_move: seat } = position;
  const own = '12'[seat];
  const enemy = '21'[seat];
  const forward = seat === 0 ? 1 : -1;
  const moves: Move[] = [];
  board.forEach((squares, row) => {
    const ahead = board[row + forward]; // undefined beyond the last row
    for (let col = 0; ahead !== undefined && col < ahead.length; col++) {
      if (squares[col] !== own) continue;
      if (ahead[col] === '.') moves.push({ from: [row, col], to: [row + forward, col] });
      for (const side of [col - 1, col + 1]) {
        if (ahead[side] === enemy) moves.push({ from: [row, col], to: [row + forward, side] });
      }
    }
  });
  return moves;
}
