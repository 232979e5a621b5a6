/**
 * The router: shows the part of the page that the fragment of the address names.
 *
 *   #                      the lobby          (lobby.js)
 *   #table=ID              a table, live      (table.js); &token=TOKEN hands over a seat
 *   #record=ID[&n=N]       a record, replayed (replay.js)
 *   #cup=ID                a tournament       (cup.js)
 *   #rules=GAME            the rules          (rules.js)
 *   #tutorial=GAME         the tutorial       (tutorial.js)
 *
 * The paths /t/ID and /r/ID are for sharing: they lead to #table=ID and #record=ID.
 * At the path /league the league takes the place of the lobby (league.js).
 *
 * Tests and other programs may rely on the hooks in docs/api.md, besides roles and accessible names.
 */

import { forget, get } from "./api.js";
import { announce, clear, h, prompted } from "./dom.js";
import { keepName, keepSeat, myName } from "./storage.js";
import { soundSwitch } from "./sounds.js";

/** @typedef {{element: HTMLElement, title: string, close?: () => void, moved?: (where: URLSearchParams) => boolean}} Page */

const PAGES = {
  table: () => import("./table.js").then((module) => module.tablePage),
  record: () => import("./replay.js").then((module) => module.replayPage),
  cup: () => import("./cup.js").then((module) => module.cupPage),
  rules: () => import("./rules.js").then((module) => module.rulesPage),
  tutorial: () => import("./tutorial.js").then((module) => module.tutorialPage),
  league: () => import("./league.js").then((module) => module.leaguePage),
  lobby: () => import("./lobby.js").then((module) => module.lobbyPage),
};

/** What a server of a league shows first is the league. */
const HOME = location.pathname === "/league" ? "league" : "lobby";

/** @type {Page | null} */
let shown = null;
let showing = "";
let turn = 0;

/** The fields of the address. A token or key is stored, and removed from the address. */
function where() {
  const said = new URLSearchParams(location.hash.slice(1));
  const [table, token, key] = ["table", "token", "key"].map((name) => said.get(name));
  if (key) localStorage.setItem("touchline.key", key);
  if (token ?? key) {
    if (table && /^[0-9a-f]{32}$/.test(token)) keepSeat(table, { token });
    said.delete("token");
    said.delete("key");
    history.replaceState(null, "", `#${said}`);
  }
  return said;
}

/** Lead on from a path that was shared to the part of the page that it names. */
function arrive() {
  const shared = /^\/([tr])\/([^/]+)$/.exec(location.pathname);
  if (!shared) return;
  const said = new URLSearchParams(location.hash.slice(1));
  said.set(shared[1] === "t" ? "table" : "record", decodeURIComponent(shared[2]));
  history.replaceState(null, "", `/#${said}`);
}

async function route() {
  const said = where();
  const kind = ["table", "record", "cup", "rules", "tutorial"].find((name) => said.get(name)) ?? HOME;
  const place = `${kind} ${said.get(kind) ?? ""}`;
  if (shown && place === showing && shown.moved?.(said)) return;
  const mine = ++turn;
  shown?.close?.();
  shown = null;
  showing = place;
  let page;
  try {
    page = await (await PAGES[kind]())(said);
  } catch (error) {
    page = missing(error);
  }
  if (mine !== turn) {
    page.close?.();
    return;
  }
  shown = page;
  clear(document.querySelector("#page"), page.element);
  document.title = page.title;
  document.documentElement.dataset.showing = kind;
  document.documentElement.dataset.ready = "";
  if (mine > 1) page.element.querySelector("h1")?.focus();
}

/** @param {Error} error */
function missing(error) {
  forget();
  // A mistake of our own has a message for programmers.
  const sentence = error instanceof TypeError || error instanceof ReferenceError ? "Something went wrong on our side. Load the page again." : error.message;
  if (sentence !== error.message) console.error(error);
  const heading = h("h1", { tabindex: "-1" }, "There is nothing here");
  const back = h("a", { class: "button", href: "#" }, `To the ${HOME}`);
  const again = h("button", { type: "button", class: "quiet", onclick: () => route() }, "Try again");
  const element = h("main", { "data-page": "missing", class: "plain" }, heading, h("p", {}, sentence), h("div", { class: "row" }, back, again));
  return { element, title: "Nothing here – Touchline" };
}

/** Put the buttons of the header together. */
function header() {
  const theme = document.querySelector("#theme");
  const buttons = h("div", { class: "me" });
  theme.replaceWith(buttons);
  buttons.append(nameButton(), soundSwitch(), theme);
}

/** The button that says under which name this person plays, and changes it. */
function nameButton() {
  const name = h("b", {}, myName());
  const change = async () => {
    const given = await prompted("What shall we call you?", "Your name", myName(), { maxlength: 32, autocomplete: "nickname" }, "Others at the table see it.");
    if (given) keepName(given);
  };
  addEventListener("touchline-name", () => (name.textContent = myName()));
  return h("button", { type: "button", class: "quiet", id: "name", onclick: change }, h("span", { class: "wide" }, "Playing as "), name);
}

/** A link to the cups of this server, if it shows some. */
async function cupLink() {
  const { cups } = await get("/api/cups").catch(() => ({ cups: [] }));
  if (cups.length) document.querySelector("#nav").append(h("a", { href: `#cup=${encodeURIComponent(cups[0].id)}` }, cups.length > 1 ? "Cups" : "Cup"));
}

function themes() {
  const button = /** @type {HTMLButtonElement} */ (document.querySelector("#theme"));
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (document.documentElement.dataset.theme ?? (dark.matches ? "dark" : "light")) === "dark";
  const say = () => {
    button.textContent = isDark() ? "Light" : "Dark";
    button.title = isDark() ? "Show everything light" : "Show everything dark";
  };
  button.addEventListener("click", () => {
    const theme = isDark() ? "light" : "dark";
    document.documentElement.dataset.theme = theme;
    localStorage.setItem("touchline.theme", theme);
    say();
    dispatchEvent(new Event("touchline-theme"));
  });
  dark.addEventListener("change", say);
  say();
}

document.querySelector("[data-skip]").addEventListener("click", (event) => {
  event.preventDefault();
  /** @type {HTMLElement | null} */ (document.querySelector("main h1"))?.focus();
});
if (HOME === "league") document.querySelector("#nav a").textContent = "League";
arrive();
header();
themes();
setTimeout(cupLink, 800);
addEventListener("hashchange", route);
addEventListener("unhandledrejection", (event) => announce(event.reason?.message ?? "something went wrong"));
route();
