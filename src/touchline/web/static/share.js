/** Sharing a finished game: the picture, the link, and films to take along. */

import { copyButton, h } from "./dom.js";

/** The places of a record. @param {string} id */
export function placesOf(id) {
  const api = `/api/records/${encodeURIComponent(id)}`;
  return { link: `${location.origin}/r/${encodeURIComponent(id)}`, card: `${api}/card.png`, gif: `${api}/gif`, webp: `${api}/webp`, record: api };
}

/** A link that saves a file. */
const saved = (text, href, name) => h("a", { class: "button quiet", href, download: name }, text);

/** Open the dialog. @param {string} id @param {string} words  what happened, for a message */
export function share(id, words) {
  const { link, card, gif, webp } = placesOf(id);
  const send = h("button", { type: "button", hidden: !navigator.share, onclick: () => navigator.share({ title: "Touchline", text: words, url: link }).catch(() => {}) }, "Send to …");
  const picture = h("img", { class: "sharecard", src: card, alt: words, width: 1200, height: 630, onerror: () => (picture.hidden = true) });
  const dialog = h("dialog", { class: "sharing", "aria-label": "Share this game" },
    h("h2", {}, "Share this game"), picture,
    h("code", { tabindex: "0", "data-share-link": true }, link),
    h("div", { class: "row" }, copyButton("Copy the link", () => link), send,
      saved("Picture (PNG)", card, `${id}.png`), saved("Film (GIF)", gif, `${id}.gif`), saved("Film (WebP)", webp, `${id}.webp`)),
    h("form", { method: "dialog", class: "row end" }, h("button", { class: "quiet" }, "Close")));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
