// Compare pairs of scripts: the second of a pair may differ from the first by the names of its variables, and by nothing
// else. It prints the names that were replaced. It is run by node, which brings the parser along: --expose-internals.
const { parse } = require("internal/deps/acorn/acorn/dist/acorn");
const { readFileSync } = require("node:fs");

const tree = (file) => parse(readFileSync(file, "utf8"), { ecmaVersion: "latest", sourceType: "module" });
const files = process.argv.slice(2);
const all = new Set();
const renamed = new Map();
const back = new Map();

function fail(why, node) {
  throw new Error(`${why} at ${node.start}`);
}

/** A property of the language's tree that says how it was written, not what it means. */
const LOOKS = new Set(["start", "end", "raw", "shorthand"]);

function variable(one, other) {
  if ((renamed.get(one.name) ?? other.name) !== other.name) fail(`${one.name} has two names`, one);
  if ((back.get(other.name) ?? one.name) !== one.name) fail(`${other.name} stands for two names`, one);
  renamed.set(one.name, other.name);
  back.set(other.name, one.name);
}

function isName(parent, key) {
  if (parent.computed) return false;
  return (parent.type === "MemberExpression" && key === "property")
    || (["Property", "MethodDefinition", "PropertyDefinition"].includes(parent.type) && key === "key")
    || (["LabeledStatement", "BreakStatement", "ContinueStatement"].includes(parent.type) && key === "label");
}

function compare(one, other, parent, key) {
  if (one === null || typeof one !== "object") {
    if (one !== other && !(typeof one === "bigint")) fail(`${key}: ${one} is not ${other}`, parent);
    return;
  }
  if (Array.isArray(one)) {
    if (one.length !== other.length) fail(`${key} is longer or shorter`, parent);
    one.forEach((item, at) => compare(item, other[at], parent, key));
    return;
  }
  if (one instanceof RegExp) {
    if (String(one) !== String(other)) fail("another expression", parent);
    return;
  }
  if (one.type !== other.type) fail(`${one.type} is not ${other.type}`, one);
  if (one.type === "Identifier" && !isName(parent, key)) {
    variable(one, other);
    return;
  }
  for (const name of Object.keys(one)) if (!LOOKS.has(name)) compare(one[name], other[name], one, name);
}

for (let at = 0; at < files.length; at += 2) {
  renamed.clear();
  back.clear();
  compare(tree(files[at]), tree(files[at + 1]), {}, "");
  for (const [one, other] of renamed) if (one !== other) all.add(one);
}
console.log(JSON.stringify([...all]));
