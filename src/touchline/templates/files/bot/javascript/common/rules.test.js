// `npm test` compares the legal moves with those of the referee, in the positions of turns.jsonl.
import assert from 'node:assert';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { choose } from './bot.js';
import { legalMoves } from './rules.js';

const lines = readFileSync(new URL('turns.jsonl', import.meta.url), 'utf8').trim().split('\n');
const turns = lines.map((line) => JSON.parse(line));
const written = (moves) => moves.map((move) => JSON.stringify(move)).sort();

turns.forEach(({ position, legal }, number) => {
  test(`the legal moves of turn ${number} are those of the referee`, () => {
    assert.deepStrictEqual(written(legalMoves(position)), [...legal].sort());
  });

  test(`the bot chooses a legal move in turn ${number}`, () => {
    const move = choose(position, legalMoves(position));
    assert.ok(legal.includes(JSON.stringify(move)), JSON.stringify(move));
  });
});
