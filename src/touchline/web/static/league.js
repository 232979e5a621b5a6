/**
 * The league: the table with ratings and their uncertainty, the latest games, and an entrant's own versions.
 *
 * The table is public and live. Whoever enters a token sees what is its own: status, faults, stderr. The token is kept in
 * this window only, and sent in a header.
 */

import { follow, get } from "./api.js";
import { errorBar } from "./chart.js";
import { CupGames } from "./cup_games.js";
import { clear, h, say } from "./dom.js";

const STATUS = { active: "", house: "house player", older: "older version", retired: "retired", ejected: "ejected" };
const [SHOWN, GAMES, TEXTS] = [200, 12, 10]; // rows of a table, latest games, texts of stderr

const cell = (value, attributes = {}) => h("td", attributes, value ?? "");
const number = (value, name = "") => cell(value, { class: `num ${name}` });

function row(one, least, most) {
  const note = STATUS[one.status];
  const score = `${one.won} – ${one.tied} – ${one.lost}`;
  return h("tr", { "data-version": one.version, class: note && note !== STATUS.house ? "dim" : null },
    number(one.place || "–"), h("th", { scope: "row" }, one.version, note && h("small", {}, ` ${note}`)),
    number(one.rating.toFixed(1)), number(`± ${((one.high - one.low) / 2).toFixed(1)}`, "wide"), cell(errorBar({ ...one, value: one.rating }, least, most), { class: "bars" }),
    number(one.games), number(score, "wide"), number(one.faults || "", "wide"));
}

function table(name, rows) {
  const [least, most] = [Math.min(...rows.map((one) => one.low)), Math.max(...rows.map((one) => one.high))];
  const heads = [["", ""], ["Version", ""], ["Rating", "num"], ["", "wide"], ["95 %", "bars"], ["Games", "num"], ["Won – tied – lost", "num wide"], ["Faults", "num wide"]];
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": name }, h("table", { class: "league" },
    h("thead", {}, h("tr", {}, ...heads.map(([head, kind]) => (head ? h("th", { scope: "col", class: kind }, head) : cell("", { class: kind }))))),
    h("tbody", {}, ...rows.slice(0, SHOWN).map((one) => row(one, least, most)))));
}

function game(cup, one) {
  const winners = one.winners.map((seat) => one.versions[seat]).join(" and ");
  const how = one.verdict === "void" ? `void: ${one.reason}` : `${winners || "nobody"} won${one.verdict === "forfeited" ? " by forfeit" : ""}: ${one.reason}`;
  const words = [h("b", {}, one.versions.join(" – ")), h("small", {}, ` ${how}`)];
  const link = one.has_record && h("a", { "data-game": one.game, href: `#record=${encodeURIComponent(`cup:${cup}:${one.game}`)}` }, ...words);
  return h("li", {}, link || h("span", {}, ...words));
}

function progress({ games, running, checking, paused, trouble }) {
  const parts = [`${games} games played`, `${running} being played`];
  if (checking) parts.push(`${checking} versions being checked`);
  if (paused !== null) parts.push(`paused: ${paused}`);
  if (trouble !== null) parts.push(`waiting: ${trouble}`);
  return parts.join(", ");
}

/** Remake a section, if its data has changed. */
function renew(section, title, from, make) {
  const made = JSON.stringify(from);
  if (section.dataset.made === made) return;
  section.dataset.made = made;
  section.hidden = !from.length;
  const held = section.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
  clear(section, ...(from.length ? [h("h2", {}, title), make()] : []));
  if (held) section.querySelector(`[href="${CSS.escape(held)}"]`)?.focus();
}

/** A fault, as a link to its place in the game. */
function faultLink(cup, version, { game, turn, offence, reason }) {
  const place = new URLSearchParams({ record: `cup:${cup}:${game}`, fault: version, offence });
  return h("a", { href: `#${place}` }, `${game}, turn ${turn}: ${offence.replaceAll("_", " ")}: ${reason}`);
}

/** A version, as its entrant sees it. */
function own(cup, one) {
  const faults = one.faults.map((fault) => h("li", {}, faultLink(cup, one.version, fault)));
  const texts = [...(one.check_stderr ? [["its check", one.check_stderr]] : []), ...one.stderr.slice(0, TEXTS).map(({ game, text }) => [game, text])];
  return h("li", { "data-own": one.version }, h("b", {}, one.version), ` ${one.status}`, one.reason && `: ${one.reason}`,
    faults.length > 0 && h("ul", {}, ...faults),
    ...texts.map(([where, text]) => h("details", {}, h("summary", {}, `stderr of ${where}`), h("pre", {}, text))));
}

/** The part for entrants: enter a token, hand in a file, and see the own versions. */
function desk(cup) {
  const told = h("p", { role: "status" });
  const list = h("ul", { class: "plainlist" });
  const field = h("input", { type: "password", id: "token", autocomplete: "off", size: 34 });
  const file = h("input", { type: "file", id: "upload", accept: ".zip,.py,.wasm" });
  const show = async () => {
    try {
      const { entrant, versions } = await get("/api/league/versions", field.value);
      say(told, versions.length ? `The versions of ${entrant}:` : `${entrant} has handed in nothing yet.`);
      clear(list, ...versions.map((one) => own(cup, one)));
    } catch (error) {
      say(told, error.message);
      clear(list);
    }
  };
  const send = async () => {
    const [chosen] = file.files;
    if (!chosen) return say(told, "Choose a file first: a zip, a Python file or a WebAssembly module.");
    const headers = { "Content-Type": "application/octet-stream", Authorization: `Bearer ${field.value}` };
    const answer = await fetch(`/api/league/versions?name=${encodeURIComponent(chosen.name)}`, { method: "POST", headers, body: chosen, credentials: "omit" });
    const said = await answer.json().catch(() => ({}));
    if (!answer.ok) return say(told, said.message ?? `the server says ${answer.status}`);
    await show();
  };
  return h("section", { class: "entrants" }, h("h2", {}, "For entrants"),
    h("p", { class: "row" }, h("label", { for: "token" }, "Your token "), field, h("button", { type: "button", onclick: show }, "Show my versions")),
    h("p", { class: "row" }, h("label", { for: "upload" }, "A new version "), file, h("button", { type: "button", onclick: send }, "Hand in")), told, list);
}

/** @returns {Promise<import("./app.js").Page>} */
export async function leaguePage() {
  const { cup, league } = await get("/api/league");
  const status = h("p", { class: "status" });
  const [main, recent, older] = [h("section"), h("section"), h("section")];
  const all = new CupGames({ id: cup }, [...league.table, ...league.older].map((one) => one.version));
  const element = h("main", { "data-page": "league", class: `cup ${league.game}` }, h("h1", { tabindex: "-1" }, league.name), status, main, recent, all.element, older, desk(cup));
  const show = (seen) => {
    say(status, `${seen.game}: ${progress(seen)}`);
    renew(main, "Table", seen.table, () => table("Table", seen.table));
    renew(recent, "Latest games", seen.recent, () => h("ul", { class: "plainlist" }, ...seen.recent.slice(0, GAMES).map((one) => game(cup, one))));
    all.renew(seen.games);
    renew(older, "Older versions", seen.older, () => table("Older versions", seen.older));
  };
  const stop = new AbortController();
  show(league);
  follow("/api/league/watch", (line) => show(line.league), stop.signal);
  return { element, title: league.name, close: () => stop.abort(), moved: () => true };
}
