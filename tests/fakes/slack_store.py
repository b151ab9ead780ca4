"""Stores in memory for the Slack room, and proposals to put into them."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID, uuid5

from agencyclaw.conversation.feedback import FeedbackReview
from agencyclaw.conversation.task_links import TaskLinks
from agencyclaw.domain.choices import Choice
from agencyclaw.domain.clients import Named
from agencyclaw.domain.commands import CommandReply, SlashCommand
from agencyclaw.domain.edits import EditForm, NotEditable, TaskEdits
from agencyclaw.domain.effects import EFFECT, Effect
from agencyclaw.domain.errors import Unavailable
from agencyclaw.domain.feedback import RatingPress, RatingRefused
from agencyclaw.domain.memory import MemoryLine
from agencyclaw.domain.people import ChannelFacts, ChannelKind, Membership, Place
from agencyclaw.domain.proposals import Proposal, ProposalState, fingerprint
from agencyclaw.domain.receipts import (
    Delivery,
    Incoming,
    Note,
    OutboxKind,
    SessionUpdate,
    ShownCard,
)
from agencyclaw.domain.sops import Source
from agencyclaw.domain.task_changes import TaskState
from agencyclaw.domain.task_creation import Assignee, CreateTask, Destination
from agencyclaw.proposals.departures import Departures
from agencyclaw.slack.ports import HomePorts
from agencyclaw.store.homes import Homes

TEAM = "T0LANTERN"
INES = "U01INES"
INES_DM = "D01INES"
OPS = "C01OPS"
CLAW = "U01CLAW"
BOT = "B01CLAW"
NAMESPACE = UUID("6f1d0a52-0000-4000-8000-000000000000")
EXPIRES = datetime(2026, 11, 21, 14, 32, tzinfo=UTC)


def an_id(name: str) -> UUID:
    return uuid5(NAMESPACE, name)


def a_place(channel: str = INES_DM, thread_ts: str = "1700000000.000100") -> Place:
    direct = channel.startswith("D")
    return Place(team_id=TEAM, channel_id=channel, thread_ts=thread_ts, is_direct=direct)


def an_effect(title: str = "Set up a 20% coupon", **changes: object) -> CreateTask:
    values: dict[str, object] = {
        "client": Named(id=an_id("Copperleaf"), name="Copperleaf"),
        "brand": Named(id=an_id("Copperleaf Kitchen"), name="Copperleaf Kitchen"),
        "destination": Destination(list_id="9001", list_name="Promotions", space_name="Copperleaf"),
        "title": title,
        "body": "20% off the garlic press.\n\n- [ ] Check the margin\n- [ ] Set the dates",
        "identifiers": ("B0CF7GARL1",),
        "assignee": Assignee(profile_id=an_id("Yuki"), name="Yuki Tan"),
        "start": date(2026, 11, 23),
        "timezone": "Europe/Lisbon",
        "sources": (
            Source(
                tier="sop",
                id="sop-1",
                title="Coupon set-up",
                version="3",
                url="https://app.clickup.com/1/v/dc/2",
                confidence="high",
            ),
        ),
        "unresolved": ("End date of the coupon",),
    }
    return CreateTask.model_validate(values | changes)


def a_proposal(
    name: str = "coupon",
    *,
    effect: Effect | None = None,
    state: ProposalState = ProposalState.OPEN,
    place: Place | None = None,
    **changes: object,
) -> Proposal:
    # As a row gives it back: every field was written out.
    effect = EFFECT.validate_python((effect or an_effect()).model_dump(mode="json"))
    place = place or a_place()
    values: dict[str, object] = {
        "id": an_id(name),
        "receipt_id": 1,
        "run_id": an_id("run"),
        "place": place,
        "actor_profile_id": an_id("Ines"),
        "actor_slack_user_id": INES,
        "actor_name": "Ines Varga",
        "effect": effect,
        "fingerprint": fingerprint(effect, an_id("Ines"), place),
        "state": state,
        "created_at": datetime(2026, 11, 21, 14, 22, tzinfo=UTC),
        "expires_at": EXPIRES,
    }
    return Proposal.model_validate(values | changes)


@dataclass
class FakeInbox:
    """Receipts in a list; `failures` are raised first, one per call."""

    failures: list[Exception] = field(default_factory=list)
    threads: set[tuple[str, str, str]] = field(default_factory=set)
    accepted: list[Incoming] = field(default_factory=list)
    overheard: list[Incoming] = field(default_factory=list)
    whispered: list[tuple[Place, str, str]] = field(default_factory=list)
    forwarded: list[tuple[str, int, Place]] = field(default_factory=list)
    tries: int = 0
    on_accept: Callable[[Incoming], None] = lambda _: None

    async def accept(self, incoming: Incoming) -> int | None:
        self.tries += 1
        if self.failures:
            raise self.failures.pop(0)
        if any(one.key == incoming.key for one in self.accepted):
            return None
        self.accepted.append(incoming)
        self.on_accept(incoming)
        return len(self.accepted)

    async def accept_in_thread(self, incoming: Incoming, *, mentions_others: bool) -> bool:
        place = incoming.place
        takes_part = (place.team_id, place.channel_id, place.thread_ts) in self.threads
        if takes_part and not mentions_others:
            await self.accept(incoming)
        return takes_part and not mentions_others

    async def forward(self, key: str, receipt_id: int, place: Place) -> None:
        self.forwarded.append((key, receipt_id, place))

    async def overhear(self, incoming: Incoming) -> None:
        self.overheard.append(incoming)

    async def post_ephemeral(self, place: Place, slack_user_id: str, text: str) -> None:
        self.whispered.append((place, slack_user_id, text))

    def texts(self) -> list[str]:
        return [one.text for one in self.accepted]


@dataclass
class Row:
    """One delivery and its state."""

    delivery: Delivery
    state: str = "pending"
    sent_ts: str | None = None
    error: str | None = None
    sending_at: float | None = None
    attempts: int = 0
    failures: int = 0
    shown_hash: str | None = None


@dataclass
class FakeOutbox:
    """Deliveries in a dict, with the state machine of the real outbox."""

    rows: dict[UUID, Row] = field(default_factory=dict)
    answered: dict[tuple[str, str], str] = field(default_factory=dict)

    def put(
        self,
        kind: OutboxKind,
        *,
        place: Place | None = None,
        note: Note | None = None,
        proposals: tuple[UUID, ...] = (),
        user: str | None = INES,
    ) -> UUID:
        seq = len(self.rows) + 1
        delivery = Delivery(
            id=an_id(f"delivery {seq}"),
            key=f"key {seq}",
            kind=kind,
            place=place or a_place(),
            slack_user_id=user,
            proposal_ids=proposals,
            note=note,
        )
        self.rows[delivery.id] = Row(delivery)
        return delivery.id

    async def claim(self, outbox_id: UUID) -> Delivery | None:
        row = self.rows.get(outbox_id)
        if row is None or row.state not in ("pending", "sending"):
            return None
        was_sending = row.state == "sending"
        row.state = "sending"
        row.sending_at = row.sending_at or time.time()
        row.attempts += 1
        return row.delivery.model_copy(
            update={
                "was_sending": was_sending,
                "sending_at": row.sending_at,
            }
        )

    async def sent(self, outbox_id: UUID, ts: str | None, shown_hash: str | None = None) -> None:
        row = self.rows[outbox_id]
        row.state, row.sent_ts, row.error = "sent", ts or row.sent_ts, None
        row.shown_hash = shown_hash or row.shown_hash

    async def sent_first(self, outbox_id: UUID, ts: str) -> None:
        await self.sent(outbox_id, ts)

    async def postpone(self, outbox_id: UUID, error: str) -> None:
        row = self.rows[outbox_id]
        row.state, row.sending_at, row.error = "pending", None, error

    async def count_failure(self, outbox_id: UUID) -> int:
        self.rows[outbox_id].failures += 1
        return self.rows[outbox_id].failures

    async def dead_letter(self, outbox_id: UUID, error: str) -> None:
        row = self.rows[outbox_id]
        row.state, row.error = "dead", error

    async def cards_of(self, proposal_id: UUID) -> list[ShownCard]:
        return [
            ShownCard(
                outbox_id=row.delivery.id,
                channel_id=row.delivery.place.channel_id,
                ts=row.sent_ts,
                proposal_ids=row.delivery.proposal_ids,
            )
            for row in self.rows.values()
            if row.delivery.kind is OutboxKind.CARD
            and row.sent_ts
            and proposal_id in row.delivery.proposal_ids
        ]

    async def offered(self, place: Place, ts: str) -> tuple[Choice, ...]:
        if (place.channel_id, ts) in self.answered:
            return ()
        for row in self.rows.values():
            note = row.delivery.note
            if row.sent_ts == ts and row.delivery.place.channel_id == place.channel_id and note:
                return note.choices
        return ()

    async def pressed(self, place: Place, ts: str, label: str) -> None:
        self.answered[place.channel_id, ts] = label


async def fake_full_text(proposal: Proposal) -> str:
    """The body of every effect as its full text."""
    return proposal.effect.preview().body


class FakeMemory:
    """Remembers nothing."""

    async def lines(self, team_id: str, slack_user_id: str) -> list[MemoryLine]:
        return []

    async def press(self, act: Incoming) -> str:
        return ""


class FakeFeedback(FeedbackReview):
    """Refuses every rating."""

    def __init__(self) -> None:
        pass

    async def rate(self, rated: RatingPress) -> RatingRefused:
        return RatingRefused("refused", "Not here.")


class FakeTaskLinks(TaskLinks):
    """No link leads to a task."""

    def __init__(self) -> None:
        pass

    async def shown(
        self, place: Place, slack_user_id: str, addresses: Sequence[str]
    ) -> dict[str, TaskState]:
        return {}


class FakeDepartures(Departures):
    """Ends nothing."""

    def __init__(self) -> None:
        pass

    async def archived(self, team_id: str, channel_id: str) -> None:
        pass

    async def left(self, team_id: str, slack_user_id: str, *, is_gone: bool) -> None:
        pass


class FakeHomes(Homes):
    """Keeps no tab up to date."""

    def __init__(self) -> None:
        pass

    async def opened(self, team_id: str, slack_user_id: str, *, sees_all: bool) -> None:
        pass

    async def redraw_soon(self, team_id: str, slack_user_id: str) -> None:
        pass


async def nobody_elses(_: str, __: str) -> list[Proposal] | None:
    return None


async def all_of_them(_: str, __: str, proposals: Sequence[Proposal]) -> list[Proposal]:
    return list(proposals)


async def no_banner(_: str, __: str) -> str:
    return ""


def fake_home() -> HomePorts:
    """What a person who is no admin sees."""
    return HomePorts(nobody_elses, all_of_them, homes=FakeHomes(), banner=no_banner)


@dataclass
class FakeAudit:
    """Audit rows in a list."""

    rows: list[tuple[str, str, dict[str, Any]]] = field(default_factory=list)

    async def turned_away(
        self, reason: str, *, slack_user_id: str, payload: dict[str, Any]
    ) -> None:
        self.rows.append((reason, slack_user_id, payload))


@dataclass
class FakeProposals:
    """Proposals in a dict."""

    stored: dict[UUID, Proposal] = field(default_factory=dict)

    def put(self, *proposals: Proposal) -> tuple[UUID, ...]:
        self.stored |= {proposal.id: proposal for proposal in proposals}
        return tuple(proposal.id for proposal in proposals)

    def change(self, proposal_id: UUID, **changes: object) -> None:
        self.stored[proposal_id] = self.stored[proposal_id].model_copy(update=changes)

    async def by_ids(self, ids: list[UUID]) -> list[Proposal]:
        return [self.stored[one] for one in ids if one in self.stored]

    async def to_show(self, ids: list[UUID]) -> list[Proposal]:
        return await self.by_ids(ids)

    async def waiting_for(self, team_id: str, slack_user_id: str) -> list[Proposal]:
        return [
            one
            for one in self.stored.values()
            if one.state is ProposalState.OPEN
            and one.place.team_id == team_id
            and one.actor_slack_user_id == slack_user_id
        ]

    async def recent_of(self, team_id: str, slack_user_id: str) -> list[Proposal]:
        return []


@dataclass
class FakeCommands:
    """Carries commands out by saying them back; one fails."""

    typed: list[SlashCommand] = field(default_factory=list[SlashCommand])

    async def carry_out(self, typed: SlashCommand) -> CommandReply:
        self.typed.append(typed)
        if typed.name == "fail":
            raise Unavailable("the database is down")
        return CommandReply(text=f"{typed.name}: {typed.rest}")


@dataclass
class FakeStreams:
    """One stream at most, that nobody begins."""

    owner: dict[UUID, str] = field(default_factory=dict)
    foreign: set[str] = field(default_factory=set)

    async def begin(self, receipt_id: int, run_id: UUID) -> UUID | None:
        return None

    async def left_by(self, receipt_id: int) -> tuple[UUID, str | None, float] | None:
        return None

    async def own(self, outbox_id: UUID, ts: str) -> None:
        self.owner[outbox_id] = ts

    async def begin_write(self, outbox_id: UUID) -> bool:
        return True

    async def end_write(self, outbox_id: UUID) -> None:
        pass

    async def at_rest(self, row: Delivery, longest_s: float) -> Delivery | None:
        return row

    async def record_text(self, outbox_id: UUID, text: str, *, is_whole: bool = False) -> bool:
        return True

    async def owned(self, place: Place, ts: list[str]) -> set[str]:
        return (self.foreign | set(self.owner.values())) & set(ts)


@dataclass
class FakeSlackCache:
    """What Slack said of people, with a clock of its own."""

    now: float = 0.0
    said: dict[str, tuple[float, Membership]] = field(default_factory=dict)
    channels: dict[str, tuple[float, ChannelFacts]] = field(default_factory=dict)
    kinds: dict[str, ChannelKind] = field(default_factory=dict)

    async def member(self, team_id: str, slack_user_id: str, longest_s: float) -> Membership | None:
        at, membership = self.said.get(slack_user_id, (self.now - longest_s, Membership.GONE))
        return membership if self.now - at < longest_s else None

    async def ask_about_member(self, team_id: str, slack_user_id: str) -> datetime:
        return datetime.fromtimestamp(self.now, UTC)

    async def keep_member(
        self, team_id: str, slack_user_id: str, membership: Membership, asked_at: datetime
    ) -> None:
        self.said[slack_user_id] = (asked_at.timestamp(), membership)

    async def drop_member(self, team_id: str, slack_user_id: str) -> None:
        self.said.pop(slack_user_id, None)

    async def channel(self, team_id: str, channel_id: str, longest_s: float) -> ChannelFacts | None:
        at, facts = self.channels.get(channel_id, (0.0, None))
        is_direct = facts is not None and facts.kind is ChannelKind.DIRECT
        return facts if is_direct or self.now - at < longest_s else None

    async def ask_about_channel(self, team_id: str, channel_id: str) -> datetime:
        return datetime.fromtimestamp(self.now, UTC)

    async def keep_channel(
        self, team_id: str, channel_id: str, facts: ChannelFacts, asked_at: datetime
    ) -> None:
        self.channels[channel_id] = (asked_at.timestamp(), facts)
        self.kinds[channel_id] = facts.kind

    async def keep_kind(self, team_id: str, channel_id: str, kind: ChannelKind) -> None:
        self.kinds[channel_id] = kind

    async def kind(self, team_id: str, channel_id: str) -> ChannelKind | None:
        return self.kinds.get(channel_id)

    async def drop_channel(self, team_id: str, channel_id: str, *, is_shared: bool = False) -> None:
        self.channels.pop(channel_id, None)


@dataclass
class FakeSessions:
    """Threads that were marked; none of them is ever to be shown."""

    marked: list[Place] = field(default_factory=list)
    answered: set[Place] = field(default_factory=set[Place])

    async def is_awaited(self, place: Place) -> bool:
        return place not in self.answered

    async def mark(self, places: Sequence[Place]) -> None:
        self.marked += places

    async def next(self, team_id: str, busy_s: float) -> SessionUpdate | None:
        return None

    async def shown(self, showing: SessionUpdate, *, as_it_is: bool = True) -> None:
        raise AssertionError("nothing is shown")

    async def not_shown(self, showing: SessionUpdate, after_s: float, *, is_certain: bool) -> None:
        raise AssertionError("nothing is shown")


@dataclass
class FakeRevisions:
    """One form for every proposal; what is submitted is kept, or answered with `errors`."""

    form_or_refusal: EditForm | NotEditable = field(
        default_factory=lambda: EditForm(
            title="Set up a 20% coupon",
            details="20% off",
            start=date(2026, 11, 23),
            assignee=an_id("Yuki"),
            people=(
                Named(id=an_id("Yuki"), name="Yuki Tan"),
                Named(id=an_id("Mig"), name="Miguel Duarte"),
            ),
        )
    )
    errors: dict[str, str] | NotEditable | None = None
    failure: Exception | None = None
    submitted: list[tuple[Incoming, UUID, TaskEdits]] = field(default_factory=list)

    async def form(
        self, proposal_id: UUID, *, team_id: str, slack_user_id: str
    ) -> EditForm | NotEditable:
        return self.form_or_refusal

    async def submit(
        self, incoming: Incoming, proposal_id: UUID, edits: TaskEdits
    ) -> dict[str, str] | NotEditable | None:
        if self.failure:
            raise self.failure
        if self.errors:
            return self.errors
        self.submitted.append((incoming, proposal_id, edits))
        return None
