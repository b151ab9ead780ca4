/** The app's session of a thread: its title, its status and the Stop button. */

import { control } from "./control.js";
import { h, icon } from "./nodes.js";

const WORDS = {
  active: "Ready",
  processing: "Working",
  suspended: "Waiting for you",
  closed: "Closed",
};

/** An entry for `reconcile`; nothing for a thread that is no session. */
export function sessionEntries(channel, root, world) {
  const session = world.sessionOf(channel, root);
  if (!session) return [];
  const place = { channel, thread_ts: root, user: world.me };
  return [
    {
      key: `session${root}`,
      signature: JSON.stringify([session.status, session.title, world.me]),
      build: () => sessionLine(session, place, world),
    },
  ];
}

function sessionLine(session, place, world) {
  const state = h("span.session-state", { class: session.status }, WORDS[session.status]);
  const title = session.title ? h("span.session-title", {}, session.title) : null;
  const stop = session.status === "processing" ? stopButton(place, world) : null;
  return h(
    "div.session",
    { "data-testid": "session", "data-status": session.status },
    state,
    title,
    stop,
  );
}

function stopButton(place, world) {
  const button = h(
    "button.session-stop",
    {
      type: "button",
      "data-testid": "stop",
      onclick: () => {
        button.disabled = true;
        control.stop(place).catch((problem) => {
          button.disabled = false;
          world.complain(problem);
        });
      },
    },
    icon("stop"),
    "Stop",
  );
  return button;
}
