/**
 * Tournaments: standings with error bars, who met whom, rating curves, every game, faults.
 *
 * Everything is from the report that the command line makes, too (docs/api.md); the live feed tells when it has changed.
 */

import { follow, get } from "./api.js";
import { errorBar, lineChart } from "./chart.js";
import { CupGames, finished } from "./cup_games.js";
import { clear, h } from "./dom.js";

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
const numbers = (values) => values.map((value) => cell(value, { class: "num" }));
const scrolled = (name, table) => h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": name }, table);
/** The columns of the standings: head, class, and value. Those of class `wide` are left out on a phone. */
const COLUMNS = [
  ["Games", "wide", (one) => one.games], ["Won", "wide", (one) => one.won], ["Tied", "wide", (one) => one.tied], ["Lost", "wide", (one) => one.lost],
  ["Forfeits", "wide", (one) => one.forfeits], ["Removed", "wide", (one) => one.expulsions],
];

function standingsTable({ standings, ratings }) {
  const of = new Map(ratings.map((rating) => [rating.entrant, rating]));
  const [least, most] = [Math.min(...ratings.map((one) => one.low)), Math.max(...ratings.map((one) => one.high))];
  const head = (text, kind = "") => (text ? h("th", { scope: "col", class: `num ${kind}` }, text) : cell("", { class: kind }));
  return scrolled("Standings", h("table", { "data-standings": true },
    h("thead", {}, h("tr", {}, cell(""), h("th", { scope: "col" }, "Player"), head("Points"), ...COLUMNS.map(([name, kind]) => head(name, kind)), head("Rating"), head("", "bars"))),
    h("tbody", {}, ...standings.map((one) => {
      const rating = of.get(one.entrant);
      return h("tr", {}, cell(one.rank), h("th", { scope: "row" }, one.entrant, one.out && " (out)"), cell(one.points, { class: "num points" }),
        ...COLUMNS.map(([, kind, value]) => cell(value(one), { class: `num ${kind}` })),
        cell(rating && Math.round(rating.value), { class: "num" }), cell(rating && errorBar(rating, least, most), { class: "bars" }));
    }))));
}

/** Who met whom; a cell leads to the games of the two. */
function crossTable({ standings, cross }, games) {
  const names = standings.slice(0, CROSSED).map((one) => one.entrant);
  const met = new Map(cross.map((one) => [JSON.stringify([one.entrant, one.other]), one]));
  const between = (one, other) => {
    const found = met.get(JSON.stringify([one, other]));
    if (one === other || !found) return one === other ? "·" : "";
    return h("button", { type: "button", class: "link", "aria-label": `${found.points} / ${found.games}, ${one} against ${other}: show the games`, onclick: () => games.show(one, other) }, `${found.points} / ${found.games}`);
  };
  return scrolled("Cross table", h("table", { "data-cross": true },
    h("thead", {}, h("tr", {}, cell(""), ...names.map((name) => h("th", { scope: "col", class: "num" }, name)))),
    h("tbody", {}, ...names.map((one) => h("tr", {}, h("th", { scope: "row" }, one), ...numbers(names.map((other) => between(one, other))))))));
}

function curves({ standings, curve }) {
  const series = standings.slice(0, CURVES).map(({ entrant }) => {
    const stages = curve.flatMap(({ games, ratings }) => ratings.filter((one) => one.entrant === entrant).map((one) => [games, one.value, one.low, one.high]));
    return { name: entrant, points: stages.map(([games, value]) => [games, value]), band: stages.map(([games, , low, high]) => [games, low, high]) };
  });
  if (series.length > 4) series.forEach((one) => delete one.band); // more bands would hide each other
  return lineChart(series, { title: "Ratings over the games", xLabel: "games", wide: innerWidth < 640 ? 400 : 720 }).element;
}

/** A fault of an entrant, as a link to the place in the first game where it happened. */
function fault(cup, { entrant, offence, count, game, reason }) {
  const place = new URLSearchParams({ record: `cup:${cup.id}:${game}`, fault: entrant, offence });
  const times = count === 1 ? "once" : `${count} times`;
  return h("li", { "data-fault": true }, h("a", { href: `#${place}` }, `${entrant}: ${offence.replaceAll("_", " ")}, ${times}`), h("small", {}, ` first: ${reason}`));
}

const running = (game) => h("li", {}, game.entrants.join(" – "), h("small", {}, ` round ${game.round + 1}`));

/** The sections: title, the data that it depends on (falsy: hidden), and a function that makes it. */
const PARTS = [
  ["Standings", ({ report }) => report.standings.length && [report.standings, report.ratings], ({ report }) => standingsTable(report)],
  ["Being played", (seen) => seen.running.length && seen.running, (seen) => h("div", {}, h("ul", { class: "plainlist inline", "data-running": seen.running.length }, ...seen.running.map(running)), h("small", {}, "A game can be opened as soon as it is over."))],
  ["Last games", ({ last }) => last.length && last, ({ cup, last }) => h("ul", { class: "tables" }, ...last.map((game) => finished(cup, game)))],
  ["Cross table", ({ report }) => report.cross.length && report.cross, ({ report }, games) => crossTable(report, games)],
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

/** @param {URLSearchParams} said @returns {Promise<import("./app.js").Page>} */
export async function cupPage(said) {
  const path = `/api/cups/${encodeURIComponent(said.get("cup"))}`;
  let seen = await get(path);
  const status = h("p", { class: "status" });
  const sections = PARTS.map(() => h("section"));
  const games = new CupGames(seen.cup, seen.report.standings.map((one) => one.entrant));
  const element = h("main", { "data-page": "cup", class: `cup ${seen.cup.game}` }, h("h1", { tabindex: "-1" }, seen.cup.name), status, ...sections, games.element);
  const show = () => {
    element.dataset.status = seen.cup.state;
    status.textContent = `${seen.cup.game}, ${seen.cup.format.replaceAll("_", " ")}, ${seen.cup.entrants} players: ${progress(seen.cup)}`;
    PARTS.forEach(([title, from, make], at) => renew(sections[at], title, from(seen), () => make(seen, games)));
    games.renew(seen.cup.counts?.done ?? 0);
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
