/** Searches the text that is shown, in every conversation of the person. */

import { control } from "./control.js";
import { when } from "./dates.js";
import { authorOf } from "./messages.js";
import { mrkdwn } from "./mrkdwn.js";
import { fill, h, icon } from "./nodes.js";

const MOST = 20;
const BEFORE = 30; // letters of a message shown before what was looked for

export function mountSearch(world, node) {
  const field = h("input", {
    type: "search",
    placeholder: "Search messages",
    "aria-label": "Search messages",
    "data-testid": "search",
  });
  const list = h("div.results", { role: "list", "aria-label": "Messages found", hidden: true });
  const search = async () => {
    const query = inLower(field.value.trim());
    list.hidden = !query;
    if (!query) return;
    const all = await allMessages(world);
    // The query may have changed meanwhile.
    if (query === inLower(field.value.trim())) show(list, matching(all, query), query, world);
  };
  field.addEventListener("input", () => search().catch((problem) => world.complain(problem)));
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    field.value = "";
    search();
  });
  node.append(h("label.search", {}, icon("search"), field), list);
}

async function allMessages(world) {
  const channels = world.channels();
  const messages = await Promise.all(channels.map(({ id }) => control.messages(id)));
  return channels.flatMap((channel, i) =>
    messages[i].map((message) => ({ channel, message, text: shown(message, world) })),
  );
}

/** A message as one line of the text that is shown, with names instead of ids. */
function shown(message, world) {
  return h("span", {}, mrkdwn((message.text ?? "").replace(/\s+/g, " "), world)).textContent;
}

/** In lower case, as long as before: of “İ” there would be two letters, and hits would shift. */
function inLower(text) {
  return text.replace(/./gsu, (character) => {
    const lower = character.toLowerCase();
    return lower.length === character.length ? lower : character;
  });
}

function matching(all, query) {
  return all
    .filter(({ text }) => inLower(text).includes(query))
    .sort((a, b) => Number(b.message.ts) - Number(a.message.ts));
}

function show(list, hits, query, world) {
  const rest = hits.length - MOST;
  fill(
    list,
    hits.slice(0, MOST).map((hit) => row(hit, query, world)),
    hits.length ? null : h("p.quiet", {}, "Nothing found."),
    rest > 0 ? h("p.quiet", {}, `${rest} older ones are not shown.`) : null,
  );
}

function row({ channel, message, text }, query, world) {
  const at = inLower(text).indexOf(query);
  const begin = Math.max(0, at - BEFORE);
  const end = at + query.length;
  const place = channel.is_im ? world.bot.name : world.signOf(channel);
  const open = () => {
    world.bringIntoView({ ts: message.ts, isLit: true });
    world.go({ place: channel.id, thread: channel.is_im ? "" : (message.thread_ts ?? "") });
    world.refresh.messages();
  };
  const author = world.nameOf(authorOf(message, world));
  return h(
    "button.found",
    { type: "button", role: "listitem", "data-testid": "found", onclick: open },
    h("small", {}, `${author} · ${place} · ${when(message.ts, world.zone)}`),
    h(
      "span",
      {},
      begin ? "…" : "",
      text.slice(begin, at),
      h("mark", {}, text.slice(at, end)),
      text.slice(end, end + 60),
    ),
  );
}
