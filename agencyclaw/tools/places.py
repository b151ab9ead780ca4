"""Resolves ClickUp spaces and lists by name, in the registry and on the boards."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from agencyclaw.deps import Deps
from agencyclaw.domain.brands import ClickUpPlace
from agencyclaw.domain.choices import choice
from agencyclaw.domain.clients import SpaceRecord
from agencyclaw.domain.errors import AgencyClawError, NotFound, NotMapped
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import ScopeKind
from agencyclaw.domain.tasks import ListRef
from agencyclaw.domain.text import folded, one_line
from agencyclaw.tools.boards import hidden_lists
from agencyclaw.tools.names import as_choices, decide, find_named
from agencyclaw.tools.results import Ask, ask_which


@dataclass(frozen=True)
class LinkTarget:
    """The named ClickUp space and list of a brand, as far as they were named."""

    space: ClickUpPlace | None = None
    board: ClickUpPlace | None = None

    def changes(self, *, unlink: bool) -> dict[str, ClickUpPlace | None]:
        """Return the fields to set; a new space without a list clears the old list."""
        if unlink or self.space:
            return {"space": self.space, "board": self.board}
        return {}


async def find_link(
    deps: Deps, home: str | None, list_name: str | None, present: ClickUpPlace | None = None
) -> LinkTarget | Ask:
    """Return the named space and list, or the question which.

    A list alone is looked for in the present space first, then in all that take brand work. Raises
    NotFound, or NotMapped for a space that takes none.
    """
    if not folded(home or "") and not folded(list_name or ""):
        return LinkTarget()
    spaces = await _spaces(deps)
    if folded(home or ""):
        space = _find_space(deps, spaces, home or "")
        if isinstance(space, Ask):
            return space
        if not folded(list_name or ""):
            return LinkTarget(ClickUpPlace(id=space.id, name=space.name))
        return await _find_list([space], deps, list_name or "")
    usable = [space for space in spaces if space.classification.takes_brand_work]
    own = [space for space in usable if present and space.id == present.id]
    if own:
        try:
            return await _find_list(own, deps, list_name or "", offers=False)
        except NotFound:
            pass
    return await _find_list(usable, deps, list_name or "")


async def _spaces(deps: Deps) -> list[SpaceRecord]:
    """Return the spaces that may be named here; in a client's channel those of its brands.

    Of any other nobody can tell whose it is: a brand may have a list there and no space on record,
    be archived, or be a client's whom nobody works for any more.
    """
    spaces = await deps.directory.spaces()
    if deps.surface.scope is not ScopeKind.CLIENT_SCOPED:
        return spaces
    client_ids = [deps.surface.client_id] if deps.surface.client_id else []
    own = {brand.space_id for brand in await deps.directory.brands(client_ids)}
    return [space for space in spaces if space.id in own]


async def name_link(deps: Deps, space_id: str | None, list_id: str | None) -> LinkTarget:
    """Return a stored link with its names; an unregistered one is called unnamed."""
    spaces = {space.id: space.name for space in await deps.directory.spaces()}
    unknown = message("remarks.unknown_space")
    space = ClickUpPlace(id=space_id, name=spaces.get(space_id, unknown)) if space_id else None
    if list_id is None:
        return LinkTarget(space)
    try:
        named = await deps.board.list_ref(list_id)
    except AgencyClawError:
        return LinkTarget(space, ClickUpPlace(id=list_id, name=message("remarks.unreadable_list")))
    return LinkTarget(space, ClickUpPlace(id=list_id, name=named.path))


def _find_space(deps: Deps, spaces: list[SpaceRecord], hint: str) -> SpaceRecord | Ask:
    found = find_named(deps, hint, spaces)
    if not found.things:
        question = _not_found(deps, hint)
        usable = [one for one in spaces if one.classification.takes_brand_work]
        if not usable:
            raise NotFound(question, reason="space_not_found")
        return ask_which(f"{question} Which one is it?", as_choices("space", usable))
    space = decide(deps, found)
    if space is None:
        named = as_choices("space", found.things)
        return ask_which("Which ClickUp space do you mean?", named)
    if not space.classification.takes_brand_work:
        remedy = message("refused.places.who_classifies")
        why = message("refused.places.not_for_brands", space=space.name, who_classifies=remedy)
        raise NotMapped(why, reason="space_not_for_brands")
    return space


def _not_found(deps: Deps, hint: str) -> str:
    """Say that there is no such space, and in a client's channel that others may be elsewhere."""
    missing = message("refused.places.space_not_found", hint=one_line(hint, 60))
    is_clients = deps.surface.scope is ScopeKind.CLIENT_SCOPED
    return f"{missing} {message('refused.places.only_own')}" if is_clients else missing


async def _find_list(
    spaces: list[SpaceRecord], deps: Deps, hint: str, *, offers: bool = True
) -> LinkTarget | Ask:
    read = await asyncio.gather(*(deps.board.lists_of(space.id) for space in spaces))
    hidden = await hidden_lists(deps)
    every = [
        (space, one)
        for space, lists in zip(spaces, read, strict=True)
        for one in lists
        if one.id not in hidden
    ]
    homes = {one.id: space for space, one in every}
    found = find_named(deps, hint, [_at_home(one, space) for space, one in every])
    if not found.things:
        words = message("refused.places.list_not_found", hint=one_line(hint, 60))
        if not every or not offers:
            raise NotFound(words, reason="list_not_found")
        known = (_at_home(one, space) for space, one in every)
        choices = (choice("list", one.id, one.full_name) for one in known)
        return ask_which(f"{words} Which one is it?", choices)
    chosen = decide(deps, found)
    if chosen is None:
        named = (choice("list", one.id, one.full_name) for one in found.things)
        return ask_which("Which ClickUp list do you mean?", named)
    space = homes[chosen.id]
    return LinkTarget(
        ClickUpPlace(id=space.id, name=space.name), ClickUpPlace(id=chosen.id, name=chosen.path)
    )


def _at_home(one: ListRef, space: SpaceRecord) -> ListRef:
    return one.model_copy(update={"space_id": space.id, "space_name": space.name})
