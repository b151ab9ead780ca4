import re
from typing import Any

import pytest
from inline_snapshot import snapshot
from slack_app import INES, INES_DM, OPS, Heard, connected, echo_app, said, web_client
from slack_bolt.async_app import AsyncApp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient
from test_slack_methods import actions, button, option, refusal, section

from agencyclaw.workbench.clock import MovableClock
from agencyclaw.workbench.fixture import Bench, running_workbench

CARD = [
    section("Create a task?"),
    {
        "type": "actions",
        "block_id": "proposal",
        "elements": [
            button("Create task", action_id="create", value="p1:1", style="primary"),
            button("Cancel", action_id="cancel", value="p1:1"),
        ],
    },
]


ANY_CLICK = re.compile("create|cancel|confirm|go|pick")
NO_CLICK = re.compile("(?!)")


def clicked(
    bench: Bench, payloads: list[dict[str, Any]], takes: re.Pattern[str] = ANY_CLICK
) -> AsyncApp:
    """Remembers everything, and takes the clicks that are not the test's own."""
    app = echo_app(bench, Heard())

    @app.middleware
    async def remember(body, next) -> None:
        payloads.append(body)
        await next()

    @app.action(takes)
    async def take(ack) -> None:
        await ack()

    @app.view({"type": "view_closed", "callback_id": "form"})
    async def closed(ack) -> None:
        await ack()

    return app


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


async def test_a_click_while_nobody_is_connected_fails_in_the_persons_face(
    bench: Bench, client: AsyncWebClient
) -> None:
    ts = (await client.chat_postMessage(channel=OPS, text="card", blocks=CARD))["ts"]
    answer = await bench.interact(OPS, ts, INES, "create")
    assert answer == snapshot(
        {"ok": False, "error": "AgencyClaw is not connected (dispatch_failed)"}
    )


async def test_a_click_that_is_not_acknowledged_is_not_sent_again(
    bench: Bench, client: AsyncWebClient
) -> None:
    ts = (await client.chat_postMessage(channel=OPS, text="card", blocks=CARD))["ts"]
    async with connected(bench, echo_app(bench, Heard())):
        answer = await bench.interact(OPS, ts, INES, "create")
    assert answer["error"].endswith("(operation_timeout)")
    assert len(await bench.log(kind="envelope", label="block_actions")) == 1


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


def form(**more: Any) -> dict[str, Any]:
    title = {
        "type": "input",
        "block_id": "title",
        "label": {"type": "plain_text", "text": "Title"},
        "element": {"type": "plain_text_input", "action_id": "text"},
    }
    person = {
        "type": "input",
        "block_id": "person",
        "optional": True,
        "label": {"type": "plain_text", "text": "Person"},
        "element": {
            "type": "static_select",
            "action_id": "who",
            "options": [option("Mig"), option("Yuki")],
        },
    }
    return {
        "type": "modal",
        "callback_id": "form",
        "private_metadata": "p1",
        "title": {"type": "plain_text", "text": "Edit"},
        "submit": {"type": "plain_text", "text": "Save"},
        "blocks": [title, person],
    } | more


def form_app(bench: Bench, answers: list[dict[str, Any]], seen: list[Any]) -> AsyncApp:
    """Opens the form on a click and answers each submission with the next answer."""
    app = clicked(bench, [])

    @app.action("edit")
    async def edit(ack, body, client) -> None:
        await ack()
        await client.views_open(trigger_id=body["trigger_id"], view=form())

    @app.view("form")
    async def submit(ack, view) -> None:
        seen.append(view)
        await ack(**answers.pop(0))

    return app


async def open_form(bench: Bench, client: AsyncWebClient) -> dict[str, Any]:
    edit = actions(button("Edit", action_id="edit"))
    ts = (await client.chat_postMessage(channel=INES_DM, text="card", blocks=[edit]))["ts"]
    assert (await bench.interact(INES_DM, ts, INES, "Edit"))["ok"]
    return (await bench.until(lambda: bench.views(INES)))[0]


async def test_a_form_shows_its_errors_and_closes_when_it_is_right(
    bench: Bench, client: AsyncWebClient
) -> None:
    seen: list[Any] = []
    answers = [{"response_action": "errors", "errors": {"title": "Too short"}}, {}]
    async with connected(bench, form_app(bench, answers, seen)):
        view = await open_form(bench, client)
        empty = await bench.submit_view(INES, view["id"])
        wrong = await bench.submit_view(INES, view["id"], {"title": {"text": "x"}})
        assert [one["id"] for one in await bench.views(INES)] == [view["id"]]
        right = await bench.submit_view(INES, view["id"], {"title": "long", "who": "Yuki"})
    assert empty["errors"] == {"title": "Please complete this required field."}
    assert wrong == {
        "ok": False,
        "response_action": "errors",
        "errors": {"title": "Too short"},
    }
    assert right == {"ok": True}
    assert await bench.views(INES) == []
    assert (seen[1]["callback_id"], seen[1]["private_metadata"]) == ("form", "p1")
    assert seen[1]["state"]["values"] == snapshot(
        {
            "title": {"text": {"type": "plain_text_input", "value": "long"}},
            "person": {
                "who": {
                    "type": "static_select",
                    "selected_option": {
                        "text": {"type": "plain_text", "text": "Yuki"},
                        "value": "Yuki",
                    },
                }
            },
        }
    )


async def test_an_answer_may_change_push_and_clear(bench: Bench, client: AsyncWebClient) -> None:
    changed = form(title={"type": "plain_text", "text": "Changed"})
    answers = [
        {"response_action": "update", "view": changed},
        {"response_action": "push", "view": form(callback_id="form")},
        {"response_action": "clear"},
    ]
    async with connected(bench, form_app(bench, answers, [])):
        view = await open_form(bench, client)
        await bench.submit_view(INES, view["id"], {"title": "x"})
        (updated,) = await bench.views(INES)
        assert (updated["id"], updated["title"]["text"]) == (view["id"], "Changed")
        assert updated["hash"] != view["hash"]
        await bench.submit_view(INES, view["id"], {"title": "x"})
        lower, upper = await bench.views(INES)
        assert (upper["root_view_id"], upper["previous_view_id"]) == (lower["id"], lower["id"])
        assert (await bench.submit_view(INES, upper["id"], {"title": "x"}))["ok"]
    assert await bench.views(INES) == []


async def test_an_answer_that_slack_would_not_take_changes_nothing(
    bench: Bench, client: AsyncWebClient
) -> None:
    answers = [
        {"response_action": "errors", "errors": {"nowhere": "?"}},
        {"response_action": "update", "view": {"type": "modal"}},
    ]
    async with connected(bench, form_app(bench, answers, [])):
        view = await open_form(bench, client)
        unknown = await bench.submit_view(INES, view["id"], {"title": "x"})
        shapeless = await bench.submit_view(INES, view["id"], {"title": "x"})
    assert unknown["error"] == "invalid_errors"
    assert shapeless["error"] == "invalid_arguments"
    assert await bench.views(INES) == [view]


async def test_closing_a_form_is_told_when_the_app_wants_to_know(
    bench: Bench, client: AsyncWebClient
) -> None:
    async with connected(bench, form_app(bench, [], [])):
        view = await open_form(bench, client)
        await client.views_update(view_id=view["id"], view=form(notify_on_close=True))
        assert (await bench.close_view(INES, view["id"]))["ok"]
    (closed,) = await bench.log(kind="envelope", label="view_closed")
    assert closed["payload"]["view"]["id"] == view["id"]
    assert await bench.views(INES) == []


async def test_a_view_changes_only_from_the_state_that_was_seen(
    bench: Bench, client: AsyncWebClient
) -> None:
    async with connected(bench, form_app(bench, [], [])):
        view = await open_form(bench, client)
    await client.views_update(view_id=view["id"], hash=view["hash"], view=form())
    stale = client.views_update(view_id=view["id"], hash=view["hash"], view=form())
    assert await refusal(stale) == "hash_conflict"
    assert await refusal(client.views_update(view_id="V0", view=form())) == "not_found"


async def test_a_trigger_works_once_and_for_three_seconds() -> None:
    clock = MovableClock()
    async with running_workbench(clock=clock) as bench:
        client, triggers = web_client(bench), list[str]()
        app = clicked(bench, [], takes=NO_CLICK)

        @app.action("create")
        async def keep(ack, body) -> None:
            triggers.append(body["trigger_id"])
            await ack()

        ts = (await client.chat_postMessage(channel=OPS, text="card", blocks=CARD))["ts"]
        async with connected(bench, app):
            await bench.interact(OPS, ts, INES, "create")
            await bench.interact(OPS, ts, INES, "create")
        await client.views_open(trigger_id=triggers[0], view=form())
        clock.advance(3.1)

        async def opening(trigger_id: str) -> str:
            return await refusal(client.views_open(trigger_id=trigger_id, view=form()))

        assert await opening(triggers[0]) == "exchanged_trigger_id"
        assert await opening(triggers[1]) == "expired_trigger_id"
        assert await opening("12345.98765.abcd") == "invalid_trigger_id"


@pytest.mark.parametrize(
    "wrong",
    [
        {"title": {"type": "plain_text", "text": "x" * 25}},
        {"title": None},
        {"submit": None},
        {"private_metadata": "x" * 3001},
        {"blocks": [section("x")] * 101},
        {"blocks": [{"type": "markdown", "text": "x"}]},
        {"type": "home"},
    ],
    ids=lambda wrong: next(iter(wrong)),
)
async def test_a_view_beyond_a_limit_is_refused(
    bench: Bench, client: AsyncWebClient, wrong: dict[str, Any]
) -> None:
    errors: list[str] = []
    app = clicked(bench, [], takes=NO_CLICK)

    @app.action("create")
    async def open_it(ack, body) -> None:
        with pytest.raises(SlackApiError) as refused:
            await client.views_open(trigger_id=body["trigger_id"], view=form(**wrong))
        errors.append(refused.value.response["error"])
        await ack()

    ts = (await client.chat_postMessage(channel=OPS, text="card", blocks=CARD))["ts"]
    async with connected(bench, app):
        assert (await bench.interact(OPS, ts, INES, "create"))["ok"]
    assert errors == ["invalid_arguments"]


async def test_a_modal_stands_on_another_when_it_comes_from_inside_it(
    bench: Bench, client: AsyncWebClient
) -> None:
    app = form_app(bench, [], [])

    @app.action("more")
    async def more(ack, body, client) -> None:
        await ack()
        await client.views_push(trigger_id=body["trigger_id"], view=form())

    async with connected(bench, app):
        view = await open_form(bench, client)
        inside = form(blocks=[actions(button("More", action_id="more"))], submit=None)
        await client.views_update(view_id=view["id"], view=inside)
        assert (await bench.interact_in_view(INES, view["id"], "More"))["ok"]
        await bench.until(lambda: _deep(bench, 2))
        await bench.close_view(INES, (await bench.views(INES))[1]["id"])
    assert [one["id"] for one in await bench.views(INES)] == [view["id"]]


async def _deep(bench: Bench, number: int) -> bool:
    return len(await bench.views(INES)) == number


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
