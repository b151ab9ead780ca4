"""The chat for developers: closed by default, for holders of its token, and it changes nothing."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from aiohttp import ClientSession
from stage import stage_settings

from agencyclaw.app import assistant
from agencyclaw.cli.serve import serving_http
from agencyclaw.domain.errors import (
    AgencyClawError,
    Broken,
    Misconfigured,
    Refused,
    Unavailable,
)
from agencyclaw.domain.messages import message
from agencyclaw.server.debug_chat import PATH, ChatRequest, DebugChat
from agencyclaw.server.http import serving
from agencyclaw.server.terminal import TerminalLine
from agencyclaw.store.engine import Database
from workbench.fixture import Bench

ASK = "create a coupon task for Copperleaf: 20% off the garlic press B0CF7GARL1, starting Monday"
TOKEN = "open sesame"


@dataclass
class Caller:
    """Somebody who knows the address."""

    bench: Bench
    port: int

    async def say(self, text: str, *, token: str = TOKEN, **more: Any) -> tuple[int, str]:
        return await self.send(json.dumps({"text": text, **more}), token=token)

    async def send(self, body: str, *, token: str = TOKEN) -> tuple[int, str]:
        url = f"http://127.0.0.1:{self.port}/debug/chat"
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        async with self.bench.http.post(url, data=body, headers=headers) as told:
            return told.status, await told.text()


Opens = Callable[..., AbstractAsyncContextManager[Caller]]


@pytest.fixture
def opens(bench: Bench, agency: Database, unused_tcp_port: int) -> Opens:
    """Start the assistant with its port and these settings."""

    @asynccontextmanager
    async def open_it(**settings: Any) -> AsyncGenerator[Caller]:
        port = {"agencyclaw_http_port": unused_tcp_port}
        whole = stage_settings(bench, **port, **settings)
        async with assistant(whole, agency) as running, serving_http(whole, agency, running):
            yield Caller(bench, unused_tcp_port)

    return open_it


async def test_without_a_token_there_is_no_such_chat(opens: Opens) -> None:
    async with opens() as caller:
        assert (await caller.say("hello"))[0] == 404
        assert (await caller.say("hello", token=""))[0] == 404


async def test_it_answers_who_has_the_token_and_refuses_what_is_no_message(
    opens: Opens,
) -> None:
    async with opens(agencyclaw_debug_token=TOKEN) as caller:
        status, told = await caller.say("hello", person="U01MIG")
        assert status == 200
        assert json.loads(told)["lines"][0]["kind"] == "answer"
        for wrong in ("", "open", f"{TOKEN}!"):
            assert (await caller.say("hello", token=wrong))[0] == 401
        for text in ("", "  \n", "x" * 2001):
            assert (await caller.say(text))[0] == 400
        for body in ("", "hello", "[]", '{"text": 7}', '{"words": "hello"}'):
            assert (await caller.send(body))[0] == 400
        assert (await caller.say("x" * 2000))[0] == 200
        for hidden in ({"person": "U01MIG\x00"}, {"thread": "de\x00b\u202eug"}):
            assert (await caller.say("hello", **{"person": "U01MIG", **hidden}))[0] == 200


async def test_it_changes_nothing_unless_that_is_configured(opens: Opens, agency: Database) -> None:
    waiting = "select count(*) from proposals where state = 'open'"
    async with opens(agencyclaw_debug_token=TOKEN) as caller:
        assert (await caller.say(ASK, person="U01MIG"))[0] == 200
        assert await agency.pool.fetchval(waiting) == 0
    async with opens(agencyclaw_debug_token=TOKEN, agencyclaw_debug_changes=True) as caller:
        await caller.say(ASK, person="U01MIG")
        assert await agency.pool.fetchval(waiting) == 1
    async with opens(agencyclaw_debug_token=TOKEN) as caller:
        await caller.say("yes, create it", person="U01MIG")
        assert await agency.pool.fetchval(waiting) == 1
        assert await caller.bench.log(target="clickup", operation="create_task") == []


async def test_reset_starts_afresh(opens: Opens, agency: Database) -> None:
    sessions = "select count(*) from playbook_sessions"
    async with opens(agencyclaw_debug_token=TOKEN) as caller:
        await caller.say("hello", person="U01MIG")
        await caller.say("hello", person="U01MIG")
        assert await agency.pool.fetchval(sessions) == 1
        status, told = await caller.say("hello", person="U01MIG", reset=True)

    assert await agency.pool.fetchval(sessions) == 2
    assert status == 200
    assert len(json.loads(told)["lines"]) == 1


async def test_an_answer_that_does_not_come_in_time_is_a_gateway_timeout(
    opens: Opens, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agencyclaw.server.terminal._TIMEOUT_S", 0.0)
    async with opens(agencyclaw_debug_token=TOKEN) as caller:
        status, told = await caller.say("hello", person="U01MIG")

    assert status == 504
    assert json.loads(told) == {"error": message("talk.no_answer_in_time")}


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (Refused("Not that.", reason="policy"), 400),
        (Misconfigured("Nobody of that name."), 400),
        (Unavailable("The database is away."), 503),
        (Broken("A state that must not occur."), 503),
    ],
    ids=lambda one: type(one).__name__ if isinstance(one, Exception) else str(one),
)
async def test_an_error_has_the_status_of_its_kind(
    error: AgencyClawError, status: int, unused_tcp_port: int
) -> None:
    async def talk(text: str, chat_request: ChatRequest) -> list[TerminalLine]:
        raise error

    routes = {("POST", PATH): DebugChat(TOKEN, talk).answer}
    async with (
        serving("127.0.0.1", unused_tcp_port, routes, drain_s=1.0) as port,
        ClientSession() as http,
        http.post(
            f"http://127.0.0.1:{port}{PATH}",
            json={"text": "hello"},
            headers={"Authorization": f"Bearer {TOKEN}"},
        ) as answer,
    ):
        assert answer.status == status
        assert await answer.json() == {"error": str(error)}
