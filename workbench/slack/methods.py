"""`/api/<method>`: authorises, runs and logs each call, with planned faults."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from aiohttp import web

from workbench.faults import Fault, Faults
from workbench.slack import (
    assistant,
    chat,
    conversations,
    files,
    links,
    people,
    search,
    sessions,
    streams,
    views,
)
from workbench.slack.arguments import Arguments, read_arguments, read_token
from workbench.slack.faults import rate_limited, strike_after, strike_before
from workbench.slack.installation import check_installation, granted
from workbench.slack.rate import SlackRate
from workbench.slack.records import APP
from workbench.slack.refusals import SlackRefusal
from workbench.slack.socket_routes import Tickets
from workbench.slack.workspace import Workspace
from workbench.storage import Document

BOT_TOKEN = "xoxb-workbench"  # noqa: S105  (the stand-in's own)
APP_TOKEN = "xapp-workbench"  # noqa: S105
_SCOPES = {
    BOT_TOKEN: (
        "app_mentions:read,assistant:write,channels:history,channels:read,chat:write,commands,"
        "files:read,files:write,groups:history,groups:read,im:history,im:read,im:write,"
        "links:read,links:write,mpim:history,mpim:read,reactions:write,search:read.public,"
        "team:read,users:read,users:read.email"
    ),
    APP_TOKEN: "connections:write",
}
_OPEN = "apps.connections.open"

METHODS: dict[str, Callable[[Workspace, Arguments], Document]] = {
    "agents.sessions.rename": sessions.rename_session,
    "agents.sessions.setStatus": sessions.set_session_status,
    "auth.test": people.describe_app,
    "assistant.search.context": search.search_context,
    "assistant.threads.setStatus": assistant.set_status,
    "assistant.threads.setSuggestedPrompts": assistant.set_suggested_prompts,
    "bots.info": people.bot_info,
    "chat.appendStream": streams.append_stream,
    "chat.delete": chat.delete,
    "chat.getPermalink": chat.get_permalink,
    "chat.postEphemeral": chat.post_ephemeral,
    "chat.postMessage": chat.post_message,
    "chat.startStream": streams.start_stream,
    "chat.stopStream": streams.stop_stream,
    "chat.unfurl": links.unfurl,
    "chat.update": chat.update,
    "conversations.history": conversations.history,
    "conversations.info": conversations.info,
    "conversations.list": conversations.list_conversations,
    "conversations.members": conversations.members,
    "conversations.open": conversations.open_conversation,
    "conversations.replies": conversations.replies,
    "files.completeUploadExternal": files.complete_upload,
    "files.getUploadURLExternal": files.get_upload_url,
    "files.info": files.file_info,
    "reactions.add": people.add_reaction,
    "team.info": people.team_info,
    "users.conversations": conversations.users_conversations,
    "users.info": people.user_info,
    "users.list": people.list_users,
    "users.lookupByEmail": people.lookup_by_email,
    "views.open": views.open_view,
    "views.publish": views.publish_view,
    "views.push": views.push_view,
    "views.update": views.update_view,
}


@dataclass(frozen=True)
class _Call:
    """A request, read as far as possible."""

    request: web.Request
    method: str
    token: str
    arguments: Arguments
    misread: SlackRefusal | None = None

    @property
    def is_unknown(self) -> bool:
        return self.method not in METHODS and self.method != _OPEN


class WebApi:
    """Slack's Web API over a workspace."""

    def __init__(
        self, workspace: Workspace, faults: Faults, tickets: Tickets, rate: SlackRate
    ) -> None:
        self._workspace = workspace
        self._faults = faults
        self._tickets = tickets
        self._rate = rate

    async def serve(self, request: web.Request) -> web.Response:
        call = await _read_call(request)
        fault = self._faults.take("slack", call.method)
        struck = await strike_before(fault, request, self._workspace.clock)
        struck = struck or self._limit(call)
        if struck is not None:
            self._log(call, fault, {"status": struck.status, "ok": False})
            return struck
        body = self._answer(call, fault)
        self._log(call, fault, _outline(body))
        return await strike_after(fault, request, self._respond(call, body), self._workspace.clock)

    def _limit(self, call: _Call) -> web.Response | None:
        channel = call.arguments.values.get("channel", "")
        seconds = self._rate.refuse(call.method, str(channel))
        return None if seconds is None else rate_limited(seconds)

    def _answer(self, call: _Call, fault: Fault | None) -> Document:
        try:
            if fault and fault.kind == "expired_stream":
                streams.expire(self._workspace, call.arguments)
            with self._workspace.storage.transaction():
                self._check_token(call)
                if fault and fault.kind == "unshared":
                    call.arguments.values.pop("channel_id", None)
                return {"ok": True, **self._run(call)}
        except SlackRefusal as refusal:
            return refusal.body()

    def _check_token(self, call: _Call) -> None:
        if call.misread:
            raise call.misread
        if not call.token:
            raise SlackRefusal("not_authed")
        if call.token not in _SCOPES:
            raise SlackRefusal("invalid_auth")
        if call.is_unknown:
            raise SlackRefusal("unknown_method", req_method=call.method)
        if (call.token == APP_TOKEN) is not (call.method == _OPEN):
            raise SlackRefusal("not_allowed_token_type")
        if call.token == BOT_TOKEN:
            check_installation(self._workspace.storage, call.method)

    def _run(self, call: _Call) -> Document:
        if call.method != _OPEN:
            return METHODS[call.method](self._workspace, call.arguments)
        scheme = "wss" if call.request.scheme == "https" else "ws"
        ticket = self._tickets.issue()
        return {"url": f"{scheme}://{call.request.host}/socket/{ticket}?app_id={APP}"}

    def _respond(self, call: _Call, body: Document) -> web.Response:
        response = web.json_response(body)
        if call.token in _SCOPES:
            scopes = granted(self._workspace.storage, _SCOPES[call.token])
            response.headers["X-OAuth-Scopes"] = scopes
        return response

    def _log(self, call: _Call, fault: Fault | None, outcome: dict[str, Any]) -> None:
        values = {name: value for name, value in call.arguments.values.items() if name != "token"}
        entry = {
            "at": self._workspace.clock.now(),
            "target": "slack",
            "kind": "request",
            "method": call.method,
            "http_method": call.request.method,
            "arguments": {name: _as_logged(value) for name, value in values.items()},
            "token": call.token.partition("-")[0],
            "unknown": call.is_unknown,
            "fault": fault.kind if fault else None,
        }
        self._workspace.storage.append_log(entry | outcome)


async def _read_call(request: web.Request) -> _Call:
    method = request.match_info["method"]
    try:
        arguments, misread = await read_arguments(request), None
    except SlackRefusal as refusal:
        arguments, misread = Arguments({}), refusal
    return _Call(request, method, read_token(request, arguments), arguments, misread)


def _as_logged(value: Any) -> Any:
    return f"file {value.filename}" if isinstance(value, web.FileField) else value


def _outline(body: Document) -> Document:
    outline = {name: body[name] for name in ("ok", "error", "ts", "channel") if name in body}
    return {"status": 200, **outline}
