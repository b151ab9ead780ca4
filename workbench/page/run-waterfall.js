/** One trace as a waterfall: a bar per span, indented below its parent, with its attributes. */

import { h } from "./nodes.js";
import { laidOut, length, moment, title } from "./run-words.js";

// Shown in the transcript above, or too long to read.
const HIDDEN_ATTRIBUTES = new Set([
  "pydantic_ai.all_messages",
  "gen_ai.input.messages",
  "gen_ai.tool.definitions",
  "gen_ai.system_instructions",
  "model_request_parameters",
]);
// A span of ours within the library's span of the same call: shown as one row.
const DUPLICATES = { "model request": "chat ", tool: "execute_tool " };

export function waterfall(recorded, open) {
  const spans = withoutDuplicates(recorded);
  const begin = Math.min(...spans.map((span) => span.start));
  const whole = Math.max(...spans.map((span) => span.end)) - begin || 1;
  const known = new Map(spans.map((span) => [span.id, span]));
  const rows = inOrder(spans, known).map(([span, depth]) => row(span, depth, begin, whole, open));
  const root = spans.find((span) => !known.has(span.parent)) ?? spans[0];
  const heading = h(
    "h3",
    {},
    title(root),
    h("small", {}, `${moment(begin)} · ${length(root.end - root.start)}`),
  );
  return h("section.trace", { "data-testid": "trace" }, heading, h("ol.spans", {}, rows));
}

function withoutDuplicates(spans) {
  const known = new Map(spans.map((span) => [span.id, { ...span }]));
  for (const span of spans) {
    const parent = known.get(span.parent);
    if (!parent || !DUPLICATES[span.name] || !parent.name.startsWith(DUPLICATES[span.name])) continue;
    parent.attributes = { ...span.attributes, ...parent.attributes };
    parent.fault ??= span.fault;
    known.delete(span.id);
    for (const child of known.values()) if (child.parent === span.id) child.parent = parent.id;
  }
  return [...known.values()];
}

/** Every span with its depth, children below their parents. */
function inOrder(spans, known) {
  const rows = [];
  const add = (span, depth) => {
    rows.push([span, depth]);
    for (const child of spans) if (child.parent === span.id) add(child, depth + 1);
  };
  for (const span of spans) if (!known.has(span.parent)) add(span, 0);
  return rows;
}

function row(span, depth, begin, whole, open) {
  const took = span.end - span.start;
  const bar = h("span.bar", {
    class: span.fault ? "bad" : kind(span),
    vars: {
      "--from": `${((span.start - begin) / whole) * 100}%`,
      "--wide": `${(took / whole) * 100}%`,
    },
  });
  const summary = h(
    "summary",
    {},
    h("span.span-name", { vars: { "--depth": String(depth) } }, span.name),
    h("span.track", {}, bar),
    h("span.span-took", {}, length(took)),
  );
  const details = h("details", { open: open.has(span.id) }, summary, facts(span));
  details.addEventListener("toggle", () => open[details.open ? "add" : "delete"](span.id));
  return h("li", { "data-span": span.name }, details);
}

function kind(span) {
  if (span.name.startsWith("chat ") || span.name === "model request") return "model";
  if (span.name.startsWith("execute_tool ") || span.name === "tool") return "tool";
  if (span.name.startsWith("clickup") || span.name.startsWith("slack")) return "outside";
  return "";
}

function facts(span) {
  const shown = Object.entries(span.attributes).filter(([name]) => !HIDDEN_ATTRIBUTES.has(name));
  if (span.fault) shown.unshift(["fault", span.fault]);
  const events = span.events.map((event) => [event.name, event]);
  const pairs = [...shown, ...events].map(([name, value]) => [
    h("dt", {}, name),
    h("dd", {}, h("pre", {}, laidOut(value))),
  ]);
  return h("dl.span-facts", {}, pairs.length ? pairs : h("dd", {}, "Nothing more is known of it."));
}
