/** Suggests names after "@" and commands after "/" while a person types. */

import { fill, h } from "./nodes.js";
import { avatar, badge, roleOf } from "./people.js";

const MENTION = /(?:^|\s)@([\p{L}]*(?: \p{L}*)?)$/u;
const COMMAND = /^\/([a-z]*)$/;
const DEFAULT_COMMANDS = [{ command: "/claw", hint: "help, where, ask …, link CLIENT, unlink" }];
const MOST = 6;

export class Suggestions {
  #items = [];
  #at = 0;

  constructor(world, field, { commands }) {
    this.world = world;
    this.field = field;
    this.commands = commands;
    this.node = h("div.suggestions", {
      role: "listbox",
      hidden: true,
      "aria-label": "Suggestions",
    });
    field.addEventListener("input", () => this.#look());
    field.addEventListener("blur", () => setTimeout(() => this.#show([]), 150));
  }

  /** Handles the keys of an open list; returns whether it did. */
  handle(event) {
    if (!this.#items.length) return false;
    const act = {
      ArrowDown: () => this.#move(1),
      ArrowUp: () => this.#move(-1),
      Enter: () => this.#choose(this.#at),
      Tab: () => this.#choose(this.#at),
      Escape: () => this.#show([]),
    }[event.key];
    if (!act || event.shiftKey) return false;
    event.preventDefault();
    event.stopPropagation();
    act();
    return true;
  }

  #look() {
    const typed = this.field.value.slice(0, this.field.selectionStart);
    const mention = MENTION.exec(typed);
    const command = this.commands && COMMAND.exec(typed);
    if (mention) this.#show(this.#people(mention[1]));
    else this.#show(command ? this.#matchingCommands(command[1]) : []);
  }

  #people(start) {
    const { world } = this;
    const wanted = start.toLowerCase();
    const everyone = [{ id: world.bot.id }, ...world.people().filter((p) => p.id !== world.me)];
    return everyone
      .map((user) => ({ user, name: world.nameOf(user.id) }))
      .filter(
        ({ name }) => name.toLowerCase().startsWith(wanted) || lastName(name).startsWith(wanted),
      )
      .filter(({ name }) => name.toLowerCase() !== wanted)
      .slice(0, MOST)
      .map(({ user, name }) => ({
        text: `@${name} `,
        tail: `@${start}`,
        content: [
          avatar(user.id, world, "tiny"),
          h("span", {}, name),
          user.id === world.bot.id ? badge("APP") : h("small", {}, roleOf(user)),
        ],
      }));
  }

  #matchingCommands(start) {
    const known = this.world.state.commands ?? DEFAULT_COMMANDS;
    return known
      .map((c) => ({ command: c.command, hint: c.hint ?? c.usage_hint ?? c.description ?? "" }))
      .filter(({ command }) => command.startsWith(`/${start}`) && command !== `/${start}`)
      .map(({ command, hint }) => ({
        text: `${command} `,
        tail: `/${start}`,
        content: [h("strong", {}, command), h("small", {}, hint)],
      }));
  }

  #show(items) {
    this.#items = items;
    this.#at = 0;
    this.node.hidden = !items.length;
    this.#draw();
  }

  #draw() {
    fill(
      this.node,
      this.#items.map((item, i) =>
        h(
          "div.suggestion",
          {
            role: "option",
            "aria-selected": String(i === this.#at),
            onmousedown: (event) => event.preventDefault(),
            onclick: () => this.#choose(i),
          },
          item.content,
        ),
      ),
    );
  }

  #move(by) {
    this.#at = (this.#at + by + this.#items.length) % this.#items.length;
    this.#draw();
  }

  #choose(index) {
    const { text, tail } = this.#items[index];
    const { field } = this;
    const caret = field.selectionStart;
    field.setRangeText(text, caret - tail.length, caret, "end");
    this.#show([]);
    field.focus();
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

const lastName = (name) => name.toLowerCase().split(" ").at(-1);
