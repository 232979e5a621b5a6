/** The terms of a match: options, clock, and the sanctions for offences. */

import { h } from "./dom.js";

/** @param {{seconds: number, bank: number, increment: number} | null} clock */
export function clockWords(clock) {
  if (!clock) return "no limit";
  const bank = clock.bank ? `, ${clock.bank} s in the bank` : "";
  const increment = clock.increment ? `, ${clock.increment} s added by each` : "";
  return `${clock.seconds} s a move${bank}${increment}`;
}

/** The value of an option as text; a long one is cut. */
const worded = (value) => {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
};

/** @param {any} agreed terms @param {any} [table] @param {HTMLElement} [notes]  what the game says of its position */
export function terms(agreed, table, notes) {
  const said = Object.entries(agreed.options).filter(([, value]) => value !== null && worded(value) !== "[]");
  const rows = [
    ...said.map(([name, value]) => [name, worded(value)]),
    ["clock", clockWords(agreed.clock)],
    ["turns", `at most ${agreed.turn_cap}`],
    table && ["table", table.id],
  ].filter(Boolean);
  return h("details", { class: "terms" },
    h("summary", {}, "Terms"), notes,
    h("dl", {}, ...rows.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
    h("p", {}, `Conduct: ${agreed.conduct.name}`),
    h("ul", {}, ...agreed.conduct.about.map((line) => h("li", {}, line))));
}
