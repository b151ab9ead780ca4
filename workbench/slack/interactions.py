"""People's acts on what the app shows: presses, submissions, closings, commands."""

from dataclasses import dataclass
from typing import Any

from workbench.slack.elements import action_for, find_element, read_state
from workbench.slack.payloads import (
    block_actions_payload,
    shown_name,
    slash_command_payload,
    view_closed_payload,
    view_submission_payload,
)
from workbench.slack.replies import post_command_reply
from workbench.slack.socket_delivery import Acked, NoAnswer, PayloadDelivery
from workbench.slack.submissions import apply_response, list_missing
from workbench.slack.texts import as_object
from workbench.slack.workspace import Workspace
from workbench.storage import Document

Outcome = dict[str, Any]


@dataclass(frozen=True)
class ElementPress:
    """A person's act on an element of a message, a modal or a Home tab."""

    user: Document
    action: str | dict[str, Any]
    origin: str
    channel: Document | None = None
    message: Document | None = None
    view: Document | None = None
    value: Any = None
    state: dict[str, Any] | None = None

    @property
    def blocks(self) -> Any:
        shown = self.message or self.view or {}
        return shown.get("blocks", [])


async def press_element(workspace: Workspace, click: ElementPress) -> Outcome:
    action = _read_action(workspace, click)
    if action is None:
        return refused(f"no such action: {click.action}")
    values = read_state(click.blocks, click.state or {})
    payload = block_actions_payload(click.user, action, values, workspace.records.team())
    view_id = click.view["id"] if click.view else None
    payload["trigger_id"] = workspace.triggers.issue(click.user["id"], view_id)
    payload |= _describe_place(workspace, click, values)
    answer = await workspace.hub.ask(PayloadDelivery("interactive", "block_actions", payload))
    return {"ok": True} if isinstance(answer, Acked) else refused(explain(answer))


def _read_action(workspace: Workspace, click: ElementPress) -> Document | None:
    """Return the named element's action, or an action object as it was sent, forged or not."""
    now = f"{workspace.clock.now():.6f}"
    if isinstance(click.action, dict):
        return {"type": "button", "block_id": "", "action_ts": now, **click.action}
    match = find_element(click.blocks, click.action, click.user["id"], click.value)
    return action_for(*match, click.value, now) if match else None


def _describe_place(workspace: Workspace, click: ElementPress, values: dict[str, Any]) -> Document:
    if click.view:
        view = {**click.view, "state": {"values": values}}
        del view["user"]
        return {"container": {"type": "view", "view_id": view["id"]}, "view": view}
    channel, message = as_object(click.channel), as_object(click.message)
    is_ephemeral = bool(message.get("is_ephemeral"))
    container = {"type": "message", "message_ts": message["ts"], "channel_id": channel["id"]}
    container["is_ephemeral"] = is_ephemeral
    if message.get("thread_ts"):
        container["thread_ts"] = message["thread_ts"]
    path = workspace.response_urls.issue(channel["id"], click.user["id"], message)
    place: Document = {"container": container}
    place["channel"] = {"id": channel["id"], "name": shown_name(channel)}
    shown = {name: value for name, value in message.items() if name != "metadata"}
    place["response_url"] = click.origin + path
    return place if is_ephemeral else {**place, "message": shown}


async def submit_view(
    workspace: Workspace, user: Document, view_id: str, state: dict[str, Any]
) -> Outcome:
    view = workspace.views.find_open(user["id"], view_id)
    if view is None:
        return refused(f"no such view: {view_id}")
    values = read_state(view["blocks"], state)
    missing = list_missing(view, values, state)
    if missing:
        return {**refused("a required field is empty"), "errors": missing}
    payload = view_submission_payload(user, view, values, workspace.records.team())
    payload["trigger_id"] = workspace.triggers.issue(user["id"], view_id)
    answer = await workspace.hub.ask(PayloadDelivery("interactive", "view_submission", payload))
    if isinstance(answer, NoAnswer):
        return refused(explain(answer))
    return apply_response(workspace, user["id"], view, answer.payload)


async def close_view(workspace: Workspace, user: Document, view_id: str) -> Outcome:
    view = workspace.views.find_open(user["id"], view_id)
    if view is None:
        return refused(f"no such view: {view_id}")
    workspace.views.pop(user["id"], view_id)
    if view["notify_on_close"]:
        payload = view_closed_payload(user, view, workspace.records.team())
        answer = await workspace.hub.ask(PayloadDelivery("interactive", "view_closed", payload))
        if isinstance(answer, NoAnswer):
            return refused(explain(answer))
    return {"ok": True}


async def run_command(
    workspace: Workspace, user: Document, channel: Document, command: str, text: str, origin: str
) -> Outcome:
    payload = slash_command_payload(user, channel, command, text, workspace.records.team())
    payload["trigger_id"] = workspace.triggers.issue(user["id"])
    path = workspace.response_urls.issue(channel["id"], user["id"])
    payload["response_url"] = origin + path
    answer = await workspace.hub.ask(PayloadDelivery("slash_commands", command, payload))
    if isinstance(answer, NoAnswer):
        return refused(explain(answer))
    if answer.payload:
        post_command_reply(workspace, channel, user["id"], answer.payload)
    return {"ok": True, "response": answer.payload}


def refused(error: str) -> Outcome:
    return {"ok": False, "error": error}


def explain(answer: NoAnswer) -> str:
    match answer.error:
        case "dispatch_failed":
            return "AgencyClaw is not connected (dispatch_failed)"
        case "timeout":
            return "AgencyClaw did not answer in time (operation_timeout)"
        case other:
            return other
