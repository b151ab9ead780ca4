/** The panel that holds one thread of a channel. */

import { composer } from "./composer.js";
import { Follower } from "./follower.js";
import { messageEntry, statusEntry } from "./messages.js";
import { fill, h, icon, reconcile } from "./nodes.js";
import { sessionEntries } from "./sessions.js";

export class ThreadPanel {
  #shown = "";

  constructor(world, node) {
    this.world = world;
    this.node = node;
    const close = () => world.go({ thread: "" });
    this.title = h("div.thread-title");
    this.list = h("div.messages", { role: "log", "aria-label": "Thread" });
    this.scroll = h("div.scroll", {}, this.list);
    this.follower = new Follower(world, this.scroll, this.list);
    this.foot = h("div.foot");
    node.append(
      h(
        "header.room-head",
        {},
        this.title,
        h("span.spacer"),
        h(
          "button.tool",
          { type: "button", "aria-label": "Close thread", onclick: close },
          icon("close"),
        ),
      ),
      this.scroll,
      this.follower.button,
      this.foot,
    );
    node.addEventListener("keydown", (event) => event.key === "Escape" && close());
    world.watch(["place", "messages", "ephemerals", "statuses", "state"], () => this.draw());
    this.draw();
  }

  draw() {
    const { world } = this;
    const channel = world.channel();
    const messages = world.messages();
    const root = messages.find((m) => m.ts === world.thread);
    this.node.hidden = !root || !channel || Boolean(channel.is_im);
    if (this.node.hidden) {
      this.#shown = "";
      return;
    }
    this.#enter(channel);
    const replies = messages.filter((m) => m !== root && m.thread_ts === root.ts);
    const status = world.statusOf(channel.id, root.ts);
    const entries = [messageEntry(root, null, world)];
    entries.push(...sessionEntries(channel.id, root.ts, world));
    if (replies.length) entries.push(countEntry(replies.length));
    entries.push(...replies.map((m, i) => messageEntry(m, replies[i - 1], world)));
    if (status.length) entries.push(statusEntry(status, world));
    reconcile(this.list, entries);
    this.follower.settle((replies.at(-1) ?? root).ts);
  }

  #enter(channel) {
    const { world } = this;
    const here = [world.me, channel.id, world.thread].join("/");
    if (here === this.#shown) return;
    this.#shown = here;
    this.list.replaceChildren();
    this.follower.enter();
    fill(this.title, h("h2", {}, "Thread"), h("span.topic", {}, world.signOf(channel)));
    const writer = composer(world, {
      channel: channel.id,
      thread: world.thread,
      label: "Reply…",
      testid: "thread-composer",
      sendTestid: "thread-send",
    });
    fill(this.foot, writer.node);
    writer.focus();
  }
}

function countEntry(count) {
  const words = `${count} ${count === 1 ? "reply" : "replies"}`;
  return { key: "count", signature: words, build: () => h("div.reply-count", {}, h("span", {}, words)) };
}
