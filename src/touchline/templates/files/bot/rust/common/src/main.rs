//! Speak with the referee: read one JSON message per line from stdin, write one answer per line to stdout.
//! Print to stderr (`eprintln!`) to debug: stdout belongs to the protocol.

mod bot;
mod json;
mod rules;
#[cfg(test)]
mod tests;

use std::io::stdin;

use json::Json;
use rules::{legal_moves, Position};

fn main() {
    for line in stdin().lines().map_while(Result::ok) {
        let message = Json::parse(&line).expect("the referee writes JSON");
        match message["type"].text() {
            // A match begins: message["seat"] is your seat, message["names"] are the players.
            "begin" => println!(r#"{{"type":"ready"}}"#),
            "your_turn" => {
                let position = Position::read(&message["position"]);
                let chosen = bot::choose(&position, &legal_moves(&position));
                // The answer repeats the number of the turn.
                println!(
                    r#"{{"type":"act","turn":{},"move":{chosen}}}"#,
                    message["turn"].number()
                );
            }
            "over" | "expelled" => return, // nothing follows
            _ => (), // ignore other messages: later versions may have more of them
        }
    }
}
