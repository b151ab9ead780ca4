"""How the outcome of a run becomes the ending of its turn.

A run without an answer says what happened, from its journal, and what to do. Anything it had
prepared is shown nevertheless, because a card stands for itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

import logfire

from agencyclaw.agents.failures import Failed
from agencyclaw.agents.main import Answered, AnsweredElsewhere
from agencyclaw.agents.policies.trail import Trail, TrailStep
from agencyclaw.agents.situation import change_rows
from agencyclaw.conversation import fixed_texts
from agencyclaw.conversation.endings import RunEnding
from agencyclaw.conversation.gathered import Gathered
from agencyclaw.conversation.run_facts import answer_facts
from agencyclaw.deps import Deps
from agencyclaw.domain.consent.words import asks as has_question
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import ScopeKind
from agencyclaw.domain.policy import Answering
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.receipts import Addressed, Link, Note
from agencyclaw.domain.runs import RunStatus
from agencyclaw.domain.text import first_few, folded
from agencyclaw.knowledge.secrets import redacted
from agencyclaw.store.conclusion import TopicChange

_APOLOGIES = logfire.metric_counter(
    "agencyclaw.apologies", description="Messages answered with an apology"
)
_LISTED_AT_MOST = 3


def ending_of(
    gathered: Gathered,
    outcome: Answered | AnsweredElsewhere | Failed,
    decided: Sequence[Proposal] = (),
) -> RunEnding:
    """Return the ending of a turn; `decided` are cards that were decided while the run lasted."""
    decided_ids = {proposal.id for proposal in decided}
    waiting = tuple(proposal for proposal in gathered.waiting if proposal.id not in decided_ids)
    match outcome:
        case Failed():
            ending = replace(_without_answer(gathered, outcome), waiting=waiting)
        case AnsweredElsewhere(where=where):
            ending = _elsewhere(where, gathered.deps.run_id)
        case Answered():
            ending = replace(_with_answer(gathered, outcome, decided), waiting=waiting)
    deps = gathered.deps
    refused = gathered.refusals.recorded(deps)
    broken = any(one.reason == "misconfigured" for one in refused)
    faults = (*ending.faults, *(("token",) if broken else ()))
    return replace(ending, refusals=refused, client_id=deps.topic.only, faults=faults)


def _elsewhere(where: Answering, run_id: UUID) -> RunEnding:
    """Say in one line that the answer is in the asker's direct messages, or not given at all."""
    is_direct = where is Answering.DIRECT
    text = fixed_texts.ELSEWHERE if is_direct else fixed_texts.NOWHERE
    return RunEnding(
        Note(text=text, run_id=run_id),
        RunStatus.COMPLETED,
        {"text": text, "answered": where.value},
        forwards=is_direct,
    )


def _with_answer(gathered: Gathered, outcome: Answered, decided: Sequence[Proposal]) -> RunEnding:
    deps, reply = gathered.deps, outcome.reply
    text = redacted("\n\n".join((outcome.text, *outcome.missing)))
    asks = bool(outcome.choices or reply.question) or has_question(text)
    return RunEnding(
        Note(
            text=text,
            footer=_footer(gathered, outcome, decided),
            sources=_sources(gathered, outcome),
            choices=outcome.choices,
            run_id=deps.run_id,
            cards=_with_undo(deps, outcome),
        ),
        RunStatus.COMPLETED,
        answer_facts(outcome, text, gathered.children, deps.topic, asks=asks),
        drafts=tuple(gathered.drafts.drafts),
        about=_about(deps),
        asks=asks,
        means_waiting=reply.changes == "waiting",
        named=reply.earlier,
        sheets=tuple(deps.sheets.added) if deps.sheets else (),
    )


def _with_undo(deps: Deps, outcome: Answered) -> tuple[UUID, ...]:
    """Return the cards of the changes that an answer speaks of, if they can still undo them."""
    keys = outcome.reply.keys
    return tuple(row.undoable for row in deps.rows if row.key in keys and row.undoable)


def _about(deps: Deps) -> TopicChange | None:
    """Return the client the session is about from now on; None if that does not change."""
    before = deps.session.active_client_id
    after = deps.topic.after(before)
    return TopicChange(deps.session.id, after) if after != before else None


def _sources(gathered: Gathered, outcome: Answered) -> tuple[Link, ...]:
    """Return the sources of an answer; those of a card are shown on the card."""
    if gathered.drafts.drafts:
        return ()
    return tuple(Link(text=source.title, url=source.url or "") for source in outcome.sources)


def _footer(gathered: Gathered, outcome: Answered, decided: Sequence[Proposal]) -> str:
    """Return the last line, written by code: the reach of the answer, and recorded changes."""
    deps, drafts = gathered.deps, gathered.drafts.drafts
    unread = gathered.thread.notice
    meanwhile = _meanwhile(deps, outcome, decided)
    only_files = not drafts and outcome.reply.changes in ("none", "waiting")
    files = fixed_texts.files(deps.sheets.added, is_all=only_files) if deps.sheets else ""
    if drafts:
        return _sentences(files, meanwhile, fixed_texts.UNTIL_CONFIRMED, unread)
    implied = deps.topic.implied
    assumed = message("answer.assumed_client", implied=implied) if implied else ""
    changed = fixed_texts.changed(outcome.reply, deps.rows, is_judged=outcome.is_judged)
    return _sentences(assumed, *outcome.reach, unread, files, changed, meanwhile)


def _sentences(*parts: str) -> str:
    return " ".join(filter(None, parts))


def _meanwhile(deps: Deps, outcome: Answered, decided: Sequence[Proposal]) -> str:
    """Say how a card was decided that the answer calls open; others it says nothing wrong of."""
    text = folded(outcome.text)
    is_about_open = outcome.reply.changes == "waiting"
    mentioned = [
        proposal for proposal in decided if is_about_open or folded(proposal.effect.label) in text
    ]
    return fixed_texts.meanwhile(change_rows(mentioned, deps.actor.timezone, now=deps.stored_now))


def _without_answer(gathered: Gathered, failed: Failed) -> RunEnding:
    _APOLOGIES.add(1, {"reason": failed.reason})
    deps, drafts = gathered.deps, tuple(gathered.drafts.drafts)
    text = redacted("\n".join([_lead(failed, drafts), *_journal(failed.trail, deps)]))
    if not drafts:
        advice = failed.advice or message("talk.try_again")
        text += "\n" + message("talk.way_on", advice=advice, run_id=str(deps.run_id)[:8])
    footer = fixed_texts.UNTIL_CONFIRMED if drafts else ""
    output: dict[str, object] = {"reason": failed.reason, "text": text}
    output |= {"cause": failed.cause} if failed.cause else {}
    return RunEnding(
        Note(text=text, footer=footer, run_id=deps.run_id),
        RunStatus.FAILED,
        output,
        faults=("model",) if failed.is_unusable else (),
        drafts=drafts,
        # A message that may be for somebody else is no reason to speak up among people.
        is_private=deps.addressed is Addressed.PERHAPS and not drafts,
    )


def _lead(failed: Failed, drafts: Sequence[Proposal]) -> str:
    if drafts:
        return message("talk.prepared_without_words", why=failed.message)
    doing = fixed_texts.while_doing(failed.trail.doing if failed.trail else "")
    return message("talk.no_answer", was=doing, why=failed.message)


def _journal(trail: Trail | None, deps: Deps) -> list[str]:
    """Say what failed and what was found; findings are withheld where others read along."""
    steps = trail.steps if trail else []
    lines = [
        message("talk.what_failed", steps=titles, fault=fault) for fault, titles in _faults(steps)
    ]
    if deps.surface.scope is not ScopeKind.INTERNAL:
        return lines
    findings = [f"{step.title} ({step.outcome.found})" for step in steps if step.outcome.found]
    return [*lines, *([fixed_texts.what_was_found(_few(findings))] if findings else [])]


def _faults(steps: Sequence[TrailStep]) -> list[tuple[str, str]]:
    """Return each failure once, the latest first, with the steps it hit."""
    titles_by_fault: dict[str, list[str]] = {}
    for step in reversed(steps):
        if step.outcome.fault:
            titles_by_fault.setdefault(step.outcome.fault, []).append(step.title)
    return [(fault, _few(titles)) for fault, titles in titles_by_fault.items()][:_LISTED_AT_MOST]


def _few(parts: Sequence[str]) -> str:
    """Return the first few distinct parts, and how many more there are."""
    return first_few(list(dict.fromkeys(parts)), _LISTED_AT_MOST, "; ")
