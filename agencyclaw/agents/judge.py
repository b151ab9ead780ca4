"""The judge: would an answer leave a person believing in a change that was not made?

A small call of the cheap tier, for answers that carry no proof of what they say: no card and no
key of a change. It reads meaning, which no list of words does. It sees what the person asked, what
the rows say and what was looked up, and answers one typed question.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Protocol

import logfire
from pydantic import BaseModel, ConfigDict, Field
from pydantic_ai import Agent
from pydantic_ai.exceptions import AgentRunError, ModelAPIError
from pydantic_ai.models import Model
from pydantic_ai.settings import ModelSettings

from agencyclaw.agents.policies.journal import price_of
from agencyclaw.agents.prompts import load_prompt
from agencyclaw.domain.journal import ModelCost
from agencyclaw.domain.replies import ChangeRow
from agencyclaw.domain.text import cut

PROMPT = "judge"
TIMEOUT_S = 8.0
_REQUEST_CHARS = 2_000
_RESULT_CHARS = 1_500
_RESULTS_CHARS = 6_000


class Judgement(BaseModel):
    """Say whether the person would be left believing in a change that was not made."""

    model_config = ConfigDict(frozen=True)

    believes_done: bool
    words: Annotated[
        str, Field(description="The words that make them believe it, verbatim; empty if none.")
    ] = ""


@dataclass(frozen=True)
class JudgedMaterial:
    """What an answer is judged by: the words it answers, the rows, what was looked up, oldest
    first and each with a name that people know."""

    request: str
    rows: tuple[ChangeRow, ...] = ()
    results: tuple[tuple[str, str], ...] = ()


class Judging(Protocol):
    """Whoever judges an answer; None where nobody could."""

    async def judge(self, text: str, material: JudgedMaterial) -> Judgement | None:
        """Judge one answer, or its beginning."""
        ...


def describe_case(text: str, material: JudgedMaterial) -> str:
    """Return what the judge is told of one answer, word for word."""
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
            "[What the assistant looked up]",
            *(results or ["Nothing."]),
            "",
            "[The answer to judge]",
            text,
        ]
    )


def _fitting(results: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the newest results that there is room for, each cut to a length."""
    kept: list[tuple[str, str]] = []
    left = _RESULTS_CHARS
    for name, content in reversed(results):
        shown = cut(content, _RESULT_CHARS)
        left -= len(shown)
        if left < 0:
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
Keep = Callable[[ModelCost], Awaitable[None]]


@dataclass
class AnswerJudge:
    """Asks a model; what it cost is kept with the run. One that is away or slow judges nothing."""

    model: Model | str
    keep: Keep
    timeout_s: float = TIMEOUT_S
    asked: int = field(default=0)

    async def judge(self, text: str, material: JudgedMaterial) -> Judgement | None:
        """Judge one answer, or its beginning."""
        self.asked += 1
        with logfire.span("agent.judge", length=len(text)) as span:
            try:
                result = await _AGENT.run(
                    describe_case(text, material), model=self.model, timeout=self.timeout_s
                )
            except (AgentRunError, ModelAPIError, TimeoutError) as error:
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
        await self.keep(cost)
        return result.output
