/** Edits and deletes the person's own message in place. */

import { addressed } from "./composer.js";
import { control } from "./control.js";
import { decoded } from "./mrkdwn.js";
import { h } from "./nodes.js";

/** Rows for the menu of the person's own message; `button` opens that menu. */
export function ownActions(message, { channel, messageTs }, button, world) {
  const place = { channel, messageTs, user: world.me };
  const body = () => button.closest(".message").querySelector(".message-body");
  const remove = () => control.deleteMessage(place).catch((problem) => world.complain(problem));
  return [
    {
      label: "Edit message",
      attributes: { "data-testid": "edit-message" },
      choose: () => edit(body(), message, place, world),
    },
    {
      label: "Delete message",
      attributes: { "data-testid": "delete-message" },
      choose: remove,
    },
  ];
}

function edit(body, message, place, world) {
  const field = h("textarea", {
    rows: 3,
    "aria-label": "Edit message",
    "data-testid": "edit-field",
    value: typed(message.text ?? "", world),
  });
  const form = h(
    "form.editing",
    {},
    field,
    h("button.button", { type: "button", onclick: () => form.replaceWith(body) }, "Cancel"),
    h("button.button.primary", { type: "submit", "data-testid": "edit-save" }, "Save"),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const text = addressed(field.value.trim(), world);
    if (text) control.editMessage({ ...place, text }).catch((problem) => world.complain(problem));
    form.replaceWith(body);
  });
  body.replaceWith(form);
  field.focus();
}

/** A message as it is typed: people by name, addresses as they are. */
function typed(text, world) {
  const named = text.replace(/<@(\w+)[^<>]*>/g, (_, id) => `@${world.nameOf(id)}`);
  return decoded(named.replace(/<((?:https?|mailto):[^<>|]+)(?:\|([^<>]*))?>/g, (_, url, label) => label || url));
}
