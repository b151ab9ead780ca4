/** Links, people, channels and dates inside text. Only plain web links ever become links. */

import { slackDate } from "./dates.js";
import { withEmoji } from "./emoji.js";
import { h } from "./nodes.js";

const SAFE = new Set(["http:", "https:", "mailto:"]);

/** The address when it may be followed, otherwise null. */
export function safeAddress(address) {
  try {
    const url = new URL(address);
    return SAFE.has(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}

export function link(address, ...label) {
  const href = safeAddress(address);
  const shown = label.length ? label : [address];
  if (!href) return h("span", {}, shown);
  const attributes = { href, title: href, target: "_blank", rel: "noopener noreferrer nofollow" };
  return h("a", attributes, shown);
}

export function personMention(id, world) {
  const mine = id === world.me ? "mine" : "";
  return h("span.mention", { class: mine }, `@${world.nameOf(id)}`);
}

export function channelMention(id, label, world) {
  const name = world.channel(id)?.name ?? label ?? id;
  return h("a.mention", { href: `#/${world.me}/${id}` }, `#${name}`);
}

/** The node for what Slack writes between `<` and `>`; null when it is none of its forms. */
export function reference(token, world, decoded) {
  const bar = token.indexOf("|");
  const target = bar < 0 ? token : token.slice(0, bar);
  const label = bar < 0 ? "" : decoded(token.slice(bar + 1));
  const id = target.slice(1);
  if (/^@[UWB][A-Z0-9]+$/.test(target)) return personMention(id, world);
  if (/^#[CGD][A-Z0-9]+$/.test(target)) return channelMention(id, label, world);
  if (target.startsWith("!date^")) return date(target, label, world);
  if (target.startsWith("!subteam^")) return h("span.mention", {}, label || "@group");
  if (/^!(here|channel|everyone)$/.test(target)) return h("span.mention.loud", {}, `@${id}`);
  const address = decoded(target);
  if (!safeAddress(address)) return null;
  return link(address, withEmoji(label) || address.replace(/^mailto:/, ""));
}

function date(target, fallback, world) {
  const [, timestamp, template = "", address] = target.split("^");
  if (!/^\d{1,11}$/.test(timestamp)) return h("span", {}, fallback);
  const text = slackDate(timestamp, template, world.zone);
  const node = h("time", { title: fallback }, text);
  return address ? link(address, node) : node;
}
