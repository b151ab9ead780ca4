"""Streams, sessions, Stop and files, as Slack's own SDK speaks to them."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from inline_snapshot import snapshot
from slack_app import CLAW, INES, INES_DM, OPS, Heard, connected, refusal, web_client
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from workbench.clock import MovableClock
from workbench.fixture import Bench, running_workbench

TEAM = "T0LANTERN"
TO_INES = {"recipient_user_id": INES, "recipient_team_id": TEAM}


@pytest.fixture
async def clock() -> MovableClock:
    return MovableClock()


@pytest.fixture
async def bench(clock: MovableClock) -> AsyncIterator[Bench]:
    async with running_workbench(clock=clock) as bench:
        yield bench


async def begun(bench: Bench, client: AsyncWebClient, **more: Any) -> tuple[str, str]:
    """A question and the stream that answers it: their ts."""
    root = await bench.post_message(INES_DM, INES, "tell me a story")
    answer = await client.chat_startStream(channel=INES_DM, thread_ts=root, **more)
    return root, answer["ts"]


async def shown(bench: Bench, ts: str, channel: str = INES_DM) -> dict[str, Any]:
    return next(one for one in await bench.messages(channel) if one["ts"] == ts)


async def test_the_sdks_own_stream_grows_and_ends_as_one_message(
    bench: Bench, client: AsyncWebClient
) -> None:
    root = await bench.post_message(INES_DM, INES, "tell me a story")
    stream = await client.chat_stream(channel=INES_DM, thread_ts=root, buffer_size=5)
    await stream.append(markdown_text="Once upon ")
    await stream.append(markdown_text="a time.")
    assert len(await bench.streams()) == 1
    await stream.stop(
        blocks=[{"type": "context", "elements": [{"type": "mrkdwn", "text": "The end"}]}],
        metadata={"event_type": "told", "event_payload": {"id": "1"}},
    )
    assert await bench.streams() == []
    message = await shown(bench, str(stream.ts))
    assert (message["user"], message["thread_ts"], message["text"]) == (
        CLAW,
        root,
        "Once upon a time.",
    )
    assert [block["type"] for block in message["blocks"]] == ["markdown", "context"]
    assert message["metadata"]["event_payload"] == {"id": "1"}


async def test_tasks_of_a_stream_are_told_again_by_their_id(
    bench: Bench, client: AsyncWebClient
) -> None:
    task = {"type": "task_update", "id": "t1", "title": "Reading tasks", "status": "in_progress"}
    _, ts = await begun(bench, client, chunks=[task, {"type": "markdown_text", "text": "Two "}])
    done = {**task, "status": "complete", "details": "31 tasks"}
    await client.chat_appendStream(channel=INES_DM, ts=ts, chunks=[done])
    await client.chat_appendStream(channel=INES_DM, ts=ts, markdown_text="are late.")
    blocks = (await shown(bench, ts))["blocks"]
    assert blocks == snapshot(
        [
            {
                "type": "task_card",
                "task_id": "t1",
                "details": "31 tasks",
                "output": "",
                "title": "Reading tasks",
                "status": "complete",
            },
            {"type": "markdown", "text": "Two are late."},
        ]
    )


async def test_a_plan_holds_its_tasks(bench: Bench, client: AsyncWebClient) -> None:
    task = {"type": "task_update", "id": "t1", "title": "Reading tasks"}
    chunks = [{"type": "plan_update", "title": "Working"}, task]
    _, ts = await begun(bench, client, chunks=chunks, task_display_mode="plan")
    [plan] = (await shown(bench, ts))["blocks"]
    assert (plan["type"], plan["title"]) == ("plan", "Working")
    assert [(card["title"], card["status"]) for card in plan["tasks"]] == [
        ("Reading tasks", "pending")
    ]


async def test_a_stream_dies_after_five_minutes_and_can_then_be_updated(
    bench: Bench, client: AsyncWebClient, clock: MovableClock
) -> None:
    _, ts = await begun(bench, client, markdown_text="Once ")
    update = {"channel": INES_DM, "ts": ts, "text": "The whole story."}
    assert await refusal(client.chat_update(**update)) == "streaming_state_conflict"
    assert await refusal(client.chat_delete(channel=INES_DM, ts=ts)) == "cant_delete_message"
    clock.advance(299)
    await client.chat_appendStream(channel=INES_DM, ts=ts, markdown_text="upon ")
    clock.advance(2)
    for call in (client.chat_appendStream, client.chat_stopStream):
        dead = call(channel=INES_DM, ts=ts, markdown_text="a time")
        assert await refusal(dead) == "message_not_in_streaming_state"
    await client.chat_update(**update)
    assert (await shown(bench, ts))["text"] == "The whole story."


@pytest.mark.parametrize(
    ("more", "error"),
    [
        ({"markdown_text": "x" * 12_001}, "msg_too_long"),
        ({"chunks": [{"type": "task_update", "id": "1", "title": "x" * 257}]}, "invalid_chunks"),
        ({"chunks": [{"type": "task_update", "id": "1"}]}, "invalid_chunks"),
        ({"chunks": [{"type": "plan_update", "title": "x" * 257}]}, "invalid_chunks"),
        ({"chunks": [{"type": "song"}]}, "invalid_chunks"),
        ({"task_display_mode": "board"}, "invalid_arguments"),
    ],
)
async def test_what_slack_refuses_in_a_stream(
    bench: Bench, client: AsyncWebClient, more: dict[str, Any], error: str
) -> None:
    assert await refusal(begun(bench, client, **more)) == error


async def test_a_streams_words_stay_within_one_messages_budget(
    bench: Bench, client: AsyncWebClient
) -> None:
    _, ts = await begun(bench, client, markdown_text="x" * 12_000)
    more = client.chat_appendStream(channel=INES_DM, ts=ts, markdown_text="y")
    assert await refusal(more) == "msg_too_long"


async def test_in_a_channel_a_stream_needs_its_recipient(
    bench: Bench, client: AsyncWebClient
) -> None:
    root = await bench.post_message(OPS, INES, "<@U01CLAW> tell me a story")
    place = {"channel": OPS, "thread_ts": root}
    assert await refusal(client.chat_startStream(**place)) == "missing_recipient_user_id"
    no_team = client.chat_startStream(**place, recipient_user_id=INES)
    assert await refusal(no_team) == "missing_recipient_team_id"
    assert (await client.chat_startStream(**place, **TO_INES))["ok"]


async def test_a_planned_fault_lets_a_stream_die(bench: Bench, client: AsyncWebClient) -> None:
    _, ts = await begun(bench, client, markdown_text="Once ")
    await bench.set_fault("slack", "expired_stream", method="chat.appendStream")
    dead = client.chat_appendStream(channel=INES_DM, ts=ts, markdown_text="upon")
    assert await refusal(dead) == "message_not_in_streaming_state"


async def test_a_session_has_a_state_a_title_and_one_beginning(
    bench: Bench, client: AsyncWebClient
) -> None:
    root = await bench.post_message(INES_DM, INES, "what is due?")
    place = {"channel_id": INES_DM, "thread_ts": root}
    assert await refusal(client.agents_sessions_rename(**place, title="x")) == "session_not_found"
    begun = await client.agents_sessions_setStatus(
        **place, status="processing", title="What is due?", initiator_user_id=INES
    )
    assert (begun["status"], begun["title"]) == ("processing", "What is due?")
    later = await client.agents_sessions_setStatus(**place, status="suspended", title="Other")
    assert (later["status"], later["title"]) == ("suspended", "What is due?")
    await client.agents_sessions_rename(**place, title="Due this week")
    assert (await bench.sessions())[root]["title"] == "Due this week"
    for wrong in ({"status": "busy"}, {"status": "active", "title": "x" * 201}):
        call = client.agents_sessions_setStatus(**place, **wrong)
        assert await refusal(call) == "invalid_arguments"


async def test_stop_ends_the_streams_tells_the_app_and_leaves_the_session_to_it(
    bench: Bench, client: AsyncWebClient
) -> None:
    heard = Heard()
    app = AsyncApp(client=web_client(bench))

    @app.event("agent_session_stopped")
    async def hear(event: dict[str, Any]) -> None:
        heard.events.append(event)

    async with connected(bench, app):
        root, ts = await begun(bench, client, markdown_text="Once ")
        assert not (await bench.stop(INES_DM, INES, root))["ok"]
        place = {"channel_id": INES_DM, "thread_ts": root}
        await client.agents_sessions_setStatus(**place, status="processing")
        assert (await bench.stop(INES_DM, INES, root))["ok"]
        await bench.until(lambda: heard.events)
    [event] = heard.events
    assert (event["channel"], event["thread_ts"], event["user"]) == (INES_DM, root, INES)
    assert event["streaming_message_ts"] == [ts]
    late = client.chat_appendStream(channel=INES_DM, ts=ts, markdown_text="upon")
    assert await refusal(late) == "message_not_in_streaming_state"
    assert (await bench.sessions())[root]["status"] == "processing"


async def test_stopping_a_stream_can_move_the_session_too(
    bench: Bench, client: AsyncWebClient
) -> None:
    root, ts = await begun(bench, client, markdown_text="Once ")
    await client.chat_stopStream(channel=INES_DM, ts=ts, session_status="suspended")
    assert (await bench.sessions())[root]["status"] == "suspended"


async def test_the_answer_to_stopping_a_stream_shows_the_message_as_it_is_kept(
    bench: Bench, client: AsyncWebClient
) -> None:
    _, ts = await begun(bench, client, markdown_text="Once ")
    stopped = await client.chat_stopStream(channel=INES_DM, ts=ts, markdown_text="upon a time.")
    assert stopped["message"] == await shown(bench, ts)


async def test_a_file_of_a_person_comes_with_the_message(bench: Bench) -> None:
    ts = await bench.post_message(INES_DM, INES, "see the brief", files=("brief.pdf",))
    message = await shown(bench, ts)
    assert message["subtype"] == "file_share"
    assert [(file["name"], file["filetype"]) for file in message["files"]] == [("brief.pdf", "pdf")]


async def test_the_sdk_uploads_a_file_in_three_steps(bench: Bench, client: AsyncWebClient) -> None:
    root = await bench.post_message(INES_DM, INES, "send me the list")
    await client.files_upload_v2(
        channel=INES_DM, thread_ts=root, filename="list.csv", content="a,b\n", title="The list"
    )
    [message] = [one for one in await bench.messages(INES_DM) if one.get("files")]
    assert (message["user"], message["thread_ts"]) == (CLAW, root)
    [file] = message["files"]
    assert (file["title"], file["size"]) == ("The list", 4)
    assert (await client.files_info(file=file["id"]))["file"]["name"] == "list.csv"
