/** The middle: a channel, the direct messages with the app, or its Home tab. */

import { composer } from "./composer.js";
import { dayHeading, dayOf, when } from "./dates.js";
import { drawExchange } from "./exchange.js";
import { Follower } from "./follower.js";
import { drawHome } from "./home.js";
import { authorOf, isRoot, messageEntry, rootOf, statusEntry } from "./messages.js";
import { fill, h, icon, reconcile } from "./nodes.js";
import { avatar, badge, signIcon } from "./people.js";

export class Conversation {
  #shown = "";

  constructor(world, node, { toggleClickUp }) {
    this.world = world;
    this.header = h("header.room-head");
    this.list = h("div.messages", { role: "log", "aria-label": "Messages" });
    this.scroll = h("div.scroll", { tabindex: "0", "aria-label": "Conversation" }, this.list);
    this.follower = new Follower(world, this.scroll, this.list);
    this.foot = h("div.foot");
    this.toggle = h(
      "button.tool.pane-toggle",
      {
        type: "button",
        title: "Show or hide ClickUp",
        "aria-label": "Show or hide ClickUp",
        "data-testid": "toggle-clickup",
        onclick: toggleClickUp,
      },
      icon("panel"),
    );
    node.append(this.header, this.scroll, this.follower.button, this.foot);
    world.watch(["state", "place", "messages", "ephemerals", "statuses", "home"], () =>
      this.draw(),
    );
    world.addEventListener("forgotten", () => (this.#shown = ""));
    this.draw();
  }

  draw() {
    const { world } = this;
    const here = `${world.me}/${world.place}`;
    if (here !== this.#shown) this.#enter(here);
    this.#drawHeader();
    if (world.place === "home") return drawHome(this.list, world);
    reconcile(this.list, this.#entries());
    this.writer.offer();
    return this.follower.settle(world.messages().at(-1)?.ts);
  }

  #enter(here) {
    const { world } = this;
    this.#shown = here;
    this.list.replaceChildren();
    this.follower.enter(world.place !== "home");
    this.list.classList.toggle("home", world.place === "home");
    if (world.place === "home") {
      this.writer = null;
      return fill(this.foot);
    }
    const direct = this.#isDirect();
    this.writer = composer(world, {
      channel: world.place,
      label: direct
        ? `Message ${world.bot.name}`
        : `Message ${world.signOf(world.channel())} — @${world.bot.name} to ask it`,
      testid: "composer",
      sendTestid: "send",
      suggestions: direct ? () => world.suggestions() : null,
    });
    fill(this.foot, this.writer.node);
    return this.writer.focus();
  }

  #isDirect() {
    return Boolean(this.world.channel()?.is_im);
  }

  // The heading --------------------------------------------------------------------------------

  #drawHeader() {
    const { world } = this;
    const direct = world.place === "home" || this.#isDirect();
    const signature = JSON.stringify([
      world.place,
      world.me,
      world.channel(),
      world.state.users.length,
      world.workspace,
    ]);
    if (this.headSignature === signature) return;
    this.headSignature = signature;
    const title = direct ? this.#appTitle() : this.#channelTitle();
    const name = direct ? world.bot.name : world.signOf(world.channel());
    document.title = `${name} · ${world.workspace}`;
    fill(this.header, title, h("span.spacer"), direct ? null : this.#members(), this.toggle);
  }

  #appTitle() {
    const { world } = this;
    const tab = (place, label) =>
      h(
        "a.tab",
        { href: `#/${world.me}/${place}`, "aria-current": world.place === place ? "page" : null },
        label,
      );
    const direct = world.directMessage();
    return [
      avatar(world.bot.id, world, "small"),
      h("h1", {}, world.bot.name),
      badge("APP"),
      h(
        "nav.tabs",
        { "aria-label": "App" },
        direct ? tab(direct.id, "Messages") : null,
        tab("home", "Home"),
      ),
    ];
  }

  #channelTitle() {
    const channel = this.world.channel();
    const topic = channel?.topic?.value ?? channel?.purpose?.value;
    return [
      h("h1", {}, icon(signIcon(channel)), h("span", {}, this.world.titleOf(channel))),
      topic ? h("span.topic", {}, topic) : null,
    ];
  }

  #members() {
    const { world } = this;
    const members = world.channel()?.members ?? [];
    if (!members.length) return null;
    const names = members.map((id) => world.nameOf(id)).join(", ");
    const faces = members.slice(0, 4).map((id) => avatar(id, world, "tiny"));
    return h(
      "span.members",
      { title: names, "aria-label": `${members.length} members: ${names}` },
      faces,
      h("span", {}, String(members.length)),
    );
  }

  // The messages -------------------------------------------------------------------------------

  #entries() {
    const { world } = this;
    const messages = world.messages();
    const known = new Set(messages.map((m) => m.ts));
    const roots = messages.filter(
      (m) => isRoot(m) || !known.has(m.thread_ts) || this.#isBroadcast(m),
    );
    if (!roots.length) return [this.#emptiness()];
    const entries = [];
    let before = null;
    for (const root of roots) {
      const day = dayOf(root.ts, world.zone);
      if (!before || dayOf(before.ts, world.zone) !== day) entries.push(dayEntry(root, day, world));
      entries.push(...this.#rootEntries(root, before, messages));
      before = root;
    }
    return entries;
  }

  #rootEntries(root, before, messages) {
    const { world } = this;
    const replies = messages.filter((m) => m !== root && m.thread_ts === root.ts);
    const status = world.statusOf(world.place, root.ts);
    if (this.#isDirect()) {
      const update = (node) => drawExchange(node, { root, replies, status }, world);
      return [{ key: `x${root.ts}`, update, build: () => update(h("section.exchange")) }];
    }
    const open = () => world.go({ thread: root.ts });
    const entries = [
      messageEntry(root, before, world, { reply: open, grouped: !before?.reply_count }),
    ];
    if (replies.length) entries.push(threadEntry(root, replies, open, world));
    if (status.length) entries.push(statusEntry(status, world, `status${root.ts}`));
    return entries;
  }

  #isBroadcast(message) {
    return message.subtype === "thread_broadcast" && !this.#isDirect();
  }

  #emptiness() {
    const { world } = this;
    const tour = this.#isDirect() ? world.suggestions() : [];
    const waiting = !world.loadedMessages.has(world.place);
    return {
      key: "emptiness",
      signature: JSON.stringify([world.place, tour, waiting]),
      build: () =>
        waiting ? h("div") : this.#isDirect() ? this.#welcome(tour) : this.#beginning(),
    };
  }

  #welcome(tour) {
    const { world } = this;
    const rows = tour.map((text) =>
      h(
        "button.try",
        { type: "button", "data-testid": "try", onclick: () => this.writer.send(text) },
        h("span", {}, text),
        icon("right"),
      ),
    );
    return h(
      "section.welcome",
      {},
      avatar(world.bot.id, world, "huge"),
      h("h2", {}, world.bot.name),
      h(
        "p",
        {},
        "This is the very beginning of your conversation. Write as you would to a colleague.",
      ),
      rows.length ? h("div.tries", {}, h("h3", {}, "Try this"), rows) : null,
    );
  }

  #beginning() {
    return h(
      "section.welcome",
      {},
      h("span.big-hash", {}, icon(signIcon(this.world.channel()))),
      h("h2", {}, this.world.titleOf(this.world.channel())),
      h(
        "p",
        {},
        `This is the very beginning of the channel. Mention @${this.world.bot.name} to ask.`,
      ),
    );
  }
}

function dayEntry(message, day, world) {
  const label = dayHeading(message.ts, world.zone);
  return {
    key: `day${day}`,
    signature: label,
    build: () => h("div.day", { role: "separator" }, h("span", {}, label)),
  };
}

function threadEntry(root, replies, open, world) {
  const last = replies.at(-1);
  const people = [...new Set(replies.map((m) => authorOf(m, world)))].slice(0, 4);
  const count = `${replies.length} ${replies.length === 1 ? "reply" : "replies"}`;
  const active = world.thread === rootOf(root);
  return {
    key: `thread${root.ts}`,
    signature: JSON.stringify([count, last.ts, people, active, world.me]),
    build: () =>
      h(
        "button.thread-link",
        {
          type: "button",
          class: active ? "active" : "",
          "data-testid": "thread-link",
          onclick: open,
        },
        people.map((id) => avatar(id, world, "tiny")),
        h("span.count", {}, count),
        h("span.last", {}, `Last reply ${when(last.ts, world.zone)}`),
      ),
  };
}
