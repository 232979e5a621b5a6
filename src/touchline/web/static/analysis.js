/** How a game went, as an all-seeing house player sees it: the chart, the decisive moment, and the worst moves. */

import { get } from "./api.js";
import { lineChart } from "./chart.js";
import { clear, h, say } from "./dom.js";

/** Between two questions how far the analysis has come, in milliseconds. */
const PAUSE = 700;
const percent = (share) => `${Math.round(100 * share)} %`;

/** The worst moves of some seats, each a link to its place in the replay. */
function worstMoves(record, worst, names, mine) {
  const item = ({ seat, turn, n, loss, played, better }) => h("li", {},
    h("a", { href: `#record=${encodeURIComponent(record)}&n=${n}`, "data-worst": n },
      h("span", { class: "nth", "aria-label": `turn ${turn}` }, turn),
      h("span", { class: "words" }, h("b", {}, `${mine.length === 1 ? "You" : names[seat]} ${played}`), better && h("small", {}, `Better: ${better}`)),
      h("span", { class: "loss" }, `−${percent(loss)}`)));
  return h("ol", { class: "worst" }, ...worst.map(item));
}

export class Analysis {
  /**
   * @param {{id: string, game: string, names: string[]}} record @param {number[]} mine  seats; empty for spectators
   * @param {{pick?: (turn: number) => void}} [to]
   */
  constructor(record, mine, to = {}) {
    Object.assign(this, { record, mine, to });
    this.stop = new AbortController();
    this.button = h("button", { type: "button", class: "quiet", onclick: () => this.run() }, "Analyse");
    this.progress = h("p", { class: "looking", role: "status", hidden: true }, h("progress", { "aria-label": "Analysis" }), h("span", {}, "Looking at every position …"));
    this.element = h("section", { class: `analysis ${record.game}`, "data-analysis": true }, this.progress);
    /** @type {{point: (x: number) => void} | null} */
    this.chart = null;
    this.timer = 0;
  }

  /** Begin by itself after a moment; whatever goes wrong is quiet then. */
  soon(wait) {
    this.timer = setTimeout(() => this.run(true), wait);
  }

  async run(quiet = false) {
    clearTimeout(this.timer);
    this.button.disabled = true;
    this.progress.hidden = false;
    const path = `/api/records/${encodeURIComponent(this.record.id)}/analysis`;
    const asking = setInterval(() => get(`${path}/progress`).then((far) => this.tell(far), () => {}), PAUSE);
    try {
      const told = await get(path, "", { quiet, signal: this.stop.signal });
      if (!told.values.length) throw new Error("There is no move to look at.");
      this.show(told);
    } catch (error) {
      if (this.stop.signal.aborted) return;
      this.button.disabled = false;
      if (quiet) clear(this.element, this.button);
      else clear(this.element, this.progress, h("p", { class: "alert", role: "alert" }, error.message));
    } finally {
      clearInterval(asking);
      this.progress.hidden = true;
    }
  }

  /** Say how far the analysis has come. @param {{looked: number, of: number, text: string}} far */
  tell({ looked, of, text }) {
    if (!text) return;
    const [bar, words] = this.progress.children;
    if (of) Object.assign(bar, { max: of, value: looked });
    else bar.removeAttribute("value");
    say(words, `${text} …`);
  }

  show({ values, worst = [], decisive = null }) {
    const { names, game, id } = this.record;
    const at = new Map(values.map((value) => [value.turn, value.values]));
    // The chances of two mirror each other: one line says it all.
    const lines = names.length === 2 ? [this.mine[0] ?? 0] : names.map((_, seat) => seat);
    const series = lines.map((seat) => ({
      name: this.mine.includes(seat) ? "Your chances" : lines.length > 1 ? names[seat] : `The chances of ${names[seat]}`,
      colour: seat, points: values.map((value) => [value.turn, value.values[seat]]),
      band: lines.length > 1 ? [] : values.map((value) => [value.turn, Math.min(0.5, value.values[seat]), Math.max(0.5, value.values[seat])]),
    }));
    const seen = this.mine.length ? worst.filter(({ seat }) => this.mine.includes(seat)) : worst;
    const chart = lineChart(series, {
      title: "How it went", xLabel: "turn", yRange: [0, 1], yText: percent, game, wide: 400, pick: this.to.pick,
      marks: seen.filter(({ turn }) => at.has(turn)).map(({ turn, seat }) => [turn, at.get(turn)[lines.includes(seat) ? seat : lines[0]]]),
    });
    this.chart = chart;
    const place = (n) => `#record=${encodeURIComponent(id)}&n=${n}`;
    clear(this.element, chart.element,
      decisive && h("p", { class: "decisive" }, h("a", { href: place(decisive.n), "data-decisive": true }, `The decisive moment: turn ${decisive.turn}.`), ` ${decisive.text}`),
      seen.length ? h("h2", {}, this.mine.length ? "Your worst moves" : "The worst moves") : null,
      seen.length ? worstMoves(id, seen, names, this.mine) : null);
    this.button.hidden = true;
    this.to.shown?.();
  }

  close() {
    clearTimeout(this.timer);
    this.stop.abort();
  }
}
