"""Replies that need no token: acknowledging a command, or later to a response_url."""

import json
from typing import Any

from aiohttp import web

from workbench.slack.arguments import Arguments, read_arguments
from workbench.slack.content import MessageContent, read_content
from workbench.slack.posts import bot_message
from workbench.slack.records import BOT_USER
from workbench.slack.refusals import SlackRefusal
from workbench.slack.texts import as_object
from workbench.slack.workspace import WORKSPACE, Workspace
from workbench.storage import Document

_GONE = frozenset({"invalid_url", "expired_url", "used_url"})


def post_command_reply(
    workspace: Workspace, channel: Document, user_id: str, payload: dict[str, Any]
) -> None:
    """Post the text of an acknowledgement; what Slack would refuse is dropped and logged."""
    try:
        _post(workspace, channel, user_id, Arguments(payload))
    except SlackRefusal as refusal:
        entry = {"target": "slack", "kind": "dropped_reply", "error": refusal.error}
        workspace.storage.append_log({"at": workspace.clock.now(), **entry})


async def serve_response_url(request: web.Request) -> web.Response:
    """Answer a POST to a response_url: 404 if it is unknown, expired or used up, 400 if refused."""
    workspace = request.app[WORKSPACE]
    arguments, status = Arguments({}), 200
    body: Document = {"ok": True}
    try:
        arguments = _unwrap(await read_arguments(request))
        with workspace.storage.transaction():
            issued = workspace.response_urls.use(request.match_info["key"])
            _reply(workspace, issued, arguments)
    except SlackRefusal as refusal:
        body = refusal.body()
        status = 404 if refusal.error in _GONE else 400
    entry = {"target": "slack", "kind": "request", "method": "response_url", "status": status}
    entry |= {"at": workspace.clock.now(), "arguments": arguments.values, **body}
    workspace.storage.append_log(entry)
    return web.json_response(body, status=status)


def _unwrap(arguments: Arguments) -> Arguments:
    """Form-encoded callers put the whole JSON into the field `payload`."""
    payload = arguments.text("payload")
    try:
        return Arguments(as_object(json.loads(payload))) if payload else arguments
    except ValueError:
        raise SlackRefusal("invalid_payload") from None


def _reply(workspace: Workspace, issued: Document, arguments: Arguments) -> None:
    channel = workspace.find_channel(issued["channel"])
    original = _find_original(workspace, issued)
    if original and arguments.flag("delete_original"):
        _delete(workspace, channel, issued, original)
    elif original and arguments.flag("replace_original"):
        _replace(workspace, channel, issued, original, _read(arguments))
    else:
        thread_ts = arguments.text("thread_ts") or issued["thread_ts"]
        _post(workspace, channel, issued["user"], arguments, thread_ts)


def _find_original(workspace: Workspace, issued: Document) -> Document | None:
    ts = issued["message_ts"]
    if ts is None:
        return None
    if issued["is_ephemeral"]:
        return workspace.records.ephemeral(issued["user"], ts)
    return workspace.records.message(issued["channel"], ts)


def _delete(workspace: Workspace, channel: Document, issued: Document, original: Document) -> None:
    if issued["is_ephemeral"]:
        workspace.posts.remove_ephemeral(issued["user"], original)
    else:
        workspace.posts.remove(channel, original)


def _replace(
    workspace: Workspace,
    channel: Document,
    issued: Document,
    original: Document,
    content: MessageContent,
) -> None:
    changed = {**original, "text": content.text, "blocks": content.blocks or []}
    if issued["is_ephemeral"]:
        workspace.posts.update_ephemeral(issued["user"], changed)
    else:
        changed["edited"] = {"user": BOT_USER, "ts": workspace.records.new_ts()}
        workspace.posts.replace(channel, original, changed)


def _post(
    workspace: Workspace,
    channel: Document,
    user_id: str,
    arguments: Arguments,
    thread_ts: str | None = None,
) -> None:
    content = _read(arguments)
    message = bot_message(content.text, content.blocks)
    if thread_ts:
        message["thread_ts"] = thread_ts
    if arguments.text("response_type") == "in_channel":
        workspace.posts.add(channel, message)
    else:
        workspace.posts.post_ephemeral(channel, user_id, message)


def _read(arguments: Arguments) -> MessageContent:
    content = read_content(arguments)
    if content.is_empty:
        raise SlackRefusal("no_text")
    return content
