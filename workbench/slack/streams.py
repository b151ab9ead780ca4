"""chat.startStream, appendStream and stopStream; a stream expires after five minutes."""

from typing import Any

from workbench.slack.arguments import Arguments
from workbench.slack.assistant import clear_status
from workbench.slack.chunks import grow, read_growth
from workbench.slack.content import accept_blocks, read_metadata, read_thread
from workbench.slack.limits import MARKDOWN_LIMIT, count_markdown
from workbench.slack.posts import bot_message
from workbench.slack.records import BOT
from workbench.slack.refusals import SlackRefusal
from workbench.slack.sessions import STATUSES, move_session
from workbench.slack.workspace import Workspace
from workbench.storage import Document

LIFE_S = 300.0
_MODES = ("timeline", "plan")


def start_stream(workspace: Workspace, arguments: Arguments) -> Document:
    channel = workspace.open_channel(arguments)
    arguments.required("thread_ts")
    thread_ts = read_thread(arguments)
    if not channel["is_im"]:
        for name in ("recipient_user_id", "recipient_team_id"):
            if not arguments.text(name):
                raise SlackRefusal(f"missing_{name}")
    mode = arguments.text("task_display_mode", _MODES[0])
    if mode not in _MODES:
        raise SlackRefusal("invalid_arguments", [f"task_display_mode must be one of {_MODES}"])
    empty: Document = {**bot_message(""), "thread_ts": thread_ts, "blocks": []}
    message = _grown(empty, arguments, mode)
    message |= {
        "streaming_state": "in_progress",
        "streaming_until": workspace.clock.now() + LIFE_S,
        "task_display_mode": mode,
    }
    message = workspace.posts.add(channel, message)
    clear_status(workspace, channel["id"], thread_ts)
    return {"channel": channel["id"], "ts": message["ts"]}


def append_stream(workspace: Workspace, arguments: Arguments) -> Document:
    channel, message = _open_stream(workspace, arguments)
    if not arguments.text("markdown_text") and not arguments.has("chunks"):
        raise SlackRefusal("invalid_arguments", ["missing required field: markdown_text"])
    workspace.posts.touch(channel, _grown(message, arguments, message["task_display_mode"]))
    return {"channel": channel["id"], "ts": message["ts"]}


def stop_stream(workspace: Workspace, arguments: Arguments) -> Document:
    channel, message = _open_stream(workspace, arguments)
    status = arguments.text("session_status")
    if status and status not in STATUSES:
        raise SlackRefusal("invalid_arguments", ["session_status is not a valid status"])
    changed = _grown(message, arguments, message["task_display_mode"])
    blocks = arguments.document("blocks", "invalid_blocks_format")
    if blocks is not None:
        changed["blocks"] = [*changed["blocks"], *accept_blocks(blocks)]
    metadata = read_metadata(arguments)
    if metadata:
        changed["metadata"] = metadata
    ended = _ended(changed, "completed")
    workspace.posts.replace(channel, message, ended)
    clear_status(workspace, channel["id"], message["thread_ts"])
    if status:
        move_session(workspace, channel["id"], message["thread_ts"], status)
    return {"channel": channel["id"], "ts": message["ts"], "message": ended}


def is_streaming(workspace: Workspace, message: Document) -> bool:
    """Return whether a message still streams; Slack refuses to update or delete one that does."""
    alive = message.get("streaming_until", 0) > workspace.clock.now()
    return message.get("streaming_state") == "in_progress" and alive


def expire(workspace: Workspace, arguments: Arguments) -> None:
    """Expire a stream early, as planned by a fault."""
    channel = workspace.joined_channel(arguments)
    message = workspace.find_message(channel, arguments.required("ts"))
    workspace.posts.touch(channel, _ended(message, "errored"))


def stop_all(workspace: Workspace, channel: Document, thread_ts: str) -> list[str]:
    """Stop the app's streams in a thread, as a person's Stop does; returns their ts."""
    stopped: list[str] = []
    for message in workspace.records.messages(channel["id"]):
        if message.get("thread_ts") == thread_ts and is_streaming(workspace, message):
            workspace.posts.touch(channel, _ended(message, "completed"))
            stopped.append(message["ts"])
    return stopped


def list_streams(workspace: Workspace) -> list[Document]:
    """Return every message still marked as streaming, including expired ones."""
    return [
        {"channel_id": channel["id"], "ts": message["ts"], "thread_ts": message["thread_ts"]}
        for channel in workspace.records.channels()
        for message in workspace.records.messages(channel["id"])
        if message.get("streaming_state") == "in_progress"
    ]


def _open_stream(workspace: Workspace, arguments: Arguments) -> tuple[Document, Document]:
    channel = workspace.joined_channel(arguments)
    message = workspace.find_message(channel, arguments.required("ts"))
    if message.get("bot_id") != BOT:
        raise SlackRefusal("message_not_owned_by_app")
    if not is_streaming(workspace, message):
        raise SlackRefusal("message_not_in_streaming_state")
    return channel, message


def _grown(message: Document, arguments: Arguments, mode: str) -> Document:
    blocks: list[Any] = list(message["blocks"])
    text = message["text"]
    for chunk in read_growth(arguments):
        text += chunk.get("text", "") if chunk["type"] == "markdown_text" else ""
        blocks = grow(blocks, chunk, mode)
    if count_markdown(blocks) > MARKDOWN_LIMIT:
        raise SlackRefusal("msg_too_long")
    return {**message, "text": text, "blocks": blocks}


def _ended(message: Document, state: str) -> Document:
    kept = {name: value for name, value in message.items() if name != "streaming_until"}
    return {**kept, "streaming_state": state}
