"""The judge: would an answer leave a person believing in a change that was not made?

A cheap model is asked one yes/no question about every answer. It judges meaning, which a word list
cannot. It reads the person's message, the recorded changes, the cards and files that come with the
answer, the tool results and the thread.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Protocol

from pydantic import BaseModel, ConfigDict, Field
from pydantic_ai import Agent
from pydantic_ai.exceptions import AgentRunError
from pydantic_ai.models import Model
from pydantic_ai.settings import ModelSettings
from pydantic_ai.usage import RunUsage

from agencyclaw.agents.policies.journal import cost_of
from agencyclaw.agents.prompts import load_prompt
from agencyclaw.domain.journal import ModelCost
from agencyclaw.domain.replies import ChangeRow
from agencyclaw.domain.text import cut
from agencyclaw.knowledge.cut_results import cut_result
from agencyclaw.spans import traced

PROMPT = "judge"
TIMEOUT_S = 8.0
# Limits of what the judge reads, in characters.
_REQUEST_CHARS = 2_000
_RESULT_CHARS = 1_500
_RESULTS_CHARS = 6_000
_THREAD_CHARS = 6_000
# What the instructions say is prepared with an answer.
_NOTHING_PREPARED = "none"
_PREPARED = (
    "what [What comes with the answer] lists: the person sees it below the answer, with a line that"
    " nothing on a card is done before they press. So what the answer says of that is so, however"
    " it is put (set, added, assigned, attached); judge the rest of it, such as another change, or"
    " somebody told"
)


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
    `comes_with` describes the cards and files below the answer. `knows_rows` is False where the
    answer is made without them: by a schedule, or where others read along.
    """

    request: str
    rows: tuple[ChangeRow, ...] = ()
    results: tuple[tuple[str, str], ...] = ()
    thread: str = ""
    comes_with: tuple[str, ...] = ()
    knows_rows: bool = True


class Judging(Protocol):
    """Judges answers; implemented by AnswerJudge."""

    async def judge(self, text: str, material: JudgedMaterial) -> Judgement | None:
        """Judge an answer or its beginning; None if no judgement could be had."""
        ...


def instructions_for(material: JudgedMaterial) -> str:
    """Return the judge's instructions; they say whether cards or files come with the answer."""
    prepared = _PREPARED if material.comes_with else _NOTHING_PREPARED
    return load_prompt(PROMPT).text.format(prepared=prepared)


def describe_case(text: str, material: JudgedMaterial) -> str:
    """Return the prompt for one answer."""
    rows = [f"- “{row.label}”: {row.state}" for row in material.rows]
    results = list(_fitting(material.results))
    return "\n".join(
        [
            "[What the person wrote]",
            cut(material.request, _REQUEST_CHARS),
            "",
            "[What the rows say of changes in this conversation]",
            *(rows or [_without_rows(material)]),
            "",
            *_comes_with(material.comes_with),
            *_latest(material.thread),
            "[What the assistant looked up]",
            *(results or ["Nothing."]),
            "",
            "[The answer to judge]",
            text,
        ]
    )


_NONE_AT_ALL = "None was carried out, and no card waits."
_NONE_BEFORE = "None was carried out before."
_UNKNOWN = "They were not read for this answer: some may have been carried out, and cards may wait."


def _without_rows(material: JudgedMaterial) -> str:
    if not material.knows_rows:
        return _UNKNOWN
    return _NONE_BEFORE if material.comes_with else _NONE_AT_ALL


def _comes_with(descriptions: Sequence[str]) -> list[str]:
    """Return the section on the cards and files below the answer."""
    if not descriptions:
        return []
    listed = (f"- {cut(description, _RESULT_CHARS)}" for description in descriptions)
    return ["[What comes with the answer]", *listed, ""]


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


def _fitting(results: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yield the newest results that fit, oldest first, each cut to its limit; and how many do not.

    Fewer may have more each.
    """
    limit = max(_RESULT_CHARS, _RESULTS_CHARS // max(len(results), 1))
    kept: list[str] = []
    free_chars = _RESULTS_CHARS
    for name, content in reversed(results):
        shown = cut_result(content, limit)
        free_chars -= len(shown)
        if free_chars < 0:
            break
        kept.append(f"- {name}: {shown}")
    if missing := len(results) - len(kept):
        yield f"- {missing} earlier ones are left out here."
    yield from reversed(kept)


_AGENT = Agent(
    name="judge",
    output_type=Judgement,
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
        usage, judgement = RunUsage(), None
        model = self.model if isinstance(self.model, str) else self.model.model_name
        with traced("agent.judge", length=len(text)) as span:
            try:
                result = await _AGENT.run(
                    describe_case(text, material),
                    instructions=instructions_for(material),
                    model=self.model,
                    timeout=self.timeout_s,
                    usage=usage,
                )
            except (AgentRunError, TimeoutError) as error:
                span.set_attribute("outcome", type(error).__name__)
            else:
                judgement, model = result.output, result.response.model_name
                span.set_attribute("believes_done", judgement.believes_done)
        if usage.has_values():
            await self.record_cost(cost_of(usage, model, PROMPT, {"length": len(text)}))
        return judgement
