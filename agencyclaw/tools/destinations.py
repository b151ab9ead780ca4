"""Finds the ClickUp list that a brand's tasks are created in."""

from __future__ import annotations

from agencyclaw.deps import Deps
from agencyclaw.domain.clients import Brand
from agencyclaw.domain.errors import NotFound, NotMapped
from agencyclaw.domain.messages import message
from agencyclaw.domain.task_creation import Destination
from agencyclaw.tools.boards import find_list


async def find_destination(deps: Deps, place: Brand) -> Destination:
    """Return the ClickUp list for a brand's tasks; raises NotMapped if they may not go there."""
    try:
        found = await find_list(deps, place)
    except NotFound as gone:
        raise NotMapped(
            message("refused.destinations.list_gone", brand=place.name), reason="list_gone"
        ) from gone
    spaces = {space_id for space_id in (found.space_id, place.space_id) if space_id}
    if not spaces:
        raise _not_for_brands(place)
    for space_id in spaces:
        await _check_space(deps, space_id, place)
    return Destination(
        list_id=found.id,
        list_name=found.name,
        space_id=found.space_id or place.space_id,
        space_name=found.space_name,
    )


async def _check_space(deps: Deps, space_id: str, place: Brand) -> None:
    """Raise NotMapped unless the space is registered as one for brands."""
    classification = await deps.directory.space_classification(space_id)
    if classification is None or not classification.takes_brand_work:
        raise _not_for_brands(place)


def _not_for_brands(place: Brand) -> NotMapped:
    remedy = message("refused.places.who_classifies")
    why = message("refused.destinations.not_for_brands", brand=place.name, who_classifies=remedy)
    return NotMapped(why, reason="space_not_for_brands")
