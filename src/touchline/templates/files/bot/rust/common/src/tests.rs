//! `cargo test` compares the legal moves with those of the referee, in the positions of turns.jsonl.

use crate::bot::choose;
use crate::json::Json;
use crate::rules::{legal_moves, Position};

/// Each position, and its legal moves as they are written in the file.
fn turns() -> Vec<(Position, Vec<String>)> {
    let read = |line: &str| {
        let turn = Json::parse(line).expect("JSON");
        let mut legal: Vec<String> = turn["legal"]
            .items()
            .iter()
            .map(|move_| move_.text().into())
            .collect();
        legal.sort();
        (Position::read(&turn["position"]), legal)
    };
    include_str!("../turns.jsonl").lines().map(read).collect()
}

#[test]
fn the_legal_moves_are_those_of_the_referee() {
    for (position, legal) in turns() {
        let mut found: Vec<String> = legal_moves(&position)
            .iter()
            .map(ToString::to_string)
            .collect();
        found.sort();
        assert_eq!(found, legal);
    }
}

#[test]
fn the_bot_chooses_a_legal_move() {
    for (position, legal) in turns() {
        let chosen = choose(&position, &legal_moves(&position)).to_string();
        assert!(legal.contains(&chosen), "{chosen}");
    }
}

#[test]
fn odd_json_is_read() {
    let json =
        Json::parse(r#" {"a\n\u0062": [1, -2e1, true, null, {}], "ж": "\ud83d\ude00" } "#).unwrap();
    assert_eq!(json["a\nb"][1].number(), -20);
    assert_eq!(json["ж"].text(), "😀");
    for bad in [
        "",
        "[",
        "[1",
        "{\"a\" 1}",
        "\"a",
        "nul",
        "1 2",
        "\"\\u12",
        &"[".repeat(1000),
    ] {
        assert!(Json::parse(bad).is_err(), "{bad}");
    }
}
