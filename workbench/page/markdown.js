/** Markdown, read by marked, as DOM nodes: what a `markdown` block and a task description hold. */

import { withEmoji } from "./emoji.js";
import { h } from "./nodes.js";
import { link, reference } from "./references.js";
import { Marked } from "./vendor/marked/marked.esm.js";

/** `<@U01INES>`, `<!date^…>` and `<https://…|label>`, which Slack reads in Markdown too. */
const slackReference = {
  name: "reference",
  level: "inline",
  start: (text) => text.indexOf("<"),
  tokenizer(text) {
    const match = /^<([^<>\n]+)>/.exec(text);
    return match ? { type: "reference", raw: match[0], target: match[1] } : undefined;
  },
};
// Without these two tokenizers, raw HTML is read as text.
const nothing = () => undefined;
const parser = new Marked({
  breaks: true,
  extensions: [slackReference],
  tokenizer: { html: nothing, tag: nothing },
});

export function markdown(text, world) {
  try {
    return nodes(parser.lexer(text), world);
  } catch (problem) {
    // Quotes and lists nested a thousand deep exhaust the stack; then the source is shown.
    if (problem instanceof RangeError) return [text];
    throw problem;
  }
}

const nodes = (tokens, world) =>
  tokens.map((token) => (NODES[token.type] ?? source)(token, world));
const source = ({ raw }) => raw;
const element = (tag) => (token, world) => h(tag, {}, nodes(token.tokens, world));

const NODES = {
  blockquote: element("blockquote"),
  br: () => h("br"),
  checkbox: () => null,
  code: codeBlock,
  codespan: ({ text }) => h("code", {}, text),
  def: () => null,
  del: element("s"),
  em: element("em"),
  escape: ({ text }) => text,
  heading,
  hr: () => h("hr"),
  image: ({ text }) => h("span.image-alt", {}, text || "image"),
  link: (token, world) => link(token.href, nodes(token.tokens, world)),
  list,
  paragraph: element("p"),
  reference: ({ raw, target }, world) => reference(target, world, (label) => label) ?? raw,
  space: () => null,
  strong: element("strong"),
  table,
  text: ({ text, tokens }, world) => (tokens ? nodes(tokens, world) : withEmoji(text)),
};

function codeBlock({ lang, text }) {
  const language = lang ? { "data-language": lang } : {};
  return h("pre.code", language, h("code", {}, text));
}

function heading({ depth, tokens }, world) {
  // Inside a message the page's own headings rank above.
  const attributes = { role: "heading", "aria-level": Math.min(6, depth + 2) };
  return h(`div.heading.level-${depth}`, attributes, nodes(tokens, world));
}

function list({ ordered, start, items }, world) {
  const children = items.map((item) => (item.task ? taskItem : element("li"))(item, world));
  return h(ordered ? "ol" : "ul", ordered ? { start } : {}, children);
}

function taskItem({ checked, tokens }, world) {
  const [words, ...rest] = tokens.filter(({ type }) => type !== "checkbox");
  const box = h("span.checkbox", {
    class: checked ? "checked" : "",
    role: "img",
    "aria-label": checked ? "done" : "to do",
  });
  const text = h("span", {}, nodes(words.tokens, world));
  return h("li.task", { class: checked ? "done" : "" }, box, text, nodes(rest, world));
}

function table({ header, rows }, world) {
  const cell = (tag) => (token) =>
    h(tag, { class: `align-${token.align ?? "left"}` }, nodes(token.tokens, world));
  const row = (cells, tag) => h("tr", {}, cells.map(cell(tag)));
  const head = h("thead", {}, row(header, "th"));
  const body = h("tbody", {}, rows.map((cells) => row(cells, "td")));
  return h("div.table-frame", {}, h("table", {}, head, body));
}
