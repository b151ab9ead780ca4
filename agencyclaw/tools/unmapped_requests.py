"""Lists what was asked of a task whose client has no ClickUp list, so that nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.changes import unsupported_lines
from agencyclaw.domain.days import spoken_day
from agencyclaw.domain.errors import NotMapped
from agencyclaw.domain.field_sources import UnsupportedFact
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Tier
from agencyclaw.domain.task_creation import CreateTask
from agencyclaw.domain.task_requests import NOT_STATED
from agencyclaw.domain.text import folded, one_line
from agencyclaw.knowledge.fact_checks import FactCheck
from agencyclaw.tools.arguments import ME, NOBODY
from agencyclaw.tools.clients import FoundClient, find_client
from agencyclaw.tools.drafting import draft_task
from agencyclaw.tools.gaps import NamedRecords, QuotedTask, TaskRequest
from agencyclaw.tools.people import admin_names
from agencyclaw.tools.results import Ask
from agencyclaw.tools.sources import fact_check
from agencyclaw.tools.task_facts import settle_facts

_LONGEST = 600


async def draft_or_keep(
    ctx: RunContext[Deps], named: NamedRecords, asked: TaskRequest, quoted: QuotedTask
) -> CreateTask | Ask:
    """Return the task or a question; raises NotMapped with what was asked, its facts checked."""
    try:
        return await draft_task(ctx, named, asked, quoted)
    except NotMapped as refused:
        check = fact_check(ctx)
        request = settle_facts(asked, quoted, check)
        rows = _rows(ctx.deps, named, request, check)
        lines = [f"{name}: {one_line(value, _LONGEST)}" for name, value in rows if value]
        unsupported = (*check.unsupported_facts, *_unsupported(named, request, check))
        listed = "\n".join(f"• {line}" for line in (*lines, *unsupported_lines(unsupported)))
        refused.kept = message("answer.kept_request", who=await _who(ctx.deps), listed=listed)
        refused.kept_of = (await _client_name(ctx.deps, named.client), asked.title)
        raise


async def _client_name(deps: Deps, hint: str) -> str:
    """Return the client's own name; its words where several fit, "" where none was named."""
    found = await find_client(deps, hint) if folded(hint) else None
    return found.client.name if isinstance(found, FoundClient) else hint.strip()


def _unsupported(
    named: NamedRecords, request: TaskRequest, check: FactCheck
) -> Iterator[UnsupportedFact]:
    """Yield the identifiers and the figures of texts that nobody stated."""
    for one in named.identifiers:
        if not check.holds(one):
            yield UnsupportedFact(field="Products", value=one[:120])
    terms = request.promotion
    days = (check.today, request.start, request.due, *((terms.starts, terms.ends) if terms else ()))
    own = (named.client, named.brand or "", *(f"{day:%d %m %Y}" for day in days if day))
    texts = {"Title": request.title, "Objective": request.objective, "Details": request.details}
    for name, text in texts.items():
        for figure in check.unstated_numbers(text, *own):
            yield UnsupportedFact(field=name, value=figure[:120])


async def _who(deps: Deps) -> str:
    """Name who can give a client or brand its list."""
    if deps.actor.tier >= Tier.ADMIN:
        return message("answer.kept_request_you")
    admins = ", ".join(await admin_names(deps))
    return admins or message("answer.kept_request_admin")


def _rows(
    deps: Deps, named: NamedRecords, request: TaskRequest, check: FactCheck
) -> Iterator[tuple[str, str]]:
    yield from (("Title", request.title), ("Client", named.client), ("Brand", named.brand or ""))
    yield from (("Objective", request.objective), ("Details", request.details))
    yield "Products", ", ".join(one for one in named.identifiers if check.holds(one))
    if request.promotion:
        yield from (row for row in request.promotion.rows if row[1] != NOT_STATED)
    yield from ((one.label, one.value) for one in request.facts)
    assignee = {ME: deps.actor.name, NOBODY: ""}.get(named.assignee or "", named.assignee or "")
    yield from (("Marketplace", request.marketplace), ("Assignee", assignee))
    yield "Start", spoken_day(request.start) if request.start else ""
    yield "Due", spoken_day(request.due) if request.due else ""
    if named.procedure:
        yield "Procedure", named.procedure.title or ""
