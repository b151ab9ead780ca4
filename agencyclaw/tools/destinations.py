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
    for space_id in {found.space_id, place.space_id} - {None}:
        await _check_space(deps, str(space_id), place.name)
    return Destination(
        list_id=found.id,
        list_name=found.name,
        space_id=found.space_id or place.space_id,
        space_name=found.space_name,
    )


async def _check_space(deps: Deps, space_id: str, brand: str) -> None:
    """Raise NotMapped unless the space is registered as one for brands."""
    classification = await deps.directory.space_classification(space_id)
    if classification is None or not classification.takes_brand_work:
        remedy = message("refused.places.who_classifies")
        why = message("refused.destinations.not_for_brands", brand=brand, who_classifies=remedy)
        raise NotMapped(why, reason="space_not_for_brands")
