/**
 * Tournaments: standings with error bars, who met whom, rating curves, running and last games, faults.
 *
 * Everything is from the report that the command line makes, too (docs/api.md); the live feed tells when it has changed.
 */

import { get } from "./api.js";
import { lineChart } from "./chart.js";
import { clear, h, s } from "./dom.js";

const AGAIN = 3000;
const [CURVES, CROSSED] = [8, 24];

/** The section of the lobby; it is hidden unless this server shows tournaments. */
export function cups() {
  const part = h("section", { hidden: true, "aria-label": "Tournaments" });
  const item = (cup) => h("li", {}, h("a", { "data-cup": cup.id, href: `#cup=${encodeURIComponent(cup.id)}` }, cup.name), h("small", {}, ` ${cup.game}, ${progress(cup)}`));
  const look = async () => {
    const found = await get("/api/cups").then((told) => told.cups, () => null);
    if (found) renew(part, "Tournaments", found.length && found, () => h("ul", { class: "plainlist" }, ...found.map(item)));
    if (!found || found.length) setTimeout(() => part.isConnected && look(), AGAIN);
  };
  setTimeout(look, 400); // the tables of the lobby load first
  return part;
}

const STATES = { running: "being played", waiting: "no games are being played now", over: "over", unavailable: "its ledger cannot be read now" };

function progress({ counts, state, paused }) {
  const games = counts && `${counts.done} of ${counts.done + counts.claimed + counts.due} games, `;
  return `${games ?? ""}${state === "paused" || state === "stopped" ? `${state}: ${paused}` : STATES[state]}`;
}

const cell = (value, attributes = {}) => h("td", attributes, value ?? "");
const numbers = (values) => values.map((value) => cell(value, { class: "number" }));
const scrolled = (name, table) => h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": name }, table);
const theme = () => document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");

/** A rating with its error bar. */
function bar({ value, low, high }, least, most) {
  const at = (rating) => (6 + (188 * (rating - least)) / Math.max(1e-9, most - least)).toFixed(1);
  return s("svg", { class: "errorbar", viewBox: "0 0 200 18", role: "img", "aria-label": `between ${Math.round(low)} and ${Math.round(high)}` },
    s("path", { class: "whisker", d: `M${at(low)} 9H${at(high)}` }),
    s("circle", { class: "dot", cx: at(value), cy: 9, r: 4.5 }));
}

function standingsTable({ standings, ratings }) {
  const of = new Map(ratings.map((rating) => [rating.entrant, rating]));
  const [least, most] = [Math.min(...ratings.map((one) => one.low)), Math.max(...ratings.map((one) => one.high))];
  const heads = ["", "Player", "Points", "Games", "Won", "Tied", "Lost", "Forfeits", "Expulsions", "Rating", ""];
  return scrolled("Standings", h("table", { "data-standings": true },
    h("thead", {}, h("tr", {}, ...heads.map((head) => (head ? h("th", { scope: "col" }, head) : cell(""))))),
    h("tbody", {}, ...standings.map((one) => {
      const rating = of.get(one.entrant);
      return h("tr", {}, cell(one.rank), h("th", { scope: "row" }, one.entrant, one.out && " (out)"),
        ...numbers([one.points, one.games, one.won, one.tied, one.lost, one.forfeits, one.expulsions, rating && Math.round(rating.value)]), cell(rating && bar(rating, least, most)));
    }))));
}

function crossTable({ standings, cross }) {
  const names = standings.slice(0, CROSSED).map((one) => one.entrant);
  const met = new Map(cross.map((one) => [JSON.stringify([one.entrant, one.other]), `${one.points} of ${one.games}`]));
  return scrolled("Cross table", h("table", { "data-cross": true },
    h("thead", {}, h("tr", {}, cell(""), ...names.map((name) => h("th", { scope: "col", class: "slant" }, name)))),
    h("tbody", {}, ...names.map((one) => h("tr", {}, h("th", { scope: "row" }, one), ...numbers(names.map((other) => (one === other ? "·" : met.get(JSON.stringify([one, other]))))))))));
}

function curves({ standings, curve }) {
  const series = standings.slice(0, CURVES).map(({ entrant }) => {
    const stages = curve.flatMap(({ games, ratings }) => ratings.filter((one) => one.entrant === entrant).map((one) => [games, one.value, one.low, one.high]));
    return { name: entrant, points: stages.map(([games, value]) => [games, value]), band: stages.map(([games, , low, high]) => [games, low, high]) };
  });
  if (series.length > 4) series.forEach((one) => delete one.band); // more bands would hide each other
  return lineChart(series, { title: "Ratings over the games", xLabel: "games" }).element;
}

const replay = (cup, game) => `#record=${encodeURIComponent(`cup:${cup.id}:${game}`)}`;

/** A finished game, with its last position. */
function finished(cup, game) {
  const winners = game.winners.map((seat) => game.entrants[seat]).join(" and ");
  const how = game.voided ?? (game.verdict === "void" ? "void" : `${winners || "nobody"} won${game.verdict === "forfeited" ? " by forfeit" : ""}: ${game.reason}`);
  const words = h("span", { class: "words" }, h("b", {}, game.entrants.join(" · ")), h("small", {}, how));
  if (!game.record) return h("li", {}, h("span", { class: "card tablecard" }, words));
  const image = h("img", { src: `/api/cups/${cup.id}/games/${game.game}/svg?theme=${theme()}`, alt: "", width: 112, height: 84, loading: "lazy" });
  return h("li", {}, h("a", { class: "card tablecard", "data-game": game.game, href: replay(cup, game.game) }, image, words));
}

const fault = (cup, { entrant, offence, count, game, reason }) =>
  h("li", { "data-fault": true }, h("a", { href: replay(cup, game) }, `${entrant}: ${offence.replaceAll("_", " ")}, ${count} ${count === 1 ? "time" : "times"}; first: ${reason}`));

/** The sections: title, the data that it depends on (falsy: hidden), and a function that makes it. */
const PARTS = [
  ["Standings", ({ report }) => report.standings.length && [report.standings, report.ratings], ({ report }) => standingsTable(report)],
  ["Being played", ({ running }) => running.length && running, ({ running }) => h("ul", { class: "plainlist", "data-running": running.length }, ...running.map((game) => h("li", {}, game.entrants.join(" · "))))],
  ["Last games", ({ last }) => last.length && last, ({ cup, last }) => h("ul", { class: "tables" }, ...last.map((game) => finished(cup, game)))],
  ["Cross table", ({ report }) => report.cross.length && report.cross, ({ report }) => crossTable(report)],
  ["Ratings", ({ report }) => report.curve.length > 1 && report.curve, ({ report }) => curves(report)],
  ["Faults", ({ report }) => report.faults.length && report.faults, ({ cup, report }) => h("ul", { class: "plainlist" }, ...report.faults.map((one) => fault(cup, one)))],
];

/** Remake a section if its data has changed; the focus stays where it was. */
function renew(section, title, from, make) {
  const made = JSON.stringify(from || null);
  if (section.dataset.made === made) return;
  section.dataset.made = made;
  section.hidden = !from;
  const held = section.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
  clear(section, ...(from ? [h("h2", {}, title), make()] : []));
  if (held) section.querySelector(`[href="${CSS.escape(held)}"]`)?.focus();
}

/** Call `changed` for each line of a feed, until the signal. */
async function follow(path, changed, signal) {
  while (!signal.aborted) {
    try {
      const reader = (await fetch(path, { signal, credentials: "omit" })).body.getReader();
      for (let read = await reader.read(); !read.done; read = await reader.read()) if (read.value.length > 1) changed(); // a lone newline is a heartbeat
    } catch {
      if (signal.aborted) return;
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN));
  }
}

/** @param {URLSearchParams} said @returns {Promise<import("./app.js").Page>} */
export async function cupPage(said) {
  const path = `/api/cups/${encodeURIComponent(said.get("cup"))}`;
  let seen = await get(path);
  const status = h("p", { class: "status" });
  const sections = PARTS.map(() => h("section"));
  const element = h("main", { "data-page": "cup", class: "lobby" }, h("h1", { tabindex: "-1" }, seen.cup.name), status, ...sections);
  const show = () => {
    element.dataset.status = seen.cup.state;
    status.textContent = `${seen.cup.game}, ${seen.cup.format.replaceAll("_", " ")}, ${seen.cup.entrants} players: ${progress(seen.cup)}`;
    PARTS.forEach(([title, from, make], at) => renew(sections[at], title, from(seen), () => make(seen)));
  };
  const stop = new AbortController();
  let [asked, busy] = [false, false];
  /** Fetch the report again; a change during a fetch causes another one, since that fetch may have missed it. */
  const look = async () => {
    asked = true;
    if (busy) return;
    busy = true;
    while (asked) {
      await new Promise((resolve) => setTimeout(resolve, AGAIN));
      if (stop.signal.aborted) return;
      asked = false;
      seen = await get(path).catch(() => ({ ...seen, current: false }));
      if (stop.signal.aborted) return;
      show();
      asked ||= !seen.current; // a newer report is being made
    }
    busy = false;
  };
  show();
  follow(`${path}/watch`, look, stop.signal);
  const close = () => stop.abort();
  return { element, title: seen.cup.name, close, moved: () => true };
}
