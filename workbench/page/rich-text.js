/** Slack's rich_text block, as far as people and apps write it. */

import { emojiOf } from "./emoji.js";
import { h } from "./nodes.js";
import { slackDate } from "./dates.js";
import { channelMention, link, personMention } from "./references.js";

const STYLES = { bold: "strong", italic: "em", strike: "s", code: "code" };

export function richText(block, world) {
  return (block.elements ?? []).map((element) => part(element, world));
}

function part(element, world) {
  const inner = () => (element.elements ?? []).map((piece) => run(piece, world));
  switch (element.type) {
    case "rich_text_section":
      return h("p", {}, inner());
    case "rich_text_preformatted":
      return h("pre.code", {}, h("code", {}, inner()));
    case "rich_text_quote":
      return h("blockquote", {}, inner());
    case "rich_text_list":
      return list(element, world);
    default:
      return null;
  }
}

function list(element, world) {
  const ordered = element.style === "ordered";
  const items = (element.elements ?? []).map((item) =>
    h(
      "li",
      {},
      (item.elements ?? []).map((piece) => run(piece, world)),
    ),
  );
  const start = ordered && element.offset ? { start: element.offset + 1 } : {};
  return h(ordered ? "ol" : "ul", { ...start, class: `depth-${element.indent ?? 0}` }, items);
}

function run(piece, world) {
  const node = plain(piece, world);
  return Object.entries(STYLES)
    .filter(([style]) => piece.style?.[style])
    .reduce((inner, [, tag]) => h(tag, {}, inner), node);
}

function plain(piece, world) {
  switch (piece.type) {
    case "text":
      return lines(piece.text ?? "");
    case "link":
      return link(piece.url, piece.text || piece.url);
    case "user":
      return personMention(piece.user_id, world);
    case "channel":
      return channelMention(piece.channel_id, "", world);
    case "broadcast":
      return h("span.mention.loud", {}, `@${piece.range}`);
    case "emoji":
      return emojiOf(piece.name ?? "") ?? `:${piece.name}:`;
    case "date":
      return h("time", {}, slackDate(piece.timestamp, piece.format ?? "{date}", world.zone));
    default:
      return piece.text ?? "";
  }
}

function lines(text) {
  return text.split("\n").flatMap((line, i) => (i ? [h("br"), line] : [line]));
}
