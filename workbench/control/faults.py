"""`/_control/faults`: plans and cancels faults."""

from typing import Any, cast

from aiohttp import web

from workbench.control.bodies import BadCall, Body, read_body
from workbench.faults import Fault, Faults, Kind, Target
from workbench.slack.rate import SlackRate
from workbench.slack.socket_hub import Hub


class FaultControl:
    """Plans, lists and cancels faults."""

    def __init__(self, faults: Faults, hub: Hub, rate: SlackRate) -> None:
        self._faults = faults
        self._hub = hub
        self._rate = rate

    async def plan(self, request: web.Request) -> dict[str, Any]:
        body = await read_body(request)
        fault = Fault(
            target=cast("Target", body.required("target")),
            kind=cast("Kind", body.required("kind")),
            method=body.text("method") or None,
            times=int(_read_number(body, "times", whole=True) or 1),
            delay_s=_read_number(body, "delay_s"),
        )
        try:
            self._faults.add(fault)
        except ValueError as problem:
            raise BadCall(str(problem)) from None
        return {"ok": True, "faults": self._faults.planned()}

    async def show(self, _request: web.Request) -> dict[str, Any]:
        return {"faults": self._faults.planned()}

    async def clear(self, _request: web.Request) -> dict[str, Any]:
        self._faults.clear()
        self._hub.release_held()
        return {"ok": True}

    async def limit(self, request: web.Request) -> dict[str, Any]:
        """Apply Slack's documented rate limits, or none."""
        is_on = (await read_body(request)).fields.get("is_on")
        if not isinstance(is_on, bool):
            raise BadCall("`is_on` must be true or false")
        self._rate.switch(is_on=is_on)
        return {"ok": True}


def _read_number(body: Body, name: str, *, whole: bool = False) -> float | None:
    value = body.fields.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int if whole else int | float):
        raise BadCall(f"`{name}` must be a {'whole ' if whole else ''}number")
    if whole and value < 1:
        raise BadCall(f"`{name}` must be at least 1")
    return float(value)
