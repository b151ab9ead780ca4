/** Carries what a person did with an element to the app. */

import { control } from "./control.js";

/**
 * The `act` of a scene: `node` shows that a press is under way, `place` says where it happened.
 * A button pressed twice is pressed once; ticking and choosing never stand in its way.
 */
export function hand(world, node, answers, place) {
  return async (action) => {
    const isPress = action.type === "button";
    if (isPress && node.getAttribute("aria-busy") === "true") return;
    if (isPress) node.setAttribute("aria-busy", "true");
    const state = { values: answers.collect() };
    try {
      await control.interact({ ...place, user: world.me, action, value: action.value, state });
    } catch (problem) {
      world.complain(problem);
    } finally {
      if (isPress) node.removeAttribute("aria-busy");
    }
  };
}
