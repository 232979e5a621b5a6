// Your bot. It walks as near to its goal as one move brings it. Make it better!

// Return one of the legal moves.
export function choose(position, moves) {
  return moves.reduce((best, move) => (distance(position, move) < distance(position, best) ? move : best));
}

function distance(position, move) {
  const { avatar, goal } = position.seekers[position.to_move];
  const [row, col] = move.type === 'pass' ? avatar : move.to;
  return (row - goal[0]) ** 2 + (col - goal[1]) ** 2;
}
