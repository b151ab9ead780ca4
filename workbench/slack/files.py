"""Files: shared with messages by people, and uploaded in three steps by apps."""

from typing import Any

from aiohttp import web

from workbench.slack.arguments import Arguments
from workbench.slack.posts import bot_message
from workbench.slack.records import BOT_USER, new_id
from workbench.slack.refusals import SlackRefusal
from workbench.slack.texts import as_objects
from workbench.slack.workspace import WORKSPACE, Workspace
from workbench.storage import Document

_FILES = "slack/files"


def new_file(workspace: Workspace, user_id: str, name: str, size: int) -> Document:
    """Return a file as messages carry it."""
    file_id = new_id("F")
    kind = name.rpartition(".")[2].lower() if "." in name else "binary"
    file: Document = {"id": file_id, "name": name, "title": name, "filetype": kind, "size": size}
    file |= {"user": user_id, "mode": "hosted", "created": int(workspace.clock.now())}
    workspace.storage.put(_FILES, file_id, file)
    return file


def get_upload_url(workspace: Workspace, arguments: Arguments) -> Document:
    name = arguments.required("filename")
    size = arguments.number("length", 0, 1_000_000_000)
    if not size:
        raise SlackRefusal("invalid_arguments", ["missing required field: length"])
    file: Document = {**new_file(workspace, BOT_USER, name, size), "received": None}
    workspace.storage.put(_FILES, file["id"], file)
    return {"upload_url": f"{arguments.origin}/upload/{file['id']}", "file_id": file["id"]}


async def take_upload(request: web.Request) -> web.Response:
    workspace = request.app[WORKSPACE]
    file = workspace.storage.get(_FILES, request.match_info["file"])
    if file is None:
        raise web.HTTPNotFound
    received = len(await request.read())
    workspace.storage.put(_FILES, file["id"], {**file, "received": received})
    return web.Response(text=f"OK - {received}")


def complete_upload(workspace: Workspace, arguments: Arguments) -> Document:
    described = as_objects(arguments.document("files", "invalid_arguments"))
    if not described:
        raise SlackRefusal("invalid_arguments", ["missing required field: files"])
    files = [_uploaded(workspace, one) for one in described]
    if arguments.has("channel_id"):
        channel = workspace.joined_channel(arguments, "channel_id")
        message = bot_message(arguments.text("initial_comment")) | {"files": files, "upload": True}
        thread_ts = arguments.text("thread_ts")
        message |= {"thread_ts": thread_ts} if thread_ts else {}
        workspace.posts.add(channel, message)
    return {"files": files}


def _uploaded(workspace: Workspace, described: dict[str, Any]) -> Document:
    file = workspace.storage.get(_FILES, str(described.get("id")))
    if file is None or not file.get("received"):
        raise SlackRefusal("file_not_found")
    return {**file, "title": str(described.get("title") or file["name"])}


def file_info(workspace: Workspace, arguments: Arguments) -> Document:
    file = workspace.storage.get(_FILES, arguments.required("file"))
    if file is None:
        raise SlackRefusal("file_not_found")
    return {"file": file}
