"""ClickUp's part of the control API, and the page of a task."""

from aiohttp import web

from workbench.clickup.bodies import parse_json
from workbench.clickup.gateway import ApiGateway
from workbench.clickup.page import missing_page, task_page
from workbench.clickup.rate import TokenRate
from workbench.clickup.refusals import RequestRefused
from workbench.clickup.shapes import task_shape
from workbench.requests import origin_of

_PAGE_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


class ClickUpView:
    """Reads the workspace directly: no token, no rate window, no faults."""

    def __init__(self, gateway: ApiGateway, rate: TokenRate) -> None:
        self._gateway = gateway
        self._rate = rate

    async def tasks(self, request: web.Request) -> web.Response:
        """Answer with every task, closed and lagging ones too, in the order of their creation.

        `list_id` and `name` leave out the others.
        """
        board, origin = self._gateway.board(), origin_of(request)
        list_id, name = request.query.get("list_id"), request.query.get("name")
        tasks = board.tasks([list_id] if list_id else None)
        tasks = [task for task in tasks if name in (None, task.name)]
        tasks.sort(key=lambda task: task.number)
        shapes = [task_shape(board, task, origin, markdown=True) for task in tasks]
        return web.json_response({"tasks": shapes})

    async def lists(self, _request: web.Request) -> web.Response:
        board = self._gateway.board()
        places = list(board.lists.values())
        spaces = [
            {
                "id": space["id"],
                "name": space["name"],
                "lists": [
                    {"id": place["id"], "name": place["name"], "statuses": place["statuses"]}
                    for place in places
                    if place["space_id"] == space["id"]
                ],
            }
            for space in board.spaces.values()
        ]
        return web.json_response({"spaces": spaces})

    async def set_rate(self, request: web.Request) -> web.Response:
        """Set the rate limit; pages of other sites in the same browser must not reach it."""
        if request.headers.get("Origin", origin_of(request)) != origin_of(request):
            return web.json_response({"ok": False, "error": "foreign origin"}, status=403)
        limit = _whole(await request.text(), "limit")
        if limit is None:
            problem = "`limit` must be a whole number"
            return web.json_response({"ok": False, "error": problem}, status=400)
        self._rate.limit = limit
        return web.json_response({"limit": limit})

    async def page(self, request: web.Request) -> web.Response:
        board = self._gateway.board()
        task = board.task(request.match_info["task"])
        status = 404 if task is None else 200
        html = missing_page() if task is None else task_page(board, task)
        return web.Response(
            status=status,
            text=html,
            content_type="text/html",
            headers=_PAGE_HEADERS,
        )


def _whole(text: str, name: str) -> int | None:
    try:
        value: object = parse_json(text).get(name)
    except RequestRefused:
        return None
    return value if type(value) is int and value >= 0 else None
