//! Fish: the legal moves of a position.

use std::fmt;

use crate::json::Json;

/// A tile: row and column.
pub type Cell = (i64, i64);

pub struct Position {
    /// The fish on each tile, row by row; 0 is a hole.
    pub board: Vec<Vec<i64>>,
    /// The tiles of each seat's penguins; none for a seat that is out.
    pub penguins: Vec<Vec<Cell>>,
    /// Whether penguins are still being placed.
    pub placing: bool,
    /// Whether the commercial rules hold: then a penguin starts on a tile with one fish.
    pub commercial: bool,
    /// The seat whose turn it is.
    pub to_move: usize,
}

impl Position {
    pub fn read(json: &Json) -> Position {
        let lists = |key: &str| json[key].items().iter().map(Json::items);
        Position {
            board: lists("board")
                .map(|row| row.iter().map(Json::number).collect())
                .collect(),
            penguins: lists("penguins")
                .map(|cells| cells.iter().map(Json::cell).collect())
                .collect(),
            placing: json["phase"].text() == "placing",
            commercial: !json["tiles"].items().is_empty(),
            to_move: json["to_move"].number() as usize,
        }
    }

    /// The fish on a tile; 0 where there is none.
    pub fn fish(&self, (row, col): Cell) -> i64 {
        let tiles = usize::try_from(row)
            .ok()
            .and_then(|row| self.board.get(row));
        let tile = tiles.and_then(|tiles| tiles.get(usize::try_from(col).ok()?));
        tile.copied().unwrap_or(0)
    }

    fn is_free(&self, cell: Cell) -> bool {
        self.fish(cell) > 0 && !self.penguins.iter().any(|cells| cells.contains(&cell))
    }
}

#[derive(Clone, Copy)]
pub enum Move {
    Place { at: Cell },
    Slide { from: Cell, to: Cell },
}

/// Write a move as the referee wants it.
impl fmt::Display for Move {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Move::Place { at: (row, col) } => {
                write!(out, r#"{{"type":"place","at":[{row},{col}]}}"#)
            }
            Move::Slide {
                from: (row, col),
                to: (to_row, to_col),
            } => {
                write!(
                    out,
                    r#"{{"type":"slide","from":[{row},{col}],"to":[{to_row},{to_col}]}}"#
                )
            }
        }
    }
}

/// The steps to the N, NE, SE, S, SW and NW. Odd rows lie half a tile to the right, so they depend on the row.
const STEPS: [[Cell; 6]; 2] = [
    [(-2, 0), (-1, 0), (1, 0), (2, 0), (1, -1), (-1, -1)], // from an even row
    [(-2, 0), (-1, 1), (1, 1), (2, 0), (1, 0), (-1, 0)],   // from an odd row
];

fn step((row, col): Cell, way: usize) -> Cell {
    let (down, right) = STEPS[row.rem_euclid(2) as usize][way];
    (row + down, col + right)
}

/// Return the legal moves of the seat to move.
pub fn legal_moves(position: &Position) -> Vec<Move> {
    if position.placing {
        placements(position)
    } else {
        slides(position)
    }
}

fn placements(position: &Position) -> Vec<Move> {
    let mut moves = vec![];
    for (row, tiles) in position.board.iter().enumerate() {
        for (col, &fish) in tiles.iter().enumerate() {
            let at = (row as i64, col as i64);
            if position.is_free(at) && (!position.commercial || fish == 1) {
                moves.push(Move::Place { at });
            }
        }
    }
    moves
}

fn slides(position: &Position) -> Vec<Move> {
    let mut moves = vec![];
    for &from in &position.penguins[position.to_move] {
        for way in 0..6 {
            let mut to = step(from, way);
            while position.is_free(to) {
                moves.push(Move::Slide { from, to });
                to = step(to, way);
            }
        }
    }
    moves
}
