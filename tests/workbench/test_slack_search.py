"""What the stand-in Slack shows the app of conversations and messages, and for whom."""

from typing import Any

import pytest
from inline_snapshot import snapshot
from slack_app import CLAW, INES, INES_DM, OPS, Heard, connected, echo_app, refusal
from slack_sdk.web.async_client import AsyncWebClient

from workbench.fixture import Bench
from workbench.slack.conversations import new_channel
from workbench.slack.records import BOT_USER
from workbench.slack.workspace import WORKSPACE

SEARCH = "assistant.search.context"
MIGUEL, YUKI = "U01MIG", "U01YUKI"
ASKED = "what was agreed?"
BANNER = "the banner budget is 4,321 dollars"


def make_private(bench: Bench, channel_id: str, *people: str) -> None:
    made = new_channel(channel_id, channel_id.lower(), [*people], 1)
    bench.app[WORKSPACE].records.save_channel(made | {"is_private": True})


async def token_of(bench: Bench, user: str = INES) -> str:
    """Write to the app as a person; returns the token that its event carries."""
    heard = Heard()
    async with connected(bench, echo_app(bench, heard)):
        await bench.post_message(f"D{user[1:]}", user, ASKED)
        await bench.until(lambda: ASKED in heard.texts())
    return heard.events[heard.texts().index(ASKED)]["assistant_thread"]["action_token"]


async def search(client: AsyncWebClient, token: str, **asked: Any) -> dict[str, Any]:
    sent = {"query": "banner budget", "action_token": token, **asked}
    answer = (await client.api_call(SEARCH, json=sent)).data
    assert isinstance(answer, dict)
    return answer


def found(answer: dict[str, Any]) -> list[str]:
    return [one["content"] for one in answer["results"]["messages"]]


async def test_a_search_gives_messages_as_slack_does(bench: Bench, client: AsyncWebClient) -> None:
    ts = await bench.post_message(OPS, MIGUEL, BANNER)

    answer = await search(client, await token_of(bench))

    [hit] = answer["results"]["messages"]
    assert hit.pop("message_ts") == ts
    assert hit.pop("permalink") == f"{bench.url}/archives/{OPS}/p{ts.replace('.', '')}"
    assert hit == snapshot(
        {
            "author_name": "Miguel Duarte",
            "author_user_id": "U01MIG",
            "team_id": "T0LANTERN",
            "channel_id": "C01OPS",
            "channel_name": "ops",
            "content": "the banner budget is 4,321 dollars",
            "is_author_bot": False,
        }
    )
    assert (answer["ok"], answer["response_metadata"]) == (True, {"next_cursor": ""})


async def test_only_a_message_to_the_app_brings_a_token_and_each_its_own(
    bench: Bench, client: AsyncWebClient
) -> None:
    heard = Heard()
    async with connected(bench, echo_app(bench, heard)):
        await bench.post_message(OPS, INES, "lunch at one?")
        await bench.post_message(OPS, INES, f"<@{CLAW}> what was agreed?")
        await bench.post_message(INES_DM, INES, "what was agreed?")
        await bench.until(lambda: len(heard.events) == 3)

    silent, *called = [one.get("assistant_thread", {}).get("action_token") for one in heard.events]
    assert silent is None
    assert all(called)
    assert len({*called}) == 2
    for token in called:
        assert (await search(client, token))["ok"]


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        ({"action_token": "made-up"}, "invalid_action_token"),
        ({"action_token": ""}, "invalid_arguments"),
        ({"query": ""}, "invalid_arguments"),
        ({"limit": 21}, "invalid_limit"),
        ({"cursor": "nonsense"}, "invalid_cursor"),
    ],
)
async def test_a_search_that_slack_would_refuse_is_refused(
    bench: Bench, client: AsyncWebClient, asked: dict[str, Any], error: str
) -> None:
    token = await token_of(bench)
    assert await refusal(search(client, token, **asked)) == error


async def test_without_its_scope_nothing_is_searched(bench: Bench, client: AsyncWebClient) -> None:
    token = await token_of(bench)
    await bench.change_install(lacks=["search:read.public"])
    assert await refusal(search(client, token)) == "missing_scope"


async def test_a_bots_search_finds_public_channels_alone(
    bench: Bench, client: AsyncWebClient
) -> None:
    make_private(bench, "C0SECRET", INES, MIGUEL, BOT_USER)
    group = await bench.add_group(INES, MIGUEL)
    for channel in ("C0SECRET", group):
        await bench.post_message(channel, MIGUEL, f"{BANNER}, in private")
    await bench.post_message("D01MIG", MIGUEL, f"{BANNER}, to the app")
    await bench.post_message(OPS, MIGUEL, BANNER)
    token = await token_of(bench)

    assert found(await search(client, token)) == [BANNER]
    kinds = ["private_channel", "im", "mpim"]
    assert found(await search(client, token, channel_types=kinds)) == []
    assert found(await search(client, token, content_types=["files"])) == []


async def test_the_closest_come_first_in_pages_within_a_stretch_of_time(
    bench: Bench, client: AsyncWebClient
) -> None:
    first = await bench.post_message(OPS, MIGUEL, "the banner is red")
    await bench.post_message(OPS, MIGUEL, "lunch at one?")
    second = await bench.post_message(OPS, YUKI, BANNER)
    last = await bench.post_message(OPS, YUKI, "which banner?")
    token = await token_of(bench)

    assert found(await search(client, token)) == [BANNER, "which banner?", "the banner is red"]
    within = {"after": first, "before": last}
    assert found(await search(client, token, **within)) == [BANNER, "the banner is red"]
    assert found(await search(client, token, after=second)) == [BANNER, "which banner?"]
    page = await search(client, token, limit=2)
    cursor = page["response_metadata"]["next_cursor"]
    assert len(found(page)) == 2
    assert found(await search(client, token, limit=2, cursor=cursor)) == ["the banner is red"]


async def test_what_apps_say_is_found_only_where_it_is_asked_for(
    bench: Bench, client: AsyncWebClient
) -> None:
    await client.chat_postMessage(channel=OPS, text=BANNER)
    token = await token_of(bench)

    assert found(await search(client, token)) == []
    [hit] = (await search(client, token, include_bots=True))["results"]["messages"]
    assert (hit["is_author_bot"], hit["author_user_id"]) == (True, CLAW)


async def test_a_deleted_message_is_found_no_more(bench: Bench, client: AsyncWebClient) -> None:
    ts = await bench.post_message(OPS, MIGUEL, BANNER)
    await bench.post_message(OPS, YUKI, "noted", ts)
    token = await token_of(bench)
    assert found(await search(client, token)) == [BANNER]
    workspace = bench.app[WORKSPACE]
    channel = workspace.find_channel(OPS)

    workspace.posts.remove(channel, workspace.find_message(channel, ts))

    assert found(await search(client, token, query="banner deleted")) == []


async def listed(client: AsyncWebClient, user: str | None, **asked: Any) -> list[str]:
    kinds = "public_channel,private_channel,mpim"
    answer = await client.users_conversations(user=user, types=kinds, **asked)
    channels: list[dict[str, Any]] = answer["channels"]
    assert all("members" not in one for one in channels)
    return [one["id"] for one in channels]


async def test_of_a_persons_conversations_the_app_is_told_public_ones_and_its_own(
    bench: Bench, client: AsyncWebClient
) -> None:
    make_private(bench, "C0OURS", INES, MIGUEL, BOT_USER)
    make_private(bench, "C0THEIRS", INES, MIGUEL)
    make_private(bench, "C0NOTINES", MIGUEL, BOT_USER)
    group = await bench.add_group(INES, MIGUEL)
    alone = await bench.add_group(INES, YUKI, with_app=False)

    of_ines = await listed(client, INES)
    ours = await listed(client, None)

    assert {OPS, "C0OURS", group} <= {*of_ines}
    assert not {"C0THEIRS", "C0NOTINES", alone, INES_DM} & {*of_ines}
    assert {"C0OURS", "C0NOTINES", group} <= {*ours}
    assert not {"C0THEIRS", alone} & {*ours}
    assert await refusal(client.users_conversations(user="U0NOBODY")) == "user_not_found"


async def test_conversations_are_listed_by_kind_in_pages_without_archived_ones(
    bench: Bench, client: AsyncWebClient
) -> None:
    await bench.change_channel("C01RANDOM", "archive")

    whole = await listed(client, INES)
    living = await listed(client, INES, exclude_archived=True)
    paged = [
        channel["id"]
        async for page in await client.users_conversations(user=INES, limit=2)
        for channel in page["channels"]
    ]

    assert "C01RANDOM" in whole
    assert living == [one for one in whole if one != "C01RANDOM"]
    assert paged == whole
    assert (await client.users_conversations(user=INES, types="im"))["channels"][0]["id"] == INES_DM
