"""What a correction of a waiting card leaves alone stays; what it drops stands on the card."""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter
from typing import Any

import pytest

from agencyclaw.domain.field_sources import Material, Origin
from agencyclaw.domain.people import Tier
from agencyclaw.domain.proposals import ProposalState
from agencyclaw.domain.task_creation import CreateTask
from agencyclaw.tools.results import Ask, Proposed
from tests.fakes.ports import Agency, FakeProposals, demo_agency
from tests.unit.tools.test_gate import called

SAID = (
    "urgent coupon for Copperleaf in CA: 20% off B0CF7GARL1 and B0CF7GARL2 from 2026-12-01,"
    " budget 500, Miguel, due 2026-11-27, start 2026-11-25"
)
FIRST: dict[str, Any] = {
    "client": "Copperleaf",
    "title": "Coupon for the garlic presses",
    "objective": "A coupon for both garlic presses",
    "details": "Both colours, one coupon.",
    "procedure": {"title": "Coupons Promotion SOP"},
    "promotion": {
        "type": "coupon",
        "discount": {"value": "20%", "quote": "20% off"},
        "starts": {"day": {"kind": "date", "date": "2026-12-01"}, "quote": "from 2026-12-01"},
        "budget": {"value": "500", "quote": "budget 500"},
    },
    "facts": [{"about": "priority", "value": "urgent", "quote": "urgent"}],
    "product_identifiers": ["B0CF7GARL1", "B0CF7GARL2"],
    "about_products": True,
    "marketplace": {"value": "CA", "quote": "in CA"},
    "assignee": "Miguel",
    "start": {"day": {"kind": "date", "date": "2026-11-25"}, "quote": "start 2026-11-25"},
    "due": {"day": {"kind": "date", "date": "2026-11-27"}, "quote": "due 2026-11-27"},
}
NEXT = {"client": "", "title": FIRST["title"], "objective": "", "replaces": FIRST["title"]}
TYPED = Material(origin=Origin.TYPED, text=SAID)
DUE = {"due": {"day": {"kind": "date", "date": "2026-11-26"}, "quote": "due 2026-11-26"}}


async def a_card(first: dict[str, Any] = FIRST) -> tuple[Agency, CreateTask]:
    """An agency in which the first card waits, and nothing of the talk is in sight any more."""
    agency = demo_agency()
    told = await called(agency.run(tier=Tier.MEMBER, request=SAID), "create_task", first)
    assert isinstance(told.content, Proposed), told.content
    [made] = agency.proposals.drafted
    assert isinstance(made, CreateTask)
    waiting = await FakeProposals().draft(made)
    agency.proposals.waiting = [waiting.model_copy(update={"state": ProposalState.OPEN})]
    return agency, made


async def corrected(
    said: str, first: dict[str, Any] = FIRST, **arguments: Any
) -> tuple[CreateTask, CreateTask, Proposed]:
    """The first card, the one that replaces it, and what the model was told of that."""
    agency, old = await a_card(first)
    run = replace(agency.run(tier=Tier.MEMBER, request=said), materials=(), user_texts=())
    told = await called(run, "create_task", {**NEXT, **arguments})
    assert isinstance(told.content, Proposed), told.content
    new = agency.proposals.drafted[-1]
    assert isinstance(new, CreateTask)
    return old, new, told.content


async def test_what_a_correction_does_not_name_stays_with_its_sources() -> None:
    old, new, told = await corrected("due 2026-11-26", **DUE)

    changed = {
        "due",
        "field_sources",
        "replaces",
        "body",
        "against",
        "similar",
        "remarks",
        "replaces_card",
    }
    before, after = (one.model_dump(exclude=changed) for one in (old, new))
    assert after == before
    assert str(new.due) == "2026-11-26"
    kept = {
        one for one in old.field_sources if one.quote and one.field not in ("Due", "Description")
    }
    assert kept <= set(new.field_sources)
    assert not any("No longer in it" in one for one in told.against)


async def test_a_correction_may_leave_out_the_objective_too() -> None:
    agency, old = await a_card(FIRST)
    run = agency.run(tier=Tier.MEMBER, request="due 2026-11-26")
    anew = {name: value for name, value in NEXT.items() if name != "objective"}
    told = await called(run, "create_task", anew | DUE)
    new = agency.proposals.drafted[-1]

    assert isinstance(told.content, Proposed), told.content
    assert isinstance(new, CreateTask)
    assert old.objective
    assert new.objective == old.objective


async def test_products_on_the_card_count_as_given_and_those_left_out_stand_on_it() -> None:
    _, new, told = await corrected("only the first one", product_identifiers=["B0CF7GARL1"])

    assert new.identifiers == ("B0CF7GARL1",)
    gone = "No longer in it, but on the card it replaces: Products: B0CF7GARL2."
    assert gone in new.preview().against
    assert gone in told.against


async def test_products_that_need_no_identifier_stay_and_are_named_where_they_go() -> None:
    work: dict[str, Any] = {
        "client": "Copperleaf",
        "title": FIRST["title"],
        "objective": "Sweep the search terms of both presses for wasted spend",
        "procedure": {"none_because": "a sweep, no promotion"},
        "product_identifiers": ["storage tins", "cake stands"],
    }
    _, same, _ = await corrected("due 2026-11-26", work, **DUE)
    _, fewer, told = await corrected("not the tins", work, product_identifiers=["cake stands"])

    assert same.product_words == ("storage tins", "cake stands")
    assert fewer.product_words == ("cake stands",)
    gone = "No longer in it, but on the card it replaces: Products: storage tins."
    assert gone in fewer.preview().against
    assert gone in told.against


async def test_a_day_that_is_taken_off_is_not_kept_and_stands_as_dropped() -> None:
    _, new, told = await corrected("drop the due date", due={"quote": "drop the due date"})

    assert (new.due, new.unsupported_facts) == (None, ())
    assert any("Due: Fri 27 Nov 2026" in one for one in told.against)


async def test_another_client_keeps_what_is_no_clients_and_drops_the_rest_visibly() -> None:
    _, new, told = await corrected(
        "for Pawtrail instead", client="Pawtrail", brand="Pawtrail", identifiers_pending=True
    )

    assert (new.client.name, new.identifiers) == ("Pawtrail", ())
    assert new.assignee is not None
    assert str(new.due) == "2026-11-27"
    assert any("Products: B0CF7GARL1; Products: B0CF7GARL2" in one for one in told.against)


async def test_an_assignee_named_as_the_card_names_them_is_not_asked_for_again() -> None:
    agency, old = await a_card()
    assert old.assignee is not None
    sara = old.assignee.model_copy(update={"name": "Sara Okafor", "profile_id": old.client.id})
    waiting = agency.proposals.waiting[0]
    card = old.model_copy(update={"assignee": sara})
    agency.proposals.waiting = [waiting.model_copy(update={"effect": card})]

    run = agency.run(tier=Tier.MEMBER, request="due 2026-11-26")
    told = await called(run, "create_task", {**NEXT, **DUE, "assignee": "Sara Okafor"})

    assert not isinstance(told.content, Ask)
    new = agency.proposals.drafted[-1]
    assert isinstance(new, CreateTask)
    assert new.assignee == sara


async def test_figures_that_stand_in_the_words_of_the_card_are_stated() -> None:
    again = "A coupon of 20% for both garlic presses"
    _, new, _ = await corrected("due 2026-11-26", **DUE, objective=again)

    assert (new.objective, new.unsupported_facts) == (again, ())


@pytest.mark.parametrize(
    ("field", "value", "shown"),
    [
        ("budget", "promotion.budget", "Budget: 500"),
        ("starts", "promotion.starts", "Starts: Tue 1 Dec 2026"),
        ("discount", "promotion.discount", "Discount: 20%"),
        ("due", "due", "Due: Fri 27 Nov 2026"),
        ("start", "start", "Start: Wed 25 Nov 2026"),
        ("priority", "facts", "Priority: urgent"),
        ("promotion", "promotion", "Promotion type: Coupon"),
    ],
)
async def test_what_is_cleared_is_off_the_card_and_shown_as_gone(
    field: str, value: str, shown: str
) -> None:
    old, new, told = await corrected("forget that", clears=[field])

    assert attrgetter(value)(old)
    assert not attrgetter(value)(new)
    [gone] = [one for one in told.against if "No longer in it" in one]
    assert shown in gone
    label = shown.split(":")[0]
    assert not any(one.field == label for one in new.field_sources)


async def test_without_the_marketplace_that_was_stated_it_is_the_brands_only_one() -> None:
    old, new, told = await corrected("any marketplace", clears=["marketplace"])

    assert not old.is_default_marketplace
    assert new.is_default_marketplace
    assert any("Marketplace: CA" in one for one in told.against)


async def test_identifiers_that_people_wrote_stay_when_the_client_is_corrected() -> None:
    agency, _ = await a_card()
    run = replace(agency.run(tier=Tier.MEMBER, request="no, for Pawtrail"), materials=(TYPED,))
    wanted = {**NEXT, "client": "Pawtrail", "brand": "Pawtrail", "replaces_of": "Copperleaf"}
    told = await called(run, "create_task", wanted)

    assert isinstance(told.content, Proposed), told.content
    new = agency.proposals.drafted[-1]
    assert isinstance(new, CreateTask)
    assert new.identifiers == ("B0CF7GARL1", "B0CF7GARL2")
