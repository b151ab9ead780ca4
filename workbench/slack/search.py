"""assistant.search.context: finds messages in public channels for who wrote to the app."""

import re

from workbench.slack.action_tokens import is_action_token
from workbench.slack.arguments import Arguments
from workbench.slack.events import channel_type
from workbench.slack.paging import next_cursor, page_of
from workbench.slack.records import BOT_USER
from workbench.slack.refusals import SlackRefusal
from workbench.slack.workspace import Workspace
from workbench.storage import Document

_MOST = 20
_WORDS = re.compile(r"\w+")


def search_context(workspace: Workspace, arguments: Arguments) -> Document:
    query = arguments.required("query")
    if not is_action_token(workspace.storage, arguments.required("action_token")):
        raise SlackRefusal("invalid_action_token")
    if "messages" not in (arguments.words("content_types") or ["messages"]):
        return {"results": {"messages": []}, **next_cursor("")}
    messages = [
        (channel, message)
        for channel in _searched_channels(workspace, arguments)
        for message in workspace.records.messages(channel["id"])
        if _is_asked_for(message, arguments) and _shared_words(query, message)
    ]
    messages.sort(key=lambda hit: (_shared_words(query, hit[1]), hit[1]["ts"]), reverse=True)
    if arguments.number("limit", _MOST, 1_000) > _MOST:
        raise SlackRefusal("invalid_limit")
    page, cursor = page_of(messages, arguments, _MOST)
    hits = [_hit(workspace, channel, message, arguments) for channel, message in page]
    return {"results": {"messages": hits}, **next_cursor(cursor)}


def _searched_channels(workspace: Workspace, arguments: Arguments) -> list[Document]:
    """Return public channels; a bot's token finds nothing elsewhere."""
    if "public_channel" not in (arguments.words("channel_types") or ["public_channel"]):
        return []
    channels = workspace.records.channels()
    return [channel for channel in channels if channel_type(channel) == "channel"]


def _shared_words(query: str, message: Document) -> int:
    """Return how many words a query and a message have in common."""
    words = set(_WORDS.findall(query.casefold()))
    return len(words.intersection(_WORDS.findall(message["text"].casefold())))


def _is_asked_for(message: Document, arguments: Arguments) -> bool:
    if message.get("subtype") == "tombstone":
        return False
    if message.get("bot_id") and not arguments.flag("include_bots"):
        return False
    at = float(message["ts"])
    after, before = arguments.text("after"), arguments.text("before")
    return (not after or at >= float(after)) and (not before or at < float(before))


def _hit(
    workspace: Workspace, channel: Document, message: Document, arguments: Arguments
) -> Document:
    user = workspace.records.user(message.get("user", "")) or {}
    link = f"{arguments.origin}/archives/{channel['id']}/p{message['ts'].replace('.', '')}"
    return {
        "author_name": user.get("real_name", message.get("username", "")),
        "author_user_id": message.get("user", BOT_USER),
        "team_id": workspace.records.team()["id"],
        "channel_id": channel["id"],
        "channel_name": channel.get("name", ""),
        "message_ts": message["ts"],
        "content": message["text"],
        "is_author_bot": bool(message.get("bot_id")),
        "permalink": link,
    }
