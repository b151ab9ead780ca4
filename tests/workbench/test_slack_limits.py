from typing import Any

import pytest
from inline_snapshot import snapshot
from slack_app import OPS, actions, button, option, refusal, section, select
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from workbench.fixture import Bench


async def test_text_is_cut_at_forty_thousand_with_a_warning(
    bench: Bench, client: AsyncWebClient
) -> None:
    answer = await client.chat_postMessage(channel=OPS, text="x" * 40_001)
    assert answer["warning"] == "message_truncated"
    assert len((await bench.messages(OPS))[0]["text"]) == 40_000


PLAIN = {"type": "plain_text", "text": "Sure?"}


def asking(element: dict[str, Any]) -> dict[str, Any]:
    return {"type": "input", "label": PLAIN, "element": {"action_id": "a", **element}}


HEADER = {"type": "header", "text": {"type": "plain_text", "text": "x" * 151}}


@pytest.mark.parametrize(
    ("blocks", "error"),
    [
        ([section("x")] * 51, "invalid_blocks"),
        ([section("x" * 3001)], "invalid_blocks"),
        ([section("")], "invalid_blocks"),
        ([HEADER], "invalid_blocks"),
        ([actions(button("x" * 76))], "invalid_blocks"),
        ([actions(button(value="x" * 2001))], "invalid_blocks"),
        ([actions(button(style="loud"))], "invalid_blocks"),
        ([actions(*[button() for _ in range(26)])], "invalid_blocks"),
        ([actions()], "invalid_blocks"),
        ([actions(button(action_id="a"), button(action_id="a"))], "invalid_blocks"),
        ([actions(select())], "invalid_blocks"),
        ([actions(select(option("a"), initial_option=option("b")))], "invalid_blocks"),
        ([actions(select(option("a") | {"value": ""}))], "invalid_blocks"),
        ([actions(select(option_groups=[{"options": [option("a")]}]))], "invalid_blocks"),
        ([actions(button(confirm={"title": PLAIN, "text": PLAIN}))], "invalid_blocks"),
        ([actions({"type": "plain_text_input", "action_id": "a"})], "invalid_blocks"),
        ([asking({"type": "plain_text_input", "max_length": 3001})], "invalid_blocks"),
        ([asking({"type": "plain_text_input", "initial_value": "x" * 3001})], "invalid_blocks"),
        ([asking({"type": "datepicker", "initial_date": "tomorrow"})], "invalid_blocks"),
        ([asking(button())], "invalid_blocks"),
        ([actions(select(*[option("x" * 76)]))], "invalid_blocks"),
        ([actions(select(*[option(str(n)) for n in range(101)]))], "invalid_blocks"),
        ([section("x", block_id="b"), section("y", block_id="b")], "invalid_blocks"),
        ([section("x", accessory="a string")], "invalid_blocks"),
        ([{"type": "poem"}], "invalid_blocks"),
        (["a string"], "invalid_blocks"),
        ({"type": "section"}, "invalid_blocks_format"),
        ("no json", "invalid_blocks_format"),
        ([section("x" * 2700)] * 5, "msg_blocks_too_long"),
        ([{"type": "markdown", "text": "x" * 6001}] * 2, "msg_blocks_too_long"),
    ],
)
async def test_blocks_beyond_a_limit_are_refused(
    bench: Bench, client: AsyncWebClient, blocks: Any, error: str
) -> None:
    call = client.api_call("chat.postMessage", json={"channel": OPS, "text": "x", "blocks": blocks})
    assert await refusal(call) == error
    assert await bench.messages(OPS) == []


async def test_blocks_at_their_limits_are_taken(client: AsyncWebClient) -> None:
    await client.chat_postMessage(channel=OPS, text="x", blocks=[section("x")] * 50)
    await client.chat_postMessage(channel=OPS, text="x", blocks=[section("x" * 3000)] * 4)
    markdown = [{"type": "markdown", "text": "x" * 12_000}]
    await client.chat_postMessage(channel=OPS, text="x", blocks=markdown)
    buttons = [button("x" * 75, action_id=str(n), value="v" * 2000) for n in range(25)]
    await client.chat_postMessage(channel=OPS, text="x", blocks=[actions(*buttons)])


async def test_a_refusal_points_at_the_block(client: AsyncWebClient) -> None:
    blocks = [section("ok"), section("x" * 3001)]
    with pytest.raises(SlackApiError) as refused:
        await client.chat_postMessage(channel=OPS, text="x", blocks=blocks)
    assert refused.value.response["errors"] == snapshot(
        ["must be less than 3001 characters [json-pointer:/1/text/text]"]
    )


async def test_a_message_says_something(bench: Bench, client: AsyncWebClient) -> None:
    empty = {"channel": OPS, "text": " "}
    assert await refusal(client.api_call("chat.postMessage", json=empty)) == "no_text"
    both = client.chat_postMessage(channel=OPS, text="x", markdown_text="*y*")
    assert await refusal(both) == "markdown_text_conflict"
    await client.chat_postMessage(channel=OPS, markdown_text="**y**")
    (block,) = (await bench.messages(OPS))[0]["blocks"]
    assert (block["type"], block["text"]) == ("markdown", "**y**")
