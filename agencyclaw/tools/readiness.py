"""Checks whether a task is ready to be prepared, and whether it exists already; both only read."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from typing import Literal

from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.clients import Brand
from agencyclaw.domain.errors import AgencyClawError
from agencyclaw.domain.people import Tier
from agencyclaw.domain.quotes import QuotedDay
from agencyclaw.domain.runs import PriorTask
from agencyclaw.domain.task_requests import ChosenProcedure, QuotedPromotion
from agencyclaw.domain.tasks import TaskRow
from agencyclaw.domain.text import folded, one_line
from agencyclaw.knowledge.similar import similar_open_tasks
from agencyclaw.tools.arguments import Identifiers, Name, Objective, Text, Title
from agencyclaw.tools.boards import BoardQuery, read_boards
from agencyclaw.tools.brands import brands_named
from agencyclaw.tools.catalogue import reads
from agencyclaw.tools.clients import find_client
from agencyclaw.tools.gaps import (
    NamedRecords,
    QuotedTask,
    TaskFlags,
    TaskRequest,
    ask_dates,
    ask_title,
)
from agencyclaw.tools.kept_facts import with_products_before
from agencyclaw.tools.optional import optional
from agencyclaw.tools.results import Ask, OpenTask, Result
from agencyclaw.tools.similar_tasks import SIMILAR_AT_MOST
from agencyclaw.tools.sources import fact_check
from agencyclaw.tools.task_facts import settle_facts
from agencyclaw.tools.task_procedures import has_title_alone, settle_procedure
from agencyclaw.tools.task_products import WHICH, is_of_products, named_products, with_identifiers

QUESTIONS_AT_MOST = 2
WINDOW = timedelta(hours=24)
MADE_HERE = "A task of this title was prepared here within the last 24 hours."
ON_BOARD = "An open task of this title is on the board."
UNKNOWN = "It could not be found out just now: treat it as if there were one, and say so."


class Readiness(Result):
    """How complete a draft is: ready, thin (possible, but lacks much) or blocked."""

    status: Literal["ready", "thin", "blocked"]
    missing_fields: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    note: str | None = None


class DuplicateCheck(Result):
    """Whether the task exists already; `unknown` if that could not be checked."""

    duplicate: Literal["yes", "no", "unknown"]
    title: str | None = None
    url: str | None = None
    created: datetime | None = None
    similar: tuple[OpenTask, ...] = ()
    note: str | None = None


@reads(tier=Tier.MEMBER, on_demand=True)
async def clickup_task_quality_gate(
    ctx: RunContext[Deps],
    title: Title,
    objective: Objective,
    procedure: ChosenProcedure | None = None,
    details: Text | None = None,
    promotion: QuotedPromotion | None = None,
    owner: Name | None = None,
    due: QuotedDay | None = None,
    product_identifiers: Identifiers | None = None,
    about_products: bool = False,
    identifiers_pending: bool = False,
) -> Readiness | Ask:
    """Check a task draft before it is prepared: ready, thin or blocked, and what to ask.

    Args:
        title: The title.
        objective: What is to be achieved, in one sentence; "" if nobody said.
        procedure: The one you chose by reading.
        details: Scope, success criteria and whatever else was given.
        promotion: The promotion that is wanted.
        owner: Who should do it.
        due: When it is due.
        product_identifiers: ASINs or SKUs that were given.
        about_products: Whether it is about single products.
        identifiers_pending: They want it before the identifiers are known.
    """
    check = fact_check(ctx)
    flags = TaskFlags(about_products, identifiers_pending)
    asked = TaskRequest(title, objective, details or "", flags)
    request = settle_facts(asked, QuotedTask(promotion=promotion, due=due), check)
    task_procedure = await settle_procedure(ctx.deps, procedure, request)
    if isinstance(task_procedure, Ask):
        return task_procedure
    title_question, date_question = ask_title(request, "it"), ask_dates(request, ctx.deps.today)
    named = NamedRecords("", None, owner, named_products(product_identifiers), procedure)
    named = with_identifiers(with_products_before(named, asked, ctx.deps.asked_before), asked)
    lacks = is_of_products(request, task_procedure.sop) and not named.identifiers
    products = None if not lacks or identifiers_pending else Ask(question=WHICH)
    is_bare = has_title_alone(task_procedure, request)
    missing = (
        ("title", title_question is not None),
        ("product identifiers", products is not None),
        ("what is to be done and how it is checked", is_bare),
        ("owner", not owner),
        ("due date", request.due is None),
        ("SOP reference", task_procedure.sop is None),
    )
    blocking = [one.question for one in (title_question, date_question, products) if one]
    thin = ["What should be done, and how will we know that it's finished?"] if is_bare else []
    pending = ("The identifiers stay open on the task.",) if lacks and identifiers_pending else ()
    return Readiness(
        status="blocked" if blocking else "thin" if is_bare else "ready",
        missing_fields=tuple(name for name, is_missing in missing if is_missing),
        questions=tuple([*blocking, *thin][:QUESTIONS_AT_MOST]),
        note=" ".join((*pending, *check.left_out, *task_procedure.remarks)) or None,
    )


@reads(tier=Tier.MEMBER, on_demand=True)
async def clickup_task_duplicate_check(
    ctx: RunContext[Deps], client: Name, title: Title, brand: Name | None = None
) -> DuplicateCheck | Ask:
    """Find out whether a task of this title exists already: prepared here lately, or on the board.

    Args:
        client: What the person called the client or brand.
        title: The title to look for.
        brand: The brand.
    """
    found = await find_client(ctx.deps, client)
    if isinstance(found, Ask):
        return found
    brands = brands_named(ctx.deps, found, brand)
    if isinstance(brands, Ask):
        return brands
    prior, rows = await asyncio.gather(
        optional(ctx.deps.knowledge.prior_tasks(found.client.id, limit=50)),
        _open_tasks(ctx.deps, brands),
    )
    if duplicate := _made(ctx.deps, _of(brands, prior or []), title):
        return DuplicateCheck(
            duplicate="yes",
            title=duplicate.title,
            url=duplicate.url,
            created=duplicate.created_at.astimezone(ctx.deps.actor.zone),
            note=MADE_HERE,
        )
    if duplicate := _seen(rows or [], title):
        return DuplicateCheck(
            duplicate="yes", title=duplicate.name, url=duplicate.url, note=ON_BOARD
        )
    alike = similar_open_tasks(rows or [], title, (), limit=SIMILAR_AT_MOST)
    similar = tuple(OpenTask(title=one_line(one.name, 160), url=one.url) for one in alike)
    is_known = prior is not None and rows is not None
    return DuplicateCheck(
        duplicate="no" if is_known else "unknown",
        similar=similar,
        note=None if is_known else UNKNOWN,
    )


async def _open_tasks(deps: Deps, brands: list[Brand]) -> list[TaskRow] | None:
    """Return the open tasks of all the brands; None if one of their lists can't be read."""
    try:
        read = await read_boards(deps, brands, BoardQuery(None, "due"))
    except AgencyClawError:
        return None
    return None if read.skipped else read.tasks


def _of(brands: list[Brand], prior: list[PriorTask]) -> list[PriorTask]:
    """Return the brands' tasks; those without a brand may be meant as well."""
    names = {one.name for one in brands}
    return [one for one in prior if one.brand is None or one.brand in names]


def _made(deps: Deps, prior: list[PriorTask], title: str) -> PriorTask | None:
    since = deps.stored_now - WINDOW
    same = (one for one in prior if folded(one.title) == folded(title))
    return next((one for one in same if one.created_at >= since), None)


def _seen(rows: list[TaskRow], title: str) -> TaskRow | None:
    return next((row for row in rows if folded(row.name) == folded(title)), None)
