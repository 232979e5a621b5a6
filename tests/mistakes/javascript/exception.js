const lines = require('readline').createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const message = JSON.parse(line);
  if (message.type === 'begin') console.log(JSON.stringify({ type: 'ready' }));
  if (message.type === 'your_turn') {
    const move = message.position.moves[0];
    console.log(JSON.stringify({ type: 'act', turn: message.turn, move }));
  }
});
