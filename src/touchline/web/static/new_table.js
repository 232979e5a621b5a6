/** Make a table: with one click, or with a dialog. */

import { offers, post } from "./api.js";
import { clear, disclosure, h, labelled, segmented, select } from "./dom.js";
import { levelWord, levelsOf, titleOf } from "./levels.js";
import { keepName, keepSeat, myName } from "./storage.js";

/** Make a table, store its tokens, and go there. @param {any} wanted what POST /api/tables takes */
export async function seatAt(wanted) {
  const made = await post("/api/tables", wanted);
  const mine = made.seats.filter((ticket) => ticket.kind === "me").map(({ seat, token }) => ({ seat, token }));
  const remotes = made.seats.filter((ticket) => ticket.join).map(({ seat, join }) => ({ seat, join }));
  if (mine.length || remotes.length) {
    keepSeat(made.table.id, { ...mine[0], seats: mine.length > 1 ? mine : undefined, wanted: mine.length ? wanted : undefined, remotes });
  }
  location.hash = `table=${made.table.id}`;
}

const others = (game, seat) => Array.from({ length: game.least - 1 }, () => seat);
const table = (game, seats) => seatAt({ game: game.name, clock: null, seats: [{ kind: "me", name: myName() }, ...seats] });

/** Make a table of one person against a level. @param {any} game @param {{seat: object}} level */
export const againstHouse = (game, level) => table(game, others(game, level.seat));

/** Make a table with an open seat for a friend. @param {any} game */
export const withFriend = (game) => table(game, others(game, { kind: "open" }));

/** Make a table for two people at this screen. @param {any} game */
export const atOneScreen = (game) => table(game, [{ kind: "me", name: guestName(1) }]);

/** A name for somebody else at this screen. @param {number} number */
const guestName = (number) => (number === 1 && myName() !== "Friend" ? "Friend" : `Friend ${number + 1}`);

const FRIEND = ["open", "A friend, by link"];
const PROGRAM = ["remote", "A program"];

/** One seat of the dialog: who plays it, and for experts which house player. */
class SeatField {
  /** @param {any} game @param {number} number from 0 @param {string} who @param {() => void} changed */
  constructor(game, number, who, changed) {
    this.game = game;
    this.levels = levelsOf(game);
    const levels = this.levels.map(({ level, name }) => [level, `${levelWord(level)}: ${name}`]);
    this.who = select([["me", number ? "Somebody here" : "Me"], FRIEND, ...levels, PROGRAM], who, { onchange: () => this.show(changed) });
    this.name = h("input", { type: "text", value: number ? guestName(number) : myName(), maxlength: 32, required: true, autocomplete: "nickname" });
    this.raw = select([["", "as chosen above"], ...game.house.map((offer, at) => [String(at), offer.label])], "", { onchange: () => this.show(changed) });
    this.about = h("small");
    this.element = h("div", { class: "chair" },
      labelled(`Player ${number + 1}`, this.who), labelled(number ? `Name of player ${number + 1}` : "My name", this.name), this.about);
    this.expert = labelled(`House player for player ${number + 1}`, this.raw);
    this.show();
  }

  get level() {
    return this.levels.find(({ level }) => level === this.who.value);
  }

  show(changed = () => {}) {
    const me = this.who.value === "me";
    this.name.disabled = !me;
    this.name.parentNode.hidden = !me;
    this.expert.hidden = !this.level;
    this.about.textContent = this.level ? (this.game.house[this.raw.value]?.about ?? this.level.about) : "";
    this.about.hidden = !this.level;
    changed();
  }

  wanted() {
    if (!this.level) return this.who.value === "me" ? { kind: "me", name: this.name.value.trim() } : { kind: this.who.value };
    if (!this.raw.value) return this.level.seat;
    const { player, options } = this.game.house[this.raw.value];
    return { kind: "house", player, options };
  }
}

/** A field for an option of a game; an unchanged field leaves the option out. */
function optionField(option) {
  const given = option.default === null ? "" : typeof option.default === "object" ? JSON.stringify(option.default) : String(option.default);
  let input;
  if (option.kind === "boolean") input = select([["true", "yes"], ["false", "no"]], given);
  else if (option.kind === "choice") input = select(option.choices.map((choice) => [String(choice), String(choice)]), given);
  else input = h("input", { type: option.kind === "integer" ? "number" : "text", value: given, min: option.least, max: option.most, spellcheck: "false" });
  const read = () => {
    if (input.value === given || input.value.trim() === "") return undefined;
    return option.kind === "text" || option.kind === "choice" ? input.value : JSON.parse(input.value);
  };
  return { name: option.name, read, element: labelled(option.name, input, option.about) };
}

/** Boards that are fun, rows and columns alike; the first is the game's own. */
const SIZES = { fish: [5, 4, 6, 8], hexapawn: [5, 3, 4, 6], labyrinth: [7, 5, 9, 11] };

const CLOCKS = {
  none: ["No clock", null, "Everybody takes the time they need."],
  relaxed: ["Relaxed", { seconds: 60, bank: 300, increment: 5 }, "A minute for each move, and five minutes in reserve."],
  quick: ["Quick", { seconds: 10, bank: 60, increment: 0 }, "Ten seconds for each move, and one minute in reserve."],
  own: ["My own", null, ""],
};

/** What a conduct does with somebody who is late, in words. */
function lateness(conduct) {
  const line = conduct.about.find((one) => one.startsWith("Too slow")) ?? "";
  if (line.includes("turn is lost")) return "They miss that turn if the game allows it; after a few in a row they are out";
  return line.includes("match is lost") ? "They lose the game" : "They are out, and the others play on";
}

class NewTableDialog {
  constructor({ games, conducts }, game) {
    this.games = games;
    const number = (value, least, most = 86400) => h("input", { type: "number", value, min: least, max: most, step: "any", required: true });
    this.game = select(games.map((one) => [one.name, titleOf(one)]), game || games[0].name, { onchange: () => this.choose() });
    this.tagline = h("p", { class: "faint" });
    this.count = h("div");
    this.chairs = h("div", { class: "chairs" });
    this.size = h("div");
    this.options = h("div", { class: "grid" });
    this.raw = h("div", { class: "grid" });
    this.clock = segmented("Clock", Object.entries(CLOCKS).map(([name, [text]]) => [name, text]), "none", () => this.clocked());
    [this.seconds, this.bank, this.increment] = [number(60, 0.1), number(0, 0), number(0, 0)];
    this.times = h("div", { class: "grid" },
      labelled("Seconds a move", this.seconds), labelled("Seconds in reserve", this.bank), labelled("Added by each move", this.increment));
    this.clockAbout = h("p", { class: "faint" });
    const ends = (one) => (one.about.some((line) => line.endsWith("has won")) ? 1 : 0); // nobody is left to play alone
    const words = new Map([...conducts].reverse().sort((a, b) => ends(a) - ends(b)).map((one) => [lateness(one), one.name]));
    const kindest = ([text]) => (text.includes("miss") ? 0 : 1);
    this.late = select([...words].reverse().sort((one, other) => kindest(one) - kindest(other)).map(([text, name]) => [name, text]), "");
    this.lateField = labelled("What if somebody is late?", this.late);
    this.conduct = select([["", "as chosen above"], ...conducts.map((one) => [one.name, one.name])], "", { onchange: () => this.costs(conducts) });
    this.costsList = h("ul", { class: "faint" });
    this.pace = number(0.5, 0, 10);
    this.wrong = h("p", { class: "alert", role: "alert", hidden: true });
    this.dialog = this.laidOut();
    this.choose();
    this.clocked();
  }

  laidOut() {
    const close = () => this.dialog.close();
    const form = h("form", { onsubmit: (event) => this.make(event) },
      h("header", { class: "row spread" }, h("h2", {}, "New table"), h("button", { type: "button", class: "quiet", onclick: close }, "Cancel")),
      h("div", { class: "body" },
        h("div", { class: "stack" }, labelled("Game", this.game), this.tagline),
        h("fieldset", {}, h("legend", {}, "Who plays, in this order"), this.count, this.chairs),
        this.size,
        h("fieldset", {}, h("legend", {}, "Clock"), this.clock.element, this.clockAbout, this.times, this.lateField),
        disclosure("Expert", h("div", { class: "stack" },
          h("h3", {}, "House players by name"), this.raw, labelled("House players take at least, in seconds", this.pace),
          h("h3", {}, "Options of the game"), this.options,
          h("h3", {}, "What offences cost"), labelled("Conduct", this.conduct), this.costsList))),
      h("footer", {}, this.wrong, h("button", {}, "Make the table")));
    const dialog = h("dialog", { "aria-label": "New table", class: "making" }, form);
    dialog.addEventListener("close", () => dialog.remove());
    return dialog;
  }

  /** Show the seats and options of the chosen game. */
  choose() {
    this.chosen = this.games.find((game) => game.name === this.game.value);
    const { least, most, options, name } = this.chosen;
    this.tagline.textContent = this.chosen.tagline;
    this.seated = [];
    const counts = Array.from({ length: most - least + 1 }, (_, at) => String(least + at));
    clear(this.count, most > least && segmented("How many play", counts.map((count) => [count, count]), counts[0], (count) => this.seat(Number(count))).element);
    this.seat(least);
    this.fields = options.map(optionField);
    clear(this.options, ...this.fields.map((field) => field.element));
    const sizes = SIZES[name]?.map((size) => [String(size), `${size} × ${size}`]) ?? [];
    this.board = sizes.length ? segmented("Board", sizes.sort((one, other) => one[0] - other[0]), String(SIZES[name][0])) : null;
    clear(this.size, this.board && h("fieldset", {}, h("legend", {}, "Board"), this.board.element));
  }

  /** Have this many seats. @param {number} count */
  seat(count) {
    const easiest = levelsOf(this.chosen)[0]?.level ?? "open";
    while (this.seated.length < count) this.seated.push(new SeatField(this.chosen, this.seated.length, this.seated.length ? easiest : "me", () => this.onlyMe()));
    this.seated.length = count;
    clear(this.chairs, ...this.seated.map((chair) => chair.element));
    clear(this.raw, ...this.seated.map((chair) => chair.expert));
  }

  /** In a game with secrets, keep at most one seat for this screen. */
  onlyMe() {
    const [, ...more] = this.seated.filter((chair) => chair.who.value === "me");
    if (!this.chosen.hidden) return;
    for (const chair of more) {
      chair.who.value = "open";
      chair.show();
    }
  }

  clocked() {
    this.times.hidden = this.clock.value !== "own";
    for (const field of [this.seconds, this.bank, this.increment]) field.disabled = this.times.hidden;
    this.lateField.hidden = this.clock.value === "none";
    this.clockAbout.textContent = CLOCKS[this.clock.value][2];
    this.clockAbout.hidden = !this.clockAbout.textContent;
  }

  costs(conducts) {
    clear(this.costsList, ...(conducts.find((one) => one.name === this.conduct.value)?.about ?? []).map((line) => h("li", {}, line)));
  }

  wanted() {
    const size = Number(this.board?.value);
    const options = size && size !== SIZES[this.chosen.name][0] ? { rows: size, cols: size } : {};
    for (const field of this.fields) {
      try {
        const value = field.read();
        if (value !== undefined) options[field.name] = value;
      } catch {
        throw new Error(`The option ${field.name} is not JSON.`);
      }
    }
    const own = { seconds: Number(this.seconds.value), bank: Number(this.bank.value), increment: Number(this.increment.value) };
    const clock = this.clock.value === "own" ? own : CLOCKS[this.clock.value][1];
    return {
      game: this.chosen.name, options, conduct: this.conduct.value || (clock ? this.late.value : null), clock,
      pace: Number(this.pace.value), seats: this.seated.map((chair) => chair.wanted()),
    };
  }

  async make(event) {
    event.preventDefault();
    if (!this.seated[0].name.disabled) keepName(this.seated[0].name.value);
    try {
      await seatAt(this.wanted());
      this.dialog.close();
    } catch (error) {
      this.wrong.textContent = error.message;
      this.wrong.hidden = false;
    }
  }
}

/** Open the dialog. @param {string} [game] */
export async function makeTable(game = "") {
  const { dialog } = new NewTableDialog(await offers(), game);
  document.body.append(dialog);
  dialog.showModal();
}
