"""How the assistant itself is doing: a run, failures, repeated events, and what models cost."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field
from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.clock import day_and_time
from agencyclaw.domain.errors import Refused
from agencyclaw.domain.messages import message
from agencyclaw.domain.operations import (
    LISTED_AT_MOST,
    STEPS_AT_MOST,
    AuditedEvent,
    CostGroup,
    CostRow,
    FailureGroup,
    RunChange,
    RunRecord,
    Severity,
)
from agencyclaw.domain.people import Tier
from agencyclaw.domain.policy import Shows
from agencyclaw.domain.retries import DONE_AT_MOST, RETRIES_AT_MOST, RetryRun
from agencyclaw.domain.sheets import SheetColumn
from agencyclaw.domain.text import cut, first_lines, folded, one_line
from agencyclaw.knowledge.secrets import redacted
from agencyclaw.tools.arguments import NOT_VERBATIM, Days, Sought
from agencyclaw.tools.catalogue import TOOLS, proposes, reads
from agencyclaw.tools.charts import add_chart
from agencyclaw.tools.results import Result
from agencyclaw.tools.tool_search import SEARCH_TOOLS

# The beginning of a run's id is enough, or a whole trace's id.
RunPrefix = Annotated[str, Field(max_length=36), NOT_VERBATIM]
EventSource = Literal["events", "interactions", "commands", "schedules", "terminal"]
_ROWS_AT_MOST = 30
_UNNAMED: dict[CostGroup, str] = {
    "tool": "answers, without a tool",
    "person": "nobody known",
    "client": "no single client, or not recorded",
    "model": "unknown",
    "stage": "unknown",
    "week": "unknown",
}


class StepItem(Result):
    """A step of a run; `refused` is why it came to nothing."""

    step: str
    refused: str = ""


class RunStatusReport(Result):
    """How a run ended, how long it took, what it did and what it cost."""

    run: str
    kind: str
    status: str
    person: str = ""
    client: str = ""
    request: str = ""
    started: datetime
    seconds: float | None = None
    error: str = ""
    steps: tuple[StepItem, ...] = ()
    changes: tuple[RunChange, ...] = ()
    sub_runs: int = 0
    tokens: int = 0
    cost_usd: float | None = None
    note: str = ""


class ErrorDigest(Result):
    """The failures of a time, errors and frequent ones first."""

    groups: tuple[FailureGroup, ...] = ()
    days: int
    note: str = ""


class EventReport(Result):
    """What became of stored events, those handled more than once, and those that failed."""

    counts: dict[str, int]
    repeated: tuple[AuditedEvent, ...] = ()
    failed: tuple[AuditedEvent, ...] = ()
    days: int
    note: str


class CostReport(Result):
    """What models were used for and what they cost, the dearest or latest first, with the total."""

    group_by: CostGroup
    rows: tuple[CostRow, ...] = ()
    total_usd: float
    total_tokens: int
    days: int
    note: str = ""


@reads(tier=Tier.MEMBER, shows=Shows.NOTES, on_demand=True)
async def run_status_lookup(ctx: RunContext[Deps], run: RunPrefix = "") -> RunStatusReport:
    """Look up a run: its status, how long it took, its steps, its error and cost.

    Args:
        run: The beginning of its id, as an apology names it, or its trace's id; leave out for the
            person's last one.
    """
    return _run_report(await ctx.deps.operations.run(run.strip().lower()), ctx.deps)


def _unpriced_of(record: RunRecord) -> str:
    if record.cost_usd is None:
        return "Its price is unknown." if record.tokens else ""
    return _unpriced(record.unpriced, of="its cost")


def _unpriced(tokens: int, of: str = "it") -> str:
    return f"Not in {of}: {tokens:,} tokens of models without a known price." if tokens else ""


def _run_report(record: RunRecord, deps: Deps) -> RunStatusReport:
    ended = record.completed_at
    notes = (
        _unpriced_of(record),
        f"Its first {STEPS_AT_MOST} steps are listed." if len(record.steps) > STEPS_AT_MOST else "",
    )
    return RunStatusReport(
        run=str(record.id)[:8],
        kind=record.run_type,
        status=record.status,
        person=one_line(record.person or "", 80),
        client=one_line(record.client or "", 120),
        request=_shown(record.request or "", 300),
        started=_moment(record.started_at, deps),
        seconds=round((ended - record.started_at).total_seconds(), 1) if ended else None,
        error=_shown(record.error or "", 300),
        steps=tuple(
            StepItem(step=_title(step.tool), refused=one_line(step.reason, 60))
            for step in record.steps[:STEPS_AT_MOST]
        ),
        changes=tuple(
            change.model_copy(update={"headline": one_line(change.headline, 200)})
            for change in record.changes
        ),
        sub_runs=record.sub_runs,
        tokens=record.tokens,
        cost_usd=None if record.cost_usd is None else round(record.cost_usd, 4),
        note=" ".join(filter(None, notes)),
    )


@reads(tier=Tier.ADMIN, shows=Shows.NOTES, on_demand=True)
async def error_digest(
    ctx: RunContext[Deps],
    days: Days = 1,
    tool: Annotated[str, Field(max_length=60), NOT_VERBATIM] = "",
    severity: Severity | None = None,
    by_client: bool = False,
) -> ErrorDigest:
    """Sum up recent failures (errors) of the assistant: failed answers, tools, changes, deliveries.

    Args:
        days: Of how many days up to now.
        tool: Only of this tool, by its name or as a digest calls it.
        severity: Only errors, or only warnings.
        by_client: Also tell them apart by client.
    """
    tools = _called(tool)
    groups = await ctx.deps.operations.errors(days, tools, severity or "", by_client=by_client)
    return ErrorDigest(
        groups=tuple(_failure(group, ctx.deps) for group in groups[:LISTED_AT_MOST]),
        days=days,
        note=_digest_note(len(groups), tool.strip(), severity),
    )


def _called(name: str) -> tuple[str, ...]:
    """Return the names of what a digest calls so, or what has that name; none for ""."""
    wanted = folded(name)
    named = (one for one in (*TOOLS, SEARCH_TOOLS) if wanted in (one, folded(_title(one))))
    return (tuple(named) or (name.strip(),)) if wanted else ()


def _digest_note(found: int, tool: str, severity: Severity | None) -> str:
    if found > LISTED_AT_MOST:
        return f"Only the {LISTED_AT_MOST} most frequent kinds are listed, errors first."
    if found:
        return ""
    if not (tool or severity):
        return "There were no errors or warnings."
    kind = f"{severity}s" if severity else "errors or warnings"
    of = f" of “{one_line(tool, 60)}”" if tool else ""
    return f"There were no {kind}{of}; nothing else was looked for."


def _failure(group: FailureGroup, deps: Deps) -> FailureGroup:
    client = group.client
    if client is not None:
        client = one_line(client, 120) or _UNNAMED["client"]
    shown = {
        "tool": _title(group.tool),
        "reason": one_line(group.reason, 80),
        "message": _shown(group.message, 200),
        "client": client,
        "last": _moment(group.last, deps),
    }
    return group.model_copy(update=shown)


@reads(tier=Tier.ADMIN, shows=Shows.NOTES, on_demand=True)
async def event_dedupe_audit(
    ctx: RunContext[Deps], days: Days = 1, source: EventSource | None = None
) -> EventReport:
    """Audit stored Slack events: how many, in what state, which were handled twice or failed.

    Args:
        days: Of how many days up to now.
        source: Only from this source.
    """
    audit = await ctx.deps.operations.events(days, source or "")
    return EventReport(
        counts={f"{one.source} {one.status}": one.count for one in audit.counts},
        repeated=tuple(_event(event, ctx.deps) for event in audit.repeated),
        failed=tuple(_event(event, ctx.deps) for event in audit.failed),
        days=days,
        note=(
            "An event that Slack delivers again is recognised by its key and not stored."
            f" Listed are the latest {LISTED_AT_MOST} of each."
        ),
    )


def _event(event: AuditedEvent, deps: Deps) -> AuditedEvent:
    shown = {"reason": one_line(event.reason, 80), "received_at": _moment(event.received_at, deps)}
    return event.model_copy(update=shown)


@reads(tier=Tier.ADMIN, shows=Shows.NOTES, on_demand=True, attaches=True)
async def usage_cost_report(
    ctx: RunContext[Deps], group_by: CostGroup = "client", days: Days = 30, chart: bool = False
) -> CostReport:
    """Report the assistant's model costs (usage, cost, tokens) by tool, person, client or week.

    Args:
        group_by: By what.
        days: Of how many days up to now.
        chart: Also put it below the answer as a bar chart.
    """
    costs = await ctx.deps.operations.costs(days, group_by)
    rows, early, by_week = costs.rows, costs.unplaced, group_by == "week"
    first = "latest" if by_week else "dearest"
    costs_shown = tuple(_cost(row, group_by) for row in rows)
    unpriced = sum(row.unpriced for row in rows)
    notes = (
        f"The {_ROWS_AT_MOST} {first} are listed." if len(rows) > _ROWS_AT_MOST else "",
        "A week is named by its Monday, in UTC; the first may be a part." if by_week else "",
        _unpriced(unpriced),
        f"Not in it: {early:,} tokens of earlier runs, of an unknown workspace." if early else "",
        _add_chart(ctx.deps, costs_shown, group_by, days) if chart else "",
    )
    return CostReport(
        group_by=group_by,
        rows=costs_shown[:_ROWS_AT_MOST],
        total_usd=round(sum(row.cost_usd for row in rows), 4),
        total_tokens=sum(row.prompt_tokens + row.completion_tokens for row in rows),
        days=days,
        note=" ".join(filter(None, notes)),
    )


def _add_chart(deps: Deps, rows: Sequence[CostRow], group: CostGroup, days: int) -> str:
    """Put the costs below the answer as a chart."""
    return add_chart(
        deps,
        f"Model costs by {group}, {days} days to {deps.today}",
        SheetColumn(title=group.capitalize(), is_day=group == "week"),
        "USD",
        [(row.name, row.cost_usd) for row in rows],
    )


def _cost(row: CostRow, group: CostGroup) -> CostRow:
    name = one_line(_title(row.name) if group == "tool" else row.name, 120) or _UNNAMED[group]
    return row.model_copy(update={"name": name, "cost_usd": round(row.cost_usd, 4)})


@proposes(RetryRun, tier=Tier.ADMIN, on_demand=True)
async def run_retry(ctx: RunContext[Deps], run: Sought) -> RetryRun:
    """Prepare to try a failed or cancelled run again (retry): its message is answered anew.

    Args:
        run: The beginning of its id, as the apology names it.
    """
    deps = ctx.deps
    record = await deps.operations.run(run.lower())
    if record.retries_left < 1:
        raise Refused(message("refused.operations.no_retry"), reason="not_retryable")
    done = [one_line(one.headline, 200) for one in record.changes if one.state == "done"]
    return RetryRun(
        run=record.id,
        number=RETRIES_AT_MOST - record.retries_left + 1,
        person=one_line(record.person or "", 120),
        failed_at=day_and_time(record.completed_at or record.started_at, deps.actor.timezone),
        done_already=first_lines(done, DONE_AT_MOST),
    )


def _title(tool: str) -> str:
    """Return what a tool is called in sentences; other names are ours, or a part's in a digest."""
    titles = {SEARCH_TOOLS: message("steps.search_tools")}
    return TOOLS[tool].title if tool in TOOLS else titles.get(tool, tool)


def _moment(moment: datetime, deps: Deps) -> datetime:
    return moment.astimezone(deps.actor.zone).replace(second=0, microsecond=0)


def _shown(text: str, limit: int) -> str:
    """Return a stored text on one line and without secrets."""
    return cut(redacted(one_line(text, 1_000)), limit)
