"""Is a task ready to be prepared, and is there one like it already? Both only look."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from typing import Literal

from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.names import said_in
from agencyclaw.domain.people import Tier
from agencyclaw.domain.runs import PriorTask
from agencyclaw.domain.tasks import TaskRow
from agencyclaw.domain.text import folded, one_line
from agencyclaw.tools.arguments import Day, Identifiers, Name, Request, Text, Title
from agencyclaw.tools.boards import read_boards
from agencyclaw.tools.catalogue import reads
from agencyclaw.tools.clients import FoundClient, find_client
from agencyclaw.tools.gaps import Wish, ask_title, is_thin, lacks_identifiers, read_identifiers
from agencyclaw.tools.results import Ask, Result

QUESTIONS_AT_MOST = 2
WINDOW = timedelta(hours=24)
MADE_HERE = "A task of this title was prepared here within the last 24 hours."
ON_BOARD = "An open task of this title is on the board."
UNKNOWN = "It could not be found out just now: treat it as if there were one, and say so."


class Readiness(Result):
    """How far a draft is: ready, thin (could be made, lacks much), or blocked."""

    verdict: Literal["ready", "thin", "blocked"]
    missing_fields: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    note: str | None = None


class Twins(Result):
    """Whether there is such a task already; `unknown` when that could not be found out."""

    duplicate: Literal["yes", "no", "unknown"]
    title: str | None = None
    url: str | None = None
    created: datetime | None = None
    note: str | None = None


@reads(
    tier=Tier.MEMBER,
    title="Judging a task draft",
    skill_ids=("clickup_task_quality_gate",),
    on_demand=True,
)
async def clickup_task_quality_gate(
    ctx: RunContext[Deps],
    title: Title,
    request: Request,
    details: Text | None = None,
    owner: Name | None = None,
    due: Day | None = None,
    product_identifiers: Identifiers | None = None,
    identifiers_pending: bool = False,
) -> Readiness:
    """Judge a task draft before it is prepared: ready, thin or blocked, and what to ask.

    Args:
        title: The title.
        request: What the person asked for, in their words.
        details: Scope, success criteria and whatever else was given.
        owner: Who should do it.
        due: When it is due.
        product_identifiers: ASINs or SKUs that were given.
        identifiers_pending: They want it before the identifiers are known.
    """
    wish = Wish(
        title=title,
        request=request,
        details=details or "",
        due=due,
        identifiers=tuple(product_identifiers or ()),
        is_pending=identifiers_pending,
    )
    query = one_line(f"{title} {request}", 400)
    sops = await ctx.deps.knowledge.find_sops(query, limit=1)
    asked = ask_title(wish, "", "it")
    products = read_identifiers(wish)
    is_named = bool(said_in(query, [hit.sop for hit in sops]))
    is_bare = is_thin(wish) and not is_named
    missing = (
        ("title", asked is not None),
        ("product identifiers", isinstance(products, Ask)),
        ("what is to be done and how it is checked", is_bare),
        ("owner", not owner),
        ("due date", not due),
        ("SOP reference", not is_named),
    )
    questions = [one.question for one in (asked, products) if isinstance(one, Ask)]
    if is_bare:
        questions.append("What should be done, and how will we know that it's finished?")
    is_pending = identifiers_pending and lacks_identifiers(wish)
    return Readiness(
        verdict="blocked" if asked or isinstance(products, Ask) else "thin" if is_bare else "ready",
        missing_fields=tuple(name for name, is_missing in missing if is_missing),
        questions=tuple(questions[:QUESTIONS_AT_MOST]),
        note="The identifiers stay open on the task." if is_pending else None,
    )


@reads(
    tier=Tier.MEMBER,
    title="Looking for the same task",
    skill_ids=("clickup_task_duplicate_check",),
    on_demand=True,
)
async def clickup_task_duplicate_check(
    ctx: RunContext[Deps], client: Name, title: Title
) -> Twins | Ask:
    """Find out whether a client has a task of this title: prepared here lately, or on the board.

    Args:
        client: What the person called the client or brand.
        title: The title to look for.
    """
    found = await find_client(ctx.deps, client)
    if isinstance(found, Ask):
        return found
    prior, rows = await asyncio.gather(
        ctx.deps.knowledge.prior_tasks(found.client.id, limit=50),
        _open_tasks(ctx.deps, found),
        return_exceptions=True,
    )
    if not isinstance(prior, BaseException) and (made := _made(ctx.deps, prior, title)):
        return Twins(
            duplicate="yes", title=made.title, url=made.url, created=made.created_at, note=MADE_HERE
        )
    if not isinstance(rows, BaseException) and (seen := _seen(rows, title)):
        return Twins(duplicate="yes", title=seen.name, url=seen.url, note=ON_BOARD)
    if isinstance(prior, BaseException) or isinstance(rows, BaseException):
        return Twins(duplicate="unknown", note=UNKNOWN)
    return Twins(duplicate="no")


async def _open_tasks(deps: Deps, found: FoundClient) -> list[TaskRow]:
    read = await read_boards(deps, found.brands, None, "due")
    if read.skipped:
        raise LookupError("not all boards were read")
    return read.tasks


def _made(deps: Deps, prior: list[PriorTask], title: str) -> PriorTask | None:
    since = deps.now - WINDOW
    same = (one for one in prior if folded(one.title) == folded(title))
    return next((one for one in same if one.created_at >= since), None)


def _seen(rows: list[TaskRow], title: str) -> TaskRow | None:
    return next((row for row in rows if folded(row.name) == folded(title)), None)
