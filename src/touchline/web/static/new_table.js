/** Make a table: against house players at once, or with a dialog. */

import { offers, post } from "./api.js";
import { clear, h, labelled, select } from "./dom.js";
import { keepName, keepSeat, myName } from "./storage.js";

/** Make a table, store its tokens, and go there. @param {any} wanted what POST /api/tables takes */
export async function seatAt(wanted) {
  const made = await post("/api/tables", wanted);
  const mine = made.seats.find((ticket) => ticket.kind === "me");
  const remotes = made.seats.filter((ticket) => ticket.join).map(({ seat, join }) => ({ seat, join }));
  if (mine || remotes.length) keepSeat(made.table.id, { token: mine?.token, seat: mine?.seat, wanted: mine && wanted, remotes });
  location.hash = `table=${made.table.id}`;
}

/** Make a table of one person against house players. */
export function againstHouse(game, offer, name) {
  const house = { kind: "house", player: offer.player, options: offer.options };
  const others = Array.from({ length: game.least - 1 }, () => house);
  return seatAt({ game: game.name, clock: null, seats: [{ kind: "me", name }, ...others] });
}

/** @type {Array<[string, string]>} */
const KINDS = [["me", "Me"], ["house", "House player"], ["open", "Whoever has the link"], ["remote", "A program"]];

/** One seat of the dialog. */
class SeatField {
  constructor(game, number, kind, changed) {
    this.kind = select(KINDS, kind, { onchange: () => this.show(changed) });
    this.level = select(game.house.map((offer, at) => [String(at), offer.label]), String(Math.min(2, game.house.length - 1)));
    this.about = h("small");
    this.level.addEventListener("change", () => this.show(changed));
    this.game = game;
    this.element = h("div", { class: "chair" },
      labelled(`Seat ${number}`, this.kind), labelled(`House player in seat ${number}`, this.level), this.about);
    this.show();
  }

  show(changed) {
    const house = this.kind.value === "house";
    this.level.parentNode.hidden = !house;
    this.about.textContent = house ? this.game.house[Number(this.level.value)].about : "";
    if (changed) changed(this);
  }

  wanted(name) {
    if (this.kind.value === "me") return { kind: "me", name };
    if (this.kind.value !== "house") return { kind: this.kind.value };
    const { player, options } = this.game.house[Number(this.level.value)];
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

class NewTableDialog {
  constructor({ games, conducts }) {
    this.games = games;
    this.conducts = conducts;
    this.game = select(games.map((game) => [game.name, game.name]), games[0].name, { onchange: () => this.choose() });
    this.name = h("input", { type: "text", value: myName(), maxlength: 32, required: true, autocomplete: "nickname" });
    this.conduct = select(conducts.map((conduct) => [conduct.name, conduct.name]), "standard", { onchange: () => this.costs() });
    this.limit = select([["yes", "Time for each move"], ["no", "No limit"]], "yes", { onchange: () => (this.times.hidden = this.limit.value === "no") });
    const number = (value, least) => h("input", { type: "number", value, min: least, max: 86400, step: "any", required: true });
    this.seconds = number(60, 0.1);
    this.bank = number(0, 0);
    this.increment = number(0, 0);
    this.pace = number(0.5, 0);
    this.pace.max = "10";
    this.times = h("div", { class: "row" },
      labelled("Seconds a move", this.seconds), labelled("In the bank", this.bank), labelled("Added by a move", this.increment));
    this.about = h("p", { class: "faint" });
    this.chairs = h("div", { class: "chairs" });
    this.options = h("div", { class: "grid" });
    this.rules = h("ul", { class: "faint" });
    this.fewer = h("button", { type: "button", class: "quiet", onclick: () => this.seat(-1) }, "One seat less");
    this.more = h("button", { type: "button", class: "quiet", onclick: () => this.seat(1) }, "One seat more");
    this.wrong = h("p", { class: "alert", role: "alert", hidden: true });
    this.dialog = this.laidOut();
    this.choose();
    this.costs();
  }

  laidOut() {
    const close = h("button", { type: "button", class: "quiet", onclick: () => this.dialog.close() }, "Cancel");
    const form = h("form", { onsubmit: (event) => this.make(event) },
      h("h2", {}, "New table"),
      h("div", { class: "row" }, labelled("Game", this.game), labelled("My name", this.name)), this.about,
      h("fieldset", {}, h("legend", {}, "Seats, in the order of turns"), this.chairs, h("div", { class: "row" }, this.fewer, this.more)),
      h("fieldset", {}, h("legend", {}, "Clock"), labelled("Limit", this.limit), this.times, labelled("House players take at least, in seconds", this.pace)),
      h("details", {}, h("summary", {}, "Options of the game"), this.options),
      h("details", {}, h("summary", {}, "Conduct: what offences cost"), labelled("Conduct", this.conduct), this.rules),
      this.wrong, h("div", { class: "row end" }, close, h("button", {}, "Make the table")));
    const dialog = h("dialog", { "aria-label": "New table", class: "making" }, form);
    dialog.addEventListener("close", () => dialog.remove());
    return dialog;
  }

  /** Show the seats and options of the chosen game. */
  choose() {
    this.chosen = this.games.find((game) => game.name === this.game.value);
    this.about.textContent = this.chosen.about;
    this.seated = [];
    for (let seat = 0; seat < this.chosen.least; seat++) this.seat(1, seat ? "house" : "me");
    this.fields = this.chosen.options.map(optionField);
    clear(this.options, ...this.fields.map((field) => field.element));
  }

  seat(by, kind = "house") {
    if (by > 0) this.seated.push(new SeatField(this.chosen, this.seated.length, kind, (chair) => this.onlyMe(chair)));
    else this.seated.pop();
    this.fewer.disabled = this.seated.length <= this.chosen.least;
    this.more.disabled = this.seated.length >= this.chosen.most;
    clear(this.chairs, ...this.seated.map((chair) => chair.element));
  }

  /** Keep at most one seat for the person at this browser. */
  onlyMe(chair) {
    if (chair.kind.value !== "me") return;
    for (const other of this.seated) {
      if (other !== chair && other.kind.value === "me") {
        other.kind.value = "open";
        other.show();
      }
    }
  }

  costs() {
    const conduct = this.conducts.find((one) => one.name === this.conduct.value);
    clear(this.rules, ...conduct.about.map((line) => h("li", {}, line)));
  }

  wanted() {
    const options = {};
    for (const field of this.fields) {
      try {
        const value = field.read();
        if (value !== undefined) options[field.name] = value;
      } catch {
        throw new Error(`the option ${field.name} is not JSON`);
      }
    }
    const clock = { seconds: Number(this.seconds.value), bank: Number(this.bank.value), increment: Number(this.increment.value) };
    const name = this.name.value.trim();
    return {
      game: this.chosen.name, options, conduct: this.conduct.value, clock: this.limit.value === "no" ? null : clock,
      pace: Number(this.pace.value), seats: this.seated.map((chair) => chair.wanted(name)),
    };
  }

  async make(event) {
    event.preventDefault();
    keepName(this.name.value);
    try {
      await seatAt(this.wanted());
      this.dialog.close();
    } catch (error) {
      this.wrong.textContent = error.message;
      this.wrong.hidden = false;
    }
  }
}

/** Open the dialog. */
export async function makeTable(game = "") {
  const making = new NewTableDialog(await offers());
  if (game) {
    making.game.value = game;
    making.choose();
  }
  document.body.append(making.dialog);
  making.dialog.showModal();
}
