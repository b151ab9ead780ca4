"""The texts available when something was prepared: people's messages, and tools' results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any, cast

from pydantic import BaseModel, ValidationError
from pydantic_ai import RunContext
from pydantic_ai.messages import ModelMessage, ModelRequest, ToolReturnPart
from pydantic_core import to_json

from agencyclaw.deps import Deps
from agencyclaw.domain.field_sources import Material, Origin
from agencyclaw.domain.replies import ENDINGS
from agencyclaw.knowledge.fact_checks import FactCheck
from agencyclaw.tools.arguments import nested
from agencyclaw.tools.attached_files import AttachedText, read_attached_file
from agencyclaw.tools.catalogue import TOOLS
from agencyclaw.tools.messages import (
    SlackMessage,
    SlackMessages,
    read_conversation,
    search_messages,
)
from agencyclaw.tools.prior_results import PriorResult, without_remarks
from agencyclaw.tools.results import Ask, Proposed, Refusal, Result
from agencyclaw.tools.sops import KnowledgeAnswer, OpenedProcedure
from agencyclaw.tools.task_texts import CommentText, TaskReading, read_task

# What these return are names and figures, procedures, or what whoever runs us wrote. All others
# bring sentences of somebody: what the assistant words after reading them may rest on those.
WITHOUT_PROSE = frozenset(
    {
        "client_risks",
        "lookup_client",
        "lookup_brand",
        "resolve_brand",
        "calculate",
        "read_guide",
        "read_procedure",
        "kpi_target_lookup",
        "list_waiting_documents",
        "audit_brand_mappings",
        "cc_brand_mapping_remediation_preview",
        "cc_org_chart_ascii",
        "cc_role_lookup",
        "cc_assignment_matrix",
        "cc_clickup_space_list",
        "cc_role_capacity_snapshot",
        "cc_team_member_lookup",
        "cc_policy_explain",
        "catalog_lookup",
        "clickup_task_quality_gate",
        "clickup_task_duplicate_check",
        "event_dedupe_audit",
        "export_records",
        "export_tasks",
        "finished_tasks",
        "list_tasks",
        "usage_cost_report",
    }
)
_SEARCH, _OPEN = "search_kb", "read_procedure"
_WITH_SOURCES: dict[str, type[Result]] = {
    _OPEN: OpenedProcedure,
    _SEARCH: KnowledgeAnswer,
    read_conversation.__name__: SlackMessages,
    search_messages.__name__: SlackMessages,
    read_task.__name__: TaskReading,
    read_attached_file.__name__: AttachedText,
}
_BRING_BACK = "load_prior_skill_result"
# What code words itself: questions, prepared changes and refusals.
_OURS = ("ask", "proposed", "refusal")


def fact_check(ctx: RunContext[Deps]) -> FactCheck:
    """Return the check of a run's facts against what people wrote and tools returned."""
    deps = ctx.deps
    first = deps.materials[0] if deps.materials else None
    # The model reads the message with colleagues' names in place of their ids.
    read = Material(
        origin=first.origin if first else Origin.TYPED,
        whose=first.whose if first else deps.actor.name,
        text=deps.request,
        taints=first.taints if first else False,
    )
    shown = [one for one in deps.materials if one.origin is Origin.PROCEDURE]
    talk = [one for one in deps.materials if one.origin is not Origin.PROCEDURE]
    results = (*shown, *found_by_tools(ctx.messages))
    days = {day for one in deps.revised for day in nested(date, one.effect)}
    return FactCheck((read, *talk), results, deps.today, days)


def found_by_tools(messages: Sequence[ModelMessage]) -> Iterator[Material]:
    """Yield what tools returned in a run and in the history before it."""
    for message in messages:
        if isinstance(message, ModelRequest):
            for part in message.parts:
                # Which tools there are is said in our own words, and so is what went wrong: an
                # error message can quote the model's own arguments.
                if (
                    isinstance(part, ToolReturnPart)
                    and part.tool_kind != "tool-search"
                    and part.outcome == "success"
                ):
                    yield from _materials(part.tool_name, part.content)


def _materials(tool: str, content: Any) -> Iterator[Material]:
    spec = TOOLS.get(tool)
    # Also where history holds only their text.
    if isinstance(content, Ask | Proposed | Refusal) or _is_our_own(tool):
        return
    yield from _sourced(content)
    if isinstance(content, OpenedProcedure | SlackMessages | TaskReading | AttachedText):
        return
    if isinstance(content, KnowledgeAnswer):
        for one in content.documents:
            yield Material(origin=Origin.DOCUMENT, whose=one.title, text=_text(one), taints=True)
        content = content.earlier_tasks
    if isinstance(content, PriorResult):
        yield from shown_by(content.skill, without_remarks(content.data.get("result")))
    title = spec.rule.title if spec else ""
    if text := _text(content):
        taints = brings_prose(tool, content)
        yield Material(origin=Origin.RECORD, whose=title, text=text, taints=taints)


def shown_by(tool: str, stored: Any) -> Iterator[Material]:
    """Yield the procedures and people's messages in a stored result of an earlier run.

    The history has only a part of the result, and a text without its source could be anybody's.
    """
    kind = _WITH_SOURCES.get(tool)
    try:
        yield from _sourced(kind.model_validate(stored) if kind else None)
    except ValidationError:
        # A question, a refusal, or a shape of former times.
        return


def _sourced(content: Any) -> Iterator[Material]:
    """Yield the procedures and people's messages in a result, each with whose it is.

    Of a search these are also the titles of the other procedures; all else in a task is the task's.
    """
    match content:
        case OpenedProcedure():
            yield Material(origin=Origin.PROCEDURE, whose=content.title, text=content.text)
        case KnowledgeAnswer():
            for hit in content.procedures:
                yield Material(origin=Origin.PROCEDURE, whose=hit.title, text=_text(hit))
            for title in content.other_titles:
                yield Material(origin=Origin.PROCEDURE, whose=title, text=title)
        case SlackMessages():
            yield from map(_of_others, content.messages)
        case TaskReading():
            rest = _text(content.model_copy(update={"comments": ()}))
            yield Material(origin=Origin.RECORD, whose=content.title, text=rest, taints=True)
            yield from map(_of_others, content.comments)
        case AttachedText():
            yield Material(origin=Origin.FILE, whose=content.whose, text=content.text, taints=True)
        case _:
            return


def _of_others(one: SlackMessage | CommentText) -> Material:
    return Material(origin=Origin.OTHERS, whose=one.who, text=one.text, taints=True)


def _is_our_own(tool: str) -> bool:
    """Whether a tool's result is worded by code: prepared changes and rejected answers."""
    spec = TOOLS.get(tool)
    return tool in ENDINGS or (spec is not None and spec.effect is not None)


def brings_prose(tool: str, content: Any) -> bool:
    """Return whether a result contains sentences of people, not only names and figures.

    Of a search, earlier tasks are names and procedures are trusted; documents are somebody's words.
    A result that is brought back has whatever it had when it was found.
    """
    fields = _fields(content)
    if _is_our_own(tool) or fields.get("kind") in _OURS:
        return False
    if tool == _BRING_BACK and "skill" in fields:
        return brings_prose(str(fields["skill"]), fields.get("data"))
    if tool != _SEARCH:
        return tool not in WITHOUT_PROSE
    text = content if isinstance(content, str) else to_json(content).decode()
    return '"documents"' in text


def _fields(content: Any) -> dict[str, Any]:
    whole = content.model_dump() if isinstance(content, BaseModel) else content
    return cast("dict[str, Any]", whole) if isinstance(whole, dict) else {}


def _text(content: Any) -> str:
    """Return all strings of a result, one per line."""
    return "\n".join(_strings(content))


def _strings(node: Any) -> Iterator[str]:
    if isinstance(node, str):
        yield node
    elif isinstance(node, BaseModel):
        yield from _strings(node.model_dump(mode="json"))
    elif isinstance(node, dict):
        yield from _strings(list(node.values()))  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    elif isinstance(node, list | tuple):
        for part in node:  # pyright: ignore[reportUnknownVariableType]
            yield from _strings(part)
