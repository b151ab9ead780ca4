"""Changes of a scene reach the world, or say that they can't."""

from __future__ import annotations

from typing import Any, cast

import pytest

from agencyclaw.store.engine import Database
from evals.scene import BoardTask, BrandChange, Change, PersonChange
from evals.world import World


@pytest.mark.parametrize(
    "change",
    [
        Change(switched_off="creat_task"),
        Change(person=PersonChange(name="Nobody Here", role="viewer")),
        Change(brand=BrandChange(client="Glintly Inc", brand="No such brand")),
        Change(task=BoardTask(title="Refresh", in_list="No such list")),
    ],
    ids=["tool", "person", "brand", "list"],
)
async def test_a_misspelt_change_is_an_error(agency: Database, change: Change) -> None:
    world = World(agency, cast("Any", None), cast("Any", None), {"1": "Glintly PPC"})

    with pytest.raises(LookupError, match="no such"):
        await world.apply(change)
