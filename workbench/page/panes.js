/** The bar on a narrow screen, where one pane is shown at a time. */

import { h, icon } from "./nodes.js";

const PANES = [
  ["list", "hash", "Chats"],
  ["talk", "message", "Messages"],
  ["clickup", "check", "ClickUp"],
];

export function mountPanes(world, frame, node) {
  const tabs = PANES.map(([pane, sign, label]) =>
    h(
      "button.pane-tab",
      { type: "button", "data-pane": pane, onclick: () => show(pane) },
      icon(sign),
      label,
    ),
  );
  const show = (pane) => {
    frame.dataset.pane = pane;
    for (const tab of tabs) tab.ariaCurrent = tab.dataset.pane === pane ? "page" : null;
  };
  node.append(...tabs, h("a.pane-tab", { href: "/runs" }, icon("eye"), "Runs"));
  // Choosing the place that is open already changes no address.
  frame.addEventListener("click", (event) => event.target.closest(".place, .found") && show("talk"));
  world.watch(["place"], () => show("talk"));
  world.watch(["place", "unread"], () => tabs[0].classList.toggle("fresh", world.unread.size > 0));
  show("talk");
}
