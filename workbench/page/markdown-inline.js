/** The inside of a Markdown line: emphasis, code, links, mentions. */

import { emojiOf } from "./emoji.js";
import { h } from "./nodes.js";
import { link, reference } from "./references.js";

const DEPTH = 6;
const LABEL = String.raw`\[((?:[^\[\]\n]|\[[^\[\]\n]*\])+)\]`;
const ADDRESS = String.raw`\(<?((?:[^()\s<>]|\([^()\s]*\))+)>?(?:\s+"[^"\n]*")?\)`;
const INLINE = new RegExp(
  [
    String.raw`\\([\\${"`"}*_{}\[\]()#+\-.!~|<>])`,
    "(`+)([^`]|[^`].*?[^`])\\2(?!`)",
    String.raw`!\[([^\]\n]*)\]\(([^)\s]+)[^)\n]*\)`,
    LABEL + ADDRESS,
    "<([^<>\\n]+)>",
    String.raw`\*\*(?=\S)((?:[^*\n]|\*(?!\*))+?)(?<=\S)\*\*`,
    String.raw`(?<![\p{L}\p{N}_])__(?=\S)([^\n]{1,1000}?)(?<=\S)__(?![\p{L}\p{N}_])`,
    String.raw`\*(?=[^\s*])([^*\n]+?)(?<=[^\s*])\*`,
    String.raw`(?<![\p{L}\p{N}_])_(?=[^\s_])([^_\n]+?)(?<=[^\s_])_(?![\p{L}\p{N}_])`,
    String.raw`~~(?=\S)([^~\n]+?)(?<=\S)~~`,
    String.raw`(?<![\p{L}\p{N}])(https?:\/\/[^\s<>"'${"`"}]+[^\s<>"'${"`"}.,;:!?)\]*_~])`,
    ":([a-z0-9_+-]+):",
  ].join("|"),
  "gu",
);
const same = (text) => text;

export function inlineMarkdown(text, world, depth = 0) {
  if (depth > DEPTH) return [text];
  const nodes = [];
  let at = 0;
  for (const match of text.matchAll(INLINE)) {
    const node = nodeOf(match, world, depth);
    if (node === null) continue;
    nodes.push(text.slice(at, match.index), node);
    at = match.index + match[0].length;
  }
  nodes.push(text.slice(at));
  return nodes.filter((node) => node !== "");
}

function nodeOf(match, world, depth) {
  const [
    ,
    escaped,
    ,
    code,
    alt,
    ,
    label,
    address,
    token,
    bold,
    bold2,
    em,
    em2,
    struck,
    url,
    emoji,
  ] = match;
  const inner = (text) => inlineMarkdown(text, world, depth + 1);
  if (escaped !== undefined) return escaped;
  if (code !== undefined) return h("code", {}, code.trim() || code);
  if (alt !== undefined) return h("span.image-alt", {}, alt || "image");
  if (label !== undefined) return link(address, inner(label));
  if (token !== undefined) return reference(token, world, same);
  if (url !== undefined) return link(url);
  if (emoji !== undefined) return emojiOf(emoji);
  if (struck !== undefined) return h("s", {}, inner(struck));
  return h((bold ?? bold2) ? "strong" : "em", {}, inner(bold ?? bold2 ?? em ?? em2));
}
