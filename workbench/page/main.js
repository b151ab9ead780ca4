/** Puts the page together. `?still` loads everything once and listens to nothing. */

import { ClickUpPane } from "./clickup.js";
import { Conversation } from "./conversation.js";
import { Modal } from "./modal.js";
import { mountNotice, mountToasts } from "./notices.js";
import { mountPanes } from "./panes.js";
import { mountSidebar } from "./sidebar.js";
import { Splitter } from "./splitter.js";
import { ThreadPanel } from "./thread.js";
import { World } from "./world.js";

const part = (id) => document.getElementById(id);

async function start() {
  const world = new World(new URLSearchParams(location.search).has("still"));
  mountToasts(world, part("toasts"));
  const splitter = new Splitter(part("frame"), part("splitter"));
  const toggleClickUp = () => splitter.toggle();
  await world.start();
  mountNotice(world, part("notice"));
  mountSidebar(world, part("sidebar"));
  new Conversation(world, part("conversation"), { toggleClickUp });
  new ThreadPanel(world, part("thread"));
  new ClickUpPane(world, part("clickup"), { close: toggleClickUp });
  new Modal(world);
  mountPanes(world, part("frame"), part("panes"));
  document.body.dataset.ready = "true";
}

start();
