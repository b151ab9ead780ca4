"""The control API under `/_control`: for tests, tools and the page; not part of Slack."""

from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlsplit

from aiohttp import web

from agencyclaw.workbench import control_acts, control_looks
from agencyclaw.workbench.control_bodies import BadCall
from agencyclaw.workbench.control_faults import FaultDesk
from agencyclaw.workbench.control_stream import add_stream_route
from agencyclaw.workbench.faults import Faults
from agencyclaw.workbench.seed import seed
from agencyclaw.workbench.slack_workspace import Workspace

_Act = Callable[[web.Request], Awaitable[dict[str, Any]]]

_POSTS: dict[str, _Act] = {
    "message": control_acts.post_message,
    "interact": control_acts.interact,
    "submit-view": control_acts.submit,
    "close-view": control_acts.close,
    "command": control_acts.command,
    "open-home": control_acts.open_home,
    "notice": control_acts.notice,
}
_GETS: dict[str, _Act] = {
    "messages/{channel}": control_looks.messages,
    "ephemerals/{user}": control_looks.ephemerals,
    "views/{user}": control_looks.views,
    "home/{user}": control_looks.home,
    "statuses": control_looks.statuses,
    "state": control_looks.state,
    "log": control_looks.log,
}


def add_control_routes(app: web.Application, workspace: Workspace, faults: Faults) -> None:
    desk = FaultDesk(faults, workspace.hub)

    async def reset(_request: web.Request) -> dict[str, Any]:
        faults.clear()
        workspace.hub.forget()
        with workspace.storage.transaction():
            workspace.storage.wipe()
            seed(workspace.storage, workspace.clock)
        workspace.events.publish("reset")
        return {"ok": True}

    for path, act in {**_POSTS, "reset": reset, "faults": desk.plan}.items():
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
        if _is_foreign(request):
            return web.json_response({"ok": False, "error": "foreign origin"}, status=403)
        try:
            return web.json_response(await act(request))
        except BadCall as problem:
            return web.json_response({"ok": False, "error": str(problem)}, status=400)

    return serve


def _is_foreign(request: web.Request) -> bool:
    """Whether another site's page is calling through the browser of whoever runs this."""
    origin = request.headers.get("Origin")
    return origin is not None and urlsplit(origin).netloc != request.host
