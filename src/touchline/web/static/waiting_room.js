/** A table before its match: who is here, whom it waits for, and how they can come. */

import { get, post } from "./api.js";
import { clear, copyButton, disclosure, h, labelled } from "./dom.js";
import { titleOf } from "./levels.js";
import { rulesPanel } from "./rules.js";
import { dropSeat, keepName, myName } from "./storage.js";
import { Seats } from "./seats.js";
import { clockWords } from "./terms.js";

/** The command lines for the seats of programs. */
function programs(remotes) {
  return remotes.map(({ seat, join }) => h("div", { class: "join" },
    h("p", {}, "This seat is for a program. Start it with this command; it contains the key of the seat, and only you see it:"),
    h("code", { "data-join-line": seat, tabindex: "0" }, join),
    h("div", {}, copyButton("Copy the line", () => join))));
}

function takeSeat(table, seated) {
  const name = h("input", { type: "text", value: myName(), maxlength: 32, required: true, autocomplete: "nickname" });
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
  return h("form", { class: "panel", onsubmit: take }, h("h2", {}, "There is a seat for you"),
    h("div", { class: "row" }, labelled("Your name", name), h("button", {}, "Take a seat")), wrong);
}

/** What the server says about links to a table; asked once. @type {Map<string, Promise<any>>} */
const invitations = new Map();

/** @returns {Promise<{links: Array<{url: string, where: string}>, reachable: boolean, advice: string}>} */
function invited(id) {
  if (!invitations.has(id)) invitations.set(id, get(`/api/invitation?table=${encodeURIComponent(id)}`));
  return invitations.get(id);
}

/** How friends come to this table: a link, its picture for a phone, and buttons. */
function invitation(table) {
  const part = h("section", { class: "panel invitation", "aria-label": "Invitation", "aria-busy": "true" }, h("h2", {}, "Invite a friend"), h("p", { class: "faint" }, "Making a link …"));
  const fill = (...content) => {
    part.removeAttribute("aria-busy");
    clear(part, h("h2", {}, "Invite a friend"), ...content);
  };
  invited(table.id).then(({ links, reachable, advice }) => {
    const { url } = links.find(({ where }) => where === "your network") ?? links[0];
    const share = () => navigator.share({ title: "Touchline", text: `Play ${titleOf({ name: table.game })} with me`, url }).catch(() => {});
    fill(
      h("img", { class: "qr", width: 192, height: 192, alt: "QR code of the link below", src: `/api/tables/${table.id}/qr.svg?url=${encodeURIComponent(url)}` }),
      h("div", { class: "stack" },
        reachable ? h("p", {}, "Send this link, or let a phone read the code. Whoever opens it can sit down.") : h("p", { class: "alert" }, advice),
        h("code", { tabindex: "0", "data-link-line": true }, url),
        h("div", { class: "row" }, copyButton("Copy the link", () => url), "share" in navigator && h("button", { type: "button", class: "quiet", onclick: share }, "Share"))));
  }).catch((error) => {
    invitations.delete(table.id);
    fill(h("p", {}, `There is no link yet. ${error.message}`));
  });
  return part;
}

/**
 * @param {any} table @param {import("./storage.js").Kept} kept
 * @param {(seated: any) => void} seated  called when a seat was taken here
 */
export function waitingRoom(table, kept, seated) {
  const seats = new Seats(table.seats, kept.seat ?? null, null, table.game);
  seats.show({ to_move: null, scores: null, doing: table.seats.map((seat) => (seat.taken ? "waiting" : "empty")) });
  const free = table.seats.filter((seat) => seat.kind === "open" && !seat.taken).length;
  const remotes = kept.remotes ?? [];
  const leave = async () => {
    await post(`/api/tables/${table.id}/resign`, {}, kept.token).catch(() => {});
    dropSeat(table.id);
    location.hash = "";
  };
  const whom = free ? (free === 1 ? "one more player" : `${free} more players`) : "the programs";
  return h("section", { class: "waiting" },
    h("header", {}, h("h1", { tabindex: "-1" }, `${titleOf({ name: table.game })}: waiting for ${whom}`),
      h("p", { class: "status" }, `The match begins when every seat is taken. ${table.clock ? `Clock: ${clockWords(table.clock)}.` : "There is no clock: take your time."}`)),
    h("div", { class: "stack" }, seats.element,
      free && !kept.token ? takeSeat(table, seated) : null,
      remotes.length > 0 && (free ? disclosure(remotes.length === 1 ? "The seat for a program" : "The seats for programs", ...programs(remotes)) : h("div", { class: "panel" }, ...programs(remotes)))),
    free ? invitation(table) : null,
    h("div", { class: "stack" }, rulesPanel(table.game, true), kept.token ? h("div", {}, h("button", { type: "button", class: "quiet", onclick: leave }, "Leave")) : null));
}
