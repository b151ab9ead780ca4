"""What a run starts from, and how its outcome becomes the ending of its turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

import logfire
from pydantic_ai.messages import ModelMessage

from agencyclaw.agents.main import Answered, AnsweredElsewhere, Failed
from agencyclaw.agents.policies.refusals import Refusals
from agencyclaw.agents.situation import change_rows
from agencyclaw.agents.sub_runs import SubRuns
from agencyclaw.agents.thread import HeardThread
from agencyclaw.conversation import fixed_texts
from agencyclaw.conversation.endings import RunEnding, elsewhere
from agencyclaw.conversation.run_facts import answer_facts
from agencyclaw.conversation.unanswered import ending_without_answer
from agencyclaw.deps import Deps
from agencyclaw.domain.consent import asks as has_question
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Place
from agencyclaw.domain.proposals import Proposal, ProposalState
from agencyclaw.domain.receipts import Addressed, Link, Note
from agencyclaw.domain.runs import RunStatus
from agencyclaw.domain.sheets import Sheets
from agencyclaw.domain.text import folded
from agencyclaw.knowledge.secrets import redacted
from agencyclaw.proposals.propose import DraftBox
from agencyclaw.store.conclusion import About
from agencyclaw.store.jobs import is_local
from agencyclaw.store.proposals import ProposalStore

_APOLOGIES = logfire.metric_counter(
    "agencyclaw.apologies", description="Messages answered with an apology"
)


@dataclass(frozen=True)
class Gathered:
    """Everything a run starts from."""

    deps: Deps
    drafts: DraftBox
    situation: str
    history: list[ModelMessage]
    facts: dict[str, object]
    children: SubRuns
    thread: HeardThread
    waiting: tuple[Proposal, ...] = ()
    refusals: Refusals = field(default_factory=Refusals)


async def ended_since(proposals: ProposalStore, waiting: Sequence[Proposal]) -> list[Proposal]:
    """Return the cards that waited when a run began and were decided before its answer."""
    now = await proposals.by_ids([one.id for one in waiting]) if waiting else []
    return [one for one in now if one.state is not ProposalState.OPEN]


def sheets_for(place: Place) -> Sheets | None:
    """Return where a run's files are collected; a terminal shows none."""
    return None if is_local(place.team_id) else Sheets()


def ending_of(
    gathered: Gathered,
    outcome: Answered | AnsweredElsewhere | Failed,
    ended: Sequence[Proposal] = (),
) -> RunEnding:
    """Return the ending of a turn for a run's outcome; `ended` are the cards decided meanwhile."""
    run_id = gathered.deps.run_id
    refusals = gathered.refusals.noted(gathered.deps)
    over = {one.id for one in ended}
    waiting = tuple(one for one in gathered.waiting if one.id not in over)
    match outcome:
        case Failed():
            _APOLOGIES.add(1, {"reason": outcome.reason})
            drafts = tuple(gathered.drafts.drafts)
            ending = ending_without_answer(outcome, gathered.deps, drafts)
            # What may have been for somebody else is no reason to speak up among people.
            is_private = gathered.deps.addressed is Addressed.PERHAPS and not drafts
            return replace(ending, refusals=refusals, waiting=waiting, is_private=is_private)
        case AnsweredElsewhere(where=where):
            return elsewhere(where, run_id, refusals)
        case Answered():
            drafts = tuple(gathered.drafts.drafts)
            text = redacted("\n\n".join((outcome.text, *outcome.missing)))
            note = Note(
                text=text,
                footer=_footer(gathered, outcome, ended),
                sources=_sources(gathered, outcome),
                choices=outcome.choices,
                run_id=run_id,
                cards=_with_undo(gathered, outcome),
            )
            about = _about(gathered.deps)
            asks = bool(outcome.choices or outcome.reply.question) or has_question(text)
            output = answer_facts(outcome, text, gathered.children, gathered.deps.topic, asks=asks)
            sheets = gathered.deps.sheets
            return RunEnding(
                note,
                RunStatus.COMPLETED,
                output,
                drafts,
                refusals,
                about,
                asks,
                waiting,
                means_waiting=outcome.reply.changes == "waiting",
                named=outcome.reply.earlier,
                sheets=tuple(sheets.added) if sheets else (),
            )


def _with_undo(gathered: Gathered, outcome: Answered) -> tuple[UUID, ...]:
    """Return the card of the change that an answer speaks of, if it has a button to undo it."""
    reply = outcome.reply
    if reply.changes != "earlier":
        return ()
    rows = (one for one in gathered.deps.rows if one.key == reply.earlier.strip())
    return tuple(one.undoable for one in rows if one.undoable)


def _about(deps: Deps) -> About | None:
    """Return the client the session is about from now on; None if that does not change."""
    before = deps.session.active_client_id
    after = deps.topic.after(before)
    return About(deps.session.id, after) if after != before else None


def _sources(gathered: Gathered, outcome: Answered) -> tuple[Link, ...]:
    """Return the sources of an answer; those of a card are shown on the card."""
    if gathered.drafts.drafts:
        return ()
    return tuple(Link(text=one.title, url=one.url or "") for one in outcome.sources)


def _meanwhile(deps: Deps, outcome: Answered, ended: Sequence[Proposal]) -> str:
    """Say how a card ended that the answer calls open; of others nothing in it is wrong."""
    text = folded(outcome.text)
    is_about_open = outcome.reply.changes == "waiting"
    told = [one for one in ended if is_about_open or folded(one.effect.label) in text]
    return fixed_texts.meanwhile(change_rows(told, deps.actor.timezone, now=deps.now))


def _footer(gathered: Gathered, outcome: Answered, ended: Sequence[Proposal]) -> str:
    """Return the last line, written by code: the reach of the answer, and recorded changes."""
    unread = gathered.thread.notice
    meanwhile = _meanwhile(gathered.deps, outcome, ended)
    drafts, sheets = gathered.drafts.drafts, gathered.deps.sheets
    is_all = not drafts and outcome.reply.changes in ("none", "waiting")
    files = fixed_texts.files(sheets.added, is_all=is_all) if sheets else ""
    if drafts:
        confirmed = fixed_texts.until_confirmed(one.effect.done for one in drafts)
        return " ".join(filter(None, (files, meanwhile, confirmed, unread)))
    implied = gathered.deps.topic.implied
    taken = message("answer.taken_be_about_as", implied=implied) if implied else ""
    changed = fixed_texts.changed(outcome.reply, gathered.deps.rows, is_judged=outcome.is_judged)
    parts = (taken, *outcome.reach, unread, files, changed, meanwhile)
    return " ".join(part for part in parts if part)
