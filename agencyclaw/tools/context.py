"""A client's whole picture, packed under a budget."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from datetime import datetime

from pydantic import Field
from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.errors import AgencyClawError
from agencyclaw.domain.people import Tier
from agencyclaw.domain.runs import PriorTask
from agencyclaw.domain.sops import Sop, SopHit
from agencyclaw.domain.tasks import TaskRow
from agencyclaw.domain.text import one_line
from agencyclaw.knowledge.context import Material, Omission, build_pack
from agencyclaw.tools.arguments import Name
from agencyclaw.tools.boards import read_boards
from agencyclaw.tools.catalogue import reads
from agencyclaw.tools.clients import FoundClient, find_client
from agencyclaw.tools.results import Ask, Result

SOPS_AT_MOST = 5
PRIOR_AT_MOST = 50
UNREAD = "Open tasks could not be read from ClickUp just now."


class ClientContext(Result):
    """What is known of a client at one moment, and what was left out."""

    client: str
    as_of: datetime
    text: str
    urls: tuple[str, ...] = ()
    included: dict[str, int] = Field(default_factory=dict[str, int])
    omitted: dict[str, Omission] = Field(default_factory=dict[str, Omission])
    note: str | None = None


@reads(
    tier=Tier.VIEWER,
    title="Gathering what is known of the client",
    skill_ids=("client_context_builder",),
)
async def get_client_context(ctx: RunContext[Deps], client: Name) -> ClientContext | Ask:
    """Gather what is known of a client: team, brands, open and earlier tasks, fitting procedures.

    Args:
        client: What the person called the client or brand.
    """
    found = await find_client(ctx.deps, client)
    if isinstance(found, Ask):
        return found
    assignments, prior, (active, note), sops = await asyncio.gather(
        ctx.deps.directory.assignments(found.client.id),
        ctx.deps.knowledge.prior_tasks(found.client.id, limit=PRIOR_AT_MOST),
        _active(ctx.deps, found),
        _procedures(ctx.deps),
    )
    pack = build_pack(
        Material(
            assignments=tuple(assignments),
            brands=tuple(found.brands),
            active=tuple(active),
            completed=tuple(prior),
            sops=tuple(sops),
        )
    )
    return ClientContext(
        client=one_line(found.client.name, 120),
        as_of=ctx.deps.now,
        text=pack.text,
        urls=_shown(pack.text, [*active, *prior, *(hit.sop for hit in sops)]),
        included=pack.included,
        omitted=pack.omitted,
        note=note,
    )


def _shown(text: str, things: Iterable[TaskRow | PriorTask | Sop]) -> tuple[str, ...]:
    """Return the addresses of what is in the text; those in titles are somebody else's."""
    return tuple(dict.fromkeys(one.url for one in things if one.url and one.url in text))


async def _active(deps: Deps, found: FoundClient) -> tuple[list[TaskRow], str | None]:
    """A silent ClickUp costs the picture its tasks, not the picture."""
    try:
        read = await read_boards(deps, found.brands, None, "due")
    except AgencyClawError:
        return [], UNREAD
    if read.skipped:
        return read.tasks, f"Open tasks were not read for {', '.join(read.skipped)}."
    return read.tasks, None


async def _procedures(deps: Deps) -> list[SopHit]:
    asked = one_line(deps.request, 400)
    return await deps.knowledge.find_sops(asked, limit=SOPS_AT_MOST) if asked else []
