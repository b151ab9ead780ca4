"""The gateway of every ClickUp request: token, rate limit, planned faults, log."""

import asyncio
import socket
import struct
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from html import escape

from aiohttp import web

from workbench.clickup.board import Board
from workbench.clickup.bodies import parse_json
from workbench.clickup.call import ApiRequest, Handler
from workbench.clickup.rate import RateStatus, RateWindow
from workbench.clickup.records import Json
from workbench.clickup.refusals import (
    BROKEN,
    RATE_LIMITED,
    TOKEN_INVALID,
    TOKEN_MISSING,
    RequestRefused,
    WireRefusal,
)
from workbench.clock import MachineClock
from workbench.events import Broadcaster
from workbench.faults import Fault, Faults, Kind
from workbench.storage import Storage

API = "/clickup/api/v2"
API_V3 = "/clickup/api/v3"
TOKEN = "pk_workbench"  # noqa: S105 - the stand-in's own, good for nothing else

_HANG_S = 60.0
_REFUSALS: dict[str, WireRefusal] = {"error_before": BROKEN, "unauthorized": TOKEN_INVALID}
_ANSWER_KINDS: tuple[Kind, ...] = (
    "rate_limited",
    "error_before",
    "error_after",
    "hang_after",
    "reset_before",
    "reset_after",
    "html",
    "unauthorized",
)
_Serve = Callable[[web.Request], Awaitable[web.Response]]


@dataclass(frozen=True)
class _Visit:
    """A request at the gateway, with the faults planned for it."""

    request: web.Request
    operation: str
    text: str
    fault: Fault | None
    lag_s: float

    @property
    def path(self) -> str:
        return _path_of(self.request)

    def struck_by(self, *kinds: Kind) -> bool:
        return self.fault is not None and self.fault.kind in kinds

    @property
    def delay_s(self) -> float:
        return (self.fault.delay_s or 0.0) if self.fault else 0.0


class ApiGateway:
    """Passes requests to their handlers and logs each one."""

    def __init__(
        self,
        storage: Storage,
        faults: Faults,
        clock: MachineClock,
        events: Broadcaster,
        rate: RateWindow,
    ) -> None:
        self._storage = storage
        self._faults = faults
        self._clock = clock
        self._events = events
        self._rate = rate
        self._closing = asyncio.Event()

    async def close(self, _app: web.Application) -> None:
        """Release hanging answers when the workbench stops."""
        self._closing.set()

    def board(self) -> Board:
        return Board(self._storage, self._clock, self._events)

    def opens_to(self, operation: str, handler: Handler) -> _Serve:
        async def serve(request: web.Request) -> web.Response:
            visit = await self._meet(request, operation)
            return await self._hand_over(visit, self._logged(visit, self._answer(visit, handler)))

        return serve

    async def unknown_route(self, request: web.Request) -> web.Response:
        visit = await self._meet(request, "unknown_route")
        where = escape(f"Cannot {request.method} {request.path}")
        answer = _html(404, "Error", f"<pre>{where}</pre>", self._rate.look(_token(request)))
        return await self._hand_over(visit, self._logged(visit, answer))

    async def _meet(self, request: web.Request, operation: str) -> _Visit:
        text = (await request.read()).decode("utf-8", "replace")
        fault = self._strike(request, operation, *_ANSWER_KINDS)
        lag = self._strike(request, operation, "list_lag") if operation == "create_task" else None
        return _Visit(request, operation, text, fault, (lag.delay_s or 0.0) if lag else 0.0)

    def _strike(self, request: web.Request, operation: str, *kinds: Kind) -> Fault | None:
        """A fault may name the operation or its method and path."""
        path = _path_of(request)
        return self._faults.take("clickup", operation, *kinds) or self._faults.take(
            "clickup", f"{request.method} {path}", *kinds
        )

    def _answer(self, visit: _Visit, handler: Handler) -> web.Response:
        token = _token(visit.request)
        if visit.struck_by("rate_limited"):
            return _refusal(RATE_LIMITED, self._rate.spent(visit.delay_s))
        if visit.struck_by("html", "reset_before"):
            return _html(502, "502 Bad Gateway", "<h1>502 Bad Gateway</h1>", self._rate.look(token))
        if visit.fault and visit.fault.kind in _REFUSALS:
            return _refusal(_REFUSALS[visit.fault.kind], self._rate.look(token))
        if token != TOKEN:
            return _refusal(TOKEN_INVALID if token else TOKEN_MISSING, self._rate.look(token))
        rate = self._rate.take(token)
        if not rate.allowed:
            return _refusal(RATE_LIMITED, rate)
        answer = self._run(visit, handler, rate)
        return _refusal(BROKEN, rate) if visit.struck_by("error_after") else answer

    def _run(self, visit: _Visit, handler: Handler, rate: RateStatus) -> web.Response:
        try:
            with self._storage.transaction():
                answer = handler(self._call(visit))
        except RequestRefused as refused:
            return _refusal(refused.refusal, rate)
        if answer is None:
            return web.Response(status=204, headers=rate.headers)
        return web.json_response(answer, headers=rate.headers)

    def _call(self, visit: _Visit) -> ApiRequest:
        request = visit.request
        sends = request.method in ("POST", "PUT") and visit.text.strip() != ""
        return ApiRequest(
            board=self.board(),
            path=request.match_info,
            query=request.query,
            body=parse_json(visit.text) if sends else {},
            origin=origin_of(request),
            lag_s=visit.lag_s,
        )

    def _logged(self, visit: _Visit, answer: web.Response) -> web.Response:
        entry = {
            "target": "clickup",
            "kind": "request",
            "operation": visit.operation,
            "method": visit.request.method,
            "path": visit.path,
            "query": _query(visit.request),
            "body": _body(visit.text),
            "status": answer.status,
            "fault": visit.fault.kind if visit.fault else None,
            "at": self._clock.now(),
        }
        self._storage.append_log(entry)
        return answer

    async def _hand_over(self, visit: _Visit, answer: web.Response) -> web.Response:
        if visit.struck_by("reset_before", "reset_after"):
            _reset(visit.request)
        if visit.struck_by("hang_after"):
            await self._hold(visit.delay_s or _HANG_S)
        return answer

    async def _hold(self, seconds: float) -> None:
        waits = {
            asyncio.ensure_future(self._clock.sleep(seconds)),
            asyncio.ensure_future(self._closing.wait()),
        }
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()


def _path_of(request: web.Request) -> str:
    return request.path.removeprefix(API).removeprefix(API_V3)


def origin_of(request: web.Request) -> str:
    return f"{request.scheme}://{request.host}"


def _token(request: web.Request) -> str:
    return request.headers.get("Authorization", "").removeprefix("Bearer ").strip()


def _query(request: web.Request) -> Json:
    query = request.query
    return {
        name: query.getall(name) if name.endswith("[]") else query[name]
        for name in dict.fromkeys(query)
    }


def _body(text: str) -> Json | str | None:
    if not text:
        return None
    try:
        return parse_json(text)
    except RequestRefused:
        return text


def _refusal(refusal: WireRefusal, rate: RateStatus) -> web.Response:
    body = {"err": refusal.err, "ECODE": refusal.ecode}
    return web.json_response(body, status=refusal.status, headers=rate.headers)


def _html(status: int, title: str, content: str, rate: RateStatus) -> web.Response:
    page = (
        '<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8">'
        f"<title>{title}</title></head>\n<body>{content}</body>\n</html>\n"
    )
    return web.Response(status=status, text=page, content_type="text/html", headers=rate.headers)


def _reset(request: web.Request) -> None:
    """Cut the connection so that the client sees a reset and no byte of an answer."""
    transport = request.transport
    if transport is None:
        return
    linger = struct.pack("ii", 1, 0)
    transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    transport.abort()
