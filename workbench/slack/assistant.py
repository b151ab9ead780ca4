"""The assistant.threads.* methods: a thread's status line and suggested prompts."""

from typing import Any

from workbench.slack.arguments import Arguments
from workbench.slack.content import read_thread
from workbench.slack.refusals import SlackRefusal
from workbench.slack.sessions import find_thread
from workbench.slack.texts import as_objects
from workbench.slack.workspace import Workspace
from workbench.storage import Document

_STATUSES = "slack/statuses"
_PROMPTS = "slack/prompts"
_STATUS_TTL = 120.0
_MOST_MESSAGES = 10
_MOST_PROMPTS = 4


def set_status(workspace: Workspace, arguments: Arguments) -> Document:
    channel_id, thread_ts = find_thread(workspace, arguments)
    if not arguments.has("status"):
        raise SlackRefusal("invalid_arguments", ["missing required field: status"])
    messages = _at_most(_MOST_MESSAGES, arguments.items("loading_messages", "invalid_arguments"))
    if not all(isinstance(message, str) for message in messages):
        raise SlackRefusal("invalid_arguments", ["loading_messages must be strings"])
    status = arguments.text("status")
    if not status:
        clear_status(workspace, channel_id, thread_ts)
        return {}
    place = {"channel_id": channel_id, "thread_ts": thread_ts}
    shown = {**place, "status": status, "loading_messages": messages, "at": workspace.clock.now()}
    workspace.storage.put(_STATUSES, f"{channel_id}:{thread_ts}", shown)
    workspace.events.publish("status", channel=channel_id, thread_ts=thread_ts)
    return {}


def _at_most(most: int, items: list[Any]) -> list[Any]:
    if len(items) > most:
        raise SlackRefusal("invalid_arguments", [f"no more than {most} items allowed"])
    return items


def clear_status(workspace: Workspace, channel_id: str, thread_ts: str) -> None:
    """Clear a status when it is emptied or the app posts in its thread."""
    key = f"{channel_id}:{thread_ts}"
    if workspace.storage.get(_STATUSES, key):
        workspace.storage.delete(_STATUSES, key)
        workspace.events.publish("status", channel=channel_id, thread_ts=thread_ts)


def list_statuses(workspace: Workspace) -> list[Document]:
    """Return the visible statuses; Slack clears one after two minutes."""
    since = workspace.clock.now() - _STATUS_TTL
    return [status for status in workspace.storage.all(_STATUSES) if status["at"] > since]


def set_suggested_prompts(workspace: Workspace, arguments: Arguments) -> Document:
    channel = workspace.joined_channel(arguments, "channel_id")
    thread_ts = read_thread(arguments)
    if thread_ts and workspace.records.message(channel["id"], thread_ts) is None:
        raise SlackRefusal("invalid_thread_ts")
    sent = arguments.items("prompts", "invalid_arguments")
    prompts = as_objects(_at_most(_MOST_PROMPTS, sent))
    if not prompts or not all(prompt.get("title") and prompt.get("message") for prompt in prompts):
        raise SlackRefusal("invalid_arguments", ["prompts need a title and a message"])
    shown: Document = {"channel_id": channel["id"], "thread_ts": thread_ts, "prompts": prompts}
    shown["title"] = arguments.text("title")
    workspace.storage.put(_PROMPTS, f"{channel['id']}:{thread_ts}", shown)
    workspace.events.publish("status", channel=channel["id"], thread_ts=thread_ts)
    return {}


def list_prompts(workspace: Workspace) -> list[Document]:
    return workspace.storage.all(_PROMPTS)
