"""The Slack room on a workspace: the real Bolt app over the real socket, stores in memory."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from deadlines import slack_gives_up
from fakes.slack_store import (
    CLAW,
    INES,
    INES_DM,
    OPS,
    FakeAudit,
    FakeCommands,
    FakeDepartures,
    FakeFeedback,
    FakeInbox,
    FakeMemory,
    FakeOutbox,
    FakeProposals,
    FakeRevisions,
    FakeSessions,
    FakeSlackCache,
    FakeStreams,
    FakeTaskLinks,
    Row,
    a_place,
    a_proposal,
    an_effect,
    an_id,
    fake_full_text,
    fake_home,
)
from slack_sdk.web.async_client import AsyncWebClient
from stage import eventually

from agencyclaw.domain.choices import Choice, choice
from agencyclaw.domain.edits import NotEditable
from agencyclaw.domain.errors import Misconfigured, Throttled, Unavailable, Unclear
from agencyclaw.domain.field_sources import FieldSource, Origin
from agencyclaw.domain.people import Place
from agencyclaw.domain.proposals import Proposal, ProposalState
from agencyclaw.domain.receipts import Incoming, Note, OutboxKind
from agencyclaw.slack.connection import PatientSocket
from agencyclaw.slack.edge import Edge, SlackAccount, SlackTiming
from agencyclaw.slack.ports import InboundPorts, OutboundPorts
from agencyclaw.slack.web import Method
from workbench.fixture import Bench, running_workbench

SARA = "U01SARAL"


@dataclass
class Scene:
    """A workspace, the Slack room connected to it, and its stores."""

    bench: Bench
    inbox: FakeInbox = field(default_factory=FakeInbox)
    outbox: FakeOutbox = field(default_factory=FakeOutbox)
    proposals: FakeProposals = field(default_factory=FakeProposals)
    revisions: FakeRevisions = field(default_factory=FakeRevisions)
    commands: FakeCommands = field(default_factory=FakeCommands)
    sessions: FakeSessions = field(default_factory=FakeSessions)
    streams: FakeStreams = field(default_factory=FakeStreams)
    full_text: Callable[[Proposal], Awaitable[str]] = fake_full_text

    def an_edge(self, **changes: str) -> Edge:
        account = SlackAccount("xoxb-workbench", "xapp-workbench", self.bench.slack_api_url)
        return Edge(
            replace(account, **changes),
            OutboundPorts(self.outbox, self.sessions, self.streams),
            FakeSlackCache(),
            FakeDepartures(),
            timing=SlackTiming(ping_interval_s=0.2, settle_s=0.05, timeout_s=60.0),
        )

    async def connect(self, edge: Edge) -> None:
        inbound = InboundPorts(
            inbox=self.inbox,
            audit=FakeAudit(),
            choices=self.outbox,
            proposals=self.proposals,
            revisions=self.revisions,
            full_text=self.full_text,
            commands=self.commands,
            memory=FakeMemory(),
            feedback=FakeFeedback(),
            tasks=FakeTaskLinks(),
        )
        try:
            await edge.open(inbound, fake_home())
            await edge.connect()
        except BaseException:
            await edge.close()
            raise

    @asynccontextmanager
    async def connected(self) -> AsyncGenerator[Edge]:
        edge = self.an_edge()
        await self.connect(edge)
        try:
            yield edge
        finally:
            await edge.close()

    async def hear(self, text: str, **place: Any) -> Incoming:
        """Say something and wait until it is stored."""
        channel = place.pop("channel", INES_DM)
        known = len(self.inbox.accepted)
        await self.bench.post_message(channel, INES, text, **place)
        await self.bench.until(lambda: len(self.inbox.accepted) > known)
        return self.inbox.accepted[-1]

    async def said(self, channel: str = INES_DM) -> list[dict[str, Any]]:
        return [one for one in await self.bench.messages(channel) if one["user"] == CLAW]

    async def root(self, channel: str = INES_DM) -> Place:
        """A thread to answer in."""
        return a_place(channel, await self.bench.post_message(channel, INES, "hello"))

    def row(self, outbox_id: Any) -> Row:
        return self.outbox.rows[outbox_id]

    async def card(self, edge: Edge, *proposals: Any) -> str:
        """Deliver a card and return its ts."""
        ids = self.proposals.put(*proposals)
        card = self.outbox.put(OutboxKind.CARD, place=proposals[0].place, proposals=ids)
        await edge.deliver(card)
        ts = self.row(card).sent_ts
        assert ts is not None
        return ts


@pytest.fixture
async def scene() -> AsyncIterator[Scene]:
    delays = (0.0, 0.05, 0.1, *[0.5] * 100)
    async with running_workbench(
        ack_timeout=0.5, answer_timeout=300.0, trigger_ttl=300.0, retry_delays=delays
    ) as bench:
        yield Scene(bench)


@pytest.fixture
async def edge(scene: Scene) -> AsyncIterator[Edge]:
    async with scene.connected() as edge:
        yield edge


# What comes in


async def test_a_message_is_stored_before_slack_hears_of_it(scene: Scene, edge: Edge) -> None:
    acked_when_stored: list[bool] = []

    def look(_: Incoming) -> None:
        log = scene.bench.storage.log()
        acked_when_stored.append(any(entry["kind"] == "ack" for entry in log))

    scene.inbox.on_accept = look
    incoming = await scene.hear("create a coupon task & <soon>")
    assert incoming.text == "create a coupon task & <soon>"
    await scene.bench.until(lambda: scene.bench.log(kind="ack", label="message"))
    assert acked_when_stored == [False]


async def test_a_message_that_could_not_be_stored_comes_again(scene: Scene, edge: Edge) -> None:
    scene.inbox.failures = [ConnectionError("the database is down"), TimeoutError()]
    tries: list[int] = []
    scene.inbox.on_accept = lambda _: tries.append(scene.inbox.tries)
    await scene.hear("hello")
    assert tries[0] == 3
    assert scene.inbox.texts() == ["hello"]


async def test_a_lost_acknowledgement_and_a_duplicate_are_one_receipt(
    scene: Scene, edge: Edge
) -> None:
    await scene.bench.set_fault("socket", "drop_ack", method="message")
    await scene.hear("first")
    await scene.bench.set_fault("socket", "duplicate", method="message")
    await scene.hear("second")
    await scene.bench.until(lambda: _has_acks(scene, 4))
    assert scene.inbox.texts() == ["first", "second"]


async def _has_acks(scene: Scene, number: int) -> bool:
    return len(await scene.bench.log(kind="ack")) >= number


async def test_a_mention_in_a_channel_is_one_receipt_and_its_thread_goes_on(
    scene: Scene, edge: Edge
) -> None:
    incoming = await scene.hear(f"<@{CLAW}> what is due?", channel=OPS)
    assert incoming.text == "what is due?"
    place = incoming.place
    await scene.bench.post_message(OPS, SARA, "not to you")
    scene.inbox.threads.add((place.team_id, OPS, place.thread_ts))
    answer = await scene.hear("and next week?", channel=OPS, thread_ts=place.thread_ts)
    assert answer.place == place
    assert scene.inbox.texts() == ["what is due?", "and next week?"]


async def test_it_comes_back_after_a_disconnect(scene: Scene, edge: Edge) -> None:
    await scene.bench.disconnect()
    await scene.hear("still there?")
    await scene.bench.set_fault("socket", "disconnect", method="message", delay_s=0.0001)
    await scene.hear("and now?")
    await scene.hear("good")
    assert scene.inbox.texts() == ["still there?", "and now?", "good"]
    assert await edge.is_connected()


async def test_what_a_stop_interrupts_while_it_connects_is_closed(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_here = asyncio.Event()

    async def hang(_: PatientSocket) -> None:
        is_here.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(PatientSocket, "connect", hang)
    connecting = asyncio.create_task(scene.connect(scene.an_edge()))
    await is_here.wait()
    connecting.cancel()
    await asyncio.wait([connecting])

    left = [task for task in asyncio.all_tasks() if "process_messages" in repr(task)]
    assert left == []


async def test_closing_finishes_what_was_taken_and_leaves_the_rest(scene: Scene) -> None:
    is_here, may_go = asyncio.Event(), asyncio.Event()

    class Slow(FakeInbox):
        async def accept(self, incoming: Incoming) -> int | None:
            is_here.set()
            await may_go.wait()
            return await super().accept(incoming)

    scene.inbox = Slow()
    edge = scene.an_edge()
    await scene.connect(edge)
    await scene.bench.post_message(INES_DM, INES, "one")
    await is_here.wait()
    closing = asyncio.create_task(edge.close())
    await asyncio.sleep(0)
    await scene.bench.post_message(INES_DM, INES, "two")
    may_go.set()
    await closing
    assert scene.inbox.texts() == ["one"]
    assert not await edge.is_connected()
    async with scene.connected():
        await scene.bench.until(lambda: scene.inbox.texts() == ["one", "two"])


@pytest.mark.parametrize(
    ("changes", "variable"),
    [
        ({"bot_token": ""}, "SLACK_BOT_TOKEN"),
        ({"bot_token": "xapp-workbench"}, "SLACK_BOT_TOKEN"),
        ({"bot_token": "xoxb-stale"}, "SLACK_BOT_TOKEN"),
        ({"app_token": ""}, "SLACK_APP_TOKEN"),
        ({"app_token": "xoxb-workbench"}, "SLACK_APP_TOKEN"),
        ({"app_token": "xapp-stale"}, "SLACK_APP_TOKEN"),
    ],
)
async def test_a_token_that_does_not_work_is_named(
    scene: Scene, changes: dict[str, str], variable: str
) -> None:
    with pytest.raises(Misconfigured, match=variable):
        await scene.connect(scene.an_edge(**changes))


async def test_a_slack_that_is_not_there_is_said_at_once(scene: Scene) -> None:
    with pytest.raises(Unavailable, match=r"127\.0\.0\.1:9"):
        await scene.connect(scene.an_edge(api_url="http://127.0.0.1:9/api/"))


# What goes out


async def test_an_answer_stands_once_in_its_thread(scene: Scene, edge: Edge) -> None:
    place = await scene.root()
    answer = scene.outbox.put(
        OutboxKind.ANSWER, place=place, note=Note(text="**Seven** tasks.", footer="Mon–Sun")
    )
    await edge.deliver(answer)
    await edge.deliver(answer)
    [message] = await scene.said()
    assert message["thread_ts"] == place.thread_ts
    assert message["blocks"][0]["text"] == "**Seven** tasks."
    assert message["metadata"] == {
        "event_type": "agencyclaw_delivery",
        "event_payload": {"id": str(answer), "part": 0},
    }
    assert scene.row(answer).sent_ts == message["ts"]
    [request] = await scene.bench.log(method="chat.postMessage")
    assert request["arguments"]["unfurl_links"] is False
    assert request["arguments"]["unfurl_media"] is False


async def test_a_crash_between_post_and_record_posts_nothing_twice(
    scene: Scene, edge: Edge
) -> None:
    note = Note(text="Once.")
    answer = scene.outbox.put(OutboxKind.ANSWER, place=await scene.root(), note=note)
    await edge.deliver(answer)
    ts = scene.row(answer).sent_ts
    scene.outbox.rows[answer] = Row(
        scene.row(answer).delivery, state="sending", sending_at=float(ts or 0)
    )
    await edge.deliver(answer)
    assert [one["ts"] for one in await scene.said()] == [ts] == [scene.row(answer).sent_ts]


async def test_a_crash_before_the_post_posts_once(scene: Scene, edge: Edge) -> None:
    note = Note(text="Once.")
    answer = scene.outbox.put(OutboxKind.ANSWER, place=await scene.root(), note=note)
    await scene.outbox.claim(answer)
    await edge.deliver(answer)
    assert len(await scene.said()) == 1


@pytest.mark.parametrize("kind", ["reset_after", "error_after", "hang_after", "reset_before"])
async def test_an_unknown_outcome_is_looked_up_and_one_message_is_there(
    scene: Scene, edge: Edge, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    note = Note(text="Once.")
    answer = scene.outbox.put(OutboxKind.ANSWER, place=await scene.root(), note=note)
    await scene.bench.set_fault("slack", kind, method="chat.postMessage", delay_s=600)
    if kind == "hang_after":
        slack_gives_up(monkeypatch, scene.bench, Method.POST)
    with pytest.raises(Unclear):
        await edge.deliver(answer)
    assert scene.row(answer).state == "sending"
    await edge.deliver(answer)
    assert [one["ts"] for one in await scene.said()] == [scene.row(answer).sent_ts]


async def test_a_look_that_fails_sends_nothing(scene: Scene, edge: Edge) -> None:
    note = Note(text="Once.")
    answer = scene.outbox.put(OutboxKind.ANSWER, place=await scene.root(), note=note)
    await scene.outbox.claim(answer)
    await scene.bench.set_fault("slack", "error_before", method="conversations.replies")
    with pytest.raises(Unclear):
        await edge.deliver(answer)
    await scene.bench.set_fault("slack", "rate_limited", method="conversations.replies", delay_s=7)
    with pytest.raises(Throttled) as raised:
        await edge.deliver(answer)
    assert raised.value.after == 7
    assert scene.row(answer).state == "sending"
    assert await scene.said() == []


async def test_while_slack_wants_to_wait_nothing_is_posted_anywhere_and_the_rest_goes_on(
    scene: Scene, edge: Edge
) -> None:
    place = await scene.root()
    card = await scene.card(edge, a_proposal(place=place))
    first, second = [
        scene.outbox.put(OutboxKind.ANSWER, place=await scene.root(channel), note=Note(text=words))
        for channel, words in ((INES_DM, "One."), (OPS, "Two."))
    ]
    redraw = scene.outbox.put(
        OutboxKind.CARD_UPDATE, place=place, proposals=tuple(scene.proposals.stored)
    )
    await scene.bench.set_fault("slack", "rate_limited", method="chat.postMessage", delay_s=30)
    with pytest.raises(Throttled):
        await edge.deliver(first)
    with pytest.raises(Throttled) as raised:
        await edge.deliver(second)
    assert 25 < raised.value.after <= 30
    await edge.deliver(redraw)
    posts = await scene.bench.log(method="chat.postMessage")
    assert [one["ok"] for one in posts] == [True, False]
    assert scene.row(redraw).sent_ts == card
    assert scene.row(second).state == "pending"


async def test_another_message_with_the_same_mark_is_not_ours(scene: Scene, edge: Edge) -> None:
    place = await scene.root()
    first = scene.outbox.put(OutboxKind.ANSWER, place=place, note=Note(text="First."))
    second = scene.outbox.put(OutboxKind.ANSWER, place=place, note=Note(text="Second."))
    await edge.deliver(first)
    await scene.outbox.claim(second)
    await edge.deliver(second)
    assert [one["text"] for one in await scene.said()] == ["First.", "Second."]


async def test_slacks_wish_to_wait_is_honoured(scene: Scene, edge: Edge) -> None:
    note = Note(text="Later.")
    answer = scene.outbox.put(OutboxKind.ANSWER, place=await scene.root(), note=note)
    await scene.bench.set_fault("slack", "rate_limited", method="chat.postMessage", delay_s=1)
    with pytest.raises(Throttled) as raised:
        await edge.deliver(answer)
    assert raised.value.after == 1
    assert scene.row(answer).state == "pending"
    assert len(await scene.bench.log(method="chat.postMessage")) == 1
    await delivered_in_the_end(scene, edge, answer)
    assert len(await scene.said()) == 1


async def test_what_can_never_be_sent_is_buried_with_the_reason(scene: Scene, edge: Edge) -> None:
    gone = a_place("C0GONE")
    answer = scene.outbox.put(OutboxKind.ANSWER, place=gone, note=Note(text="x"))
    await edge.deliver(answer)
    assert (scene.row(answer).state, scene.row(answer).error) == ("dead", "channel_not_found")


async def test_a_card_moves_with_its_proposals(scene: Scene, edge: Edge) -> None:
    place = await scene.root()
    one, two = a_proposal("one", place=place), a_proposal("two", place=place)
    ts = await scene.card(edge, one, two)
    scene.proposals.change(one.id, state=ProposalState.CANCELLED, settled_by="Ines Varga")
    update = scene.outbox.put(OutboxKind.CARD_UPDATE, place=place, proposals=(one.id,))
    await edge.deliver(update)
    [message] = await scene.said()
    assert message["ts"] == ts
    shown = str(message["blocks"])
    assert "*Cancelled* by Ines Varga" in shown
    assert "2. Create the task" in shown
    assert "Create task" in shown


async def test_a_card_that_slack_no_longer_shows_us_keeps_no_other_from_being_redrawn(
    scene: Scene, edge: Edge
) -> None:
    proposal = a_proposal(place=await scene.root())
    gone = scene.outbox.put(OutboxKind.CARD, place=a_place("C0GONE"), proposals=(proposal.id,))
    await scene.outbox.sent(gone, "1700000000.000900")
    await scene.card(edge, proposal)
    scene.proposals.change(proposal.id, state=ProposalState.CANCELLED, settled_by="Ines Varga")
    update = scene.outbox.put(
        OutboxKind.CARD_UPDATE, place=proposal.place, proposals=(proposal.id,)
    )

    await edge.deliver(update)

    assert "*Cancelled* by Ines Varga" in str((await scene.said())[0]["blocks"])
    assert (scene.row(update).state, scene.row(update).error) == ("sent", None)


async def test_a_card_that_is_not_there_yet_needs_no_change(scene: Scene, edge: Edge) -> None:
    place = await scene.root()
    ids = scene.proposals.put(a_proposal(place=place))
    update = scene.outbox.put(OutboxKind.CARD_UPDATE, place=place, proposals=ids)
    await edge.deliver(update)
    assert scene.row(update).state == "sent"
    assert await scene.said() == []


async def test_a_card_found_again_shows_the_present_state(scene: Scene, edge: Edge) -> None:
    proposal = a_proposal(place=await scene.root())
    ids = scene.proposals.put(proposal)
    card = scene.outbox.put(OutboxKind.CARD, place=proposal.place, proposals=ids)
    await scene.bench.set_fault("slack", "reset_after", method="chat.postMessage")
    with pytest.raises(Unclear):
        await edge.deliver(card)
    scene.proposals.change(proposal.id, state=ProposalState.EXPIRED)
    await edge.deliver(card)
    [message] = await scene.said()
    assert "*Expired*" in str(message["blocks"])
    assert "claw_confirm" not in str(message["blocks"])


async def test_a_card_in_parts_is_completed_after_a_crash(scene: Scene, edge: Edge) -> None:
    place = await scene.root()
    # Words of others are shown to their last character, so that this is more than one message.
    pasted = FieldSource(
        field="Description", origin=Origin.OTHERS, whose="a mail", needs_press=True
    )
    effects = [
        an_effect(f"Task {at}", body=f"{at} " + "word " * 900, field_sources=(pasted,))
        for at in range(4)
    ]
    proposals = [a_proposal(f"p{at}", effect=one, place=place) for at, one in enumerate(effects)]
    ids = scene.proposals.put(*proposals)
    card = scene.outbox.put(OutboxKind.CARD, place=place, proposals=ids)
    await scene.bench.set_fault("slack", "error_before", method="chat.postMessage", times=1)
    with pytest.raises(Unclear):
        await edge.deliver(card)
    await scene.bench.set_fault("slack", "rate_limited", method="chat.postMessage", delay_s=1)
    await edge_fails_then_completes(scene, edge, card)
    messages = await scene.said()
    assert [one["metadata"]["event_payload"]["part"] for one in messages] == [4, 3, 2, 1, 0]
    assert scene.row(card).sent_ts == messages[-1]["ts"]


async def edge_fails_then_completes(scene: Scene, edge: Edge, card: Any) -> None:
    with pytest.raises(Throttled):
        await edge.deliver(card)
    assert scene.row(card).state == "sending"
    await delivered_in_the_end(scene, edge, card)


async def delivered_in_the_end(scene: Scene, edge: Edge, row: Any) -> None:
    """Deliver once Slack has been given the time it asked for."""

    async def delivered() -> bool:
        try:
            await edge.deliver(row)
        except Throttled:
            return False
        return True

    await scene.bench.until(delivered)


def a_growing(scene: Scene, place: Place, **facts: Any) -> Any:
    """A delivery whose stream was begun by somebody who died."""
    answer = scene.outbox.put(OutboxKind.ANSWER, place=place, note=Note(text="The whole story."))
    row = scene.row(answer)
    row.delivery = row.delivery.model_copy(update={"stream_text": "", **facts})
    return answer


async def a_stream(scene: Scene, place: Place, words: str) -> str:
    """A stream of ours that nobody has named."""
    client = AsyncWebClient(token="xoxb-workbench", base_url=scene.bench.slack_api_url)
    client.proxy = None
    answer = await client.chat_startStream(
        channel=place.channel_id, thread_ts=place.thread_ts, markdown_text=words
    )
    return answer["ts"]


async def test_a_stream_that_nobody_can_name_is_adopted_and_written_anew(
    scene: Scene, edge: Edge
) -> None:
    place = await scene.root()
    ts = await a_stream(scene, place, "The whole")
    answer = a_growing(scene, place)
    await edge.deliver(answer)
    [message] = await scene.said()
    assert (message["ts"], scene.row(answer).sent_ts) == (ts, ts)
    assert message["blocks"][0]["text"] == "The whole story."
    assert message["metadata"]["event_payload"] == {"id": str(answer), "part": 0}
    assert scene.streams.owner == {answer: ts}


async def test_of_two_nameless_streams_one_stays(scene: Scene, edge: Edge) -> None:
    place = await scene.root()
    first = await a_stream(scene, place, "The whole")
    await a_stream(scene, place, "The wh")
    await edge.deliver(a_growing(scene, place))
    assert [one["ts"] for one in await scene.said()] == [first]


async def test_a_stream_of_another_delivery_is_left_alone(scene: Scene, edge: Edge) -> None:
    place = await scene.root()
    theirs = await a_stream(scene, place, "Another story")
    scene.streams.foreign = {theirs}
    answer = a_growing(scene, place)
    await edge.deliver(answer)
    assert [one["text"] for one in await scene.said()] == ["Another story", "The whole story."]
    assert scene.row(answer).sent_ts != theirs


async def test_a_stream_of_which_too_little_is_known_is_never_added_to(
    scene: Scene, edge: Edge
) -> None:
    place = await scene.root()
    ts = await a_stream(scene, place, "The whole sto")
    await edge.deliver(a_growing(scene, place, stream_ts=ts, stream_text="The whole"))
    [message] = await scene.said()
    assert message["blocks"][0]["text"] == "The whole story."


async def test_a_private_note_is_seen_by_one_person(scene: Scene, edge: Edge) -> None:
    note = scene.outbox.put(
        OutboxKind.EPHEMERAL, place=await scene.root(OPS), note=Note(text="Only Ines."), user=SARA
    )
    await edge.deliver(note)
    assert scene.row(note).state == "sent"
    [seen] = await scene.bench.ephemerals(SARA)
    assert seen["text"] == "Only Ines."
    assert await scene.said(OPS) == []


async def test_a_status_is_a_courtesy(scene: Scene, edge: Edge) -> None:
    place = await scene.root()

    async def shown(text: str) -> bool:
        return any(one["status"] == text for one in await scene.bench.statuses())

    edge.status.say(place, "Reading the coupon SOP…")
    await scene.bench.until(lambda: shown("Reading the coupon SOP…"))
    await scene.bench.set_fault("slack", "error_before", method="assistant.threads.setStatus")
    edge.status.say(place, "Nobody sees this.")
    edge.status.say(a_place("C0GONE"), "Nor this.")

    async def shown_again() -> bool:
        edge.status.say(place, "Still reading…")
        return await shown("Still reading…")

    await scene.bench.until(shown_again)


# What people press


async def test_a_press_arrives_as_a_decision(scene: Scene, edge: Edge) -> None:
    proposal = a_proposal(place=await scene.root())
    ts = await scene.card(edge, proposal)
    assert (await scene.bench.interact(INES_DM, ts, INES, "Create task"))["ok"]
    incoming = scene.inbox.accepted[-1]
    assert incoming.place == proposal.place
    assert incoming.click is not None
    assert incoming.click.act == "confirm"
    assert incoming.click.proposal_ids == (proposal.id,)
    assert incoming.click.message_ts == ts


async def test_a_forged_press_is_taken_and_ignored(scene: Scene, edge: Edge) -> None:
    proposal = a_proposal(place=await scene.root())
    ts = await scene.card(edge, proposal)
    known = len(scene.inbox.accepted)
    forged = {"action_id": "claw_confirm", "value": f"{proposal.id}:x"}
    assert (await scene.bench.interact(INES_DM, ts, INES, forged))["ok"]
    assert len(scene.inbox.accepted) == known


async def test_only_what_is_ticked_is_created(scene: Scene, edge: Edge) -> None:
    place = await scene.root()
    one, two = a_proposal("one", place=place), a_proposal("two", place=place)
    ts = await scene.card(edge, one, two)
    boxes = next(
        element
        for block in (await scene.said())[0]["blocks"]
        for element in block.get("elements", [])
        if element["type"] == "checkboxes"
    )
    second = {"claw_selection": [boxes["options"][1]["value"]]}
    await scene.bench.interact(INES_DM, ts, INES, "Create selected", state=second)
    click = scene.inbox.accepted[-1].click
    assert click is not None
    assert click.proposal_ids == (two.id,)
    await scene.bench.interact(INES_DM, ts, INES, "Create selected", state={"claw_selection": []})
    [(_, who, note)] = scene.inbox.whispered
    assert (who, note) == (INES, "Please tick at least one of them first.")


def brand(name: str) -> Choice:
    return choice("brand", an_id(name), name)


async def test_a_choice_is_said_once(scene: Scene, edge: Edge) -> None:
    note = Note(text="Which brand?", choices=(brand("Glintly US"), brand("Glintly DE")))
    answer = scene.outbox.put(OutboxKind.ANSWER, place=await scene.root(), note=note)
    await edge.deliver(answer)
    ts = scene.row(answer).sent_ts or ""
    for label in ("Glintly DE", "Glintly US", "Glintly DE"):
        await scene.bench.interact(INES_DM, ts, INES, label)
    assert scene.inbox.texts() == ["hello", "Glintly DE"]


async def test_edit_opens_saves_and_shows_what_is_wrong(scene: Scene, edge: Edge) -> None:
    proposal = a_proposal(place=await scene.root())
    ts = await scene.card(edge, proposal)
    await scene.bench.interact(INES_DM, ts, INES, "Edit")
    [view] = await scene.bench.until(lambda: scene.bench.views(INES))
    scene.revisions.errors = {"due": "The due date lies before the start."}
    refused = await scene.bench.submit_view(INES, view["id"], {"due": "2026-11-01"})
    assert refused["errors"] == {"due": "The due date lies before the start."}
    scene.revisions.errors = None
    saved = await scene.bench.submit_view(INES, view["id"], {"title": "Another title"})
    assert saved["ok"]
    assert await scene.bench.views(INES) == []
    [(incoming, proposal_id, edits)] = scene.revisions.submitted
    assert (proposal_id, incoming.place) == (proposal.id, proposal.place)
    assert edits.title == "Another title"
    assert edits.details == "20% off"


async def test_edit_that_is_not_to_be_had_says_why_to_one_person(scene: Scene, edge: Edge) -> None:
    scene.revisions.form_or_refusal = NotEditable(
        reason="wrong_actor", message="Only Ines Varga can edit this."
    )
    proposal = a_proposal(place=await scene.root(OPS))
    ts = await scene.card(edge, proposal)
    await scene.bench.interact(OPS, ts, SARA, "Edit")
    await eventually(lambda: _is_told(scene))
    assert scene.inbox.whispered == [(proposal.place, SARA, "Only Ines Varga can edit this.")]


async def _is_told(scene: Scene) -> bool:
    return bool(scene.inbox.whispered)


async def test_home_lists_what_waits_and_its_buttons_work(scene: Scene, edge: Edge) -> None:
    proposal = a_proposal(place=await scene.root(OPS))
    scene.proposals.put(proposal)
    await scene.bench.open_home(INES)
    home = await scene.bench.until(lambda: scene.bench.home(INES))
    assert home is not None
    assert "Set up a 20% coupon" in str(home["blocks"])
    await scene.bench.interact_in_view(INES, home["id"], "Create task")
    incoming = scene.inbox.accepted[-1]
    assert incoming.click is not None
    assert incoming.place == proposal.place
    await scene.bench.interact_in_view(INES, home["id"], "Edit")
    [view] = await scene.bench.until(lambda: scene.bench.views(INES))
    assert view["callback_id"] == "claw_edit_task"


async def test_a_full_text_is_shown_from_home_as_well(scene: Scene, edge: Edge) -> None:
    effect = an_effect(body="It is long. " * 300)
    scene.proposals.put(a_proposal(effect=effect, place=await scene.root(OPS)))
    await scene.bench.open_home(INES)
    home = await scene.bench.until(lambda: scene.bench.home(INES))
    assert home is not None

    await scene.bench.interact_in_view(INES, home["id"], "Show the full text")

    [view] = await scene.bench.until(lambda: scene.bench.views(INES))
    assert view["title"]["text"] == "The full text"


async def test_home_is_drawn_afresh_on_demand(scene: Scene, edge: Edge) -> None:
    await edge.deliver(scene.outbox.put(OutboxKind.HOME))
    home = await scene.bench.home(INES)
    assert home is not None
    assert "Nothing is waiting for your word." in str(home["blocks"])


async def test_a_command_is_answered_privately(scene: Scene, edge: Edge) -> None:
    reply = await scene.bench.command(OPS, INES, "/claw", "where")

    assert reply["response"]["text"] == "where:"
    [seen] = await scene.bench.ephemerals(INES)
    assert seen["text"] == "where:"
    assert await scene.said(OPS) == []
    assert scene.inbox.accepted == []
