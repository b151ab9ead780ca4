/** Block Kit as DOM nodes, for messages, modals and the Home tab alike. */

import { element, picture } from "./elements.js";
import { markdown } from "./markdown.js";
import { h } from "./nodes.js";
import { richText } from "./rich-text.js";
import { plain, textNodes } from "./texts.js";

/** `scene` is {world, answers, act(action), errors?: {block_id: text}}. */
export function renderBlocks(blocks, scene) {
  return (blocks ?? []).map((block, i) => {
    const build = BUILDERS[block.type] ?? unknown;
    const node = build(block, block.block_id ?? `block-${i}`, scene);
    node.classList.add("block", `block-${block.type}`);
    return node;
  });
}

const BUILDERS = {
  header: (block) => h("div", { role: "heading", "aria-level": 3 }, plain(block.text)),
  divider: () => h("hr"),
  section,
  context,
  actions: actionsRow,
  context_actions: actionsRow,
  input,
  markdown: (block, _, { world }) => h("div.prose", {}, markdown(block.text, world)),
  rich_text: (block, _, { world }) => h("div.prose", {}, richText(block, world)),
  image: (block) => h("div", {}, picture(block)),
  table,
  task_card: (block) => taskCard(block),
  plan: (block) =>
    h("div", {}, h("div.plan-title", {}, block.title), (block.tasks ?? []).map(taskCard)),
};

function actionsRow(block, id, scene) {
  const built = (block.elements ?? []).map((child) => element(child, id, scene));
  return h("div", { role: "group" }, built);
}

const TASK_WORDS = { pending: "to do", in_progress: "under way", complete: "done", error: "failed" };

function taskCard(block) {
  const details = [block.details, block.output].filter(Boolean);
  return h(
    "div.task-card",
    { class: block.status, "data-testid": "task-card", "data-status": block.status },
    h("span.task-mark", { title: TASK_WORDS[block.status] ?? "", "aria-hidden": "true" }),
    h("span.task-title", {}, block.title),
    details.map((text) => h("span.task-details", {}, text)),
  );
}

function unknown(block) {
  return h("div.unknown", {}, `This block (${block.type}) is not shown here.`);
}

function section(block, id, scene) {
  const text = block.text && h("div.prose", {}, textNodes(block.text, scene.world));
  const fields = (block.fields ?? []).map((field) => h("div.prose", {}, textNodes(field, scene.world)));
  const accessory = block.accessory && h("div.accessory", {}, element(block.accessory, id, scene));
  const body = h("div.section-body", {}, text, fields.length ? h("div.fields", {}, fields) : null);
  return h("div", {}, body, accessory);
}

function context(block, _, { world }) {
  const parts = (block.elements ?? []).map((part) =>
    part.type === "image" ? picture(part) : h("span.prose", {}, textNodes(part, world)),
  );
  return h("div", {}, parts);
}

function input(block, id, scene) {
  const hintId = `hint-${id}`;
  const optional = block.optional ? h("span.optional", {}, "(optional)") : null;
  const quiet = !block.dispatch_action;
  const control = element(block.element ?? {}, id, scene, { quiet, describedBy: hintId });
  const error = scene.errors?.[id];
  const hint = block.hint ? h("div.hint", {}, plain(block.hint)) : null;
  const several = control.matches(".choices");
  const label = [h("span.label", {}, plain(block.label), optional), control];
  return h(
    "div",
    { class: error ? "has-error" : "", "data-block-id": id },
    several ? h("fieldset", {}, h("legend", {}, label[0]), control) : h("label", {}, label),
    h("div", { id: hintId }, hint, error ? h("div.error", { role: "alert" }, error) : null),
  );
}

function table(block, _, { world }) {
  const align = (i) => `align-${block.column_settings?.[i]?.align ?? "left"}`;
  const cell = (content) =>
    content?.type === "rich_text" ? richText(content, world) : String(content?.text ?? "");
  const row = (cells, tag) =>
    h(
      "tr",
      {},
      cells.map((content, i) => h(tag, { class: align(i) }, cell(content))),
    );
  const [head = [], ...body] = block.rows ?? [];
  return h(
    "div.table-frame",
    {},
    h(
      "table",
      {},
      h("thead", {}, row(head, "th")),
      h(
        "tbody",
        {},
        body.map((cells) => row(cells, "td")),
      ),
    ),
  );
}
