"""Validates a modal's submission and applies the app's `response_action`."""

from typing import Any

from workbench.slack.elements import FORMS
from workbench.slack.refusals import SlackRefusal
from workbench.slack.texts import as_object
from workbench.slack.views import accept_view
from workbench.slack.workspace import Workspace
from workbench.storage import Document

_REQUIRED = "Please complete this required field."


def list_missing(view: Document, values: dict[str, Any], entered: dict[str, Any]) -> dict[str, str]:
    """Return an error for each required input left empty, by block_id, as Slack's client does.

    Blocks that are named explicitly are not checked, so that a test can submit a forged state.
    """
    entered = as_object(entered.get("values", entered))
    return {
        block["block_id"]: _REQUIRED
        for block in view["blocks"]
        if block["type"] == "input"
        and not block.get("optional")
        and block["block_id"] not in entered
        and _is_empty(block, values)
    }


def _is_empty(block: Document, values: dict[str, Any]) -> bool:
    element = block["element"]
    form = FORMS.get(element["type"])
    return bool(form) and not values[block["block_id"]][element["action_id"]].get(form.chosen)


def apply_response(
    workspace: Workspace, user_id: str, view: Document, payload: dict[str, Any]
) -> dict[str, Any]:
    """Apply the response and return the result for the page; an invalid one changes nothing."""
    action = payload.get("response_action")
    try:
        match action:
            case None:
                workspace.views.pop(user_id, view["id"])
                return {"ok": True}
            case "errors":
                errors = _read_errors(view, payload)
                return {"ok": False, "response_action": action, "errors": errors}
            case "update":
                workspace.views.replace(view, accept_view(as_object(payload.get("view")), "modal"))
            case "push":
                workspace.views.push(user_id, accept_view(as_object(payload.get("view")), "modal"))
            case "clear":
                workspace.views.clear(user_id)
            case _:
                raise SlackRefusal("invalid_response_action")
    except SlackRefusal as refusal:
        return {**refusal.body(), "response_action": action}
    return {"ok": True, "response_action": action}


def _read_errors(view: Document, payload: dict[str, Any]) -> dict[str, Any]:
    errors = as_object(payload.get("errors"))
    inputs = {block["block_id"] for block in view["blocks"] if block["type"] == "input"}
    if not errors or not errors.keys() <= inputs:
        raise SlackRefusal("invalid_errors", ["errors must name input blocks of the view"])
    return errors
