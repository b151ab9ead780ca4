"""Reads the ledger of a play from the database and from ClickUp's log."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import date
from typing import Any, cast
from uuid import UUID

from pydantic_ai.messages import ModelMessagesTypeAdapter, ModelResponse, ToolCallPart

from agencyclaw.domain.bulk_changes import UpdateTasks
from agencyclaw.domain.changes import Preview
from agencyclaw.domain.choices import Choice
from agencyclaw.domain.effects import EFFECT, Effect, kind_of
from agencyclaw.domain.replies import ENDINGS
from agencyclaw.domain.task_changes import UpdateTask
from agencyclaw.domain.task_creation import CreateTask
from agencyclaw.domain.task_fields import KEY
from agencyclaw.store.engine import fetch_one
from evals.ledger import KeptProposal, Ledger, MadeCall, NewTask, PlayedTurn
from evals.world import World

_MARK = """
select coalesce((select max(seq) from outbox), 0) as outbox,
  coalesce((select max(id) from slack_event_receipts), 0) as receipt,
  array(select id from agent_events) as events,
  array(select id from proposals order by created_at, ordinal) as proposals,
  coalesce((select proposal_ids from outbox where kind = 'card' order by seq desc limit 1), '{}')
    as newest_card,
  (select body -> 'choices' from outbox where kind = 'answer' order by seq desc limit 1) as choices
"""
_RUNS = """
select id, receipt_id, status from agent_runs
where receipt_id > $1 and run_type = 'main' order by started_at
"""
_MESSAGES = """
select content from agent_messages where run_id = $1 and role = 'assistant' order by id
"""
_RESULTS = """
select tool_call_id, payload from agent_skill_events
where run_id = $1 and event_type = 'skill_result'
"""
# Tokens and costs are those of the message: sub-agents and earlier attempts have runs of their own.
_USAGE = """
select count(*) filter (where run_id = $2 and stage <> 'summary') as requests,
  coalesce(sum(total_tokens), 0) as tokens, sum(cost_usd) as cost_usd,
  (array_agg(prompt_tokens order by id) filter (where stage = 'main'))[1] as sent,
  (array_agg((meta ->> 'cached')::int order by id) filter (where stage = 'main'))[1] as cached
from ai_token_usage where run_id in (select id from agent_runs where receipt_id = $1)
"""
_CONDENSED = "select text from thread_summaries order by covers_until desc limit 1"
_ABOUT = """
select c.name from playbook_sessions s left join agency_clients c on c.id = s.active_client_id
order by s.last_message_at desc limit 1
"""
_GAPS = """
select question from knowledge_gaps where settled_at is null and chosen_id is null
order by first_asked, id
"""
# The answer to the person, not that of a trial which follows it, and not a newcomer's welcome.
_OUTBOX = """
select kind, body, proposal_ids from outbox o
where seq > $1 and key not like 'welcome:%' and not (
  kind = 'answer' and exists (
    select from agent_runs r where r.id = o.run_id and r.run_type = 'heartbeat'))
order by seq
"""
_EVENTS = """
select event_type, reason from agent_events where id <> all($1::uuid[])
order by created_at, event_type
"""
_PROPOSALS = "select * from proposals order by created_at, ordinal"
_UNSETTLED = """
select 'receipt ' || id || ' is ' || status as trouble from slack_event_receipts
where status not in ('done', 'ignored')
union all
select 'proposal ' || ordinal || ' is ' || state from proposals
where state in ('draft', 'confirmed', 'executing')
union all
select 'run is ' || status from agent_runs where status = 'running'
union all
select kind || ' ' || key || ' is ' || state from outbox where state <> 'sent'
"""


@dataclass(frozen=True)
class Mark:
    """What there is at one moment: the newest ids, all events and proposals, and the choices."""

    outbox: int
    receipt: int
    events: list[UUID]
    proposals: list[UUID]
    newest_card: tuple[UUID, ...]
    choices: tuple[Choice, ...]
    log: int
    at_ms: int


async def mark_now(world: World) -> Mark:
    """Return what there is now."""
    row = await fetch_one(world.db.pool, _MARK)
    log = world.bench.storage.log()
    return Mark(
        outbox=row["outbox"],
        receipt=row["receipt"],
        events=row["events"],
        proposals=row["proposals"],
        newest_card=tuple(row["newest_card"]),
        choices=tuple(Choice.model_validate(one) for one in row["choices"] or ()),
        log=log[-1]["seq"] if log else 0,
        at_ms=int(time.time() * 1000),
    )


async def read_turn(
    world: World, mark: Mark, said: str, seconds: float, *, was_possible: bool
) -> PlayedTurn:
    """Return the results of one turn."""
    pool = world.db.pool
    posts = await pool.fetch(_OUTBOX, mark.outbox)
    events = await pool.fetch(_EVENTS, mark.events)
    refused = [row["reason"] for row in events if row["event_type"] == "tool_refused"]
    answers = [row["body"] for row in posts if row["kind"] == "answer"]
    return PlayedTurn(
        said=said,
        was_possible=was_possible,
        answer=answers[-1]["text"] if answers else None,
        answers=len(answers),
        choices=tuple(one["label"] for one in answers[-1]["choices"]) if answers else (),
        notices=_texts(posts, "notice"),
        whispers=_texts(posts, "ephemeral"),
        condensed=await pool.fetchval(_CONDENSED) or "",
        about=await pool.fetchval(_ABOUT) or "",
        cards=sum(len(row["proposal_ids"]) for row in posts if row["kind"] == "card"),
        events=tuple(_event(row) for row in events if row["event_type"] != "tool_refused"),
        refused=tuple(sorted(refused)),
        seconds=round(seconds, 4),
        **await _read_run(pool, mark.receipt),
    )


def _texts(posts: list[Any], kind: str) -> tuple[str, ...]:
    return tuple(row["body"]["text"] for row in posts if row["kind"] == kind)


def _event(row: Any) -> str:
    return f"{row['event_type']}:{row['reason']}" if row["reason"] else str(row["event_type"])


async def _read_run(pool: Any, after: int) -> dict[str, Any]:
    """Return what the turn's run did; empty if code alone answered."""
    runs = await pool.fetch(_RUNS, after)
    if not runs:
        return {}
    run = runs[-1]
    results = {row["tool_call_id"]: row["payload"] for row in await pool.fetch(_RESULTS, run["id"])}
    contents = [row["content"] for row in await pool.fetch(_MESSAGES, run["id"])]
    usage = await pool.fetchrow(_USAGE, run["receipt_id"], run["id"])
    return {
        "status": run["status"],
        "calls": tuple(_call(part, results) for part in _calls_in(contents)),
        "requests": usage["requests"],
        "tokens": usage["tokens"],
        "cost_usd": usage["cost_usd"],
        "sent": usage["sent"] or 0,
        "cached": usage["cached"] or 0,
    }


def _calls_in(contents: list[Any]) -> list[ToolCallPart]:
    return [
        part
        for message in ModelMessagesTypeAdapter.validate_python(contents)
        if isinstance(message, ModelResponse)
        for part in message.parts
        if isinstance(part, ToolCallPart) and part.tool_name not in ENDINGS
    ]


def _call(part: ToolCallPart, results: dict[str, Any]) -> MadeCall:
    result = results.get(part.tool_call_id, {}).get("result")
    kept = cast("dict[str, Any]", result) if isinstance(result, dict) else {}
    return MadeCall(tool=part.tool_name, args=part.args_as_dict(), result=kept)


async def read_ledger(
    world: World, before: Mark, today: date, turns: tuple[PlayedTurn, ...]
) -> Ledger:
    """Return everything a play left behind since `before`."""
    pool = world.db.pool
    log = world.bench.storage.log(before.log)
    writes = tuple(
        entry["operation"]
        for entry in log
        if entry["target"] == "clickup" and entry["method"] != "GET"
    )
    new, changed = await _touched_tasks(world, before) if writes else ((), ())
    return Ledger(
        today=today,
        turns=turns,
        proposals=tuple(_proposal(row) for row in await pool.fetch(_PROPOSALS)),
        tasks=new,
        changed=changed,
        writes=writes,
        gaps=tuple(row["question"] for row in await pool.fetch(_GAPS)),
        unsettled=tuple(row["trouble"] for row in await pool.fetch(_UNSETTLED)),
    )


async def _touched_tasks(
    world: World, before: Mark
) -> tuple[tuple[NewTask, ...], tuple[NewTask, ...]]:
    """Return the tasks that are new since then, and older ones that changed."""
    tasks = await world.bench.clickup_tasks()
    touched = [task for task in tasks if int(task["date_updated"]) >= before.at_ms]
    new = [task for task in touched if int(task["date_created"]) >= before.at_ms]
    old = [task for task in touched if task not in new]
    return tuple(map(_task, new)), tuple(map(_task, old))


def _writes_of(effect: Effect) -> int:
    """Return how many requests an effect takes: one per task, custom field and checklist item."""
    match effect:
        case UpdateTasks():
            return sum(map(_writes_of, effect.tasks))
        case UpdateTask():
            custom = sum(name.startswith(KEY) for name in effect.fields)
            return custom + (custom < len(effect.fields))
        case _:
            return 1


def _proposal(row: Any) -> KeptProposal:
    effect = EFFECT.validate_python(row["arguments"])
    preview = effect.preview()
    return KeptProposal(
        kind=kind_of(type(effect)),
        changes=_writes_of(effect),
        undo=row["undo_of"] is not None,
        client=effect.clients[0].name if len(effect.clients) == 1 else "",
        brand=_name_of(getattr(effect, "brand", None)),
        title=effect.label,
        state=row["state"],
        reason=row["reason"],
        actor=row["actor_name"],
        confirmed_by_actor=row["confirmed_by"] == row["actor_profile_id"],
        sources=tuple(source.title for source in preview.sources),
        missing=preview.missing,
        **(_of_task(effect) if isinstance(effect, CreateTask) else _of_others(preview)),
    )


def _name_of(named: Any) -> str | None:
    return named.name if named else None


def _of_task(effect: CreateTask) -> dict[str, Any]:
    return {
        "list": effect.destination.list_name,
        "details": effect.details,
        "body": effect.body,
        "assignee": effect.assignee.name if effect.assignee else None,
        "start": effect.start,
        "due": effect.due,
        "starts": effect.promotion.starts if effect.promotion else None,
        "ends": effect.promotion.ends if effect.promotion else None,
        "identifiers": effect.identifiers,
        "pending": effect.identifiers_pending,
        "anyway": effect.create_anyway,
    }


def _of_others(preview: Preview) -> dict[str, Any]:
    told = "\n".join(f"{name}: {value}" for name, value in preview.fields)
    return {"body": f"{preview.headline}\n{told}\n{preview.body}"}


def _task(task: dict[str, Any]) -> NewTask:
    return NewTask(
        list=task["list"]["name"],
        title=task["name"],
        assignees=tuple(str(person["username"]) for person in task["assignees"]),
        body=task.get("markdown_description") or task.get("description") or "",
        archived=bool(task.get("archived")),
    )
