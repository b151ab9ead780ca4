/** The messages and tool calls of a run, in order, from the spans that carry contents. */

import { h } from "./nodes.js";
import { laidOut } from "./run-words.js";

export function transcript(traces) {
  const agent = traces
    .flatMap((trace) => trace.spans)
    .filter((span) => span.attributes["pydantic_ai.all_messages"]);
  const lines = agent.flatMap((span) => {
    const instructions = (span.attributes["gen_ai.system_instructions"] ?? [])
      .map((part) => part.content)
      .join("\n\n");
    const messages = span.attributes["pydantic_ai.all_messages"];
    return [
      instructions ? entry("Instructions", folded(instructions)) : [],
      messages.slice(span.attributes["pydantic_ai.new_message_index"] ?? 0).flatMap(spoken),
    ].flat();
  });
  return lines.length
    ? h("section.transcript", { "data-testid": "transcript" }, h("h3", {}, "What was said"), lines)
    : null;
}

function spoken(message) {
  return message.parts.map((part) => SPEAKERS[part.type]?.(part, message.role)).filter(Boolean);
}

const SPEAKERS = {
  text: (part, role) => entry(speaker(part.content, role), text(part.content)),
  tool_call: (part) => entry(`Called ${part.name}`, folded(part.arguments)),
  tool_call_response: (part) => entry(`${part.name} returned`, folded(part.result)),
};

function speaker(words, role) {
  if (role !== "user") return "Answered";
  return words.startsWith("[Situation]") ? "Was told" : "Asked";
}

function entry(who, what) {
  return h("div.said", {}, h("strong", {}, who), what);
}

function text(words) {
  return h("p", {}, words);
}

function folded(value) {
  const words = laidOut(value ?? "nothing");
  const short = words.replace(/\s+/g, " ");
  if (short.length <= 140) return h("pre", {}, short);
  return h(
    "details",
    {},
    h("summary", {}, `${short.slice(0, 140)}…`),
    h("pre", {}, words),
  );
}
