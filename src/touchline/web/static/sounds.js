/**
 * Sounds of our own, made by WebAudio, and short vibrations. They are off until somebody switches them on; a device
 * that asks for less motion does not vibrate.
 */

import { h, mark } from "./dom.js";

const KEPT = "touchline.sound";
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * A sound is a few notes: frequency at the start and at the end in hertz, when it begins and how long it lasts in
 * seconds, how loud it is, and its wave (`noise` is a splash).
 * @type {Record<string, Array<[number, number, number, number, number, string]>>}
 */
const NOTES = {
  move: [[210, 120, 0, 0.09, 0.5, "triangle"], [900, 300, 0, 0.03, 0.12, "noise"]],
  capture: [[150, 60, 0, 0.16, 0.6, "triangle"], [1400, 200, 0, 0.22, 0.35, "noise"]],
  turn: [[523, 523, 0, 0.12, 0.22, "sine"], [784, 784, 0.11, 0.2, 0.22, "sine"]],
  win: [[523, 523, 0, 0.16, 0.25, "sine"], [659, 659, 0.13, 0.16, 0.25, "sine"], [784, 784, 0.26, 0.16, 0.25, "sine"], [1047, 1047, 0.39, 0.5, 0.25, "sine"]],
  lose: [[392, 392, 0, 0.22, 0.22, "sine"], [311, 294, 0.2, 0.5, 0.22, "sine"]],
};
const BUZZ = { turn: [40], win: [40, 60, 80], lose: [120] };

/** @type {AudioContext | null} */
let audio = null;

export const soundIsOn = () => localStorage.getItem(KEPT) === "on";

/** Half a second of noise. @param {AudioContext} context */
function noise(context) {
  const buffer = context.createBuffer(1, context.sampleRate / 2, context.sampleRate);
  buffer.getChannelData(0).forEach((_, at, data) => (data[at] = Math.random() * 2 - 1));
  return Object.assign(context.createBufferSource(), { buffer });
}

function note(context, [from, to, begin, length, loud, wave]) {
  const start = context.currentTime + begin;
  const gain = context.createGain();
  gain.gain.setValueAtTime(0.0001, start);
  gain.gain.exponentialRampToValueAtTime(loud * 0.4, start + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
  const filter = wave === "noise" ? Object.assign(context.createBiquadFilter(), { type: "bandpass" }) : null;
  const source = filter ? noise(context) : Object.assign(context.createOscillator(), { type: wave });
  const pitch = (filter ?? source).frequency;
  pitch.setValueAtTime(from, start);
  pitch.exponentialRampToValueAtTime(to, start + length);
  (filter ? source.connect(filter) : source).connect(gain).connect(context.destination);
  source.start(start);
  source.stop(start + length);
}

/** Play a sound, if they are switched on. @param {"move" | "capture" | "turn" | "win" | "lose"} name */
export function sound(name) {
  if (!soundIsOn()) return;
  if (!calm.matches) navigator.vibrate?.(BUZZ[name] ?? []);
  if (typeof AudioContext === "undefined") return;
  audio ??= new AudioContext();
  audio.resume().then(() => NOTES[name].forEach((one) => note(audio, one)), () => {});
}

/** The switch of the header. */
export function soundSwitch() {
  const button = h("button", { type: "button", class: "quiet", "data-sound": true, onclick: () => {
    localStorage.setItem(KEPT, soundIsOn() ? "off" : "on");
    show();
    sound("move");
  } });
  const show = () => {
    mark(button, "aria-pressed", String(soundIsOn()));
    button.textContent = soundIsOn() ? "Sound on" : "Sound off";
    button.title = soundIsOn() ? "Sounds are on: switch them off" : "Sounds are off: switch them on";
  };
  show();
  return button;
}

// -- notifications --

/** Whether this browser can tell a person in another tab, and has not been asked yet. */
const askable = () => isSecureContext && "Notification" in globalThis && Notification.permission === "default";

/** A button that asks for the permission to notify; it hides once there is an answer. */
export function notifyButton() {
  const button = h("button", { type: "button", class: "quiet", hidden: !askable(), title: "Tell me in another tab when it is my turn" }, "Notify me");
  button.addEventListener("click", async () => {
    await Notification.requestPermission();
    button.hidden = !askable();
  });
  return button;
}

/** Tell a person in another tab that it is their turn. @param {string} title @param {string} body @param {string} tag */
export function notify(title, body, tag) {
  if (!document.hidden || !("Notification" in globalThis) || Notification.permission !== "granted") return;
  try {
    const told = new Notification(title, { body, tag, icon: "/static/icon.svg" });
    told.onclick = () => {
      window.focus();
      told.close();
    };
  } catch {
    // Browsers of phones notify from a service worker only; the dot in the title remains.
  }
}
