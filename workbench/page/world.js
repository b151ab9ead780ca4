/** The state of the page: the workspace, the person we are, the place shown, and its messages. */

import { control, listen } from "./control.js";
import { Drafts } from "./drafts.js";

/** Runs `load` now; calls made meanwhile end in exactly one more run. */
function coalesced(load) {
  let running = null;
  let isDue = false;
  return () => {
    if (running) {
      isDue = true;
      return running;
    }
    running = (async () => {
      do {
        isDue = false;
        await load();
      } while (isDue);
    })().finally(() => {
      running = null;
    });
    return running;
  };
}

export class World extends EventTarget {
  state = { users: [], channels: [], bot: {} };
  lost = ""; // why there are no changes: "", "silent", "away" or "restarted"
  me = "";
  place = ""; // a channel id, or "home"
  thread = "";
  loadedMessages = new Map(); // by channel
  ephemerals = [];
  statuses = [];
  sessions = [];
  prompts = [];
  views = [];
  home = null;
  spaces = [];
  tasks = null;
  unread = new Set();
  drafts = new Drafts();
  target = null; // the message to bring into view: {ts, isLit?}

  constructor(still) {
    super();
    this.still = still;
    const loads = {
      state: () => this.#loadState(),
      messages: () => this.#loadMessages(),
      ephemerals: async () => (this.ephemerals = await control.ephemerals(this.me)),
      statuses: () => this.#loadStatuses(),
      views: () => this.#loadViews(),
      home: async () => (this.home = await control.home(this.me)),
      spaces: async () => (this.spaces = await control.spaces()),
      tasks: async () => (this.tasks = await control.tasks()),
    };
    this.refresh = {};
    for (const [part, load] of Object.entries(loads)) {
      const run = coalesced(() => load().then(() => this.announce(part)));
      this.refresh[part] = () => run().catch((problem) => this.complain(problem));
    }
  }

  async start() {
    // Listening before reading, so that no change in between is missed.
    if (!this.still) await this.#listen();
    await this.refresh.state();
    window.addEventListener("hashchange", () => this.#readAddress());
  }

  /** Resolves when the stream is open, or was tried. */
  #listen() {
    let tried = false;
    return new Promise((settle) => {
      const joined = () => {
        if (tried) this.refreshAll();
        tried = true;
        this.#setLost("");
        settle();
      };
      const lost = (why) => {
        tried = true;
        this.#setLost(why);
        settle();
      };
      listen((change) => this.#onChange(change), joined, lost);
    });
  }

  announce(part) {
    this.dispatchEvent(new CustomEvent(part));
  }

  /** Calls `listener` once after changes of any of these parts. */
  watch(parts, listener) {
    let due = false;
    const soon = () => {
      if (due) return;
      due = true;
      queueMicrotask(() => {
        due = false;
        listener();
      });
    };
    for (const part of parts) this.addEventListener(part, soon);
  }

  complain(problem) {
    this.dispatchEvent(new CustomEvent("problem", { detail: problem.message ?? String(problem) }));
  }

  refreshAll() {
    for (const run of Object.values(this.refresh)) run();
  }

  // Going somewhere ----------------------------------------------------------------------------

  go({ me = this.me, place = this.place, thread = "" }) {
    const address = ["", me, place, thread].filter((part, i) => part || i === 0).join("/");
    if (location.hash === `#${address}`) return;
    location.hash = address;
  }

  /** Brings a message into view as soon as it is drawn. */
  bringIntoView(message) {
    this.target = message;
  }

  becomePerson(me) {
    const channel = this.channels(me).find((c) => c.id === this.place);
    const stays = this.place === "home" || channel;
    this.go({ me, place: stays ? this.place : this.directMessage(me)?.id });
  }

  #readAddress() {
    const [, me, place, thread] = location.hash.slice(1).split("/");
    const before = { me: this.me, place: this.place };
    this.me = this.people().some((p) => p.id === me) ? me : (this.people()[0]?.id ?? "");
    const reachable = place === "home" || this.channels().some((c) => c.id === place);
    this.place = reachable ? place : (this.directMessage()?.id ?? this.channels()[0]?.id ?? "home");
    this.thread = thread ?? "";
    this.unread.delete(this.place);
    this.announce("place");
    if (before.me !== this.me) this.#becomeMe();
    if (before.place !== this.place || before.me !== this.me) this.#enter();
  }

  #becomeMe() {
    this.home = null;
    this.views = [];
    this.ephemerals = [];
    this.unread.clear();
    for (const part of ["ephemerals", "views", "statuses"]) this.refresh[part]();
    if (this.tasks === null) for (const part of ["spaces", "tasks"]) this.refresh[part]();
  }

  #enter() {
    if (this.place !== "home") {
      if (this.place === this.directMessage()?.id) this.#openMessages();
      return this.refresh.messages();
    }
    return control
      .openHome(this.me)
      .catch((p) => this.complain(p))
      .then(() => this.refresh.home());
  }

  /** Opens the app's Messages tab, on which the app may suggest prompts. */
  #openMessages() {
    if (this.still) return;
    control.openHome(this.me, "messages").catch((problem) => this.complain(problem));
  }

  // Changes ------------------------------------------------------------------------------------

  #setLost(why) {
    this.lost = why;
    this.announce("state");
  }

  #onChange(change) {
    if (!this.me) return; // everything is about to be asked anyway
    const { messages, views, home, ephemerals, statuses, tasks, spaces, state } = this.refresh;
    const reactions = {
      message: () => this.#onMessage(change, messages),
      view: views,
      home,
      ephemeral: ephemerals,
      status: statuses,
      clickup: () => (tasks(), spaces()),
      connection: state,
      state,
      run: messages,
      reset: () => this.#forget(),
    };
    (reactions[change.kind] ?? (() => this.refreshAll()))();
  }

  #onMessage(change, load) {
    const channel = change.channel ?? change.channel_id;
    if (!channel || channel === this.place) return load();
    if (!this.channels().some((c) => c.id === channel)) return undefined;
    this.unread.add(channel);
    return this.announce("unread");
  }

  #forget() {
    this.loadedMessages.clear();
    this.unread.clear();
    this.announce("forgotten");
    this.refreshAll();
  }

  async #loadState() {
    this.state = await control.state();
    if (!this.person(this.me)) this.#readAddress();
  }

  async #loadMessages() {
    const channel = this.place;
    if (channel === "home" || !channel) return;
    const messages = await control.messages(channel);
    this.loadedMessages.set(channel, messages);
  }

  async #loadViews() {
    const me = this.me;
    const views = await control.views(me);
    if (me === this.me) this.views = views;
  }

  async #loadStatuses() {
    const { statuses = [], prompts = [], sessions = [] } = await control.statuses();
    this.statuses = statuses;
    this.sessions = sessions;
    this.prompts = prompts;
  }

  // Looking things up --------------------------------------------------------------------------

  get bot() {
    const bot = this.state.bot ?? {};
    const id = bot.user_id ?? bot.user ?? bot.id ?? "";
    const user = this.state.users.find((u) => u.id === id);
    return { id, name: user?.real_name || bot.real_name || bot.name || "AgencyClaw" };
  }

  get workspace() {
    return this.state.team?.name ?? this.state.team_name ?? "Lanternfish Commerce";
  }

  people() {
    const bot = this.bot.id;
    return this.state.users.filter((u) => !u.is_bot && !u.deleted && u.id !== bot);
  }

  person(id) {
    return this.state.users.find((u) => u.id === id);
  }

  nameOf(id) {
    if (id === this.bot.id) return this.bot.name;
    const user = this.person(id);
    return user?.real_name || user?.profile?.real_name || user?.name || id;
  }

  get zone() {
    return this.person(this.me)?.tz;
  }

  channels(me = this.me) {
    return this.state.channels.filter((c) =>
      c.is_im ? c.user === me || c.members?.includes(me) : !c.members || c.members.includes(me),
    );
  }

  channel(id = this.place) {
    return this.state.channels.find((c) => c.id === id);
  }

  /** The name of a channel, or the people of a group message. */
  titleOf(channel) {
    if (!channel?.is_mpim) return channel?.name ?? "";
    const others = channel.members.filter((id) => ![this.me, this.bot.id].includes(id));
    return others.map((id) => this.nameOf(id)).join(", ");
  }

  /** The same with a # before a channel's name. */
  signOf(channel) {
    return `${channel?.is_mpim ? "" : "#"}${this.titleOf(channel)}`;
  }

  directMessage(me = this.me) {
    return this.channels(me).find((c) => c.is_im);
  }

  /** Posts and private notes of a channel, oldest first. */
  messages(channel = this.place) {
    const notes = this.ephemerals
      .filter((m) => (m.channel ?? m.channel_id) === channel)
      .map((m) => ({ ...m, is_ephemeral: true }));
    const all = [...(this.loadedMessages.get(channel) ?? []), ...notes];
    return all.sort((a, b) => Number(a.ts) - Number(b.ts));
  }

  /** The app's status in a thread: sentences to show in turn. */
  statusOf(channel, root) {
    const status = this.statuses.find((s) => s.channel_id === channel && s.thread_ts === root);
    return status?.loading_messages?.length
      ? status.loading_messages
      : [status?.status].filter(Boolean);
  }

  /** The app's session of a thread: {status, title}, or undefined. */
  sessionOf(channel, root) {
    return this.sessions.find((s) => s.channel_id === channel && s.thread_ts === root);
  }

  /** Sentences to try here: the tour's, and what the app itself suggests. */
  suggestions(channel = this.place) {
    const offered = this.prompts
      .filter((suggestion) => suggestion.channel_id === channel)
      .flatMap((suggestion) => suggestion.prompts);
    const { tour = [], admins = [] } = this.state;
    const mine = this.person(this.me)?.is_admin ? admins : [];
    return [...new Set([...tour, ...mine, ...offered.map((prompt) => prompt.message)])];
  }
}
