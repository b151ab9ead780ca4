"""The journal: stores each model response before the changes it asks for are prepared.

Tools that only read may run while it is being stored, because they have no effect.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol
from uuid import UUID, uuid5

import logfire
from pydantic import TypeAdapter
from pydantic_ai.messages import (
    ModelMessage,
    ModelMessagesTypeAdapter,
    ModelRequest,
    ModelResponse,
    ToolCallPart,
)
from pydantic_ai.usage import RequestUsage, RunUsage
from pydantic_core import PydanticSerializationError

from agencyclaw.agents.policies.cleaning import cleaned
from agencyclaw.domain.journal import WORDS, JournalEvent, JournalPage, ModelCost
from agencyclaw.domain.replies import ENDINGS
from agencyclaw.domain.text import clean_dumped, dump_clean

_TOOLS = logfire.metric_counter("agencyclaw.tool.calls", description="Tools that were called")
_TOKENS = logfire.metric_counter("agencyclaw.tokens", description="Tokens sent and received")
_COST = logfire.metric_counter("agencyclaw.cost.usd", description="What the model cost, in dollars")
_PAYLOADS = TypeAdapter(dict[str, Any])


class RunLog(Protocol):
    """Where a run's journal is stored."""

    async def append(self, run_id: UUID, page: JournalPage) -> None:
        """Store messages, tool events and costs in one statement."""
        ...


@dataclass
class Journal:
    """Keeps one run's journal; a failure to write it never stops an answer.

    `stage` is the kind of run to which its costs are attributed.
    """

    log: RunLog
    run_id: UUID
    stage: str = "main"
    results: list[JournalEvent] = field(default_factory=list[JournalEvent])
    writing: asyncio.Task[None] | None = None

    def record_response(
        self, messages: Sequence[ModelMessage], response: ModelResponse
    ) -> ModelResponse:
        """Clean a response and store it, with the last of these messages, which it answers."""
        response = cleaned(response)
        meta = {
            "messages": len(messages),
            "finish": response.finish_reason,
            "cached": response.usage.cache_read_tokens,
            "tools": [part.tool_name for part in _calls_of(response)],
        }
        cost = cost_of(response.usage, response.model_name, self.stage, meta)
        page = JournalPage(
            messages=(("user", dump_message(messages[-1])), ("assistant", dump_message(response))),
            events=(*self.results, *(self._call(part) for part in _calls_of(response))),
            costs=(cost,),
        )
        _measure(cost)
        self._begin(page)
        self.results.clear()
        return response

    def record_result(self, call: ToolCallPart, result: Any) -> None:
        """Record what a tool returned."""
        _TOOLS.add(1, {"tool": call.tool_name, "outcome": "returned"})
        self._note(call, {"result": result})

    def record_failure(self, call: ToolCallPart, error: BaseException) -> None:
        """Record that a tool failed."""
        _TOOLS.add(1, {"tool": call.tool_name, "outcome": "failed"})
        self._note(call, {"error": type(error).__name__})

    async def write(self, page: JournalPage) -> None:
        """Store a page after those before it; errors are logged and swallowed."""
        self._begin(page)
        await self.written()

    async def finish(self) -> None:
        """Wait for the last page, and store results that no later request included."""
        if self.results:
            self._begin(JournalPage(events=tuple(self.results)))
            self.results.clear()
        await self.written()

    def _begin(self, page: JournalPage) -> None:
        self.writing = asyncio.create_task(self._store(page, self.writing))

    async def _store(self, page: JournalPage, previous: asyncio.Task[None] | None) -> None:
        """Store a page after the previous one, so that pages keep their order."""
        if previous is not None:
            await asyncio.wait({previous})
        try:
            await self.log.append(self.run_id, page)
        except Exception as error:
            logfire.warn("journal not written", error=type(error).__name__)

    async def written(self) -> None:
        """Wait for the last page; a run that is stopped while waiting does not lose it."""
        if self.writing is not None:
            # Awaited itself, the task would be cancelled along with the run.
            await asyncio.wait({self.writing})

    def _call(self, part: ToolCallPart) -> JournalEvent:
        return self._event("skill_call", part, {"args": part.args})

    def _note(self, call: ToolCallPart, payload: dict[str, Any]) -> None:
        self.results.append(self._event("skill_result", call, payload))

    def _event(self, kind: str, call: ToolCallPart, payload: dict[str, Any]) -> JournalEvent:
        return JournalEvent(
            id=event_id(self.run_id, kind, call.tool_call_id),
            event_type=kind,
            skill_id=call.tool_name[:100],
            call_id=call.tool_call_id[:100],
            payload=_dumped(_PAYLOADS, payload),
        )


def event_id(run_id: UUID, kind: str, call_id: str) -> UUID:
    """Return the id of a journal event; it can be computed from the messages alone."""
    return uuid5(run_id, f"{kind}:{call_id}")


def words_key(run_id: UUID) -> str:
    """Return the key that loads what the person wrote in a run, if the history has cut it."""
    return f"ev:{run_id.hex[:8]}/{WORDS}"


def evidence_key(run_id: UUID, call_id: str) -> str:
    """Return the key with which a call's result can be loaded again.

    Whole ids would cost three times the tokens in every turn; within a conversation the first
    digits are enough.
    """
    return f"ev:{run_id.hex[:8]}/{event_id(run_id, 'skill_result', call_id).hex[:8]}"


def dump_message(message: ModelMessage) -> str:
    """Return a message as JSON; instructions are left out, because the run has their hash."""
    if isinstance(message, ModelRequest):
        message = replace(message, instructions=None)
    return _dumped(ModelMessagesTypeAdapter, [message])[1:-1]


def _dumped(adapter: TypeAdapter[Any], value: Any) -> str:
    """Return a value as clean JSON text."""
    try:
        return clean_dumped(adapter.dump_json(value, fallback=str).decode())
    except PydanticSerializationError:
        # It has a lone surrogate, which no encoding knows.
        return dump_clean(adapter.dump_python(value, mode="json", fallback=str))


def _calls_of(response: ModelResponse) -> list[ToolCallPart]:
    """Return the tools a model calls, without its answer."""
    return [p for p in response.parts if isinstance(p, ToolCallPart) and p.tool_name not in ENDINGS]


def cost_of(
    usage: RequestUsage | RunUsage, model: str | None, stage: str, meta: dict[str, Any]
) -> ModelCost:
    """Return what a request cost, or all those of a run that has no journal."""
    return ModelCost(
        stage=stage,
        model=model or "unknown",
        prompt_tokens=usage.input_tokens,
        completion_tokens=usage.output_tokens,
        cost_usd=None if usage.cost is None else float(usage.cost),
        meta=meta,
    )


def _measure(cost: ModelCost) -> None:
    _TOKENS.add(cost.prompt_tokens, {"model": cost.model, "kind": "prompt"})
    _TOKENS.add(cost.completion_tokens, {"model": cost.model, "kind": "completion"})
    _COST.add(cost.cost_usd or 0.0, {"model": cost.model})
