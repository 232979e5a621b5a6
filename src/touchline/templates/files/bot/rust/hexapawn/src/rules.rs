//! Hexapawn: the legal moves of a position.

use std::fmt;

use crate::json::Json;

pub struct Position {
    /// Rows from the top: b'1' is a pawn of seat 0, b'2' of seat 1, b'.' is an empty square.
    pub board: Vec<Vec<u8>>,
    /// The seat whose turn it is; seat 0 walks down, seat 1 up.
    pub to_move: usize,
}

impl Position {
    pub fn read(json: &Json) -> Position {
        let board = json["board"]
            .items()
            .iter()
            .map(|row| row.text().as_bytes().to_vec())
            .collect();
        Position {
            board,
            to_move: json["to_move"].number() as usize,
        }
    }
}

#[derive(Clone, Copy)]
pub struct Move {
    pub from: (usize, usize),
    pub to: (usize, usize),
}

/// Write a move as the referee wants it.
impl fmt::Display for Move {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let ((row, col), (to_row, to_col)) = (self.from, self.to);
        write!(out, r#"{{"from":[{row},{col}],"to":[{to_row},{to_col}]}}"#)
    }
}

/// Return the legal moves of the seat to move.
pub fn legal_moves(position: &Position) -> Vec<Move> {
    let (own, enemy) = if position.to_move == 0 {
        (b'1', b'2')
    } else {
        (b'2', b'1')
    };
    let mut moves = vec![];
    for (row, squares) in position.board.iter().enumerate() {
        let next = if position.to_move == 0 {
            row + 1
        } else {
            row.wrapping_sub(1)
        };
        let Some(ahead) = position.board.get(next) else {
            continue;
        };
        for col in (0..squares.len()).filter(|&col| squares[col] == own) {
            for (to, &square) in ahead.iter().enumerate() {
                let step = to == col && square == b'.';
                let capture = to.abs_diff(col) == 1 && square == enemy;
                if step || capture {
                    moves.push(Move {
                        from: (row, col),
                        to: (next, to),
                    });
                }
            }
        }
    }
    moves
}
