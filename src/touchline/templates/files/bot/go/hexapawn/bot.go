package main

// Choose returns one of the legal moves. It gets through if it can, captures if it can, and else steps forward.
// Make it better!
func Choose(position Position, moves []Move) Move {
	best := moves[0]
	for _, move := range moves {
		if value(position, move) > value(position, best) {
			best = move
		}
	}
	return best
}

func value(position Position, move Move) int {
	lastRow := 0
	if position.ToMove == 0 {
		lastRow = len(position.Board) - 1
	}
	switch {
	case move.To[0] == lastRow:
		return 2 // wins
	case move.From[1] != move.To[1]:
		return 1 // only a capture goes diagonally
	}
	return 0
}
