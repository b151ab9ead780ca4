"""The verdict: what people did, against Slack's messages, ClickUp's tasks and the database."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from crowd import Ledger, Said, buttons
from ground import BOT, Ground

from agencyclaw.domain.receipts import message_key
from agencyclaw.store.lanternfish import read_places

_MARKER = re.compile(r"agencyclaw run=\S+ key=([0-9a-f]{32})")
_UNDER_WAY = """
select (select count(*) from slack_event_receipts where status = 'received') as receipts,
  (select count(*) from procrastinate_jobs
    where status in ('todo', 'doing') and task_name <> 'expire') as jobs,
  (select count(*) from outbox where state in ('streaming', 'pending', 'sending')) as deliveries,
  (select count(*) from proposals where state in ('draft', 'confirmed', 'executing')
    or (state = 'unclear' and reason = 'looking')) as proposals
"""
_PROPOSALS = """
select p.id, p.state, p.reason, p.confirmed_by, p.channel_id, p.thread_ts, p.expires_at,
  r.received_at as consented_at,
  (select count(*) from agent_events e where e.proposal_id = p.id
    and e.event_type = 'consent_confirm' and e.reason = 'confirmed') as consents
from proposals p left join slack_event_receipts r on r.id = p.confirming_receipt_id
"""


@dataclass
class Verdict:
    """What was lost and what was doubled, each in words."""

    lost: list[str] = field(default_factory=list[str])
    doubled: list[str] = field(default_factory=list[str])
    answered: int = 0
    set_aside: int = 0
    created: int = 0

    @property
    def is_clean(self) -> bool:
        """True when nothing was lost and nothing doubled."""
        return not self.lost and not self.doubled


async def settle(ground: Ground, seconds: float) -> dict[str, int]:
    """Wait until nothing is under way any more; returns what still is when time is up."""
    deadline = asyncio.get_running_loop().time() + seconds
    left: dict[str, int] = {}
    while asyncio.get_running_loop().time() < deadline:
        async with ground.database() as database:
            left = {k: v for k, v in dict(await database.fetchrow(_UNDER_WAY)).items() if v}
        left |= {"events": n} if (n := len(ground.bench.storage.all("slack/deliveries"))) else {}
        if not left:
            return {}
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
    """Who cancels by a click sees the card change under it, and no further message."""
    if receipt["event_type"] == "click" and receipt["reason"] == "cancelled":
        return redrawn.issuperset(json.loads(receipt["payload"])["click"]["proposal_ids"])
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
            for row in await database.fetch("select * from slack_event_receipts")
        }
        rows = await database.fetch("select * from outbox order by seq")
        proposals = await database.fetch(_PROPOSALS)
    seen = await _seen(ground)
    _judge_deliveries(verdict, rows, seen)
    await _judge_streams(verdict, ground)
    answers, redrawn = _answers(rows, seen), _redrawn(rows)
    team = read_places()["slack_team"]
    for said in ledger.said:
        receipt = receipts.get(message_key(team, said.channel, said.ts))
        _judge_answer(verdict, said, receipt, answers)
    for key, receipt in receipts.items():
        if receipt["status"] == "done" and not _is_answered(receipt, answers, redrawn):
            verdict.lost.append(f"receipt {key} ({receipt['reason']}) has no visible answer")
    _judge_effects(verdict, proposals, await _tasks(ground), ledger)
    return verdict


async def _seen(ground: Ground) -> Counter[tuple[str, int]]:
    """How often each part of each delivery stands in Slack."""
    seen: Counter[tuple[str, int]] = Counter()
    for channel in (await ground.bench.state())["channels"]:
        for message in ground.bench.storage.all(f"slack/messages/{channel['id']}"):
            payload = (message.get("metadata") or {}).get("event_payload") or {}
            if "id" in payload:
                seen[payload["id"], int(payload.get("part", 0))] += 1
            elif message.get("user") == BOT:
                seen["nobody's", 0] += 1
    return seen


def _judge_deliveries(verdict: Verdict, rows: list[Any], seen: Counter[tuple[str, int]]) -> None:
    for (delivery, part), times in seen.items():
        if times > 1:
            verdict.doubled.append(f"delivery {delivery} part {part} stands {times} times")
    for row in rows:
        if row["state"] != "sent":
            verdict.lost.append(f"delivery {row['key']} is {row['state']}: {row['error']}")
        elif row["kind"] in ("answer", "notice", "card") and not seen[str(row["id"]), 0]:
            verdict.lost.append(f"delivery {row['key']} is called sent and nobody sees it")


async def _judge_streams(verdict: Verdict, ground: Ground) -> None:
    """No message grows for ever or is nobody's, and no thread stays at work."""
    for channel in (await ground.bench.state())["channels"]:
        for message in ground.bench.storage.all(f"slack/messages/{channel['id']}"):
            if message.get("streaming_state") and not message.get("metadata"):
                verdict.doubled.append(f"a stream of nobody stands at {message['ts']}")
            if message.get("streaming_state") == "in_progress":
                verdict.lost.append(f"the end of the stream at {message['ts']}")
    for thread, session in (await ground.bench.sessions()).items():
        if session["status"] == "processing":
            verdict.lost.append(f"the thread {thread} stays at work")


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


async def _tasks(ground: Ground) -> Counter[str]:
    """How many tasks carry each proposal's marker."""
    tasks = await ground.bench.clickup_tasks()
    return Counter(
        found[1]
        for task in tasks
        if (
            found := _MARKER.search(f"{task.get('description')} {task.get('markdown_description')}")
        )
    )


def _judge_effects(
    verdict: Verdict, proposals: list[Any], tasks: Counter[str], ledger: Ledger
) -> None:
    known = {row["id"].hex for row in proposals}
    for key in tasks.keys() - known:
        verdict.doubled.append(f"a task of no proposal: {key}")
    for row in proposals:
        _judge_effect(verdict, row, tasks[row["id"].hex], ledger)


def _judge_effect(verdict: Verdict, row: Any, times: int, ledger: Ledger) -> None:
    name = f"proposal {row['id']} ({row['state']} {row['reason'] or ''})"
    if times > 1:
        verdict.doubled.append(f"{name} has {times} tasks")
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
    too_late = row["consents"] == 1 and row["consented_at"] >= row["expires_at"]
    if too_late or (row["channel_id"], row["thread_ts"]) in ledger.late:
        verdict.doubled.append(f"{name} was carried out on a late consent")
