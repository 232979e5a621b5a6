/** A line chart in the colours of the seats, with a cursor that can be set and picked. */

import { h, s } from "./dom.js";
import { sheets } from "./game_art.js";

/**
 * @typedef {{name: string, colour?: number, points: Array<[number, number]>, band?: Array<[number, number, number]>}} Series
 * @typedef {{title: string, xLabel: string, yRange?: [number, number], yText?: (y: number) => string, game?: string, wide?: number,
 *            marks?: Array<[number, number]>, pick?: (x: number) => void}} Look  `game` gives the seats their colours
 */

/** The margins of a chart, and its height. */
const [HIGH, LEFT, RIGHT, TOP, BOTTOM] = [220, 52, 12, 12, 40];
const DASHES = ["", "7 4", "2 3"];

/** The smallest of 1, 2, 5, 10, 20 ... that is at least `least`. */
function step(least) {
  const power = 10 ** Math.floor(Math.log10(least || 1));
  return [1, 2, 5, 10].map((lead) => lead * power).find((round) => round >= least * 0.999) ?? power * 10;
}

function axis(low, high, start, end, count) {
  const [from, to] = low === high ? [low - 1, high + 1] : [low, high];
  const by = step((to - from) / count);
  const ticks = [];
  for (let tick = Math.ceil(from / by - 1e-9) * by; tick <= to + by * 1e-6; tick += by) ticks.push(Number(tick.toPrecision(12)));
  const share = (end - start) / (to - from);
  return { at: (value) => start + (value - from) * share, back: (pixel) => from + (pixel - start) / share, ticks };
}

const line = (pixels) => `M${pixels.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`;

/** The chart in words, for a screen reader. @param {Series[]} series */
function inWords(series, look) {
  const ends = ({ name, points }) => `${name}: from ${points[0][1].toPrecision(3)} to ${points.at(-1)[1].toPrecision(3)}`;
  return `${look.title}, by ${look.xLabel}. ${series.filter((one) => one.points.length).map(ends).join("; ")}`;
}

/** The colour and dashes of a series, for its line and in the legend alike. */
const styleOf = (one, at) => ({ class: `seat${(one.colour ?? at) % 6}`, "stroke-dasharray": DASHES[Math.floor(at / 6) % 3] || null });

/** A line with a casing, which is seen on any ground. @param {string} d */
const cased = (one, at, d) => s("g", styleOf(one, at), s("path", { class: "casing", d }), s("path", { class: "line", d }));

/** @param {Series[]} series @param {Look} look @returns {{element: HTMLElement, point: (x: number) => void}} */
export function lineChart(series, look) {
  const { wide = 720, game = "common" } = look;
  sheets(game === "common" ? undefined : game); // they have the colours of the seats
  const xs = series.flatMap((one) => one.points.map(([x]) => x));
  const ys = series.flatMap((one) => [...one.points.map(([, y]) => y), ...(one.band ?? []).flatMap(([, low, high]) => [low, high])]);
  const [low, high] = look.yRange ?? [Math.min(...ys), Math.max(...ys)];
  const x = axis(Math.min(...xs, Infinity), Math.max(...xs, -Infinity), LEFT, wide - RIGHT, wide / 90);
  const y = axis(low, high, HIGH - BOTTOM, TOP, 4);
  const pixels = (points) => points.map(([px, py]) => [x.at(px), y.at(py)]);
  const drawn = series.flatMap((one, at) => {
    const band = one.band ?? [];
    const edge = [...pixels(band), ...pixels(band.map(([bx, , top]) => [bx, top])).reverse()];
    return [
      edge.length && s("path", { class: `band ${styleOf(one, at).class}`, d: `${line(edge)}Z` }),
      one.points.length && cased(one, at, line(pixels(one.points))),
    ].filter(Boolean);
  });
  const marks = (look.marks ?? []).map(([mx, my]) => s("circle", { class: "mark", cx: x.at(mx), cy: y.at(my), r: 6 }));
  const cursor = s("path", { class: "cursor", d: `M0 ${TOP}V${HIGH - BOTTOM}`, visibility: "hidden" });
  const worded = look.yText ?? String;
  const picture = s("svg", { class: "chart", viewBox: `0 0 ${wide} ${HIGH}`, role: "img", "aria-label": inWords(series, look) },
    ...y.ticks.map((tick) => s("path", { class: "rule", d: `M${LEFT} ${y.at(tick)}H${wide - RIGHT}` })),
    ...y.ticks.map((tick) => s("text", { class: "end", x: LEFT - 7, y: y.at(tick) + 4 }, worded(tick))),
    ...x.ticks.map((tick) => s("text", { class: "mid", x: x.at(tick), y: HIGH - BOTTOM + 18 }, tick)),
    s("text", { class: "mid", x: (LEFT + wide) / 2, y: HIGH - 2 }, look.xLabel), ...drawn, ...marks, cursor);
  if (look.pick) {
    picture.classList.add("pickable");
    picture.addEventListener("click", (event) => {
      const { left, width } = picture.getBoundingClientRect();
      look.pick(Math.round(x.back(((event.clientX - left) / width) * wide)));
    });
  }
  const sample = (one, at) => s("svg", { class: "sample", viewBox: "0 0 34 12", "aria-hidden": "true" }, cased(one, at, "M2 6H32"));
  const legend = h("ul", { class: "legend" }, ...series.map((one, at) => h("li", {}, sample(one, at), one.name)));
  return {
    element: h("figure", { class: `graph ${game}` }, h("figcaption", {}, look.title), legend, picture),
    point(value) {
      cursor.setAttribute("transform", `translate(${x.at(value).toFixed(1)} 0)`);
      cursor.setAttribute("visibility", "visible");
    },
  };
}

/** A rating with its error bar. @param {{value: number, low: number, high: number}} rating */
export function errorBar({ value, low, high }, least, most) {
  const at = (rating) => (8 + (184 * (rating - least)) / Math.max(1e-9, most - least)).toFixed(1);
  return s("svg", { class: "errorbar", viewBox: "0 0 200 18", role: "img", "aria-label": `between ${Math.round(low)} and ${Math.round(high)}` },
    s("path", { class: "whisker", d: `M${at(low)} 9H${at(high)}` }),
    s("circle", { class: "dot", cx: at(value), cy: 9, r: 4.5 }));
}
