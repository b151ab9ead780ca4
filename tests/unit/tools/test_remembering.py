"""What may be kept as somebody's words, and what may not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agencyclaw.deps import Deps
from agencyclaw.domain.errors import Refused
from agencyclaw.domain.field_sources import Material, Origin
from agencyclaw.domain.remembering import RememberNote
from agencyclaw.tools.memory import remember
from tests.fakes.ports import context, demo_agency

NAME = "The budget belongs to Larkspur"


def having_pressed(deps: Deps) -> Deps:
    chosen = Material(origin=Origin.RECORD, text=NAME)
    return replace(deps, request=NAME, user_texts=("what is due?", NAME), materials=(chosen,))


async def test_what_a_person_typed_can_be_kept() -> None:
    deps = demo_agency().run(request=NAME)

    kept = await remember(context(deps), fact=NAME, client="Glintly Inc")

    assert isinstance(kept, RememberNote)
    assert kept.note == NAME


async def test_the_name_of_a_record_that_was_chosen_is_nobodys_fact() -> None:
    deps = having_pressed(demo_agency().run())

    with pytest.raises(Refused, match="Nobody wrote that"):
        await remember(context(deps), fact=NAME, client="Glintly Inc")
