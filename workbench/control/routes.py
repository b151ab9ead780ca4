"""Routes of the control API under `/_control`, for tests, tools and the page; not part of Slack."""

from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import web

from workbench.control import acts, lifecycle, views
from workbench.control.bodies import BadCall
from workbench.control.faults import FaultControl
from workbench.control.stream import add_stream_route
from workbench.control.supervisor import SupervisorRequests
from workbench.faults import Faults
from workbench.seed import seed
from workbench.slack.rate import SlackRate
from workbench.slack.workspace import Workspace

_Act = Callable[[web.Request], Awaitable[dict[str, Any]]]

_POSTS: dict[str, _Act] = {
    "message": acts.post_message,
    "edit-message": acts.edit_message,
    "delete-message": acts.delete_message,
    "interact": acts.interact,
    "shortcut": acts.shortcut,
    "submit-view": acts.submit,
    "close-view": acts.close,
    "command": acts.command,
    "open-home": acts.open_home,
    "membership": lifecycle.change_membership,
    "channel": lifecycle.change_channel,
    "group": lifecycle.add_group,
    "install": lifecycle.change_install,
    "stop": acts.stop,
    "notice": acts.notice,
    "request-url": acts.request_url,
}
_GETS: dict[str, _Act] = {
    "messages/{channel}": views.messages,
    "ephemerals/{user}": views.ephemerals,
    "views/{user}": views.views,
    "home/{user}": views.home,
    "statuses": views.statuses,
    "state": views.state,
    "log": views.log,
}


def add_control_routes(
    app: web.Application, workspace: Workspace, faults: Faults, rate: SlackRate
) -> None:
    faults_control = FaultControl(faults, workspace.hub, rate)
    supervisor = SupervisorRequests()

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
        "faults": faults_control.plan,
        "slack/rate": faults_control.limit,
        "supervisor": supervisor.take,
    }
    for path, act in {**_POSTS, **of_the_bench}.items():
        app.router.add_post(f"/_control/{path}", _as_json(act))
    reads = {**_GETS, "faults": faults_control.show, "supervisor": supervisor.fetch}
    for path, read in reads.items():
        app.router.add_get(f"/_control/{path}", _as_json(read))
    app.router.add_delete("/_control/faults", _as_json(faults_control.clear))
    add_stream_route(app)


def add_unknown_control_route(app: web.Application) -> None:
    """Answer unknown control calls in JSON; must be mounted last."""

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
