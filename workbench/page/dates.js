/** Times as people read them, in the zone of the person we are. */

const DAY = 86_400_000;
const FORMATS = {
  time: { hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  time_secs: { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" },
  date_num: { year: "numeric", month: "2-digit", day: "2-digit" },
  date: { year: "numeric", month: "long", day: "numeric" },
  date_short: { year: "numeric", month: "short", day: "numeric" },
  date_long: { weekday: "long", year: "numeric", month: "long", day: "numeric" },
  day: { weekday: "long", month: "long", day: "numeric" },
  due: { weekday: "short", month: "short", day: "numeric" },
};

function spell(date, format, zone) {
  return new Intl.DateTimeFormat("en-GB", { ...FORMATS[format], timeZone: zone }).format(date);
}

function dayKey(date, zone) {
  return new Intl.DateTimeFormat("en-CA", { timeZone: zone }).format(date);
}

/** "Today", "Yesterday", "Tomorrow", or `otherwise` spelled out. */
function dayName(date, zone, otherwise) {
  const now = Date.now();
  const key = dayKey(date, zone);
  if (key === dayKey(now, zone)) return "Today";
  if (key === dayKey(now - DAY, zone)) return "Yesterday";
  if (key === dayKey(now + DAY, zone)) return "Tomorrow";
  return spell(date, otherwise, zone);
}

export const dateOf = (ts) => new Date(Number(ts) * 1000);
export const clockTime = (ts, zone) => spell(dateOf(ts), "time", zone);
export const dayOf = (ts, zone) => dayKey(dateOf(ts), zone);
export const dayHeading = (ts, zone) => dayName(dateOf(ts), zone, "day");

export function fullTime(ts, zone) {
  return `${spell(dateOf(ts), "date_long", zone)}, ${spell(dateOf(ts), "time_secs", zone)}`;
}

export function when(ts, zone) {
  const day = dayName(dateOf(ts), zone, "due");
  return `${day.toLowerCase().includes("day") ? day.toLowerCase() : day} at ${clockTime(ts, zone)}`;
}

/** A ClickUp due date: milliseconds as text. */
export function dueDay(milliseconds, zone) {
  return dayName(new Date(Number(milliseconds)), zone, "due");
}

export function isOverdue(milliseconds, zone) {
  return dayKey(new Date(Number(milliseconds)), zone) < dayKey(Date.now(), zone);
}

/** Slack's `<!date^1700000000^{date_short} at {time}^link|fallback>`. */
export function slackDate(timestamp, template, zone) {
  const date = dateOf(timestamp);
  return template.replace(/\{(\w+)\}/g, (whole, token) => {
    const format = token.replace(/_pretty$/, "");
    if (token === "ago") return dayName(date, zone, "date_short");
    if (!FORMATS[format]) return whole;
    return token.endsWith("_pretty") ? dayName(date, zone, format) : spell(date, format, zone);
  });
}
