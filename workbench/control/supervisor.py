"""What the page asks of the demo's supervisor, which fetches it; in memory alone: it has keys."""

from collections import deque
from typing import Any

from aiohttp import web

from workbench.control.bodies import BadCall, read_body

_KINDS = ("set_up", "own_agency", "tour", "model", "clock")
_FIELDS = ("model", "key", "ahead")
_WAITING_AT_MOST = 20
# They become a child's environment, which takes no NUL and no text of any length.
_LONGEST = 500


class SupervisorRequests:
    """The requests that the supervisor has not fetched yet, oldest first."""

    def __init__(self) -> None:
        self._waiting: deque[dict[str, str]] = deque(maxlen=_WAITING_AT_MOST)

    async def take(self, request: web.Request) -> dict[str, Any]:
        """Keep a request of the page."""
        body = await read_body(request)
        kind = body.required("kind")
        if kind not in _KINDS:
            raise BadCall(f"`kind` must be one of: {', '.join(_KINDS)}")
        fields = {name: body.text(name).strip() for name in _FIELDS}
        for name, value in fields.items():
            if not value.isprintable() or len(value) > _LONGEST:
                raise BadCall(f"`{name}` must be one line of at most {_LONGEST} characters")
        self._waiting.append({"kind": kind, **fields})
        return {"ok": True}

    async def fetch(self, _request: web.Request) -> dict[str, Any]:
        """Return what is waiting, and forget it."""
        waiting = list(self._waiting)
        self._waiting.clear()
        return {"requests": waiting}
