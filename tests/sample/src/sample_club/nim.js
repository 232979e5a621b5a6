import { s } from "/static/dom.js";

export const art = {
  ground: (spot) => [s("circle", { class: "heap", r: 40 }), s("text", { class: "label" }, spot.label)],
  advice: "Pick a heap, then the number of stones to take.",
};

export const style = `.heap { fill: light-dark(#c9b38f, #6d6153); }`;
