"""Plays a conversation between the workbench's Slack and the assistant; keeps what was seen."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, cast

from pydantic_ai.messages import (
    ModelMessagesTypeAdapter,
    ModelRequest,
    SystemPromptPart,
    ToolReturnPart,
    UserPromptPart,
)

from agencyclaw.domain.replies import ENDINGS
from agencyclaw.store.engine import fetch_one
from agencyclaw.tools.visible_texts import is_feedback
from evals.conversations.cases import Act, Conversation
from evals.stage import move_into_the_past
from evals.threads.cases import ASSISTANT
from evals.threads.playing import Script, Thread, open_thread
from evals.world import Ground, slack_id_of

_NEWEST = "select coalesce(max(id), 0) from slack_event_receipts"
_USAGE = """
select count(*) as requests, coalesce(sum(u.total_tokens), 0) as tokens,
  (array_agg(u.prompt_tokens order by u.id) filter (where u.stage = 'main'))[1] as first
from ai_token_usage u join agent_runs r on r.id = u.run_id where r.receipt_id > $1
"""
_REQUESTS = """
select m.content from agent_messages m join agent_runs r on r.id = m.run_id
where r.receipt_id > $1 and m.role <> 'assistant' order by m.id
"""
_SAID = SystemPromptPart | UserPromptPart | ToolReturnPart


@dataclass(frozen=True)
class PlayedAct:
    """What came of an act: what a person saw new or changed, and what it took.

    `first` are the tokens of the first request; `sent_back` is why answers were not delivered.
    """

    act: Act
    was_possible: bool
    seen: tuple[str, ...]
    requests: int
    tokens: int
    first: int
    sent_back: tuple[str, ...]
    seconds: float


@dataclass
class PlayedConversation:
    """How a conversation went."""

    conversation: Conversation
    acts: list[PlayedAct] = field(default_factory=list[PlayedAct])


async def play(
    ground: Ground, conversation: Conversation, model: str, script: Script | None = None
) -> PlayedConversation:
    """Play a conversation with a model of pydantic-ai, or with a script."""
    played = PlayedConversation(conversation)
    user = slack_id_of(conversation.person)
    channel = conversation.channel or "D0" + user.removeprefix("U0")
    async with open_thread(ground, channel, script, model) as thread:
        for act in conversation.acts:
            played.acts.append(await _play_act(thread, act, act.by or conversation.person))
    return played


async def _play_act(thread: Thread, act: Act, person: str) -> PlayedAct:
    user = slack_id_of(person)
    after = await thread.db.pool.fetchval(_NEWEST)
    before = await _shown(thread, user)
    began = time.perf_counter()
    was_possible = await _do(thread, act, user)
    await thread.at_rest()
    seconds = time.perf_counter() - began
    now = await _shown(thread, user)
    usage = await fetch_one(thread.db.pool, _USAGE, after)
    return PlayedAct(
        act=act,
        was_possible=was_possible,
        seen=tuple(text for ts, text in now.items() if before.get(ts) != text),
        requests=usage["requests"],
        tokens=usage["tokens"],
        first=usage["first"] or 0,
        sent_back=tuple(await _sent_back(thread, after)),
        seconds=seconds,
    )


async def _do(thread: Thread, act: Act, user: str) -> bool:
    """Do it as a person would; false when there is nothing to press."""
    if act.wait_minutes:
        await move_into_the_past(thread.db, act.wait_minutes)
        return True
    if act.press:
        return await _press(thread, act.press, user)
    root = None if act.apart else thread.root or None
    ts = await thread.bench.post_message(thread.channel, user, act.say, root, files=act.files)
    thread.root = root or ts
    await thread.settled(ts)
    return True


async def _press(thread: Thread, label: str, user: str) -> bool:
    """Press the newest button that is called so."""
    for message in reversed(await thread.bench.messages(thread.channel)):
        if label in _buttons(message.get("blocks")):
            await thread.bench.interact(thread.channel, message["ts"], user, label)
            return True
    return False


async def _shown(thread: Thread, user: str) -> dict[str, str]:
    """Return what the person sees of the assistant's, by its ts."""
    posted = await thread.bench.messages(thread.channel)
    ours = [message for message in posted if message["user"] == ASSISTANT]
    return {m["ts"]: "\n".join(_lines(m)) for m in [*ours, *await thread.bench.ephemerals(user)]}


def _lines(message: dict[str, Any]) -> Iterator[str]:
    yield from _texts(message.get("blocks") or message.get("text", ""))
    if pressed := _buttons(message.get("blocks")):
        yield " ".join(f"[{label}]" for label in pressed)
    yield from (f"(file {one['name']})" for one in message.get("files", ()))


def _texts(part: Any) -> Iterator[str]:
    match part:
        case str() if part.strip():
            yield part
        case list():
            for one in cast("list[Any]", part):
                yield from _texts(one)
        case {"type": "button"}:
            return
        case {"text": inner}:
            yield from _texts(inner)
            yield from _texts(cast("dict[str, Any]", part).get("fields"))
        case dict():
            for one in cast("dict[str, Any]", part).values():
                yield from _texts(one) if isinstance(one, list | dict) else ()
        case _:
            return


def _buttons(part: Any) -> list[str]:
    match part:
        case {"type": "button", "text": {"text": str(label)}}:
            return [label]
        case dict():
            return _buttons(list(cast("dict[str, Any]", part).values()))
        case list():
            return [label for one in cast("list[Any]", part) for label in _buttons(one)]
        case _:
            return []


async def _sent_back(thread: Thread, after: int) -> Iterator[str]:
    """Return what the model was told of the answers that were not delivered."""
    rows = await thread.db.pool.fetch(_REQUESTS, after)
    messages = ModelMessagesTypeAdapter.validate_python([row["content"] for row in rows])
    requests = [message for message in messages if isinstance(message, ModelRequest)]
    parts = [part for one in requests for part in one.parts]
    return (str(part.content) for part in parts if isinstance(part, _SAID) and _sends_back(part))


def _sends_back(part: SystemPromptPart | UserPromptPart | ToolReturnPart) -> bool:
    if isinstance(part, ToolReturnPart):
        return part.tool_name in ENDINGS and part.outcome == "retried"
    return is_feedback(part)
