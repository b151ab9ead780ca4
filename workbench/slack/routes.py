"""Routes of the stand-in Slack: `/api`, response URLs and permalinks."""

from aiohttp import web

from workbench.faults import Faults
from workbench.slack.files import receive_upload, serve_file
from workbench.slack.methods import BOT_TOKEN, WebApi
from workbench.slack.rate import SlackRate
from workbench.slack.replies import serve_response_url
from workbench.slack.socket_routes import Tickets
from workbench.slack.workspace import WORKSPACE, Workspace


async def serve_private_file(request: web.Request) -> web.Response:
    """Give the app what a person shared; without its token, a sign-in page, as Slack does."""
    if request.headers.get("Authorization") != f"Bearer {BOT_TOKEN}":
        return web.Response(text="<title>Sign in</title>", content_type="text/html")
    return await serve_file(request)


async def follow_permalink(request: web.Request) -> web.Response:
    """Redirect a permalink to the same message on the page."""
    records = request.app[WORKSPACE].records
    channel = records.channel(request.match_info["channel"])
    digits = request.match_info["digits"]
    ts = f"{digits[:-6]}.{digits[-6:]}"
    if channel is None or records.message(channel["id"], ts) is None:
        raise web.HTTPNotFound
    person = channel.get("user") or channel["members"][0]
    thread_ts = request.query.get("thread_ts", ts)
    raise web.HTTPFound(f"/#/{person}/{channel['id']}/{thread_ts}")


def add_slack_routes(
    app: web.Application,
    workspace: Workspace,
    faults: Faults,
    tickets: Tickets,
    rate: SlackRate,
) -> None:
    app[WORKSPACE] = workspace
    api = WebApi(workspace, faults, tickets, rate)
    app.router.add_route("*", "/api/{method}", api.serve)
    app.router.add_post("/response/{key}", serve_response_url)
    app.router.add_post("/upload/{file}", receive_upload)
    app.router.add_get("/files-pri/{file}/{name}", serve_private_file)
    app.router.add_get("/_control/files/{file}", serve_file)
    app.router.add_get(r"/archives/{channel}/p{digits:\d+}", follow_permalink)
