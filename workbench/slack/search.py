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
    hits = [
        (fit, message["ts"], channel, message)
        for channel in _searched(workspace, arguments)
        for message in workspace.records.messages(channel["id"])
        if _is_asked_for(message, arguments) and (fit := _fit(query, message["text"]))
    ]
    hits.sort(key=lambda one: one[:2], reverse=True)
    if arguments.number("limit", _MOST, 1_000) > _MOST:
        raise SlackRefusal("invalid_limit")
    shown, cursor = page_of(hits, arguments, _MOST)
    messages = [_hit(workspace, channel, message, arguments) for *_, channel, message in shown]
    return {"results": {"messages": messages}, **next_cursor(cursor)}


def _searched(workspace: Workspace, arguments: Arguments) -> list[Document]:
    """Return public channels; a bot's token finds nothing elsewhere."""
    if "public_channel" not in (arguments.words("channel_types") or ["public_channel"]):
        return []
    return [one for one in workspace.records.channels() if channel_type(one) == "channel"]


def _fit(query: str, text: str) -> int:
    """Return how many words they share."""
    return len({*_WORDS.findall(query.casefold())} & {*_WORDS.findall(text.casefold())})


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
