"""An OpenTelemetry collector: `POST /v1/traces` takes spans as OTLP over HTTP (protobuf)."""

from aiohttp import web
from google.protobuf.message import DecodeError

from workbench.events import EVENTS
from workbench.storage import Storage
from workbench.traces.runs import TracedRuns

_PROTOBUF = "application/x-protobuf"


def add_trace_routes(app: web.Application, storage: Storage) -> None:
    """Mount the collector, and the routes that read what it collected."""
    runs = TracedRuns(storage)

    async def receive(request: web.Request) -> web.Response:
        # Not at the top: protobuf would take half of the time of a start that needs no spans.
        from workbench.traces.spans import read_spans

        if request.content_type != _PROTOBUF:
            raise web.HTTPUnsupportedMediaType(text=f"send spans as {_PROTOBUF}")
        try:
            spans = read_spans(await request.read())
        except DecodeError as fault:
            raise web.HTTPBadRequest(text="this is no export of traces") from fault
        for run in sorted(runs.keep(spans)):
            request.app[EVENTS].publish("run", run=run)
        return web.Response(body=b"", content_type=_PROTOBUF)

    async def show_all(_: web.Request) -> web.Response:
        return web.json_response({"runs": runs.newest()})

    async def show_one(request: web.Request) -> web.Response:
        run = runs.find(request.match_info["run"])
        if run is None:
            return web.json_response({"ok": False, "error": "there is no such run"}, status=404)
        return web.json_response(run)

    app.router.add_post("/v1/traces", receive)
    app.router.add_get("/_control/runs", show_all)
    app.router.add_get("/_control/runs/{run}", show_one)
