"""The HTTP client for ClickUp, one per process and token: paces, retries, maps errors."""

from __future__ import annotations

import asyncio
import re
import ssl
from collections.abc import Callable
from functools import cache
from typing import Any

import httpx
import logfire

from agencyclaw.clickup.caching import ReadCache
from agencyclaw.clickup.calls import ApiCall, Query, Version
from agencyclaw.clickup.limiter import Clock, Limiter, SharedBudget
from agencyclaw.clickup.outcomes import (
    Outcome,
    OutcomeUnknown,
    Rejected,
    Shape,
    Success,
    Throttle,
    final_error,
    invalid_token,
    read_answer,
    read_failure,
    wrong_address,
)
from agencyclaw.domain.addresses import clickup_hosts
from agencyclaw.domain.errors import Misconfigured, Throttled
from agencyclaw.spans import traced

ATTEMPTS = 3
CONNECT_S = 5.0
READ_DEADLINE_S = 45.0
WRITE_DEADLINE_S = 90.0
_HEADERS = {"Accept": "application/json", "User-Agent": "AgencyClaw"}
_BACKOFFS_S = (1.0, 2.0)
_TOKEN = re.compile(r"(Bearer )?[!-~]+")
_LOOPBACK = {"localhost", "127.0.0.1", "::1"}


@cache
def _trusted_certificates() -> ssl.SSLContext:
    """Load the trusted certificates once, because reading them is slow."""
    return httpx.create_ssl_context()


_REQUESTS = logfire.metric_counter(
    "agencyclaw.clickup.requests", description="Requests to ClickUp, by what came back"
)


class ClickUpClient:
    """Sends requests with a token and validates the answers."""

    def __init__(
        self,
        token: str,
        base_url: str,
        *,
        rate_per_minute: int = 90,
        transport: httpx.AsyncBaseTransport | None = None,
        timeout_s: float = 20.0,
        clock: Clock | None = None,
        budget: Callable[[str, int], SharedBudget] | None = None,
        cache: Callable[[str], ReadCache] | None = None,
    ) -> None:
        self.clock = clock or Clock()
        self.hosts = clickup_hosts(base_url)
        self.cache = cache(token) if cache else None
        shared = budget(token, rate_per_minute) if budget else None
        self._limiter = Limiter(rate_per_minute, clock=self.clock, budget=shared)
        self._answer_s = timeout_s * 1.5
        self._trouble = _settings_trouble(token, base_url)
        base = httpx.URL("" if self._trouble else base_url)
        self._root = str(base).rstrip("/").removesuffix("/v2")
        self._http = httpx.AsyncClient(
            base_url=base,
            headers={"Authorization": "" if self._trouble else authorization(token)} | _HEADERS,
            timeout=httpx.Timeout(timeout_s, connect=min(CONNECT_S, timeout_s)),
            # A redirect would carry the token to wherever it points.
            follow_redirects=False,
            # Proxies of the environment are not for a ClickUp on this machine.
            trust_env=base.host not in _LOOPBACK,
            transport=transport,
            verify=_trusted_certificates(),
        )

    async def aclose(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def ask(
        self,
        call: ApiCall,
        shape: type[Shape],
        *,
        attempts: int = ATTEMPTS,
        deadline_s: float | None = None,
    ) -> Shape:
        """Send a request until it has a usable answer, at most `attempts` times.

        A POST is repeated only if it was certainly not applied: after a 429, or without a
        connection. No attempt begins after the deadline. Raises Refused (NotFound), Misconfigured,
        Throttled or Unavailable; for a write of unknown outcome Unclear, and nothing else.
        """
        if self._trouble:
            raise Misconfigured(self._trouble)
        path = call.path()
        patience = WRITE_DEADLINE_S if call.is_write else READ_DEADLINE_S
        until = self.clock.steady() + (patience if deadline_s is None else deadline_s)
        history: list[Outcome[Any]] = []
        if call.is_write and self.cache:
            await self.cache.drop()
        while len(history) < attempts:
            outcome = await self._attempt(call, path, shape, len(history) + 1, until)
            if isinstance(outcome, Success):
                return outcome.value
            history.append(outcome)
            if len(history) == attempts or not await self._ready_again(call, history, until):
                break
        raise final_error(call, history)

    async def get(
        self,
        template: str,
        shape: type[Shape],
        *,
        query: Query | None = None,
        version: Version = "v2",
        **ids: str,
    ) -> Shape:
        """Read something; `ids` are those of the template. Raises like `ask`."""
        call = ApiCall("GET", template, ids=ids, query=query or {}, version=version)
        return await self.ask(call, shape)

    async def _ready_again(self, call: ApiCall, history: list[Outcome[Any]], until: float) -> bool:
        """Wait as long as the last outcome demands; False if there must be no further attempt."""
        last = history[-1]
        if isinstance(last, Rejected) or (isinstance(last, OutcomeUnknown) and not call.may_repeat):
            return False
        if isinstance(last, Throttle):
            return True
        pause = _BACKOFFS_S[min(len(history), len(_BACKOFFS_S)) - 1]
        if self.clock.steady() + pause > until:
            return False
        await self.clock.sleep(pause)
        return True

    async def _attempt(
        self, call: ApiCall, path: str, shape: type[Shape], number: int, until: float
    ) -> Outcome[Shape]:
        try:
            async with self._limiter.slot(is_write=call.is_write, until=until):
                outcome = await self._send(call, path, shape, number)
        except Throttled as error:
            return Rejected(error)
        if isinstance(outcome, Throttle):
            return Throttle(await self._limiter.pause(outcome.after))
        if isinstance(outcome, Success | Rejected):
            self._limiter.reset_pauses()
        return outcome

    async def _send(
        self, call: ApiCall, path: str, shape: type[Shape], number: int
    ) -> Outcome[Shape]:
        seen: dict[str, Any] = {
            "method": call.method,
            "path_template": call.template,
            "attempt": number,
            **call.ids,
        }
        with traced("clickup request", **seen) as span:
            try:
                async with asyncio.timeout(self._answer_s):
                    response = await self._http.request(
                        call.method,
                        path if call.version == "v2" else f"{self._root}/{call.version}{path}",
                        params=dict(call.query),
                        json=call.body,
                    )
            except (httpx.HTTPError, OSError) as error:
                span.set_attribute("failure", type(error).__name__)
                _REQUESTS.add(1, {"method": call.method, "status": type(error).__name__})
                return read_failure(error)
            span.set_attribute("status", response.status_code)
            _REQUESTS.add(1, {"method": call.method, "status": str(response.status_code)})
            return read_answer(call, response, shape, now=self.clock.wall())


def authorization(token: str) -> str:
    """Return the Authorization header: personal tokens go raw, OAuth tokens as Bearer."""
    return token if token.startswith(("pk_", "Bearer ")) else f"Bearer {token}"


def _settings_trouble(token: str, base_url: str) -> str | None:
    """Say what is wrong with the settings; raised by the first request, not at the start."""
    if not _TOKEN.fullmatch(token):
        why = "it has characters that no token has" if token else "it is empty"
        return str(invalid_token(why))
    try:
        url = httpx.URL(base_url)
    except httpx.InvalidURL:
        return str(wrong_address("it is malformed"))
    is_web = url.scheme in ("http", "https") and bool(url.host)
    return None if is_web else str(wrong_address("it is no web address"))
