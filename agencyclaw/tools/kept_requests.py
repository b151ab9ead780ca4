"""What was asked of a task that has no place in ClickUp yet: code shows it, so nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.days import spoken_day
from agencyclaw.domain.effects import CreateTask
from agencyclaw.domain.errors import NotMapped
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Tier
from agencyclaw.domain.task_requests import NOT_STATED
from agencyclaw.domain.text import one_line
from agencyclaw.knowledge.fact_checks import FactCheck
from agencyclaw.tools.drafting import draft_task, settle_facts
from agencyclaw.tools.gaps import NamedRecords, QuotedTask, TaskRequest
from agencyclaw.tools.people import admin_names
from agencyclaw.tools.results import Ask
from agencyclaw.tools.sources import fact_check

_LONGEST = 600


async def draft_or_keep(
    ctx: RunContext[Deps], named: NamedRecords, asked: TaskRequest, quoted: QuotedTask
) -> CreateTask | Ask:
    """Return the task or a question; raises NotMapped with what was asked, its facts checked."""
    try:
        return await draft_task(ctx, named, asked, quoted)
    except NotMapped as refused:
        check = fact_check(ctx)
        rows = _rows(named, settle_facts(asked, quoted, check), check)
        listed = "\n".join(
            f"• {name}: {one_line(value, _LONGEST)}" for name, value in rows if value
        )
        refused.kept = message("answer.kept_request", who=await _who(ctx.deps), listed=listed)
        refused.kept_of = asked.title
        raise


async def _who(deps: Deps) -> str:
    """Name who can give a client or brand its list."""
    if deps.actor.tier >= Tier.ADMIN:
        return message("answer.kept_request_you")
    admins = ", ".join(await admin_names(deps))
    return admins or message("answer.kept_request_admin")


def _rows(named: NamedRecords, request: TaskRequest, check: FactCheck) -> Iterator[tuple[str, str]]:
    yield from (("Title", request.title), ("Client", named.client), ("Brand", named.brand or ""))
    yield from (("Objective", request.objective), ("Details", request.details))
    yield "Products", ", ".join(one for one in named.identifiers if check.holds(one))
    if request.promotion:
        yield from (row for row in request.promotion.rows if row[1] != NOT_STATED)
    yield from ((one.label, one.value) for one in request.facts)
    yield from (("Marketplace", request.marketplace), ("Assignee", named.assignee or ""))
    yield "Start", spoken_day(request.start) if request.start else ""
    yield "Due", spoken_day(request.due) if request.due else ""
    if named.procedure:
        yield "Procedure", named.procedure.title or ""
