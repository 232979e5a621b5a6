// Speak with the referee: read one JSON message per line from stdin, write one answer per line to stdout.
// Print to stderr (console.error) to debug: stdout belongs to the protocol.
import { createInterface } from 'node:readline';

import { choose } from './bot.js';
import { legalMoves } from './rules.js';

function say(message) {
  process.stdout.write(JSON.stringify(message) + '\n');
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  switch (message.type) {
    case 'begin': // a match begins: message.seat is your seat, message.names are the players
      say({ type: 'ready' });
      break;
    case 'your_turn': // the answer repeats the number of the turn
      say({ type: 'act', turn: message.turn, move: choose(message.position, legalMoves(message.position)) });
      break;
    case 'over':
    case 'expelled':
      process.exit(); // nothing follows
      break;
    default: // ignore other messages: later versions may have more of them
  }
});
