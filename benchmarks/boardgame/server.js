// The server, in memory, without a log; the port is told on stdout.
const { Server, Origins } = require('boardgame.io/server')
const { Hexapawn } = require('./hexapawn')

console.info = console.log = () => {}
const server = Server({ games: [Hexapawn], origins: [Origins.LOCALHOST] })
server.run({ port: 0, callback: () => {} }).then(({ appServer }) => {
  process.stdout.write(`${appServer.address().port}\n`)
})
