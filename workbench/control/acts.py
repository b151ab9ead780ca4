"""The control API's verbs: what people do in the workspace."""

from base64 import b64decode
from typing import Any, cast

from aiohttp import web

from workbench.control.bodies import (
    BadCall,
    Body,
    find_channel,
    find_joined_channel,
    find_person,
    read_body,
)
from workbench.requests import origin_of
from workbench.slack.events import home_opened_event
from workbench.slack.files import share_file
from workbench.slack.interactions import (
    ElementPress,
    Outcome,
    close_view,
    press_element,
    refused,
    run_command,
    submit_view,
)
from workbench.slack.limits import TEXT_LIMIT
from workbench.slack.links import send_link_shared
from workbench.slack.markup import encode_typed
from workbench.slack.posts import user_message
from workbench.slack.refusals import SlackRefusal
from workbench.slack.rich_text import rich_text
from workbench.slack.sessions import find_session, stopped_event
from workbench.slack.shortcuts import use_shortcut
from workbench.slack.streams import stop_all
from workbench.slack.view_stack import public_view
from workbench.slack.workspace import WORKSPACE, Workspace
from workbench.storage import Document


async def post_message(request: web.Request) -> Outcome:
    workspace, body = request.app[WORKSPACE], await read_body(request)
    user = find_person(workspace, body.required("user"))
    channel = find_joined_channel(workspace, body, user)
    origin = origin_of(request)
    files = [
        share_file(workspace, origin, user["id"], name, content)
        for name, content in _files(body).items()
    ]
    text = body.text("text") if files else body.required("text")
    thread_ts = body.text("thread_ts", "threadTs") or None
    message = user_message(user["id"], encode_typed(text)[:TEXT_LIMIT], thread_ts)
    if files:
        message |= {"subtype": "file_share", "files": files, "upload": True}
    try:
        message = workspace.posts.add(channel, message)
    except SlackRefusal as refusal:
        raise BadCall(f"{refusal.error}: {thread_ts}") from None
    send_link_shared(workspace, channel, message, origin)
    return {"ts": message["ts"], "channel": channel["id"]}


async def edit_message(request: web.Request) -> Outcome:
    """Change one's own message."""
    workspace, body = request.app[WORKSPACE], await read_body(request)
    text = encode_typed(body.required("text"))[:TEXT_LIMIT]
    channel, message = _own_message(workspace, body)
    edited = {"user": message["user"], "ts": workspace.records.new_ts()}
    changed = {**message, "text": text, "blocks": rich_text(text), "edited": edited}
    workspace.posts.replace(channel, message, changed)
    return {"ok": True}


async def delete_message(request: web.Request) -> Outcome:
    """Delete one's own message."""
    workspace, body = request.app[WORKSPACE], await read_body(request)
    workspace.posts.remove(*_own_message(workspace, body))
    return {"ok": True}


def _own_message(workspace: Workspace, body: Body) -> tuple[Document, Document]:
    user = find_person(workspace, body.required("user"))
    channel = find_channel(workspace, body.required("channel"))
    ts = body.required("message_ts", "messageTs")
    message = workspace.records.message(channel["id"], ts)
    if message is None or message.get("user") != user["id"]:
        raise BadCall(f"{user['id']} wrote no message {ts}")
    return channel, message


def _files(body: Body) -> dict[str, bytes]:
    """Return files by name: texts, or bytes as `{"base64": ...}`; a mere name is an empty file."""
    files: Any = body.fields.get("files") or []
    if isinstance(files, list):
        return {str(name): b"" for name in cast("list[Any]", files)}
    if not isinstance(files, dict):
        raise BadCall("`files` must be names, or contents by name")
    return {str(name): _content(one) for name, one in cast("dict[Any, Any]", files).items()}


def _content(sent: Any) -> bytes:
    if not isinstance(sent, dict):
        return str(sent).encode()
    try:
        return b64decode(cast("dict[str, Any]", sent)["base64"], validate=True)
    except (KeyError, TypeError, ValueError):
        raise BadCall("a file's bytes are `base64`") from None


async def stop(request: web.Request) -> Outcome:
    """Press Stop in a thread whose session is processing."""
    workspace, body = request.app[WORKSPACE], await read_body(request)
    user = find_person(workspace, body.required("user"))
    channel = find_joined_channel(workspace, body, user)
    thread_ts = body.required("thread_ts", "threadTs")
    session = find_session(workspace, channel["id"], thread_ts)
    if session is None or session["status"] != "processing":
        return refused("there is nothing to stop here")
    streams = stop_all(workspace, channel, thread_ts)
    workspace.send_event(stopped_event(channel["id"], thread_ts, user["id"], streams))
    return {"ok": True}


async def interact(request: web.Request) -> Outcome:
    workspace, body = request.app[WORKSPACE], await read_body(request)
    user = find_person(workspace, body.required("user"))
    action = body.fields.get("action")
    if not isinstance(action, str | dict) or not action:
        raise BadCall("`action` must be an action object, an action_id or a label")
    click = _read_press(workspace, body, user, action, origin_of(request))
    return click if isinstance(click, dict) else await press_element(workspace, click)


def _read_press(
    workspace: Workspace, body: Body, user: Document, action: Any, origin: str
) -> ElementPress | Outcome:
    value, state = body.fields.get("value"), body.mapping("state")
    view_id = body.text("view_id", "viewId")
    if view_id:
        view = _find_view(workspace, user["id"], view_id)
        if view is None:
            return refused(f"no such view: {view_id}")
        return ElementPress(user, action, origin, view=view, value=value, state=state)
    channel = find_channel(workspace, body.required("channel"))
    ts = body.required("messageTs", "message_ts")
    message = workspace.records.message(channel["id"], ts)
    message = message or workspace.records.ephemeral(user["id"], ts)
    if message is None:
        return refused(f"no such message: {ts}")
    return ElementPress(user, action, origin, channel, message, value=value, state=state)


def _find_view(workspace: Workspace, user_id: str, view_id: str) -> Document | None:
    home = workspace.views.home(user_id)
    if home and home["id"] == view_id:
        return home
    return workspace.views.find_open(user_id, view_id)


async def shortcut(request: web.Request) -> Outcome:
    """Choose one of the app's shortcuts in the menu of a message that the person can see."""
    workspace, body = request.app[WORKSPACE], await read_body(request)
    user = find_person(workspace, body.required("user"))
    channel = find_channel(workspace, body.required("channel"))
    ts = body.required("message_ts", "messageTs")
    message = workspace.records.message(channel["id"], ts)
    if message is None or (channel["is_private"] and user["id"] not in channel["members"]):
        return refused(f"no such message: {ts}")
    callback_id = body.required("callback_id")
    return await use_shortcut(workspace, user, channel, message, callback_id, origin_of(request))


async def submit(request: web.Request) -> Outcome:
    workspace, body = request.app[WORKSPACE], await read_body(request)
    user = find_person(workspace, body.required("user"))
    view_id = body.required("view_id", "viewId")
    return await submit_view(workspace, user, view_id, body.mapping("state"))


async def close(request: web.Request) -> Outcome:
    workspace, body = request.app[WORKSPACE], await read_body(request)
    user = find_person(workspace, body.required("user"))
    return await close_view(workspace, user, body.required("view_id", "viewId"))


async def command(request: web.Request) -> Outcome:
    workspace, body = request.app[WORKSPACE], await read_body(request)
    user = find_person(workspace, body.required("user"))
    channel = find_joined_channel(workspace, body, user)
    name = body.required("command")
    if not name.startswith("/"):
        raise BadCall("`command` must start with a slash")
    text = encode_typed(body.text("text"))
    return await run_command(workspace, user, channel, name, text, origin_of(request))


async def open_home(request: web.Request) -> Outcome:
    workspace, body = request.app[WORKSPACE], await read_body(request)
    user = find_person(workspace, body.required("user"))
    tab = body.text("tab") or "home"
    channel = cast("Document", workspace.records.direct_channel(user["id"]))
    home = workspace.views.home(user["id"]) if tab == "home" else None
    shown = public_view(home) if home else None
    workspace.send_event(home_opened_event(user["id"], channel["id"], tab, shown))
    return {"ok": True}


async def request_url(request: web.Request) -> Outcome:
    """Set the address of the app's HTTP endpoint; empty for Socket Mode."""
    body = await read_body(request)
    await request.app[WORKSPACE].hub.deliver_to(body.text("url"))
    return {"ok": True}


async def notice(request: web.Request) -> dict[str, Any]:
    """Set the notice above the conversation, what to try there, and what can be switched there."""
    workspace = request.app[WORKSPACE]
    body = await read_body(request)
    sentences = {name: body.texts(name) for name in ("tour", "admins", "known")}
    switches = {name: body.mapping(name) for name in ("agency", "models", "clock")}
    hints = {"notice": body.text("notice"), **sentences, **switches}
    workspace.storage.put("page", "hints", hints)
    workspace.events.publish("state")
    return {"ok": True}
