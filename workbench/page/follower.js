/** Keeps the newest message in view at the end of a list, and elsewhere offers to scroll there. */

import { h, icon } from "./nodes.js";

const NEAR = 80; // pixels from the end that still count as reading the newest
const LIT = 2500; // ms that a message brought into view stays lit

export class Follower {
  #following = true;
  #idle = false;
  #newest = "";
  #left = 0; // where the list was last scrolled to its end

  constructor(world, scroll, list) {
    this.world = world;
    this.scroll = scroll;
    this.list = list;
    this.words = h("span");
    this.button = h(
      "button.latest",
      { type: "button", hidden: true, "data-testid": "latest", onclick: () => this.#toEnd() },
      icon("arrow-down"),
      this.words,
    );
    scroll.addEventListener("scroll", () => this.#notice());
    const follow = new ResizeObserver(() => this.#follow());
    follow.observe(list);
    follow.observe(scroll);
  }

  /** Another conversation is shown; `follows` is false where there is no newest. */
  enter(follows = true) {
    this.#following = follows;
    this.#idle = !follows;
    this.#newest = "";
    this.#left = 0;
    this.button.hidden = true;
    if (!follows) this.scroll.scrollTop = 0;
  }

  /** Scrolls or offers to, after the list was drawn; `newest` is its last message's ts. */
  settle(newest = "") {
    const arrived = this.#newest && Number(newest) > Number(this.#newest);
    this.#newest = newest;
    if (this.#showTarget()) return;
    this.#follow();
    if (!this.#following && arrived && this.#isBelow(newest)) this.#offer("New messages below", "fresh");
  }

  /** Scrolls to the message that was asked for, once it is drawn; returns whether it did. */
  #showTarget() {
    const { target } = this.world;
    const node = target && this.list.querySelector(`[data-ts="${CSS.escape(target.ts)}"]`);
    if (!node) return false;
    this.world.target = null;
    this.#following = false;
    node.scrollIntoView({ block: target.isLit ? "center" : "nearest" });
    if (target.isLit) light(node);
    this.#notice();
    return true;
  }

  #isBelow(ts) {
    const node = this.list.querySelector(`[data-ts="${CSS.escape(ts)}"]`);
    return node?.getBoundingClientRect().top > this.scroll.getBoundingClientRect().bottom - NEAR;
  }

  #notice() {
    if (this.#idle || !this.#newest) return;
    const { scrollHeight, scrollTop, clientHeight } = this.scroll;
    this.#following = scrollHeight - scrollTop - clientHeight < NEAR;
    if (this.#following) this.button.hidden = true;
    else if (this.button.hidden) this.#offer("Latest");
  }

  #offer(words, kind = "") {
    this.words.textContent = words;
    this.button.className = `latest ${kind}`.trim();
    this.button.hidden = false;
  }

  #follow() {
    // The event of a scroll comes a frame later, and what is drawn meanwhile must not undo it.
    if (this.scroll.scrollTop < this.#left - NEAR) this.#notice();
    if (this.#following) this.#toEnd();
  }

  #toEnd() {
    // Without messages there is only a welcome, which is read from its beginning.
    this.scroll.scrollTop = this.#newest ? this.scroll.scrollHeight : 0;
    this.#left = this.scroll.scrollTop;
  }
}

function light(node) {
  node.classList.add("lit");
  setTimeout(() => node.classList.remove("lit"), LIT);
}
