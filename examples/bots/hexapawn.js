// Hexapawn in JavaScript: a bot that captures if it can, and else steps forward.
//
// The referee writes one JSON value per line to our stdin, and reads our answers from our stdout.
'use strict';

let seat = 0; // 0 owns the pawns "1" and walks down the board, 1 owns the pawns "2" and walks up

function choose(board) {
  const own = '12'[seat];
  const enemy = '21'[seat];
  const forward = seat === 0 ? 1 : -1;
  const captures = [];
  const steps = [];
  for (let row = 0; row < board.length; row++) {
    const ahead = board[row + forward]; // undefined beyond the last row
    for (let col = 0; ahead && col < ahead.length; col++) {
      if (board[row][col] !== own) continue;
      if (ahead[col] === '.') steps.push({ from: [row, col], to: [row + forward, col] });
      for (const side of [col - 1, col + 1]) {
        if (ahead[side] === enemy) captures.push({ from: [row, col], to: [row + forward, side] });
      }
    }
  }
  return [...captures, ...steps][0]; // a player without a move is not asked
}

function say(message) {
  process.stdout.write(JSON.stringify(message) + '\n');
}

function hear(line) {
  const message = JSON.parse(line);
  switch (message.type) {
    case 'begin':
      seat = message.seat;
      say({ type: 'ready' });
      break;
    case 'your_turn':
      // The answer repeats the turn number, so that a late answer is recognised.
      say({ type: 'act', turn: message.turn, move: choose(message.position.board) });
      break;
    case 'over':
    case 'expelled':
      process.exit(); // the last message
      break;
    default: // ignore unknown messages: later versions may have more of them
  }
}

let rest = ''; // the last chunk may end inside a line
process.stdin.setEncoding('utf8').on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  lines.forEach(hear);
});
