"""Plays a thread between the workbench's Slack and the assistant, one message after the other."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from agencyclaw import app
from agencyclaw.agents.main import Models
from agencyclaw.domain.replies import NOT_FOR_ME
from agencyclaw.settings import Settings
from agencyclaw.store.engine import Database
from evals.scene import Snapshot
from evals.threads.cases import ASSISTANT, Gold, Happening, ThreadCase
from evals.world import Ground, settings_for
from workbench.fixture import Bench
from workbench.slack.workspace import WORKSPACE

# A person may play the model.
PATIENCE_S = 3_600.0
_TURN_S = 3_000.0
_QUIET = """
select not exists (select from slack_event_receipts where status = 'received')
  and not exists (select from procrastinate_jobs
    where status in ('todo', 'doing') and scheduled_at is null)
  and not exists (select from outbox where state in ('pending', 'sending', 'streaming'))
"""
_HEARD = "select exists (select from slack_event_receipts where slack_ts = $1)"
_ASKED = """
select exists (select from agent_runs a join slack_event_receipts r on r.id = a.receipt_id
  where r.slack_ts = $1)
"""
_TOKENS = "select coalesce(sum(total_tokens), 0) from ai_token_usage"


class Outcome(StrEnum):
    """What came of a message."""

    ANSWERED = "answered"
    NO_MODEL = "silent without a model"
    BY_MODEL = "silent by the model"
    WRONGLY_ANSWERED = "wrongly answered"
    WRONGLY_SILENT = "wrongly silent"


@dataclass
class Played:
    """How a thread went; `complaints` are about the words of the answers.

    `answers` are those to the call and to messages, to which nothing may be added: whoever edits or
    deletes something asks for no answer.
    """

    case: ThreadCase
    outcomes: list[tuple[Happening, Outcome]] = field(
        default_factory=list[tuple[Happening, Outcome]]
    )
    complaints: list[str] = field(default_factory=list[str])
    answers: int = 1
    first_answer_ms: float = 0.0
    tokens: int = 0

    def count(self, outcome: Outcome) -> int:
        """Return how many messages came to this."""
        return sum(one is outcome for _, one in self.outcomes)


class Script:
    """Plays the model: it gives the right answer, and is silent where nobody spoke to it."""

    def __init__(self) -> None:
        self.gold: Gold | None = None
        self.models = Models(FunctionModel(self.answer, model_name="script"))

    async def answer(self, _: list[ModelMessage], __: AgentInfo) -> ModelResponse:
        """Answer a request."""
        part = TextPart(self.gold.answer) if self.gold else ToolCallPart(NOT_FOR_ME, {})
        return ModelResponse(parts=[part])


@dataclass
class Thread:
    """A thread in the workbench, and the assistant beside it."""

    bench: Bench
    db: Database
    channel: str
    root: str = ""
    said: list[tuple[Happening, str]] = field(default_factory=list[tuple[Happening, str]])

    async def do(self, one: Happening) -> str:
        """Do it as a person would; returns the ts of what was said."""
        if one.kind != "says":
            self._change(one)
            return ""
        ts = await self.bench.post_message(self.channel, one.user, one.raw, self.root or None)
        self.root = self.root or ts
        self.said.append((one, ts))
        return ts

    def _change(self, one: Happening) -> None:
        start, _, after = one.text.partition(" => ")
        ts = next(ts for old, ts in self.said if old.by == one.by and old.text.startswith(start))
        workspace = self.bench.app[WORKSPACE]
        place = workspace.records.channel(self.channel)
        message = workspace.records.message(self.channel, ts)
        assert place
        assert message
        if one.kind == "deletes":
            workspace.posts.remove(place, message)
            return
        edited = {"user": one.user, "ts": workspace.records.new_ts()}
        workspace.posts.replace(place, message, {**message, "text": after, "edited": edited})

    async def answers(self) -> list[str]:
        """Return what the assistant wrote here."""
        messages = await self.bench.messages(self.channel)
        ours = [m for m in messages if m.get("thread_ts") == self.root and m["user"] == ASSISTANT]
        return [_words(message) for message in ours]

    async def settled(self, ts: str) -> None:
        """Wait until a message was heard and nothing is under way any more."""
        async with asyncio.timeout(PATIENCE_S):
            while not await self.db.pool.fetchval(_HEARD, ts):  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        await self.at_rest()

    async def at_rest(self) -> None:
        """Wait until nothing is under way any more."""
        async with asyncio.timeout(PATIENCE_S):
            while not await self.db.pool.fetchval(_QUIET):  # noqa: ASYNC110
                await asyncio.sleep(0.02)

    async def asked_a_model(self, ts: str) -> bool:
        """Return whether a message led to a run."""
        return await self.db.pool.fetchval(_ASKED, ts)


def _words(message: dict[str, Any]) -> str:
    blocks: list[dict[str, Any]] = message.get("blocks") or []
    texts = [block["text"] for block in blocks if isinstance(block.get("text"), str)]
    return "\n".join(texts) or str(message.get("text", ""))


async def play(
    ground: Ground, case: ThreadCase, script: Script | None = None, model: str = ""
) -> Played:
    """Play a case with a script, its own by default, or with a model of pydantic-ai."""
    script, played = script or Script(), Played(case)
    async with open_thread(ground, case.channel, None if model else script, model) as thread:
        for one in case.before:
            await thread.do(one)
        gold = iter(case.gold)
        script.gold = next(gold)
        began = time.perf_counter()
        ts = await thread.do(case.call)
        while not await thread.answers():  # noqa: ASYNC110
            await asyncio.sleep(0.005)
        played.first_answer_ms = 1_000 * (time.perf_counter() - began)
        await thread.settled(ts)
        _compare(played, case.call, script.gold, (await thread.answers())[0])
        for one in case.after:
            script.gold = next(gold) if one.is_for_us else None
            await _follow(thread, one, script.gold, played)
        await thread.at_rest()
        _note_surplus(played, len(await thread.answers()))
        played.tokens = await thread.db.pool.fetchval(_TOKENS)
    return played


async def _follow(thread: Thread, one: Happening, gold: Gold | None, played: Played) -> None:
    before = len(await thread.answers())
    ts = await thread.do(one)
    if one.kind != "says":
        return
    await thread.settled(ts)
    new = (await thread.answers())[before:]
    played.answers += len(new)
    outcome = await _outcome(thread, one, ts, is_answered=bool(new))
    played.outcomes.append((one, outcome))
    if gold and new:
        _compare(played, one, gold, "\n".join(new))


def _note_surplus(played: Played, answers: int) -> None:
    """Complain of answers that came besides: to an edit or a deletion, or to one message twice."""
    if surplus := answers - played.answers:
        played.complaints.append(f"{surplus} answers besides, as to an edit, or twice to a message")


async def _outcome(thread: Thread, one: Happening, ts: str, *, is_answered: bool) -> Outcome:
    if is_answered:
        return Outcome.ANSWERED if one.is_for_us else Outcome.WRONGLY_ANSWERED
    if one.is_for_us:
        return Outcome.WRONGLY_SILENT
    return Outcome.BY_MODEL if await thread.asked_a_model(ts) else Outcome.NO_MODEL


def _compare(played: Played, asked: Happening, gold: Gold, text: str) -> None:
    played.complaints += [f"“{asked.text}”: the answer {one}" for one in gold.complaints(text)]


@asynccontextmanager
async def open_thread(
    ground: Ground, channel: str, script: Script | None, model: str
) -> AsyncGenerator[Thread]:
    """Yield a thread in a channel of a workbench of its own, with the whole assistant beside it."""
    async with ground.slates.take() as db, ground.bench() as bench:
        with _minded_by(script):
            async with app.assistant(_settings(bench, model), db):
                yield Thread(bench, db, channel)


def _settings(bench: Bench, model: str) -> Settings:
    return settings_for(bench, Snapshot()).model_copy(
        update={
            "slack_bot_token": "xoxb-workbench",
            "slack_app_token": "xapp-workbench",
            "slack_api_url": bench.slack_api_url,
            "agencyclaw_turn_timeout_s": _TURN_S,
            "agencyclaw_model": model or "scripted",
        }
    )


@contextmanager
def _minded_by(script: Script | None) -> Generator[None]:
    """Let a script play the model, where there is one."""
    if script is None:
        yield
        return

    def choose(_: Settings) -> tuple[Models, str]:
        return script.models, "script"

    chosen = app.choose_models
    setattr(app, "choose_models", choose)  # noqa: B010
    try:
        yield
    finally:
        setattr(app, "choose_models", chosen)  # noqa: B010
