"""Control calls that read the workspace's present state."""

from typing import Any

from aiohttp import web

from workbench.control.bodies import BadCall, find_channel, find_person
from workbench.slack.assistant import list_prompts, list_statuses
from workbench.slack.records import APP, BOT, BOT_USER
from workbench.slack.sessions import list_sessions
from workbench.slack.shortcuts import SHORTCUTS
from workbench.slack.streams import list_streams
from workbench.slack.view_stack import public_view
from workbench.slack.workspace import WORKSPACE, Workspace
from workbench.storage import Document
from workbench.traces.runs import run_of

Reply = dict[str, Any]


async def messages(request: web.Request) -> Reply:
    workspace = request.app[WORKSPACE]
    channel = find_channel(workspace, request.match_info["channel"])
    shown: list[Document] = []
    for message in workspace.records.messages(channel["id"]):
        run = run_of(workspace.storage, message)
        shown.append(message | {"run": run} if run else message)
    return {"messages": shown}


async def ephemerals(request: web.Request) -> Reply:
    user = find_person(request.app[WORKSPACE], request.match_info["user"])
    return {"messages": request.app[WORKSPACE].records.ephemerals(user["id"])}


async def views(request: web.Request) -> Reply:
    user = find_person(request.app[WORKSPACE], request.match_info["user"])
    stack = request.app[WORKSPACE].views.stack(user["id"])
    return {"views": [public_view(view) for view in stack]}


async def home(request: web.Request) -> Reply:
    user = find_person(request.app[WORKSPACE], request.match_info["user"])
    view = request.app[WORKSPACE].views.home(user["id"])
    return {"view": public_view(view) if view else None}


async def statuses(request: web.Request) -> Reply:
    workspace = request.app[WORKSPACE]
    return {
        "statuses": list_statuses(workspace),
        "prompts": list_prompts(workspace),
        "sessions": list_sessions(workspace),
        "streams": list_streams(workspace),
    }


async def log(request: web.Request) -> Reply:
    after = request.query.get("after", "0")
    if not after.isdecimal():
        raise BadCall("`after` must be a whole number")
    return {"log": request.app[WORKSPACE].storage.log(int(after))}


async def state(request: web.Request) -> Reply:
    workspace: Workspace = request.app[WORKSPACE]
    records = workspace.records
    bot = {"id": BOT, "user_id": BOT_USER, "app_id": APP, "name": "AgencyClaw"}
    return {
        "team": records.team(),
        "users": records.users(),
        "channels": records.channels(),
        "bot": bot,
        "shortcuts": SHORTCUTS,
        "connections": len(workspace.hub.connections),
        **(workspace.storage.get("page", "hints") or {}),
    }
