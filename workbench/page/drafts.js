/** What was typed and not sent, by the place it is for; survives a reload. */

const KEY = "workbench.drafts";

export class Drafts {
  #texts = recall();

  get(place) {
    return this.#texts[place] ?? "";
  }

  set(place, text) {
    if (this.get(place) === text) return;
    if (text) this.#texts[place] = text;
    else delete this.#texts[place];
    try {
      localStorage.setItem(KEY, JSON.stringify(this.#texts));
    } catch {
      // A browser that keeps nothing still has the draft until the page is left.
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
