/** In a direct message: what was asked, with its whole thread under it. */

import { composer, draftOf } from "./composer.js";
import { messageEntry, statusEntry } from "./messages.js";
import { h, icon, reconcile } from "./nodes.js";
import { sessionEntries } from "./sessions.js";

export function drawExchange(node, { root, replies, status }, world) {
  if (!node.firstChild) node.append(h("div.root"), h("div.replies"), h("div.reply-slot"));
  const [top, thread, slot] = node.children;
  reconcile(top, [messageEntry(root, null, world)]);
  const entries = sessionEntries(world.place, root.ts, world);
  entries.push(...replies.map((m, i) => messageEntry(m, replies[i - 1], world, { small: true })));
  if (status.length) entries.push(statusEntry(status, world));
  reconcile(thread, entries);
  thread.hidden = !entries.length;
  slot.hidden = !replies.length;
  if (!slot.firstChild) invite(slot, root, world);
  return node;
}

function invite(slot, root, world) {
  const place = { channel: world.place, thread: root.ts };
  const open = () => {
    const writer = composer(world, {
      ...place,
      label: "Reply in this thread",
      testid: "thread-composer",
      sendTestid: "thread-send",
      compact: true,
    });
    slot.replaceChildren(writer.node);
    writer.node.addEventListener("keydown", (event) => {
      if (event.key === "Escape") slot.replaceChildren(button);
    });
    return writer;
  };
  const button = h(
    "button.reply-here",
    { type: "button", "data-testid": "reply-here", onclick: () => open().focus() },
    icon("reply"),
    "Reply in thread",
  );
  slot.replaceChildren(button);
  if (world.drafts.get(draftOf(world, place))) open();
}
