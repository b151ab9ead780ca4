"""Nobody's flood is anybody else's delay, and a lane that is full says so."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import pytest
from acting import MIGUEL, OPS, SARA_L, ScriptedModel, minded, whispered
from pydantic_ai.messages import ModelMessage
from pydantic_ai.models.function import AgentInfo
from stage import Stage

from agencyclaw.conversation.fixed_texts import lane_full
from agencyclaw.store.engine import Database
from agencyclaw.store.queue_connection import QueueLimits
from workbench.fixture import Bench


class Gate:
    """A model that holds every message with "hold" in it until it is told to go on."""

    def __init__(self) -> None:
        self.open = asyncio.Event()
        self.running: list[str] = []
        self.most = 0
        self.mind = ScriptedModel(self.answer)

    async def answer(self, messages: list[ModelMessage], info: AgentInfo) -> Any:
        said = self.mind.heard().rpartition("\n")[2]
        if "hold" in said:
            self.running.append(said)
            self.most = max(self.most, len(self.running))
            await self.open.wait()
            self.running.remove(said)
        return f"Hello to {said}."


@pytest.fixture
def gate() -> Gate:
    return Gate()


@pytest.fixture
async def held(bench: Bench, agency: Database, gate: Gate) -> AsyncGenerator[Stage]:
    """An assistant for four conversations at once, two of one person, three messages a lane."""
    limits = {"concurrency": 4, "person_limit": 2, "lane_limit": 3}
    settings = {f"agencyclaw_{name}": value for name, value in limits.items()}
    async with minded(bench, agency, gate.mind, **settings) as stage:
        try:
            yield stage
        finally:
            gate.open.set()


async def mention(stage: Stage, words: str) -> str:
    return await stage.bench.post_message(OPS, MIGUEL, f"<@U01CLAW> {words}")


async def stored(stage: Stage, number: int) -> bool:
    return number == await stage.db.pool.fetchval("select count(*) from slack_event_receipts")


async def test_a_flood_of_one_person_delays_nobody_else_and_is_answered_whole(
    held: Stage, gate: Gate
) -> None:
    roots: list[str] = []
    for number in range(12):
        roots.append(await mention(held, f"hold {number}"))
        # Slack promises no order of events, and only those that are stored count.
        await held.bench.until(lambda: stored(held, len(roots)))
    await held.bench.until(lambda: len(gate.running) == 3)

    other = await held.say(SARA_L, "hello")
    assert "Hello to" in (await held.reply(SARA_L, other))["text"]
    assert len(gate.running) == 3
    gate.open.set()
    for root in roots:
        await held.reply_in(OPS, root)
    assert gate.most == 3


async def test_a_full_lane_tells_who_may_have_spoken_to_somebody_else_alone(
    held: Stage, gate: Gate
) -> None:
    root = await mention(held, "hello")
    await held.reply_in(OPS, root)
    await held.settled()
    for number in range(3):
        await held.bench.post_message(OPS, MIGUEL, f"<@U01CLAW> hold {number}", root)
    await held.bench.until(lambda: stored(held, 4))

    await held.bench.post_message(OPS, MIGUEL, "hold 3", root)

    assert lane_full(3) in await whispered(held, MIGUEL, lane_full(3))
    assert len(await held.replies_in(OPS, root)) == 1


async def test_a_lane_that_is_full_says_so_once_and_goes_on(held: Stage, gate: Gate) -> None:
    roots = [await held.say(MIGUEL, f"hold {number}") for number in range(3)]
    await held.bench.until(lambda: stored(held, 3))
    too_much = [await held.say(MIGUEL, f"hold {number}") for number in range(3, 6)]

    async def notes() -> list[str]:
        replies = [await held.replies(MIGUEL, root) for root in too_much]
        return [message["text"] for found in replies for message in found]

    assert await held.bench.until(notes) == [lane_full(3)]
    await held.bench.until(lambda: stored(held, 6))
    gate.open.set()
    for root in roots:
        assert "Hello to" in (await held.reply(MIGUEL, root))["text"]
    await held.settled()
    rows = await held.db.pool.fetch(
        "select status, reason, count(*) from slack_event_receipts group by 1, 2 order by 1"
    )
    assert [tuple(row) for row in rows] == [("done", None, 3), ("ignored", "lane_full", 3)]
    assert await notes() == [lane_full(3)]
    again = await held.say(MIGUEL, "hello again")
    assert "Hello to" in (await held.reply(MIGUEL, again))["text"]


async def test_different_people_are_answered_side_by_side(held: Stage, gate: Gate) -> None:
    await held.say(MIGUEL, "hold one")
    await held.say(SARA_L, "hold two")

    await held.bench.until(lambda: len(gate.running) == 2)


async def test_of_two_messages_at_once_the_second_knows_the_first(held: Stage, gate: Gate) -> None:
    both = await asyncio.gather(held.say(MIGUEL, "hold one"), held.say(MIGUEL, "hold two"))
    await held.bench.until(lambda: gate.running)
    gate.open.set()
    for root in both:
        await held.reply(MIGUEL, root)

    assert gate.most == 1
    told = "\n".join(str(message) for message in gate.mind.told[-1])
    assert "hold one" in told
    assert "hold two" in told
    assert "Hello to" in told


_HEARTBEAT = """
with run as (
  insert into agent_runs (run_type, run_key, status, team_id, place, channel_id, thread_ts, source,
    trace_id, session_id, actor_profile_id, input_payload, completed_at)
  select 'heartbeat', 'heartbeat:1', 'completed', team_id, place, channel_id, thread_ts, source,
    '', session_id, actor_profile_id, input_payload, now()
  from agent_runs limit 1 returning id
)
insert into agent_messages (run_id, role, content)
select run.id, m.role, replace(m.content::text, 'hello', 'MUMBLE')::jsonb
from run, agent_messages m
"""


async def test_what_unattended_runs_said_is_not_in_anybodys_history(
    held: Stage, gate: Gate
) -> None:
    await held.reply(MIGUEL, await held.say(MIGUEL, "hello"))
    await held.settled()
    await held.db.pool.execute(_HEARTBEAT)
    copied = await held.db.pool.fetchval("select string_agg(content::text, '') from agent_messages")
    await held.reply(MIGUEL, await held.say(MIGUEL, "and now"))

    told = "\n".join(str(message) for message in gate.mind.told[-1])
    assert "MUMBLE" in copied
    assert "hello" in told
    assert "MUMBLE" not in told


def test_a_press_finds_room_where_every_conversation_is_busy() -> None:
    room = QueueLimits({"turns": 2, "crowd": 1})
    queues = ["work", "turns", "crowd"]

    assert room.open_queues(queues, []) == queues
    assert room.open_queues(queues, ["crowd"]) == ["work", "turns"]
    assert room.open_queues(queues, ["crowd", "turns"]) == ["work"]
    assert room.open_queues(queues, ["turns", "turns", "work", "work"]) == ["work"]
