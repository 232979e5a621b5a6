package main

// Choose returns one of the legal moves. It walks as near to its goal as one move brings it. Make it better!
func Choose(position Position, moves []Move) Move {
	best := moves[0]
	for _, move := range moves {
		if distance(position, move) < distance(position, best) {
			best = move
		}
	}
	return best
}

func distance(position Position, move Move) int {
	me := position.Seekers[position.ToMove]
	at := *me.Avatar
	if move.Type == "slide" {
		at = *move.To
	}
	down, right := at[0]-me.Goal[0], at[1]-me.Goal[1]
	return down*down + right*right
}
