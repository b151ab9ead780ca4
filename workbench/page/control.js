/** The requests to the workbench's control API, and its stream of changes. */

const JSON_TYPE = { "Content-Type": "application/json" };

export class Refused extends Error {}

async function call(method, path, body) {
  const sent = body === undefined ? {} : { body: JSON.stringify(body), headers: JSON_TYPE };
  const response = await fetch(`/_control/${path}`, { method, cache: "no-store", ...sent }).catch(
    () => {
      throw new Refused("The workbench does not answer. Is it still running?");
    },
  );
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refused(answer.error ?? `The workbench answered ${response.status}.`);
  return answer;
}

const get = (path) => call("GET", path);
const post = (path, body) => call("POST", path, body);

async function accepted(answer) {
  const body = await answer;
  if (body.ok === false && !body.errors) throw new Refused(body.error ?? "not accepted");
  return body;
}

export const control = {
  state: () => get("state"),
  messages: (channel) => get(`messages/${channel}`).then((body) => body.messages ?? []),
  ephemerals: (user) => get(`ephemerals/${user}`).then((body) => body.messages ?? []),
  statuses: () => get("statuses"),
  views: (user) => get(`views/${user}`).then((body) => body.views ?? []),
  home: (user) => get(`home/${user}`).then((body) => body.view ?? null),
  spaces: () => get("clickup/lists").then((body) => body.spaces ?? []),
  tasks: () => get("clickup/tasks").then((body) => body.tasks ?? []),
  runs: () => get("runs").then((body) => body.runs),
  run: (id) => get(`runs/${encodeURIComponent(id)}`),
  editMessage: (edit) => accepted(post("edit-message", edit)),
  deleteMessage: (place) => accepted(post("delete-message", place)),
  send: (message) => accepted(post("message", message)),
  command: (command) => accepted(post("command", command)),
  interact: (interaction) => accepted(post("interact", interaction)),
  useShortcut: (use) => accepted(post("shortcut", use)),
  submitView: (submission) => accepted(post("submit-view", submission)),
  closeView: (view) => accepted(post("close-view", view)),
  askSupervisor: (request) => accepted(post("supervisor", request)),
  stop: (place) => accepted(post("stop", place)),
  openHome: (user, tab = "home") => accepted(post("open-home", { user, tab })),
};

/** Why the stream broke: the demo does not answer, was restarted, or is only slow. */
async function whyLost() {
  const response = await fetch("/_control/state", { cache: "no-store" }).catch(() => null);
  if (!response) return "away";
  return response.status === 403 ? "restarted" : "silent";
}

/** What the page shows then. */
export const LOST = {
  away: "The demo does not answer. If it was stopped, start it again with `make demo`, and open the address it prints.",
  restarted:
    "The demo was started again, and this page belongs to the start before. Open the new address: it is printed in the demo's terminal, and `agencyclaw demo` prints it again.",
};

/**
 * Calls `onChange(change)` on each change, `joined()` after every (re)connection, and `lost(why)` with
 * "silent" or a key of LOST after every failure.
 */
export function listen(onChange, joined, lost) {
  let source;
  let retry = 500;
  const open = () => {
    source = new EventSource("/_control/stream");
    source.onopen = () => {
      retry = 500;
      joined();
    };
    source.onmessage = (event) => onChange(parsed(event.data));
    source.onerror = async () => {
      // A browser gives up for ever on some answers (a 502 while restarting); we do not.
      source.close();
      lost(await whyLost());
      setTimeout(open, retry);
      retry = Math.min(retry * 2, 8000);
    };
  };
  open();
  window.addEventListener("pagehide", () => source.close());
}

function parsed(data) {
  try {
    return JSON.parse(data);
  } catch {
    return {};
  }
}
