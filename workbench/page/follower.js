/** Keeps the newest message in sight while one reads there, and otherwise offers the way to it. */

import { h, icon } from "./nodes.js";

const NEAR = 80; // pixels from the end that still count as reading the newest
const LIT = 2500; // ms that a message one was led to stays lit

export class Follower {
  #following = true;
  #idle = false;
  #newest = "";

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
    const follow = new ResizeObserver(() => this.#following && this.#toEnd());
    follow.observe(list);
    follow.observe(scroll);
  }

  /** Another conversation is shown; `follows` is false where there is no newest. */
  enter(follows = true) {
    this.#following = follows;
    this.#idle = !follows;
    this.#newest = "";
    this.button.hidden = true;
    if (!follows) this.scroll.scrollTop = 0;
  }

  /** What is shown was drawn again, and its newest message is `newest`. */
  settle(newest = "") {
    const arrived = this.#newest && Number(newest) > Number(this.#newest);
    this.#newest = newest;
    if (this.#lead()) return;
    if (this.#following) this.#toEnd();
    else if (arrived && this.#isBelow(newest)) this.#offer("New messages below", "fresh");
  }

  /** Leads to the message that was asked for, once it is there. */
  #lead() {
    const { led } = this.world;
    const node = led && this.list.querySelector(`[data-ts="${CSS.escape(led.ts)}"]`);
    if (!node) return false;
    this.world.led = null;
    this.#following = false;
    node.scrollIntoView({ block: led.lit ? "center" : "nearest" });
    if (led.lit) light(node);
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

  #toEnd() {
    // Where nothing was said yet there is only a welcome, which is read from its beginning.
    this.scroll.scrollTop = this.#newest ? this.scroll.scrollHeight : 0;
  }
}

function light(node) {
  node.classList.add("lit");
  setTimeout(() => node.classList.remove("lit"), LIT);
}
