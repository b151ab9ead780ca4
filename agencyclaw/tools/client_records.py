"""Clients as records: created, changed and archived; prepared for an admin."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field
from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.client_records import (
    ClientFacts,
    ClientStatus,
    CreateClient,
    ExistingClientChange,
    RestoreClient,
    UpdateClient,
)
from agencyclaw.domain.clients import Client
from agencyclaw.domain.errors import Refused
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import ScopeKind, Tier
from agencyclaw.domain.policy import ABOUT_AGENCY, AGENCY_WIDE
from agencyclaw.domain.text import counted, folded, one_line
from agencyclaw.tools.arguments import Name, NewName
from agencyclaw.tools.brand_records import AboutText, about_text
from agencyclaw.tools.catalogue import proposes
from agencyclaw.tools.clients import find_client
from agencyclaw.tools.names import find_named
from agencyclaw.tools.results import Ask

AboutFields = Annotated[list[Literal["summary", "audience", "positioning"]], Field(max_length=3)]


@proposes(CreateClient, tier=Tier.ADMIN, on_demand=True)
async def create_client(
    ctx: RunContext[Deps],
    name: NewName,
    summary: AboutText | None = None,
    audience: AboutText | None = None,
    positioning: AboutText | None = None,
) -> CreateClient:
    """Prepare to add a new client to the agency.

    Args:
        name: The client's name.
        summary: What the client is and sells, in a sentence or two.
        audience: Whom it sells to.
        positioning: How it wants to be seen.
    """
    deps = ctx.deps
    facts = ClientFacts(
        name=await _new_name(deps, name, None),
        summary=about_text(summary),
        audience=about_text(audience),
        positioning=about_text(positioning),
    )
    return CreateClient(after=facts)


@proposes(ExistingClientChange, tier=Tier.ADMIN, on_demand=True)
async def cc_client_update(
    ctx: RunContext[Deps],
    client: Name,
    name: NewName | None = None,
    status: ClientStatus | None = None,
    summary: AboutText | None = None,
    audience: AboutText | None = None,
    positioning: AboutText | None = None,
    cleared: AboutFields | None = None,
) -> ExistingClientChange | Ask:
    """Prepare changing a client: rename, archive, or restore it (unarchive, set its status active).

    Also what it is about. Pass only what changes.

    Args:
        client: The client as it is called now.
        name: Its new name.
        status: archived for one that left the agency, active to bring it back.
        summary: What the client is and sells, in a sentence or two.
        audience: Whom it sells to (target audience).
        positioning: How it wants to be seen.
        cleared: What of these is to be empty.
    """
    deps = ctx.deps
    found = await _find(deps, client)
    if isinstance(found, Ask):
        return found
    before = ClientFacts.of(found)
    values: dict[str, str | None] = dict.fromkeys(cleared or [])
    texts = {"summary": summary, "audience": audience, "positioning": positioning}
    values |= {field: plain for field, text in texts.items() if (plain := about_text(text))}
    values |= {"name": await _new_name(deps, name, found)} if name else {}
    values |= {"status": status} if status else {}
    after = before.model_copy(update=values)
    if after == before:
        raise Refused(message("refused.records.as_it_is", name=found.name), reason="no_changes")
    change = UpdateClient if found.status == "active" else RestoreClient
    return change(
        client=found.named,
        before=before,
        after=after,
        against=await _left_behind(deps, found, after),
    )


async def _find(deps: Deps, hint: str) -> Client | Ask:
    """Return the client of a name; one that is not active only by its whole name.

    In a client's channel no former one is known.
    """
    is_clients = deps.surface.scope is ScopeKind.CLIENT_SCOPED
    former = find_named(deps, hint, [] if is_clients else await deps.directory.former_clients())
    if former.is_exact and len(former.things) == 1:
        return former.things[0]
    found = await find_client(deps, hint)
    return found if isinstance(found, Ask) else found.client


async def _new_name(deps: Deps, name: str, client: Client | None) -> str:
    """Return a name that no client has; raises Refused where others may not be named."""
    if deps.surface.scope is ScopeKind.CLIENT_SCOPED:
        raise Refused(ABOUT_AGENCY, reason=AGENCY_WIDE)
    plain = one_line(name, 120)
    if not folded(plain):
        raise Refused(message("refused.client_records.blank_name"), reason="blank_name")
    every = [*await deps.directory.clients(deps.actor), *await deps.directory.former_clients()]
    for other in every:
        if other != client and folded(other.name) == folded(plain):
            why = message("refused.client_records.name_taken", name=other.name, status=other.status)
            raise Refused(why, reason="duplicate_name")
    return plain


async def _left_behind(deps: Deps, client: Client, after: ClientFacts) -> tuple[str, ...]:
    """Return what archiving a client with brands means."""
    if after.status == "active" or client.status != "active":
        return ()
    brands = await deps.directory.brands([client.id])
    count = counted(len(brands), "brand")
    return (message("remarks.left_behind", brands=count),) if brands else ()
