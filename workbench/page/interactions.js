/** Sends what a person does with an interactive element to the app. */

import { control } from "./control.js";

/**
 * Returns the `act` of a scene: `node` shows that a press is being sent, `place` is where it
 * happened. A second press waits for the first; other elements do not.
 */
export function actionSender(world, node, answers, place) {
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
