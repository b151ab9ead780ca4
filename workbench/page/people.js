/** Avatars and names: initials on a colour that stays the same for a person. */

import { h, icon } from "./nodes.js";

const TINTS = 10;

export function initials(name) {
  const words = name
    .replace(/[^\p{L}\p{N}\s]/gu, " ")
    .trim()
    .split(/\s+/);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : words;
  return letters
    .map((word) => [...word][0] ?? "?")
    .join("")
    .toUpperCase();
}

/** A tint by position in the workspace's list, so that the first ten people all differ. */
function tintOf(id, world) {
  const place = world.state.users.findIndex((user) => user.id === id);
  if (place >= 0) return place % TINTS;
  return [...String(id)].reduce((sum, char) => sum + char.codePointAt(0), 0) % TINTS;
}

export function avatar(id, world, size = "") {
  const name = world.nameOf(id);
  if (id === world.bot.id) return h("span.avatar.app", { class: size }, icon("claw"));
  return h(
    `span.avatar.tint-${tintOf(id, world)}`,
    { class: size, "aria-hidden": "true" },
    initials(name),
  );
}

/** A person's title and rights, shown beside the name. */
export function roleOf(user) {
  const title = user?.title || user?.profile?.title;
  return [title, user?.is_admin && "Admin"].filter(Boolean).join(" · ");
}

export function badge(text) {
  return h("span.badge", {}, text);
}

/** The icon before a conversation's name. */
export const signIcon = (channel) => (channel?.is_mpim ? "message" : "hash");
