// Your bot. It always goes for the tile with the most fish. Make it better!
import type { Move, Position } from './rules.ts';

// Return one of the legal moves.
export function choose(position: Position, moves: Move[]): Move {
  return moves.reduce((best, move) => (value(position, move) > value(position, best) ? move : best));
}

function value(position: Position, move: Move): number {
  const [row, col] = move.type === 'place' ? move.at : move.to;
  return position.board[row]![col]!;
}
