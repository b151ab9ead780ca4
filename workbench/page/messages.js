/** One message: its author, its text or blocks, and its menu. */

import { Answers } from "./answers.js";
import { renderBlocks } from "./blocks.js";
import { deliver } from "./composer.js";
import { control } from "./control.js";
import { clockTime, dayOf, fullTime } from "./dates.js";
import { ownActions } from "./editing.js";
import { actionSender } from "./interactions.js";
import { menuButton } from "./menu.js";
import { mrkdwn } from "./mrkdwn.js";
import { h, icon } from "./nodes.js";
import { avatar, badge } from "./people.js";

const TOGETHER = 300; // seconds within which one person's messages share a heading
const ROTATION = 2500; // ms
const CARD = new Set(["header", "actions", "divider", "input", "table"]);

export const authorOf = (message, world) =>
  message.user ?? (message.bot_id || message.app_id ? world.bot.id : "");
export const isRoot = (message) => !message.thread_ts || message.thread_ts === message.ts;
export const rootOf = (message) => message.thread_ts ?? message.ts;

/** Whether `message` needs no heading of its own after `before`. */
export function continues(before, message, world) {
  return Boolean(
    before &&
    authorOf(before, world) === authorOf(message, world) &&
    !before.is_ephemeral &&
    !message.is_ephemeral &&
    Number(message.ts) - Number(before.ts) < TOGETHER &&
    dayOf(before.ts, world.zone) === dayOf(message.ts, world.zone),
  );
}

/** Entries for `reconcile`: a message is drawn anew only when something on it changed. */
export function messageEntry(message, before, world, options = {}) {
  const grouped = options.grouped !== false && continues(before, message, world);
  return {
    key: message.ts,
    signature: JSON.stringify([message, grouped, world.me, world.state.users.length, world.state.known?.length, options.small]),
    build: () => messageNode(message, world, { ...options, grouped }),
  };
}

function messageNode(message, world, { grouped, small, reply }) {
  const author = authorOf(message, world);
  const name = message.username ?? world.nameOf(author);
  const time = h(
    "time.stamp",
    { title: fullTime(message.ts, world.zone) },
    clockTime(message.ts, world.zone),
  );
  const head = h(
    "div.message-head",
    {},
    h("span.author", {}, name),
    author === world.bot.id ? badge("APP") : null,
    time,
  );
  const side = grouped
    ? h("div.gutter", {}, time.cloneNode(true))
    : avatar(author, world, small ? "small" : "");
  return h(
    "article.message",
    {
      class: [grouped && "grouped", small && "small", message.is_ephemeral && "private"]
        .filter(Boolean)
        .join(" "),
      "data-testid": "message",
      "data-ts": message.ts,
      "aria-label": `${name}, ${clockTime(message.ts, world.zone)}`,
    },
    h("div.message-side", {}, side),
    h(
      "div.message-main",
      {},
      message.is_ephemeral ? privacy() : null,
      grouped ? null : head,
      messageBody(message, world),
    ),
    message.is_ephemeral || message.subtype === "tombstone" ? null : tools(message, world, reply),
  );
}

/** The end of a streamed message: a caret while it grows, a note when its stream expired. */
function growth(message) {
  if (message.streaming_state === "in_progress" && message.streaming_until * 1000 > Date.now())
    return h("span.caret", { "data-testid": "growing", "aria-label": "still being written" });
  if (["in_progress", "errored"].includes(message.streaming_state))
    return h("div.broken", { "data-testid": "broken" }, "Slack gave up on this message.");
  return null;
}

function privacy() {
  return h("div.privacy", {}, icon("eye"), "Only visible to you");
}

function tools(message, world, reply) {
  return h(
    "div.message-tools",
    {},
    reply ? replyButton(reply) : null,
    message.run ? runLink(message.run) : null,
    actionsMenu(message, world),
  );
}

function replyButton(reply) {
  return h(
    "button",
    {
      type: "button",
      title: "Reply in thread",
      "aria-label": "Reply in thread",
      onclick: reply,
    },
    icon("message"),
  );
}

function runLink(run) {
  const title = "Show its run";
  const place = { href: `/runs#${run}`, target: "_blank" };
  return h("a", { ...place, title, "aria-label": title, "data-testid": "run-link" }, icon("eye"));
}

/** The menu of a message: editing and deleting the person's own, and the app's shortcuts. */
function actionsMenu(message, world) {
  const place = { channel: message.channel ?? world.place, messageTs: message.ts };
  const use = (callback_id) =>
    control
      .useShortcut({ ...place, user: world.me, callback_id })
      .catch((problem) => world.complain(problem));
  const shortcuts = () =>
    (world.state.shortcuts ?? []).map(({ callback_id, name }) => ({
      label: name,
      hint: world.bot.name,
      attributes: { "data-testid": `shortcut-${callback_id}` },
      choose: () => use(callback_id),
    }));
  const own = () => (message.user === world.me ? ownActions(message, place, button, world) : []);
  const items = () => [...own(), ...shortcuts()];
  const attributes = {
    title: "More actions",
    "aria-label": "More actions",
    "data-testid": "message-menu",
  };
  const { button, menu } = menuButton(attributes, icon("dots"), items);
  return [button, menu];
}

function messageBody(message, world) {
  if (message.subtype === "tombstone")
    return h("div.message-body.quiet", {}, "This message was deleted.");
  // An app updates its messages all the time; "(edited)" is shown for people only.
  const edited =
    message.edited && message.edited.user !== world.bot.id
      ? h("span.edited", {}, "(edited)")
      : null;
  // Slack adds rich text to what a person typed; it says the same as the text.
  if (!message.blocks?.length || message.client_msg_id) {
    return h(
      "div.message-body.prose",
      {},
      mrkdwn(message.text, world),
      attachments(message, world),
      files(message),
      growth(message) ?? edited,
    );
  }
  const body = h("div.message-body.blocks", { class: looksLikeCard(message.blocks) ? "card" : "" });
  const answers = new Answers();
  const place = { channel: message.channel ?? world.place, messageTs: message.ts };
  const act = actionSender(world, body, answers, place);
  const end = growth(message) ?? edited ?? "";
  body.append(...renderBlocks(message.blocks, { world, answers, act }), end);
  if (authorOf(message, world) === world.bot.id) offerSentences(body, world);
  return body;
}

/** In the app's own lists, a sentence that its script knows is sent by a press. */
function offerSentences(body, world) {
  const channel = world.place;
  if (!world.state.known?.length || !world.channel(channel)?.is_im) return;
  for (const item of body.querySelectorAll("li")) {
    const text = item.textContent.trim();
    if (!world.state.known.includes(text)) continue;
    const send = () => deliver(world, { channel }, text);
    item.classList.add("try-item");
    item.replaceChildren(
      h("button.try", { type: "button", "data-testid": "try", onclick: send }, text, icon("right")),
    );
  }
}

const plainTextOf = ({ text, fallback, title }) => text ?? fallback ?? title ?? "";

function attachments(message, world) {
  return (message.attachments ?? []).map((attachment) => {
    if (!attachment.blocks)
      return h("blockquote", {}, mrkdwn(plainTextOf(attachment), world));
    const card = h("blockquote.unfurl", { "data-testid": "unfurl" });
    const answers = new Answers();
    const place = { channel: message.channel ?? world.place, messageTs: message.ts };
    const act = actionSender(world, card, answers, place);
    card.append(...renderBlocks(attachment.blocks, { world, answers, act }));
    return card;
  });
}

function files(message) {
  return (message.files ?? []).map((file) => {
    const shown = [icon("file"), file.title ?? file.name];
    const address = file.url_private_download;
    return address
      ? h("a.file", { "data-testid": "file", href: address, download: file.name }, shown)
      : h("div.file", { "data-testid": "file" }, shown);
  });
}

function looksLikeCard(blocks) {
  return blocks.some((block) => CARD.has(block.type) || block.fields || block.accessory);
}

/** "AgencyClaw is reading the coupon SOP…", from whatever form the status came in. */
export function statusSentence(status, name) {
  const text = status.trim();
  if (/^is\b/i.test(text)) return `${name} ${text}`;
  if (/^[A-Z]?[a-z]+ing\b/.test(text)) return `${name} is ${text[0].toLowerCase()}${text.slice(1)}`;
  return `${name}: ${text}`;
}

function statusLine(words, world) {
  const sentences = words.map((text) => statusSentence(text, world.bot.name));
  const shown = h("span.shimmer", {}, sentences[0]);
  const node = h(
    "div.status",
    { role: "status", "data-testid": "status" },
    avatar(world.bot.id, world, "tiny"),
    shown,
    h("span.pulse", { "aria-hidden": "true" }, h("i"), h("i"), h("i")),
  );
  if (sentences.length > 1) rotate(node, shown, sentences);
  return node;
}

function rotate(node, shown, sentences) {
  let at = 0;
  const timer = setInterval(() => {
    if (!node.isConnected) return clearInterval(timer);
    at = (at + 1) % sentences.length;
    shown.textContent = sentences[at];
    return undefined;
  }, ROTATION);
}

export function statusEntry(words, world, key = "status") {
  return { key, signature: JSON.stringify(words), build: () => statusLine(words, world) };
}
