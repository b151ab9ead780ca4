"""Prints runs: what each saw, called, proposed and cost, as text or JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from agencyclaw.domain.errors import NotFound
from agencyclaw.domain.feedback import Rating
from agencyclaw.domain.proposals import read_effect
from agencyclaw.domain.runs import RunStatus
from agencyclaw.domain.text import counted, cut
from agencyclaw.settings import Settings
from agencyclaw.store.conversation_tables import AgentRun, TokenUsage
from agencyclaw.store.engine import Database
from agencyclaw.store.interrupted_runs import read_arguments
from agencyclaw.store.run_reports import (
    RunEvent,
    RunProposal,
    RunRating,
    RunReport,
    RunSummary,
    SubRunSummary,
    newest_runs,
    read_run,
)
from agencyclaw.telemetry.tracing import trace_link

_RESULT_LIMIT = 300
_LEFT_OUT_IF_EMPTY = {"Sent to look", "Thought of it"}
_NO_LINK = "no link: set AGENCYCLAW_TRACE_URL to the address of a trace in your collector"
_RATINGS = {Rating.UP: "it helped", Rating.DOWN: "it did not help"}


@dataclass(frozen=True)
class ReportSection:
    """A part of the report of a run; `trace_url` is the address of its trace, or ""."""

    title: str
    lines: Sequence[str]
    trace_url: str = ""


async def list_runs(db: Database, *, as_json: bool) -> str:
    """Return the newest runs, one line each."""
    runs = await newest_runs(db, limit=30)
    if as_json:
        return _json([run.model_dump() for run in runs])
    if not runs:
        return "No runs yet. A run is what one message led to: write to the assistant first."
    return "\n".join(_run_line(run) for run in runs)


async def show_run(db: Database, prefix: str, settings: Settings, *, as_json: bool) -> str:
    """Return a whole run; raises NotFound if no id, or several, start with this."""
    report, link = await _report(db, prefix, settings)
    if as_json:
        return _json(report.as_json() | ({"trace_url": link} if link else {}))
    return "\n".join(_text_lines(_sections(report, link, settings, _RESULT_LIMIT)))


async def run_sections(db: Database, run_id: str, settings: Settings) -> list[ReportSection]:
    """Return a whole run with uncut results; raises as `show_run` does."""
    return _sections(*await _report(db, run_id, settings), settings)


async def _report(db: Database, prefix: str, settings: Settings) -> tuple[RunReport, str]:
    """Return a run, and the address of its trace or ""."""
    report = await read_run(db, prefix)
    if report is None:
        raise NotFound(
            f"There is no single run that begins with {prefix}. `agencyclaw runs` lists them.",
            reason="not_found",
        )
    run_id, trace = str(report.run.id), report.run.trace_id
    return report, await trace_link(settings, run=run_id, trace=trace) if trace else ""


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2, default=str)


def _run_line(run: RunSummary) -> str:
    indent = "  └ " if run.parent_run_id else ""
    return (
        f"{indent}{str(run.id)[:8]}  {run.started_at:%Y-%m-%d %H:%M:%S %Z}  {run.status:<10} "
        f"{counted(run.requests, 'request'):>11} {counted(run.tokens, 'token'):>13}  "
        f"{run.person or 'nobody known'}: "
        f"{cut(run.request or '', 60)!r}"
    )


def _sections(
    report: RunReport, link: str, settings: Settings, limit: int | None = None
) -> list[ReportSection]:
    """Return the parts of a report; `limit` cuts the result of a call."""
    facts = _facts(report.run, report.asked.person)
    if settings.exports_spans and report.run.trace_id and not link:
        facts.append(_NO_LINK)
    sections = [
        ReportSection(f"Run {report.run.id}", facts, link),
        ReportSection("Saw", (report.asked.request or "").splitlines()),
        ReportSection("Called", _call_lines(report.events, limit)),
        ReportSection("Sent to look", _sub_run_lines(report.children)),
        ReportSection("Answered", _answer(report.run).splitlines()),
        ReportSection("Thought of it", _feedback_lines(report.feedback)),
        ReportSection("Proposed", [_proposal_line(proposal) for proposal in report.proposals]),
        ReportSection("Cost", [_cost_line(usage) for usage in report.usage]),
    ]
    return [one for one in sections if one.lines or one.title not in _LEFT_OUT_IF_EMPTY]


def _text_lines(sections: Sequence[ReportSection]) -> Iterator[str]:
    for number, section in enumerate(sections):
        yield from ([""] if number else [])
        yield section.title
        yield from (f"  {line}".rstrip() for line in section.lines or ["nothing"])
        if section.trace_url:
            yield f"  {section.trace_url}"


def _facts(run: AgentRun, person: str | None) -> list[str]:
    facts, ended = run.input_payload, run.completed_at
    took = f" after {(ended - run.started_at).total_seconds():.2f} s" if ended else ""
    lines = [
        f"{run.run_type}, {run.status}{took}, {run.started_at:%Y-%m-%d %H:%M:%S %Z}",
        f"for {person or 'nobody known'} in {run.place}",
        f"model {facts.get('model')}, prompt {facts.get('prompt_hash')}, trace {run.trace_id}",
    ]
    if facts.get("guides_hash"):
        lines.append(f"guides {facts['guides_hash']}")
    if failure := _failure(run):
        lines += _entry(f"failed: {failure}")
    return lines


def _failure(run: AgentRun) -> str:
    output = run.output_payload or {}
    if run.status != RunStatus.FAILED:
        return ""
    return str(output.get("cause") or output.get("reason") or run.error_message or "")


def _call_lines(events: list[RunEvent], limit: int | None) -> list[str]:
    """Return each call with its result below it, in the order of the calls."""
    results = {event.tool_call_id: event for event in events if event.event_type == "skill_result"}
    lines: list[str] = []
    for event in events:
        if event.event_type != "skill_call":
            continue
        lines.append(f"{event.skill_id}({_arguments(event.payload)})")
        result = results.get(event.tool_call_id)
        if result:
            returned = _compact(result.payload.get("result"))
            lines.append(f"  → {cut(returned, limit) if limit else returned}")
    return lines


def _sub_run_lines(children: list[SubRunSummary]) -> list[str]:
    texts = (
        f"{str(child.id)[:8]} {child.status}: {child.request or 'no question'}"
        for child in children
    )
    return [line for text in texts for line in _entry(text)]


def _feedback_lines(feedback: list[RunRating]) -> list[str]:
    """Return the ratings of a run's answer, with comments."""
    lines: list[str] = []
    for rating in feedback:
        line = f"{rating.person or 'somebody'}: {_RATINGS[Rating(rating.rating)]}"
        lines += _entry(f"{line}: {rating.comment}" if rating.comment else line)
    return lines


def _entry(text: str) -> list[str]:
    """Return the lines of one entry of several, its further lines indented."""
    first, *others = text.splitlines()
    return [first, *(f"  {line}" for line in others)]


def _arguments(payload: dict[str, Any]) -> str:
    arguments = payload.get("args")
    named = read_arguments(arguments)
    if named is None:
        return _compact(arguments)
    return ", ".join(f"{name}={_compact(value)}" for name, value in named.items())


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _answer(run: AgentRun) -> str:
    output = run.output_payload or {}
    return str(output.get("text") or run.error_message or "")


def _proposal_line(proposal: RunProposal) -> str:
    where = f" {proposal.url}" if proposal.url else ""
    stored = read_effect(proposal.arguments, proposal.skill_id, proposal.entity or "")
    return f"{stored.preview().headline}: {proposal.state}{where}"


def _cost_line(usage: TokenUsage) -> str:
    price = usage.cost_usd
    money = "price unknown" if price is None else f"{price:.4f} USD"
    return f"{usage.model}: {usage.prompt_tokens} tokens in, {usage.completion_tokens} out, {money}"
