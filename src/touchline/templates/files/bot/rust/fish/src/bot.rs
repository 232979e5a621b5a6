//! Your bot. It always goes for the tile with the most fish. Make it better!

use crate::rules::{Move, Position};

/// Return one of the legal moves.
pub fn choose(position: &Position, moves: &[Move]) -> Move {
    *moves
        .iter()
        .max_by_key(|move_| value(position, move_))
        .expect("a seat without a move is not asked")
}

fn value(position: &Position, move_: &Move) -> i64 {
    match move_ {
        Move::Place { at } => position.fish(*at),
        Move::Slide { to, .. } => position.fish(*to),
    }
}
