/**
 * The client of the server's API, which docs/api.md describes: requests, and live connections.
 *
 * A live connection that breaks is reconnected: the first time at once, then with exponential backoff. A gap in `seq`
 * means a lost line: then the client reconnects, too, and gets a new snapshot.
 */

import { pageData } from "./addresses.js";
import { prompted } from "./dom.js";

const OURS = "Something went wrong on our side. Try again in a moment.";
const SILENT = "The server does not answer. Is this computer online?";

/** An error response of the server, with a sentence to show. */
export class Refused extends Error {
  /** @param {string} code @param {string} message @param {number} status */
  constructor(code, message, status) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/** Send a request; if it needs the server's key, ask for the key once, unless it is `quiet`. */
async function request(path, { quiet = false, ...options }, asked = quiet) {
  const key = localStorage.getItem("touchline.key") ?? "";
  const headers = { ...options.headers, "Touchline-Key": encodeURIComponent(key) };
  let response;
  try {
    response = await fetch(path, { credentials: "omit", ...options, headers });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused("offline", SILENT, 0);
  }
  if (response.ok) return response;
  const told = await response.json().catch(() => ({}));
  const given = told.error === "no_key" && !asked && (await prompted("This server has a key", "Key", key, { autocomplete: "off" }, "Whoever runs the server knows it."));
  if (given) {
    localStorage.setItem("touchline.key", given);
    return request(path, options, true);
  }
  throw new Refused(told.error ?? "broken", told.message ?? OURS, response.status);
}

const bearer = (token) => (token ? { Authorization: `Bearer ${token}` } : {});

/** @param {{quiet?: boolean, signal?: AbortSignal}} [how] @returns {Promise<any>} */
export async function get(path, token = "", how = {}) {
  return (await request(path, { headers: bearer(token), ...how })).json();
}

/** @returns {Promise<any>} */
export async function post(path, body, token = "") {
  const headers = { "Content-Type": "application/json", ...bearer(token) };
  return (await request(path, { method: "POST", headers, body: JSON.stringify(body) })).json();
}

/** The values of a newline-delimited JSON response. @returns {Promise<any[]>} */
export async function lines(path) {
  const text = await (await request(path, {})).text();
  return text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
}

/** Upload a record. @param {Blob} file */
export async function dropRecord(file) {
  const headers = { "Content-Type": "application/x-ndjson" };
  return (await (await request("/api/records", { method: "POST", headers, body: file })).json()).record;
}

/** @type {Promise<any> | null} */
let games = null;

/** The catalogue of games: from the page if it has it, else requested once. */
export function offers() {
  const known = games ? null : pageData("catalogue");
  games ??= (known ? Promise.resolve(known) : get("/api/games")).catch((error) => {
    games = null;
    throw error;
  });
  return games;
}

export function forget() {
  games = null;
}

const FINAL = { 1000: "over", 4400: "bad", 4401: "no_seat", 4404: "missing", 4409: "taken", 4410: "closed" };

/** Pauses between two attempts to reconnect, in milliseconds: a server that restarts is back soon. */
const [SHORTEST, LONGEST] = [250, 5000];

/** A WebSocket that reconnects. */
export class Live {
  /**
   * @param {string} path
   * @param {object | null} first  the first message
   * @param {{line: (line: any) => void, state: (state: string, message: string, record?: string | null) => void}} to  `state` is
   *   live, lost (and reconnecting), over, bad, no_seat, missing, gone (with its record, if it has one), taken or closed
   */
  constructor(path, first, to) {
    this.path = path;
    this.first = first;
    this.to = to;
    this.tries = 0;
    this.seq = -1;
    /** Why the server hangs up, in its own line. @type {any} */
    this.error = {};
    this.again = 0;
    this.ended = new AbortController();
    const { signal } = this.ended;
    const retry = () => document.visibilityState === "visible" && this.again && this.open();
    addEventListener("online", retry, { signal });
    document.addEventListener("visibilitychange", retry, { signal });
    // A socket without a network stays open for minutes; the browser knows at once.
    addEventListener("offline", () => this.socket && this.drop(), { signal });
    this.open();
  }

  open() {
    clearTimeout(this.again);
    this.again = 0;
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${this.path}`);
    this.socket = socket;
    socket.addEventListener("open", () => this.first && socket.send(JSON.stringify(this.first)));
    socket.addEventListener("message", (event) => socket === this.socket && this.heard(JSON.parse(event.data)));
    socket.addEventListener("close", (event) => socket === this.socket && this.closed(event.code));
  }

  /** Send a message. @param {object} message @returns {boolean} false if there is no open connection */
  send(message) {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  heard(line) {
    if (line.type === "error") {
      this.error = line;
      return;
    }
    if (this.tries || this.seq < 0) this.to.state("live", "");
    this.tries = 0;
    if (line.type === "update" && line.seq !== this.seq + 1) {
      this.drop();
      return;
    }
    this.seq = line.seq ?? Math.max(this.seq, 0);
    this.to.line(line);
  }

  /** Give this connection up, and make a new one. */
  drop() {
    const socket = this.socket;
    this.closed(1006);
    socket.close();
  }

  closed(code) {
    this.socket = null;
    const { error, message = "", record = null } = this.error;
    const end = error === "gone" ? error : FINAL[code];
    if (end) {
      this.to.state(end, message, record);
      return;
    }
    const wait = Math.min(LONGEST, SHORTEST * 2 ** this.tries++) * (0.75 + Math.random() / 4);
    this.to.state("lost", code === 4408 ? "this browser did not keep up" : "");
    this.again = setTimeout(() => this.open(), wait);
  }

  close() {
    clearTimeout(this.again);
    this.again = 0;
    this.ended.abort();
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  }
}

/**
 * Call `changed` with the last value of each batch of lines of a feed, until the signal; reconnect when it breaks off.
 * @param {string} path @param {(line: any) => void} changed @param {AbortSignal} signal
 */
export async function follow(path, changed, signal) {
  while (!signal.aborted) {
    try {
      const reader = (await fetch(path, { signal, credentials: "omit" })).body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = "";
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        const lines = (rest + read.value).split("\n");
        rest = lines.pop();
        const last = lines.findLast(Boolean); // a lone newline is a heartbeat
        if (last) changed(JSON.parse(last));
      }
    } catch {
      if (signal.aborted) return;
    }
    await new Promise((resolve) => setTimeout(resolve, 2000));
  }
}
