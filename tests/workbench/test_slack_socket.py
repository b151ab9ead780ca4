import asyncio
import json
from pathlib import Path

import pytest
from aiohttp import ClientSession, WSServerHandshakeError
from slack_app import (
    CLAW,
    INES,
    INES_DM,
    OPS,
    Heard,
    connected,
    echo_app,
    said,
    web_client,
)
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from workbench.fixture import Bench, running_workbench


async def test_a_direct_message_is_answered_in_its_thread(bench: Bench) -> None:
    app = AsyncApp(client=web_client(bench))

    @app.event("message")
    async def answer(event, say) -> None:
        await say(text=f"heard: {event['text']}", thread_ts=event["ts"])

    async with connected(bench, app):
        ts = await bench.post_message(INES_DM, INES, "hello")
        await bench.until(lambda: _has_messages(bench, INES_DM, 2))
        question, reply = await bench.messages(INES_DM)
        # The app's own message comes back to it, as in Slack, and Bolt lets it go.
        await bench.until(lambda: _acks(bench, 2))
    assert (question["ts"], question["reply_count"]) == (ts, 1)
    assert question["latest_reply"] == reply["ts"]
    assert (reply["text"], reply["thread_ts"]) == ("heard: hello", ts)
    assert (reply["user"], reply["bot_id"], reply["app_id"]) == (CLAW, "B01CLAW", "A01CLAW")
    own = (await bench.log(kind="envelope"))[1]["payload"]["event"]
    assert (own["bot_id"], own["channel_type"], own["thread_ts"]) == ("B01CLAW", "im", ts)


async def _has_messages(bench: Bench, channel: str, number: int) -> bool:
    return len(await bench.messages(channel)) >= number


async def _acks(bench: Bench, number: int) -> bool:
    return len(await bench.log(kind="ack")) >= number


async def test_a_mention_arrives_twice_with_one_ts(bench: Bench) -> None:
    ts = await bench.post_message(OPS, INES, "<@U01CLAW> & friends: 3 < 4")
    async with connected(bench, _hears_all(bench)):
        await bench.until(lambda: _acks(bench, 2))
    events = [entry["payload"]["event"] for entry in await bench.log(kind="envelope")]
    assert [(event["type"], event["ts"]) for event in events] == [
        ("message", ts),
        ("app_mention", ts),
    ]
    assert {event["text"] for event in events} == {"<@U01CLAW> &amp; friends: 3 &lt; 4"}
    assert events[0]["channel_type"] == "channel"


def _hears_all(bench: Bench) -> AsyncApp:
    app = echo_app(bench, Heard())

    @app.event("app_mention")
    async def take(event) -> None: ...

    return app


async def test_an_event_that_is_not_acknowledged_comes_again(hasty: Bench) -> None:
    heard = Heard()
    app = echo_app(hasty, heard)
    failures = [RuntimeError("not stored")]

    @app.middleware
    async def store(next) -> None:
        if failures:
            raise failures.pop()
        await next()

    async with connected(hasty, app):
        await hasty.post_message(INES_DM, INES, "hello")
        await hasty.until(lambda: heard.events)
    assert (heard.texts(), heard.retries) == (["hello"], ["1"])
    first, second = await hasty.log(kind="envelope")
    assert first["payload"]["event_id"] == second["payload"]["event_id"]
    assert first["envelope_id"] != second["envelope_id"]
    assert (second["retry_attempt"], second["retry_reason"]) == (1, "timeout")


async def test_an_event_nobody_acknowledges_is_given_up_after_the_last_retry(
    hasty: Bench,
) -> None:
    app = AsyncApp(client=web_client(hasty))

    @app.middleware
    async def refuse(next) -> None:
        raise RuntimeError("never")

    async with connected(hasty, app):
        await hasty.post_message(INES_DM, INES, "hello")
        await hasty.until(lambda: hasty.log(kind="given_up"))
    attempts = [entry["retry_attempt"] for entry in await hasty.log(kind="envelope")]
    assert attempts == [0, 1, 2, 3]


async def test_events_wait_for_an_app_that_is_away(bench: Bench) -> None:
    heard = Heard()
    await bench.post_message(INES_DM, INES, "one")
    await bench.post_message(INES_DM, INES, "two")
    async with connected(bench, echo_app(bench, heard)):
        await bench.until(lambda: len(heard.events) == 2)
    assert heard.texts() == ["one", "two"]


async def test_what_waited_longer_than_an_ack_arrives_as_a_retry(hasty: Bench) -> None:
    heard = Heard()
    posted = asyncio.get_running_loop().time()
    await hasty.post_message(INES_DM, INES, "hello")
    await hasty.until(lambda: asyncio.get_running_loop().time() > posted + 0.4)
    async with connected(hasty, echo_app(hasty, heard)):
        await hasty.until(lambda: heard.events)
    assert heard.retries == ["1"]


async def test_a_restarted_workbench_still_has_what_was_not_delivered(tmp_path: Path) -> None:
    heard = Heard()
    path = str(tmp_path / "workbench.sqlite")
    async with running_workbench(path) as bench:
        ts = await bench.post_message(INES_DM, INES, "hello")
    async with running_workbench(path) as bench:
        assert [message["ts"] for message in await bench.messages(INES_DM)] == [ts]
        async with connected(bench, echo_app(bench, heard)):
            await bench.until(lambda: heard.events)
        later = await bench.post_message(INES_DM, INES, "again")
    assert heard.texts() == ["hello"]
    assert float(later) > float(ts)


async def test_a_duplicate_is_the_same_envelope_after_its_ack(bench: Bench) -> None:
    heard = Heard()
    await bench.set_fault("socket", "duplicate", method="message")
    async with connected(bench, echo_app(bench, heard)):
        await bench.post_message(INES_DM, INES, "hello")
        await bench.until(lambda: len(heard.events) == 2)
    envelopes = await bench.log(kind="envelope")
    assert len({entry["envelope_id"] for entry in envelopes}) == 1
    assert heard.retries == ["0", "0"]


async def test_a_reordered_event_comes_after_the_next_one(bench: Bench) -> None:
    heard = Heard()
    await bench.set_fault("socket", "reorder")
    async with connected(bench, echo_app(bench, heard)):
        await bench.post_message(INES_DM, INES, "first")
        await bench.post_message(INES_DM, INES, "second")
        await bench.until(lambda: len(heard.events) == 2)
    assert heard.texts() == ["second", "first"]


async def test_clearing_the_faults_lets_a_held_event_go(bench: Bench) -> None:
    heard = Heard()
    await bench.set_fault("socket", "reorder")
    async with connected(bench, echo_app(bench, heard)):
        await bench.post_message(INES_DM, INES, "only")
        await bench.until(lambda: _is_spent(bench))
        await bench.clear_faults()
        await bench.until(lambda: heard.events)


async def _is_spent(bench: Bench) -> bool:
    return not (await bench.control("GET", "faults"))["faults"]


async def test_a_dropped_ack_brings_the_event_again(hasty: Bench) -> None:
    heard = Heard()
    await hasty.set_fault("socket", "drop_ack")
    async with connected(hasty, echo_app(hasty, heard)):
        await hasty.post_message(INES_DM, INES, "hello")
        await hasty.until(lambda: len(heard.events) == 2)
    assert heard.retries == ["0", "1"]


@pytest.mark.parametrize("delay_s", [None, 0.05], ids=["asked to come again", "cut off"])
async def test_a_disconnected_app_comes_back_and_misses_nothing(
    hasty: Bench, delay_s: float | None
) -> None:
    heard = Heard()
    async with connected(hasty, echo_app(hasty, heard), ping_interval=0.2):
        await hasty.set_fault("socket", "disconnect", delay_s=delay_s)
        await hasty.post_message(INES_DM, INES, "one")
        await hasty.until(lambda: hasty.log(kind="disconnect"))
        await hasty.post_message(INES_DM, INES, "two")
        await hasty.until(lambda: len(heard.events) == 2)
        await hasty.until(lambda: _opened(hasty, 2))
    assert heard.texts() == ["one", "two"]


async def _opened(bench: Bench, number: int) -> bool:
    return len(await bench.log(method="apps.connections.open")) >= number


async def test_a_refresh_brings_the_app_back(bench: Bench) -> None:
    heard = Heard()
    async with connected(bench, echo_app(bench, heard)):
        await bench.disconnect()
        await bench.post_message(INES_DM, INES, "hello")
        await bench.until(lambda: heard.events)
    assert heard.texts() == ["hello"]


async def test_each_envelope_goes_to_one_of_the_connections(bench: Bench) -> None:
    heard = Heard()
    app = echo_app(bench, heard)
    async with connected(bench, app), connected(bench, app):
        for number in range(4):
            await bench.post_message(INES_DM, INES, str(number))
        await bench.until(lambda: len(heard.events) == 4)
    envelopes = await bench.log(kind="envelope")
    assert len(envelopes) == 4
    assert len({entry["connection"] for entry in envelopes}) == 2


async def test_the_eleventh_connection_is_sent_away(bench: Bench) -> None:
    client = web_client(bench, "xapp-workbench")
    async with ClientSession() as session:
        sockets = [await session.ws_connect(await _socket_url(client)) for _ in range(10)]
        hellos = [await socket.receive_json() for socket in sockets]
        assert [hello["num_connections"] for hello in hellos] == list(range(1, 11))
        socket = await session.ws_connect(await _socket_url(client))
        assert await socket.receive_json() == {
            "type": "disconnect",
            "reason": "too_many_websockets",
        }


async def _socket_url(client: AsyncWebClient) -> str:
    return (await client.apps_connections_open(app_token="xapp-workbench"))["url"]


async def test_a_ticket_opens_one_socket(bench: Bench) -> None:
    url = await _socket_url(web_client(bench, "xapp-workbench"))
    async with ClientSession() as session:
        socket = await session.ws_connect(url)
        await socket.send_str("no json")
        await socket.send_str(json.dumps(["no", "object"]))
        await socket.close()
        with pytest.raises(WSServerHandshakeError, match="403"):
            await session.ws_connect(url)


async def test_a_deleted_and_a_changed_message_are_told(
    bench: Bench, client: AsyncWebClient
) -> None:
    posted = await client.chat_postMessage(channel=OPS, text="one")
    await client.chat_update(channel=OPS, ts=posted["ts"], text="two")
    await client.chat_delete(channel=OPS, ts=posted["ts"])
    async with connected(bench, _hears_all(bench)):
        await bench.until(lambda: _sent(bench, 3))
    events = [entry["payload"]["event"] for entry in await bench.log(kind="envelope")]
    changed, deleted = events[1], events[2]
    assert (changed["subtype"], changed["message"]["text"]) == ("message_changed", "two")
    assert changed["previous_message"]["text"] == "one"
    assert (deleted["subtype"], deleted["deleted_ts"]) == ("message_deleted", posted["ts"])
    assert said(await bench.messages(OPS)) == []


async def _sent(bench: Bench, number: int) -> bool:
    return len(await bench.log(kind="envelope")) >= number
