// Speak with the referee: read one JSON message per line from stdin, write one answer per line to stdout.
// Print to stderr (log.Print) to debug: stdout belongs to the protocol.
package main

import (
	"encoding/json"
	"errors"
	"io"
	"log"
	"os"
)

// Message is what the referee says, as far as this bot listens to it.
type Message struct {
	Type     string   `json:"type"`
	Seat     int      `json:"seat"`
	Turn     int64    `json:"turn"`
	Position Position `json:"position"`
}

// Act is the answer to your_turn: a move, with the number of the turn.
type Act struct {
	Type string `json:"type"`
	Turn int64  `json:"turn"`
	Move Move   `json:"move"`
}

func main() {
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var raw json.RawMessage
		if err := in.Decode(&raw); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			log.Fatal(err)
		}
		var kind struct{ Type string }
		if err := json.Unmarshal(raw, &kind); err != nil {
			log.Fatal(err)
		}
		switch kind.Type {
		case "begin": // a match begins; the fields seat, names and options say more
			say(out, map[string]string{"type": "ready"})
		case "your_turn":
			var message Message
			if err := json.Unmarshal(raw, &message); err != nil {
				log.Fatal(err)
			}
			say(out, Act{"act", message.Turn, Choose(message.Position, LegalMoves(message.Position))})
		case "over", "expelled":
			return // nothing follows
		default: // ignore other messages: later versions may have more of them
		}
	}
}

func say(out *json.Encoder, answer any) {
	if err := out.Encode(answer); err != nil {
		log.Fatal(err)
	}
}
