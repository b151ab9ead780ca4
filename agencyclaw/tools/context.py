"""Everything known about a client, trimmed to a token budget."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeVar

from pydantic import Field
from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.clients import Assignment, Brand
from agencyclaw.domain.errors import AgencyClawError
from agencyclaw.domain.kpi import StoredTarget
from agencyclaw.domain.memory import SPOKEN, ClientNote, ClientRecord, PastEvent
from agencyclaw.domain.people import Tier
from agencyclaw.domain.runs import PriorTask
from agencyclaw.domain.sops import Sop, SopHit
from agencyclaw.domain.tasks import TaskRow
from agencyclaw.domain.text import one_line
from agencyclaw.knowledge.context import ClientMaterial, Omission, Pack, build_pack, targets_of_day
from agencyclaw.tools.arguments import Name
from agencyclaw.tools.boards import BoardQuery, read_boards
from agencyclaw.tools.catalogue import reads
from agencyclaw.tools.clients import FoundClient, find_client
from agencyclaw.tools.implied_clients import meant_without_name
from agencyclaw.tools.optional import optional
from agencyclaw.tools.policy_checks import allows
from agencyclaw.tools.results import Ask, Result

PRIOR_AT_MOST = 50
ABOUT_BRANDS = 10
# For every turn in a client's channel; `get_client_context` returns more.
UNASKED_TOKENS = 800
INCOMPLETE = "Some of it could not be read just now."
TASKS_UNREAD = "Open tasks could not be read from ClickUp just now."
V = TypeVar("V", ClientNote, PriorTask, PastEvent)


class ClientContext(Result):
    """What is known about a client at one moment, and what was left out."""

    client: str
    as_of: datetime
    about: tuple[str, ...] = ()
    text: str
    urls: tuple[str, ...] = ()
    included: dict[str, int] = Field(default_factory=dict[str, int])
    omitted: dict[str, Omission] = Field(default_factory=dict[str, Omission])
    freshness: dict[str, datetime] = Field(default_factory=dict[str, datetime])
    tokens: int = 0
    note: str | None = None


@reads(tier=Tier.MEMBER, skill_id="client_context_builder")
async def get_client_context(ctx: RunContext[Deps], client: Name) -> ClientContext | Ask:
    """Gather what is known of a client: team, targets, brands, notes, tasks, fitting procedures.

    Args:
        client: What the person called the client or brand.
    """
    deps = ctx.deps
    found = await find_client(deps, client)
    if isinstance(found, Ask):
        return found
    assignments, record, targets, prior, (open_tasks, note), sops = await asyncio.gather(
        deps.directory.assignments([found.client.id]),
        deps.memory.client_record(found.client.id),
        deps.directory.targets([brand.id for brand in found.brands]),
        deps.knowledge.prior_tasks(found.client.id, limit=PRIOR_AT_MOST),
        _open_tasks(deps, found),
        _procedures(deps),
    )
    material = _on_record(deps, found.brands, assignments, record, targets, prior)
    more = {"session": _session(deps), "active": tuple(open_tasks), "sops": tuple(sops)}
    material = material.model_copy(update=more)
    pack = build_pack(material, budget=deps.context_tokens)
    return ClientContext(
        client=one_line(found.client.name, 120),
        as_of=deps.now,
        about=about_client(found),
        text=pack.text,
        urls=_urls_in(pack.text, [*open_tasks, *prior, *(hit.sop for hit in sops)]),
        included=pack.included,
        omitted=pack.omitted,
        freshness=pack.freshness,
        tokens=pack.tokens,
        note=note,
    )


def about_client(found: FoundClient) -> tuple[str, ...]:
    """Return what the client and its brands are about, in the agency's words."""
    named = (found.client, *found.brands[:ABOUT_BRANDS])
    return tuple(f"{one_line(one.name, 80)}: {one.about}" for one in named if one.about)


@dataclass(frozen=True)
class KnownOfPlace:
    """What is on record about a place's client; `is_whole` if all parts could be read."""

    pack: Pack = field(default_factory=Pack)
    is_whole: bool = True

    @property
    def text(self) -> str:
        """The pack's text; says so if a part could not be read."""
        return self.pack.text if self.is_whole else f"{self.pack.text}\n{INCOMPLETE}".strip()

    @property
    def has_prose(self) -> bool:
        """Whether sentences of people are in it, not only names and figures."""
        return not self.pack.included.keys().isdisjoint(("notes", "events"))


async def known_of_place(deps: Deps) -> KnownOfPlace:
    """Return what is on record about the client this place is about.

    Nothing where this person may not call `get_client_context`. Reads our own database only: open
    tasks and procedures come from the tools. A part that can't be read is left out, and `is_whole`
    is False.
    """
    client_id = deps.scope.client_id
    if client_id is None or deps.surface.is_open or not allows(deps, get_client_context.__name__):
        return KnownOfPlace()
    brands = await deps.directory.brands([client_id])
    assignments, prior, record, targets = await asyncio.gather(
        optional(deps.directory.assignments([client_id])),
        optional(deps.knowledge.prior_tasks(client_id, limit=PRIOR_AT_MOST)),
        optional(deps.memory.client_record(client_id)),
        optional(deps.directory.targets([one.id for one in brands])),
    )
    parts = (assignments, prior, record, targets)
    material = _on_record(
        deps, brands, assignments or (), record or ClientRecord(), targets or (), prior or ()
    )
    pack = build_pack(material, budget=min(deps.context_tokens, UNASKED_TOKENS))
    return KnownOfPlace(pack, is_whole=all(part is not None for part in parts))


def _on_record(
    deps: Deps,
    brands: Iterable[Brand],
    assignments: Iterable[Assignment],
    record: ClientRecord,
    targets: Iterable[StoredTarget],
    prior: Iterable[PriorTask],
) -> ClientMaterial:
    """Return what our own database has about a client, with its days as the person has them."""
    return ClientMaterial(
        assignments=tuple(assignments),
        targets=targets_of_day(targets, deps.today),
        brands=tuple(brands),
        notes=_in_zone(deps, record.notes, "created_at"),
        completed=_in_zone(deps, prior, "created_at"),
        events=_in_zone(deps, record.events, "at"),
        read_at=deps.now,
    )


def _in_zone(deps: Deps, things: Iterable[V], name: str) -> tuple[V, ...]:
    zone = deps.actor.zone
    return tuple(
        one.model_copy(update={name: getattr(one, name).astimezone(zone)}) for one in things
    )


def _session(deps: Deps) -> tuple[str, ...]:
    """Describe the place and the person's preferences, one line each."""
    lines = [
        meant_without_name(deps),
        *(f"They prefer ({SPOKEN[one.key]}): {one.value}" for one in deps.preferences.kept),
    ]
    return tuple(line for line in lines if line)


def _urls_in(text: str, things: Iterable[TaskRow | PriorTask | Sop]) -> tuple[str, ...]:
    """Return the addresses of records that made it into the text; not those inside titles."""
    return tuple(dict.fromkeys(one.url for one in things if one.url and one.url in text))


async def _open_tasks(deps: Deps, found: FoundClient) -> tuple[list[TaskRow], str | None]:
    """Return open tasks, and a note on what is missing; without ClickUp there are no tasks."""
    try:
        read = await read_boards(deps, found.brands, BoardQuery(None, "due"))
    except AgencyClawError:
        return [], TASKS_UNREAD
    if read.skipped:
        return read.tasks, f"Open tasks were not read for {', '.join(read.skipped)}."
    return read.tasks, None


async def _procedures(deps: Deps) -> list[SopHit]:
    """Return the procedure that the request names outright, if any."""
    asked = one_line(deps.request, 400)
    found = await deps.knowledge.find_sops(asked, limit=1) if asked else []
    return [hit for hit in found if hit.is_sure]
