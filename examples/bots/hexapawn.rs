//! Hexapawn in Rust, without crates: a bot that captures if it can, and else steps forward.
//!
//! The referee writes one JSON value a line to our stdin, and reads our answers from our stdout.

use std::io::stdin;

/// Rust has no JSON of its own, so here is as much as we need: the values of a list, or the keys and values
/// of an object in turn, as text. It cuts at each comma and colon that is not inside something else.
fn parts(json: &str) -> Vec<&str> {
    let mut parts = vec![];
    let (mut depth, mut start, mut quoted, mut escaped) = (0, 1, false, false);
    for (at, c) in json.char_indices() {
        if quoted {
            quoted = c != '"' || escaped;
            escaped = c == '\\' && !escaped;
            continue;
        }
        quoted = c == '"';
        depth += match c { '[' | '{' => 1, ']' | '}' => -1, _ => 0 };
        let last = depth == 0 && (c == ']' || c == '}');
        if last || depth == 1 && (c == ',' || c == ':') {
            parts.push(json[start..at].trim());
            start = at + 1;
        }
    }
    parts
}

/// The value of an object's key; empty if it has no such key.
fn field<'a>(object: &'a str, key: &str) -> &'a str {
    let parts = parts(object);
    let pair = parts.chunks_exact(2).find(|pair| pair[0].trim_matches('"') == key);
    pair.map_or("", |pair| pair[1])
}

/// Seat 0 owns the pawns `1` and walks down the board, seat 1 owns the pawns `2` and walks up.
fn choose(board: &[&str], seat: usize) -> Option<String> {
    let (own, enemy) = if seat == 0 { (b'1', b'2') } else { (b'2', b'1') };
    let mut step = None;
    for (row, here) in board.iter().enumerate() {
        let next = if seat == 0 { row + 1 } else { row.wrapping_sub(1) };
        let Some(ahead) = board.get(next) else { continue };
        let (here, ahead) = (here.as_bytes(), ahead.as_bytes()); // still in quotes: column 0 is at 1
        for at in (1..here.len() - 1).filter(|&at| here[at] == own) {
            for to in at - 1..=at + 1 {
                let captures = to != at && ahead[to] == enemy;
                if captures || to == at && ahead[to] == b'.' {
                    step = Some(format!(r#"{{"from":[{row},{}],"to":[{next},{}]}}"#, at - 1, to - 1));
                }
                if captures {
                    return step;
                }
            }
        }
    }
    step // there is one, or we would not have been asked
}

fn main() {
    let mut seat = 0;
    for line in stdin().lines().map_while(Result::ok) {
        match field(&line, "type") {
            "\"begin\"" => {
                seat = field(&line, "seat").parse().expect("a seat is a number");
                println!(r#"{{"type":"ready"}}"#);
            }
            "\"your_turn\"" => {
                let board = parts(field(field(&line, "position"), "board"));
                let step = choose(&board, seat).expect("a move");
                println!(r#"{{"type":"act","turn":{},"move":{step}}}"#, field(&line, "turn"));
            }
            "\"over\"" | "\"expelled\"" => return, // nothing follows
            _ => (), // a word that we do not know: there may be more of them some day
        }
    }
}
