"""The gateway of every ClickUp request: token, rate limit, planned faults, log."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from html import escape

from aiohttp import web

from workbench.clickup.board import Board
from workbench.clickup.bodies import parse_json
from workbench.clickup.call import ApiRequest, Handler
from workbench.clickup.rate import RateStatus, TokenRate
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
from workbench.requests import origin_of, reset_connection
from workbench.storage import Storage

API = "/clickup/api/v2"
API_V3 = "/clickup/api/v3"
TOKEN = "pk_workbench"  # noqa: S105  (the stand-in's own)

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
class _GatewayCall:
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
        rate: TokenRate,
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

    def route(self, operation: str, handler: Handler) -> _Serve:
        async def serve(request: web.Request) -> web.Response:
            call = await self._read(request, operation)
            return await self._send(call, self._logged(call, self._answer(call, handler)))

        return serve

    async def unknown_route(self, request: web.Request) -> web.Response:
        call = await self._read(request, "unknown_route")
        where = escape(f"Cannot {request.method} {request.path}")
        answer = _html(404, "Error", f"<pre>{where}</pre>", self._rate.status(_token(request)))
        return await self._send(call, self._logged(call, answer))

    async def _read(self, request: web.Request, operation: str) -> _GatewayCall:
        text = (await request.read()).decode("utf-8", "replace")
        fault = self._take_fault(request, operation, *_ANSWER_KINDS)
        lag = (
            self._take_fault(request, operation, "list_lag") if operation == "create_task" else None
        )
        return _GatewayCall(request, operation, text, fault, (lag.delay_s or 0.0) if lag else 0.0)

    def _take_fault(self, request: web.Request, operation: str, *kinds: Kind) -> Fault | None:
        """Return the fault planned for this operation, or for its method and path."""
        path = _path_of(request)
        return self._faults.take("clickup", operation, *kinds) or self._faults.take(
            "clickup", f"{request.method} {path}", *kinds
        )

    def _answer(self, call: _GatewayCall, handler: Handler) -> web.Response:
        token = _token(call.request)
        if call.struck_by("rate_limited"):
            return _refusal(RATE_LIMITED, self._rate.exhausted(call.delay_s))
        if call.struck_by("html", "reset_before"):
            return _html(
                502, "502 Bad Gateway", "<h1>502 Bad Gateway</h1>", self._rate.status(token)
            )
        if call.fault and call.fault.kind in _REFUSALS:
            return _refusal(_REFUSALS[call.fault.kind], self._rate.status(token))
        if token != TOKEN:
            return _refusal(TOKEN_INVALID if token else TOKEN_MISSING, self._rate.status(token))
        rate = self._rate.count(token)
        if not rate.allowed:
            return _refusal(RATE_LIMITED, rate)
        answer = self._run(call, handler, rate)
        return _refusal(BROKEN, rate) if call.struck_by("error_after") else answer

    def _run(self, call: _GatewayCall, handler: Handler, rate: RateStatus) -> web.Response:
        try:
            with self._storage.transaction():
                answer = handler(self._api_request(call))
        except RequestRefused as refused:
            return _refusal(refused.refusal, rate)
        if answer is None:
            return web.Response(status=204, headers=rate.headers)
        return web.json_response(answer, headers=rate.headers)

    def _api_request(self, call: _GatewayCall) -> ApiRequest:
        request = call.request
        sends = request.method in ("POST", "PUT") and call.text.strip() != ""
        return ApiRequest(
            board=self.board(),
            path=request.match_info,
            query=request.query,
            body=parse_json(call.text) if sends else {},
            origin=origin_of(request),
            lag_s=call.lag_s,
        )

    def _logged(self, call: _GatewayCall, answer: web.Response) -> web.Response:
        entry = {
            "target": "clickup",
            "kind": "request",
            "operation": call.operation,
            "method": call.request.method,
            "path": call.path,
            "query": _query(call.request),
            "body": _body(call.text),
            "status": answer.status,
            "fault": call.fault.kind if call.fault else None,
            "at": self._clock.now(),
        }
        self._storage.append_log(entry)
        return answer

    async def _send(self, call: _GatewayCall, answer: web.Response) -> web.Response:
        if call.struck_by("reset_before", "reset_after"):
            reset_connection(call.request)
        if call.struck_by("hang_after"):
            await self._hold(call.delay_s or _HANG_S)
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
