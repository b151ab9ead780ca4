/** The notice above the page, and toasts about what went wrong. */

import { LOST } from "./control.js";
import { h, icon } from "./nodes.js";
import { mrkdwn } from "./mrkdwn.js";

const LASTS = 6000;

export function mountNotice(world, node) {
  const draw = () => {
    const lost = LOST[world.lost];
    const text = lost ?? world.state.notice ?? "";
    if (node.dataset.text === text) return;
    node.dataset.text = text;
    node.hidden = !text;
    node.classList.toggle("lost", Boolean(lost));
    node.replaceChildren(icon("info"), h("span.prose", {}, mrkdwn(text, world)));
  };
  world.watch(["state"], draw);
  draw();
}

export function mountToasts(world, node) {
  world.addEventListener("problem", ({ detail }) => {
    if ([...node.children].some((toast) => toast.dataset.text === detail)) return;
    const toast = h(
      "div.toast",
      { dataset: { text: detail } },
      icon("info"),
      h("span", {}, detail),
    );
    node.append(toast);
    setTimeout(() => toast.remove(), LASTS);
  });
}
