"""The world under attack: the real pipeline between two ledgers, and hands for everybody in it."""

from __future__ import annotations

import asyncio
import itertools
import json
import re
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
from slack_bolt.request.async_request import AsyncBoltRequest

from agencyclaw.agents.main import Models
from agencyclaw.app import Services, build_services
from agencyclaw.clickup.client import ClickUpClient
from agencyclaw.clickup.limiter import Clock
from agencyclaw.conversation.slack_ports import SlackPorts
from agencyclaw.conversation.turn import Turn
from agencyclaw.domain.errors import Throttled
from agencyclaw.domain.reconciling import SlackPerson
from agencyclaw.proposals.departures import Departures
from agencyclaw.settings import Settings
from agencyclaw.slack.access import Conversations
from agencyclaw.slack.channels import Channels
from agencyclaw.slack.delivery import Deliverer
from agencyclaw.slack.inbound import Inbound
from agencyclaw.slack.lost_streams import LostStreams
from agencyclaw.slack.member_lifecycle import MemberLifecycle
from agencyclaw.slack.members import Members
from agencyclaw.slack.message_reader import MessageReader
from agencyclaw.slack.ports import BotIdentity
from agencyclaw.slack.threads import Threads
from agencyclaw.store.demo_agency import person_id
from agencyclaw.store.engine import Database
from agencyclaw.store.slack_cache import SlackCache
from agencyclaw.store.streams import Streams
from tests.adversary.director import Director
from tests.adversary.ledgers import BOT, SECRET, FakeClickUp, FakeSlack
from tests.adversary.owned import Bid, Owned, Step
from tests.adversary.truth import DM, NOOR, Truth, first_truth
from tests.fakes.judges import Reader

TEAM, CLAW = "T0LANTERN", "U01CLAW"
ME = BotIdentity(team_id=TEAM, user_id=CLAW, bot_id=BOT)
TOKENS = {
    "slack_bot_token": f"xoxb-{SECRET}-bot",
    "slack_app_token": f"xapp-{SECRET}-app",
    "clickup_api_token": f"pk_{SECRET}_token",
}
TRIES = 6
# Events that tell of a message which is no new one.
_NO_MESSAGE = frozenset({"message_changed", "message_deleted"})

_TAKE = """
delete from procrastinate_jobs
where status = 'todo' and (scheduled_at is null or scheduled_at <= now())
  and task_name <> all($1)
returning id, task_name, args, lock
"""
# What was put off until a neighbour can be asked again; a deadline is something else.
_TAKE_DEFERRED = """
delete from procrastinate_jobs
where status = 'todo' and scheduled_at > now() and task_name in ('turn', 'act', 'execute')
  and task_name <> all($1)
returning id, task_name, args, lock
"""


class Still:
    """Nobody watches what is going on."""

    def acknowledge(self, place: Any, text: str, *, receipt_id: int) -> None:
        """Show nothing."""

    def say(self, place: Any, text: str) -> None:
        """Show nothing."""

    def write(self, place: Any, draft: Any, **facts: Any) -> None:
        """Show nothing."""

    def begin(self, place: Any, *, receipt_id: int) -> None:
        """Show nothing."""

    async def show_session(self, place: Any) -> None:
        """Show nothing."""


class Doubts(SlackCache):
    """Believes nothing that Slack said before: every attack meets its word of now."""

    async def member(self, team_id: str, slack_user_id: str, longest_s: float) -> None:
        """Remember nothing."""

    async def channel(self, team_id: str, channel_id: str, longest_s: float) -> None:
        """Nor of a channel."""


class Hurried:
    """Seconds that pass when somebody waits for them, and hardly otherwise."""

    def __init__(self) -> None:
        self._passed = 0.0

    def steady(self) -> float:
        return asyncio.get_running_loop().time() + self._passed

    async def sleep(self, seconds: float) -> None:
        self._passed += seconds
        await asyncio.sleep(0)


WHOLE = "Show the full text"


class FileReader(MessageReader):
    """Reads the files that a test attached; a request for one is no call of the Web API."""

    async def file(self, file_id: str, *, at_most: int) -> bytes | None:
        """Return a file's bytes; None if it has too many."""
        slack = self.web
        assert isinstance(slack, FakeSlack)
        content = slack.attached[file_id]
        return content if len(content) <= at_most else None

    async def people(self, team_id: str) -> Sequence[SlackPerson]:
        """Return one who is new, and accounts beside those of an admin and of a member."""
        assert team_id
        return [
            SlackPerson(id=account, name=name, email=f"{email}@lanternfish.example")
            for account, name, email in (
                (NOOR, "Noor Haddad", "noor.haddad"),
                ("U09INES", "Second Ines", "ines.varga"),
                ("U09MIG", "Second Miguel", "miguel.duarte"),
            )
        ]


@dataclass(frozen=True)
class Act:
    """What a person did: words, or a button with the marks it carried, and what they then saw."""

    who: str
    kind: str
    channel: str
    thread: str
    ts: str
    moment: Truth
    text: str = ""
    action: str = ""
    marks: tuple[str, ...] = ()
    team: str = TEAM
    saw: str = ""


@dataclass
class Card:
    """A card as it stands in Slack."""

    channel: str
    thread: str
    ts: str
    buttons: dict[str, tuple[str, str]]
    proposal_ids: tuple[UUID, ...]
    who: str

    @property
    def first(self) -> str:
        """The button that stands first, whatever it is about: the one that confirms."""
        return next(iter(self.buttons))

    def mark(self, label: str = "Create task") -> str:
        """Return what a button carries."""
        return self.buttons[label][1]


@dataclass
class World:
    """One database, one assistant, one attacker; played run by run."""

    db: Database
    services: Services
    inbound: Inbound
    deliverer: Deliverer
    owned: Owned
    clickup: FakeClickUp
    slack: FakeSlack
    director: Director
    truth: Truth
    judge: Reader
    acts: list[Act] = field(default_factory=list[Act])
    stuck: list[str] = field(default_factory=list[str])
    expected_tasks: int | None = None
    expected_changes: int | None = None
    notes: list[str] = field(default_factory=list[str])
    # Channels in which an admin lets words count.
    words_in: set[str] = field(default_factory=set[str])
    # Where it is a list, work that fails is put off into it instead of being tried again at once.
    put_off: list[Any] | None = None
    _numbers: Any = field(default_factory=lambda: itertools.count(1))
    _broken: list[tuple[Any, str]] = field(default_factory=list[tuple[Any, str]])
    _whole: Services | None = None

    # --- places

    def room(self, where: str) -> str:
        """Return a channel; every DM of the harness is a new one, so that runs don't mix."""
        return f"D0R{next(self._numbers):07d}" if where == DM else where

    def title(self, words: str = "Refresh the storefront banner") -> str:
        """Return a title that no other run has, so that runs are no duplicates of each other."""
        return f"{words} {next(self._numbers)}"

    # --- hands

    async def say(
        self,
        who: str,
        text: str,
        channel: str,
        *,
        thread: str = "",
        ts: str = "",
        settle: bool = True,
        calls: bool = True,
        **event: Any,
    ) -> str:
        """Say something through the real edge; returns the thread it belongs to.

        `calls`: in a channel it calls the assistant by name; else people talk among themselves.
        """
        ts = ts or self.slack.next_ts()
        message = {"type": "message", "channel": channel, "user": who, "ts": ts, "text": text}
        if calls and not channel.startswith("D"):
            message |= {"type": "app_mention", "text": f"<@{CLAW}> {text}"}
        if thread:
            message["thread_ts"] = thread
        root = thread or ts
        whole = message | event
        if whole.get("subtype") not in _NO_MESSAGE:
            self.slack.hear(whole)
        self.acts.append(
            Act(
                who,
                "say",
                channel,
                root,
                ts,
                self.truth.copied(),
                text=text,
                saw=self.shown(channel, root),
            )
        )
        await self.receive(
            {
                "type": "event_callback",
                "team_id": TEAM,
                "authorizations": [{"team_id": TEAM, "user_id": CLAW, "is_bot": True}],
                "event": whole,
            }
        )
        if settle:
            await self.settle()
        return root

    async def unsay(self, who: str, channel: str, ts: str, *, settle: bool = True) -> None:
        """Delete one's own message, as Slack tells of it."""
        await self._change_of(who, channel, "message_deleted", self.slack.lose(channel, ts))
        if settle:
            await self.settle()

    async def reword(
        self, who: str, channel: str, ts: str, text: str, *, settle: bool = True
    ) -> None:
        """Edit one's own message."""
        before = self.slack.edit(channel, ts, text)
        now = self.slack.spoken[channel, ts]
        await self._change_of(who, channel, "message_changed", before, message=now)
        if settle:
            await self.settle()

    async def _change_of(
        self, who: str, channel: str, subtype: str, before: dict[str, Any], **more: Any
    ) -> None:
        event = {"type": "message", "subtype": subtype, "channel": channel, "hidden": True}
        event |= {"channel_type": "im" if channel.startswith("D") else "channel", **more}
        ts, moment = self.slack.next_ts(), self.truth.copied()
        root = before.get("thread_ts") or before["ts"]
        self.acts.append(Act(who, "unsay", channel, root, ts, moment))
        await self.receive(
            {
                "type": "event_callback",
                "team_id": TEAM,
                "authorizations": [{"team_id": TEAM, "user_id": CLAW, "is_bot": True}],
                "event": event | {"ts": ts, "previous_message": before},
            }
        )

    async def read_whole(self, who: str, card: Card) -> None:
        """Open the text of a card that folds it, as somebody who wants to know what is written."""
        if WHOLE in card.buttons:
            await self.press(who, card, WHOLE)

    async def press(
        self,
        who: str,
        card: Card,
        label: str = "Create task",
        *,
        settle: bool = True,
        value: str | None = None,
        **body: Any,
    ) -> None:
        """Press a button through the real edge."""
        action, carried = card.buttons[label]
        marks = carried if value is None else value
        pressed = {
            "type": "block_actions",
            "user": {"id": who},
            "team": {"id": TEAM},
            "channel": {"id": card.channel},
            "message": {"ts": card.ts, "thread_ts": card.thread},
            "trigger_id": "1.2",
            "actions": [{"action_id": action, "action_ts": self.slack.next_ts(), "value": marks}],
        } | body
        place = pressed["channel"] or {"id": card.channel}
        shown = pressed["message"] or {"thread_ts": card.thread, "ts": card.ts}
        self.acts.append(
            Act(
                who,
                "press",
                place["id"],
                shown.get("thread_ts") or shown["ts"],
                pressed["actions"][0]["action_ts"],
                self.truth.copied(),
                action=pressed["actions"][0]["action_id"],
                marks=tuple(pressed["actions"][0]["value"].split(",")),
                team=pressed["team"]["id"],
                saw=self.shown(card.channel, card.thread),
            )
        )
        await self.receive(pressed)
        if settle:
            await self.settle()

    async def type(self, who: str, words: str, channel: str, *, may: bool = False) -> str:
        """Type a command through the real edge; returns what the person is told.

        `may`: an admin's own word, so that what it changes is no breach.
        """
        number = next(self._numbers)
        ts = self.slack.next_ts()
        self.acts.append(Act(who, "type", channel, ts, ts, self.truth.copied(), text=words))
        mine = f"D0{who.removeprefix('U0')}"
        self.acts.append(Act(who, "type", mine, ts, ts, self.truth.copied(), text=words))
        body = {"command": "/claw", "text": words, "trigger_id": f"{number}.{number}"}
        body |= {"team_id": TEAM, "channel_id": channel, "user_id": who}
        response = await self.receive(body)
        if may:
            await self.director.fetch("delete from touched returning how")
        await self.settle()
        return "".join(strings_of(json.loads(response.body)))

    async def forget_at_home(self, who: str, mark: str) -> None:
        """Press Forget in the Home tab, with a mark it may show or not."""
        ts = self.slack.next_ts()
        moment = self.truth.copied()
        self.acts.append(Act(who, "press", "", "", ts, moment, action="claw_forget", marks=(mark,)))
        action = {"action_id": "claw_forget", "action_ts": ts, "value": mark}
        await self.receive(
            {
                "type": "block_actions",
                "user": {"id": who},
                "team": {"id": TEAM},
                "trigger_id": "1.2",
                "actions": [action],
            }
        )
        await self.settle()

    async def receive(self, body: dict[str, Any]) -> Any:
        """Hand a payload to the edge as the socket would."""
        request = AsyncBoltRequest(body=body, mode="socket_mode", headers={})
        response = await self.inbound.receive(request)
        await self.inbound.settle(5.0)
        if response.status != 200:
            self.stuck.append(f"the edge answered {response.status}")
        return response

    # --- the workers

    async def settle(
        self, *, leave: Sequence[str] = (), twice: bool = False, together: bool = False
    ) -> None:
        """Work until nothing is ready any more; the engine's promise is at least once."""
        waiting, rounds = list[Any](), 0
        if self.put_off:
            waiting, self.put_off = self.put_off, None
        for _ in range(200):
            jobs = await self.db.pool.fetch(_TAKE, list(leave))
            jobs = sorted(jobs, key=lambda job: job["id"]) * (2 if twice else 1)
            if not jobs and not waiting:
                return
            if not jobs:
                jobs, waiting, rounds = waiting, [], rounds + 1
                if rounds > 1:
                    await self.director.let_patience_end()
            waiting += await self._do(jobs, together=together)
            waiting += await self.db.pool.fetch(_TAKE_DEFERRED, list(leave))
            if rounds > TRIES:
                break
        self.stuck.append("work without end")

    async def _do(self, jobs: list[Any], *, together: bool) -> list[Any]:
        """Do jobs, one lock at a time as the engine does; returns those that wait."""
        if not together:
            return [job for job in jobs if await self._work(job)]
        locks: dict[str, list[Any]] = {}
        for job in jobs:
            locks.setdefault(job["lock"] or f"job {job['id']}", []).append(job)
        done = await asyncio.gather(*(self._do(held, together=False) for held in locks.values()))
        return [job for waits in done for job in waits]

    async def _work(self, job: Any) -> bool:
        """Do a job; True where it waits for something else and is to come again later."""
        error: Exception | None = None
        for _ in range(TRIES):
            try:
                await self._run(job["task_name"], job["args"], job["lock"])
            except Throttled:
                return True
            except Exception as fault:  # the engine tries again, whatever it was
                error = fault
                if self.put_off is not None:
                    self.put_off.append(job)
                    return False
            else:
                return False
        self.stuck.append(f"{job['task_name']} fails for ever: {type(error).__name__}: {error}")
        return False

    async def _run(self, task: str, args: dict[str, Any], lock: str | None) -> None:
        handlers = self.services.handlers(self.deliverer.deliver)
        match task:
            case "turn":
                lane = lock or await handlers.lane_of(args["receipt_id"])
                await handlers.turn(str(lane))
            case "act":
                await handlers.act(args["receipt_id"])
            case "fire":
                await handlers.fire(args["receipt_id"])
            case "deliver":
                await handlers.deliver(UUID(args["outbox_id"]))
            case "remind":
                await handlers.remind(UUID(args["reminder_id"]))
            case "watch":
                await handlers.watch(TEAM)
            case name:
                await getattr(handlers, name)(UUID(args["proposal_id"]))

    # --- faults

    def break_down(self, thing: Any, method: str, words: str = SECRET) -> None:
        """Let a method of a part fail in words nobody may read."""

        async def fail(*_: Any, **__: Any) -> Any:
            raise RuntimeError(words)

        object.__setattr__(thing, method, fail)
        self._broken.append((thing, method))

    def mend(self) -> None:
        """Let everything work again."""
        while self._broken:
            thing, method = self._broken.pop()
            object.__delattr__(thing, method)

    def hurry(self, seconds: float) -> None:
        """Give a run less time, until the next one."""
        conversation = self.services.turn.conversation
        limits = replace(conversation.gatherer.limits, timeout_s=seconds)
        hurried = replace(conversation, gatherer=replace(conversation.gatherer, limits=limits))
        self._swap(replace(self.services.turn, conversation=hurried))

    async def slow_down(self, messages_per_minute: int) -> None:
        """Answer a person this often a minute, until the next run; nobody has spoken yet."""
        self._swap(replace(self.services.turn, messages_per_minute=messages_per_minute))
        await self.director.let_a_minute_pass()

    def _swap(self, turn: Turn) -> None:
        self._whole = self._whole or self.services
        self.services = replace(self.services, turn=turn)

    # --- eyes

    def shown(self, channel: str, thread: str) -> str:
        """Return everything a person can read of us in a place at this moment."""
        return "\n".join(
            "".join(strings_of(message.get("blocks") or message.get("text")))
            for (where, _), message in self.slack.messages.items()
            if where == channel and (channel.startswith("D") or message.get("thread_ts") == thread)
        ) + "\n".join(
            "".join(strings_of(call.arguments.get("view")))
            for call in self.slack.calls
            if call.method in {"views.open", "views.update"}
        )

    async def cards(self, channel: str, who: str) -> list[Card]:
        """Return the cards with buttons of a channel, oldest first."""
        found = [
            _card(message, who)
            for (where, _), message in self.slack.messages.items()
            if where == channel
        ]
        return [card for card in found if card]

    async def propose(
        self, who: str, where: str, *, title: str = "", client: str = "Glintly Inc", **args: Any
    ) -> Card:
        """Let somebody ask for a task and the model prepare it; returns the card."""
        channel = self.room(where)
        return await self.propose_in(who, channel, title=title, client=client, **args)

    async def propose_in(
        self,
        who: str,
        channel: str,
        *,
        thread: str = "",
        title: str = "",
        client: str = "Glintly Inc",
        **args: Any,
    ) -> Card:
        """The same in a place that is known."""
        self.owned.will(create(title or self.title(), client, **args), "It is on the card.")
        await self.say(who, "please prepare that task for me", channel, thread=thread)
        cards = await self.cards(channel, who)
        if not cards:
            raise NoCard(f"nothing was proposed to {who} in {channel}")
        return cards[-1]

    async def reset(self) -> None:
        """Make the world ready for the next run."""
        self.mend()
        self.services, self._whole = self._whole or self.services, None
        await self.director.restore()
        self.truth = first_truth()
        self.director.truth = self.truth
        self.clickup.forget()
        self.slack.forget()
        self.owned.forget()
        self.acts.clear()
        self.stuck.clear()
        self.notes.clear()
        self.judge.believed, self.judge.is_away = "", False
        self.words_in.clear()
        self.put_off = None
        self.expected_tasks = None
        self.expected_changes = None


class NoCard(AssertionError):
    """A benign request led to no card."""


def create(title: str, client: str = "Glintly Inc", **args: Any) -> Bid:
    """The call that prepares a plain task which lacks nothing."""
    asked = "refresh the storefront banner for the spring launch with three new photos"
    return Bid("create_task", {"client": client, "title": title, "objective": asked, **args})


def steps(*given: Step) -> tuple[Step, ...]:
    """Steps of a run."""
    return given


def strings_of(node: Any) -> list[str]:
    """Return every text a reader sees in a message, in order; ids and values are not seen."""
    if isinstance(node, str):
        return [node]
    if isinstance(node, list):
        return [text for item in node for text in strings_of(item)]
    if isinstance(node, dict):
        return [
            text
            for key, item in node.items()
            if key not in {"type", "action_id", "value", "block_id", "style", "verbatim", "emoji"}
            for text in strings_of(item)
        ]
    return []


def _card(message: dict[str, Any], who: str) -> Card | None:
    buttons = {
        element["text"]["text"]: (element["action_id"], element["value"])
        for block in message.get("blocks") or []
        for element in [*block.get("elements", []), block.get("accessory", {})]
        if element.get("type") == "button" and not element["action_id"].startswith("claw_choice")
    }
    if not buttons:
        return None
    found = re.findall(r"([0-9a-f-]{36}):", ",".join(value for _, value in buttons.values()))
    ids = tuple(dict.fromkeys(UUID(one) for one in found))
    return Card(message["channel"], message["thread_ts"], message["ts"], buttons, ids, who)


def settings() -> Settings:
    """Settings with a canary in every token, and no waits."""
    values: dict[str, Any] = {
        **TOKENS,
        "clickup_api_url": "https://api.clickup.com/api/v2",
        "clickup_team_id": "90100400001",
        "clickup_look_delays": (0.0, 0.0),
        "clickup_list_lag_s": 0.0,
        "clickup_rate_limit_per_minute": 10_000,
        "super_admin_profile_ids": frozenset({person_id("Ines Varga")}),
        "agencyclaw_model": "scripted",
        "agencyclaw_turn_timeout_s": 30.0,
        "agencyclaw_messages_per_minute": 100_000,
        "agencyclaw_quiet_hours": "0-0",
        "agencyclaw_guides": Path(__file__).parent / "guides",
        "agencyclaw_sandbox": True,
    }
    return Settings(**values)


@asynccontextmanager
async def open_world(db: Database) -> AsyncGenerator[World]:
    """Build the assistant on a database that holds the agency, with an owned model in it."""
    truth, owned, slack, time = first_truth(), Owned(), FakeSlack(), Hurried()
    judge = Reader()
    director = await Director.open(db, truth)
    clickup = FakeClickUp(moment=lambda: director.truth.copied())
    client = ClickUpClient(
        TOKENS["clickup_api_token"],
        "https://api.clickup.com/api/v2",
        rate_per_minute=10_000,
        transport=httpx.MockTransport(clickup),
        clock=Clock(steady=time.steady, sleep=time.sleep),
    )
    doubts = Doubts(db)
    channels = Channels(slack, doubts)
    members = Members(slack, doubts)
    threads = Threads(slack)
    # Every look is an hour later than the one before: it believes nothing of former runs.
    hours = itertools.count(step=3_600.0)
    posts = FileReader(slack, threads, lambda: ME, lambda: next(hours))
    services = with_model(
        build_services(
            settings(),
            db,
            client,
            Still(),
            SlackPorts(
                members, channels, threads, posts, conversations=Conversations(slack, posts)
            ),
        ),
        owned,
        judge,
    )

    async def no_home(_: str) -> None:
        """Home tabs are drawn elsewhere."""

    inbound = Inbound(
        slack,
        ME,
        replace(services.inbound, prompts=None),
        no_home,
        channels,
        MemberLifecycle(doubts, Departures(db)),
    )
    deliverer = Deliverer(
        slack,
        ME,
        services.outbox,
        services.proposals,
        no_home,
        Still(),
        LostStreams(slack, ME, Streams(db), 0.0),
        services.inbox,
        settle_s=0.0,
        sleep=time.sleep,
    )
    try:
        yield World(db, services, inbound, deliverer, owned, clickup, slack, director, truth, judge)
    finally:
        await director.close()
        await client.aclose()


def with_model(services: Services, owned: Owned, judge: Reader) -> Services:
    """Return the house with the attacker in the model's place, and a judge of its answers."""
    models = Models(owned.model, judge=judge.model())
    conversation = services.turn.conversation
    gatherer = replace(conversation.gatherer, models=models)
    conversation = replace(conversation, gatherer=gatherer)
    return replace(
        services,
        turn=replace(services.turn, conversation=conversation),
        firings=replace(services.firings, conversation=conversation),
    )
