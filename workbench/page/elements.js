/** Block Kit's interactive elements: each has a node and a function that reads its value. */

import { askFirst } from "./confirm.js";
import { overflowMenu } from "./menu.js";
import { h, icon } from "./nodes.js";
import { safeAddress } from "./references.js";
import { plain, textNodes } from "./texts.js";

let serial = 0;

/**
 * Draws `element` of block `blockId`. `scene` is {world, answers, act(action), kind}.
 * `quiet` inputs (those of an input block) only dispatch when they ask to.
 */
export function element(element, blockId, scene, { quiet = false, describedBy = "" } = {}) {
  const build = BUILDERS[element.type];
  if (!build) return h("span.unknown", {}, `This element (${element.type}) is not shown here.`);
  const at = {
    element,
    blockId,
    scene,
    describedBy,
    earlier: earlierValue(element, blockId, scene),
  };
  at.act = (extra) => dispatch(at, extra);
  at.changed = quiet ? () => undefined : at.act;
  const { node, read } = build(at);
  if (read) {
    const value = () => ({ type: element.type, ...read() });
    scene.answers.register(blockId, element.action_id, value);
  }
  return node;
}

function earlierValue(element, blockId, scene) {
  const value = scene.answers.before(blockId, element.action_id);
  return value?.type === element.type ? value : null;
}

async function dispatch({ element, blockId, scene }, extra) {
  if (element.confirm && !(await askFirst(element.confirm, scene.world))) return;
  const { type, action_id } = element;
  scene.act({ type, action_id, block_id: blockId, action_ts: `${Date.now() / 1000}`, ...extra });
}

const BUILDERS = {
  button,
  feedback_buttons: thumbs,
  overflow,
  static_select: (at) =>
    select(at, optionsOf(at.element), "selected_option", at.element.initial_option),
  users_select: (at) => idSelect(at, "selected_user", at.element.initial_user, peopleOf(at)),
  channels_select: (at) =>
    idSelect(at, "selected_channel", at.element.initial_channel, channelsOf(at)),
  conversations_select: (at) =>
    idSelect(at, "selected_conversation", at.element.initial_conversation, channelsOf(at)),
  multi_static_select: (at) => choices(at, "checkbox"),
  checkboxes: (at) => choices(at, "checkbox"),
  radio_buttons: (at) => choices(at, "radio"),
  datepicker: (at) => field(at, { type: "date" }, "selected_date", at.element.initial_date),
  timepicker: (at) => field(at, { type: "time" }, "selected_time", at.element.initial_time),
  plain_text_input: (at) => textInput(at),
  email_text_input: (at) => field(at, { type: "email" }, "value", at.element.initial_value),
  url_text_input: (at) => field(at, { type: "url" }, "value", at.element.initial_value),
  number_input: (at) => field(at, numberRange(at.element), "value", at.element.initial_value),
  image: (at) => ({ node: picture(at.element) }),
};

function button({ element, scene, act }) {
  const allowed = element.visible_to_user_ids;
  if (allowed && !allowed.includes(scene.world.me)) return { node: h("span", { hidden: true }) };
  const attributes = {
    type: "button",
    class: `button ${element.style ?? ""}`,
    "data-testid": "card-button",
    "data-action": element.action_id,
    "aria-label": element.accessibility_label,
  };
  const value = element.value === undefined ? {} : { value: element.value };
  const click = () => act({ ...value, text: element.text });
  const href = element.url && safeAddress(element.url);
  const label = textNodes(element.text, scene.world);
  if (!href) return { node: h("button", { ...attributes, onclick: click }, label) };
  const place = { href, target: "_blank", rel: "noopener noreferrer nofollow" };
  return {
    node: h("a", { ...attributes, ...place, type: null, onclick: click }, label, icon("external")),
  };
}

const THUMBS = [
  ["positive_button", "thumb-up"],
  ["negative_button", "thumb-down"],
];
const chosenThumbs = new Map(); // The value chosen, by person and pair, as Slack keeps it.

/** Slack's feedback buttons: the pressed one stays lit until the other is pressed. */
function thumbs({ element, scene, act }) {
  const pair = `${scene.world.me} ${THUMBS.map(([name]) => element[name]?.value).join(" ")}`;
  const node = h("span.thumbs", { role: "group", "aria-label": "Feedback" });
  const light = () => {
    for (const thumb of node.children)
      thumb.setAttribute("aria-pressed", String(chosenThumbs.get(pair) === thumb.dataset.value));
  };
  const press = (thumb) => {
    chosenThumbs.set(pair, thumb.value);
    light();
    act({ value: thumb.value, text: thumb.text });
  };
  node.append(...THUMBS.map(([name, sign]) => thumbButton(element[name] ?? {}, sign, press)));
  light();
  return { node };
}

function thumbButton(thumb, sign, press) {
  const label = thumb.accessibility_label || plain(thumb.text);
  const attributes = { type: "button", title: label, "aria-label": label };
  return h(
    "button.thumb",
    {
      ...attributes,
      "data-testid": "thumb",
      "data-value": thumb.value,
      onclick: () => press(thumb),
    },
    icon(sign),
  );
}

function overflow({ element, scene, act }) {
  const items = (element.options ?? []).map((option) => ({
    label: plain(option.text),
    hint: plain(option.description),
    choose: () => {
      const href = option.url && safeAddress(option.url);
      if (href) window.open(href, "_blank", "noopener,noreferrer");
      act({ selected_option: option });
    },
  }));
  return { node: overflowMenu("More", items) };
}

function optionsOf(element) {
  return element.options ?? (element.option_groups ?? []).flatMap((group) => group.options);
}

function select({ element, earlier, act, changed, describedBy }, options, key, initial) {
  const chosen = earlier ? earlier[key] : initial;
  const index = options.findIndex((option) => option.value === chosen?.value);
  const placeholder = plain(element.placeholder) || "Select an option";
  const attributes = {
    class: "select",
    "aria-label": placeholder,
    "aria-describedby": describedBy,
  };
  const node = h(
    "select",
    { ...attributes, onchange: () => changed(read()) },
    h("option", { value: "", selected: index < 0 }, placeholder),
    options.map((o, i) => h("option", { value: String(i), selected: i === index }, plain(o.text))),
  );
  const read = () => ({ [key]: node.value === "" ? null : options[Number(node.value)] });
  return { node: h("span.select-frame", {}, node, icon("down")), read };
}

function idSelect(at, key, initial, options) {
  const asOption = (id) => (id ? { value: id } : null);
  const earlier = at.earlier && { ...at.earlier, [key]: asOption(at.earlier[key]) };
  const act = (extra) => at.changed({ [key]: extra[key]?.value ?? null });
  const built = select({ ...at, earlier, changed: act }, options, key, asOption(initial));
  return { node: built.node, read: () => ({ [key]: built.read()[key]?.value ?? null }) };
}

const asChoice = (id, text) => ({ value: id, text: { type: "plain_text", text } });
const peopleOf = ({ scene }) =>
  scene.world.people().map((p) => asChoice(p.id, scene.world.nameOf(p.id)));
const channelsOf = ({ scene }) =>
  scene.world
    .channels()
    .filter((c) => !c.is_im)
    .map((c) => asChoice(c.id, `#${c.name}`));

function choices({ element, scene, earlier, changed }, kind) {
  const options = optionsOf(element);
  const key = kind === "radio" ? "selected_option" : "selected_options";
  const start = earlier ? earlier[key] : (element.initial_options ?? element.initial_option);
  const chosen = new Set([start ?? []].flat().map((option) => option.value));
  const name = `choice-${(serial += 1)}`;
  const inputs = options.map((option) =>
    h("input", {
      type: kind,
      name,
      checked: chosen.has(option.value),
      onchange: () => changed(read()),
    }),
  );
  const read = () => {
    const picked = options.filter((_, i) => inputs[i].checked);
    return { [key]: kind === "radio" ? (picked[0] ?? null) : picked };
  };
  const rows = options.map((option, i) =>
    h(
      "label.choice",
      {},
      inputs[i],
      h("span", {}, textNodes(option.text, scene.world), described(option, scene)),
    ),
  );
  return {
    node: h("div.choices", { role: kind === "radio" ? "radiogroup" : "group" }, rows),
    read,
  };
}

function described(option, scene) {
  return option.description ? h("small", {}, textNodes(option.description, scene.world)) : null;
}

function field({ element, earlier, changed, describedBy }, attributes, key, initial) {
  const value = earlier ? earlier[key] : initial;
  const node = h("input.field", {
    ...attributes,
    value: value ?? "",
    placeholder: plain(element.placeholder),
    "aria-label": plain(element.placeholder) || element.type,
    "aria-describedby": describedBy,
    onchange: () => changed(read()),
  });
  const read = () => ({ [key]: node.value === "" ? null : node.value });
  return { node, read };
}

const numberRange = (element) => ({
  type: "number",
  step: element.is_decimal_allowed ? "any" : "1",
  min: element.min_value,
  max: element.max_value,
});

function textInput(at) {
  const { element, earlier } = at;
  const limits = { maxlength: element.max_length, minlength: element.min_length };
  if (!element.multiline) {
    return field(at, { type: "text", ...limits }, "value", element.initial_value);
  }
  const node = h("textarea.field", {
    ...limits,
    rows: 6,
    value: (earlier ? earlier.value : element.initial_value) ?? "",
    placeholder: plain(element.placeholder),
    "aria-describedby": at.describedBy,
    onchange: () => at.changed({ value: node.value }),
  });
  return { node, read: () => ({ value: node.value === "" ? null : node.value }) };
}

/** A picture's description: pictures are on other hosts, which this page never asks. */
export function picture(image) {
  const title = plain(image.title);
  return h(
    "span.picture",
    { role: "img", "aria-label": image.alt_text },
    icon("image"),
    h("span", {}, title ? `${title} · ` : "", image.alt_text || "Image"),
  );
}
