// Hexapawn: the legal moves of a position.
//
// A position has `board`, a string for each row from the top, with "1" for a pawn of seat 0, "2" for a pawn of
// seat 1 and "." for an empty square; and `to_move`, the seat whose turn it is. Seat 0 walks down, seat 1 up.

// Return the legal moves of the seat to move, each as the referee wants it: {from: [row, col], to: [row, col]}.
export function legalMoves(position) {
  const { board, to_move: seat } = position;
  const own = '12'[seat];
  const enemy = '21'[seat];
  const forward = seat === 0 ? 1 : -1;
  const moves = [];
  for (let row = 0; row < board.length; row++) {
    const ahead = board[row + forward]; // undefined beyond the last row
    for (let col = 0; ahead && col < ahead.length; col++) {
      if (board[row][col] !== own) continue;
      if (ahead[col] === '.') moves.push({ from: [row, col], to: [row + forward, col] });
      for (const side of [col - 1, col + 1]) {
        if (ahead[side] === enemy) moves.push({ from: [row, col], to: [row + forward, side] });
      }
    }
  }
  return moves;
}
