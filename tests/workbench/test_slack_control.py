import asyncio
import json
from typing import Any

import pytest
from inline_snapshot import snapshot
from slack_app import INES, INES_DM, OPS, said
from slack_sdk.web.async_client import AsyncWebClient

from workbench.fixture import Bench

TEXT = {"channel": INES_DM, "user": INES, "text": "hello"}


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("message", TEXT | {"channel": "C0NONE"}),
        ("message", TEXT | {"channel": "D01MIG"}),
        ("message", TEXT | {"user": "U0NOBODY"}),
        ("message", TEXT | {"user": "U01CLAW"}),
        ("message", TEXT | {"text": ""}),
        ("message", TEXT | {"text": 5}),
        ("message", TEXT | {"thread_ts": "1700000000.000100"}),
        ("message", []),
        ("interact", {"channel": OPS, "user": INES, "messageTs": "1", "action": 5}),
        ("interact", {"channel": OPS, "user": INES, "action": "x"}),
        ("interact", {"channel": OPS, "user": INES, "messageTs": "1", "action": "x", "state": 1}),
        ("submit-view", {"user": INES}),
        ("command", {"channel": OPS, "user": INES, "command": "claw"}),
        ("open-home", {"user": "U0NOBODY"}),
    ],
)
async def test_a_senseless_call_is_a_400_that_says_why(bench: Bench, path: str, body: Any) -> None:
    async with bench.http.post(f"{bench.url}/_control/{path}", json=body) as answer:
        assert answer.status == 400
        assert (await answer.json())["error"]
    assert await bench.log() == []


async def test_a_body_that_is_no_json_is_a_400(bench: Bench) -> None:
    async with bench.http.post(f"{bench.url}/_control/message", data=b"\xff{") as answer:
        assert (answer.status, (await answer.json())["error"]) == (400, "the body must be JSON")


async def test_a_path_that_is_not_there_is_a_404_in_json(bench: Bench) -> None:
    async with bench.http.delete(f"{bench.url}/_control/message") as answer:
        body = await answer.json()
    assert (answer.status, body["error"]) == (404, "there is no DELETE /_control/message")


async def test_what_is_not_there_is_said_and_not_an_error_of_the_call(bench: Bench) -> None:
    lost = await bench.interact(OPS, "1700000000.000100", INES, "x")
    assert lost == {"ok": False, "error": "no such message: 1700000000.000100"}
    assert (await bench.submit_view(INES, "V0"))["error"] == "no such view: V0"
    assert (await bench.close_view(INES, "V0"))["error"] == "no such view: V0"
    assert await bench.views(INES) == []
    assert await bench.home(INES) is None


async def test_another_sites_page_may_not_call(bench: Bench) -> None:
    url = f"{bench.url}/_control/message"
    for origin, status in (("http://evil.example", 403), ("null", 403), (bench.url, 200)):
        async with bench.http.post(url, json=TEXT, headers={"Origin": origin}) as answer:
            assert answer.status == status


async def test_the_state_names_everybody_and_every_place(bench: Bench) -> None:
    state = await bench.state()
    assert {user["id"]: user["real_name"] for user in state["users"]} == snapshot(
        {
            "U01INES": "Ines Varga",
            "U01TOMAS": "Tomas Reed",
            "U01SARAL": "Sara Lindqvist",
            "U01SARAO": "Sara Okafor",
            "U01MIG": "Miguel Duarte",
            "U01YUKI": "Yuki Tan",
            "U01PAUL": "Paul Brandt",
            "U01LEO": "Leo Ferri",
            "U01NOOR": "Noor Haddad",
            "U01CLAW": "AgencyClaw",
        }
    )
    direct = {one["id"]: one["user"] for one in state["channels"] if one["is_im"]}
    assert direct["D01NOOR"] == "U01NOOR"
    assert len(direct) == 9
    assert state["bot"]["user_id"] == "U01CLAW"
    assert state["connections"] == 0


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("3 < 4 & 5 > 2", "3 &lt; 4 &amp; 5 &gt; 2"),
        ("<@U01MIG> and <#C01OPS|ops> <!here>", "<@U01MIG> and <#C01OPS|ops> <!here>"),
        ("<http://evil.example|click>", "&lt;<http://evil.example>|click&gt;"),
        ("<https://x.example>", "&lt;<https://x.example>&gt;"),
        ("https://x.example/?a&", "<https://x.example/?a&amp;>"),
        ("see https://x.example/a?b=1&c=2.", "see <https://x.example/a?b=1&amp;c=2>."),
        ("a\x00b \ud800 🦑", "a\x00b \ud800 🦑"),
    ],
)
async def test_typed_text_is_stored_as_slack_does(bench: Bench, typed: str, stored: str) -> None:
    await bench.post_message(INES_DM, INES, typed)
    assert said(await bench.messages(INES_DM)) == [stored]


async def test_a_reset_brings_back_the_demo_agency(bench: Bench, client: AsyncWebClient) -> None:
    tasks = len(await bench.clickup_tasks())
    await bench.post_message(INES_DM, INES, "hello")
    await client.chat_postMessage(channel=OPS, text="x")
    await bench.set_fault("slack", "html")
    await bench.reset()
    assert await bench.messages(INES_DM) == await bench.messages(OPS) == await bench.log() == []
    assert len((await bench.state())["users"]) == 10
    assert len(await bench.clickup_tasks()) == tasks
    assert (await client.auth_test())["ok"]


async def test_every_change_is_streamed(bench: Bench, client: AsyncWebClient) -> None:
    kinds: list[str] = []
    async with bench.http.get(f"{bench.url}/_control/stream") as stream:
        assert stream.content_type == "text/event-stream"
        assert await stream.content.readline() == b": hello\n"
        ts = await bench.post_message(INES_DM, INES, "hello")
        await client.assistant_threads_setStatus(channel_id=INES_DM, thread_ts=ts, status="…")
        await client.chat_postEphemeral(channel=OPS, user=INES, text="x")
        await client.views_publish(user_id=INES, view={"type": "home", "blocks": []})
        await bench.reset()
        async with asyncio.timeout(300):
            while "reset" not in kinds:
                line = await stream.content.readline()
                if line.startswith(b"data: "):
                    kinds.append(json.loads(line[6:])["kind"])
    assert kinds == ["message", "status", "ephemeral", "home", "reset"]


async def test_the_log_is_read_on_from_where_it_was_left(
    bench: Bench, client: AsyncWebClient
) -> None:
    await client.auth_test()
    (first,) = await bench.log()
    await client.team_info()
    later = (await bench.control("GET", f"log?after={first['seq']}"))["log"]
    assert [entry["method"] for entry in later] == ["team.info"]
    assert "xoxb" not in json.dumps(await bench.log(method="auth.test")).replace(
        '"token": "xoxb"', ""
    )


async def test_somebody_becomes_a_guest_and_a_member_again(bench: Bench) -> None:
    async def seen() -> tuple[bool, bool, str]:
        user = (await bench.state())["users"]
        [mig] = [one for one in user if one["id"] == "U01MIG"]
        return mig["is_restricted"], mig["deleted"], mig["team_id"]

    await bench.change_membership("U01MIG", "guest")
    assert await seen() == (True, False, "T0LANTERN")
    await bench.change_membership("U01MIG", "outsider")
    assert await seen() == (False, False, "T0OTHER")
    await bench.change_membership("U01MIG", "member")
    assert await seen() == (False, False, "T0LANTERN")
    with pytest.raises(AssertionError, match="must be one of"):
        await bench.change_membership("U01MIG", "emperor")


async def test_a_channel_that_was_offered_and_is_shared_waits_for_nobody_any_more(
    bench: Bench, client: AsyncWebClient
) -> None:
    await bench.change_channel(OPS, "offer")
    await bench.change_channel(OPS, "share")

    channel = (await client.conversations_info(channel=OPS))["channel"]
    assert (channel["is_ext_shared"], channel["is_pending_ext_shared"]) == (True, False)
    assert channel["pending_shared"] == []


async def test_a_group_is_of_two_people_at_least(bench: Bench) -> None:
    with pytest.raises(AssertionError, match="two people at least"):
        await bench.add_group(INES, INES)
