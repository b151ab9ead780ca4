/** Where a person writes: Enter sends, Shift+Enter breaks the line, "/" commands, "@" mentions. */

import { control } from "./control.js";
import { menuButton } from "./menu.js";
import { h, icon } from "./nodes.js";
import { Suggestions } from "./suggestions.js";

const COMMAND = /^\/([a-z][a-z0-9_-]*)(?:\s+([\s\S]*))?$/;
const TALLEST = 240;

/** `place` is {channel, thread?, label, testid, sendTestid, compact?, suggestions?()}. */
export function composer(world, place) {
  const draft = draftOf(world, place);
  const field = h("textarea", {
    rows: 1,
    placeholder: place.label,
    "aria-label": place.label,
    "data-testid": place.testid,
    value: world.drafts.get(draft),
  });
  const send = h(
    "button.send",
    {
      type: "submit",
      "aria-label": "Send",
      title: "Send (Enter)",
      "data-testid": place.sendTestid,
    },
    icon("send"),
  );
  const suggestions = new Suggestions(world, field, { commands: !place.thread });
  const idea = ideas(world, place);
  const form = h(
    "form.composer",
    { class: place.compact ? "compact" : "" },
    suggestions.node,
    field,
    h("div.composer-tools", {}, mentioning(field), idea.nodes, h("span.hint-keys", {}, KEYS), send),
  );
  const changed = () => {
    world.drafts.set(draft, field.value);
    send.disabled = !field.value.trim();
    grow(field);
  };
  field.addEventListener("input", changed);
  field.addEventListener("keydown", (event) => enter(event, form, suggestions));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const typed = field.value.trim();
    if (!typed) return;
    write(field, "");
    deliver(world, place, typed).then((sent) => {
      // What was typed must not be lost because the other side was away.
      if (!sent && !field.value) write(field, typed);
    });
  });
  changed();
  requestAnimationFrame(() => grow(field));
  return {
    node: form,
    focus: () => field.focus(),
    send: (text) => deliver(world, place, text),
    offer: idea.offer,
  };
}

/** The name under which a place's draft is kept. */
export const draftOf = (world, { channel, thread }) => [world.me, channel, thread].join("/");

const KEYS = "Shift + Enter for a new line";

function mentioning(field) {
  return h(
    "button.tool",
    {
      type: "button",
      title: "Mention someone",
      "aria-label": "Mention someone",
      onclick: () => write(field, `${field.value}${/\S$/.test(field.value) ? " " : ""}@`),
    },
    icon("at"),
  );
}

/** A menu of suggested sentences: choosing one sends it, as in Slack. */
function ideas(world, place) {
  if (!place.suggestions) return { nodes: [], offer: () => undefined };
  const items = () =>
    place.suggestions().map((text) => ({
      label: text,
      choose: () => deliver(world, place, text),
    }));
  const attributes = {
    class: "tool",
    title: "Send one of these",
    "aria-label": "Send one of these",
    "data-testid": "ideas",
  };
  const { button, menu } = menuButton(attributes, icon("bulb"), items, { side: "above" });
  const offer = () => (button.hidden = !place.suggestions().length);
  offer();
  return { nodes: [button, menu], offer };
}

function write(field, text) {
  field.value = text;
  field.focus();
  field.setSelectionRange(text.length, text.length);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

function grow(field) {
  field.style.setProperty("height", "auto");
  field.style.setProperty("height", `${Math.min(field.scrollHeight, TALLEST)}px`);
}

function enter(event, form, suggestions) {
  if (suggestions.handle(event)) return;
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  form.requestSubmit();
}

/** Says whether it was sent. */
export async function deliver(world, place, typed) {
  try {
    await post(world, place, typed);
    return true;
  } catch (problem) {
    world.complain(problem);
    return false;
  }
}

async function post(world, place, typed) {
  const command = COMMAND.exec(typed);
  const { channel } = place;
  if (!command) {
    const text = addressed(typed, world);
    const thread = place.thread ? { thread_ts: place.thread } : {};
    const { ts } = await control.send({ channel, user: world.me, text, ...thread });
    world.bringIntoView({ ts });
    return world.still ? world.refreshAll() : world.refresh.messages();
  }
  if (place.thread)
    throw new Error(`/${command[1]} is not supported in threads. Write it in the main composer.`);
  return control.command({
    channel,
    user: world.me,
    command: `/${command[1]}`,
    text: addressed(command[2] ?? "", world),
  });
}

/** Typed text with "@name" and "#channel" as the ids they stand for. */
export function addressed(typed, world) {
  const names = new Map(world.state.users.map((user) => [world.nameOf(user.id), user.id]));
  names.set(world.bot.name, world.bot.id);
  const longestFirst = [...names].sort(([a], [b]) => b.length - a.length);
  const mentioned = longestFirst.reduce(
    (text, [name, id]) => text.replaceAll(`@${name}`, `<@${id}>`),
    typed,
  );
  return mentioned.replace(/(^|\s)#([\w-]+)/g, (whole, before, name) => {
    const channel = world.state.channels.find((c) => c.name === name);
    return channel ? `${before}<#${channel.id}|${name}>` : whole;
  });
}
