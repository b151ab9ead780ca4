"""Slack over HTTP: signed requests instead of a socket, the same inbox, the same answers."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import pytest
from stage import Stage, buttons, eventually, stage_settings

from agencyclaw.app import assistant
from agencyclaw.domain.errors import Misconfigured
from agencyclaw.server.http import serving
from agencyclaw.slack.over_http import PATH
from agencyclaw.store.engine import Database
from workbench.fixture import Bench
from workbench.slack.http_delivery import SECRET, sign

MIG = "U01MIG"
ASK = "create a coupon task for Copperleaf: 20% off the garlic press B0CF7GARL1, starting Monday"
TITLE = "Garlic press coupon"


@dataclass
class Address:
    """Where the assistant takes Slack's requests."""

    stage: Stage
    url: str

    async def post(self, body: dict[str, Any], **headers: str) -> tuple[int, str]:
        """Send a request as anybody could; returns status and body."""
        kind = {"Content-Type": "application/json"}
        text = json.dumps(body)
        async with self.stage.bench.http.post(self.url, data=text, headers=kind | headers) as told:
            return told.status, await told.text()

    async def post_signed(
        self, body: dict[str, Any], *, at: float = 0.0, secret: str = SECRET
    ) -> tuple[int, str]:
        signed = sign(json.dumps(body), int(time.time() + at), secret)
        return await self.post(body, **signed)

    async def send(self, body: bytes, headers: dict[str, str]) -> int:
        """Send these bytes; returns the status."""
        kind = {"Content-Type": "application/json"}
        async with self.stage.bench.http.post(self.url, data=body, headers=kind | headers) as told:
            return told.status

    async def raw(self, request: bytes) -> int:
        """Send bytes that no client would; returns the status."""
        where = urlsplit(self.url)
        reader, writer = await asyncio.open_connection(where.hostname, where.port)
        try:
            writer.write(request)
            return int((await reader.readline()).split()[1])
        finally:
            writer.close()
            await writer.wait_closed()

    async def stored(self) -> int:
        return await self.stage.db.pool.fetchval("select count(*) from slack_event_receipts")


@asynccontextmanager
async def listening(bench: Bench, db: Database) -> AsyncGenerator[Address]:
    settings = stage_settings(bench, slack_signing_secret=SECRET, agencyclaw_http_port=1)
    async with assistant(settings, db, over_http=True) as running:
        assert running.endpoint
        routes = {("POST", PATH): running.endpoint.handle}
        async with serving("127.0.0.1", 0, routes, drain_s=1) as port:
            url = f"http://127.0.0.1:{port}{PATH}"
            await bench.deliver_to(url)
            yield Address(Stage(bench, db, settings, running.edge), url)
    await bench.deliver_to("")


@pytest.fixture
async def address(bench: Bench, agency: Database) -> AsyncGenerator[Address]:
    async with listening(bench, agency) as address:
        yield address


def an_event(text: str, ts: str = "1790000000.000100") -> dict[str, Any]:
    event = {"type": "message", "channel": "D01MIG", "channel_type": "im", "user": MIG}
    return {
        "type": "event_callback",
        "team_id": "T0LANTERN",
        "event": {**event, "text": text, "ts": ts, "event_ts": ts},
    }


async def test_a_message_a_press_a_form_and_a_command_come_over_http(address: Address) -> None:
    stage = address.stage
    root = await stage.say(MIG, ASK)
    card = await stage.card(MIG, root)

    assert (await stage.press(MIG, card, "Edit"))["ok"]
    view = await stage.bench.until(lambda: stage.bench.views(MIG))
    assert (await stage.bench.submit_view(MIG, view[0]["id"], {"title": TITLE}))["ok"]

    async def redrawn() -> dict[str, Any] | None:
        found = await stage.card(MIG, root)
        return found if TITLE in json.dumps(found) else None

    card = await stage.bench.until(redrawn)
    assert "Create task" in buttons(card)
    assert (await stage.press(MIG, card, "Create task"))["ok"]
    assert len(await stage.created(TITLE)) == 1
    told = await stage.bench.command("D01MIG", MIG, "/claw", "help")
    assert "I look things up and prepare work" in told["response"]["text"]
    told = await stage.bench.command("C01GLINTLY", MIG, "/claw", "where")
    assert "This channel belongs to Glintly Inc" in told["response"]["text"]
    assert len(await stage.bench.log(target="http", status=200)) >= 4


async def test_what_is_not_signed_by_slack_just_now_is_refused_and_not_stored(
    address: Address,
) -> None:
    event = an_event("hello")

    assert (await address.post(event))[0] == 401
    assert (await address.post_signed(event, secret="somebody else's"))[0] == 401
    assert (await address.post_signed(event, at=-301))[0] == 401
    assert (await address.post_signed(event, at=600))[0] == 401
    stolen = sign(json.dumps(an_event("something else")), int(time.time()))
    assert (await address.post(event, **stolen))[0] == 401
    assert await address.stored() == 0
    assert (await address.post_signed(event, at=-200))[0] == 200
    assert await address.stored() == 1


async def test_a_claim_to_be_slacks_check_of_certificates_opens_nothing(
    address: Address,
) -> None:
    assert (await address.post(an_event("hello") | {"ssl_check": "1"}))[0] == 401

    assert await address.stored() == 0


@pytest.mark.parametrize(
    "headers",
    [
        {"X-Slack-Request-Timestamp": "yesterday"},
        {"X-Slack-Request-Timestamp": "nan"},
        {"X-Slack-Request-Timestamp": "1e9"},
        {"X-Slack-Request-Timestamp": "-1"},
        {"X-Slack-Request-Timestamp": "9" * 400},
        {"X-Slack-Request-Timestamp": "9" * 5000},
        {"X-Slack-Request-Timestamp": "\u0661\u0662"},
        {"X-Slack-Signature": "v0=\u00e4\u00f6"},
        {"X-Slack-Signature": ""},
        {"X-Slack-Request-Timestamp": ""},
    ],
)
async def test_headers_that_slack_would_not_send_are_a_wrong_signature(
    address: Address, headers: dict[str, str]
) -> None:
    event = an_event("hello")
    signed = sign(json.dumps(event), int(time.time()))

    assert (await address.post(event, **(signed | headers)))[0] == 401
    assert await address.stored() == 0


async def test_header_bytes_beyond_text_are_refused(address: Address) -> None:
    for name in (b"X-Slack-Signature", b"X-Slack-Request-Timestamp", b"X-Other"):
        status = await address.raw(
            b"POST /slack/events HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n"
            b"X-Slack-Request-Timestamp: 1\r\nX-Slack-Signature: v0=1\r\n"
            + name
            + b": \xff\xfe\xc3\r\n\r\n{}"
        )
        assert status in (400, 401)


@pytest.mark.parametrize(
    "body", ["[" * 100_000, '{"a":' * 100_000, '{"n":' + "9" * 9000 + "}", "payload=5", "[]", "5"]
)
async def test_a_body_is_not_read_before_its_signature(address: Address, body: str) -> None:
    unsigned = await address.send(body.encode(), {})
    signed = await address.send(body.encode(), sign(body, int(time.time())))

    assert (unsigned, signed) == (401, 400)
    assert await address.stored() == 0


async def test_without_the_secret_it_does_not_start(bench: Bench, agency: Database) -> None:
    settings = stage_settings(bench, agencyclaw_http_port=1)

    with pytest.raises(Misconfigured, match="SLACK_SIGNING_SECRET"):
        async with assistant(settings, agency, over_http=True):
            pass


@pytest.mark.parametrize("body", [b"{", b"\xff\xfe", b"[1]", b""])
async def test_what_is_no_request_of_slacks_is_refused(address: Address, body: bytes) -> None:
    kind = {"Content-Type": "application/json"}
    async with address.stage.bench.http.post(address.url, data=body, headers=kind) as told:
        assert told.status in (400, 401)
    assert await address.stored() == 0


async def test_slack_is_told_that_the_address_is_ours(address: Address) -> None:
    asked = {"type": "url_verification", "challenge": "3eZbrw1aB1mxQ"}

    status, told = await address.post_signed(asked)

    assert (status, json.loads(told)) == (200, {"challenge": "3eZbrw1aB1mxQ"})


async def test_a_retry_of_what_was_never_recorded_is_handled_and_once(
    address: Address,
) -> None:
    event = an_event("hello", ts="1790000001.000100")
    body = json.dumps(event)
    retry = {"X-Slack-Retry-Num": "1", "X-Slack-Retry-Reason": "http_timeout"}

    for _ in range(2):
        signed = sign(body, int(time.time()))
        assert (await address.post(event, **signed, **retry))[0] == 200

    await address.stage.settled()
    rows = await address.stage.db.pool.fetch("select status from slack_event_receipts")
    assert [row["status"] for row in rows] == ["done"]


async def test_without_the_store_slack_is_told_and_sends_it_again(address: Address) -> None:
    stage = address.stage
    table = "alter table slack_event_receipts rename to"
    await stage.db.pool.execute(f"{table} receipts_away")
    root = await stage.say(MIG, "hello")

    async def refused() -> bool:
        return bool(await stage.bench.log(target="http", status=503))

    await eventually(refused)
    await stage.db.pool.execute("alter table receipts_away rename to slack_event_receipts")

    assert await stage.reply(MIG, root)
    assert await address.stored() == 1
