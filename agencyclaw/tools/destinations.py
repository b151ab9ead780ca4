"""Finds the ClickUp list that a brand's tasks are created in, or says why there is none."""

from __future__ import annotations

from dataclasses import dataclass

from agencyclaw.deps import Deps
from agencyclaw.domain.clients import Brand, BrandResolution
from agencyclaw.domain.errors import AgencyClawError, Broken, NotFound, NotMapped, Refused
from agencyclaw.domain.messages import message
from agencyclaw.domain.task_creation import Destination
from agencyclaw.domain.text import one_line
from agencyclaw.tools.boards import find_list
from agencyclaw.tools.lacking import Lacking


@dataclass(frozen=True)
class TaskPlace:
    """Where a brand's tasks go: the list with its space and folder, or why there is none.

    Both are "" where ClickUp gave no answer.
    """

    list_path: str = ""
    why_none: str = ""

    @property
    def takes_tasks(self) -> bool:
        """Whether there is one, as far as anybody knows."""
        return not self.why_none


def why_unmapped(brand: Brand) -> str:
    """Return why a brand takes no tasks, as far as its record says; "" if it may take some."""
    if not (brand.space_id or brand.list_id):
        return message("refused.destinations.none")
    return "" if brand.is_routable else _not_for_brands(brand).message


async def task_place(deps: Deps, brand: Brand) -> TaskPlace:
    """Return where a brand's tasks go, as ClickUp says."""
    if why := why_unmapped(brand):
        return TaskPlace(why_none=why)
    try:
        found = await find_destination(deps, brand)
    except Refused as why:
        return TaskPlace(why_none=why.message)
    except AgencyClawError:
        return TaskPlace()
    return TaskPlace(list_path=one_line(found.label, 120))


async def destination_beside(
    deps: Deps, chosen: BrandResolution | None, lacking: Lacking
) -> Destination | None:
    """Return the list of a settled brand; None where something keeps it from being known.

    Who has to be asked something anyway need not wait until ClickUp is there.
    """
    if chosen is None:
        return None
    if chosen.destination is None:
        raise Broken("a settled brand without a destination")
    try:
        with lacking.refused():
            return await find_destination(deps, chosen.destination)
    except AgencyClawError:
        if not lacking:
            raise
    return None


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
    return Destination.of(found, place.space_id)


async def _check_space(deps: Deps, space_id: str, place: Brand) -> None:
    """Raise NotMapped unless the space is registered as one for brands."""
    classification = await deps.directory.space_classification(space_id)
    if classification is None or not classification.takes_brand_work:
        raise _not_for_brands(place)


def _not_for_brands(place: Brand) -> NotMapped:
    remedy = message("refused.places.who_classifies")
    why = message("refused.destinations.not_for_brands", brand=place.name, who_classifies=remedy)
    return NotMapped(why, reason="space_not_for_brands")
