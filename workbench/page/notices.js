/** The notice above the page, and toasts about what went wrong. */

import { LOST } from "./control.js";
import { fill, h, icon } from "./nodes.js";
import { mrkdwn } from "./mrkdwn.js";
import { switches } from "./switches.js";

const LASTS = 6000;

export function mountNotice(world, node) {
  const draw = () => {
    const lost = LOST[world.lost];
    const text = lost ?? world.state.notice ?? "";
    const { agency, models, clock } = world.state;
    const shown = JSON.stringify([text, agency, models, clock]);
    if (node.dataset.shown === shown) return;
    node.dataset.shown = shown;
    node.hidden = !text;
    node.classList.toggle("lost", Boolean(lost));
    const offered = lost ? [] : switches(world);
    fill(node, icon("info"), h("span.prose", {}, mrkdwn(text, world)), offered);
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
