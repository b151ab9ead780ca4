"""The control API under `/_control`: for tests, tools and the page; not part of Slack."""

from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import web

from agencyclaw.workbench.control import acts, life, looks
from agencyclaw.workbench.control.bodies import BadCall
from agencyclaw.workbench.control.faults import FaultDesk
from agencyclaw.workbench.control.stream import add_stream_route
from agencyclaw.workbench.faults import Faults
from agencyclaw.workbench.seed import seed
from agencyclaw.workbench.slack.rate import SlackRate
from agencyclaw.workbench.slack.workspace import Workspace

_Act = Callable[[web.Request], Awaitable[dict[str, Any]]]

_POSTS: dict[str, _Act] = {
    "message": acts.post_message,
    "interact": acts.interact,
    "submit-view": acts.submit,
    "close-view": acts.close,
    "command": acts.command,
    "open-home": acts.open_home,
    "standing": life.change_standing,
    "channel": life.change_channel,
    "group": life.add_group,
    "install": life.change_install,
    "stop": acts.stop,
    "notice": acts.notice,
    "request-url": acts.request_url,
}
_GETS: dict[str, _Act] = {
    "messages/{channel}": looks.messages,
    "ephemerals/{user}": looks.ephemerals,
    "views/{user}": looks.views,
    "home/{user}": looks.home,
    "statuses": looks.statuses,
    "state": looks.state,
    "log": looks.log,
}


def add_control_routes(
    app: web.Application, workspace: Workspace, faults: Faults, rate: SlackRate
) -> None:
    desk = FaultDesk(faults, workspace.hub, rate)

    async def reset(_request: web.Request) -> dict[str, Any]:
        faults.clear()
        workspace.hub.forget()
        team_id = workspace.records.team()["id"]
        with workspace.storage.transaction():
            workspace.storage.wipe()
            seed(workspace.storage, workspace.clock, team_id)
        workspace.events.publish("reset")
        return {"ok": True}

    of_the_bench: dict[str, _Act] = {
        "reset": reset,
        "faults": desk.plan,
        "slack/rate": desk.limit,
    }
    for path, act in {**_POSTS, **of_the_bench}.items():
        app.router.add_post(f"/_control/{path}", _as_json(act))
    for path, look in {**_GETS, "faults": desk.show}.items():
        app.router.add_get(f"/_control/{path}", _as_json(look))
    app.router.add_delete("/_control/faults", _as_json(desk.clear))
    add_stream_route(app)


def add_unknown_control_route(app: web.Application) -> None:
    """Answer what nobody else took, in JSON; to be mounted last."""

    async def refuse(request: web.Request) -> web.Response:
        error = f"there is no {request.method} {request.path}"
        return web.json_response({"ok": False, "error": error}, status=404)

    app.router.add_route("*", "/_control/{rest:.*}", refuse)


def _as_json(act: _Act) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def serve(request: web.Request) -> web.Response:
        try:
            return web.json_response(await act(request))
        except BadCall as problem:
            return web.json_response({"ok": False, "error": str(problem)}, status=400)

    return serve
