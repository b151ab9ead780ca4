/** The confirmation dialog of an action. */

import { h } from "./nodes.js";
import { plain, textNodes } from "./texts.js";

/** Resolves to whether the person went ahead. */
export function askFirst(confirm, world) {
  return new Promise((settle) => {
    const finish = (answer) => () => dialog.close(answer);
    const style = confirm.style === "danger" ? "danger" : "primary";
    const dialog = h(
      "dialog.dialog.small",
      { "data-testid": "confirm", "aria-labelledby": "confirm-title" },
      h("header", {}, h("h2", { id: "confirm-title" }, plain(confirm.title) || "Are you sure?")),
      h("div.dialog-body.prose", {}, textNodes(confirm.text, world)),
      h(
        "footer",
        {},
        h(
          "button.button",
          { type: "button", onclick: finish("no") },
          plain(confirm.deny) || "Cancel",
        ),
        h(
          "button.button",
          { type: "button", class: style, "data-testid": "confirm-yes", onclick: finish("yes") },
          plain(confirm.confirm) || "Yes",
        ),
      ),
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      settle(dialog.returnValue === "yes");
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
