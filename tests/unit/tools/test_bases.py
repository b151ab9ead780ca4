"""Whose words a card rests on: the stricter of what code and model say, and names are nobody's."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from agencyclaw.deps import Deps
from agencyclaw.domain.field_sources import Material, Origin
from agencyclaw.tools import Proposed
from tests.fakes.ports import Agency, demo_agency
from tests.unit.tools.test_unstated import results

MAIL = (
    "Dana writes: please refresh the storefront banner with the new photos, due Friday. Make it a"
    " task for Glintly Inc."
)
TASK: dict[str, Any] = {
    "client": "Glintly Inc",
    "title": "Refresh the storefront banner",
    "objective": "Refresh the storefront banner with the new photos",
}


def typed(agency: Agency, text: str, *beside: Material) -> Deps:
    message = Material(origin=Origin.TYPED, whose="Ines Varga", text=text)
    return replace(agency.run(request=text), materials=(message, *beside))


def due(source: str) -> dict[str, Any]:
    friday = {"kind": "weekday", "weekday": "friday"}
    return {"day": friday, "quote": "due Friday", "source": source}


async def prepared(agency: Agency, deps: Deps, **arguments: Any) -> Any:
    [part] = await results(deps, ("create_task", TASK | arguments))
    assert isinstance(part.content, Proposed), part.content
    return agency.proposals.drafted[0]


async def test_a_short_message_is_pasted_where_the_model_says_so() -> None:
    agency = demo_agency()
    effect = await prepared(agency, typed(agency, MAIL), due=due("pasted"))

    assert {one.field: one.origin for one in effect.bases}["Due"] is Origin.PASTED
    assert {one.field: one.origin for one in effect.bases}["Objective"] is Origin.PASTED
    assert not effect.takes_words


async def test_what_a_person_typed_is_theirs_where_the_model_says_nothing_else() -> None:
    agency = demo_agency()
    effect = await prepared(agency, typed(agency, MAIL), due=due("message"))

    assert {one.origin for one in effect.bases} == {Origin.TYPED}
    assert effect.takes_words


@pytest.mark.parametrize("source", ["message", "earlier"])
async def test_a_model_that_calls_a_pasted_text_the_persons_own_is_not_believed(
    source: str,
) -> None:
    agency = demo_agency()
    pasted = Material(origin=Origin.PASTED, whose="Ines Varga", text=MAIL, taints=True)
    deps = replace(agency.run(request=MAIL), materials=(pasted,))
    effect = await prepared(agency, deps, due=due(source))

    assert {one.origin for one in effect.bases} == {Origin.PASTED}
    assert not effect.takes_words


async def test_names_of_records_in_a_row_are_not_borrowed_from_a_list_of_them() -> None:
    agency = demo_agency()
    listed = Material(
        origin=Origin.RECORD,
        whose="Reading the client list",
        text="Pawtrail Lite, Hearthlane Kids, Casa Mundo\nfollow up on what is still open",
    )
    said = "compare the others with Glintly Inc"
    names = "Compare Glintly with Pawtrail Lite, Hearthlane Kids, Casa Mundo"
    own = await prepared(agency, typed(agency, said, listed), objective=names)
    words = await prepared(
        demo := demo_agency(),
        typed(demo, said, listed),
        objective="Compare, then follow up on what is still open",
    )

    assert own.takes_words
    assert not words.takes_words
