/**
 * The router: shows the part of the page that the fragment of the address names.
 *
 *   #                      the lobby          (lobby.js)
 *   #table=ID              a table, live      (table.js); &token=TOKEN hands over a seat
 *   #record=ID[&n=N]       a record, replayed (replay.js)
 *   #cup=ID                a tournament       (cup.js)
 *
 * Hooks that tests and other programs may rely on, besides roles and accessible names:
 *
 *   main[data-page="lobby|table|replay|cup|missing"]
 *   lobby    [data-table="ID"][data-game][data-status="open|running|finished"]   a table, as a link
 *            button "Play fish" (one per game): a game against a house player at once
 *            select "Opponent in fish": its level; textbox "Your name"
 *            button "New table" opens dialog "New table": select "Game", select "Seat 0", select
 *            "House player in seat 0", button "Make the table"; input[type=file][data-drop] takes a record
 *   table    main[data-status="open|running|finished"][data-turn="5"][data-me="0"]  (data-me: only with a seat)
 *            main[data-asked] while it is your move; main[data-link="live|lost|over"] the connection
 *            [data-seat="0"][data-status="thinking|waiting|arriving|away|expelled|resigned|done|empty"]
 *            and aria-current="true" for the seat to move; within it [data-clock], [data-score]
 *            buttons "Hint", "Resign" (dialog, then "Yes, resign"), "Take back", and the one of the game's art
 *            [data-join-line] code, [data-result] the result, [data-log] the log, its items
 *            [data-event="moved"], with data-fault; [data-connection] is visible while the connection is lost,
 *            [data-restarted] while somebody is missing after a restart of the server, and shortly afterwards
 *   replay   main[data-n="14"][data-turn="5"]; slider "Position"; buttons "First", "Back", "Play" or "Pause",
 *            "Forward", "Last", "Next fault", "Analyse"; links "Record (JSONL)", "Picture (SVG)", "Film (GIF)"
 *   board    svg[data-board="fish"]; data-moving while something is animated
 *            [data-spot="ROW,COL" or "WORD"] every spot; data-legal="next" where the move can go on from here
 *            (="other" where another choice may replace an earlier one); data-picked="1", "2" ... in the order
 *            picked; data-last where the last move was; data-hint where the hint is; data-pieces="0 1" the
 *            seats whose pieces stand there; data-fill="light|dark|gap"
 *   all      [data-live] what a screen reader says; button "Dark" or "Light"
 */

import { forget } from "./api.js";
import { announce, clear, h } from "./dom.js";
import { keepSeat } from "./storage.js";

/** @typedef {{element: HTMLElement, title: string, close?: () => void, moved?: (where: URLSearchParams) => boolean}} Page */

const PAGES = {
  table: () => import("./table.js").then((module) => module.tablePage),
  record: () => import("./replay.js").then((module) => module.replayPage),
  cup: () => import("./cup.js").then((module) => module.cupPage),
  lobby: () => import("./lobby.js").then((module) => module.lobbyPage),
};

/** @type {Page | null} */
let shown = null;
let showing = "";
let turn = 0;

/** The fields of the address. A token among them is stored, and removed from the address. */
function where() {
  const said = new URLSearchParams(location.hash.slice(1));
  const [table, token] = [said.get("table"), said.get("token")];
  if (token !== null) {
    if (table && /^[0-9a-f]{32}$/.test(token)) keepSeat(table, { token });
    said.delete("token");
    history.replaceState(null, "", `#${said}`);
  }
  return said;
}

async function route() {
  const said = where();
  const kind = ["table", "record", "cup"].find((name) => said.get(name)) ?? "lobby";
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
  document.documentElement.dataset.ready = "";
  if (mine > 1) page.element.querySelector("h1")?.focus();
}

/** @param {Error} error */
function missing(error) {
  forget();
  const heading = h("h1", { tabindex: "-1" }, "Nothing here");
  const back = h("a", { class: "button", href: "#" }, "To the lobby");
  return { element: h("main", { "data-page": "missing", class: "plain" }, heading, h("p", {}, error.message), back), title: "Touchline" };
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
themes();
addEventListener("hashchange", route);
addEventListener("unhandledrejection", (event) => announce(event.reason?.message ?? "something went wrong"));
route();
