package main

// Choose returns one of the legal moves. It always goes for the tile with the most fish. Make it better!
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
	if move.Type == "place" {
		return position.Fish(*move.At)
	}
	return position.Fish(*move.To)
}
