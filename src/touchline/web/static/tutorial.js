/** The tutorial of a game: a few steps on a live board, each of which wants a move. */

import { get } from "./api.js";
import { artOf } from "./game_art.js";
import { Board } from "./board.js";
import { announce, clear, confirmed, h, mark, say } from "./dom.js";
import { titleOf } from "./levels.js";
import { Picker } from "./picker.js";
import { firstGame, offerOf } from "./rules.js";
import { byKey } from "./spots.js";

class Tutorial {
  /** @param {any} game @param {string} path of the tutorial @param {any[]} steps */
  constructor(game, path, steps) {
    this.game = game;
    this.path = path;
    this.steps = steps;
    this.at = 0;
    this.solved = false;
    this.heading = h("h2", { tabindex: "-1" });
    this.text = h("p", { class: "lesson" });
    this.told = h("p", { class: "told", role: "status" });
    this.wrong = h("p", { class: "alert", role: "alert", hidden: true });
    this.progress = h("ol", { class: "progress", "aria-label": "Steps" }, ...steps.map(({ title }, at) => h("li", { title }, h("span", { class: "unseen" }, `Step ${at + 1}: ${title}`))));
    const button = (text, act, how = "quiet") => h("button", { type: "button", class: how, onclick: act }, text);
    this.back = button("Back", () => this.go(this.at - 1));
    this.next = button("Next", () => this.go(this.at + 1), "");
    this.again = button("Try again", () => this.go(this.at));
    this.play = firstGame(game, "Play your first game", this.wrong);
    this.stage = h("div", { class: "stage" });
    this.element = h("main", { "data-page": "tutorial", "data-game": game.name, class: "tutorial" },
      h("header", { class: "row spread" }, h("h1", { tabindex: "-1" }, `Learn ${titleOf(game)}`), this.progress, h("a", { class: "button quiet", href: "#" }, "Leave")),
      this.stage,
      h("section", { class: "panel", "aria-label": "This step" }, this.heading, this.text, this.told, this.wrong,
        h("div", { class: "row" }, this.next, this.play, this.again, this.back)));
  }

  async begin() {
    const { position } = this.steps[0];
    this.art = await artOf(this.game.name, position.spots, position.backdrop);
    this.picker = new Picker(this.art);
    await this.go(0);
  }

  get step() {
    return this.steps[this.at];
  }

  /** Show a step. @param {number} at */
  async go(at) {
    const moved = at !== this.at;
    this.at = at;
    const { title, text, position } = this.step;
    this.solved = false;
    this.board = new Board(this.game.name, this.art, {
      names: ["You", "Pip", "Kim", "Bo"], seat: 0, confirm: confirmed, pick: (key) => this.pick(key), back: () => this.takeBack(),
      shortcut: this.art.shortcut && { key: this.art.shortcut.key, act: () => this.pick(this.art.shortcut.next(this.picker.path)) },
    });
    clear(this.stage, this.board.element);
    this.board.show(byKey(position.spots), { animate: false });
    this.picker.offer(position.legal);
    say(this.heading, title);
    say(this.text, text);
    this.tell("", "");
    mark(this.element, "data-step", at + 1);
    [...this.progress.children].forEach((dot, n) => mark(dot, "aria-current", n === at ? "step" : null));
    this.back.hidden = at === 0;
    this.show();
    if (moved) this.heading.focus();
    announce(`Step ${at + 1} of ${this.steps.length}: ${title}. ${text}`);
  }

  show() {
    const last = this.at === this.steps.length - 1;
    mark(this.element, "data-solved", this.solved);
    this.next.hidden = last || !this.solved;
    this.play.hidden = !last || !this.solved;
    this.again.hidden = !this.solved;
    this.board.preview(this.solved ? [] : this.picker.path);
    this.board.offer({ options: this.solved ? new Map() : this.picker.options(), path: this.solved ? [] : this.picker.path });
  }

  tell(kind, text) {
    mark(this.told, "data-kind", kind || null);
    say(this.told, text);
  }

  pick(key) {
    if (this.solved) return;
    const choice = this.picker.pick(key);
    if (choice !== null) this.judge(choice);
    else this.show();
  }

  takeBack() {
    if (!this.solved && this.picker.back()) this.show();
  }

  /** The spots after a wanted move; the server tells those of another than the first. @param {number} choice */
  async after(choice) {
    const { wanted, after } = this.step;
    return choice === wanted[0] ? after : (await get(`${this.path}/after?step=${this.at}&move=${choice}`)).spots;
  }

  /** Go on after a wanted move; after another, say a kind word and let the person try again. */
  async judge(choice) {
    const { wanted, position, right, wrong } = this.step;
    this.solved = wanted.includes(choice);
    const after = this.solved && (await this.after(choice));
    this.picker.offer(this.solved ? [] : position.legal);
    if (this.solved) {
      this.board.offer({ options: new Map(), path: [] });
      this.board.show(byKey(after), { keys: position.legal[choice] });
    }
    this.tell(this.solved ? "right" : "wrong", this.solved ? right : wrong);
    this.show();
    if (this.solved) (this.next.hidden ? this.play : this.next).focus();
  }
}

/** @param {URLSearchParams} said @returns {Promise<import("./app.js").Page>} */
export async function tutorialPage(said) {
  const game = await offerOf(said.get("tutorial"));
  const path = `/api/games/${encodeURIComponent(game.name)}/tutorial`;
  const { steps } = await get(path);
  if (!steps.length) throw new Error(`${titleOf(game)} has no tutorial yet.`);
  const tutorial = new Tutorial(game, path, steps);
  await tutorial.begin();
  return { element: tutorial.element, title: `Learn ${titleOf(game)}`, moved: () => true };
}
