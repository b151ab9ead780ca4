/** What the demo can switch: the agency that is worked for, and the model that answers. */

import { control } from "./control.js";
import { h } from "./nodes.js";

const SETTLES_MS = 90_000;

/** Returns the buttons and fields that the demo's supervisor offers now. */
export function switches(world) {
  const { agency = {}, models = {}, clock = {} } = world.state;
  return [...agencyNodes(world, agency), ...modelNodes(world, models), ...clockNodes(world, clock)];
}

function agencyNodes(world, { shown, setup, has_own: hasOwn }) {
  if (!shown) return [];
  if (setup === "starting") return [h("span", { role: "status" }, "Setup is starting…")];
  if (setup) {
    const attributes = { href: setup, target: "_blank", rel: "noreferrer" };
    return [h("a.button", { ...attributes, "data-testid": "open-setup" }, "Open the setup page")];
  }
  if (shown === "own") return [asking(world, "Back to the tour's agency", { kind: "tour" })];
  return [
    asking(world, hasOwn ? "Set up your agency further" : "Set up an empty agency", {
      kind: "set_up",
    }),
    hasOwn && asking(world, "Open your agency", { kind: "own_agency" }),
  ];
}

function modelNodes(world, { found = [], takes_key: takesKey }) {
  return [
    ...found.map(({ label, model }) => asking(world, `Use ${label}`, { kind: "model", model })),
    takesKey && keyForm(world),
  ];
}

function clockNodes(world, { shows, steps = [] }) {
  return [
    shows && h("span", { "data-testid": "clock" }, shows),
    ...steps.map(({ label, ahead }) => asking(world, label, { kind: "clock", ahead })),
  ];
}

function asking(world, label, request) {
  const button = h(
    "button.button",
    { type: "button", "data-testid": request.kind, onclick: () => ask(world, button, request) },
    label,
  );
  return button;
}

function keyForm(world) {
  const field = h("input", {
    type: "password",
    autocomplete: "off",
    placeholder: "OpenAI API key",
    "aria-label": "OpenAI API key",
    "data-testid": "model-key",
  });
  const send = h("button.button", { type: "submit" }, "Connect");
  const form = h("form.key", {}, field, send);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const key = field.value.trim();
    if (!key) return;
    field.value = "";
    ask(world, send, { kind: "model", key });
  });
  return form;
}

/** Asks the supervisor, whose answer is another notice; until then the button can't be pressed. */
async function ask(world, button, request) {
  button.disabled = true;
  setTimeout(() => (button.disabled = false), SETTLES_MS);
  try {
    await control.askSupervisor(request);
  } catch (problem) {
    button.disabled = false;
    world.complain(problem);
  }
}
