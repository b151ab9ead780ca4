/** The run page: the list of runs, and what one of them was asked, called, answered and cost. */

import { control, listen, LOST } from "./control.js";
import { fill, h, reconcile } from "./nodes.js";
import { transcript } from "./run-transcript.js";
import { waterfall } from "./run-waterfall.js";
import { cost, length, moment } from "./run-words.js";

const list = document.getElementById("runs");
const page = document.getElementById("run");
const field = document.getElementById("containing");
const chosen = () => location.hash.slice(1);
const open = new Set();
const BAD = new Set(["Failed", "Unfound"]);
let drawing = Promise.resolve();

/** Redraws run one after the other. */
function redraw() {
  drawing = drawing.then(draw).catch(complain);
  return drawing;
}

async function draw() {
  const runs = await control.runs();
  const words = field.value.trim().toLowerCase();
  const found = runs.filter((run) => `${run.text ?? ""} ${run.id}`.toLowerCase().includes(words));
  reconcile(
    list,
    found.map((run) => ({
      key: run.id,
      signature: JSON.stringify([run, run.id === chosen()]),
      build: () => line(run),
    })),
  );
  const id = chosen() || runs[0]?.id;
  if (id) show(await control.run(id));
  else fill(page, h("p.nothing", {}, "No run yet. Say something to the assistant first."));
  document.body.dataset.ready = "true";
}

function line(run) {
  const state = run.is_faulty || BAD.has(run.outcome) ? "bad" : run.outcome ? "good" : "idle";
  return h(
    run.parent ? "li.run-below" : "li",
    {},
    h(
      "a.run-line",
      { href: `#${run.id}`, "aria-current": run.id === chosen() ? "page" : null },
      h("span.dot", { class: state }),
      h("span.run-text", {}, run.text || (run.parent ? "(a part of it)" : "(words not traced)")),
      h("small", {}, `${moment(run.start)} · ${length(run.took)} · ${run.tools} tools`),
    ),
  );
}

function show({ run, traces }) {
  const scroll = page.scrollTop;
  fill(
    page,
    h("h2", {}, run.text || "Run"),
    facts(run),
    transcript(traces),
    traces.map((trace) => waterfall(trace.spans, open)),
  );
  page.scrollTop = scroll;
}

function facts(run) {
  const rows = [
    ["Outcome", run.outcome ?? "under way"],
    ["Took", length(run.took)],
    ["Model requests", run.requests],
    ["Tools", run.tools],
    ["Prepared / carried out", `${run.prepared} / ${run.carried_out}`],
    ["Tokens in / out", `${run.tokens_in} / ${run.tokens_out}`],
    ["Cost", cost(run.cost_usd)],
    ["Run", run.id],
  ];
  const pairs = rows.map(([name, value]) =>
    h("div", {}, h("dt", {}, name), h("dd", {}, String(value))),
  );
  return h("dl.facts", { "data-testid": "facts" }, pairs);
}

function complain(problem) {
  fill(page, h("p.nothing", { role: "alert" }, problem.message));
}

window.addEventListener("hashchange", redraw);
field.addEventListener("input", redraw);
listen(
  (change) => change.kind === "run" && redraw(),
  redraw,
  (why) => LOST[why] && complain({ message: LOST[why] }),
);
