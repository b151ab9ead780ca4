/** Slack's text objects: plain_text and mrkdwn. */

import { withEmoji } from "./emoji.js";
import { h } from "./nodes.js";
import { decoded, mrkdwn } from "./mrkdwn.js";

export function plain(text) {
  return text ? withEmoji(decoded(text.text ?? "")) : "";
}

export function textNodes(text, world) {
  if (!text) return [];
  if (text.type === "mrkdwn") return mrkdwn(text.text, world);
  return plain(text)
    .split("\n")
    .flatMap((line, i) => (i ? [h("br"), line] : [line]));
}
