/** Pop-up menus: the person switch, overflow buttons, suggestions. */

import { fill, h, icon } from "./nodes.js";

/**
 * A button that opens a menu of `items()`: {label, hint?, before?, checked?, attributes?, choose}.
 */
export function menuButton(buttonAttributes, content, items, { side = "below" } = {}) {
  const menu = h("div.menu", { role: "menu", popover: "auto" });
  const button = h(
    "button",
    { type: "button", "aria-haspopup": "menu", "aria-expanded": "false", ...buttonAttributes },
    content,
  );
  // By the time of the click, pressing outside the menu has already closed it.
  let wasOpen = false;
  button.addEventListener("pointerdown", () => (wasOpen = menu.matches(":popover-open")));
  button.addEventListener("click", () => {
    if (!wasOpen) open();
    wasOpen = false;
  });
  menu.addEventListener("toggle", ({ newState }) => {
    button.setAttribute("aria-expanded", String(newState === "open"));
    if (newState === "closed" && menu.contains(document.activeElement)) button.focus();
  });
  menu.addEventListener("keydown", (event) => walk(event, menu));
  function open() {
    fill(
      menu,
      items().map((item) => row(item, menu, button)),
    );
    menu.showPopover();
    place(menu, button, side);
    (menu.querySelector("[aria-checked=true]") ?? menu.firstElementChild)?.focus();
  }
  return { button, menu };
}

export function overflowMenu(label, items) {
  const attributes = {
    class: "button icon-only",
    "aria-label": label,
    "data-testid": "card-overflow",
  };
  const { button, menu } = menuButton(attributes, icon("dots"), () => items);
  return h("span.overflow", {}, button, menu);
}

function row(item, menu, button) {
  const choose = () => {
    menu.hidePopover();
    button.focus();
    item.choose();
  };
  const checked = item.checked === undefined ? {} : { "aria-checked": String(item.checked) };
  const role = item.checked === undefined ? "menuitem" : "menuitemradio";
  return h(
    "button.menu-row",
    { type: "button", role, ...checked, ...item.attributes, onclick: choose },
    item.before ?? null,
    h("span.menu-label", {}, item.label),
    item.hint ? h("span.menu-hint", {}, item.hint) : null,
    item.checked ? icon("check") : null,
  );
}

function walk(event, menu) {
  const rows = [...menu.querySelectorAll(".menu-row")];
  const at = rows.indexOf(document.activeElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  rows[(to + rows.length) % rows.length]?.focus();
}

function place(menu, anchor, side) {
  const box = anchor.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = menu;
  const left = Math.max(8, Math.min(box.left, window.innerWidth - width - 8));
  const below = box.bottom + 4;
  const fits = side === "below" && below + height < window.innerHeight - 8;
  const top = fits ? below : Math.max(8, box.top - height - 4);
  menu.style.setProperty("left", `${left}px`);
  menu.style.setProperty("top", `${top}px`);
}
