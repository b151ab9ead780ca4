/** One ClickUp task, opened over the lists. */

import { dueDay, isOverdue, when } from "./dates.js";
import { markdown } from "./markdown.js";
import { fill, h, icon } from "./nodes.js";
import { archivedMark, face, statusPill } from "./task-parts.js";

const PRIORITIES = { 1: "Urgent", 2: "High", 3: "Normal", 4: "Low" };

export class TaskDrawer {
  #task = null;
  #opener = null;

  constructor(world) {
    this.world = world;
    this.node = h("section.drawer", {
      "data-testid": "task-drawer",
      hidden: true,
      "aria-label": "Task",
    });
    this.node.addEventListener("keydown", (event) => event.key === "Escape" && this.close());
  }

  open(task) {
    this.#opener = document.activeElement;
    this.#draw(task);
    this.node.hidden = false;
    this.node.scrollTop = 0;
    this.node.querySelector("button")?.focus();
  }

  /** Shows the same task as it is now. */
  renew(tasks) {
    if (!this.#task) return;
    const now = tasks.find((task) => task.id === this.#task.id);
    if (!now) this.close();
    else if (JSON.stringify(now) !== JSON.stringify(this.#task)) this.#draw(now);
  }

  close() {
    const inside = this.node.contains(document.activeElement);
    this.#task = null;
    this.node.hidden = true;
    if (inside) this.#opener?.focus();
  }

  #draw(task) {
    this.#task = task;
    const space = this.world.spaces.find(({ id }) => id === task.space?.id);
    const folder = task.folder?.hidden ? null : task.folder?.name;
    const where = [task.space?.name ?? space?.name, folder, task.list?.name];
    const address = `/t/${encodeURIComponent(task.id)}`;
    fill(
      this.node,
      h(
        "header",
        {},
        h(
          "button.tool",
          { type: "button", "aria-label": "Back to the lists", onclick: () => this.close() },
          icon("right", "back"),
        ),
        h("span.breadcrumb", {}, where.filter(Boolean).join(" / ")),
        h("span.spacer"),
        h(
          "a.tool.open-task",
          { href: address, target: "_blank", rel: "noopener", title: "Open the task page" },
          icon("external"),
        ),
      ),
      h(
        "div.drawer-body",
        {},
        h("h2", { class: task.archived ? "archived" : "" }, task.name),
        h("dl.facts", {}, this.#facts(task)),
        h("div.description.prose", {}, description(task, this.world)),
        h("p.task-id", {}, task.custom_id ?? task.id),
      ),
    );
  }

  #facts(task) {
    const { zone } = this.world;
    const people = task.assignees ?? [];
    const rows = [
      ["Status", [statusPill(task.status), task.archived ? archivedMark() : null]],
      ["Assignees", people.length ? people.map(assignee) : h("span.quiet", {}, "Nobody yet")],
      ["Due", task.due_date ? dueWords(task, zone) : h("span.quiet", {}, "No date")],
    ];
    const priority = task.priority?.priority ?? PRIORITIES[task.priority?.id ?? task.priority];
    if (priority) rows.push(["Priority", h("span.capital", {}, priority)]);
    if (task.tags?.length) rows.push(["Tags", task.tags.map((tag) => h("span.tag", {}, tag.name))]);
    if (task.date_created) rows.push(["Created", when(Number(task.date_created) / 1000, zone)]);
    return rows.map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]);
  }
}

function assignee(member) {
  return h("span.assignee", {}, face(member), member.username ?? member.email ?? String(member.id));
}

function dueWords(task, zone) {
  const late = isOverdue(task.due_date, zone) && task.status?.type !== "closed";
  return h("span.due", { class: late ? "late" : "" }, dueDay(task.due_date, zone));
}

function description(task, world) {
  const text = task.markdown_description || task.description || task.text_content || "";
  return text.trim() ? markdown(text, world) : h("p.quiet", {}, "No description.");
}
