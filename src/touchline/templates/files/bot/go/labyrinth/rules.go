package main

// Labyrinth: the legal moves of a position.

import "encoding/json"

// Cell is a tile: row and column.
type Cell [2]int

// Position is what the referee shows.
type Position struct {
	// A string for each row, in which each character shows the ways of a tile.
	Connectors []string `json:"connectors"`
	// The tile to push in.
	Spare struct {
		Connector string `json:"connector"`
	} `json:"spare"`
	Seekers []Seeker `json:"seekers"`
	// The push before this one, if there was one.
	Last *Push `json:"last"`
	// The seat whose turn it is.
	ToMove int `json:"to_move"`
}

// Seeker is a seat: where it stands and where it must go. You see no goal but your own.
type Seeker struct {
	Avatar *Cell `json:"avatar"`
	Home   Cell  `json:"home"`
	Goal   *Cell `json:"goal"`
}

// Push moves row (LEFT, RIGHT) or column (UP, DOWN) Index.
type Push struct {
	Index     int
	Direction string
}

// UnmarshalJSON reads a push, which is a list of two.
func (push *Push) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]any{&push.Index, &push.Direction})
}

// Move turns the spare by Degree counter-clockwise, pushes it in and walks to another tile; or it passes.
type Move struct {
	Type      string `json:"type"`
	Index     *int   `json:"index,omitempty"`
	Direction string `json:"direction,omitempty"`
	Degree    *int   `json:"degree,omitempty"`
	To        *Cell  `json:"to,omitempty"`
}

const (
	north = 1
	east  = 2
	south = 4
	west  = 8
)

var ways = map[rune]int{
	'│': north | south, '─': east | west, '┐': south | west, '└': north | east, '┌': east | south,
	'┘': north | west, '┬': east | south | west, '├': north | east | south, '┴': north | east | west,
	'┤': north | south | west, '┼': north | east | south | west,
}

var opposite = map[string]string{"LEFT": "RIGHT", "RIGHT": "LEFT", "UP": "DOWN", "DOWN": "UP"}

// maze has the open sides of each tile.
type maze [][]int

// LegalMoves returns the legal moves of the seat to move.
func LegalMoves(position Position) []Move {
	var board maze
	for _, connectors := range position.Connectors {
		var row []int
		for _, connector := range connectors {
			row = append(row, ways[connector])
		}
		board = append(board, row)
	}
	spare, avatar := ways[[]rune(position.Spare.Connector)[0]], *position.Seekers[position.ToMove].Avatar
	var moves []Move
	for _, push := range pushes(board) {
		if position.Last != nil && *position.Last == (Push{push.Index, opposite[push.Direction]}) {
			continue // it would undo the last push
		}
		for degree := 0; degree < 360; degree += 90 {
			pushed, start := board.pushed(push, turned(spare, degree), avatar)
			for _, to := range pushed.reachable(start) {
				index, degree, to := push.Index, degree, to
				moves = append(moves, Move{"slide", &index, push.Direction, &degree, &to})
			}
		}
	}
	return append(moves, Move{Type: "pass"})
}

// pushes returns all pushes: rows and columns with an even index can be pushed.
func pushes(board maze) []Push {
	var all []Push
	for row := 0; row < len(board); row += 2 {
		all = append(all, Push{row, "LEFT"}, Push{row, "RIGHT"})
	}
	for col := 0; col < len(board[0]); col += 2 {
		all = append(all, Push{col, "UP"}, Push{col, "DOWN"})
	}
	return all
}

func turned(ways, degree int) int {
	quarters := degree / 90
	return ways>>quarters | ways<<(4-quarters)&15
}

// pushed returns the maze after a push, and where it leaves an avatar; who drops out comes back on the new tile.
func (board maze) pushed(push Push, spare int, avatar Cell) (maze, Cell) {
	across := push.Direction == "LEFT" || push.Direction == "RIGHT"
	length, shift := len(board), -1
	if across {
		length = len(board[0])
	}
	if push.Direction == "RIGHT" || push.Direction == "DOWN" {
		shift = 1
	}
	cell := func(at int) Cell {
		if across {
			return Cell{push.Index, at}
		}
		return Cell{at, push.Index}
	}
	after, start := make(maze, len(board)), avatar
	for row := range board {
		after[row] = append([]int(nil), board[row]...)
	}
	for at := 0; at < length; at++ {
		to, from := cell(at), cell((at-shift+length)%length)
		after[to[0]][to[1]] = board[from[0]][from[1]]
		if at-shift < 0 || at-shift >= length {
			after[to[0]][to[1]] = spare
		}
		if avatar == from {
			start = to
		}
	}
	return after, start
}

// reachable returns the tiles to which ways lead from a tile, without that tile.
func (board maze) reachable(start Cell) []Cell {
	sides := [4][4]int{{north, -1, 0, south}, {east, 0, 1, west}, {south, 1, 0, north}, {west, 0, -1, east}}
	seen, found := map[Cell]bool{start: true}, []Cell{start}
	for next := 0; next < len(found); next++ {
		row, col := found[next][0], found[next][1]
		for _, side := range sides {
			to := Cell{row + side[1], col + side[2]}
			if to[0] < 0 || to[0] >= len(board) || to[1] < 0 || to[1] >= len(board[0]) || seen[to] {
				continue
			}
			if board[row][col]&side[0] != 0 && board[to[0]][to[1]]&side[3] != 0 {
				seen[to] = true
				found = append(found, to)
			}
		}
	}
	return found[1:]
}
