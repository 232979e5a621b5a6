// Hexapawn 5 x 5 for boardgame.io: the same rules, as its own tutorials would write them.
const SIZE = 5

function legal (cells, seat) {
  const [mine, theirs, forward] = seat === '0' ? ['1', '2', 1] : ['2', '1', -1]
  const moves = []
  for (let row = 0; row < SIZE; row++) {
    for (let col = 0; col < SIZE; col++) {
      const ahead = row + forward
      if (cells[row * SIZE + col] !== mine || ahead < 0 || ahead >= SIZE) continue
      if (cells[ahead * SIZE + col] === null) moves.push([row * SIZE + col, ahead * SIZE + col])
      for (const side of [col - 1, col + 1]) {
        if (side >= 0 && side < SIZE && cells[ahead * SIZE + side] === theirs) {
          moves.push([row * SIZE + col, ahead * SIZE + side])
        }
      }
    }
  }
  return moves
}

const Hexapawn = {
  name: 'hexapawn',
  minPlayers: 2,
  maxPlayers: 2,
  setup: () => ({
    cells: Array.from({ length: SIZE * SIZE }, (_, i) => i < SIZE ? '1' : i >= SIZE * (SIZE - 1) ? '2' : null)
  }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    step: ({ G, playerID }, from, to) => {
      if (!legal(G.cells, playerID).some(([a, b]) => a === from && b === to)) return 'INVALID_MOVE'
      G.cells[to] = G.cells[from]
      G.cells[from] = null
    }
  },
  endIf: ({ G, ctx }) => {
    if (G.cells.slice(SIZE * (SIZE - 1)).includes('1')) return { winner: '0' }
    if (G.cells.slice(0, SIZE).includes('2')) return { winner: '1' }
    const next = ctx.currentPlayer
    if (legal(G.cells, next).length === 0) return { winner: next === '0' ? '1' : '0' }
  }
}

module.exports = { Hexapawn, legal }
