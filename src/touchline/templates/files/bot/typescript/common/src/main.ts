// Speak with the referee: read one JSON message per line from stdin, write one answer per line to stdout.
// Print to stderr (console.error) to debug: stdout belongs to the protocol.
import { createInterface } from 'node:readline';

import { choose } from './bot.ts';
import { legalMoves, type Move, type Position } from './rules.ts';

// What the referee says, as far as this bot listens to it.
type Message =
  | { type: 'begin'; seat: number; names: string[]; position: Position }
  | { type: 'your_turn'; turn: number; milliseconds: number | null; position: Position }
  | { type: 'over' | 'expelled'; reason: string };

type Answer = { type: 'ready' } | { type: 'act'; turn: number; move: Move };

function say(answer: Answer): void {
  process.stdout.write(JSON.stringify(answer) + '\n');
}

createInterface({ input: process.stdin }).on('line', (line: string) => {
  const message: Message = JSON.parse(line);
  switch (message.type) {
    case 'begin':
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
