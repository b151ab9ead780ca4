/** Small pieces a ClickUp task is drawn from. */

import { h } from "./nodes.js";
import { initials } from "./people.js";

const COLOUR = /^#[0-9a-f]{3,8}$/i;
const MOST = 3;

/** A colour somebody else chose, or `otherwise` when it is not plainly a colour. */
export function colour(value, otherwise) {
  return COLOUR.test(value ?? "") ? value : otherwise;
}

export function statusDot(status) {
  const name = status?.status ?? "";
  return h("span.status-dot", {
    vars: { "--colour": colour(status?.color, "#8a94a3") },
    class: status?.type === "closed" || status?.type === "done" ? "filled" : "",
    title: name,
    role: "img",
    "aria-label": name,
  });
}

export function statusPill(status) {
  return h(
    "span.status-pill",
    { vars: { "--colour": colour(status?.color, "#8a94a3") } },
    h("i"),
    status?.status ?? "no status",
  );
}

export function archivedMark() {
  return h("span.archived-mark", {}, "Archived");
}

export function face(member) {
  const name = member.username ?? member.email ?? String(member.id);
  return h(
    "span.face",
    {
      vars: { "--colour": colour(member.color, "#6b6f86") },
      title: name,
      role: "img",
      "aria-label": name,
    },
    member.initials || initials(name),
  );
}

export function faces(members) {
  const all = members ?? [];
  if (!all.length) return null;
  const rest = all.length - MOST;
  return h(
    "span.faces",
    {},
    all.slice(0, MOST).map(face),
    rest > 0 ? h("span.face.rest", {}, `+${rest}`) : null,
  );
}
