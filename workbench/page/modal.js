/** The modal on top of the stack the app has opened for us. */

import { Answers } from "./answers.js";
import { renderBlocks } from "./blocks.js";
import { control } from "./control.js";
import { actionSender } from "./interactions.js";
import { h, icon } from "./nodes.js";
import { avatar } from "./people.js";
import { plain } from "./texts.js";

export class Modal {
  #dialog = null;
  #view = null;
  #answers = null;
  #errors = {};
  #busy = false;

  constructor(world) {
    this.world = world;
    world.watch(["views", "place"], () => this.draw());
    this.draw();
  }

  draw() {
    const view = this.world.views.filter((v) => (v.type ?? "modal") === "modal").at(-1) ?? null;
    if (JSON.stringify(view) === JSON.stringify(this.#view)) return;
    const same = view && this.#view?.id === view.id;
    // An updated view keeps what was typed into the inputs it still has, as Slack does.
    const earlier = same ? this.#answers.collect() : {};
    this.#view = view;
    this.#errors = {};
    this.#busy = false;
    if (!view) return this.#dismiss();
    return this.#show(earlier);
  }

  #dismiss() {
    this.#dialog?.close();
    this.#dialog?.remove();
    this.#dialog = null;
  }

  #show(earlier) {
    this.#answers = new Answers(earlier);
    const dialog = this.#dialog ?? this.#open();
    const { world } = this;
    const view = this.#view;
    const title = plain(view.title) || world.bot.name;
    dialog.setAttribute("aria-label", title);
    const body = h("div.dialog-body.blocks");
    const act = actionSender(world, body, this.#answers, { view_id: view.id });
    const scene = { world, answers: this.#answers, errors: this.#errors, act };
    body.append(...renderBlocks(view.blocks, scene));
    const form = h("form", { novalidate: true }, this.#head(title), body, this.#foot(view));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
    const focused = document.activeElement?.closest?.("[data-block-id]")?.dataset.blockId;
    dialog.replaceChildren(form);
    const wrong = Object.keys(this.#errors)[0] ?? focused;
    const block = wrong && [...body.children].find((node) => node.dataset.blockId === wrong);
    (block ?? body).querySelector("input, textarea, select")?.focus();
  }

  #open() {
    this.#dialog = h("dialog.dialog", { "data-testid": "modal" });
    this.#dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      this.#close();
    });
    document.body.append(this.#dialog);
    this.#dialog.showModal();
    return this.#dialog;
  }

  #head(title) {
    const close = h(
      "button.tool",
      { type: "button", "aria-label": "Close", onclick: () => this.#close() },
      icon("close"),
    );
    return h(
      "header",
      {},
      avatar(this.world.bot.id, this.world, "small"),
      h("h2", {}, title),
      h("span.spacer"),
      close,
    );
  }

  #foot(view) {
    const cancel = h(
      "button.button",
      { type: "button", "data-testid": "modal-close", onclick: () => this.#close() },
      plain(view.close) || "Cancel",
    );
    const submit = view.submit
      ? h(
          "button.button.primary",
          { type: "submit", "data-testid": "modal-submit" },
          plain(view.submit),
        )
      : null;
    return h("footer", {}, cancel, submit);
  }

  #missing() {
    const values = this.#answers.collect();
    const wrong = this.#view.blocks.filter(
      (b) => b.type === "input" && !b.optional && isEmpty(values, b),
    );
    return Object.fromEntries(
      wrong.map((block) => [block.block_id, "Please complete this required field."]),
    );
  }

  async #submit() {
    if (this.#busy) return;
    const missing = this.#missing();
    if (Object.keys(missing).length) {
      this.#complainAbout(missing);
      return;
    }
    const state = { values: this.#answers.collect() };
    this.#setBusy(true);
    try {
      const answer = await control.submitView({
        user: this.world.me,
        view_id: this.#view.id,
        state,
      });
      if (answer.response_action === "errors" || answer.errors)
        this.#complainAbout(answer.errors ?? {});
      await this.world.refresh.views();
    } catch (problem) {
      this.world.complain(problem);
    } finally {
      this.#setBusy(false);
    }
  }

  #complainAbout(errors) {
    const earlier = this.#answers.collect();
    this.#errors = errors;
    this.#show(earlier);
  }

  #setBusy(busy) {
    this.#busy = busy;
    this.#dialog?.toggleAttribute("aria-busy", busy);
    const submit = this.#dialog?.querySelector("[data-testid=modal-submit]");
    if (submit) submit.disabled = busy;
  }

  async #close() {
    const { world } = this;
    const view_id = this.#view?.id;
    if (!view_id) return;
    await control
      .closeView({ user: world.me, view_id })
      .catch((problem) => world.complain(problem));
    await world.refresh.views();
  }
}

function isEmpty(values, block) {
  const id = block.block_id;
  const answer = values[id]?.[block.element?.action_id];
  if (!answer) return false;
  return Object.entries(answer).every(
    ([key, value]) => key === "type" || value === null || value === "" || value.length === 0,
  );
}
