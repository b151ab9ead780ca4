/** The left column: the workspace, who we are, channels, the app, and whether it listens. */

import { fill, h, icon, reconcile } from "./nodes.js";
import { menuButton } from "./menu.js";
import { avatar, badge, signIcon, roleOf } from "./people.js";
import { mountSearch } from "./search.js";

export function mountSidebar(world, node) {
  const title = h("div.workspace");
  const who = h("div.who");
  const channels = h("div.places", { role: "list" });
  const apps = h("div.places", { role: "list" });
  const health = h("div.health", { role: "status", "data-testid": "health" });
  const switcher = personSwitch(world);
  const finder = h("div.finder");
  mountSearch(world, finder);
  node.append(
    title,
    who,
    finder,
    h("div.rooms", {}, h("h2", {}, "Channels"), channels, h("h2", {}, "Apps"), apps),
    h("a.runs-link", { href: "/runs", target: "_blank", "data-testid": "runs-link" }, "Runs"),
    health,
  );
  who.append(h("span.who-label", { id: "who-label" }, "You are"), switcher.button, switcher.menu);
  const draw = () => {
    fill(title, icon("lantern", "mark"), h("span", {}, world.workspace));
    fill(switcher.button, personRow(world), icon("updown"));
    reconcile(
      channels,
      world
        .channels()
        .filter((c) => !c.is_im)
        .map((c) => channelEntry(c, world)),
    );
    reconcile(apps, appEntries(world));
    fill(health, ...healthWords(world));
  };
  world.watch(["state", "place", "unread"], draw);
  draw();
}

function personRow(world) {
  const user = world.person(world.me);
  return [
    avatar(world.me, world, "small"),
    h("span.who-name", {}, h("strong", {}, world.nameOf(world.me)), h("small", {}, roleOf(user))),
  ];
}

function personSwitch(world) {
  const items = () =>
    world.people().map((person) => ({
      before: avatar(person.id, world, "small"),
      label: world.nameOf(person.id),
      hint: roleOf(person),
      checked: person.id === world.me,
      attributes: { "data-user": person.id },
      choose: () => world.becomePerson(person.id),
    }));
  const attributes = {
    class: "person-switch",
    "data-testid": "person-switch",
    "aria-describedby": "who-label",
    title: "Switch person",
  };
  return menuButton(attributes, "", items);
}

function channelEntry(channel, world) {
  return placeEntry(world, {
    place: channel.id,
    testid: `channel-${channel.id}`,
    before: icon(signIcon(channel)),
    label: world.titleOf(channel),
  });
}

function appEntries(world) {
  const direct = world.directMessage();
  const home = {
    place: "home",
    testid: "home-tab",
    before: icon("home"),
    label: "Home",
    nested: true,
  };
  if (!direct) return [placeEntry(world, home)];
  const app = {
    place: direct.id,
    testid: `channel-${direct.id}`,
    before: avatar(world.bot.id, world, "tiny"),
    label: world.bot.name,
    after: badge("APP"),
  };
  return [placeEntry(world, app), placeEntry(world, home)];
}

function placeEntry(world, { place, testid, before, label, after, nested }) {
  const here = world.place === place;
  const fresh = world.unread.has(place);
  return {
    key: place,
    signature: JSON.stringify([label, here, fresh, world.me]),
    build: () =>
      h(
        "div",
        { role: "listitem" },
        h(
          "a.place",
          {
            href: `#/${world.me}/${place}`,
            class: [here && "here", fresh && "fresh", nested && "nested"].filter(Boolean).join(" "),
            "aria-current": here ? "page" : null,
            "data-testid": testid,
          },
          before,
          h("span.place-name", {}, label),
          after ?? null,
          fresh ? h("span.fresh-dot", { "aria-label": "new messages" }) : null,
        ),
      ),
  };
}

function healthWords(world) {
  const { name } = world.bot;
  const [tone, words] = world.lost
    ? ["bad", "Reconnecting to the workbench…"]
    : world.state.connections > 0
      ? ["good", `${name} is connected`]
      : ["idle", `${name} is not connected`];
  return [h("span.dot", { class: tone }), h("span", {}, words)];
}
