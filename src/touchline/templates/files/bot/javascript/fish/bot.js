// Your bot. It always goes for the tile with the most fish. Make it better!

// Return one of the legal moves.
export function choose(position, moves) {
  return moves.reduce((best, move) => (value(position, move) > value(position, best) ? move : best));
}

function value(position, move) {
  const [row, col] = move.type === 'place' ? move.at : move.to;
  return position.board[row][col];
}
