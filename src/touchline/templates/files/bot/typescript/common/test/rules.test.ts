// `npm test` compares the legal moves with those of the referee, in the positions of turns.jsonl.
import assert from 'node:assert';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { choose } from '../src/bot.ts';
import { legalMoves, type Move, type Position } from '../src/rules.ts';

type Turn = { position: Position; legal: string[] }; // each legal move as the referee writes it

const lines = readFileSync('turns.jsonl', 'utf8').trim().split('\n');
const turns: Turn[] = lines.map((line) => JSON.parse(line));
const written = (moves: Move[]): string[] => moves.map((move) => JSON.stringify(move)).sort();

turns.forEach(({ position, legal }, number) => {
  test(`the legal moves of turn ${number} are those of the referee`, () => {
    assert.deepStrictEqual(written(legalMoves(position)), [...legal].sort());
  });

  test(`the bot chooses a legal move in turn ${number}`, () => {
    const move = choose(position, legalMoves(position));
    assert.ok(legal.includes(JSON.stringify(move)), JSON.stringify(move));
  });
});
