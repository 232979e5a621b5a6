package main

// Hexapawn: the legal moves of a position.

// Cell is a square: row and column.
type Cell [2]int

// Position is what the referee shows.
type Position struct {
	// Rows from the top: '1' is a pawn of seat 0, '2' of seat 1, '.' is an empty square.
	Board []string `json:"board"`
	// The seat whose turn it is; seat 0 walks down, seat 1 up.
	ToMove int `json:"to_move"`
}

// Move is a step of a pawn, written as the referee wants it.
type Move struct {
	From Cell `json:"from"`
	To   Cell `json:"to"`
}

// LegalMoves returns the legal moves of the seat to move.
func LegalMoves(position Position) []Move {
	own, enemy, forward := byte('1'), byte('2'), 1
	if position.ToMove == 1 {
		own, enemy, forward = '2', '1', -1
	}
	var moves []Move
	for row, squares := range position.Board {
		next := row + forward
		if next < 0 || next >= len(position.Board) {
			continue
		}
		ahead := position.Board[next]
		for col := range squares {
			for to := col - 1; to <= col+1; to++ {
				if squares[col] != own || to < 0 || to >= len(ahead) {
					continue
				}
				if (to == col && ahead[to] == '.') || (to != col && ahead[to] == enemy) {
					moves = append(moves, Move{Cell{row, col}, Cell{next, to}})
				}
			}
		}
	}
	return moves
}
