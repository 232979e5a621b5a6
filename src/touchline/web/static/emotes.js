/** Emotes instead of a chat: eight short words that a seat can say, and a switch for those who want none. */

import { h } from "./dom.js";

const WORDS = {
  wave: "Hello!",
  thanks: "Thanks!",
  nice: "Nice move!",
  oops: "Oops!",
  thinking: "Hmm …",
  hurry: "Your move?",
  laugh: "Ha ha!",
  gg: "Good game!",
};
const MUTED = "touchline.muted";
const REST = 1500;

export const isMuted = () => localStorage.getItem(MUTED) === "yes";

/** The words of an emote. @param {string} emote */
export const emoteWords = (emote) => WORDS[emote] ?? emote;

/** The palette. @param {((emote: string) => void) | null} send  null for spectators, who can only mute */
export function emotes(send) {
  const buttons = Object.entries(WORDS).map(([emote, words]) =>
    h("button", { type: "button", class: "quiet", "data-say": emote, onclick: () => {
      send(emote);
      part.open = false;
      buttons.forEach((button) => (button.disabled = true)); // the server takes a few in a while
      setTimeout(() => buttons.forEach((button) => (button.disabled = false)), REST);
    } }, words));
  const mute = h("input", { type: "checkbox", checked: isMuted(), onchange: () => localStorage.setItem(MUTED, mute.checked ? "yes" : "no") });
  const part = h("details", { class: "emotes", name: "act" }, h("summary", { class: "button quiet" }, "Say"),
    h("div", { class: "palette", role: "group", "aria-label": "Say" }, ...(send ? buttons : []), h("label", { class: "mute" }, mute, " Show no words of others")));
  part.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    part.open = false;
    part.firstChild.focus();
  });
  return part;
}
