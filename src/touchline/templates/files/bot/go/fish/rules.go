package main

// Fish: the legal moves of a position.

// Cell is a tile: row and column.
type Cell [2]int

// Position is what the referee shows.
type Position struct {
	// The fish on each tile, row by row; 0 is a hole.
	Board [][]int `json:"board"`
	// The tiles of each seat's penguins; nil for a seat that is out.
	Penguins [][]Cell `json:"penguins"`
	Scores   []int    `json:"scores"`
	// Empty, except under the commercial rules.
	Tiles []int `json:"tiles"`
	// "placing" or "sliding".
	Phase string `json:"phase"`
	// The seat whose turn it is.
	ToMove int `json:"to_move"`
}

// Move is a placement, with At, or a slide, with From and To, written as the referee wants it.
type Move struct {
	Type string `json:"type"`
	At   *Cell  `json:"at,omitempty"`
	From *Cell  `json:"from,omitempty"`
	To   *Cell  `json:"to,omitempty"`
}

// The steps to the N, NE, SE, S, SW and NW. Odd rows lie half a tile to the right, so they depend on the row.
var steps = [2][6]Cell{
	{{-2, 0}, {-1, 0}, {1, 0}, {2, 0}, {1, -1}, {-1, -1}}, // from an even row
	{{-2, 0}, {-1, 1}, {1, 1}, {2, 0}, {1, 0}, {-1, 0}},   // from an odd row
}

func (cell Cell) step(way int) Cell {
	step := steps[cell[0]&1][way]
	return Cell{cell[0] + step[0], cell[1] + step[1]}
}

// Fish returns the fish on a tile; 0 where there is none.
func (position Position) Fish(cell Cell) int {
	row, col := cell[0], cell[1]
	if row < 0 || row >= len(position.Board) || col < 0 || col >= len(position.Board[row]) {
		return 0
	}
	return position.Board[row][col]
}

// LegalMoves returns the legal moves of the seat to move.
func LegalMoves(position Position) []Move {
	occupied := map[Cell]bool{}
	for _, cells := range position.Penguins {
		for _, cell := range cells {
			occupied[cell] = true
		}
	}
	if position.Phase == "placing" {
		return placements(position, occupied)
	}
	return slides(position, occupied)
}

func placements(position Position, occupied map[Cell]bool) []Move {
	commercial := len(position.Tiles) > 0 // then a penguin starts on a tile with one fish
	var moves []Move
	for row, tiles := range position.Board {
		for col, fish := range tiles {
			at := Cell{row, col}
			if fish > 0 && !occupied[at] && (!commercial || fish == 1) {
				moves = append(moves, Move{Type: "place", At: &at})
			}
		}
	}
	return moves
}

func slides(position Position, occupied map[Cell]bool) []Move {
	var moves []Move
	for _, penguin := range position.Penguins[position.ToMove] {
		from := penguin
		for way := 0; way < 6; way++ {
			for next := from.step(way); position.Fish(next) > 0 && !occupied[next]; next = next.step(way) {
				to := next
				moves = append(moves, Move{Type: "slide", From: &from, To: &to})
			}
		}
	}
	return moves
}
