/** The right pane: ClickUp's spaces and lists, and tasks as they appear. */

import { dueDay, isOverdue } from "./dates.js";
import { fill, h, icon, reconcile } from "./nodes.js";
import { archivedMark, faces, statusDot } from "./task-parts.js";
import { TaskDrawer } from "./task-drawer.js";

const NEWEST = 6; // tasks of a list shown at first
const FOUND = 25; // and while the filter has text
const FRESH = 6000; // ms that a new task is highlighted

export class ClickUpPane {
  #known = null;
  #fresh = new Set();
  #open = new Set();
  #closed = new Set();
  #whole = new Set();

  constructor(world, node, { close }) {
    this.world = world;
    this.search = h("input", {
      type: "search",
      placeholder: "Filter spaces, lists, tasks",
      "aria-label": "Filter ClickUp",
      "data-testid": "clickup-filter",
      oninput: () => this.draw(),
    });
    this.count = h("span.pane-count");
    this.spaces = h("div.spaces");
    this.drawer = new TaskDrawer(world);
    const hide = h(
      "button.tool",
      { type: "button", "aria-label": "Hide ClickUp", title: "Hide ClickUp", onclick: close },
      icon("close"),
    );
    node.append(
      h(
        "header.room-head",
        {},
        icon("tasks", "mark"),
        h("h1", {}, "ClickUp"),
        this.count,
        h("span.spacer"),
        hide,
      ),
      h("div.pane-search", {}, icon("search"), this.search),
      h("div.scroll", { tabindex: "0", "aria-label": "ClickUp lists" }, this.spaces),
      this.drawer.node,
    );
    world.watch(["spaces", "tasks"], () => this.#receive());
    world.watch(["place"], () => this.draw());
    world.addEventListener("forgotten", () => (this.#known = null));
    this.#receive();
  }

  #receive() {
    const { tasks } = this.world;
    if (!tasks) return this.draw();
    const ids = new Set(tasks.map((task) => task.id));
    const arrived = this.#known ? tasks.filter((task) => !this.#known.has(task.id)) : [];
    this.#known = ids;
    for (const task of arrived) this.#light(task);
    this.draw();
    this.drawer.renew(tasks);
    if (!arrived.length) return undefined;
    this.drawer.close();
    return this.#reveal(arrived.at(-1));
  }

  #light(task) {
    this.#fresh.add(task.id);
    this.#closed.delete(task.list?.id);
    this.#open.add(task.list?.id);
    setTimeout(() => {
      this.#fresh.delete(task.id);
      this.draw();
    }, FRESH);
  }

  #reveal(task) {
    const row = this.spaces.querySelector(`[data-task="${CSS.escape(task.id)}"]`);
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    row?.scrollIntoView({ block: "center", behavior: calm ? "auto" : "smooth" });
  }

  draw() {
    const wanted = this.search.value.trim().toLowerCase();
    const groups = this.#groups(wanted);
    const shown = new Set(groups.flatMap((group) => group.lists).flatMap((list) => live(list.tasks)));
    fill(
      this.count,
      this.world.tasks ? `${shown.size} ${shown.size === 1 ? "task" : "tasks"}` : "",
    );
    if (!groups.length) {
      const words = wanted ? "Nothing matches." : this.world.tasks ? "No lists yet." : "Loading…";
      return reconcile(this.spaces, [
        { key: "none", signature: words, build: () => h("p.quiet", {}, words) },
      ]);
    }
    return reconcile(
      this.spaces,
      groups.map((group) => this.#spaceEntry(group, wanted)),
    );
  }

  /** Spaces with their lists and tasks, as far as they match the filter. */
  #groups(wanted) {
    const byList = new Map();
    for (const task of this.world.tasks ?? []) {
      for (const { id } of [task.list ?? {}, ...(task.locations ?? [])]) {
        if (!byList.has(id)) byList.set(id, []);
        byList.get(id).push(task);
      }
    }
    return this.world.spaces
      .map((space) => {
        const spaceFits = fits(space.name, wanted);
        const lists = (space.lists ?? [])
          .map((list) =>
            narrowed(list, newestFirst(byList.get(list.id) ?? []), spaceFits ? "" : wanted),
          )
          .filter((list) => list !== null);
        return { space, lists };
      })
      .filter(({ space, lists }) => lists.length || fits(space.name, wanted));
  }

  #spaceEntry({ space, lists }, wanted) {
    return {
      key: space.id,
      build: () => this.#drawSpace(h("section.space"), space, lists, wanted),
      update: (node) => this.#drawSpace(node, space, lists, wanted),
    };
  }

  #drawSpace(node, space, lists, wanted) {
    if (!node.firstChild) node.append(h("h2", {}, h("span.space-mark"), h("span")), h("div"));
    node.firstChild.lastChild.textContent = space.name;
    const empty = {
      key: "none",
      signature: "",
      build: () => h("p.quiet", {}, "No lists in this space."),
    };
    const entries = lists.map((list) => this.#listEntry(list, wanted));
    reconcile(node.lastChild, entries.length ? entries : [empty]);
    return node;
  }

  #listEntry(list, wanted) {
    return {
      key: list.id,
      build: () => this.#drawList(h("div.task-list"), list, wanted),
      update: (node) => this.#drawList(node, list, wanted),
    };
  }

  #isOpen(list, wanted) {
    if (this.#closed.has(list.id)) return false;
    return Boolean(wanted) || this.#open.has(list.id) || list.tasks.length > 0;
  }

  #drawList(node, list, wanted) {
    if (!node.firstChild)
      node.append(h("button.list-head", { type: "button" }), h("div.tasks", { role: "list" }));
    const [head, body] = node.children;
    const open = this.#isOpen(list, wanted);
    head.onclick = () => this.#flip(list, wanted);
    head.setAttribute("aria-expanded", String(open));
    fill(
      head,
      icon("right", open ? "turned" : ""),
      h("span.list-name", {}, list.name),
      h("span.list-count", {}, String(live(list.tasks).length)),
    );
    body.hidden = !open;
    reconcile(body, open ? this.#taskEntries(list, wanted ? FOUND : NEWEST) : []);
    return node;
  }

  #flip(list, wanted) {
    const open = this.#isOpen(list, wanted);
    this.#open[open ? "delete" : "add"](list.id);
    this.#closed[open ? "add" : "delete"](list.id);
    this.draw();
  }

  #taskEntries(list, most) {
    const whole = this.#whole.has(list.id);
    const shown = whole ? list.tasks : list.tasks.slice(0, most);
    const entries = shown.map((task) => this.#taskEntry(task));
    const rest = list.tasks.length - shown.length;
    if (!list.tasks.length)
      entries.push({ key: "none", signature: "", build: () => h("p.quiet", {}, "No tasks.") });
    if (rest)
      entries.push({ key: "more", signature: String(rest), build: () => this.#more(list, rest) });
    return entries;
  }

  #more(list, rest) {
    const showAll = () => {
      this.#whole.add(list.id);
      this.draw();
    };
    return h("button.more", { type: "button", onclick: showAll }, `Show ${rest} more`);
  }

  #taskEntry(task) {
    const fresh = this.#fresh.has(task.id);
    const { zone } = this.world;
    const parts = [task.name, task.status, task.assignees, task.due_date, task.archived, fresh];
    return {
      key: task.id,
      signature: JSON.stringify(parts),
      build: () =>
        h(
          "div",
          { role: "listitem" },
          h(
            "button.task-row",
            {
              type: "button",
              class: [fresh && "fresh", task.archived && "archived"].filter(Boolean).join(" "),
              "data-testid": "clickup-task",
              "data-task": task.id,
              onclick: () => this.drawer.open(task),
            },
            statusDot(task.status),
            h("span.task-name", {}, task.name),
            fresh ? h("span.new", {}, "New") : null,
            task.archived ? archivedMark() : due(task, zone),
            faces(task.assignees),
          ),
        ),
    };
  }
}

function due(task, zone) {
  if (!task.due_date) return null;
  const late = isOverdue(task.due_date, zone) && task.status?.type !== "closed";
  return h("span.due", { class: late ? "late" : "" }, dueDay(task.due_date, zone));
}

const fits = (text, wanted) => !wanted || String(text).toLowerCase().includes(wanted);

const live = (tasks) => tasks.filter((task) => !task.archived);

function newestFirst(tasks) {
  return [...tasks].sort((a, b) => Number(b.date_created ?? 0) - Number(a.date_created ?? 0));
}

/** A list with the tasks that fit; null when neither it nor any of them does. */
function narrowed(list, tasks, wanted) {
  if (fits(list.name, wanted)) return { ...list, tasks };
  const some = tasks.filter((task) => fits(task.name, wanted));
  return some.length ? { ...list, tasks: some } : null;
}
