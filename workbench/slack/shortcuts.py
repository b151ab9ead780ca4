"""The app's message shortcuts: which there are, as its manifest declares them, and their use."""

from typing import Any

from workbench.slack.interactions import Outcome, explain, refused
from workbench.slack.payloads import message_action_payload
from workbench.slack.records import public_message
from workbench.slack.socket_delivery import Acked, PayloadDelivery
from workbench.slack.workspace import Workspace
from workbench.storage import Document

SHORTCUTS: tuple[dict[str, Any], ...] = (
    {"callback_id": "claw_make_task", "name": "Make a task of this"},
    {"callback_id": "claw_ask_about", "name": "Ask about this"},
)


async def use_shortcut(
    workspace: Workspace,
    user: Document,
    channel: Document,
    message: Document,
    callback_id: str,
    origin: str,
) -> Outcome:
    """Choose a shortcut in a message's menu."""
    if callback_id not in (shortcut["callback_id"] for shortcut in SHORTCUTS):
        return refused(f"no such shortcut: {callback_id}")
    payload = message_action_payload(
        user, channel, public_message(message, with_metadata=False), workspace.records.team()
    )
    payload |= {"callback_id": callback_id, "action_ts": workspace.records.new_ts()}
    payload["trigger_id"] = workspace.triggers.issue(user["id"])
    path = workspace.response_urls.issue(channel["id"], user["id"])
    payload["response_url"] = origin + path
    answer = await workspace.hub.ask(PayloadDelivery("interactive", "message_action", payload))
    return {"ok": True} if isinstance(answer, Acked) else refused(explain(answer))
