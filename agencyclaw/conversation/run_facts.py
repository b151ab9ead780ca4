"""What is stored and traced about a run: its answer, and otherwise sizes, counts and rights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import logfire
from pydantic_ai.messages import ModelMessage

from agencyclaw.agents.main import Answered, AnsweredElsewhere, Failed, Outcome, StaysSilent
from agencyclaw.agents.sub_runs import SubRuns
from agencyclaw.agents.thread import QuotedThread
from agencyclaw.deps import Topic
from agencyclaw.domain.guides import Guide, guides_hash
from agencyclaw.proposals.identities import Identity
from agencyclaw.tools.context import KnownOfPlace


def outcome_facts(outcome: Outcome) -> dict[str, Any]:
    """Return the trace attributes of an outcome: sizes and counts, no text."""
    if isinstance(outcome, Failed):
        return {"outcome": "Failed", "reason": outcome.reason}
    if isinstance(outcome, AnsweredElsewhere):
        return {"outcome": "AnsweredElsewhere", "where": outcome.where.value}
    if isinstance(outcome, StaysSilent):
        return {"outcome": "StaysSilent", "requests": outcome.requests}
    return {
        "outcome": "Answered",
        "length": len(outcome.text),
        "attempts": outcome.attempts,
        "feedback": outcome.attempts > 1,
        "sources": len(outcome.sources),
        "tool_calls": outcome.tool_calls,
    }


def answer_facts(
    outcome: Answered, text: str, children: SubRuns, topic: Topic, *, asks: bool
) -> dict[str, object]:
    """Return what is stored of an answer: its text as shown, and how it was produced."""
    return {
        "text": text,
        "requests": outcome.requests,
        "attempts": outcome.attempts,
        "verified": True,
        "changes": outcome.reply.changes,
        "asks": asks,
        "judged": outcome.is_judged,
        **_topic_facts(topic),
        **_child_facts(children),
    }


def gathered_facts(
    history: list[ModelMessage], thread: QuotedThread, about_place: KnownOfPlace
) -> dict[str, object]:
    """Return the sizes of what was gathered, for the trace."""
    return {
        "history": len(history),
        "thread": len(thread.lines),
        "context.tokens": about_place.pack.tokens,
        "context.sections": sorted(about_place.pack.included),
        "degraded": not about_place.is_whole,
    }


def _topic_facts(topic: Topic) -> dict[str, object]:
    """Return the client that the run settled in its thread, "" if it freed the thread of one."""
    settled = topic.in_thread
    return {} if settled is None else {"about": "".join(map(str, settled))}


def _child_facts(children: SubRuns) -> dict[str, object]:
    if not children.sent:
        return {}
    return {"children": children.sent, "requests_of_children": children.requests}


def identity_facts(identity: Identity) -> dict[str, str | None]:
    """Return what decides how much this person sees here; stored with the run."""
    actor, surface = identity.actor, identity.surface
    return {
        "tier": actor.tier.label,
        "scope": surface.scope.value,
        "client": str(surface.client_id) if surface.client_id else None,
        **({"shared": "yes"} if surface.is_shared else {}),
    }


def guide_facts(guides: Sequence[Guide]) -> dict[str, str]:
    """Return which guides, in which wording, were available; empty if none."""
    return {"guides_hash": guides_hash(guides)} if guides else {}


def trace_id_of(run_id: UUID) -> str:
    """Return the trace of a run; the run's own id without telemetry."""
    context = logfire.get_context().get("traceparent", "")
    parts = context.split("-")
    return parts[1] if len(parts) > 1 else run_id.hex
