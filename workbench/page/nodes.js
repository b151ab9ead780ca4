/** Builds DOM nodes. Text stays text: nothing that others wrote can become markup. */

const PROPERTIES = new Set(["value", "checked", "disabled", "hidden", "selected", "indeterminate"]);
const signatures = new WeakMap();

/** `h("div.card", {role: "group", onclick}, "text", node)`. */
export function h(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const node = document.createElement(name);
  if (classes.length) node.classList.add(...classes);
  for (const [key, value] of Object.entries(attributes)) assign(node, key, value);
  node.append(...flatten(children));
  return node;
}

export function fragment(...children) {
  const node = document.createDocumentFragment();
  node.append(...flatten(children));
  return node;
}

export function fill(node, ...children) {
  node.replaceChildren(...flatten(children));
  return node;
}

/** A symbol of icons.svg, drawn in the colour of the text around it. */
export function icon(name, extra = "") {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", `icon ${extra}`.trim());
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `${new URL("icons.svg", import.meta.url).pathname}#${name}`);
  svg.append(use);
  return svg;
}

function assign(node, key, value) {
  if (value === undefined || value === null) return;
  if (PROPERTIES.has(key)) node[key] = value;
  else if (value === false) return;
  else if (key === "class") node.classList.add(...value.split(" ").filter(Boolean));
  else if (key === "dataset") Object.assign(node.dataset, value);
  else if (key === "vars")
    for (const [name, v] of Object.entries(value)) node.style.setProperty(name, v);
  else if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
  else node.setAttribute(key, value === true ? "" : String(value));
}

function flatten(children) {
  return children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false);
}

/**
 * Makes the children of `container` those of `entries`, touching only what differs, so that focus,
 * half-typed answers and scroll survive. An entry is {key, build, signature?, update?}: with
 * `update` the node is kept and updated; otherwise it is built again when its signature changes.
 */
export function reconcile(container, entries) {
  const known = new Map([...container.children].map((node) => [node.dataset.key, node]));
  let cursor = container.firstElementChild;
  for (const entry of entries) {
    const old = known.get(String(entry.key));
    known.delete(String(entry.key));
    const node = renew(old, entry);
    if (old && old !== node) {
      if (cursor === old) cursor = old.nextElementSibling;
      old.remove();
    }
    if (node === cursor) cursor = cursor.nextElementSibling;
    else container.insertBefore(node, cursor);
  }
  for (const node of known.values()) node.remove();
}

function renew(old, entry) {
  if (old && entry.update) {
    entry.update(old);
    return old;
  }
  if (old && signatures.get(old) === entry.signature) return old;
  const node = entry.build();
  node.dataset.key = String(entry.key);
  signatures.set(node, entry.signature);
  return node;
}
