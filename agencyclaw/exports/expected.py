"""The result of a conversation, as an eval can expect it."""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import Any

from pydantic_ai.messages import ToolCallPart

from agencyclaw.domain.effects import kind_of
from agencyclaw.domain.errors import Refused
from agencyclaw.domain.proposals import Proposal, ProposalState
from agencyclaw.domain.runs import RunStatus
from agencyclaw.domain.task_creation import CreateTask
from agencyclaw.domain.unsupported import UNSUPPORTED_REASON, UnsupportedEffect
from agencyclaw.exports.case_file import Expected, ExpectedProposal, ExpectedTask, ExpectedTurn
from agencyclaw.exports.replay import arguments_of, calls_of, relative_days
from agencyclaw.store.run_exports import (
    AuditEvent,
    ExportedConversation,
    ExportedRun,
    ExportedTurn,
    ToolResult,
)
from agencyclaw.tools.tool_search import SEARCH_TOOLS

_OPEN = (ProposalState.DRAFT, ProposalState.OPEN, ProposalState.CONFIRMED, ProposalState.EXECUTING)
_LONGEST_ARGUMENT = 80
_FIRST_WORDS = 6


def expected_of(conversation: ExportedConversation) -> Expected:
    """Return what the conversation has left behind at its end."""
    last = conversation.turns[-1]
    proposals = conversation.proposals
    expected = [_expected_proposal(proposal, last.until, last.today) for proposal in proposals]
    done = [
        proposal
        for proposal, outcome in zip(proposals, expected, strict=True)
        if outcome.state is ProposalState.DONE
    ]
    undone = {proposal.undo_of for proposal in done}
    return Expected(
        turns=[_expected_turn(turn) for turn in conversation.turns],
        proposals=expected,
        tasks=[
            _expected_task(proposal.effect, is_archived=proposal.id in undone)
            for proposal in done
            if isinstance(proposal.effect, CreateTask)
        ],
    )


def _expected_turn(turn: ExportedTurn) -> ExpectedTurn:
    expected = _answered_by_model(turn, turn.run) if turn.run else _answered_by_code(turn)
    refused = {event.reason for event in turn.events if event.event_type == "tool_refused"}
    consents = [event for event in turn.events if event.event_type.startswith("consent")]
    return expected.model_copy(
        update={
            "refused": sorted(reason for reason in refused if reason),
            "events": [_event_name(event) for event in consents],
        }
    )


def _answered_by_code(turn: ExportedTurn) -> ExpectedTurn:
    texts = [post.text for post in turn.posts if post.text is not None]
    return ExpectedTurn(
        by="code" if turn.posts else "nobody", tells=[_beginning(text) for text in texts]
    )


def _answered_by_model(turn: ExportedTurn, run: ExportedRun) -> ExpectedTurn:
    answer = next((post.text or "" for post in turn.posts if post.kind == "answer"), "")
    calls = calls_of(run)
    asks = None if "?" in answer else False
    if asks is None and run.results and run.results[-1].fields.get("kind") == "ask":
        asks = True
    return ExpectedTurn(
        # How a tool was found is nobody's concern.
        calls=[
            _expected_call(call, turn.today) for call in calls if call.tool_name != SEARCH_TOOLS
        ],
        quiet=not calls,
        cites=[title for title in _titles_in(run.results) if title in answer],
        asks=asks,
        fails=run.status == RunStatus.FAILED,
    )


def _expected_call(call: ToolCallPart, today: date) -> dict[str, dict[str, Any]]:
    """Return a call with its short arguments."""
    arguments = arguments_of(call, today)
    short = {
        name: value
        for name, value in arguments.items()
        if isinstance(value, bool | int)
        or (isinstance(value, str) and len(value) <= _LONGEST_ARGUMENT)
    }
    return {call.tool_name: short}


def _titles_in(results: list[ToolResult]) -> list[str]:
    """Return the titles of the procedures in a run's results, each once."""
    titles: list[str] = []
    for result in results:
        titles += [procedure["title"] for procedure in result.fields.get("procedures", ())]
        titles += result.fields.get("rests_on", ())
    return list(dict.fromkeys(titles))


def _event_name(event: AuditEvent) -> str:
    return f"{event.event_type}:{event.reason}" if event.reason else event.event_type


def _beginning(text: str) -> str:
    """Return the beginning of a fixed sentence, without parts that change every day."""
    words = re.sub(r"https?://\S+|[*_<>|]", " ", text.splitlines()[0]).split()
    return " ".join(words[:_FIRST_WORDS])


def _expected_proposal(proposal: Proposal, until: datetime | None, today: date) -> ExpectedProposal:
    """Return a proposal in its state at the end of the last turn."""
    effect = proposal.effect
    if isinstance(effect, UnsupportedEffect):
        raise Refused(
            f"“{effect.label}” was prepared by another version, which this one can't read, so this "
            "run can't be made a case.",
            reason=UNSUPPORTED_REASON,
        )
    is_later = until and proposal.settled_at and proposal.settled_at >= until
    was_open = is_later and proposal.state not in _OPEN
    brand = getattr(effect, "brand", None)
    return ExpectedProposal(
        kind=kind_of(type(effect)),
        client=effect.clients[0].name if len(effect.clients) == 1 else None,
        brand=brand.name if brand else None,
        title=[effect.label],
        state=ProposalState.OPEN if was_open else proposal.state,
        undo=proposal.undo_of is not None,
        **(_details(effect, today) if isinstance(effect, CreateTask) else {}),
    )


def _details(effect: CreateTask, today: date) -> dict[str, Any]:
    """Return the fields that only a new task has."""
    promotion = effect.promotion
    return {
        "task_list": effect.destination.list_name,
        "assignee": effect.assignee.name if effect.assignee else None,
        "start": _relative(effect.start, today),
        "due": _relative(effect.due, today),
        "starts": _relative(promotion.starts if promotion else None, today),
        "ends": _relative(promotion.ends if promotion else None, today),
        "identifiers": list(effect.identifiers),
        "pending": effect.identifiers_pending,
        "sources": [source.title for source in effect.sources],
        "anyway": effect.create_anyway,
    }


def _relative(day: date | None, today: date) -> str | None:
    return str(relative_days(day.isoformat(), today)) if day else None


def _expected_task(effect: CreateTask, *, is_archived: bool) -> ExpectedTask:
    assignee = effect.assignee
    return ExpectedTask(
        task_list=effect.destination.list_name,
        title=[effect.title],
        assignees=[assignee.name] if assignee and assignee.clickup_user_id else [],
        archived=is_archived,
    )
