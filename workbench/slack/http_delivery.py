"""Delivers payloads to the app as signed HTTP requests instead of over a socket."""

import asyncio
import hashlib
import hmac
import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from urllib.parse import urlencode

from aiohttp import ClientError, ClientSession, ClientTimeout

from workbench.clock import MachineClock
from workbench.slack.records import new_id
from workbench.slack.texts import as_object

SECRET = "workbench-signing-secret"  # noqa: S105  (the stand-in has none to keep)
_FORM = "application/x-www-form-urlencoded"

Log = Callable[[dict[str, Any]], None]
Acknowledge = Callable[[str, dict[str, Any]], None]


class HttpConnection:
    """The app's HTTP endpoint; to the hub it is a connection like a socket."""

    def __init__(
        self, url: str, clock: MachineClock, acknowledge: Acknowledge, log: Log, patience_s: float
    ) -> None:
        self.id = new_id("http-")
        self._log = log
        self._url = url
        self._clock = clock
        self._acknowledge = acknowledge
        self._http = ClientSession(timeout=ClientTimeout(total=patience_s))
        self._under_way: set[asyncio.Task[None]] = set()

    async def send(self, frame: dict[str, Any]) -> bool:
        """Start a request; a 200 is the acknowledgement, anything else is none."""
        if "payload" in frame:
            task = asyncio.create_task(self._deliver(frame))
            self._under_way.add(task)
            task.add_done_callback(self._under_way.discard)
        return True

    async def close(self) -> None:
        self.cut()
        if self._under_way:
            await asyncio.wait(self._under_way)
        await self._http.close()

    def cut(self) -> None:
        """Drop every request in progress."""
        for task in self._under_way:
            task.cancel()

    async def _deliver(self, frame: dict[str, Any]) -> None:
        body, kind = _body(frame)
        headers = {"Content-Type": kind, **sign(body, int(self._clock.now())), **_retry(frame)}
        with suppress(TimeoutError, ClientError, OSError):
            async with self._http.post(self._url, data=body, headers=headers) as answer:
                text = await answer.text()
                self._log({"target": "http", "status": answer.status, "type": frame["type"]})
                if answer.status == 200:
                    self._acknowledge(frame["envelope_id"], _read(text))


def sign(body: str, now: int, secret: str = SECRET) -> dict[str, str]:
    """Return the headers that prove to the app that Slack sent this, and when."""
    digest = hmac.new(secret.encode(), f"v0:{now}:{body}".encode(), hashlib.sha256).hexdigest()
    return {"X-Slack-Request-Timestamp": str(now), "X-Slack-Signature": f"v0={digest}"}


def _retry(frame: dict[str, Any]) -> dict[str, str]:
    """Return the number of a repeated request; the reason that Slack adds is left out."""
    attempt = int(frame["retry_attempt"])
    return {"X-Slack-Retry-Num": str(attempt)} if attempt else {}


def _body(frame: dict[str, Any]) -> tuple[str, str]:
    """Return the body: JSON for events, forms for interactions and commands."""
    match frame["type"]:
        case "events_api":
            return json.dumps(frame["payload"]), "application/json"
        case "slash_commands":
            return urlencode(frame["payload"]), _FORM
        case _:
            return urlencode({"payload": json.dumps(frame["payload"])}), _FORM


def _read(text: str) -> dict[str, Any]:
    try:
        return as_object(json.loads(text))
    except ValueError:
        return {"text": text} if text else {}
