package main

import (
	"bufio"
	"encoding/json"
	"os"
	"reflect"
	"sort"
	"testing"
)

// turn is a line of turns.jsonl: a position, and its legal moves as the referee writes them.
type turn struct {
	Position Position `json:"position"`
	Legal    []string `json:"legal"`
}

func turns(t *testing.T) []turn {
	file, err := os.Open("turns.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<24)
	var found []turn
	for lines.Scan() {
		var one turn
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			t.Fatal(err)
		}
		sort.Strings(one.Legal)
		found = append(found, one)
	}
	return found
}

func written(t *testing.T, move Move) string {
	text, err := json.Marshal(move)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestTheLegalMovesAreThoseOfTheReferee(t *testing.T) {
	for number, turn := range turns(t) {
		var found []string
		for _, move := range LegalMoves(turn.Position) {
			found = append(found, written(t, move))
		}
		sort.Strings(found)
		if !reflect.DeepEqual(found, turn.Legal) {
			t.Errorf("turn %d: %v, but the referee has %v", number, found, turn.Legal)
		}
	}
}

func TestTheBotChoosesALegalMove(t *testing.T) {
	for number, turn := range turns(t) {
		move := written(t, Choose(turn.Position, LegalMoves(turn.Position)))
		if at := sort.SearchStrings(turn.Legal, move); at == len(turn.Legal) || turn.Legal[at] != move {
			t.Errorf("turn %d: %s is not legal", number, move)
		}
	}
}
