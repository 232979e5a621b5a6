/**
 * Make elements without HTML markup: text from others always stays text.
 */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {Element} element
 * @param {Record<string, any>} attributes  a function is a listener, false and null leave the attribute out
 * @param {Array<Node | string | number | null | undefined | false>} children
 */
function dress(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== false) element.append(child instanceof Node ? child : String(child));
  }
  return element;
}

/** An element of HTML. @returns {any} */
export function h(tag, attributes = {}, ...children) {
  return dress(document.createElement(tag), attributes, children);
}

/** An element of SVG. @returns {any} */
export function s(tag, attributes = {}, ...children) {
  return dress(document.createElementNS(SVG, tag), attributes, children);
}

/** Replace the children of an element. */
export function clear(element, ...children) {
  element.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
}

/** Set an attribute, or remove it. */
export function mark(element, name, value) {
  if (value === false || value === null || value === undefined) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value === true ? "" : String(value));
}

/** Set the text, if it differs. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

let pending = 0;

/** Announce a text to screen readers, debounced: of several in quick succession, the last. @param {string} text */
export function announce(text) {
  clearTimeout(pending);
  pending = setTimeout(() => say(document.querySelector("[data-live]"), text), 120);
}

/** A button that copies a text to the clipboard. @param {string} label @param {() => string} text */
export function copyButton(label, text) {
  const button = h("button", { type: "button", class: "quiet" }, label);
  button.addEventListener("click", async () => {
    const done = await copied(text());
    button.textContent = done ? "Copied" : "Could not copy";
    announce(button.textContent);
    setTimeout(() => (button.textContent = label), 1600);
  });
  return button;
}

/** Copy a text, also where the page has no secure origin. */
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = h("textarea", { readonly: true, class: "unseen", "aria-hidden": "true" });
    field.value = text;
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}

/** Show a small dialog. @param {string} label @returns {Promise<string>} the value of the button that closed it */
function asked(label, ...content) {
  return new Promise((resolve) => {
    const dialog = h("dialog", { "aria-label": label, class: "small" }, h("form", { method: "dialog" }, ...content));
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** Ask for confirmation. @returns {Promise<boolean>} */
export async function confirmed(question, yes) {
  const answer = await asked(question, h("p", {}, question), h("div", { class: "row end" },
    h("button", { value: "no", class: "quiet", autofocus: true }, "No"), h("button", { value: "yes", class: "danger" }, yes)));
  return answer === "yes";
}

/**
 * Ask for a line of text. @param {string} title @param {string} label @param {string} value
 * @param {Record<string, any>} [attributes] of the field @returns {Promise<string | null>} null if it was cancelled
 */
export async function prompted(title, label, value, attributes = {}, hint = "") {
  const field = h("input", { type: "text", value, required: true, autofocus: true, ...attributes });
  // The first button is the one that Enter presses; the order on the screen is that of the style.
  const answer = await asked(title, h("h2", {}, title), labelled(label, field, hint), h("div", { class: "row backwards" },
    h("button", { value: "yes" }, "OK"), h("button", { value: "no", class: "quiet", formnovalidate: true }, "Cancel")));
  return answer === "yes" ? field.value.trim() : null;
}

let fields = 0;

/** A field with its label. @param {string} label @param {any} input */
export function labelled(label, input, hint = "") {
  const id = `field${++fields}`;
  input.id = id;
  if (hint) input.setAttribute("aria-describedby", `${id}hint`);
  return h("div", { class: "field" }, h("label", { for: id }, label), input, hint && h("small", { id: `${id}hint` }, hint));
}

/** A list to choose from. @param {Array<[string, string]>} choices value and text */
export function select(choices, chosen, attributes = {}) {
  return h("select", attributes, ...choices.map(([value, text]) => h("option", { value, selected: value === chosen }, text)));
}

/**
 * Radio buttons side by side. @param {string} label @param {Array<[string, string]>} choices value and text
 * @param {(value: string) => void} [changed]
 */
export function segmented(label, choices, chosen, changed = () => {}) {
  const name = `choice${++fields}`;
  const element = h("div", { class: "seg", role: "radiogroup", "aria-label": label, onchange: (event) => changed(event.target.value) },
    ...choices.map(([value, text]) => h("label", {}, h("input", { type: "radio", name, value, checked: value === chosen }), h("span", {}, text))));
  return { element, get value() { return element.querySelector(":checked")?.value ?? ""; } };
}

/** A disclosure. @param {string} title */
export function disclosure(title, ...content) {
  return h("details", {}, h("summary", {}, title), ...content);
}
