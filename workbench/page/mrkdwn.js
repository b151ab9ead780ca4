/** Slack's mrkdwn as DOM nodes. */

import { emojiOf } from "./emoji.js";
import { h } from "./nodes.js";
import { reference } from "./references.js";

const DEPTH = 6;
const FENCE = /```([\s\S]*?)```/g;
const QUOTE = /^(?:>|&gt;)\s?/;
const BULLET = /^(\s*)(?:[•◦▪]|[-*])\s+(?=\S)/;
const ORDINAL = /^(\s*)(\d{1,3})[.)]\s+(?=\S)/;
const EDGE = String.raw`(?<![\p{L}\p{N}])`;
const END = String.raw`(?![\p{L}\p{N}])`;
const span = (mark) =>
  `${EDGE}${mark}(?=[^\\s${mark}])([^${mark}\\n]*?[^\\s${mark}\\n])${mark}${END}`;
const INLINE = new RegExp(
  [
    "`([^`\\n]+)`",
    "<([^<>\\n]+)>",
    span("\\*"),
    span("_"),
    span("~"),
    ":([a-z0-9_+-]+(?:::skin-tone-\\d)?):",
  ].join("|"),
  "gu",
);
const STYLES = ["strong", "em", "s"];

/** Slack escapes exactly these three. */
export function decoded(text) {
  return text.replace(/&(lt|gt|amp);/g, (_, name) => ({ lt: "<", gt: ">", amp: "&" })[name]);
}

export function mrkdwn(text, world) {
  const parts = String(text ?? "").split(FENCE);
  // split() with one group alternates: text, fenced code, text, …
  return parts.flatMap((part, i) => (i % 2 ? [codeBlock(part)] : blocks(part, world)));
}

function codeBlock(text) {
  return h("pre.code", {}, h("code", {}, decoded(text.replace(/^\n|\n$/g, ""))));
}

function blocks(text, world) {
  const lines = text.replace(/^\n|\n$/g, "").split("\n");
  if (lines.length === 1 && !lines[0]) return [];
  const nodes = [];
  for (let at = 0; at < lines.length;) {
    const kind = kindOf(lines[at]);
    let end = at + 1;
    while (end < lines.length && kindOf(lines[end]) === kind) end += 1;
    nodes.push(BUILD[kind](lines.slice(at, end), world));
    at = end;
  }
  return nodes;
}

function kindOf(line) {
  if (QUOTE.test(line)) return "quote";
  if (BULLET.test(line) || ORDINAL.test(line)) return "list";
  return "paragraph";
}

const BUILD = {
  quote: (lines, world) => {
    const inner = lines.map((line) => line.replace(QUOTE, ""));
    return h("blockquote", {}, joined(inner, world));
  },
  list: (lines, world) =>
    h(
      "ul.plain-list",
      {},
      lines.map((line) => listItem(line, world)),
    ),
  paragraph: (lines, world) => h("p", {}, joined(lines, world)),
};

function listItem(line, world) {
  const ordinal = ORDINAL.exec(line);
  const found = ordinal ?? BULLET.exec(line);
  const depth = Math.min(3, Math.floor(found[1].length / 2));
  return h(
    "li",
    { class: `depth-${depth}`, "data-mark": ordinal ? `${ordinal[2]}.` : "•" },
    inline(line.slice(found[0].length), world),
  );
}

function joined(lines, world) {
  return lines.flatMap((line, i) => [i ? h("br") : null, inline(line, world)]);
}

export function inline(text, world, depth = 0) {
  if (depth > DEPTH) return [decoded(text)];
  const nodes = [];
  let at = 0;
  for (const match of text.matchAll(INLINE)) {
    const node = inlineNode(match, world, depth);
    if (node === null) continue;
    nodes.push(decoded(text.slice(at, match.index)), node);
    at = match.index + match[0].length;
  }
  nodes.push(decoded(text.slice(at)));
  return nodes.filter((node) => node !== "");
}

function inlineNode([, code, token, bold, italic, struck, emoji], world, depth) {
  if (code !== undefined) return h("code", {}, decoded(code));
  if (token !== undefined) return reference(token, world, decoded);
  if (emoji !== undefined) return emojiOf(emoji);
  const which = [bold, italic, struck].findIndex((inner) => inner !== undefined);
  return h(STYLES[which], {}, inline([bold, italic, struck][which], world, depth + 1));
}
