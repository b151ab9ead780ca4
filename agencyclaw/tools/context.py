"""A client's whole picture, packed under a budget."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeVar

import logfire
from pydantic import Field
from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.errors import AgencyClawError
from agencyclaw.domain.kpi import StoredTarget
from agencyclaw.domain.memory import SPOKEN, ClientRecord
from agencyclaw.domain.people import Tier
from agencyclaw.domain.policy import Deny
from agencyclaw.domain.runs import PriorTask
from agencyclaw.domain.sops import Sop, SopHit
from agencyclaw.domain.tasks import TaskRow
from agencyclaw.domain.text import one_line
from agencyclaw.knowledge.context import ClientMaterial, Omission, Pack, build_pack, targets_of_day
from agencyclaw.tools.arguments import Name
from agencyclaw.tools.boards import read_boards
from agencyclaw.tools.catalogue import reads
from agencyclaw.tools.clients import FoundClient, find_client
from agencyclaw.tools.judgement import judge
from agencyclaw.tools.results import Ask, Result

PRIOR_AT_MOST = 50
INCOMPLETE = "Some of it could not be read just now."
UNREAD = "Open tasks could not be read from ClickUp just now."


class ClientContext(Result):
    """What is known of a client at one moment, and what was left out."""

    client: str
    as_of: datetime
    text: str
    urls: tuple[str, ...] = ()
    included: dict[str, int] = Field(default_factory=dict[str, int])
    omitted: dict[str, Omission] = Field(default_factory=dict[str, Omission])
    freshness: dict[str, datetime] = Field(default_factory=dict[str, datetime])
    tokens: int = 0
    note: str | None = None


@reads(
    tier=Tier.MEMBER,
    title="Gathering what is known of the client",
    skill_ids=("client_context_builder",),
)
async def get_client_context(ctx: RunContext[Deps], client: Name) -> ClientContext | Ask:
    """Gather what is known of a client: team, targets, brands, notes, tasks, fitting procedures.

    Args:
        client: What the person called the client or brand.
    """
    found = await find_client(ctx.deps, client)
    if isinstance(found, Ask):
        return found
    assignments, record, targets, prior, (active, note), sops = await asyncio.gather(
        ctx.deps.directory.assignments(found.client.id),
        ctx.deps.memory.client_record(found.client.id),
        ctx.deps.directory.targets([brand.id for brand in found.brands]),
        ctx.deps.knowledge.prior_tasks(found.client.id, limit=PRIOR_AT_MOST),
        _active(ctx.deps, found),
        _procedures(ctx.deps),
    )
    pack = build_pack(
        ClientMaterial(
            assignments=tuple(assignments),
            targets=targets_of_day(targets, ctx.deps.today),
            brands=tuple(found.brands),
            notes=record.notes,
            session=_session(ctx.deps),
            active=tuple(active),
            completed=tuple(prior),
            sops=tuple(sops),
            events=record.events,
            read_at=ctx.deps.now,
        ),
        budget=ctx.deps.context_tokens,
    )
    return ClientContext(
        client=one_line(found.client.name, 120),
        as_of=ctx.deps.now,
        text=pack.text,
        urls=_shown(pack.text, [*active, *prior, *(hit.sop for hit in sops)]),
        included=pack.included,
        omitted=pack.omitted,
        freshness=pack.freshness,
        tokens=pack.tokens,
        note=note,
    )


# Every turn in a client's channel carries it; whoever needs more asks for the whole picture.
UNASKED_TOKENS = 800


@dataclass(frozen=True)
class KnownOfPlace:
    """What is on record about the client a place is about; `is_whole` when all was read."""

    pack: Pack = field(default_factory=Pack)
    is_whole: bool = True

    @property
    def text(self) -> str:
        """The pack's text, or that there is none for want of reading."""
        return self.pack.text if self.is_whole else f"{self.pack.text}\n{INCOMPLETE}".strip()


async def known_of_place(deps: Deps) -> KnownOfPlace:
    """Return what is on record about the client this place is about.

    Whoever may not ask for it is not told it unasked either. Nothing outside is asked for it: open
    tasks and procedures come from the tools. A part that can't be read is left out, and said.
    """
    client_id = deps.scope.client_id
    if client_id is None or deps.surface.is_open:
        return KnownOfPlace()
    if isinstance(judge(deps, get_client_context.__name__), Deny):
        return KnownOfPlace()
    assignments, brands, prior, record = await asyncio.gather(
        deps.directory.assignments(client_id),
        deps.directory.brands([client_id]),
        deps.knowledge.prior_tasks(client_id, limit=PRIOR_AT_MOST),
        deps.memory.client_record(client_id),
        return_exceptions=True,
    )
    targets: list[StoredTarget] | BaseException = []
    if not isinstance(brands, BaseException):
        ids = [brand.id for brand in brands]
        [targets] = await asyncio.gather(deps.directory.targets(ids), return_exceptions=True)
    parts = (assignments, brands, prior, record, targets)
    for fault in (part for part in parts if isinstance(part, BaseException)):
        logfire.warn("context not read", fault=type(fault).__name__)
    found = record if isinstance(record, ClientRecord) else ClientRecord()
    pack = build_pack(
        ClientMaterial(
            assignments=_read(assignments),
            targets=targets_of_day(_read(targets), deps.today),
            brands=_read(brands),
            notes=found.notes,
            completed=_read(prior),
            events=found.events,
            read_at=deps.now,
        ),
        budget=min(deps.context_tokens, UNASKED_TOKENS),
    )
    return KnownOfPlace(pack, not any(isinstance(part, BaseException) for part in parts))


T = TypeVar("T")


def _read(part: list[T] | BaseException) -> tuple[T, ...]:
    return () if isinstance(part, BaseException) else tuple(part)


def _session(deps: Deps) -> tuple[str, ...]:
    """Say what this conversation is set on."""
    default = deps.preferences.default_client
    lines = [
        f"This place is about {deps.scope.client_name}" if deps.scope.client_name else "",
        f"Their default client is {default.name}" if default else "",
        *(f"They prefer ({SPOKEN[one.key]}): {one.value}" for one in deps.preferences.kept),
    ]
    return tuple(line for line in lines if line)


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
    """Return the procedure that was called by its name; any other is chosen by reading."""
    asked = one_line(deps.request, 400)
    found = await deps.knowledge.find_sops(asked, limit=1) if asked else []
    return [hit for hit in found if hit.is_sure]
