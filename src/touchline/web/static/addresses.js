/**
 * Data that the server put into the page: what would else be one more request.
 *
 * A sheet or behaviour of a game has an address with a hash of its content, which the browser caches for ever. Without
 * that data, as at `/static/index.html`, the plain address is used.
 */

/** The JSON of an element of the page; null if it is not there. @param {string} id */
export function pageData(id) {
  const element = document.getElementById(id);
  return element ? JSON.parse(element.textContent) : null;
}

/** @type {Record<string, string> | null} */
let known = null;

/** The address to request for a path such as `/art/fish.svg`. @param {string} path */
export function addressOf(path) {
  known ??= pageData("addresses") ?? {};
  return known[path] ?? path;
}
