/** A table before its match: the missing players, and how they can join. */

import { post } from "./api.js";
import { copyButton, h, labelled } from "./dom.js";
import { dropSeat, keepName, myName } from "./storage.js";
import { Seats } from "./seats.js";
import { clockWords } from "./terms.js";

const nameField = () => h("input", { type: "text", value: myName(), maxlength: 32, required: true, autocomplete: "nickname" });

/** The command line for a program's seat. */
function joinLine({ seat, join }) {
  return h("div", { class: "join" },
    h("p", {}, `Seat ${seat} is for a program. Start it with this command; it contains the key of the seat, and only you see it:`),
    h("code", { "data-join-line": seat, tabindex: "0" }, join),
    copyButton("Copy the line", () => join));
}

function takeSeat(table, seated) {
  const name = nameField();
  const wrong = h("p", { class: "alert", role: "alert", hidden: true });
  const take = async (event) => {
    event.preventDefault();
    keepName(name.value);
    try {
      seated(await post(`/api/tables/${table.id}/join`, { name: name.value.trim() }));
    } catch (error) {
      wrong.textContent = error.message;
      wrong.hidden = false;
    }
  };
  return h("form", { class: "row", onsubmit: take }, labelled("Your name", name), h("button", {}, "Take a seat"), wrong);
}

/**
 * @param {any} table @param {import("./storage.js").Kept} kept
 * @param {(seated: any) => void} seated  called when a seat was taken here
 */
export function waitingRoom(table, kept, seated) {
  const seats = new Seats(table.seats, kept.seat ?? null, null);
  seats.show({ to_move: null, scores: null, doing: table.seats.map((seat) => (seat.taken ? "waiting" : "empty")) });
  const free = table.seats.filter((seat) => seat.kind === "open" && !seat.taken);
  const link = `${location.origin}/#table=${table.id}`;
  const leave = async () => {
    await post(`/api/tables/${table.id}/resign`, {}, kept.token).catch(() => {});
    dropSeat(table.id);
    location.hash = "";
  };
  return h("section", { class: "waiting" },
    h("h1", { tabindex: "-1" }, `${table.game}: waiting for players`),
    h("p", { class: "status" }, `Clock: ${clockWords(table.clock)}. The match begins when every seat is taken.`),
    seats.element,
    free.length && !kept.token ? takeSeat(table, seated) : null,
    free.length ? h("div", { class: "join" },
      h("p", {}, "Anybody with this link can take a seat:"),
      h("code", { tabindex: "0", "data-link-line": true }, link), copyButton("Copy the link", () => link)) : null,
    ...(kept.remotes ?? []).map(joinLine),
    kept.token ? h("button", { type: "button", class: "quiet", onclick: leave }, "Leave") : null);
}
