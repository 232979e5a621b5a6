//! Labyrinth: the legal moves of a position.

use std::fmt;

use crate::json::Json;

/// A tile: row and column.
pub type Cell = (usize, usize);

const NORTH: u8 = 1;
const EAST: u8 = 2;
const SOUTH: u8 = 4;
const WEST: u8 = 8;
const CONNECTORS: [(char, u8); 11] = [
    ('│', NORTH | SOUTH),
    ('─', EAST | WEST),
    ('┐', SOUTH | WEST),
    ('└', NORTH | EAST),
    ('┌', EAST | SOUTH),
    ('┘', NORTH | WEST),
    ('┬', EAST | SOUTH | WEST),
    ('├', NORTH | EAST | SOUTH),
    ('┴', NORTH | EAST | WEST),
    ('┤', NORTH | SOUTH | WEST),
    ('┼', NORTH | EAST | SOUTH | WEST),
];

pub struct Position {
    /// The open sides of each tile, row by row.
    pub board: Vec<Vec<u8>>,
    /// The open sides of the tile to push in.
    pub spare: u8,
    /// Where you stand, and where you must go: to a treasure, or home.
    pub avatar: Cell,
    pub goal: Cell,
    /// The push before this one, if there was one.
    pub last: Option<(usize, String)>,
}

fn ways(connector: char) -> u8 {
    CONNECTORS
        .iter()
        .find(|(drawn, _)| *drawn == connector)
        .map_or(0, |(_, ways)| *ways)
}

fn cell(json: &Json) -> Cell {
    (json[0].number() as usize, json[1].number() as usize)
}

impl Position {
    pub fn read(json: &Json) -> Position {
        let me = &json["seekers"][json["to_move"].number() as usize];
        let last = &json["last"];
        Position {
            board: json["connectors"]
                .items()
                .iter()
                .map(|row| row.text().chars().map(ways).collect())
                .collect(),
            spare: json["spare"]["connector"]
                .text()
                .chars()
                .next()
                .map_or(0, ways),
            avatar: cell(&me["avatar"]),
            goal: cell(&me["goal"]),
            last: (!last.is_null()).then(|| (last[0].number() as usize, last[1].text().into())),
        }
    }
}

/// Turn the spare by `degree` counter-clockwise, push it into row (LEFT, RIGHT) or column (UP, DOWN) `index`,
/// and walk to another tile; or pass.
#[derive(Clone, Copy)]
pub enum Move {
    Slide {
        index: usize,
        direction: &'static str,
        degree: usize,
        to: Cell,
    },
    Pass,
}

/// Write a move as the referee wants it.
impl fmt::Display for Move {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Move::Pass => write!(out, r#"{{"type":"pass"}}"#),
            Move::Slide {
                index,
                direction,
                degree,
                to: (row, col),
            } => write!(
                out,
                r#"{{"type":"slide","index":{index},"direction":"{direction}","degree":{degree},"to":[{row},{col}]}}"#
            ),
        }
    }
}

/// Return the legal moves of the seat to move.
pub fn legal_moves(position: &Position) -> Vec<Move> {
    let mut moves = vec![];
    for (index, direction, opposite) in pushes(&position.board) {
        if position
            .last
            .as_ref()
            .is_some_and(|(line, way)| *line == index && way == opposite)
        {
            continue; // it would undo the last push
        }
        for degree in [0, 90, 180, 270] {
            let (maze, start) = pushed(position, index, direction, turned(position.spare, degree));
            moves.extend(reachable(&maze, start).into_iter().map(|to| Move::Slide {
                index,
                direction,
                degree,
                to,
            }));
        }
    }
    moves.push(Move::Pass);
    moves
}

/// Rows and columns with an even index can be pushed. Each push comes with the direction that undoes it.
fn pushes(board: &[Vec<u8>]) -> Vec<(usize, &'static str, &'static str)> {
    let rows = (0..board.len())
        .step_by(2)
        .flat_map(|row| [(row, "LEFT", "RIGHT"), (row, "RIGHT", "LEFT")]);
    let cols = (0..board[0].len())
        .step_by(2)
        .flat_map(|col| [(col, "UP", "DOWN"), (col, "DOWN", "UP")]);
    rows.chain(cols).collect()
}

fn turned(ways: u8, degree: usize) -> u8 {
    let quarters = degree / 90;
    ways >> quarters | ways << (4 - quarters) & 15
}

/// Return the board after a push, and where it leaves the avatar; who drops out comes back on the new tile.
fn pushed(position: &Position, index: usize, direction: &str, spare: u8) -> (Vec<Vec<u8>>, Cell) {
    let across = direction == "LEFT" || direction == "RIGHT";
    let length = if across {
        position.board[0].len()
    } else {
        position.board.len()
    };
    let cell = |at: usize| if across { (index, at) } else { (at, index) };
    let forward = direction == "RIGHT" || direction == "DOWN";
    let entry = if forward { 0 } else { length - 1 };
    let (mut maze, mut start) = (position.board.clone(), position.avatar);
    for at in 0..length {
        let from = cell((if forward { at + length - 1 } else { at + 1 }) % length);
        let (row, col) = cell(at);
        maze[row][col] = if at == entry {
            spare
        } else {
            position.board[from.0][from.1]
        };
        if position.avatar == from {
            start = (row, col);
        }
    }
    (maze, start)
}

/// Return the tiles to which ways lead from a tile, without that tile.
fn reachable(maze: &[Vec<u8>], start: Cell) -> Vec<Cell> {
    const SIDES: [(u8, usize, usize, u8); 4] = [
        (NORTH, usize::MAX, 0, SOUTH), // usize::MAX is a step back: additions wrap around
        (EAST, 0, 1, WEST),
        (SOUTH, 1, 0, NORTH),
        (WEST, 0, usize::MAX, EAST),
    ];
    let mut seen = vec![vec![false; maze[0].len()]; maze.len()];
    seen[start.0][start.1] = true;
    let mut found = vec![start];
    let mut next = 0;
    while next < found.len() {
        let (row, col) = found[next];
        next += 1;
        for (side, down, right, back) in SIDES {
            let (to_row, to_col) = (row.wrapping_add(down), col.wrapping_add(right));
            let beyond = maze
                .get(to_row)
                .and_then(|row| row.get(to_col))
                .copied()
                .unwrap_or(0);
            if maze[row][col] & side != 0 && beyond & back != 0 && !seen[to_row][to_col] {
                seen[to_row][to_col] = true;
                found.push((to_row, to_col));
            }
        }
    }
    found.split_off(1)
}
