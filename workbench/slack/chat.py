"""The chat.* methods: posting, updating and deleting messages."""

from workbench.slack.arguments import Arguments
from workbench.slack.assistant import clear_status
from workbench.slack.content import MessageContent, read_content, read_thread, warned
from workbench.slack.limits import UPDATE_TEXT_LIMIT
from workbench.slack.posts import bot_message
from workbench.slack.records import BOT, BOT_USER
from workbench.slack.refusals import SlackRefusal
from workbench.slack.streams import is_streaming
from workbench.slack.workspace import Workspace
from workbench.storage import Document


def post_message(workspace: Workspace, arguments: Arguments) -> Document:
    channel = workspace.open_channel(arguments)
    content = _read_some_content(arguments)
    message = bot_message(content.text, content.blocks) | _read_dress(arguments)
    if content.metadata:
        message["metadata"] = content.metadata
    thread_ts = read_thread(arguments)
    if thread_ts:
        message["thread_ts"] = thread_ts
        if arguments.flag("reply_broadcast"):
            message["subtype"] = "thread_broadcast"
    message = workspace.posts.add(channel, message)
    clear_status(workspace, channel["id"], thread_ts or message["ts"])
    answer = {"channel": channel["id"], "ts": message["ts"], "message": message}
    return warned(answer, content)


def _read_some_content(arguments: Arguments) -> MessageContent:
    content = read_content(arguments)
    if content.is_empty and not arguments.has("attachments"):
        raise SlackRefusal("no_text")
    return content


def _read_dress(arguments: Arguments) -> Document:
    """Read a message's name, icon and attachments."""
    dress: Document = {}
    if arguments.has("username"):
        dress["username"] = arguments.text("username")
    if arguments.has("icon_emoji"):
        dress["icons"] = {"emoji": arguments.text("icon_emoji")}
    if arguments.has("attachments"):
        dress["attachments"] = arguments.items("attachments", "invalid_attachments")
    return dress


def update(workspace: Workspace, arguments: Arguments) -> Document:
    channel = workspace.joined_channel(arguments)
    if channel["is_archived"]:
        raise SlackRefusal("is_inactive")
    message = workspace.find_message(channel, arguments.required("ts"))
    if message.get("bot_id") != BOT:
        raise SlackRefusal("cant_update_message")
    if is_streaming(workspace, message):
        raise SlackRefusal("streaming_state_conflict")
    content = read_content(arguments)
    if len(content.text) > UPDATE_TEXT_LIMIT:
        raise SlackRefusal("msg_too_long")
    if content.is_empty and not arguments.has("attachments"):
        raise SlackRefusal("no_text")
    changed = {**message, **_read_dress(arguments)}
    changed["edited"] = {"user": BOT_USER, "ts": workspace.records.new_ts()}
    if "streaming_state" in changed:
        changed["streaming_state"] = "completed"
    _apply(changed, content, keep_text=not arguments.has("text"))
    workspace.posts.replace(channel, message, changed)
    answer = {"channel": channel["id"], "ts": message["ts"], "text": changed["text"]}
    return warned({**answer, "message": changed}, content)


def _apply(message: Document, content: MessageContent, *, keep_text: bool) -> None:
    """Apply an update: fields left out stay, an empty list of blocks removes the blocks."""
    if not keep_text:
        message["text"] = content.text
    if content.blocks:
        message["blocks"] = content.blocks
    elif content.blocks is not None:
        message.pop("blocks", None)
    if content.metadata:
        message["metadata"] = content.metadata


def delete(workspace: Workspace, arguments: Arguments) -> Document:
    channel = workspace.joined_channel(arguments)
    message = workspace.find_message(channel, arguments.required("ts"))
    if message.get("bot_id") != BOT or is_streaming(workspace, message):
        raise SlackRefusal("cant_delete_message")
    workspace.posts.remove(channel, message)
    return {"channel": channel["id"], "ts": message["ts"]}


def post_ephemeral(workspace: Workspace, arguments: Arguments) -> Document:
    channel = workspace.open_channel(arguments)
    user_id = arguments.required("user")
    if user_id not in channel["members"]:
        raise SlackRefusal("user_not_in_channel")
    content = _read_some_content(arguments)
    message = bot_message(content.text, content.blocks)
    thread_ts = read_thread(arguments)
    if thread_ts:
        message["thread_ts"] = thread_ts
    message = workspace.posts.post_ephemeral(channel, user_id, message)
    return warned({"message_ts": message["ts"]}, content)


def get_permalink(workspace: Workspace, arguments: Arguments) -> Document:
    channel = workspace.joined_channel(arguments)
    message = workspace.find_message(channel, arguments.required("message_ts"))
    link = f"{arguments.origin}/archives/{channel['id']}/p{message['ts'].replace('.', '')}"
    thread_ts = message.get("thread_ts", message["ts"])
    if thread_ts != message["ts"]:
        link += f"?thread_ts={thread_ts}&cid={channel['id']}"
    return {"channel": channel["id"], "permalink": link}
