// Your bot. It walks as near to its goal as one move brings it. Make it better!
import type { Move, Position } from './rules.ts';

// Return one of the legal moves.
export function choose(position: Position, moves: Move[]): Move {
  return moves.reduce((best, move) => (distance(position, move) < distance(position, best) ? move : best));
}

function distance(position: Position, move: Move): number {
  const me = position.seekers[position.to_move]!;
  const [row, col] = move.type === 'pass' ? me.avatar! : move.to;
  return (row - me.goal![0]) ** 2 + (col - me.goal![1]) ** 2;
}
