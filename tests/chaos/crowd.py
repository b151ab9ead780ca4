"""The people of a chaos run: they write, press, say yes and no, and try again, as people do."""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any
from uuid import UUID, uuid4

from ground import Ground, Message
from scripted_model import changed_by, done_at_last

PEOPLE = ("U01INES", "U01TOMAS", "U01SARAL", "U01SARAO", "U01MIG", "U01YUKI")
# Who may change tasks, each one of their own.
CHANGERS = ("U01INES", "U01TOMAS")
CHANNEL = "C01BRIGHT"
YES = ("yes, create it", "go ahead", "yes")
NO = ("no", "cancel that", "never mind")
# So long somebody in a crowd waits before going on to something else.
_PATIENCE_S = 12.0
_EXPIRE = """
update proposals set expires_at = now() - interval '1 second'
where state = 'open' and channel_id = $1 and thread_ts = $2
"""
# A day has twenty answers of one person's schedules, and those of one run are fewer.
_QUESTIONS = 18
# Due at once, and with the job that rings; it may be carried out twice.
_SCHEDULE = """
with set as (
  insert into schedules (id, person_id, team_id, words, timing, work, channel_id, next_at)
  select $1, id, $3, $4, jsonb_build_object('day', now()::date, 'at', '09:00', 'zone', 'UTC',
    'moment', now()), $5, $6, now()
  from profiles where slack_user_id = $2
  on conflict (id) do update set timing = excluded.timing, next_at = excluded.next_at
    where schedules.next_at > now() + interval '1 day'
  returning id)
select procrastinate_defer_jobs_v1(array_agg(
  row('work:' || $3, 'remind', 0, null, null, jsonb_build_object('reminder_id', id), null)
    ::procrastinate_job_to_defer_v1)) from set having count(*) > 0
"""
GO_ON = "Go on in the background"
# It comes by itself on another day, so only a press has it answered.
_TO_BE_RUN = """
insert into schedules (id, person_id, team_id, words, timing, work, channel_id, next_at)
select $1, id, $3, $4, jsonb_build_object('day', (now() + interval '2 days')::date, 'at', '09:00',
  'zone', 'UTC'), 'ask', $5, now() + interval '2 days'
from profiles where slack_user_id = $2 on conflict (id) do nothing
"""
# It comes when the other has been answered, else it is skipped at its own time.
_FOLLOWER = """
with set as (
  insert into schedules (id, person_id, team_id, words, timing, work, channel_id, next_at, after_id)
  select $1, id, $3, $4, jsonb_build_object('day', (now() + interval '30 seconds')::date,
    'at', '09:00', 'zone', 'UTC', 'moment', now() + interval '30 seconds'), 'ask', $5,
    now() + interval '30 seconds', $6
  from profiles where slack_user_id = $2 on conflict (id) do nothing returning id)
select procrastinate_defer_jobs_v1(array_agg(
  row('work:' || $3, 'remind', 0, null, null, jsonb_build_object('reminder_id', id),
    now() + interval '30 seconds')::procrastinate_job_to_defer_v1)) from set having count(*) > 0
"""


@dataclass(frozen=True)
class Said:
    """One message of a person: where it stands and in which thread its answer belongs."""

    channel: str
    ts: str
    thread: str
    text: str


@dataclass(frozen=True)
class Scheduled:
    """A schedule that came due once: where its post belongs, and words that no other post has."""

    id: UUID
    channel: str
    words: str


@dataclass
class Ledger:
    """What people did, to be compared with what came of it."""

    said: list[Said] = field(default_factory=list[Said])
    late: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    scheduled: list[Scheduled] = field(default_factory=list[Scheduled])
    gone_on: list[tuple[Said, str]] = field(default_factory=list[tuple[Said, str]])
    notes: list[str] = field(default_factory=list[str])
    values: list[str] = field(default_factory=list[str])
    # How often Slack was told that a press was taken: by channel, card and person.
    pressed: Counter[tuple[str, str, str]] = field(default_factory=Counter[tuple[str, str, str]])


class Person:
    """Somebody who talks to the assistant, one matter after the other."""

    def __init__(
        self,
        ground: Ground,
        user: str,
        rng: Random,
        ledger: Ledger,
        numbers: Any,
        *,
        patience_s: float = _PATIENCE_S,
    ) -> None:
        self._ground = ground
        self._user = user
        self._rng = rng
        self._ledger = ledger
        self._numbers: itertools.count[int] = numbers
        self._patience_s = patience_s
        self._direct = "D0" + user.removeprefix("U0")
        self._questions_left = _QUESTIONS

    async def live(self, stop: asyncio.Event) -> None:
        """Take up one matter after the other until it is enough."""
        while not stop.is_set():
            matter = self._rng.choices(list(_MATTERS), list(_MATTERS.values()))[0]
            await matter(self)
            await asyncio.sleep(self._rng.uniform(0, 0.1))

    async def _say(self, text: str, *, thread: str = "", channel: str = "") -> Said:
        channel = channel or self._direct
        spoken = text if channel == self._direct else f"<@U01CLAW> {text}"
        ts = await self._ground.bench.post_message(channel, self._user, spoken, thread or None)
        said = Said(channel, ts, thread or ts, text)
        self._ledger.said.append(said)
        return said

    async def _heard(self, said: Said) -> Message | None:
        """Wait for an answer after one's own words."""
        view = self._ground.view
        found = await view.until(
            lambda: view.said(said.channel, said.thread, since=said.ts), self._patience_s
        )
        return found[0] if found else None

    async def ask(self) -> None:
        """Ask something and wait for the answer."""
        words = (
            "hello",
            "hello",
            "due",
            "wrong",
            "garbled",
            "denied",
            "mute",
            "busy",
            "down",
            "refuses",
            "slow",
            "stall",
        )
        await self._heard(await self._say(f"{self._rng.choice(words)} {next(self._numbers)}"))

    async def hear_a_tale(self) -> None:
        """Ask for something long, which grows while it is written."""
        await self._heard(await self._say(f"tale {next(self._numbers)}"))

    async def ask_for_a_file(self) -> None:
        """Ask for a list as a file, and wait until it is there."""
        said = await self._say(f"file {next(self._numbers)}")
        view = self._ground.view
        await view.until(
            lambda: any(one.get("files") for one in view.said(said.channel, said.thread)),
            self._patience_s,
        )

    async def be_reminded(self) -> None:
        """Have a reminder come due, and wait for it."""
        await self._come_due(self._noted(), "remind")

    async def be_answered(self) -> None:
        """Have a question come due that nobody types, and wait for its answer."""
        if self._questions_left:
            self._questions_left -= 1
            await self._come_due(self._noted(), "ask")

    async def run_now(self) -> None:
        """Have a question answered besides its times, by a press at home."""
        if not self._questions_left:
            return
        self._questions_left -= 1
        due, ground = self._noted(), self._ground
        await self._set_for_later(due)
        await self._press_at_home(due)
        await ground.view.until(lambda: ground.view.posted(due.channel, due.words), _PATIENCE_S)

    async def _press_at_home(self, due: Scheduled) -> None:
        """Press until somebody takes it; what came of it is seen in the post."""
        bench, clock = self._ground.bench, asyncio.get_running_loop().time
        deadline = clock() + 10 * self._patience_s
        while clock() < deadline:
            await bench.open_home(self._user)
            view = await bench.home(self._user) or {"id": "", "blocks": []}
            for block in view["blocks"]:
                for element in block.get("elements", ()):
                    if element.get("value") == f"run:{due.id}":
                        pressed = {**element, "block_id": block["block_id"]}
                        if (await bench.interact_in_view(self._user, view["id"], pressed))["ok"]:
                            return
            await asyncio.sleep(0.2)

    async def be_followed(self) -> None:
        """Have a question come due that another one follows, and wait for both."""
        if self._questions_left < 2:
            return
        self._questions_left -= 2
        first, follower, ground = self._noted(), self._noted(), self._ground
        await self._set_for_later(first)
        row = (follower.id, self._user, ground.team_id, follower.words, follower.channel, first.id)
        await ground.execute(_FOLLOWER, *row)
        await self._come_due(first, "ask")
        view = ground.view
        await view.until(lambda: view.posted(follower.channel, follower.words), _PATIENCE_S)

    async def _set_for_later(self, due: Scheduled) -> None:
        row = (due.id, self._user, self._ground.team_id, due.words, due.channel)
        await self._ground.execute(_TO_BE_RUN, *row)

    async def go_on(self) -> None:
        """Have something done in the background that a turn has too few steps for."""
        await self.let_it_go_on(await self.ask_too_much())

    async def ask_too_much(self) -> Said:
        """Ask for it, and wait for the offer."""
        number, view = next(self._numbers), self._ground.view
        said = await self._say(f"long {number}")
        self._ledger.gone_on.append((said, done_at_last(str(number))))
        await view.until(lambda: self._card(said, GO_ON), self._patience_s)
        return said

    async def let_it_go_on(self, said: Said) -> None:
        """Press, and wait for what comes of it."""
        await self._on_card(said, GO_ON, self._press_until_taken, GO_ON)
        view, words = self._ground.view, dict(self._ledger.gone_on)[said]
        await view.until(lambda: words in str(view.said(said.channel, said.thread)), _PATIENCE_S)

    def _noted(self) -> Scheduled:
        due = Scheduled(uuid4(), self._direct, f"hello {next(self._numbers)}")
        self._ledger.scheduled.append(due)
        return due

    async def _come_due(self, due: Scheduled, work: str) -> None:
        ground = self._ground
        row = (due.id, self._user, ground.team_id, due.words, work, due.channel)
        await ground.execute(_SCHEDULE, *row)
        await ground.view.until(lambda: ground.view.posted(due.channel, due.words), _PATIENCE_S)

    async def flood(self) -> None:
        """Say three things without waiting in between."""
        said = [await self._say(f"hello {next(self._numbers)}") for _ in range(3)]
        for one in said:
            await self._heard(one)

    async def press_create(self) -> None:
        await self._propose(self._press_until_taken, "Create task")

    async def press_cancel(self) -> None:
        await self._propose(self._press_until_taken, "Cancel")

    async def press_twice(self) -> None:
        """An impatient hand."""
        await self._propose(self._press_at_once, "Create task")

    async def say_yes(self) -> None:
        await self._propose(self._answer, self._rng.choice(YES))

    async def say_no(self) -> None:
        await self._propose(self._answer, self._rng.choice(NO))

    async def say_yes_twice(self) -> None:
        await self._propose(self._insist, self._rng.choice(YES))

    async def come_late(self) -> None:
        """Say yes when the ten minutes are over."""
        await self._propose(self._answer_late, self._rng.choice(YES))

    async def ask_in_channel(self) -> None:
        """Mention the assistant where two events tell of one message."""
        await self._propose(self._press_until_taken, "Create task", channel=CHANNEL)

    async def add_a_note(self) -> None:
        """Have words added below a task's description."""
        await self._change("note", "Change task")

    async def comment(self) -> None:
        """Have a comment posted."""
        await self._change("remark", "Comment")

    async def set_fields(self) -> None:
        """Have custom fields of a task set, each of which takes a request of its own."""
        await self._change("set", "Change task")

    async def make_checklist(self) -> None:
        """Have a checklist with items made in a task."""
        await self._change("list", "Change task")

    async def _change(self, what: str, label: str) -> None:
        """Have one's own task changed; who may not change any asks something instead."""
        if self._user not in CHANGERS:
            return await self.ask()
        number = next(self._numbers)
        kept = self._ledger.values if what == "set" else self._ledger.notes
        kept.append(changed_by(str(number)))
        said = await self._say(f"{what} {number} {CHANGERS.index(self._user)}")
        return await self._on_card(said, label, self._press_until_taken, label)

    async def hand_over(self) -> None:
        """Have all tasks of a colleague at a client given to another one."""
        said = await self._say("handover")
        await self._on_card(said, "Change tasks", self._press_until_taken, "Change tasks")

    async def _propose(
        self, then: Callable[[Said, str, str], Awaitable[None]], what: str, *, channel: str = ""
    ) -> None:
        said = await self._say(f"job {next(self._numbers)}", channel=channel)
        await self._on_card(said, "Create task", then, what)

    async def _on_card(
        self, said: Said, label: str, then: Callable[[Said, str, str], Awaitable[None]], what: str
    ) -> None:
        """Wait for the card that has a button, and act on it."""
        view = self._ground.view
        card = await view.until(lambda: self._card(said, label), self._patience_s)
        if card is not None:
            await then(said, card["ts"], what)

    def _card(self, said: Said, label: str) -> Message | None:
        for message in reversed(self._ground.view.said(said.channel, said.thread)):
            if label in buttons(message):
                return message
        return None

    async def _press(self, said: Said, ts: str, label: str) -> bool:
        hand = {"channel": said.channel, "messageTs": ts, "user": self._user, "action": label}
        is_taken = bool((await self._ground.bench.control("POST", "interact", hand))["ok"])
        if label != GO_ON:
            self._ledger.pressed[said.channel, ts, self._user] += is_taken
        return is_taken

    async def _press_until_taken(self, said: Said, ts: str, label: str) -> None:
        """Press again while Slack says that nobody took it; then wait for the card to change."""
        view, clock = self._ground.view, asyncio.get_running_loop().time
        deadline = clock() + self._patience_s
        while clock() < deadline:
            card = self._card(said, label)
            if card is None or await self._press(said, ts, label):
                break
            await asyncio.sleep(0.2)
        await view.until(lambda: self._card(said, label) is None, self._patience_s)
        if retry := self._card(said, "Try again"):
            await self._press(said, retry["ts"], "Try again")

    async def _press_at_once(self, said: Said, ts: str, label: str) -> None:
        await asyncio.gather(self._press(said, ts, label), self._press(said, ts, label))
        await self._press_until_taken(said, ts, label)

    async def _answer(self, said: Said, _: str, word: str) -> None:
        await self._heard(await self._say(word, thread=said.thread, channel=said.channel))

    async def _insist(self, said: Said, ts: str, word: str) -> None:
        await self._say(word, thread=said.thread, channel=said.channel)
        await self._answer(said, ts, word)

    async def _answer_late(self, said: Said, ts: str, word: str) -> None:
        done = await self._ground.execute(_EXPIRE, said.channel, said.thread)
        if done == "UPDATE 1":
            self._ledger.late.add((said.channel, said.thread))
        await self._answer(said, ts, word)


_MATTERS: dict[Callable[[Person], Awaitable[None]], int] = {
    Person.ask: 8,
    Person.hear_a_tale: 6,
    Person.ask_for_a_file: 4,
    Person.flood: 2,
    Person.be_reminded: 3,
    Person.be_answered: 5,
    Person.run_now: 2,
    Person.be_followed: 2,
    Person.go_on: 4,
    Person.press_create: 6,
    Person.press_cancel: 2,
    Person.press_twice: 2,
    Person.say_yes: 6,
    Person.say_no: 2,
    Person.say_yes_twice: 2,
    Person.come_late: 2,
    Person.ask_in_channel: 2,
    Person.add_a_note: 3,
    Person.comment: 3,
    Person.set_fields: 4,
    Person.make_checklist: 3,
}


def buttons(message: Message) -> list[str]:
    """The labels of a message's buttons."""
    return [
        element["text"]["text"]
        for block in message.get("blocks") or []
        if block["type"] == "actions"
        for element in block["elements"]
        if element["type"] == "button"
    ]


class Crowd:
    """Everybody at once."""

    def __init__(
        self, ground: Ground, rng: Random, people: tuple[str, ...] = PEOPLE, first: int = 1
    ) -> None:
        self.ledger = Ledger()
        self._stop = asyncio.Event()
        numbers = itertools.count(first)
        self.people = [
            Person(ground, user, Random(rng.random()), self.ledger, numbers) for user in people
        ]
        self._tasks: list[asyncio.Task[None]] = []

    def begin(self) -> None:
        """Let them talk."""
        self._tasks = [asyncio.create_task(person.live(self._stop)) for person in self.people]

    async def end(self) -> None:
        """Let each finish the matter at hand."""
        self._stop.set()
        await asyncio.gather(*self._tasks)

    async def rehearse(self) -> None:
        """Play every matter once, so that every crossing is seen."""
        person = self.people[0]
        for matter in _MATTERS:
            await matter(person)
