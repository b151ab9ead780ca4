from typing import Any

import pytest
from inline_snapshot import snapshot
from slack_app import (
    INES,
    INES_DM,
    OPS,
    actions,
    button,
    connected,
    option,
    refusal,
    section,
    web_client,
)
from slack_bolt.async_app import AsyncApp
from slack_clicks import CARD, NO_CLICK, clicked
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from workbench.clock import MovableClock
from workbench.fixture import Bench, running_workbench


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


@pytest.mark.parametrize(
    "entered",
    [
        {"title": {"text": {"type": "plain_text_input", "value": "long"}}},
        {"title": {"type": "plain_text_input", "value": "long"}},
        {"text": {"type": "plain_text_input", "value": "long"}},
        {"title": {"text": "long"}},
        {"title": "long"},
        {"text": "long"},
    ],
)
async def test_what_is_entered_may_be_given_under_the_block_or_the_input_alone(
    bench: Bench, client: AsyncWebClient, entered: dict[str, Any]
) -> None:
    seen: list[Any] = []
    async with connected(bench, form_app(bench, [{}], seen)):
        view = await open_form(bench, client)
        assert await bench.submit_view(INES, view["id"], entered) == {"ok": True}
    assert seen[0]["state"]["values"]["title"]["text"]["value"] == "long"


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
