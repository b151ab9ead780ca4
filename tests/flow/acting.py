"""Parts for the flow tests: lines of a script, and a model that remembers what it was told."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Protocol
from zoneinfo import ZoneInfo

import pytest
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_core import to_json
from stage import Stage, buttons, dm, on_stage, script_file

from agencyclaw.agents.main import Models
from agencyclaw.store.engine import Database
from workbench.fixture import Bench

INES, TOMAS, SARA_L, SARA_O = "U01INES", "U01TOMAS", "U01SARAL", "U01SARAO"
MIGUEL, YUKI, PAUL, LEO, NOOR = "U01MIG", "U01YUKI", "U01PAUL", "U01LEO", "U01NOOR"
OPS, RANDOM, BRIGHT = "C01OPS", "C01RANDOM", "C01BRIGHT"
CLAW = "U01CLAW"

Turn = dict[str, Any]
Step = dict[str, Any]
Answer = ModelResponse | str | Exception | Callable[[list[ModelMessage], AgentInfo], Any]

TASK = "Refresh the Glintly storefront banner"
ASKED = "refresh the Glintly Inc storefront banner for the spring launch with three photos"


def turn(say: str | list[str], *steps: Step) -> Turn:
    """What a person says, and what the model then does."""
    return {"say": [say] if isinstance(say, str) else say, "steps": list(steps)}


def call(tool: str, /, **arguments: Any) -> Step:
    """A response with one tool call."""
    return {"calls": [{"tool": tool, "args": arguments}]}


def text(words: str, **fields: Any) -> Step:
    """A response with words, and what it says of changes."""
    return {"text": words, "reply": fields}


def create(**more: Any) -> Step:
    """A call that prepares a plain task for Glintly; nothing is missing from it."""
    whole = {"client": "Glintly Inc", "title": TASK, "objective": ASKED}
    return call("create_task", **{**whole, **more})


def on(day: str, quote: str) -> dict[str, Any]:
    """A day as a model gives it, with the words it rests on."""
    return {"day": {"kind": "date", "date": day}, "quote": quote}


def creating(say: str = "make the task", **more: Any) -> Turn:
    """A turn that ends in a card."""
    return turn(say, create(**more), text("It is on the card."))


class Acting(Protocol):
    """Starts the assistant with a script; it runs until the test ends."""

    def __call__(self, *turns: Turn, **settings: object) -> Awaitable[Stage]:
        """Start it."""
        ...


@asynccontextmanager
async def actors(bench: Bench, db: Database, folder: Path) -> AsyncGenerator[Acting]:
    """Give the function that starts an assistant on this workbench and database."""
    async with AsyncExitStack() as stack:

        async def act(*turns: Turn, **settings: object) -> Stage:
            model = script_file(folder, list(turns))
            played = on_stage(bench, db, **{"agencyclaw_model": model, **settings})
            return await stack.enter_async_context(played)

        yield act


class ScriptedModel:
    """A model that gives these answers one after the other, the last for ever, and remembers."""

    def __init__(self, *answers: Answer) -> None:
        self._answers = list(answers)
        self.told: list[list[ModelMessage]] = []
        self.offered: list[set[str]] = []

    def answers(self, *answers: Answer) -> None:
        """Go on with these answers."""
        self._answers = list(answers)

    async def answer(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        """Give the next answer."""
        self.told.append(messages)
        self.offered.append({tool.name for tool in info.function_tools})
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if callable(answer):
            answer = await answer(messages, info)
        if isinstance(answer, Exception):
            raise answer
        return ModelResponse(parts=[TextPart(answer)]) if isinstance(answer, str) else answer

    def heard(self, at: int = -1) -> str:
        """Everything people, the situation and tools said in one of its requests."""
        return "\n".join(_said(message) for message in self.told[at])


def _said(message: ModelMessage) -> str:
    if not isinstance(message, ModelRequest):
        return "\n".join(part.content for part in message.parts if isinstance(part, TextPart))
    lines: list[str] = []
    for part in message.parts:
        if isinstance(part, UserPromptPart):
            content = part.content
            lines += [content] if isinstance(content, str) else [str(one) for one in content]
        elif isinstance(part, ToolReturnPart):
            lines.append(to_json(part.content, fallback=str).decode())
    return "\n".join(lines)


@asynccontextmanager
async def minded(
    bench: Bench,
    db: Database,
    mind: ScriptedModel,
    judge: FunctionModel | None = None,
    **settings: object,
) -> AsyncGenerator[Stage]:
    """Run the assistant with a mind instead of a script, and with this judge of its answers."""
    models = (Models(FunctionModel(mind.answer, model_name="mind"), judge=judge), "mind")
    async with AsyncExitStack() as stack:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("agencyclaw.app.choose_models", lambda _: models)
            stage = await stack.enter_async_context(on_stage(bench, db, **settings))
        yield stage


def calls(tool: str, **arguments: Any) -> ModelResponse:
    """A mind's response with one tool call."""
    return ModelResponse(parts=[ToolCallPart(tool, arguments)])


async def offer(stage: Stage, user: str, root: str, label: str = "Create task") -> dict[str, Any]:
    """Wait for the newest message of a DM thread that has a button of this label."""
    return await offer_in(stage, dm(user), root, label)


async def offer_in(
    stage: Stage, channel: str, root: str, label: str = "Create task"
) -> dict[str, Any]:
    """The same for any channel."""

    async def there() -> dict[str, Any] | None:
        found = await stage.replies_in(channel, root)
        return next((one for one in reversed(found) if label in buttons(one)), None)

    return await stage.bench.until(there)


async def whispered(stage: Stage, user: str, words: str) -> str:
    """Wait for a private note to a person that contains these words."""

    async def there() -> str | None:
        notes = [str(note["text"]) for note in await stage.bench.ephemerals(user)]
        return next((note for note in notes if words.lower() in note.lower()), None)

    return await stage.bench.until(there)


async def count(stage: Stage, table: str) -> int:
    """How many rows a table has."""
    return await stage.db.pool.fetchval(f"select count(*) from {table}")


async def states(stage: Stage) -> list[str]:
    """The states of all proposals, oldest first."""
    return [row["state"] for row in await stage.proposals()]


def in_hours(hours: int) -> str:
    """Return the time of day in so many hours in Lisbon, so that no test depends on its own."""
    return f"{datetime.now(ZoneInfo('Europe/Lisbon')) + timedelta(hours=hours):%H:%M}"


async def receipts_done(stage: Stage) -> bool:
    """Whether every receipt came to a good end."""
    rows = await stage.db.pool.fetch("select status from slack_event_receipts")
    return {row["status"] for row in rows} == {"done"}
