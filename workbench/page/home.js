/** The app's Home tab, as the app published it for this person. */

import { Answers } from "./answers.js";
import { renderBlocks } from "./blocks.js";
import { actionSender } from "./interactions.js";
import { h, reconcile } from "./nodes.js";
import { avatar } from "./people.js";

export function drawHome(node, world) {
  const view = world.home;
  reconcile(node, [
    {
      key: "home",
      signature: JSON.stringify([view?.id, view?.hash, view?.blocks, world.me]),
      build: () => (view?.blocks?.length ? homeView(view, world) : nothing(world)),
    },
  ]);
}

function homeView(view, world) {
  const answers = new Answers();
  const body = h("div.home-view.blocks", { "data-testid": "home" });
  const act = actionSender(world, body, answers, { view_id: view.id });
  body.append(...renderBlocks(view.blocks, { world, answers, act }));
  return body;
}

function nothing(world) {
  return h(
    "section.welcome",
    {},
    avatar(world.bot.id, world, "huge"),
    h("h2", {}, "Home"),
    h("p", {}, `${world.bot.name} has not published anything for you here yet.`),
  );
}
