"""Payloads through the real Bolt app: what is stored, what Slack hears, and in which order."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from fakes.slack_store import (
    BOT,
    CLAW,
    INES,
    INES_DM,
    OPS,
    TEAM,
    FakeAudit,
    FakeCommands,
    FakeDepartures,
    FakeFeedback,
    FakeInbox,
    FakeMemory,
    FakeOutbox,
    FakeProposals,
    FakeRevisions,
    FakeSlackCache,
    FakeTaskLinks,
    a_place,
    a_proposal,
    an_id,
    fake_full_text,
)
from logfire.testing import CaptureLogfire
from slack_bolt.app.async_app import AsyncApp
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse

from agencyclaw.domain.choices import choice
from agencyclaw.domain.edits import NotEditable
from agencyclaw.domain.errors import Refused
from agencyclaw.domain.receipts import Note, OutboxKind, ReceiptKind
from agencyclaw.slack import action_ids
from agencyclaw.slack.channels import Channels
from agencyclaw.slack.edge import build_app
from agencyclaw.slack.edit_form import FormOrigin
from agencyclaw.slack.inbound import Inbound
from agencyclaw.slack.member_lifecycle import MemberLifecycle
from agencyclaw.slack.ports import BotIdentity, InboundPorts
from agencyclaw.slack.web import Web

TS = "1700000000.000200"
ROOT = "1700000000.000100"
NOWHERE = "http://127.0.0.1:9/api/"


@dataclass
class Scene:
    """The Slack room on stores in memory, with a Slack that can't be reached."""

    inbox: FakeInbox = field(default_factory=FakeInbox)
    outbox: FakeOutbox = field(default_factory=FakeOutbox)
    proposals: FakeProposals = field(default_factory=FakeProposals)
    revisions: FakeRevisions = field(default_factory=FakeRevisions)
    commands: FakeCommands = field(default_factory=FakeCommands)
    homes: list[str] = field(default_factory=list)
    audit: FakeAudit = field(default_factory=FakeAudit)
    budget_s: float = 60.0
    web: Web = field(default_factory=lambda: Web("xoxb-test", NOWHERE))

    async def open(self) -> AsyncApp:
        await self.web.open()
        cache = FakeSlackCache()
        self.inbound = Inbound(
            self.web,
            BotIdentity(team_id=TEAM, user_id=CLAW, bot_id=BOT),
            InboundPorts(
                inbox=self.inbox,
                audit=self.audit,
                choices=self.outbox,
                proposals=self.proposals,
                revisions=self.revisions,
                full_text=fake_full_text,
                commands=self.commands,
                memory=FakeMemory(),
                feedback=FakeFeedback(),
                tasks=FakeTaskLinks(),
            ),
            self.publish_home,
            Channels(self.web, cache),
            MemberLifecycle(cache, FakeDepartures()),
            now=lambda: 1_700_000_009.0,
            budget_s=self.budget_s,
        )
        self.app = build_app(self.web, self.inbound)
        return self.app

    async def publish_home(self, user: str) -> None:
        self.homes.append(user)

    async def send(self, body: dict[str, Any]) -> BoltResponse:
        request = AsyncBoltRequest(body=body, mode="socket_mode", headers={})
        response = await self.app.async_dispatch(request)
        await self.inbound.settle(5.0)
        return response


@pytest.fixture
async def scene() -> AsyncIterator[Scene]:
    scene = Scene()
    await scene.open()
    yield scene
    await scene.web.close()


def an_event(**event: Any) -> dict[str, Any]:
    message = {"type": "message", "channel": INES_DM, "channel_type": "im", "user": INES, "ts": TS}
    return {
        "type": "event_callback",
        "team_id": TEAM,
        "event_id": "Ev1",
        "authorizations": [{"team_id": TEAM, "user_id": CLAW, "is_bot": True}],
        "event": message | {"text": "hello"} | event,
    }


def in_channel(**event: Any) -> dict[str, Any]:
    return an_event(**({"channel": OPS, "channel_type": "channel"} | event))


def a_press(action_id: str, value: str, **changes: Any) -> dict[str, Any]:
    body = {
        "type": "block_actions",
        "user": {"id": INES},
        "team": {"id": TEAM},
        "channel": {"id": INES_DM},
        "message": {"ts": TS, "thread_ts": ROOT},
        "trigger_id": "1.2",
        "actions": [{"action_id": action_id, "action_ts": "1700000001.5", "value": value}],
    }
    return body | changes


def a_view(title: str = "x", assignee: str | None = None) -> dict[str, Any]:
    origin = FormOrigin(proposal_id=an_id("one"), place=a_place())
    values: dict[str, Any] = {"title": {"value": {"type": "plain_text_input", "value": title}}}
    if assignee:
        values["assignee"] = {"value": {"selected_option": {"value": assignee}}}
    return {
        "id": "V1",
        "callback_id": action_ids.EDIT_FORM,
        "private_metadata": origin.model_dump_json(),
        "state": {"values": values},
    }


def a_submission(title: str) -> dict[str, Any]:
    return {
        "type": "view_submission",
        "user": {"id": INES},
        "team": {"id": TEAM},
        "view": a_view(title),
    }


HOME_OPENED = an_event(type="app_home_opened", tab="home")


async def test_a_message_is_stored_and_then_acknowledged(scene: Scene) -> None:
    assert (await scene.send(an_event())).status == 200
    assert scene.inbox.texts() == ["hello"]


async def test_what_could_not_be_stored_is_not_acknowledged(scene: Scene) -> None:
    scene.inbox.failures = [ConnectionError("the database is down")]
    assert (await scene.send(an_event())).status == 503
    assert (await scene.send(an_event())).status == 200
    assert scene.inbox.texts() == ["hello"]


async def test_a_store_that_hangs_is_not_acknowledged_in_vain() -> None:
    class Hanging(FakeInbox):
        async def accept(self, incoming: Any) -> int | None:
            await asyncio.Event().wait()
            return None

    scene = Scene(inbox=Hanging(), budget_s=0.05)
    await scene.open()
    assert (await scene.send(an_event())).status == 503
    await scene.web.close()


async def test_what_fails_in_the_background_is_logged(capfire: CaptureLogfire) -> None:
    class Failing(Scene):
        async def publish_home(self, user: str) -> None:
            raise ConnectionError("the database is down")

    scene = Failing()
    await scene.open()

    assert (await scene.send(HOME_OPENED)).status == 200

    [failed] = [
        span
        for span in capfire.exporter.exported_spans_as_dict()
        if span["name"] == "slack.task_failed"
    ]
    assert failed["attributes"]["error"] == "ConnectionError"
    await scene.web.close()


async def test_what_is_late_at_the_end_has_ended_before_the_connections_close() -> None:
    class Late(Scene):
        is_over = False

        async def publish_home(self, user: str) -> None:
            try:
                await asyncio.Event().wait()
            finally:
                await asyncio.sleep(0)
                self.is_over = True

    scene = Late()
    await scene.open()
    await scene.app.async_dispatch(AsyncBoltRequest(body=HOME_OPENED, mode="socket_mode"))

    await scene.inbound.settle(0.01)

    assert scene.is_over
    await scene.web.close()


async def test_a_redelivery_is_acknowledged_and_changes_nothing(scene: Scene) -> None:
    for _ in range(3):
        assert (await scene.send(an_event())).status == 200
    assert len(scene.inbox.accepted) == 1


async def test_a_mention_and_its_message_are_one_receipt(scene: Scene) -> None:
    text = f"<@{CLAW}> what is due?"
    await scene.send(in_channel(type="app_mention", text=text))
    await scene.send(in_channel(text=text))
    assert scene.inbox.texts() == ["what is due?"]


async def test_a_thread_of_others_is_left_alone(scene: Scene) -> None:
    assert (await scene.send(in_channel(thread_ts=ROOT))).status == 200
    assert scene.inbox.accepted == []
    scene.inbox.threads.add((TEAM, OPS, ROOT))
    await scene.send(in_channel(thread_ts=ROOT))
    assert scene.inbox.texts() == ["hello"]


@pytest.mark.parametrize(
    "body",
    [
        an_event(subtype="message_changed"),
        an_event(bot_id=BOT, user=CLAW),
        an_event(ts=None),
        in_channel(),
        an_event(type="reaction_added"),
        an_event(type="app_home_opened", tab="messages"),
        {"type": "event_callback", "event": None},
        {"type": "event_callback"},
        {"type": "shortcut", "callback_id": "x"},
        {"type": "view_closed"},
        {"type": "block_suggestion"},
        {"type": "block_actions"},
        {"type": "view_submission"},
        a_press("claw_confirm", "nonsense"),
        a_press("other_app_button", "1"),
        {},
    ],
)
async def test_what_is_not_ours_is_acknowledged_and_nothing_more(
    scene: Scene, body: dict[str, Any]
) -> None:
    response = await scene.send(body)
    assert (response.status, response.body) == (200, "")
    assert scene.inbox.tries == 0


async def test_the_workspace_is_the_one_where_we_are_installed(scene: Scene) -> None:
    body = an_event() | {"team_id": "T0OTHER"}
    await scene.send(body)
    assert scene.inbox.accepted[0].place.team_id == TEAM


async def test_a_click_is_a_receipt(scene: Scene) -> None:
    proposal = a_proposal()
    response = await scene.send(a_press(action_ids.CONFIRM, action_ids.button_value(proposal)))
    assert response.status == 200
    [incoming] = scene.inbox.accepted
    assert incoming.kind is ReceiptKind.CLICK
    assert incoming.click is not None
    assert incoming.click.proposal_ids == (proposal.id,)


async def test_a_click_that_could_not_be_stored_is_not_acknowledged(scene: Scene) -> None:
    scene.inbox.failures = [ConnectionError("the database is down")]
    response = await scene.send(a_press(action_ids.CONFIRM, action_ids.button_value(a_proposal())))
    assert response.status == 503


async def test_a_click_in_the_home_tab_counts_where_the_proposal_was_made(scene: Scene) -> None:
    proposal = a_proposal(place=a_place(OPS, ROOT))
    body = a_press(
        action_ids.CONFIRM, action_ids.button_value(proposal), channel=None, message=None
    )
    await scene.send(body)
    assert scene.inbox.accepted == []
    scene.proposals.put(proposal)
    await scene.send(body)
    assert scene.inbox.accepted[0].place == proposal.place


async def test_only_a_choice_that_was_offered_counts_and_only_once(scene: Scene) -> None:
    brands = (choice("brand", "b1", "Glintly US"), choice("brand", "b2", "Glintly DE"))
    note = Note(text="Which brand?", choices=brands)
    answer = scene.outbox.put(OutboxKind.ANSWER, note=note)
    await scene.outbox.sent(answer, TS)
    for forged in ("2", "Brightkettle", "Glintly US"):
        await scene.send(a_press("claw_choice_0", forged))
    assert scene.inbox.accepted == []
    await scene.send(a_press("claw_choice_0", "0"))
    await scene.send(a_press("claw_choice_1", "1"))
    assert scene.inbox.texts() == ["Glintly US"]
    assert scene.inbox.accepted[0].choice == brands[0]
    assert scene.inbox.accepted[0].place == a_place()


async def test_a_form_that_another_person_wants_is_refused_and_noted(scene: Scene) -> None:
    scene.revisions.form_or_refusal = NotEditable(
        reason="wrong_actor", message="Only Ines Varga can edit this."
    )
    mark = action_ids.button_value(a_proposal())
    await scene.send(a_press(action_ids.EDIT, mark, user={"id": "U01SARA"}))

    [(reason, who, payload)] = scene.audit.rows
    assert (reason, who) == ("wrong_actor", "U01SARA")
    assert (payload["action"], payload["value"]) == (action_ids.EDIT, mark)


async def test_a_form_that_is_stored_closes(scene: Scene) -> None:
    response = await scene.send(a_submission("New title"))
    assert json.loads(response.body) == {"response_action": "clear"}
    [(incoming, proposal_id, edits)] = scene.revisions.submitted
    assert (proposal_id, edits.title) == (an_id("one"), "New title")
    assert incoming.slack_ts == "1700000009.000000"


async def test_a_form_with_errors_stays_open_and_shows_them(scene: Scene) -> None:
    scene.revisions.errors = {"title": "Too short.", "": "It expired."}
    response = await scene.send(a_submission("x"))
    assert json.loads(response.body) == {
        "response_action": "errors",
        "errors": {"title": "Too short. It expired."},
    }


async def test_a_refused_form_says_why(scene: Scene) -> None:
    scene.revisions.failure = Refused("It was settled in the meantime.", reason="not_open")
    response = await scene.send(a_submission("x"))
    assert json.loads(response.body)["errors"] == {"title": "It was settled in the meantime."}


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"team": {"id": "T0OTHER"}}, "another_workspace"),
        ({"view": {"id": "V1", "callback_id": action_ids.EDIT_FORM}}, "forged_form"),
        ({"view": a_view(assignee="U01SARA")}, "forged_value"),
    ],
)
async def test_a_forged_form_is_refused_and_kept_in_the_audit(
    scene: Scene, changes: dict[str, Any], reason: str
) -> None:
    response = await scene.send(a_submission("x") | changes)

    assert json.loads(response.body)["response_action"] == "errors"
    assert scene.revisions.submitted == []
    [(noted, who, payload)] = scene.audit.rows
    assert (noted, who, payload["action"]) == (reason, INES, action_ids.EDIT_FORM)


async def test_the_form_of_somebody_elses_proposal_is_kept_in_the_audit(scene: Scene) -> None:
    scene.revisions.errors = NotEditable(reason="wrong_actor", message="Only Ines can edit this.")

    response = await scene.send(a_submission("x") | {"user": {"id": "U01SARA"}})

    assert json.loads(response.body)["errors"] == {"title": "Only Ines can edit this."}
    [(reason, who, payload)] = scene.audit.rows
    assert (reason, who, payload["value"]) == ("wrong_actor", "U01SARA", str(an_id("one")))


async def test_a_form_that_could_not_be_stored_is_not_closed(scene: Scene) -> None:
    scene.revisions.failure = ConnectionError("the database is down")
    assert (await scene.send(a_submission("x"))).status == 503


async def test_opening_the_home_tab_draws_it(scene: Scene) -> None:
    await scene.send(an_event(type="app_home_opened", tab="home", channel="D1"))
    assert scene.homes == [INES]


def a_command(text: str, **changes: Any) -> dict[str, Any]:
    where = {"team_id": TEAM, "channel_id": OPS, "user_id": INES, "trigger_id": "1.2.abc"}
    return {"command": "/claw", "text": text} | where | changes


@pytest.mark.parametrize(
    ("text", "name", "rest"),
    [
        ("", "", ""),
        ("help", "help", ""),
        ("Link  Glintly &amp; Sons ", "link", "Glintly & Sons"),
        ("link <https://glintly.example/x>", "link", "https://glintly.example/x"),
        ("make me\x00 a sandwich", "make", "me a sandwich"),
        ("remember\nGlintly signs off.\nAlways.", "remember", "Glintly signs off.\nAlways."),
        ("Ask\N{NO-BREAK SPACE}what is due?", "ask", "what is due?"),
    ],
)
async def test_a_command_is_read_and_its_answer_is_for_one_person(
    scene: Scene, text: str, name: str, rest: str
) -> None:
    response = await scene.send(a_command(text))

    answer = json.loads(response.body)
    [typed] = scene.commands.typed
    assert (typed.name, typed.rest, typed.slack_user_id) == (name, rest, INES)
    assert typed.key == f"command:{TEAM}:1.2.abc"
    assert not typed.place.is_direct
    assert answer["response_type"] == "ephemeral"
    assert scene.inbox.tries == 0


async def test_what_a_command_says_back_is_harmless(scene: Scene) -> None:
    response = await scene.send(a_command("link <!channel> <@U01SARAL> https://evil.example/x"))

    answer = json.loads(response.body)
    assert "<!channel>" not in answer["text"]
    assert "<@U01SARAL>" not in answer["text"]
    assert "https://evil.example" not in answer["text"]


async def test_a_command_that_fails_says_so_kindly(scene: Scene) -> None:
    response = await scene.send(a_command("fail"))

    assert response.status == 200
    assert "I couldn't do that just now. Nothing was changed" in json.loads(response.body)["text"]
    assert scene.inbox.tries == 0


async def test_a_command_without_a_person_is_not_carried_out(scene: Scene) -> None:
    response = await scene.send(a_command("where", user_id=""))

    assert "Nothing was changed" in json.loads(response.body)["text"]
    assert scene.commands.typed == []


async def test_slack_out_of_reach_breaks_no_acknowledgement(scene: Scene) -> None:
    proposal = a_proposal()
    scene.proposals.put(proposal)
    for action_id in (action_ids.EDIT, action_ids.CONFIRM_SELECTED):
        response = await scene.send(a_press(action_id, action_ids.button_value(proposal)))
        assert response.status == 200


async def test_what_another_workspace_sends_is_stored_for_nobody(scene: Scene) -> None:
    theirs = a_press(action_ids.CONFIRM, action_ids.button_value(a_proposal())) | {
        "team": {"id": "T0OTHER"}
    }
    event = an_event() | {"team_id": "T0OTHER", "authorizations": [{"team_id": "T0OTHER"}]}

    assert (await scene.send(theirs)).status == 200
    assert (await scene.send(event)).status == 200

    assert scene.inbox.accepted == []
    [(reason, who, _)] = scene.audit.rows
    assert (reason, who) == ("another_workspace", INES)
