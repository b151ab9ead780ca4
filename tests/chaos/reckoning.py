"""The verdict: what people did, against Slack's messages, ClickUp's tasks and the database."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from changes import judge_changes
from crowd import Ledger, Said, Scheduled, buttons
from ground import BOT, Ground, Message
from processes import PATIENCE_S
from scripted_model import title_of

from agencyclaw.domain.receipts import GOES_ON, message_key

_MARKER = re.compile(r"agencyclaw run=\S+ key=([0-9a-f]{32})")
_NOBODY = "nobody's"
# How a change may end other than done, of which the person was told.
_TOLD = ("changed_since", "undecided")
# So many letters of the end are looked for: enough to tell an old version from the last one.
_TAIL = 40
# Kinds of deliveries that stand in Slack as messages of their own.
_STANDING = ("answer", "notice", "card", "file")
_UNDER_WAY = """
select (select count(*) from slack_event_receipts
    where team_id = $1 and status = 'received') as receipts,
  (select count(*) from procrastinate_jobs where status in ('todo', 'doing')
    and task_name <> 'expire' and split_part(queue_name, ':', 2) in ($1, '')) as jobs,
  (select count(*) from outbox
    where team_id = $1 and state in ('streaming', 'pending', 'sending')) as deliveries,
  (select count(*) from slack_sessions where team_id = $1 and changed_at is not null) as threads,
  (select count(*) from proposals where team_id = $1 and (
    state in ('draft', 'confirmed', 'executing')
    or (state = 'unclear' and reason = 'looking'))) as proposals
"""
# A failed one may be tried again when its time is over: it is the first consent that counts.
_PROPOSALS = """
select p.id, p.state, p.reason, p.arguments ->> 'kind' as kind, p.confirmed_by, p.channel_id,
  p.thread_ts, p.expires_at,
  (select min(r.received_at) from agent_events e
    join slack_event_receipts r on r.id = (e.payload ->> 'receipt_id')::bigint
    where e.proposal_id = p.id and e.event_type = 'consent_confirm' and e.reason = 'confirmed'
  ) as consented_at
from proposals p where p.team_id = $1
"""

# What code says of a neighbour that is away: kept with the receipt, the run or the effect. Whom the
# model refuses for good is told so.
_TURNED_AWAY = """
with refused as (
  select id from slack_event_receipts where payload ->> 'text' ~ '^(refuses|denied) '
)
select 'receipt ' || id || ': ' || reason from slack_event_receipts
where reason in ('membership_unknown', 'uncertain')
union all
select 'run ' || id || ': ' || (output_payload ->> 'reason') from agent_runs
where run_type = 'main' and output_payload ->> 'reason' like 'Model%'
  and receipt_id not in (select id from refused)
union all
select 'effect ' || proposal_id || ': ' || event_type || ' ' || coalesce(reason, '')
from agent_events where event_type = 'effect_given_back'
  or reason in ('waited_in_vain', 'misconfigured', 'not_written', 'not_begun')
union all
select 'words ' || key || ': ' || left(body ->> 'text', 90) from outbox
where (body ->> 'text' like '%try again in a minute%'
    or body ->> 'text' like '%be reached right now%')
  and (receipt_id is null or receipt_id not in (select id from refused))
"""


@dataclass
class Verdict:
    """What was lost and what was doubled, each in words."""

    lost: list[str] = field(default_factory=list[str])
    doubled: list[str] = field(default_factory=list[str])
    answered: int = 0
    set_aside: int = 0
    created: int = 0
    changed: int = 0
    fired: int = 0
    gone_on: int = 0
    turned_away: list[str] = field(default_factory=list[str])
    asked: int = field(default=0, compare=False)

    @property
    def is_clean(self) -> bool:
        """True when nothing was lost and nothing doubled."""
        return not self.lost and not self.doubled


async def settle(ground: Ground, seconds: float = PATIENCE_S) -> dict[str, int]:
    """Wait until nothing is under way any more; returns what still is when time is up.

    Threads are shown at Slack's pace, forty a minute: as long as they get fewer there is time.
    """
    clock = asyncio.get_running_loop().time
    deadline, fewest = clock() + seconds, 1_000_000
    left: dict[str, int] = {}
    while clock() < deadline:
        async with ground.database() as database:
            left = {
                k: v
                for k, v in dict(await database.fetchrow(_UNDER_WAY, ground.team_id)).items()
                if v
            }
        left |= {"events": n} if (n := len(ground.bench.storage.all("slack/deliveries"))) else {}
        if not left:
            return {}
        if left.keys() == {"threads"} and left["threads"] < fewest:
            deadline, fewest = clock() + seconds, left["threads"]
        await asyncio.sleep(0.1)
    return left


async def try_again(ground: Ground) -> int:
    """Press every "Try again" that stands on a card; returns how many there were."""
    pressed = 0
    for channel in (await ground.bench.state())["channels"]:
        for message in await ground.bench.messages(channel["id"]):
            if message.get("user") == BOT and "Try again" in buttons(message):
                user = channel.get("user") or _asker(ground, channel["id"], message["thread_ts"])
                hand = {"channel": channel["id"], "messageTs": message["ts"], "user": user}
                await ground.bench.control("POST", "interact", {**hand, "action": "Try again"})
                pressed += 1
    return pressed


def _asker(ground: Ground, channel: str, thread: str) -> str:
    root: dict[str, Any] = ground.bench.storage.get(f"slack/messages/{channel}", thread) or {}
    return str(root["user"])


def _is_answered(receipt: Any, answers: set[int], redrawn: set[str]) -> bool:
    """Who cancels by a click sees the card change under it, and no further message.

    Of several presses that came too late, one is told; the card says it to all of them. What
    schedules leave, and what goes on in the background, is judged by its words.
    """
    if receipt["event_type"] in ("firing", "command"):
        return True
    is_click, reason = receipt["event_type"] == "click", receipt["reason"] or ""
    if is_click and (reason == "cancelled" or reason.startswith("already_")):
        about = json.loads(receipt["payload"])["click"]["proposal_ids"]
        return receipt["id"] in answers or redrawn.issuperset(about)
    return receipt["id"] in answers


def _redrawn(rows: list[Any]) -> set[str]:
    """The proposals whose card was drawn again as what became of them."""
    keys = [row["key"].split(":") for row in rows if row["state"] == "sent"]
    return {key[1] for key in keys if key[0] == "redraw"}


async def reckon(ground: Ground, ledger: Ledger) -> Verdict:
    """Compare the ledgers."""
    verdict = Verdict()
    async with ground.database() as database:
        receipts = {
            row["event_key"]: row
            for row in await database.fetch(
                "select * from slack_event_receipts where team_id = $1", ground.team_id
            )
        }
        rows = await database.fetch(
            "select * from outbox where team_id = $1 order by seq", ground.team_id
        )
        proposals = await database.fetch(_PROPOSALS, ground.team_id)
        turned_away = await database.fetch(_TURNED_AWAY)
        verdict.turned_away = [row[0] for row in turned_away]
    verdict.asked = len(receipts)
    messages = _owned(await _messages(ground), rows)
    seen = _seen(messages)
    people = {user["id"] for user in ground.bench.storage.all("slack/users")}
    here = [row for row in rows if row["slack_user_id"] in people or not _is_of_nobody(row)]
    _judge_deliveries(verdict, here, seen)
    judge_words(verdict, rows, messages)
    judge_cards(verdict, rows, messages, {row["id"] for row in proposals if row["state"] == "open"})
    asking = {row["thread_ts"] for row in proposals if row["state"] == "open"}
    await _judge_streams(verdict, ground, asking)
    answers, redrawn = _answers(rows, seen), _redrawn(rows)
    for said in ledger.said:
        receipt = receipts.get(message_key(ground.team_id, said.channel, said.ts))
        _judge_answer(verdict, said, receipt, answers)
    for key, receipt in receipts.items():
        if receipt["status"] == "done" and not _is_answered(receipt, answers, redrawn):
            verdict.lost.append(f"receipt {key} ({receipt['reason']}) has no visible answer")
    judge_presses(verdict, ledger, list(receipts), ground.team_id)
    replies = _replies(rows, receipts)
    by_itself = [one for one in messages if _delivery_of(one)[0] not in replies]
    judge_schedules(verdict, ledger.scheduled, by_itself)
    judge_background(verdict, ledger.gone_on, receipts, messages)
    _judge_effects(verdict, proposals, await _tasks(ground, verdict), ledger)
    await judge_changes(verdict, ledger, ground)
    return verdict


def _replies(rows: list[Any], receipts: dict[str, Any]) -> set[str]:
    """The deliveries that tell what came of a press at home: they may quote a schedule's words."""
    presses = {one["id"] for one in receipts.values() if one["event_type"] == "command"}
    return {str(row["id"]) for row in rows if row["receipt_id"] in presses}


async def _messages(ground: Ground) -> list[Message]:
    """Everything the assistant said that stands in Slack."""
    return [
        message
        for channel in (await ground.bench.state())["channels"]
        for message in ground.bench.storage.all(f"slack/messages/{channel['id']}")
        if message.get("user") == BOT
    ]


def _owned(messages: list[Message], rows: list[Any]) -> list[Message]:
    """Mark files with the delivery that owns them: Slack takes no metadata with a file."""
    owners = {row["file_id"]: str(row["id"]) for row in rows if row["file_id"]}

    def marked(message: Message) -> Message:
        [file] = message["files"]
        payload = {"id": owners.get(file["id"], _NOBODY), "part": 0}
        return {**message, "metadata": {"event_payload": payload}}

    return [marked(one) if one.get("files") else one for one in messages]


def _delivery_of(message: Message) -> tuple[str, int]:
    """The delivery that a message is, and which part of it."""
    payload = (message.get("metadata") or {}).get("event_payload") or {}
    return str(payload.get("id", _NOBODY)), int(payload.get("part", 0))


def _seen(messages: list[Message]) -> Counter[tuple[str, int]]:
    """How often each part of each delivery stands in Slack."""
    return Counter(_delivery_of(message) for message in messages)


def _judge_deliveries(verdict: Verdict, rows: list[Any], seen: Counter[tuple[str, int]]) -> None:
    known = {str(row["id"]) for row in rows}
    for (delivery, part), times in seen.items():
        if delivery not in known:
            verdict.doubled.append(f"{times} messages of no delivery stand there ({delivery})")
        elif times > 1:
            verdict.doubled.append(f"delivery {delivery} part {part} stands {times} times")
    for row in rows:
        if row["state"] != "sent":
            verdict.lost.append(f"delivery {row['key']} is {row['state']}: {row['error']}")
        elif row["kind"] in _STANDING and not seen[str(row["id"]), 0]:
            verdict.lost.append(f"delivery {row['key']} is called sent and nobody sees it")


def _is_of_nobody(row: Any) -> bool:
    """Whether it is an alert to an admin who has no account in this workspace: there is no way."""
    return row["key"].startswith("fault:") and row["error"] == "user_not_found"


def judge_words(verdict: Verdict, rows: list[Any], messages: list[Message]) -> None:
    """What stands there ends as what was to be said: nothing old lies on top, nothing is cut."""
    shown = {
        _delivery_of(message)[0]: _letters(json.dumps(_content(message))) for message in messages
    }
    for row in rows:
        if row["kind"] in ("answer", "notice") and str(row["id"]) in shown:
            words = json.loads(row["body"]).get("text") or ""
            if _letters(json.dumps(words))[-_TAIL:] not in shown[str(row["id"])]:
                verdict.lost.append(f"delivery {row['key']} shows other words than it has")


def _content(message: Message) -> list[Any]:
    return [message.get("text"), message.get("blocks")]


def _letters(text: str) -> str:
    """Letters and digits only: links, marks and blanks are written otherwise in Slack."""
    return "".join(char for char in text.lower() if char.isalnum())


def judge_schedules(verdict: Verdict, scheduled: list[Scheduled], messages: list[Message]) -> None:
    """What came due was posted once, or somebody was told that it could not be answered."""
    for due in scheduled:
        # What was skipped names what it should have followed.
        texts = [str(_content(one)).replace("because “", "") for one in messages]
        quoting = [text for text in texts if f"“{due.words}”" in text]
        times = len(quoting)
        verdict.fired += times
        if times == 0:
            verdict.lost.append(f"what came due of “{due.words}” ({due.id})")
        if times > 1:
            verdict.doubled.append(f"“{due.words}” ({due.id}) was posted {times} times: {quoting}")


def judge_presses(verdict: Verdict, ledger: Ledger, keys: list[str], team_id: str) -> None:
    """A press that Slack was told is taken was stored, else nobody ever acts on it."""
    stored = Counter(key.rsplit(":", 2)[0] for key in keys)
    for (channel, card, user), times in ledger.pressed.items():
        missing = times - stored[f"click:{team_id}:{channel}:{card}:{user}"]
        if missing > 0:
            verdict.lost.append(f"{missing} presses of {user} on the card {card}")


def judge_background(
    verdict: Verdict,
    gone_on: list[tuple[Said, str]],
    receipts: dict[str, Any],
    messages: list[Message],
) -> None:
    """What went on in the background came to its result once, and what did not came to none."""
    for said, words in gone_on:
        begun = [
            one["status"]
            for key, one in receipts.items()
            if key.startswith(GOES_ON) and one["slack_ts"] == said.ts
        ]
        times = sum(words in str(_content(one)) for one in messages)
        verdict.gone_on += times
        if times > len(begun):
            verdict.doubled.append(f"“{words}” was posted {times} times, begun {len(begun)} times")
        if not times and "done" in begun:
            verdict.lost.append(f"what went on of “{said.text}”")


def judge_cards(
    verdict: Verdict, rows: list[Any], messages: list[Message], waiting: set[Any]
) -> None:
    """Only a card of which something waits may still ask."""
    shown = {_delivery_of(message): message for message in messages}
    for row in rows:
        card = shown.get((str(row["id"]), 0)) if row["kind"] == "card" else None
        if (
            card
            and "Create task" in buttons(card)
            and not waiting.intersection(row["proposal_ids"])
        ):
            verdict.lost.append(f"the end of what the card {row['key']} still asks")


async def _judge_streams(verdict: Verdict, ground: Ground, asking: set[str]) -> None:
    """No message grows for ever, and no thread stays at work, or waits with nothing to wait for."""
    for channel in (await ground.bench.state())["channels"]:
        for message in ground.bench.storage.all(f"slack/messages/{channel['id']}"):
            if message.get("streaming_state") == "in_progress":
                verdict.lost.append(f"the end of the stream at {message['ts']}")
    for thread, session in (await ground.bench.sessions()).items():
        if session["status"] == "processing":
            verdict.lost.append(f"the thread {thread} stays at work")
        if session["status"] == "suspended" and thread not in asking:
            verdict.lost.append(f"the thread {thread} waits with nothing to wait for")


def _answers(rows: list[Any], seen: Counter[tuple[str, int]]) -> set[int]:
    """The receipts that somebody got words for."""
    return {
        row["receipt_id"]
        for row in rows
        if row["receipt_id"] is not None
        and (seen[str(row["id"]), 0] or (row["kind"] == "ephemeral" and row["state"] == "sent"))
    }


def _judge_answer(verdict: Verdict, said: Said, receipt: Any, answers: set[int]) -> None:
    if receipt is None:
        verdict.lost.append(f"“{said.text}” ({said.ts}) was never stored")
    elif receipt["status"] == "received":
        verdict.lost.append(f"“{said.text}” ({said.ts}) was never handled")
    elif receipt["id"] not in answers:
        verdict.lost.append(f"“{said.text}” ({said.ts}) has no answer")
    else:
        verdict.answered += 1
        verdict.set_aside += receipt["status"] == "dead"


def _is_ours(task: Message) -> bool:
    return task["name"].startswith(title_of(""))


def _marker(task: Message) -> str:
    found = _MARKER.search(f"{task.get('description')} {task.get('markdown_description')}")
    return found[1] if found else "no marker"


async def _tasks(ground: Ground, verdict: Verdict) -> Counter[str]:
    """How many tasks carry each proposal's marker."""
    tasks = await ground.bench.clickup_tasks()
    for name, times in Counter(task["name"] for task in tasks if _is_ours(task)).items():
        if times > 1:
            verdict.doubled.append(f"{times} tasks are called “{name}”")
    return Counter(_marker(task) for task in tasks if _is_ours(task))


def _judge_effects(
    verdict: Verdict, proposals: list[Any], tasks: Counter[str], ledger: Ledger
) -> None:
    known = {row["id"].hex for row in proposals}
    for key in tasks.keys() - known:
        verdict.doubled.append(f"a task of no proposal: {key}")
    for row in proposals:
        if row["kind"] == "create_task":
            _judge_effect(verdict, row, tasks[row["id"].hex], ledger)
        elif row["state"] == "done":
            verdict.changed += 1
        elif row["confirmed_by"] is not None and row["reason"] not in _TOLD:
            verdict.lost.append(f"the end of a change ({row['state']} {row['reason'] or ''})")


def _judge_effect(verdict: Verdict, row: Any, times: int, ledger: Ledger) -> None:
    name = f"proposal {row['id']} ({row['state']} {row['reason'] or ''})"
    if times > 1:
        verdict.doubled.append(f"{name} has {times} tasks")
    if row["state"] == "draft":
        verdict.lost.append(f"the end of {name}: its message has ended and nobody was shown it")
    if row["confirmed_by"] is None:
        if times:
            verdict.doubled.append(f"{name} has a task and no consent")
        return
    if not times:
        verdict.lost.append(f"{name} was confirmed and has no task")
        return
    verdict.created += 1
    if row["state"] != "done":
        verdict.lost.append(f"{name} has a task and nobody was told")
    came, ended = row["consented_at"], row["expires_at"]
    if came is None:
        verdict.doubled.append(f"{name} was carried out on no consent that is on record")
    elif came >= ended or (row["channel_id"], row["thread_ts"]) in ledger.late:
        late = f"of {came:%H:%M:%S} where it ended at {ended:%H:%M:%S}"
        verdict.doubled.append(f"{name} was carried out on a late consent, {late}")
