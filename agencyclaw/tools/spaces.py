"""ClickUp spaces: which there are, what each is for, and preparing a change of that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field
from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.clients import Brand, SpaceClassification, SpaceRecord
from agencyclaw.domain.errors import NotFound, Refused
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import ScopeKind, Tier
from agencyclaw.domain.spaces import (
    MOVES_AT_MOST,
    ClassifySpaces,
    ClickUpSpace,
    SpaceMove,
    SyncSpaces,
    differences,
)
from agencyclaw.domain.text import one_line
from agencyclaw.tools.arguments import Name
from agencyclaw.tools.catalogue import proposes, reads
from agencyclaw.tools.clients import listed_clients, reach_of
from agencyclaw.tools.lacking import Lacking
from agencyclaw.tools.names import as_choices, decide, find_named
from agencyclaw.tools.results import Ask, Listing, Result, ask_which, shown_names

SHOWN_AT_MOST = 50
Use = Literal["brand_scoped", "shared_service", "unknown", "inactive"]
Names = Annotated[list[Name], Field(min_length=1, max_length=40)]


class SpaceItem(Result):
    """A space, what it is for, and the brands whose tasks go there."""

    name: str
    used_for: str
    brands: tuple[str, ...] = ()


class SpaceList(Listing):
    """The spaces that this person may see."""

    spaces: tuple[SpaceItem, ...] = ()
    total: int
    note: str = ""


@reads(tier=Tier.MEMBER, on_demand=True)
async def cc_clickup_space_list(ctx: RunContext[Deps], used_for: Use | None = None) -> SpaceList:
    """List the registered ClickUp spaces: what each is for (classification), and its brands.

    Args:
        used_for: Only spaces of this classification; leave out for all that are in use.
    """
    deps = ctx.deps
    clients = await listed_clients(deps)
    brands = await deps.directory.brands([client.id for client in clients])
    linked = {brand.space_id for brand in brands}
    sees_all = deps.actor.tier >= Tier.ADMIN and deps.surface.scope is not ScopeKind.CLIENT_SCOPED
    spaces = [
        space
        for space in await deps.directory.spaces()
        if (sees_all or space.id in linked) and _is_of(space, used_for)
    ]
    rows = tuple(_item(space, brands) for space in spaces[:SHOWN_AT_MOST])
    note = "" if spaces else "No such space is registered."
    if len(spaces) > SHOWN_AT_MOST:
        note = f"{SHOWN_AT_MOST} of {len(spaces)} are shown."
    reach = await reach_of(deps, clients)
    return SpaceList(spaces=rows, total=len(spaces), note=note, reach=reach)


def _is_of(space: SpaceRecord, used_for: Use | None) -> bool:
    if used_for is None:
        return space.classification is not SpaceClassification.INACTIVE
    return space.classification.value == used_for


def _item(space: SpaceRecord, brands: list[Brand]) -> SpaceItem:
    names = tuple(one_line(brand.name, 80) for brand in brands if brand.space_id == space.id)
    return SpaceItem(
        name=one_line(space.name, 120), used_for=space.classification.spoken, brands=names
    )


@proposes(SyncSpaces, tier=Tier.ADMIN, on_demand=True)
async def cc_clickup_space_sync(ctx: RunContext[Deps]) -> SyncSpaces:
    """Compare the spaces we know with those in ClickUp (sync), and prepare taking them over."""
    deps = ctx.deps
    visible = await deps.board.spaces()
    if not visible:
        raise Refused(message("refused.spaces.none"), reason="no_spaces")
    moves = differences(visible, await deps.directory.spaces())
    if not moves:
        raise Refused(message("refused.spaces.in_line"), reason="no_changes")
    left = len(moves) - MOVES_AT_MOST
    return SyncSpaces(
        workspace=visible[0].workspace,
        moves=tuple(moves[:MOVES_AT_MOST]),
        against=(message("spaces.more", count=left),) if left > 0 else (),
    )


@proposes(ClassifySpaces, tier=Tier.ADMIN, on_demand=True)
async def cc_clickup_space_classify(
    ctx: RunContext[Deps], names: Names, used_for: Use
) -> ClassifySpaces | Ask:
    """Prepare classifying (marking) ClickUp spaces: what they are for, so where tasks may go.

    Args:
        names: The spaces, as the person called them.
        used_for: brand_scoped takes a brand's tasks; shared_service is shared work; unknown is
            not decided yet; inactive is out of use. A brand is tied to a space by changing it.
    """
    deps = ctx.deps
    registered = await deps.directory.spaces()
    moves: dict[str, SpaceMove] = {}
    workspace, lacking = "", Lacking()
    for name in names:
        found = await lacking.settle(_find(deps, name, registered))
        if found is None:
            continue
        workspace = found.workspace or workspace
        after = found.space.model_copy(update={"classification": SpaceClassification(used_for)})
        before = None if found.workspace else found.space
        moves[after.id] = SpaceMove(before=before, after=after)
    if lacking:
        return lacking.as_ask()
    changes = tuple(move for move in moves.values() if move.before != move.after)
    if not changes:
        raise Refused(message("refused.spaces.classified_already"), reason="no_changes")
    return ClassifySpaces(
        workspace=workspace,
        moves=changes,
        against=await _losing_tasks(deps, changes),
    )


@dataclass(frozen=True)
class _Found:
    """A space that a name means; with its `workspace` where it is not registered yet."""

    space: SpaceRecord
    workspace: str = ""


async def _find(deps: Deps, hint: str, registered: list[SpaceRecord]) -> _Found | Ask:
    """Return the registered space of a name, else one that only ClickUp has; raises NotFound."""
    match = find_named(deps, hint, registered)
    new: dict[str, ClickUpSpace] = {}
    if not match.is_sure:
        known = {space.id for space in registered}
        new = {space.id: space for space in await deps.board.spaces() if space.id not in known}
        unclassified = [one.registered(SpaceClassification.UNKNOWN) for one in new.values()]
        match = find_named(deps, hint, [*registered, *unclassified])
    if not match.things:
        what = message("refused.spaces.not_found", hint=one_line(hint, 60))
        raise NotFound(what, reason="space_not_found")
    space = decide(deps, match)
    if space is None:
        return ask_which("Which ClickUp space do you mean?", as_choices("space", match.things))
    return _Found(space, new[space.id].workspace if space.id in new else "")


async def _losing_tasks(deps: Deps, moves: tuple[SpaceMove, ...]) -> tuple[str, ...]:
    """Return a line per space that brands' tasks go to, and that would take none any more."""
    clients = await listed_clients(deps)
    brands = await deps.directory.brands([client.id for client in clients])
    lines: list[str] = []
    for move in moves:
        names = [one_line(brand.name, 80) for brand in brands if brand.space_id == move.space.id]
        if names and not move.space.classification.takes_brand_work:
            listed = ", ".join(shown_names(names, 5))
            lines.append(message("spaces.loses_tasks", names=listed, space=move.space.name))
    return shown_names(lines, 19)
