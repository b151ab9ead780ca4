/** Standard Markdown as DOM nodes: what a `markdown` block and a task description hold. */

import { inlineMarkdown } from "./markdown-inline.js";
import { h } from "./nodes.js";

const DEPTH = 8;
const FENCE = /^\s{0,3}(`{3,}|~{3,})\s*([\w+-]*)\s*$/;
const HEADING = /^\s{0,3}(#{1,6})\s+(\S.*)$/;
const RULE = /^\s{0,3}(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$/;
const QUOTE = /^\s{0,3}>\s?/;
const ITEM = /^(\s*)([-*+•]|\d{1,9}[.)])(\s+|$)(.*)$/;
const TASK = /^\[([ xX])\]\s+/;
const ROW = /^\s*\|.*\|\s*$|^[^|]+\|[^|]*/;
const DIVIDER = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;

export function markdown(text, world) {
  const lines = String(text ?? "")
    .replace(/\r\n?/g, "\n")
    .replace(/\t/g, "    ")
    .split("\n");
  return blocks(lines, world, 0);
}

function blocks(lines, world, depth) {
  if (depth > DEPTH) return [lines.join("\n")];
  const nodes = [];
  let at = 0;
  while (at < lines.length) {
    if (!lines[at].trim()) {
      at += 1;
      continue;
    }
    const read = READERS.find(({ starts }) => starts(lines, at)).read;
    const [node, next] = read(lines, at, world, depth);
    nodes.push(node);
    at = next;
  }
  return nodes;
}

const startsTable = (lines, at) =>
  lines[at].includes("|") &&
  ROW.test(lines[at]) &&
  (lines[at + 1] ?? "").includes("-") &&
  (lines[at + 1] ?? "").includes("|") &&
  DIVIDER.test(lines[at + 1]);

const READERS = [
  { starts: (lines, at) => FENCE.test(lines[at]), read: readFence },
  { starts: (lines, at) => HEADING.test(lines[at]), read: readHeading },
  { starts: (lines, at) => RULE.test(lines[at]), read: (_, at) => [h("hr"), at + 1] },
  { starts: (lines, at) => QUOTE.test(lines[at]), read: readQuote },
  { starts: (lines, at) => ITEM.test(lines[at]), read: readList },
  { starts: startsTable, read: readTable },
  { starts: () => true, read: readParagraph },
];

const interrupts = (lines, at) =>
  READERS.slice(0, -1).some(({ starts }) => starts(lines, at)) || !lines[at].trim();

function until(lines, at, stop) {
  let end = at;
  while (end < lines.length && !stop(end)) end += 1;
  return end;
}

function readFence(lines, at) {
  const [, mark, language] = FENCE.exec(lines[at]);
  const end = until(lines, at + 1, (i) => lines[i].trim() === mark);
  const label = language ? { "data-language": language } : {};
  return [h("pre.code", label, h("code", {}, lines.slice(at + 1, end).join("\n"))), end + 1];
}

function readHeading(lines, at, world) {
  const [, marks, rest] = HEADING.exec(lines[at]);
  const text = rest.trimEnd().replace(/ #+$/, "");
  // Inside a message the page's own headings rank above.
  const attributes = { role: "heading", "aria-level": Math.min(6, marks.length + 2) };
  return [h(`div.heading.level-${marks.length}`, attributes, inlineMarkdown(text, world)), at + 1];
}

function readQuote(lines, at, world, depth) {
  const end = until(lines, at, (i) => !QUOTE.test(lines[i]));
  const inner = lines.slice(at, end).map((line) => line.replace(QUOTE, ""));
  return [h("blockquote", {}, blocks(inner, world, depth + 1)), end];
}

function readParagraph(lines, at, world) {
  const end = until(lines, at + 1, (i) => interrupts(lines, i));
  const parts = lines.slice(at, end).map((line) => inlineMarkdown(line.trim(), world));
  return [
    h(
      "p",
      {},
      parts.flatMap((part, i) => [i ? h("br") : null, part]),
    ),
    end,
  ];
}

function readList(lines, at, world, depth) {
  const [, indent, mark] = ITEM.exec(lines[at]);
  const ordered = /\d/.test(mark);
  const items = [];
  let next = at;
  while (next < lines.length) {
    const found = ITEM.exec(lines[next]);
    if (!found || found[1].length !== indent.length || /\d/.test(found[2]) !== ordered) break;
    const end = until(lines, next + 1, (i) => !belongs(lines, i, indent.length));
    items.push(listItem(found, lines.slice(next + 1, end), world, depth));
    next = end;
    while (next < lines.length && !lines[next].trim() && ITEM.test(lines[next + 1] ?? ""))
      next += 1;
  }
  const start = ordered ? { start: parseInt(mark, 10) } : {};
  return [h(ordered ? "ol" : "ul", start, items), Math.max(next, at + 1)];
}

/** Whether a line is a continuation of the list item above it, by its indentation. */
function belongs(lines, at, indent) {
  const line = lines[at];
  if (!line.trim()) return /^\s{2,}\S/.test(lines[at + 1] ?? "") && depthOf(lines[at + 1]) > indent;
  return depthOf(line) > indent;
}

const depthOf = (line) => line.length - line.trimStart().length;

function listItem([, , , , first], rest, world, depth) {
  const task = TASK.exec(first);
  const text = inlineMarkdown(task ? first.slice(task[0].length) : first, world);
  const shallow = Math.min(...rest.filter((l) => l.trim()).map(depthOf), 99);
  const inner = blocks(
    rest.map((line) => line.slice(Math.min(shallow, depthOf(line)))),
    world,
    depth + 1,
  );
  if (!task) return h("li", {}, text, inner);
  const done = task[1] !== " ";
  const label = done ? "done" : "to do";
  const box = h("span.checkbox", {
    class: done ? "checked" : "",
    role: "img",
    "aria-label": label,
  });
  return h("li.task", { class: done ? "done" : "" }, box, h("span", {}, text), inner);
}

function cells(line) {
  const inner = line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replace(/\\\|/g, "|"));
}

function readTable(lines, at, world) {
  const aligns = cells(lines[at + 1]).map((c) =>
    c.endsWith(":") ? (c.startsWith(":") ? "center" : "right") : "left",
  );
  const end = until(lines, at + 2, (i) => !lines[i].includes("|") || !lines[i].trim());
  const row = (line, tag) =>
    h(
      "tr",
      {},
      cells(line)
        .slice(0, aligns.length)
        .map((cell, i) => h(tag, { class: `align-${aligns[i]}` }, inlineMarkdown(cell, world))),
    );
  const body = lines.slice(at + 2, end).map((line) => row(line, "td"));
  const table = h("table", {}, h("thead", {}, row(lines[at], "th")), h("tbody", {}, body));
  return [h("div.table-frame", {}, table), end];
}
