/** The line between the conversation and ClickUp: drag it, or use the arrow keys. */

const NARROWEST = 300;
const WIDEST = 720;
const STEP = 24;
const USUAL = 400;
const KEY = "workbench.clickup";

export class Splitter {
  constructor(frame, handle) {
    this.frame = frame;
    this.handle = handle;
    const kept = recall();
    this.#resize(kept.width ?? USUAL);
    this.#collapse(kept.collapsed ?? window.innerWidth < 1000);
    handle.addEventListener("pointerdown", (event) => this.#drag(event));
    handle.addEventListener("keydown", (event) => this.#key(event));
    handle.addEventListener("dblclick", () => this.#resize(USUAL));
  }

  toggle() {
    this.#collapse(!this.collapsed);
    this.#keep();
  }

  #collapse(collapsed) {
    this.collapsed = collapsed;
    this.frame.classList.toggle("clickup-collapsed", collapsed);
  }

  #resize(width) {
    this.width = Math.round(Math.max(NARROWEST, Math.min(WIDEST, width)));
    this.frame.style.setProperty("--clickup-width", `${this.width}px`);
    this.handle.setAttribute("aria-valuenow", String(this.width));
    this.handle.setAttribute("aria-valuemin", String(NARROWEST));
    this.handle.setAttribute("aria-valuemax", String(WIDEST));
  }

  #drag(event) {
    event.preventDefault();
    this.handle.setPointerCapture(event.pointerId);
    const move = ({ clientX }) => this.#resize(window.innerWidth - clientX);
    this.handle.addEventListener("pointermove", move);
    const end = () => {
      this.handle.removeEventListener("pointermove", move);
      this.#keep();
    };
    this.handle.addEventListener("pointerup", end, { once: true });
    this.handle.addEventListener("pointercancel", end, { once: true });
  }

  #key(event) {
    const by = { ArrowLeft: STEP, ArrowRight: -STEP }[event.key];
    if (by) this.#resize(this.width + by);
    else if (event.key === "Enter") this.toggle();
    else return;
    event.preventDefault();
    this.#keep();
  }

  #keep() {
    try {
      localStorage.setItem(KEY, JSON.stringify({ width: this.width, collapsed: this.collapsed }));
    } catch {
      // A browser that keeps nothing still shows the pane at its usual width.
    }
  }
}

function recall() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}
