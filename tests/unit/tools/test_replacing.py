"""Which waiting task is replaced: of this answer, this thread, this brand, or whose is named."""

from __future__ import annotations

from typing import Any

import pytest

from agencyclaw.domain.people import Tier
from agencyclaw.domain.proposals import Proposal, ProposalState
from agencyclaw.domain.task_creation import CreateTask
from agencyclaw.tools.results import Ask, Proposed
from tests.fakes.ports import Agency, FakeProposals, an_id, demo_agency
from tests.unit.tools.test_gate import called

TITLE = "Refresh the storefront banner"
Call = dict[str, Any]

MADE: Call = {"title": TITLE, "objective": "Refresh the storefront banner with three new photos"}
AGAIN: Call = {"title": "Another banner", "objective": "", "replaces": TITLE}
GLINTLY: Call = {"client": "Glintly Inc"}
PAWTRAIL: Call = {"client": "Pawtrail", "brand": "Pawtrail"}
COPPERLEAF: Call = {"client": "Brightkettle Group", "brand": "Copperleaf"}
NORDVENT: Call = {"client": "Brightkettle Group", "brand": "Nordvent"}
OPEN, DRAFT = ProposalState.OPEN, ProposalState.DRAFT


def due(day: str) -> Call:
    return {"due": {"day": {"kind": "date", "date": day}, "quote": f"due {day}"}}


async def prepared(agency: Agency, said: str = "", **arguments: Any) -> CreateTask | Ask:
    """What comes of a call, with those waiting that the agency has."""
    deps = agency.run(tier=Tier.MEMBER, request=said)
    told = await called(deps, "create_task", arguments)
    if isinstance(told.content, Ask):
        return told.content
    assert isinstance(told.content, Proposed), told.content
    made = agency.proposals.drafted[-1]
    assert isinstance(made, CreateTask)
    return made


async def waits(
    agency: Agency, said: str, state: ProposalState = OPEN, *, elsewhere: bool = False, **call: Any
) -> Proposal:
    """Let a task wait on a card of this thread or of another, or be prepared in this answer."""
    proposals, agency.proposals = agency.proposals, FakeProposals()
    made = await prepared(agency, said, **MADE, **call)
    agency.proposals = proposals
    assert isinstance(made, CreateTask), made
    drafted = await FakeProposals().draft(made)
    thread = "9.9" if elsewhere else drafted.place.thread_ts
    place = drafted.place.model_copy(update={"thread_ts": thread})
    known = {"id": an_id(f"{said} {state}"), "state": state, "place": place}
    waiting = drafted.model_copy(update=known)
    proposals.waiting.append(waiting)
    return waiting


async def replaced(agency: Agency, said: str = "", **arguments: Any) -> Any:
    """The id of the card that a task replaces."""
    made = await prepared(agency, said, **(AGAIN | arguments))
    assert isinstance(made, CreateTask), made
    return made.replaces_card


async def test_what_this_answer_prepared_is_corrected_before_a_card_that_waits() -> None:
    agency = demo_agency()
    await waits(agency, "due 2026-12-01", **GLINTLY, **due("2026-12-01"))
    draft = await waits(agency, "due 2026-12-08", DRAFT, **GLINTLY, **due("2026-12-08"))

    assert await replaced(agency, client="") == draft.id


async def test_a_card_of_this_thread_is_replaced_before_one_of_another() -> None:
    agency = demo_agency()
    await waits(agency, "due 2026-12-01", elsewhere=True, **GLINTLY, **due("2026-12-01"))
    here = await waits(agency, "due 2026-12-08", **GLINTLY, **due("2026-12-08"))

    assert await replaced(agency, client="") == here.id


async def test_where_no_client_is_named_and_several_have_it_it_asks_whose() -> None:
    agency = demo_agency()
    await waits(agency, "one", **GLINTLY)
    await waits(agency, "two", **PAWTRAIL)
    ask = await prepared(agency, **AGAIN, client="")

    assert isinstance(ask, Ask)
    assert ask.labels == ("Glintly, Glintly Inc", "Pawtrail")


@pytest.mark.parametrize("state", [OPEN, DRAFT])
async def test_of_two_brands_of_a_client_the_one_that_is_named_is_replaced(
    state: ProposalState,
) -> None:
    agency = demo_agency()
    await waits(agency, "one", state, **COPPERLEAF)
    second = await waits(agency, "two", state, **NORDVENT)

    assert await replaced(agency, **NORDVENT) == second.id


async def test_of_two_brands_the_one_that_is_named_is_replaced_though_no_client_is() -> None:
    agency = demo_agency()
    await waits(agency, "one", **COPPERLEAF)
    second = await waits(agency, "two", **NORDVENT)

    assert await replaced(agency, client="", brand="Nordvent") == second.id


async def test_where_no_brand_is_named_it_asks_for_which_of_two() -> None:
    agency = demo_agency()
    for brand in (COPPERLEAF, NORDVENT):
        await waits(agency, brand["brand"], **brand)
    ask = await prepared(agency, **AGAIN, client="Brightkettle Group")

    assert isinstance(ask, Ask)
    assert [(one.kind, one.label) for one in ask.options] == [
        ("brand", "Copperleaf, Brightkettle Group"),
        ("brand", "Nordvent, Brightkettle Group"),
    ]


async def test_a_task_that_was_prepared_in_this_answer_for_a_brand_alike_stays() -> None:
    agency = demo_agency()
    await waits(agency, "one", DRAFT, client="Pawtrail", brand="Pawtrail Pro")

    assert await replaced(agency, **MADE, **PAWTRAIL) is None


async def test_a_brand_with_the_name_of_its_client_is_not_every_brand_of_theirs() -> None:
    agency = demo_agency()
    await waits(agency, "one", client="Pawtrail", brand="Pawtrail Pro")
    second = await waits(agency, "two", **PAWTRAIL)

    assert await replaced(agency, **PAWTRAIL) == second.id


async def test_a_brand_that_is_only_spelled_alike_picks_none_of_two_tasks() -> None:
    agency = demo_agency()
    for brand in (COPPERLEAF, NORDVENT):
        await waits(agency, brand["brand"], **brand)
    ask = await prepared(agency, **AGAIN, client="Brightkettle Group", brand="Nordvnt")

    assert isinstance(ask, Ask)
    assert len(ask.options) == 2


async def test_a_task_that_was_prepared_in_this_answer_for_another_client_stays() -> None:
    agency = demo_agency()
    await waits(agency, "one", DRAFT, **GLINTLY)

    assert await replaced(agency, **MADE, **PAWTRAIL) is None


@pytest.mark.parametrize("whose", ["Nordvent", "Brightkettle Group"])
async def test_a_task_of_another_client_is_replaced_by_what_its_owner_is_called(whose: str) -> None:
    agency = demo_agency()
    theirs = await waits(agency, "one", **NORDVENT)

    assert await replaced(agency, **MADE, **PAWTRAIL, replaces_of=whose) == theirs.id


async def test_a_task_whose_owner_is_only_spelled_alike_stays() -> None:
    agency = demo_agency()
    await waits(agency, "one", **GLINTLY)

    assert await replaced(agency, **MADE, **PAWTRAIL, replaces_of="Glintley Inc") is None


async def test_the_owner_of_two_tasks_of_one_title_does_not_tell_them_apart() -> None:
    agency = demo_agency()
    for day in ("2026-12-01", "2026-12-08"):
        await waits(agency, f"due {day}", **GLINTLY, **due(day))
    await waits(agency, "three", **PAWTRAIL)
    ask = await prepared(agency, **AGAIN, client="", replaces_of="Glintly, Glintly Inc")

    assert isinstance(ask, Ask)
    assert ask.labels == ("Due Tue 1 Dec 2026", "Due Tue 8 Dec 2026")


async def test_what_tells_two_tasks_of_one_title_apart_names_one_of_them() -> None:
    agency = demo_agency()
    for day in ("2026-12-01", "2026-12-08"):
        await waits(agency, f"due {day}", **GLINTLY, **due(day))
    _, second = agency.proposals.waiting
    ask = await prepared(agency, **AGAIN, client="")

    assert isinstance(ask, Ask)
    assert ask.labels == ("Due Tue 1 Dec 2026", "Due Tue 8 Dec 2026")
    assert await replaced(agency, client="", replaces_of=ask.labels[1]) == second.id
