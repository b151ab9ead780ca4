/** Times, prices, titles and values as the run page shows them. */

const TITLES = {
  turn: "A message",
  act: "A click",
  effect: "Carrying it out",
  "effect look": "Looking whether it happened",
  "slack.deliver": "Delivery to Slack",
  "slack.inbound": "Arrival from Slack",
};

export function moment(ms) {
  return new Date(ms).toLocaleTimeString([], { hour12: false });
}

export function length(ms) {
  if (ms >= 1000) return `${(ms / 1000).toFixed(2)} s`;
  return ms >= 10 ? `${Math.round(ms)} ms` : `${ms.toFixed(1)} ms`;
}

export function cost(usd) {
  return usd === null ? "price unknown" : `${usd.toFixed(4)} USD`;
}

export function title(span) {
  return TITLES[span.name] ?? span.name;
}

/** A value as a person reads it: JSON is laid out, text stays as it is. */
export function laidOut(value) {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}
