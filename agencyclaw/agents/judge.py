"""The judge: would an answer leave a person believing in a change that was not made?

A cheap model is asked one yes/no question about an answer that carries no proof, that is, neither
a card nor the key of a recorded change. It judges meaning, which a word list cannot. It reads the
person's message, the recorded changes and the tool results.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Protocol

import logfire
from pydantic import BaseModel, ConfigDict, Field
from pydantic_ai import Agent
from pydantic_ai.exceptions import AgentRunError
from pydantic_ai.models import Model
from pydantic_ai.settings import ModelSettings

from agencyclaw.agents.policies.journal import price_of
from agencyclaw.agents.prompts import load_prompt
from agencyclaw.domain.journal import ModelCost
from agencyclaw.domain.replies import ChangeRow
from agencyclaw.domain.text import cut

PROMPT = "judge"
TIMEOUT_S = 8.0
# Limits of what the judge reads, in characters.
_REQUEST_CHARS = 2_000
_RESULT_CHARS = 1_500
_RESULTS_CHARS = 6_000
_THREAD_CHARS = 6_000


class Judgement(BaseModel):
    """Say whether the person would be left believing in a change that was not made."""

    model_config = ConfigDict(frozen=True)

    believes_done: bool
    words: Annotated[
        str, Field(description="The words that make them believe it, verbatim; empty if none.")
    ] = ""


@dataclass(frozen=True)
class JudgedMaterial:
    """The evidence for one answer.

    `request` is the message it answers, `rows` the recorded changes, `results` pairs of a tool's
    title and what it returned, oldest first, `thread` what was read of a thread of people.
    """

    request: str
    rows: tuple[ChangeRow, ...] = ()
    results: tuple[tuple[str, str], ...] = ()
    thread: str = ""


class Judging(Protocol):
    """Judges answers; implemented by AnswerJudge."""

    async def judge(self, text: str, material: JudgedMaterial) -> Judgement | None:
        """Judge an answer or its beginning; None if no judgement could be had."""
        ...


def describe_case(text: str, material: JudgedMaterial) -> str:
    """Return the prompt for one answer."""
    rows = [f"- “{row.label}”: {row.state}" for row in material.rows]
    results = [f"- {name}: {content}" for name, content in _fitting(material.results)]
    return "\n".join(
        [
            "[What the person wrote]",
            cut(material.request, _REQUEST_CHARS),
            "",
            "[What the rows say of changes in this conversation]",
            *(rows or ["None was carried out, and no card waits."]),
            "",
            *_latest(material.thread),
            "[What the assistant looked up]",
            *(results or ["Nothing."]),
            "",
            "[The answer to judge]",
            text,
        ]
    )


def _latest(thread: str) -> list[str]:
    """Return the section on the thread, with as much of its latest part as fits."""
    if not thread:
        return []
    if len(thread) <= _THREAD_CHARS:
        return ["[The thread of people that was read]", thread, ""]
    latest = thread[-_THREAD_CHARS:]
    _, _, whole_lines = latest.partition("\n")
    title = "[The thread of people that was read; its beginning is left out here]"
    return [title, whole_lines or latest, ""]


def _fitting(results: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the newest results that fit, oldest first, each cut to its limit."""
    kept: list[tuple[str, str]] = []
    free_chars = _RESULTS_CHARS
    for name, content in reversed(results):
        shown = cut(content, _RESULT_CHARS)
        free_chars -= len(shown)
        if free_chars < 0:
            break
        kept.append((name, shown))
    return kept[::-1]


_AGENT = Agent(
    name="judge",
    output_type=Judgement,
    instructions=load_prompt(PROMPT).text,
    retries={"output": 1},
    defer_model_check=True,
    model_settings=ModelSettings(max_tokens=400),
)
RecordCost = Callable[[ModelCost], Awaitable[None]]


@dataclass(frozen=True)
class AnswerJudge:
    """Asks a model, and records what the call cost.

    None if the model fails or takes longer than `timeout_s` seconds.
    """

    model: Model | str
    record_cost: RecordCost
    timeout_s: float = TIMEOUT_S

    async def judge(self, text: str, material: JudgedMaterial) -> Judgement | None:
        """Judge an answer or its beginning; None if no judgement could be had."""
        with logfire.span("agent.judge", length=len(text)) as span:
            try:
                result = await _AGENT.run(
                    describe_case(text, material), model=self.model, timeout=self.timeout_s
                )
            except (AgentRunError, TimeoutError) as error:
                span.set_attribute("outcome", type(error).__name__)
                return None
            span.set_attribute("believes_done", result.output.believes_done)
        usage = result.usage
        cost = ModelCost(
            stage=PROMPT,
            model=result.response.model_name or "unknown",
            prompt_tokens=usage.input_tokens,
            completion_tokens=usage.output_tokens,
            cost_usd=price_of(result.response),
            meta={"length": len(text)},
        )
        await self.record_cost(cost)
        return result.output
