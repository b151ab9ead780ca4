from typing import Any

import pytest
from inline_snapshot import snapshot
from slack_app import (
    INES,
    OPS,
    Heard,
    actions,
    button,
    connected,
    echo_app,
    option,
    refusal,
    said,
    section,
    web_client,
)
from slack_clicks import CARD, NO_CLICK, clicked
from slack_sdk.web.async_client import AsyncWebClient

from workbench.clock import MovableClock
from workbench.fixture import Bench, running_workbench


async def test_a_click_arrives_as_slack_shapes_it(bench: Bench, client: AsyncWebClient) -> None:
    payloads: list[dict[str, Any]] = []
    metadata = {"event_type": "card", "event_payload": {}}
    ts = (await client.chat_postMessage(channel=OPS, text="card", blocks=CARD, metadata=metadata))[
        "ts"
    ]
    async with connected(bench, clicked(bench, payloads)):
        assert await bench.interact(OPS, ts, INES, "Create task") == {"ok": True}
    payload = next(one for one in payloads if one["type"] == "block_actions")
    (action,) = payload["actions"]
    message = payload.pop("message")
    assert float(action.pop("action_ts")) > float(ts)
    assert payload.pop("response_url").startswith(f"{bench.url}/response/R")
    assert payload.pop("trigger_id")
    assert payload.pop("container")["message_ts"] == ts
    assert (message["ts"], message["blocks"][1]) == (ts, CARD[1])
    assert "metadata" not in message
    assert payload == snapshot(
        {
            "type": "block_actions",
            "user": {
                "id": "U01INES",
                "username": "ines.varga",
                "name": "ines.varga",
                "team_id": "T0LANTERN",
            },
            "api_app_id": "A01CLAW",
            "token": "workbench",
            "team": {"id": "T0LANTERN", "domain": "lanternfish"},
            "enterprise": None,
            "is_enterprise_install": False,
            "state": {"values": {}},
            "actions": [
                {
                    "action_id": "create",
                    "block_id": "proposal",
                    "text": {"type": "plain_text", "text": "Create task"},
                    "value": "p1:1",
                    "style": "primary",
                    "type": "button",
                }
            ],
            "channel": {"id": "C01OPS", "name": "ops"},
        }
    )


async def test_a_button_that_is_gone_cannot_be_pressed_but_can_be_forged(
    bench: Bench, client: AsyncWebClient
) -> None:
    payloads: list[dict[str, Any]] = []
    ts = (await client.chat_postMessage(channel=OPS, text="card", blocks=CARD))["ts"]
    await client.chat_update(channel=OPS, ts=ts, text="done", blocks=[])
    forged = {"type": "button", "action_id": "create", "block_id": "x", "value": "p9:9"}
    async with connected(bench, clicked(bench, payloads)):
        gone = await bench.interact(OPS, ts, INES, "create")
        assert gone == {"ok": False, "error": "no such action: create"}
        assert (await bench.interact(OPS, ts, INES, forged))["ok"]
    (sent,) = [one for one in payloads if one["type"] == "block_actions"]
    assert forged.items() <= sent["actions"][0].items()


async def test_a_button_for_others_is_not_seen(bench: Bench, client: AsyncWebClient) -> None:
    seen_by = button("Confirm", action_id="confirm", visible_to_user_ids=["U01MIG"])
    ts = (await client.chat_postMessage(channel=OPS, text="c", blocks=[actions(seen_by)]))["ts"]
    assert not (await bench.interact(OPS, ts, INES, "Confirm"))["ok"]


async def test_a_click_while_nobody_is_connected_fails_in_the_persons_face(hasty: Bench) -> None:
    client = web_client(hasty)
    ts = (await client.chat_postMessage(channel=OPS, text="card", blocks=CARD))["ts"]
    answer = await hasty.interact(OPS, ts, INES, "create")
    assert answer == snapshot(
        {"ok": False, "error": "AgencyClaw is not connected (dispatch_failed)"}
    )


async def test_a_click_that_is_not_acknowledged_is_not_sent_again(hasty: Bench) -> None:
    client = web_client(hasty)
    ts = (await client.chat_postMessage(channel=OPS, text="card", blocks=CARD))["ts"]
    async with connected(hasty, echo_app(hasty, Heard())):
        answer = await hasty.interact(OPS, ts, INES, "create")
    assert answer["error"].endswith("(operation_timeout)")
    assert len(await hasty.log(kind="envelope", label="block_actions")) == 1


@pytest.mark.parametrize("kind", ["duplicate", "drop_ack"])
async def test_a_fault_makes_a_click_arrive_twice(hasty: Bench, kind: str) -> None:
    payloads: list[dict[str, Any]] = []
    client = web_client(hasty)
    ts = (await client.chat_postMessage(channel=OPS, text="card", blocks=CARD))["ts"]
    await hasty.set_fault("socket", kind, method="block_actions")

    def clicks() -> list[Any]:
        return [one["trigger_id"] for one in payloads if one["type"] == "block_actions"]

    async with connected(hasty, clicked(hasty, payloads)):
        assert (await hasty.interact(OPS, ts, INES, "create"))["ok"]
        await hasty.until(lambda: len(clicks()) == 2)
    assert len(set(clicks())) == 1


async def test_choices_in_a_message_travel_with_the_click(
    bench: Bench, client: AsyncWebClient
) -> None:
    payloads: list[dict[str, Any]] = []
    boxes = {
        "type": "checkboxes",
        "action_id": "pick",
        "options": [option("one"), option("two")],
        "initial_options": [option("one")],
    }
    block = {"type": "actions", "block_id": "b", "elements": [boxes, button(action_id="go")]}
    ts = (await client.chat_postMessage(channel=OPS, text="c", blocks=[block]))["ts"]
    async with connected(bench, clicked(bench, payloads)):
        await bench.interact(OPS, ts, INES, "go")
        await bench.interact(OPS, ts, INES, "go", state={"b": {"pick": ["two"]}})
        await bench.interact(OPS, ts, INES, "pick", value=["one", "two"])
    sent = [one for one in payloads if one["type"] == "block_actions"]
    chosen = [one["state"]["values"]["b"]["pick"]["selected_options"] for one in sent]
    assert chosen[:2] == [[option("one")], [option("two")]]
    assert sent[2]["actions"][0]["selected_options"] == [option("one"), option("two")]


async def test_a_command_is_answered_to_the_person_alone(
    bench: Bench, client: AsyncWebClient
) -> None:
    app = clicked(bench, [])

    @app.command("/claw")
    async def help_them(ack, command, respond) -> None:
        await ack(f"{command['text']} in {command['channel_name']}")
        await respond("later", response_type="in_channel")

    async with connected(bench, app):
        answer = await bench.command(OPS, INES, "/claw", "help")
        await bench.until(lambda: bench.messages(OPS))
    assert answer["ok"]
    assert said(await bench.ephemerals(INES)) == ["help in ops"]
    assert said(await bench.messages(OPS)) == ["later"]


async def test_a_response_url_replaces_its_message_five_times(
    bench: Bench, client: AsyncWebClient
) -> None:
    statuses: list[int] = []
    app = clicked(bench, [], takes=NO_CLICK)

    @app.action("create")
    async def create(ack, respond) -> None:
        await ack()
        for number in range(6):
            answer = await respond(f"done {number}", replace_original=True)
            statuses.append(answer.status_code)

    ts = (await client.chat_postMessage(channel=OPS, text="card", blocks=CARD))["ts"]
    async with connected(bench, app):
        await bench.interact(OPS, ts, INES, "create")
        await bench.until(lambda: len(statuses) == 6)
    assert statuses == [200] * 5 + [404]
    (message,) = await bench.messages(OPS)
    assert (message["text"], message["blocks"]) == ("done 4", [])


async def test_a_response_url_ends_after_half_an_hour() -> None:
    clock = MovableClock()
    async with running_workbench(clock=clock) as bench:
        payloads: list[dict[str, Any]] = []
        client = web_client(bench)
        ts = (await client.chat_postMessage(channel=OPS, text="card", blocks=CARD))["ts"]
        async with connected(bench, clicked(bench, payloads)):
            await bench.interact(OPS, ts, INES, "create")
        url = payloads[-1]["response_url"]
        clock.advance(30 * 60 + 1)
        async with bench.http.post(url, json={"text": "late"}) as answer:
            assert (answer.status, (await answer.json())["error"]) == (404, "expired_url")
        [entry] = await bench.log(method="response_url")
        assert (entry["status"], entry["arguments"]) == (404, {"text": "late"})


async def test_a_private_card_is_pressed_and_taken_away(
    bench: Bench, client: AsyncWebClient
) -> None:
    payloads: list[dict[str, Any]] = []
    await client.chat_postEphemeral(channel=OPS, user=INES, text="card", blocks=CARD)
    (note,) = await bench.ephemerals(INES)
    async with connected(bench, clicked(bench, payloads)):
        assert (await bench.interact(OPS, note["ts"], INES, "create"))["ok"]
    payload = next(one for one in payloads if one["type"] == "block_actions")
    assert payload["container"]["is_ephemeral"] is True
    assert "message" not in payload
    async with bench.http.post(payload["response_url"], json={"delete_original": True}):
        pass
    assert await bench.ephemerals(INES) == []


async def test_the_home_tab_is_published_and_its_buttons_work(
    bench: Bench, client: AsyncWebClient
) -> None:
    payloads: list[dict[str, Any]] = []
    app = clicked(bench, payloads)

    @app.event("app_home_opened")
    async def publish(event, client) -> None:
        view = {"type": "home", "blocks": [section("Waiting for you"), *CARD]}
        await client.views_publish(user_id=event["user"], view=view)

    async with connected(bench, app):
        await bench.open_home(INES)
        home = await bench.until(lambda: bench.home(INES))
        assert (await bench.interact_in_view(INES, home["id"], "Create task"))["ok"]
    payload = payloads[-1]
    assert payload["container"] == {"type": "view", "view_id": home["id"]}
    assert payload["view"]["blocks"] == home["blocks"]
    stale = client.views_publish(user_id=INES, view={"type": "home", "blocks": []}, hash="1")
    assert await refusal(stale) == "hash_conflict"
    await client.views_publish(user_id=INES, view={"type": "home", "blocks": []})
    assert (await bench.home(INES) or {})["id"] == home["id"]
