import asyncio

import aiohttp
import pytest
from slack_app import INES, INES_DM, OPS, refusal, said
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry.builtin_async_handlers import AsyncRateLimitErrorRetryHandler
from slack_sdk.web.async_client import AsyncWebClient

from workbench.clock import MachineClock
from workbench.fixture import Bench
from workbench.slack.methods import METHODS
from workbench.slack.rate import SlackRate


async def test_a_limited_call_says_when_to_come_again(bench: Bench, client: AsyncWebClient) -> None:
    await bench.set_fault("slack", "rate_limited", method="chat.postMessage", delay_s=7)
    with pytest.raises(SlackApiError) as limited:
        await client.chat_postMessage(channel=OPS, text="x")
    response = limited.value.response
    assert (response.status_code, response["error"]) == (429, "ratelimited")
    assert response.headers["Retry-After"] == "7"
    assert await bench.messages(OPS) == []
    await client.chat_postMessage(channel=OPS, text="again")
    assert said(await bench.messages(OPS)) == ["again"]


async def test_a_client_that_waits_gets_through(bench: Bench, client: AsyncWebClient) -> None:
    client.retry_handlers.append(AsyncRateLimitErrorRetryHandler(max_retry_count=1))
    await bench.set_fault("slack", "rate_limited", delay_s=1)
    await client.chat_postMessage(channel=OPS, text="x")
    assert said(await bench.messages(OPS)) == ["x"]


@pytest.mark.parametrize(("kind", "kept"), [("error_before", []), ("error_after", ["x"])])
async def test_an_error_comes_before_or_after_the_work(
    bench: Bench, client: AsyncWebClient, kind: str, kept: list[str]
) -> None:
    await bench.set_fault("slack", kind)
    assert await refusal(client.chat_postMessage(channel=OPS, text="x")) == "internal_error"
    assert said(await bench.messages(OPS)) == kept
    (entry,) = await bench.log(method="chat.postMessage")
    assert entry["fault"] == kind


@pytest.mark.parametrize(("kind", "kept"), [("reset_before", []), ("reset_after", ["x"])])
async def test_a_connection_is_reset_before_or_after_the_work(
    bench: Bench, client: AsyncWebClient, kind: str, kept: list[str]
) -> None:
    client.retry_handlers.clear()
    await bench.set_fault("slack", kind)
    with pytest.raises(aiohttp.ClientConnectionError):
        await client.chat_postMessage(channel=OPS, text="x")
    assert said(await bench.messages(OPS)) == kept


async def test_a_call_hangs_after_its_work(bench: Bench, client: AsyncWebClient) -> None:
    await bench.set_fault("slack", "hang_after", delay_s=0.2)
    call = asyncio.ensure_future(client.chat_postMessage(channel=OPS, text="x"))
    await bench.until(lambda: bench.messages(OPS))
    assert not call.done()
    assert (await call)["ok"]


async def test_a_call_that_takes_long_to_arrive_does_its_work_though_nobody_waits(
    bench: Bench, client: AsyncWebClient
) -> None:
    client.retry_handlers.clear()
    await bench.set_fault("slack", "hang_before", delay_s=0.3)
    call = asyncio.ensure_future(client.chat_postMessage(channel=OPS, text="x"))

    async def is_under_way() -> bool:
        return (await bench.control("GET", "faults"))["faults"] == []

    await bench.until(is_under_way)
    assert await bench.messages(OPS) == []
    call.cancel()
    await bench.until(lambda: bench.messages(OPS))


async def test_a_gateway_answers_with_a_page(bench: Bench, client: AsyncWebClient) -> None:
    await bench.set_fault("slack", "html")
    with pytest.raises(SlackApiError) as broken:
        await client.chat_postMessage(channel=OPS, text="x")
    assert broken.value.response.status_code == 502


async def test_a_token_stops_working_for_as_long_as_planned(
    bench: Bench, client: AsyncWebClient
) -> None:
    await bench.set_fault("slack", "unauthorized", method="chat.*", times=2)
    for _ in range(2):
        assert await refusal(client.chat_postMessage(channel=OPS, text="x")) == "invalid_auth"
    assert (await client.auth_test())["ok"]
    assert (await client.chat_postMessage(channel=OPS, text="x"))["ok"]


async def test_a_fault_strikes_only_its_method(bench: Bench, client: AsyncWebClient) -> None:
    await bench.set_fault("slack", "error_before", method="views.open")
    await client.chat_postMessage(channel=INES_DM, text="x")
    await bench.clear_faults()
    assert (await bench.control("GET", "faults")) == {"faults": []}


@pytest.mark.parametrize(
    "fault",
    [
        {"target": "slack", "kind": "duplicate"},
        {"target": "socket", "kind": "html"},
        {"target": "moon", "kind": "html"},
        {"target": "slack", "kind": "html", "times": 0},
        {"target": "slack", "kind": "html", "times": "2"},
        {"target": "slack", "kind": "html", "delay_s": -1},
        {"target": "slack"},
    ],
)
async def test_a_fault_that_makes_no_sense_is_not_planned(bench: Bench, fault: dict) -> None:
    async with bench.http.post(f"{bench.url}/_control/faults", json=fault) as answer:
        assert answer.status == 400
        assert (await answer.json())["error"]


async def test_a_fault_waits_for_its_person(bench: Bench) -> None:
    await bench.set_fault("socket", "duplicate", method="app_mention")
    await bench.post_message(INES_DM, INES, "no mention")
    assert (await bench.control("GET", "faults"))["faults"]


async def test_every_method_has_as_many_calls_a_minute_as_its_tier_says(
    bench: Bench, client: AsyncWebClient
) -> None:
    await client.users_info(user=INES)
    await bench.limit_slack()
    for _ in range(100):
        await client.users_info(user=INES)
    with pytest.raises(SlackApiError) as limited:
        await client.users_info(user=INES)
    assert limited.value.response.status_code == 429
    assert 1 <= int(limited.value.response.headers["Retry-After"]) <= 60
    assert (await client.auth_test())["ok"]
    await bench.limit_slack(is_on=False)
    await client.users_info(user=INES)


def test_every_method_that_slack_limits_has_a_limit() -> None:
    slack = SlackRate(MachineClock())
    slack.switch(is_on=True)

    unlimited = {
        method
        for method in METHODS
        if all(slack.refuse(method, f"C{call}") is None for call in range(1000))
    }
    assert unlimited == set()


async def test_a_channel_takes_short_bursts_of_messages_and_no_longer_ones(
    bench: Bench, client: AsyncWebClient
) -> None:
    await bench.limit_slack()
    for _ in range(15):
        await client.chat_postMessage(channel=OPS, text="x")
    assert await refusal(client.chat_postMessage(channel=OPS, text="y")) == "ratelimited"
    await client.chat_postMessage(channel=INES_DM, text="z")
    assert said(await bench.messages(OPS)) == ["x"] * 15


async def test_a_file_is_taken_and_shown_to_nobody(bench: Bench, client: AsyncWebClient) -> None:
    await bench.set_fault("slack", "unshared", method="files.completeUploadExternal")
    answer = await client.files_upload_v2(content="a,b", filename="list.csv", channel=OPS)
    assert answer["ok"]
    assert await bench.messages(OPS) == []
    await client.files_upload_v2(content="a,b", filename="list.csv", channel=OPS)
    [shown] = await bench.messages(OPS)
    assert shown["files"][0]["name"] == "list.csv"
