// Your bot. It gets through if it can, captures if it can, and else steps forward. Make it better!
import type { Move, Position } from './rules.ts';

// Return one of the legal moves.
export function choose(position: Position, moves: Move[]): Move {
  return moves.reduce((best, move) => (value(position, move) > value(position, best) ? move : best));
}

function value(position: Position, move: Move): number {
  const lastRow = position.to_move === 0 ? position.board.length - 1 : 0;
  if (move.to[0] === lastRow) return 2; // wins
  return move.from[1] !== move.to[1] ? 1 : 0; // only a capture goes diagonally
}
