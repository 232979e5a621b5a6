// So many matches at once, each with two clients that play random legal moves; prints moves a second.
const { Client } = require('boardgame.io/client')
const { SocketIO } = require('boardgame.io/multiplayer')
const { Hexapawn, legal } = require('./hexapawn')

const [port, count] = process.argv.slice(2).map(Number)
const server = `http://127.0.0.1:${port}`
let moves = 0
let last = 0n // when the last of them was made

function seat (matchID, playerID) {
  const client = Client({ game: Hexapawn, multiplayer: SocketIO({ server }), matchID, playerID, debug: false })
  client.start()
  return client
}

const connected = client => new Promise(resolve => {
  const stop = client.subscribe(state => {
    if (state !== null && state.isConnected) setImmediate(() => { stop(); resolve() })
  })
})

function play (client, playerID, done) {
  let answered = -1
  client.subscribe(state => {
    if (state === null || !state.isConnected) return
    if (state.ctx.gameover) return done()
    if (state.ctx.currentPlayer !== playerID || state.ctx.turn === answered) return
    answered = state.ctx.turn
    const choices = legal(state.G.cells, playerID)
    moves++
    last = process.hrtime.bigint()
    client.moves.step(...choices[Math.floor(Math.random() * choices.length)])
  })
}

function told (start) {
  process.stdout.write(`${moves / (Number(last - start) / 1e9)}\n`)
  process.exit(0)
}

async function main () {
  const clients = []
  for (let number = 0; number < count; number++) {
    const pair = []
    for (const playerID of ['0', '1']) {
      const client = seat(`match-${process.pid}-${number}`, playerID)
      await connected(client)
      pair.push(client)
    }
    clients.push(pair)
  }
  const start = process.hrtime.bigint()
  setTimeout(told, 20000, start) // a match in which an update got lost never ends
  await Promise.all(clients.map(pair => new Promise(resolve => {
    pair.forEach((client, index) => play(client, String(index), resolve))
  })))
  told(start)
}
main()
