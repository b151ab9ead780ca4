import json
from typing import Any

import pytest
from aiohttp import FormData
from inline_snapshot import snapshot
from slack_app import CLAW, INES, INES_DM, NOWHERE, OPS, refusal, said, web_client
from slack_sdk.web.async_client import AsyncWebClient

from workbench.clock import MovableClock
from workbench.fixture import Bench, running_workbench


async def test_the_app_learns_who_it_is(bench: Bench, client: AsyncWebClient) -> None:
    answer = await client.auth_test()
    assert isinstance(answer.data, dict)
    assert answer.data.pop("url") == f"{bench.url}/"
    assert answer.data == snapshot(
        {
            "ok": True,
            "team": "Lanternfish Commerce",
            "user": "agencyclaw",
            "team_id": "T0LANTERN",
            "user_id": "U01CLAW",
            "bot_id": "B01CLAW",
            "is_enterprise_install": False,
        }
    )
    assert "chat:write" in answer.headers["X-OAuth-Scopes"]
    assert (await client.bots_info(bot="B01CLAW"))["bot"]["user_id"] == CLAW
    assert (await client.team_info())["team"]["name"] == "Lanternfish Commerce"


@pytest.mark.parametrize(
    ("token", "error"),
    [
        ("", "not_authed"),
        ("xoxb-other", "invalid_auth"),
        ("xapp-workbench", "not_allowed_token_type"),
    ],
)
async def test_a_wrong_token_is_refused(bench: Bench, token: str, error: str) -> None:
    client = web_client(bench, token)
    assert await refusal(client.chat_postMessage(channel=OPS, text="hello")) == error


async def test_a_bot_token_opens_no_socket(client: AsyncWebClient) -> None:
    call = client.apps_connections_open(app_token="xoxb-workbench")
    assert await refusal(call) == "not_allowed_token_type"


async def test_a_method_that_is_not_built_says_so_and_is_marked_in_the_log(
    bench: Bench, client: AsyncWebClient
) -> None:
    assert await refusal(client.pins_list(channel=INES_DM)) == "unknown_method"
    assert await refusal(client.dnd_info()) == "unknown_method"
    assert [entry["method"] for entry in await bench.log(unknown=True)] == [
        "pins.list",
        "dnd.info",
    ]


@pytest.mark.parametrize("form", ["form", "json", "query", "multipart", "token in form"])
async def test_arguments_are_taken_in_every_form(bench: Bench, form: str) -> None:
    blocks = [{"type": "section", "text": {"type": "mrkdwn", "text": "hi"}}]
    flat = {"channel": OPS, "text": "hi", "blocks": json.dumps(blocks), "unfurl_links": "0"}
    headers = {"Authorization": "Bearer xoxb-workbench"}
    match form:
        case "json":
            sent = {"json": flat | {"blocks": blocks}, "headers": headers}
        case "query":
            sent = {"params": flat, "headers": headers}
        case "multipart":
            sent = {"data": FormData(flat, default_to_multipart=True), "headers": headers}
        case "token in form":
            sent = {"data": {**flat, "token": "xoxb-workbench"}}
        case _:
            sent = {"data": flat, "headers": headers}
    async with bench.http.post(f"{bench.slack_api_url}chat.postMessage", **sent) as answer:
        body = await answer.json()
    assert body["ok"], body
    (message,) = await bench.messages(OPS)
    assert (message["text"], message["blocks"][0]["text"]["text"]) == ("hi", "hi")


async def test_broken_json_is_refused(bench: Bench) -> None:
    headers = {"Authorization": "Bearer xoxb-workbench", "Content-Type": "application/json"}
    answers: list[str] = []
    for data in ("{", "[1]"):
        url = f"{bench.slack_api_url}chat.postMessage"
        async with bench.http.post(url, data=data, headers=headers) as answer:
            answers.append((await answer.json())["error"])
    assert answers == ["invalid_json", "json_not_object"]


async def test_times_are_unique_and_increase(client: AsyncWebClient) -> None:
    times = [(await client.chat_postMessage(channel=OPS, text="x"))["ts"] for _ in range(20)]
    assert times == sorted(set(times))


async def test_a_person_is_found_by_id_and_by_email(client: AsyncWebClient) -> None:
    user = (await client.users_lookupByEmail(email="Sara.Okafor@lanternfish.example"))["user"]
    assert user == (await client.users_info(user="U01SARAO"))["user"]
    assert (user["id"], user["real_name"], user["tz"]) == (
        "U01SARAO",
        "Sara Okafor",
        "Europe/Lisbon",
    )
    assert await refusal(client.users_lookupByEmail(email="x@y.example")) == "users_not_found"
    assert await refusal(client.users_info(user="U0NOBODY")) == "user_not_found"
    assert await refusal(client.users_info(user="")) == "invalid_arguments"


async def test_lists_come_in_pages(client: AsyncWebClient) -> None:
    names: list[str] = []
    async for page in await client.users_list(limit=4):
        names += [user["name"] for user in page["members"]]
    assert len(names) == len(set(names)) == 10
    assert await refusal(client.users_list(cursor="nonsense")) == "invalid_cursor"
    assert await refusal(client.users_list(limit=-1)) == "invalid_limit"


async def test_channels_are_listed_by_their_type(client: AsyncWebClient) -> None:
    public = (await client.conversations_list())["channels"]
    direct = (await client.conversations_list(types="im"))["channels"]
    assert [channel["name"] for channel in public] == [
        "ops",
        "client-brightkettle",
        "client-glintly",
        "random",
    ]
    assert all("members" not in channel for channel in public + direct)
    assert INES_DM in [channel["id"] for channel in direct]
    assert CLAW in (await client.conversations_members(channel=OPS))["members"]
    assert (await client.conversations_info(channel=OPS))["channel"]["name"] == "ops"
    assert await refusal(client.conversations_info(channel="C0NONE")) == "channel_not_found"


async def test_a_conversation_is_opened_with_one_person_or_several(
    bench: Bench, client: AsyncWebClient
) -> None:
    assert (await client.conversations_open(users=INES))["channel"]["id"] == INES_DM
    group = (await client.conversations_open(users=[INES, "U01MIG"]))["channel"]["id"]
    again = (await client.conversations_open(users="U01MIG,U01INES"))["channel"]["id"]
    assert group == again
    await client.chat_postMessage(channel=group, text="hello both")
    assert said(await bench.messages(group)) == ["hello both"]
    assert await refusal(client.conversations_open(users="U0NOBODY")) == "user_not_found"


async def test_a_post_may_name_a_channel_or_a_person(bench: Bench, client: AsyncWebClient) -> None:
    await client.chat_postMessage(channel="#ops", text="to a name")
    assert (await client.chat_postMessage(channel=INES, text="hi"))["channel"] == INES_DM
    assert said(await bench.messages(OPS)) == ["to a name"]
    assert said(await bench.messages(INES_DM)) == ["hi"]


async def test_a_thread_counts_its_replies_and_is_read_from_its_root(
    bench: Bench, client: AsyncWebClient
) -> None:
    root = await bench.post_message(OPS, INES, "root")
    for text in ("one", "two", "three"):
        await client.chat_postMessage(channel=OPS, thread_ts=root, text=text)
    await bench.post_message(OPS, INES, "beside")
    thread = (await client.conversations_replies(channel=OPS, ts=root))["messages"]
    assert said(thread) == ["root", "one", "two", "three"]
    assert (thread[0]["reply_count"], thread[0]["latest_reply"]) == (3, thread[3]["ts"])
    assert thread[0]["reply_users"] == [CLAW]
    assert thread[1]["parent_user_id"] == INES
    from_reply = await client.conversations_replies(channel=OPS, ts=thread[2]["ts"])
    assert from_reply["messages"] == thread
    history = (await client.conversations_history(channel=OPS))["messages"]
    assert said(history) == ["beside", "root"]


async def test_a_thread_is_read_in_pages_and_between_times(
    bench: Bench, client: AsyncWebClient
) -> None:
    root = await bench.post_message(OPS, INES, "root")
    times = [await bench.post_message(OPS, INES, str(n), root) for n in range(5)]
    pages = [
        said(page["messages"])
        async for page in await client.conversations_replies(channel=OPS, ts=root, limit=2)
    ]
    assert pages == [["root", "0", "1"], ["root", "2", "3"], ["root", "4"]]
    between = {"channel": OPS, "ts": root, "oldest": times[1], "latest": times[3]}
    inner = await client.conversations_replies(**between)
    outer = await client.conversations_replies(**between, inclusive=True)
    assert said(inner["messages"]) == ["root", "2"]
    assert said(outer["messages"]) == ["root", "1", "2", "3"]


async def test_a_reply_needs_the_root_of_a_thread(bench: Bench, client: AsyncWebClient) -> None:
    root = await bench.post_message(OPS, INES, "root")
    reply = (await client.chat_postMessage(channel=OPS, thread_ts=root, text="a"))["ts"]

    async def answering(ts: str) -> str:
        return await refusal(client.chat_postMessage(channel=OPS, thread_ts=ts, text="b"))

    assert await answering(NOWHERE) == "thread_not_found"
    assert await answering(reply) == "cannot_reply_to_message"
    assert await answering("0") == "invalid_thread_ts"
    lost = client.conversations_replies(channel=OPS, ts=NOWHERE)
    assert await refusal(lost) == "thread_not_found"


async def test_metadata_is_shown_only_to_those_who_ask(
    bench: Bench, client: AsyncWebClient
) -> None:
    metadata = {"event_type": "answer", "event_payload": {"run": "r1"}}
    posted = await client.chat_postMessage(channel=OPS, text="x", metadata=metadata)
    plain = await client.conversations_replies(channel=OPS, ts=posted["ts"])
    whole = await client.conversations_replies(
        channel=OPS, ts=posted["ts"], include_all_metadata=True
    )
    assert "metadata" not in plain["messages"][0]
    assert whole["messages"][0]["metadata"] == metadata
    assert (await bench.messages(OPS))[0]["metadata"] == metadata
    wrong = client.chat_postMessage(channel=OPS, text="x", metadata={"event_type": "answer"})
    assert await refusal(wrong) == "invalid_metadata_format"


async def test_an_update_keeps_what_it_leaves_out(bench: Bench, client: AsyncWebClient) -> None:
    block = {"type": "section", "block_id": "b", "text": {"type": "mrkdwn", "text": "card"}}
    ts = (await client.chat_postMessage(channel=OPS, text="one", blocks=[block]))["ts"]
    await client.chat_update(channel=OPS, ts=ts, text="two")
    (message,) = await bench.messages(OPS)
    assert (message["text"], message["blocks"]) == ("two", [block])
    assert message["edited"]["user"] == CLAW
    await client.chat_update(channel=OPS, ts=ts, text="three", blocks=[])
    assert "blocks" not in (await bench.messages(OPS))[0]


async def test_the_app_changes_only_what_it_said(bench: Bench, client: AsyncWebClient) -> None:
    ts = await bench.post_message(OPS, INES, "mine")

    async def updating(ts: str, text: str = "x") -> str:
        return await refusal(client.chat_update(channel=OPS, ts=ts, text=text))

    assert await updating(ts) == "cant_update_message"
    assert await updating(NOWHERE) == "message_not_found"
    assert await refusal(client.chat_delete(channel=OPS, ts=ts)) == "cant_delete_message"
    own = (await client.chat_postMessage(channel=OPS, text="x"))["ts"]
    assert await updating(own, "x" * 4001) == "msg_too_long"
    empty = {"channel": OPS, "ts": own, "text": ""}
    assert await refusal(client.api_call("chat.update", json=empty)) == "no_text"


async def test_a_deleted_root_leaves_a_stone_and_a_deleted_reply_is_uncounted(
    bench: Bench, client: AsyncWebClient
) -> None:
    root = (await client.chat_postMessage(channel=OPS, text="root"))["ts"]
    replies = [
        (await client.chat_postMessage(channel=OPS, thread_ts=root, text=text))["ts"]
        for text in ("one", "two")
    ]
    await client.chat_delete(channel=OPS, ts=replies[1])
    assert (await bench.messages(OPS))[0]["reply_count"] == 1
    await client.chat_delete(channel=OPS, ts=root)
    stone, reply = await bench.messages(OPS)
    assert (stone["subtype"], reply["text"]) == ("tombstone", "one")
    assert await refusal(client.chat_delete(channel=OPS, ts=root)) == "message_not_found"


async def test_a_private_note_reaches_one_person(bench: Bench, client: AsyncWebClient) -> None:
    await client.chat_postEphemeral(channel=OPS, user=INES, text="only you")
    assert said(await bench.ephemerals(INES)) == ["only you"]
    assert await bench.ephemerals("U01MIG") == []
    assert await bench.messages(OPS) == []
    outside = client.chat_postEphemeral(channel=INES_DM, user="U01MIG", text="x")
    assert await refusal(outside) == "user_not_in_channel"


@pytest.mark.parametrize("limit", ["oldest", "latest"])
async def test_a_time_that_is_none_is_refused_by_its_name(
    bench: Bench, client: AsyncWebClient, limit: str
) -> None:
    await bench.post_message(INES_DM, INES, "hello")
    call = client.conversations_history(channel=INES_DM, **{limit: "yesterday"})
    assert await refusal(call) == f"invalid_ts_{limit}"


async def test_a_permalink_leads_to_the_page(bench: Bench, client: AsyncWebClient) -> None:
    root = await bench.post_message(INES_DM, INES, "root")
    reply = (await client.chat_postMessage(channel=INES_DM, thread_ts=root, text="x"))["ts"]
    link = (await client.chat_getPermalink(channel=INES_DM, message_ts=reply))["permalink"]
    assert link.startswith(f"{bench.url}/archives/{INES_DM}/p{reply.replace('.', '')}?")
    async with bench.http.get(link, allow_redirects=False) as answer:
        assert answer.headers["Location"] == f"/#/{INES}/{INES_DM}/{root}"


async def test_a_reaction_is_added_once(bench: Bench, client: AsyncWebClient) -> None:
    ts = await bench.post_message(OPS, INES, "done")
    await client.reactions_add(channel=OPS, timestamp=ts, name="eyes")
    again = client.reactions_add(channel=OPS, timestamp=ts, name="eyes")
    assert await refusal(again) == "already_reacted"
    reactions = (await bench.messages(OPS))[0]["reactions"]
    assert reactions == [{"name": "eyes", "users": [CLAW], "count": 1}]


async def test_a_status_stands_until_the_app_speaks_or_two_minutes_pass() -> None:
    clock = MovableClock()
    async with running_workbench(clock=clock) as bench:
        client = web_client(bench)
        root = await bench.post_message(INES_DM, INES, "hello")
        place = {"channel_id": INES_DM, "thread_ts": root}
        await client.assistant_threads_setStatus(**place, status="Reading the SOP…")
        assert [one["status"] for one in await bench.statuses()] == ["Reading the SOP…"]
        clock.advance(121)
        assert await bench.statuses() == []
        await client.assistant_threads_setStatus(**place, status="Still reading…")
        await client.chat_postMessage(channel=INES_DM, thread_ts=root, text="done")
        assert await bench.statuses() == []
        nowhere = place | {"thread_ts": NOWHERE}
        call = client.assistant_threads_setStatus(**nowhere, status="x")
        assert await refusal(call) == "invalid_thread_ts"


@pytest.mark.parametrize("messages", [5, {"a": "Reading…"}, [{"a": "Reading…"}], ["…"] * 11])
async def test_a_status_rotates_through_a_list_of_texts_and_nothing_else(
    bench: Bench, client: AsyncWebClient, messages: Any
) -> None:
    root = await bench.post_message(INES_DM, INES, "hi")
    shown = {"channel_id": INES_DM, "thread_ts": root, "status": "Reading…"}
    call = client.api_call(
        "assistant.threads.setStatus", json={**shown, "loading_messages": messages}
    )
    assert await refusal(call) == "invalid_arguments"
    assert await bench.statuses() == []


@pytest.mark.parametrize(
    ("method", "name", "error"),
    [
        ("chat.postMessage", "attachments", "invalid_attachments"),
        ("chat.postMessage", "blocks", "invalid_blocks_format"),
        ("files.completeUploadExternal", "files", "invalid_arguments"),
    ],
)
async def test_what_slack_takes_as_a_list_is_one(
    client: AsyncWebClient, method: str, name: str, error: str
) -> None:
    call = client.api_call(method, json={"channel": OPS, "text": "hi", name: {"a": 1}})
    assert await refusal(call) == error


@pytest.mark.parametrize(
    ("place", "count", "error"),
    [
        ({"thread_ts": "1.000001"}, 1, "invalid_thread_ts"),
        ({}, 5, "invalid_arguments"),
        ({}, 0, "invalid_arguments"),
    ],
)
async def test_suggested_prompts_that_slack_would_not_show_are_refused(
    bench: Bench, client: AsyncWebClient, place: dict[str, str], count: int, error: str
) -> None:
    prompts = [{"title": "Overdue", "message": "What is overdue?"}] * count
    call = client.api_call(
        "assistant.threads.setSuggestedPrompts",
        json={"channel_id": INES_DM, **place, "prompts": prompts},
    )
    assert await refusal(call) == error
    assert await bench.prompts() == []


async def test_suggested_prompts_are_kept(bench: Bench, client: AsyncWebClient) -> None:
    root = await bench.post_message(INES_DM, INES, "hello")
    prompts = [{"title": "Overdue", "message": "What is overdue?"}]
    await client.assistant_threads_setSuggestedPrompts(
        channel_id=INES_DM, thread_ts=root, prompts=prompts
    )
    (kept,) = (await bench.control("GET", "statuses"))["prompts"]
    assert kept["prompts"] == prompts


async def test_an_archived_channel_takes_nothing_more(bench: Bench, client: AsyncWebClient) -> None:
    posted = await client.chat_postMessage(channel=OPS, text="x")
    place = {"channel": OPS, "ts": posted["ts"]}
    await bench.change_channel(OPS, "archive", tells=False)

    assert await refusal(client.chat_postMessage(channel=OPS, text="y")) == "is_archived"
    note = client.chat_postEphemeral(channel=OPS, user=INES, text="y")
    assert await refusal(note) == "is_archived"
    assert await refusal(client.chat_update(**place, text="y")) == "is_inactive"


async def test_a_private_conversation_of_others_does_not_exist_for_the_app(
    bench: Bench, client: AsyncWebClient
) -> None:
    group = await bench.add_group(INES, "U01TOMAS", with_app=False)
    assert await refusal(client.chat_postMessage(channel=group, text="x")) == "channel_not_found"
    await bench.change_channel(OPS, "leave", tells=False)
    assert await refusal(client.chat_postMessage(channel=OPS, text="x")) == "not_in_channel"
