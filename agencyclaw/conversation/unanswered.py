"""The reply to a message whose run failed: what happened, from its journal, and what to do.

Anything it had prepared is shown nevertheless, because a card stands for itself.
"""

from __future__ import annotations

from collections.abc import Sequence

from agencyclaw.agents.failures import Failed
from agencyclaw.agents.policies.trail import Trail, TrailStep
from agencyclaw.conversation import fixed_texts
from agencyclaw.conversation.endings import RunEnding
from agencyclaw.deps import Deps
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import ScopeKind
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.receipts import Note
from agencyclaw.domain.runs import RunStatus
from agencyclaw.knowledge.secrets import redacted

_LISTED_AT_MOST = 3


def ending_without_answer(failed: Failed, deps: Deps, drafts: Sequence[Proposal]) -> RunEnding:
    """Return the ending of a failed run, with what it had prepared."""
    text = redacted("\n".join([_lead(failed, drafts), *_journal(failed.trail, deps)]))
    if not drafts:
        text = f"{text}\n{fixed_texts.way_on(failed.advice, deps.run_id)}"
    footer = fixed_texts.until_confirmed(one.effect.done for one in drafts) if drafts else ""
    output: dict[str, object] = {"reason": failed.reason, "text": text}
    output |= {"cause": failed.cause} if failed.cause else {}
    return RunEnding(
        Note(text=text, footer=footer, run_id=deps.run_id),
        RunStatus.FAILED,
        output,
        drafts=tuple(drafts),
    )


def _lead(failed: Failed, drafts: Sequence[Proposal]) -> str:
    if drafts:
        return fixed_texts.prepared_without_words(failed.message)
    return fixed_texts.no_answer(failed.trail.doing if failed.trail else "", failed.message)


def _journal(trail: Trail | None, deps: Deps) -> list[str]:
    """Say what failed and what was found; findings are withheld where others read along."""
    steps = trail.steps if trail else []
    is_private = deps.surface.scope is ScopeKind.INTERNAL
    found = [
        f"{one.title} ({one.outcome.found})" for one in steps if one.outcome.found and is_private
    ]
    lines = [fixed_texts.what_failed(titles, fault) for fault, titles in _faults(steps)]
    return [*lines, *([fixed_texts.what_was_found(_few(found))] if found else [])]


def _faults(steps: Sequence[TrailStep]) -> list[tuple[str, str]]:
    """Return each failure once, the latest first, with the steps it hit."""
    befell: dict[str, list[str]] = {}
    for step in reversed(steps):
        if step.outcome.fault:
            befell.setdefault(step.outcome.fault, []).append(step.title)
    return [(fault, _few(titles)) for fault, titles in befell.items()][:_LISTED_AT_MOST]


def _few(parts: Sequence[str]) -> str:
    """Return the first few distinct parts, and how many more there are."""
    distinct = list(dict.fromkeys(parts))
    more = len(distinct) - _LISTED_AT_MOST
    named = "; ".join(distinct[:_LISTED_AT_MOST])
    return message("trail.and_more", named=f"{named};", more=more) if more > 0 else named
