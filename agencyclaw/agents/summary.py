"""Summarises the older part of a long thread in a paragraph, stored for later turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic_ai import Agent
from pydantic_ai.exceptions import AgentRunError
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    TextPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import Model
from pydantic_ai.settings import ModelSettings

from agencyclaw.agents.history import Exchange, Summary
from agencyclaw.agents.policies.journal import cost_of
from agencyclaw.agents.prompts import load_prompt
from agencyclaw.agents.replay import ReplayedRun
from agencyclaw.domain.journal import ModelCost
from agencyclaw.domain.text import clean, cut
from agencyclaw.knowledge.secrets import redacted
from agencyclaw.knowledge.tokens import count_tokens
from agencyclaw.spans import traced

PROMPT = "summary"
SHARE = 0.8
KEPT_MESSAGES = 6
TIMEOUT_S = 2.0
_TRANSCRIPT_TOKENS = 6_000
_SUMMARY_CHARS = 2_000
_PART_CHARS = 600
_AGENT = Agent(
    name="summary",
    output_type=str,
    instructions=load_prompt(PROMPT).text,
    defer_model_check=True,
    model_settings=ModelSettings(max_tokens=500),
)


@dataclass(frozen=True)
class Compacted:
    """The newer part of a thread, the summary of the rest, and what it cost."""

    runs: list[ReplayedRun]
    summary: Summary | None
    cost: ModelCost | None = None

    @property
    def is_new(self) -> bool:
        """Whether the summary was made just now and has to be stored."""
        return self.cost is not None


async def compact(
    runs: Sequence[ReplayedRun],
    summary: Summary | None,
    *,
    budget_tokens: int,
    model: Model | str,
    timeout_s: float = TIMEOUT_S,
) -> Compacted:
    """Summarise the older part of a thread that fills most of the budget.

    If the model is slow or unavailable, only the summary is lost: the oldest exchanges then don't
    fit.
    """
    uncovered = [run for run in runs if not _is_covered(run.exchange, summary)]
    older = _older(uncovered, summary, budget_tokens)
    if not older:
        return Compacted(uncovered, summary)
    transcript, older = _transcript(older, summary)
    condensed = await condense(transcript, model, timeout_s, {"exchanges": len(older)})
    if condensed is None:
        return Compacted(uncovered, summary)
    text, cost = condensed
    newest = older[-1].exchange
    new_summary = Summary(text=text, until=newest.started_at, last_run=newest.run_id)
    covered = {run.exchange.run_id for run in older}
    newer = [run for run in uncovered if run.exchange.run_id not in covered]
    return Compacted(newer, new_summary, cost)


async def condense(
    transcript: str, model: Model | str, timeout_s: float, meta: dict[str, int]
) -> tuple[str, ModelCost] | None:
    """Condense a transcript into a paragraph; None if the model is slow or unavailable."""
    with traced("agent.compact") as span:
        span.set_attributes(meta)
        try:
            result = await _AGENT.run(transcript, model=model, timeout=timeout_s)
        except (AgentRunError, TimeoutError) as error:
            span.set_attribute("outcome", type(error).__name__)
            return None
        span.set_attribute("outcome", "condensed")
    text = redacted(clean(result.output, limit=_SUMMARY_CHARS))
    return text, cost_of(result.usage, result.response.model_name, PROMPT, {**meta})


def _is_covered(exchange: Exchange, summary: Summary | None) -> bool:
    return summary is not None and exchange.is_same_thread and exchange.started_at <= summary.until


def _older(runs: list[ReplayedRun], summary: Summary | None, budget: int) -> list[ReplayedRun]:
    """Return the runs to summarise: none while a thread is short, never the newest ones."""
    thread = sorted(
        (run for run in runs if run.exchange.is_same_thread),
        key=lambda run: run.exchange.started_at,
    )
    used = sum(run.tokens for run in thread) + (count_tokens(summary.text) if summary else 0)
    if used <= SHARE * budget:
        return []
    tokens = messages = 0
    keep = len(thread)
    while keep and (messages < KEPT_MESSAGES or tokens + thread[keep - 1].tokens <= budget // 2):
        keep -= 1
        tokens += thread[keep].tokens
        messages += len(thread[keep].messages)
    return thread[:keep]


def _transcript(older: list[ReplayedRun], summary: Summary | None) -> tuple[str, list[ReplayedRun]]:
    """Return the oldest runs as text, as many as fit, and which ones these are."""
    lines = [f"Before that: {summary.text}"] if summary else []
    fitting: list[ReplayedRun] = []
    used = 0
    for run in older:
        text = "\n".join(line for message in run.messages for line in _lines(message))
        used += count_tokens(text)
        if used > _TRANSCRIPT_TOKENS and fitting:
            break
        lines.append(text)
        fitting.append(run)
    return "\n".join(lines), fitting


def _lines(message: ModelMessage) -> list[str]:
    if isinstance(message, ModelRequest):
        return [
            f"{'Person' if isinstance(part, UserPromptPart) else 'Found'}:"
            f" {cut(str(part.content), _PART_CHARS)}"
            for part in message.parts
            if isinstance(part, UserPromptPart | ToolReturnPart)
        ]
    return [
        f"Assistant: {cut(part.content, _PART_CHARS)}"
        for part in message.parts
        if isinstance(part, TextPart)
    ]
