"""Files: shared with messages by people, and uploaded in three steps by apps."""

from base64 import b64decode, b64encode
from mimetypes import guess_type
from typing import Any
from urllib.parse import quote

from aiohttp import web

from workbench.slack.arguments import Arguments
from workbench.slack.posts import bot_message
from workbench.slack.records import BOT_USER, new_id
from workbench.slack.refusals import SlackRefusal
from workbench.slack.texts import as_objects
from workbench.slack.workspace import WORKSPACE, Workspace
from workbench.storage import Document

_FILES = "slack/files"
_CONTENTS = "slack/file_contents"


def share_file(
    workspace: Workspace, origin: str, user_id: str, name: str, content: bytes
) -> Document:
    """Return a person's file, as a message carries it."""
    file = _new_file(workspace, user_id, name, len(content) or 1)
    file |= {"url_private": f"{origin}/files-pri/{file['id']}/{quote(name)}"}
    file |= {"url_private_download": f"{origin}/_control/files/{file['id']}"}
    workspace.storage.put(_FILES, file["id"], file)
    workspace.storage.put(_CONTENTS, file["id"], {"base64": b64encode(content).decode()})
    return file


def _new_file(workspace: Workspace, user_id: str, name: str, size: int) -> Document:
    """Return a file as messages carry it."""
    kind = name.rpartition(".")[2].lower() if "." in name else "binary"
    created = int(workspace.clock.now())
    file: Document = {"id": new_id("F"), "name": name, "title": name, "size": size}
    file |= {"user": user_id, "mode": "hosted", "created": created, "timestamp": created}
    mimetype = guess_type(name)[0] or "application/octet-stream"
    file |= {"filetype": kind, "mimetype": mimetype, "pretty_type": kind.upper(), "editable": False}
    file |= {"is_external": False, "is_public": False, "user_team": workspace.records.team()["id"]}
    return file


def get_upload_url(workspace: Workspace, arguments: Arguments) -> Document:
    name = arguments.required("filename")
    size = arguments.number("length", 0, 1_000_000_000)
    if not size:
        raise SlackRefusal("invalid_arguments", ["missing required field: length"])
    file: Document = {**_new_file(workspace, BOT_USER, name, size), "received": None}
    file |= {"alt_txt": arguments.text("alt_txt")} if arguments.has("alt_txt") else {}
    workspace.storage.put(_FILES, file["id"], file)
    return {"upload_url": f"{arguments.origin}/upload/{file['id']}", "file_id": file["id"]}


async def receive_upload(request: web.Request) -> web.Response:
    workspace = request.app[WORKSPACE]
    file = workspace.storage.get(_FILES, request.match_info["file"])
    if file is None:
        raise web.HTTPNotFound
    content = await request.read()
    workspace.storage.put(_FILES, file["id"], {**file, "received": len(content)})
    workspace.storage.put(_CONTENTS, file["id"], {"base64": b64encode(content).decode()})
    return web.Response(text=f"OK - {len(content)}")


async def serve_file(request: web.Request) -> web.Response:
    """Give the page what was uploaded."""
    storage = request.app[WORKSPACE].storage
    file = storage.get(_FILES, request.match_info["file"])
    content = storage.get(_CONTENTS, request.match_info["file"])
    if file is None or content is None:
        raise web.HTTPNotFound
    name = quote(file["name"])
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{name}"}
    body = b64decode(content["base64"])
    return web.Response(body=body, content_type=file["mimetype"], headers=headers)


def complete_upload(workspace: Workspace, arguments: Arguments) -> Document:
    sent = as_objects(arguments.items("files", "invalid_arguments"))
    if not sent:
        raise SlackRefusal("invalid_arguments", ["missing required field: files"])
    channel = (
        workspace.joined_channel(arguments, "channel_id") if arguments.has("channel_id") else None
    )
    files = [_uploaded(workspace, file, arguments.origin) for file in sent]
    if channel is not None:
        message = bot_message(arguments.text("initial_comment"))
        message |= {"subtype": "file_share", "files": files, "upload": True}
        thread_ts = arguments.text("thread_ts")
        message |= {"thread_ts": thread_ts} if thread_ts else {}
        workspace.posts.add(channel, message)
    return {"files": files}


def _uploaded(workspace: Workspace, sent: dict[str, Any], origin: str) -> Document:
    """Take an upload, which can be done once and only with as many bytes as were announced."""
    file = workspace.storage.get(_FILES, str(sent.get("id")))
    if file is None or file.get("received") != file["size"]:
        raise SlackRefusal("file_not_found")
    shown = {name: value for name, value in file.items() if name != "received"}
    address = f"{origin}/_control/files/{file['id']}"
    shown |= {"title": str(sent.get("title") or file["name"]), "url_private": address}
    shown |= {"url_private_download": address, "permalink": address}
    workspace.storage.put(_FILES, file["id"], shown)
    return shown


def file_info(workspace: Workspace, arguments: Arguments) -> Document:
    file = workspace.storage.get(_FILES, arguments.required("file"))
    if file is None:
        raise SlackRefusal("file_not_found")
    return {"file": file}
