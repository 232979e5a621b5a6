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

/** Ask for confirmation. @returns {Promise<boolean>} */
export function confirmed(question, yes) {
  return new Promise((resolve) => {
    const dialog = h("dialog", { "aria-label": question, class: "small" },
      h("form", { method: "dialog" },
        h("p", {}, question),
        h("div", { class: "row end" },
          h("button", { value: "no", class: "quiet", autofocus: true }, "No"),
          h("button", { value: "yes", class: "danger" }, yes))));
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
    document.body.append(dialog);
    dialog.showModal();
  });
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
