"""A task from words: grounded, placed, and never completed by guessing."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest
from pydantic import BaseModel, TypeAdapter

from agencyclaw.deps import Deps
from agencyclaw.domain.cautions import Cautions, LikelyRepeat
from agencyclaw.domain.choices import choice, fixed
from agencyclaw.domain.clients import SpaceClassification
from agencyclaw.domain.clock import zone_named
from agencyclaw.domain.edits import TaskEdits, form_of
from agencyclaw.domain.errors import NotFound, NotMapped, TooMuch, Unavailable
from agencyclaw.domain.identifiers import find_identifiers, is_identifier
from agencyclaw.domain.people import Scope, ScopeKind, Tier
from agencyclaw.domain.products import Product
from agencyclaw.domain.quotes import Fact, QuotedDay
from agencyclaw.domain.sops import Sop, SopHit
from agencyclaw.domain.task_creation import CreateTask
from agencyclaw.domain.task_requests import ChosenProcedure, QuotedFact, QuotedPromotion
from agencyclaw.domain.tasks import DateKind, TaskRead, TaskRow, Window
from agencyclaw.knowledge.briefs import recompose
from agencyclaw.knowledge.links import urls_of
from agencyclaw.tools.arguments import Identifiers
from agencyclaw.tools.brand_records import update_brand
from agencyclaw.tools.gaps import PENDING
from agencyclaw.tools.lacking import ask_together
from agencyclaw.tools.products import EVERY_WORD_FITS, Catalog, catalog_lookup
from agencyclaw.tools.readiness import Readiness, clickup_task_quality_gate
from agencyclaw.tools.results import Ask
from agencyclaw.tools.tasks import create_task
from tests.fakes.ports import (
    NOW,
    SHARED_LIST,
    Agency,
    FakeBoard,
    FakeProposals,
    a_brand,
    a_person,
    a_prior,
    a_row,
    a_slot,
    a_sop,
    an_id,
    context,
    demo_agency,
)
from tests.unit.tools.test_unsupported_figures import results

TOUR = "create a coupon task for Copperleaf: 20% off the garlic press B0CF7GARL1, starting Monday"
MONDAY = date(2026, 11, 23)
STARTING_MONDAY = {
    "type": "coupon",
    "discount": {"value": "20%", "quote": "20% off"},
    "starts": {"day": {"kind": "weekday", "weekday": "monday"}, "quote": "starting Monday"},
}


async def asked(agency: Agency, *, said: str = "", about: Scope | None = None, **args: Any) -> Any:
    values: dict[str, Any] = {
        "client": "Brightkettle Group",
        "title": "20% coupon for the garlic press",
        "objective": "20% off the garlic press B0CF7GARL1",
        "brand": "Copperleaf",
        "product_identifiers": ["B0CF7GARL1"],
    } | args
    run = agency.run(request=said or spoken(values), about=about)
    deps = replace(run, calling="create_task")
    return await create_task(context(deps), **typed(values))


def typed(values: dict[str, Any]) -> dict[str, Any]:
    """The arguments as the framework hands them over."""
    kinds: dict[str, type[BaseModel]] = {
        "promotion": QuotedPromotion,
        "procedure": ChosenProcedure,
        "marketplace": Fact,
        "start": QuotedDay,
        "due": QuotedDay,
    }
    read = {
        name: kinds[name].model_validate(value) if name in kinds and value else value
        for name, value in values.items()
    }
    if facts := values.get("facts"):
        read["facts"] = [QuotedFact.model_validate(one) for one in facts]
    return read


def spoken(values: dict[str, Any]) -> str:
    """A message in which all stands that a call was given."""
    texts = [str(values.get(name) or "") for name in ("title", "objective", "details")]
    days = [values[name]["quote"] for name in ("start", "due") if values.get(name)]
    return "\n".join([*texts, *days, *(values.get("product_identifiers") or ())])


def on(day: date) -> dict[str, Any]:
    return {"day": {"kind": "date", "date": day.isoformat()}, "quote": day.isoformat()}


async def task(agency: Agency, **arguments: Any) -> CreateTask:
    result = await asked(agency, **arguments)
    assert isinstance(result, CreateTask), result
    return result


async def question(agency: Agency, **arguments: Any) -> Ask:
    result = await asked(agency, **arguments)
    assert isinstance(result, Ask), result
    return result


async def test_the_first_sentence_of_the_tour_becomes_a_task() -> None:
    made = await task(
        demo_agency(),
        client="Copperleaf",
        brand=None,
        objective="20% off the garlic press B0CF7GARL1, starting Monday",
        said=TOUR,
        promotion=STARTING_MONDAY,
    )

    assert made.client.name == "Brightkettle Group"
    assert made.brand is not None
    assert made.brand.name == "Copperleaf"
    assert made.destination.list_id == SHARED_LIST
    assert made.identifiers == ("B0CF7GARL1",)
    assert made.sources[0].title == "Coupons Promotion SOP"
    assert len(made.checklist) == 6
    assert made.promotion is not None
    assert (made.promotion.starts, made.promotion.discount) == (MONDAY, "20%")
    assert (made.start, made.due) == (None, None)
    assert not made.create_anyway
    assert "- **Objective:** 20% off the garlic press B0CF7GARL1, starting Monday" in made.body


async def test_the_procedure_reaches_the_body_though_nobody_described_anything() -> None:
    made = await task(demo_agency(), details=None)

    assert "- [ ] Check that every ASIN is eligible and in stock." in made.body


async def test_an_unknown_client_is_not_replaced() -> None:
    with pytest.raises(NotFound):
        await asked(demo_agency(), client="Zephyr")


async def test_a_client_without_a_place_is_refused_before_anything_is_asked() -> None:
    with pytest.raises(NotMapped) as refused:
        await asked(demo_agency(), client="Northwater", brand=None, title="")
    assert "isn't linked to a ClickUp list yet" in refused.value.message


async def test_what_was_asked_of_a_client_without_a_place_is_kept_with_checked_facts() -> None:
    agency = demo_agency()
    due = {"day": {"kind": "weekday", "weekday": "friday"}, "quote": "due Friday"}
    with pytest.raises(NotMapped) as refused:
        await asked(
            agency,
            said="a plan for Northwater, due Friday",
            client="Northwater",
            brand=None,
            title="Launch plan",
            objective="Write the plan",
            product_identifiers=["B0CF7GARL1"],
            due=due,
            assignee="Sara Okafor",
            marketplace={"value": "MX", "quote": "in Mexico"},
        )
    assert refused.value.kept_of == ("Northwater", "Launch plan")
    kept = refused.value.kept
    for row in ("Client: Northwater", "Objective: Write the plan", "Due: Fri 20 Nov 2026"):
        assert f"• {row}" in kept
    assert "• Assignee: Sara Okafor" in kept
    # What nobody said is not kept as if they had.
    assert "• Not stated by anyone: MX (Marketplace), B0CF7GARL1 (Products)." in kept


async def test_what_is_kept_names_the_figures_of_its_texts_that_nobody_stated() -> None:
    with pytest.raises(NotMapped) as refused:
        await asked(
            demo_agency(),
            said="a plan for Northwater, at 20%",
            client="Northwater",
            brand=None,
            title="Launch plan",
            objective="Write the plan at 20% with 9,000 USD",
            product_identifiers=None,
            assignee="me",
        )

    assert "• Not stated by anyone: 9,000 (Objective)." in refused.value.kept
    assert "Assignee: me" not in refused.value.kept


async def test_a_space_goes_to_its_own_inbox_never_to_a_default() -> None:
    made = await task(demo_agency(), client="Hearthlane", brand="Hearthlane", title="Fix the page")

    assert (made.destination.list_id, made.destination.label) == ("h-inbox", "Hearthlane / Inbox")


async def test_a_space_without_a_clear_list_is_refused() -> None:
    agency = demo_agency()
    agency.board.inboxes.clear()

    with pytest.raises(NotMapped) as refused:
        await asked(agency, client="Hearthlane", brand="Hearthlane")
    assert refused.value.reason == "no_clear_list"


async def test_a_list_that_is_gone_is_refused() -> None:
    agency = demo_agency()
    agency.board.faults[SHARED_LIST] = NotFound("404", reason="not_found")

    with pytest.raises(NotMapped) as refused:
        await asked(agency)
    assert refused.value.reason == "list_gone"


async def test_product_work_without_a_brand_asks_which() -> None:
    ask = await question(demo_agency(), brand=None)

    assert ask.labels == ("Copperleaf", "Nordvent", "Tessera")
    assert ask.question == "Which brand of Brightkettle Group is it for?"


async def test_different_lists_ask_which_brand() -> None:
    ask = await question(demo_agency(), client="Pawtrail", brand=None)

    assert ask.labels == ("Pawtrail", "Pawtrail Lite", "Pawtrail Pro")
    assert "different ClickUp lists" in ask.question


async def test_a_brand_the_client_does_not_have_is_asked_not_used() -> None:
    ask = await question(demo_agency(), client="Pawtrail", brand="Copperleaf")

    assert ask.question == "Pawtrail has no brand called “Copperleaf”. Which one is it for?"
    assert "Copperleaf" not in ask.labels


async def test_more_brands_than_buttons_are_listed() -> None:
    agency = demo_agency()
    agency.directory.all_brands += [
        a_brand("Pawtrail", f"Pawtrail {n}", list_id=f"x{n}") for n in range(6)
    ]
    ask = await question(agency, client="Pawtrail", brand=None)

    assert ask.labels == ()
    assert "Pawtrail 0, Pawtrail 1" in ask.question


async def test_work_for_the_client_as_a_whole_has_no_brand() -> None:
    made = await task(
        demo_agency(),
        brand=None,
        title="Monthly report",
        product_identifiers=None,
        objective="Prepare the monthly report",
        details="Sales and spend of October.",
    )

    assert made.brand is None
    assert made.destination.list_id == SHARED_LIST


@pytest.mark.parametrize("title", ["", "  ", "?", "…", "“”"])
async def test_a_title_that_is_none_gets_a_suggestion(title: str) -> None:
    ask = await question(
        demo_agency(), title=title, objective="20% off the garlic press B0CF7GARL1"
    )

    assert ask.labels == ()
    assert ask.question == (
        "What should the task for Brightkettle Group be called?"
        " I suggest: “20% off the garlic press B0CF7GARL1”."
    )


async def test_without_any_words_it_asks_and_offers_a_way_on() -> None:
    ask = await question(demo_agency(), title="", objective="", said="jsut create it")

    assert "what is to be done" in ask.question
    assert ask.labels == ("To be specified for Brightkettle Group",)


async def test_a_short_phrase_about_coupons_is_a_title() -> None:
    made = await task(
        demo_agency(), title="Garlic press coupon", objective="garlic press B0CF7GARL1"
    )

    assert made.title == "Garlic press coupon"


async def test_a_title_that_was_given_is_not_asked_for_again() -> None:
    result = await asked(demo_agency(), title="Fix title", objective="create task for X: Fix title")

    assert "called" not in getattr(result, "question", "")


async def test_identifiers_of_a_sentence_are_taken_out_of_it() -> None:
    made = await task(
        demo_agency(),
        objective="20% off the press",
        product_identifiers=["the presses b08xyz1234 and B0CF7GARL2", "cl-gp-b4"],
    )

    assert made.identifiers == ("B08XYZ1234", "B0CF7GARL2", "CL-GP-B4")


@pytest.mark.parametrize(
    "given", [["B0CF7GARL1"], ["b0cf7garl1 "], ["CL-GP-SV"], ["GP4711"], ["0306406152"]]
)
async def test_identifiers_given_apart_are_used(given: list[str]) -> None:
    made = await task(demo_agency(), objective="20% off", product_identifiers=given)

    assert made.identifiers == (given[0].strip().upper(),)


def a_catalog(*products: tuple[str, str]) -> Agency:
    agency = demo_agency()
    agency.catalog.kept = {
        an_id("client Brightkettle Group"): [
            Product(id=an_id(asin), brand="Copperleaf", asin=asin, title=title)
            for asin, title in products
        ]
    }
    return agency


BLACK = ("B0CF7GARL1", "Garlic Press, black")
SILVER = ("B0CF7GARL2", "Garlic Press, silver")
PEELER = ("B0CF7PEEL3", "Vegetable Peeler")


@pytest.mark.parametrize(
    ("called", "found"),
    [("vegetable peeler", PEELER), ("garlic press, silver", SILVER)],
)
async def test_a_product_that_is_named_in_full_is_found_in_the_catalog(
    called: str, found: tuple[str, str]
) -> None:
    made = await task(
        a_catalog(BLACK, SILVER, PEELER),
        title="20% coupon",
        objective="20% coupon",
        product_identifiers=[called],
    )

    assert made.identifiers == (found[0],)
    assert not made.identifiers_pending
    assert f"{found[0]} (“{found[1]}” in the product catalog)" in made.body


@pytest.mark.parametrize(
    ("called", "offered"),
    [
        ("garlic press", [BLACK, SILVER]),
        ("the silver garlic press", [SILVER, BLACK]),
        ("peelers", [PEELER]),
        ("the summer ones", []),
    ],
)
async def test_of_several_or_similar_products_none_is_picked(
    called: str, offered: list[tuple[str, str]]
) -> None:
    agency = a_catalog(BLACK, SILVER, PEELER)
    ask = await question(
        agency, title="20% coupon", objective="20% coupon", product_identifiers=[called]
    )

    named = {f"{asin} {title}" for asin, title in offered}
    assert set(ask.labels) == {*named, "Create it with the identifiers pending"}


async def test_a_comma_within_a_number_ends_neither_a_name_nor_an_item() -> None:
    agency = a_catalog(BLACK, ("B0CM7BANK1", "10,000 mAh Power Bank"))
    ask = await question(agency, product_identifiers=["10"])
    made = await task(agency, product_identifiers=[f"{BLACK[0]} and the 10,000 mAh one"])

    assert "the catalog has no product of that name" in ask.question
    assert made.identifiers == (BLACK[0],)


SETS = [(f"B0CM7MUGS{n}", f"{style} Mug Set") for n, style in enumerate(("Talavera", "Oaxaca"))]


@pytest.mark.parametrize("called", ["all mug sets", "mugs", "the sets"])
async def test_a_group_of_products_shows_those_of_the_kind_that_the_catalog_has(
    called: str,
) -> None:
    ask = await question(a_catalog(*SETS, PEELER), product_identifiers=[called])

    assert set(ask.labels[:-1]) == {f"{asin} {title}" for asin, title in SETS}


async def test_of_more_products_than_are_offered_the_question_says_how_many_fit() -> None:
    many = [(f"B0CM7MUGS{n}", f"Mug Set {n}") for n in range(9)]
    ask = await question(a_catalog(*many), product_identifiers=["all mug sets"])
    few = await question(a_catalog(*many[:4]), product_identifiers=["all mug sets"])

    assert len(ask.labels) == 5
    assert ask.question.endswith("Of 9 that fit “all mug sets”, these fit best.")
    assert "fit" not in few.question


WOOL, COTTON = ("B0HL2BLNK1", "Wool Blanket"), ("B0HL2BLNK2", "Cotton blankets")
SMALL, LARGE = ("B0PT6COLS1", "Dog Collar, small"), ("B0PT6COLL1", "Dog Collar, large")


@pytest.mark.parametrize(
    ("called", "found"),
    [
        ("wool blankets", WOOL),
        ("silver garlic press", SILVER),
        ("small collar", SMALL),
        ("blankets", None),
        ("Copperleaf blanket", None),
        ("dog collar", None),
        ("dog collar M", None),
    ],
)
async def test_the_only_product_that_has_every_word_is_taken_as_a_look_up_says(
    called: str, found: tuple[str, str] | None
) -> None:
    agency = a_catalog(BLACK, SILVER, WOOL, COTTON, SMALL, LARGE)
    deps = agency.run(tier=Tier.MEMBER)
    looked = await catalog_lookup(context(deps), "Copperleaf", called)
    made = await asked(
        agency, title="20% coupon", objective="20% coupon", product_identifiers=[called]
    )

    assert isinstance(looked, Catalog)
    assert (looked.note == EVERY_WORD_FITS) is bool(found)
    if found is None:
        assert isinstance(made, Ask)
        return
    assert looked.candidates[0].asin == found[0]
    assert isinstance(made, CreateTask)
    assert made.identifiers == (found[0],)
    assert dict(made.preview().fields)["Products"] == (
        f"{found[0]} (“{found[1]}” in the product catalog)"
    )


async def test_a_product_that_was_offered_and_confirmed_is_given_and_marked_on_the_card() -> None:
    agency = a_catalog(BLACK, SILVER, PEELER)
    coupon = {"client": "Copperleaf", "title": "Coupon", "objective": "a coupon for it"}
    asked = await question(agency, **coupon, product_identifiers=["peelers"])
    deps = agency.run(request="yes that one", tier=Tier.MEMBER)
    deps = replace(deps, offered=((), asked.options))

    async def confirmed(deps: Deps, asin: str) -> CreateTask:
        before = len(agency.proposals.drafted)
        arguments = coupon | {"product_identifiers": [asin], "create_anyway": True}
        await results(deps, ("create_task", arguments))
        [made] = agency.proposals.drafted[before:]
        assert isinstance(made, CreateTask)
        return made

    given = await confirmed(deps, PEELER[0])
    unoffered = await confirmed(deps, SILVER[0])
    unseen = await confirmed(replace(deps, offered=()), PEELER[0])

    assert given.identifiers == (PEELER[0],)
    [mark] = [one for one in given.field_sources if one.origin == "offered"]
    assert (mark.field, mark.whose) == ("Product identifiers", "")
    at_once = await confirmed(replace(deps, offered=(asked.options,)), PEELER[0])
    assert [one.whose for one in at_once.field_sources if one.origin == "offered"] == [
        "yes that one"
    ]
    assert PEELER[0] in mark.quote
    assert not given.takes_words
    assert unoffered.identifiers == unseen.identifiers == ()


async def test_words_that_a_look_up_finds_a_product_by_are_asked_about_with_it() -> None:
    fan = ("B0NV8FAN01", "Tower Fan")
    coupon = {"title": "Coupon for the fan", "objective": "a 20% coupon for the fan"}
    ask = await question(a_catalog(fan, PEELER), **coupon, product_identifiers=["Copperleaf fan"])

    assert "Is “Copperleaf fan” this product?" in ask.question
    assert ask.labels[0] == f"{fan[0]} {fan[1]}"


@pytest.mark.parametrize("called", ["storage tins", "garlic press", "peelers"])
async def test_product_words_need_no_identifier_in_work_that_is_not_about_single_products(
    called: str,
) -> None:
    made = await task(
        a_catalog(BLACK, SILVER, PEELER),
        title="Negative keyword sweep",
        objective="Sweep the search terms of the last month for wasted spend",
        product_identifiers=[called],
    )

    assert made.identifiers == ()
    assert not made.identifiers_pending
    assert dict(made.preview().fields)["Products"] == f"“{called}” (no identifier given)"
    assert made.preview().against == ()


@pytest.mark.parametrize(
    ("called", "brand"),
    [
        ("vegetable peeler", "Copperleaf"),
        ("garlic press", "Copperleaf"),
        ("silver garlic press", "Copperleaf"),
        ("garlik press", None),
        ("peelers", None),
    ],
)
async def test_in_work_that_is_not_about_products_a_similar_name_names_no_brand(
    called: str, brand: str | None
) -> None:
    made = await task(
        a_catalog(BLACK, SILVER, PEELER),
        brand=None,
        title="Negative keyword sweep",
        objective="Sweep the search terms of the last month for wasted spend",
        product_identifiers=[called],
    )

    assert (made.brand.name if made.brand else None) == brand


@pytest.mark.parametrize(
    ("role", "who", "shown"),
    [
        ("PPC Strategist", "Sara Okafor", "PPC Strategist of Glintly"),
        ("PPC Specialist", "Miguel Duarte", "PPC Specialist of Glintly Inc"),
    ],
)
async def test_who_holds_a_role_is_named_with_whose_it_is(role: str, who: str, shown: str) -> None:
    made = await task(
        demo_agency(),
        client="Glintly Inc",
        brand="Glintly",
        title="Sweep",
        objective="Sweep the search terms of the last month",
        product_identifiers=None,
        assignee=role,
    )

    assert made.assignee is not None
    assert (made.assignee.name, made.assignee.role) == (who, shown)


async def test_a_product_that_is_asked_about_is_not_asked_for_its_brand_as_well() -> None:
    ask = await question(
        a_catalog(BLACK, SILVER, PEELER),
        brand=None,
        title="20% coupon",
        objective="20% coupon",
        product_identifiers=["peelers"],
    )

    assert ask.question == "Is “peelers” this product?"


async def test_a_weekday_that_is_today_is_said_to_be_on_card_and_in_the_result() -> None:
    wednesday = {"day": {"kind": "weekday", "weekday": "wednesday"}, "quote": "wed"}
    friday = {"day": {"kind": "weekday", "weekday": "friday"}, "quote": "fri"}
    wanted = {"objective": "Sweep the search terms of the last month for wasted spend"}

    today = await task(demo_agency(), **wanted, due=wednesday)
    later = await task(demo_agency(), **wanted, due=friday)

    assert today.due == NOW.date()
    assert "Due: “wed” is taken as today, Wed 18 Nov 2026." in today.preview().against
    assert later.preview().against == ()


def test_one_question_has_its_choices_on_buttons_and_the_others_say_theirs() -> None:
    brands = [choice("brand", an_id(one), one) for one in ("Hearthlane", "Hearthlane Kids")]
    which = Ask(question="Hearthlane has two lists. Which brand is it for?", options=tuple(brands))
    products = Ask(question="Which products?", options=(fixed(PENDING),))
    people = [choice("person", an_id(str(at)), f"Sara {at}") for at in range(4)]
    who = Ask(question="Which Sara should do it?", options=tuple(people))

    both = ask_together([which, products])
    assert both.labels == ("Hearthlane", "Hearthlane Kids")
    assert f"Which products? ({PENDING})" in both.question
    assert "The buttons answer 1;" in both.question
    # A record is asked for with buttons before a fixed answer is.
    assert ask_together([products, which]).labels == both.labels
    assert "The buttons answer 2;" in ask_together([products, which]).question
    more = ask_together([who, which, products])
    assert more.labels == ("Sara 0", "Sara 1", "Sara 2", "Sara 3")
    assert "Which brand is it for? (Hearthlane / Hearthlane Kids)" in more.question
    # One that has no buttons names none.
    bare = Ask(question="When is it due?")
    assert "buttons" not in ask_together([bare, bare]).question


async def test_who_says_that_they_come_later_is_told_of_the_one_that_is_known() -> None:
    made = await task(
        a_catalog(PEELER),
        title="20% coupon",
        objective="20% coupon on the vegetable peeler",
        product_identifiers=["vegetable peeler"],
        identifiers_pending=True,
    )

    assert (made.identifiers, made.identifiers_pending) == ((PEELER[0],), False)
    assert "pending" not in made.body.lower()


async def test_a_given_identifier_goes_before_the_catalog() -> None:
    made = await task(
        a_catalog(PEELER),
        objective="coupon on the vegetable peeler",
        product_identifiers=["GP4711"],
    )

    assert made.identifiers == ("GP4711",)
    assert made.catalogued == ""


async def test_ten_digits_are_a_product_only_with_the_right_check_digit() -> None:
    assert find_identifiers("ISBN 0306406152, or call 0306406153") == ("0306406152",)


@pytest.mark.parametrize("item", ["Q4", "US-CA", "summer ones", "URGENT", "MON-WED", "B0CF7", "12"])
def test_periods_and_plain_words_have_no_form_of_an_identifier(item: str) -> None:
    assert not is_identifier(item)
    assert all(map(is_identifier, ("CL-GP-BK", "MUG-2026", "pt-col-5", "B0CF7GARL1")))


async def test_several_identifiers_in_one_text_are_several() -> None:
    drafted = await task(
        demo_agency(), objective="20% off", product_identifiers=["B0CF7GARL1, CL-2; CL-GP-BK"]
    )

    assert drafted.identifiers == ("B0CF7GARL1", "CL-2", "CL-GP-BK")


@pytest.mark.parametrize("between", [", ", "; ", "\n"])
async def test_a_product_that_is_named_beside_an_identifier_is_a_second_one(between: str) -> None:
    agency, both = a_catalog(BLACK, PEELER), f"{BLACK[0]}{between}vegetable peeler"
    made = await task(agency, said=f"20% off {both}", product_identifiers=[both])
    unknown = await question(agency, product_identifiers=[f"{BLACK[0]}{between}the summer ones"])

    assert made.identifiers == (BLACK[0], PEELER[0])
    assert "“the summer ones” doesn't look like an ASIN or SKU" in unknown.question


@pytest.mark.parametrize("words", ["garlic press", "Garlic Press, black", "the garlic presses"])
async def test_words_that_describe_the_product_identified_beside_them_name_no_second(
    words: str,
) -> None:
    described = f"{words}, {BLACK[0]}"
    made = await task(
        a_catalog(BLACK, SILVER, PEELER),
        said=f"20% off {described}",
        product_identifiers=[described],
    )

    assert made.identifiers == (BLACK[0],)


async def test_an_item_that_says_nothing_is_none() -> None:
    blank = ["", " ", ",;"]
    ask = await question(a_catalog(BLACK), said="a coupon", product_identifiers=blank)
    made = await task(
        a_catalog(BLACK),
        title="Negative keyword sweep",
        objective="Sweep the search terms of the last month for wasted spend",
        product_identifiers=[*blank, "tins"],
    )

    assert ask.question == "Which products is it about? Please give the ASINs or SKUs."
    assert dict(made.preview().fields)["Products"] == "“tins” (no identifier given)"
    assert TypeAdapter(Identifiers).validate_python([*blank, "tins"]) == ["tins"]


async def test_whoever_was_offered_with_an_address_can_be_chosen() -> None:
    agency = demo_agency()
    agency.directory.staff += [a_person("Sara Okafor", "100077")]
    agency.directory.staff[-1] = agency.directory.staff[-1].model_copy(
        update={"email": "sara.o2@lanternfish.example", "profile_id": an_id("another Sara")}
    )

    asked = await question(agency, assignee="Sara Okafor")
    assert len(asked.labels) == 2

    chosen = [(await task(agency, assignee=option)).assignee for option in asked.labels]
    assert {one.clickup_user_id for one in chosen if one} == {"100004", "100077"}
    ask = await question(demo_agency(), objective="20% off", product_identifiers=["0306406153"])
    assert "doesn't look like an ASIN or SKU" in ask.question


VAGUE = ["the summer ones", "URGENT", "promotions", "the-summer-ones", "B0CF7", "B0CF7GARL12"]


@pytest.mark.parametrize("given", VAGUE)
async def test_vague_words_are_no_identifiers(given: str) -> None:
    ask = await question(demo_agency(), objective="20% off", product_identifiers=[given])

    assert "doesn't look like an ASIN or SKU" in ask.question
    assert ask.labels == ("Create it with the identifiers pending",)


async def test_a_vague_product_is_left_open_where_the_identifiers_are_pending() -> None:
    made = await task(
        demo_agency(),
        objective="20% off",
        product_identifiers=["the summer ones"],
        identifiers_pending=True,
    )

    assert made.identifiers == ()
    assert made.left_out == ()
    pending = "Product identifiers (ASIN or SKU) are pending: “the summer ones”."
    assert [one for one in made.preview().missing if "pending" in one] == [pending]
    assert f"- {pending}" in made.body
    assert dict(made.preview().fields)["Products"] == "“the summer ones” (ASIN or SKU pending)"


async def test_a_product_whose_identifier_is_pending_stays_beside_one_that_is_known() -> None:
    made = await task(
        a_catalog(BLACK),
        said="a coupon for B0CF7GARL1 and the summer ones",
        product_identifiers=["B0CF7GARL1", "the summer ones"],
        identifiers_pending=True,
    )

    assert made.identifiers == ("B0CF7GARL1",)
    assert "Product identifiers (ASIN or SKU) are pending: “the summer ones”." in made.unresolved
    shown = dict(made.preview().fields)["Products"]
    assert "B0CF7GARL1" in shown
    assert "“the summer ones” (ASIN or SKU pending)" in shown


async def test_products_named_only_vaguely_are_asked_for() -> None:
    ask = await question(
        demo_agency(),
        objective="20% off the summer ones",
        title="Summer coupon",
        product_identifiers=None,
    )

    assert ask.question == "Which products is it about? Please give the ASINs or SKUs."
    assert ask.labels == ("Create it with the identifiers pending",)


async def test_pending_identifiers_are_open_and_the_sentence_is_not_copied() -> None:
    made = await task(
        demo_agency(),
        title="Summer coupon",
        objective="20% off the summer range.",
        said="20% off the summer range. Create it with the ASINs pending.",
        product_identifiers=None,
        identifiers_pending=True,
    )

    assert made.identifiers_pending
    assert "ASINs pending" not in made.body
    assert made.unresolved[0] == "Product identifiers (ASIN or SKU) are pending."


async def test_work_that_is_not_about_products_needs_no_identifier() -> None:
    made = await task(
        demo_agency(),
        client="Glintly Inc",
        brand=None,
        title="Fix landing page",
        objective="Fix landing page",
        product_identifiers=None,
        details="The hero image is broken on mobile.",
    )

    assert made.identifiers == ()
    assert not made.identifiers_pending


@pytest.mark.parametrize(
    ("days", "words"),
    [
        ({"due": on(date(2026, 11, 17))}, "already past. When is the task due?"),
        ({"start": on(date(2026, 11, 17))}, "already past. When should it start?"),
        ({"start": on(date(2026, 11, 25)), "due": on(date(2026, 11, 24))}, "before it starts"),
    ],
)
async def test_days_that_cannot_be_meant_are_asked(days: dict[str, Any], words: str) -> None:
    assert words in (await question(demo_agency(), **days)).question


async def test_today_is_not_past_for_the_person() -> None:
    agency = demo_agency()
    deps = agency.run(timezone="Pacific/Kiritimati", request="by 2026-11-18")
    due = QuotedDay.model_validate(on(date(2026, 11, 18)))
    result = await create_task(context(deps), "Glintly Inc", "Coupon", "20% off", due=due)

    assert isinstance(result, Ask)
    assert isinstance(await asked(agency, due=on(date(2026, 11, 18))), CreateTask)


async def test_a_namesake_who_works_for_the_client_is_preferred() -> None:
    made = await task(demo_agency(), client="Glintly Inc", brand=None, assignee="Sara")

    assert made.assignee is not None
    assert (made.assignee.name, made.assignee.clickup_user_id) == ("Sara Okafor", "100004")
    assert made.preview().against == (
        "“Sara” is taken for Sara Okafor, who works for Glintly Inc; it also fits Sara Lindqvist:"
        " press Edit to choose.",
    )
    named = await task(demo_agency(), client="Glintly Inc", brand=None, assignee="Sara Okafor")
    assert named.preview().against == ()


async def test_two_of_one_whole_name_are_told_apart_on_the_card() -> None:
    agency = demo_agency()
    other = a_person("Sara Okafor", "100044").model_copy(
        update={"profile_id": an_id("other"), "email": "sara2@lanternfish.example"}
    )
    agency.directory.staff.append(other)
    made = await task(agency, client="Glintly Inc", brand=None, assignee="Sara Okafor")
    own = next(one for one in agency.directory.staff if one.name == "Sara Okafor")

    assert dict(made.preview().fields)["Assignee"] == f"Sara Okafor ({own.email})"
    [told] = made.preview().against
    assert own.email in told
    assert other.email in told


async def test_a_first_name_with_an_initial_is_that_person() -> None:
    for called in ("Sara O.", "sara o", "SARA O"):
        made = await task(demo_agency(), client="Glintly Inc", brand=None, assignee=called)
        assert made.assignee is not None
        assert made.assignee.name == "Sara Okafor"
        assert made.assignee.others == ()


@pytest.mark.parametrize("named", ["US, CA", "us/ca", "US & CA"])
async def test_two_marketplaces_in_one_argument_are_two(named: str) -> None:
    fact = {"value": named, "quote": named}
    said = f"20% off B0CF7GARL1 in {named}"
    made = await task(demo_agency(), client="Glintly Inc", brand=None, marketplace=fact, said=said)

    assert made.marketplaces == ("US", "CA")
    assert [one for one in made.remarks if "on record" in one] == [
        "Glintly is on record for US, not for CA."
    ]


async def test_a_marketplace_in_words_stays_whole_on_the_card_and_through_its_form() -> None:
    fact = {"value": "the United Arab Emirates", "quote": "the United Arab Emirates"}
    said = "20% off B0CF7GARL1 in the United Arab Emirates"
    made = await task(demo_agency(), client="Glintly Inc", brand=None, marketplace=fact, said=said)
    edited = recompose(made, form_of(made, ()), made.assignee)

    assert made.marketplaces == edited.marketplaces == ("the United Arab Emirates",)


async def test_namesakes_elsewhere_are_a_question() -> None:
    ask = await question(demo_agency(), assignee="sara")

    assert ask.labels == ("Sara Lindqvist", "Sara Okafor")


async def test_a_role_that_was_named_stands_on_the_card_with_its_holder() -> None:
    agency = demo_agency()
    agency.directory.slots[an_id("client Glintly Inc")] = [
        a_slot("Sara Okafor", "PPC Strategist"),
    ]
    made = await task(agency, client="Glintly Inc", brand=None, assignee="the ppc strategist")

    assert dict(made.preview().fields)["Assignee"] == "Sara Okafor (PPC Strategist of Glintly Inc)"


async def test_two_namesakes_on_the_same_client_are_a_question_also_if_one_has_the_brand() -> None:
    agency = demo_agency()
    agency.directory.slots[an_id("client Glintly Inc")].append(a_slot("Sara Lindqvist", "CSL"))

    ask = await question(agency, client="Glintly Inc", brand=None, assignee="Sara")
    assert ask.labels == ("Sara Lindqvist", "Sara Okafor")


async def test_people_of_the_same_name_are_told_apart_by_their_address() -> None:
    agency = demo_agency()
    agency.directory.staff += [
        a_person("Kim Roe"),
        a_person("Kim Roe").model_copy(
            update={"profile_id": an_id("other"), "email": "k2@x.example"}
        ),
    ]
    ask = await question(agency, assignee="Kim Roe")

    assert ask.labels == (
        "Kim Roe (kim.roe@lanternfish.example)",
        "Kim Roe (k2@x.example)",
    )
    assert (await task(agency, assignee="k2@x.example")).assignee


async def test_a_name_spelled_almost_right_is_offered_never_taken() -> None:
    ask = await question(demo_agency(), assignee="Sarah")

    assert ask.labels == ("Sara Lindqvist", "Sara Okafor")
    assert "Do you mean" in ask.question


async def test_an_unknown_assignee_is_asked_with_the_clients_team() -> None:
    ask = await question(demo_agency(), client="Glintly Inc", brand=None, assignee="Zoltan")

    assert ask.labels == ("Miguel Duarte", "Sara Okafor")


@pytest.mark.parametrize(
    ("hint", "name"), [("me", "Ines Varga"), ("Miguel Duarte", "Miguel Duarte")]
)
async def test_one_person_is_one_person(hint: str, name: str) -> None:
    made = await task(demo_agency(), assignee=hint)

    assert made.assignee is not None
    assert made.assignee.name == name


@pytest.mark.parametrize("name", ["Yuki Tan", "Leo Ferri"])
async def test_a_person_without_a_usable_clickup_id_is_named_as_open(name: str) -> None:
    made = await task(demo_agency(), assignee=name)

    assert made.assignee is not None
    assert made.assignee.clickup_user_id is None
    assert f"{name} has no ClickUp account linked: the task will be unassigned." in made.unresolved


async def test_without_evidence_it_asks_instead_of_inventing() -> None:
    ask = await question(
        demo_agency(),
        client="Glintly Inc",
        brand=None,
        title="Fix landing page",
        objective="Fix it",
        product_identifiers=None,
    )

    assert "I found no procedure for this." in ask.question
    assert ask.labels == ("Create it anyway",)


async def test_a_request_that_says_it_all_is_not_asked_for_again() -> None:
    made = await task(
        demo_agency(),
        client="Glintly Inc",
        brand=None,
        title="Record a 20-second storefront video of the lens cleaner",
        objective="record a 20 second video of the lens cleaner on a desk for the storefront",
        create_anyway=False,
    )

    assert any("No SOP was found" in point for point in made.unresolved)


async def test_the_proposal_to_be_replaced_is_named_on_the_effect() -> None:
    made = await task(demo_agency(), replaces="20% coupon")

    assert made.replaces == "20% coupon"
    assert "20% coupon" not in made.body.replace(made.title, "")


async def test_a_task_like_an_earlier_one_does_not_rest_on_it() -> None:
    agency = demo_agency()
    agency.knowledge.prior = {an_id("client Glintly Inc"): [a_prior("Landing page of May")]}
    bare: dict[str, Any] = {"title": "Fix landing page", "product_identifiers": None}
    glintly: dict[str, Any] = {"client": "Glintly Inc", "brand": None, **bare, "objective": ""}
    ask = await question(agency, **glintly)
    made = await task(agency, **glintly, create_anyway=True)

    assert "There was an earlier task “Landing page of May”." in ask.question
    assert "Landing page of May" not in made.body
    assert made.sources == ()
    assert made.checklist == ()
    assert any("No SOP was found" in point for point in made.unresolved)


@pytest.mark.parametrize(
    ("given", "is_asked"),
    [
        ({}, True),
        ({"objective": "Upload the report."}, True),
        ({"procedure": {"none_because": "Nothing is said of uploading."}}, True),
        (
            {
                "objective": "Upload the report.",
                "procedure": {"none_because": "Nothing is said of uploading."},
            },
            False,
        ),
        ({"objective": "Upload it"}, True),
        ({"objective": "Please upload the report for Glintly Inc"}, False),
        ({"objective": "The report, for Glintly Inc"}, True),
        ({"objective": "Upload the one of October"}, False),
        ({"details": "The one of October"}, False),
        (
            {
                "objective": "",
                "facts": [{"about": "deliverable", "value": "a PDF", "quote": "as a PDF"}],
                "said": "upload the report as a PDF",
            },
            False,
        ),
    ],
)
async def test_what_is_to_be_done_is_asked_only_where_nothing_is_said_of_it(
    given: dict[str, Any], is_asked: bool
) -> None:
    plain: dict[str, Any] = {
        "client": "Glintly Inc",
        "brand": None,
        "title": "Upload the report",
        "objective": "",
        "product_identifiers": None,
    }
    made = await asked(demo_agency(), **{**plain, **given})

    assert isinstance(made, Ask) is is_asked
    assert isinstance(made, CreateTask) is not is_asked


async def test_insisting_on_an_incomplete_task_is_not_insisting_on_a_second_one() -> None:
    bare = await task(
        demo_agency(),
        client="Glintly Inc",
        brand=None,
        title="Fix page",
        objective="",
        create_anyway=True,
    )
    pending = await task(
        demo_agency(),
        title="Coupon",
        objective="10% off",
        product_identifiers=None,
        create_anyway=True,
    )
    whole = await task(demo_agency(), create_anyway=True)

    assert not bare.create_anyway
    assert pending.identifiers_pending
    assert not pending.create_anyway
    assert whole.create_anyway


@pytest.mark.parametrize(("score", "is_named"), [(0.65, True), (0.1, False)])
async def test_a_procedure_that_resembles_is_offered_not_used_and_any_other_is_not_named(
    score: float, is_named: bool
) -> None:
    agency = demo_agency()
    agency.knowledge.hits = {
        "page": SopHit(sop=a_sop("A+ Content SOP", "content", "1. Do"), match="text", score=score)
    }
    ask = await question(
        agency,
        client="Glintly Inc",
        brand=None,
        title="Fix landing page",
        objective="",
        product_identifiers=None,
    )

    assert ("the closest is “A+ Content SOP”" in ask.question) is is_named


async def test_details_in_the_request_are_enough_to_go_on() -> None:
    made = await task(
        demo_agency(),
        client="Glintly Inc",
        brand=None,
        title="Fix landing page",
        objective="The hero image on the landing page is broken for mobile visitors, replace it",
    )

    assert "hero image" in made.body


async def test_what_is_missing_is_listed() -> None:
    agency = demo_agency()
    made = await task(agency, title="Coupon", product_identifiers=None, identifiers_pending=True)

    assert made.preview().missing == (
        "Product identifiers (ASIN or SKU) are pending.",
        "Discount terms: not stated.",
        "Start date: not stated.",
        "End date: not stated.",
        "Budget: not stated.",
        "Owner: not stated.",
        "Due date: not stated.",
    )


async def test_the_conversations_client_counts_when_none_is_named() -> None:
    about = Scope(client_id=an_id("client Glintly Inc"), client_name="Glintly Inc")
    made = await task(demo_agency(), client="", brand=None, about=about)

    assert made.client.name == "Glintly Inc"


async def test_too_long_details_are_refused_with_the_limit() -> None:
    with pytest.raises(TooMuch):
        await asked(demo_agency(), details="x" * 3_001)


async def test_a_silent_clickup_prepares_nothing() -> None:
    agency = demo_agency()
    agency.board.faults[SHARED_LIST] = Unavailable("502")

    with pytest.raises(Unavailable):
        await asked(agency)


async def test_a_procedure_that_only_its_text_resembles_is_named_to_the_model_not_used() -> None:
    agency = demo_agency()
    other = a_sop("Discount Ladder SOP", "ladder", "1. Do")
    agency.knowledge.hits = {"coupon": SopHit(sop=other, match="text", score=0.9)}
    made = await task(agency, details="As in June.")

    assert made.sources == ()
    assert any("“Discount Ladder SOP” may fit" in one for one in made.left_out)


def with_procedures(*sops: Sop) -> Agency:
    agency = demo_agency()
    agency.knowledge.hits = {str(one.id): SopHit(sop=one, match="text", score=0.1) for one in sops}
    return agency


@pytest.mark.parametrize(
    ("title", "taken"),
    [
        ("Negative product targeting for the press", ["Negative Product Targeting SOP"]),
        ("Product targeting for the press", ["Product Targeting SOP"]),
        ("Product targeting and stranded stock of the press", []),
        ("Write to the carrier", []),
    ],
)
async def test_a_task_rests_on_the_procedure_that_its_title_names_not_on_words_in_passing(
    title: str, taken: list[str]
) -> None:
    agency = with_procedures(
        a_sop("Product Targeting SOP", "ads", "1. Do", aliases=("product targeting",)),
        a_sop(
            "Negative Product Targeting SOP",
            "ads",
            "1. Do",
            aliases=("negative product targeting",),
        ),
        a_sop("Stranded Inventory SOP", "stock", "1. Do", aliases=("stranded",)),
    )
    made = await task(agency, title=title, objective="Their driver is stranded at the airport")

    assert [one.title for one in made.sources] == taken


async def test_which_of_two_procedures_of_one_name_is_asked_and_a_press_tells() -> None:
    agency = with_procedures(
        a_sop("Coupons", "promotions", "1. Clip", id=an_id("clip")),
        a_sop("Coupons", "wholesale", "1. Print", id=an_id("print")),
    )
    chosen = ChosenProcedure(title="Coupons")

    asked_which = await question(agency, procedure={"title": "Coupons"})
    values = {"title": "Coupon week", "objective": "Prepare the coupon week"}
    judged = await clickup_task_quality_gate(context(agency.run()), **values, procedure=chosen)
    pressed = asked_which.options[1]
    deps = replace(agency.run(), choice=pressed)
    ready = await clickup_task_quality_gate(
        context(deps), **values, procedure=ChosenProcedure(title=pressed.label)
    )

    assert asked_which.labels == ("Coupons (promotions)", "Coupons (wholesale)")
    assert isinstance(judged, Ask)
    assert judged.options == asked_which.options
    assert isinstance(ready, Readiness)
    assert "SOP reference" not in ready.missing_fields


async def test_products_that_a_card_takes_from_its_text_are_not_lacking() -> None:
    texts = {"title": "Coupon for the garlic press", "objective": "20% off B0CF7GARL1"}
    agency = demo_agency()
    made = await task(agency, **texts, product_identifiers=None, about_products=True)
    judged = await clickup_task_quality_gate(context(agency.run()), **texts, about_products=True)

    assert made.identifiers == ("B0CF7GARL1",)
    assert isinstance(judged, Readiness)
    assert "product identifiers" not in judged.missing_fields
    assert judged.status == "ready"


@pytest.mark.parametrize("standing", ["shared_service", "unknown", "inactive"])
async def test_a_space_that_is_no_brands_own_takes_no_task(standing: str) -> None:
    agency = demo_agency()
    brand = next(one for one in agency.directory.all_brands if one.name == "Copperleaf")
    assert brand.space_id is not None
    agency.directory.standings[brand.space_id] = SpaceClassification(standing)

    with pytest.raises(NotMapped, match="An admin can have me classify"):
        await asked(agency)


@pytest.mark.parametrize("standing", ["shared_service", "unknown", "inactive"])
async def test_whoever_names_a_space_that_takes_no_brand_is_told_who_can_classify_it(
    standing: str,
) -> None:
    agency = demo_agency()
    agency.directory.standings["s7"] = SpaceClassification(standing)

    with pytest.raises(NotMapped, match="An admin can have me classify"):
        await update_brand(
            context(agency.run()), "Brightkettle Group", "Copperleaf", home="Space s7"
        )


def test_all_that_is_missing_is_one_message_with_the_choices_of_one_question_on_buttons() -> None:
    brand = Ask(
        question="Which brand is it for?",
        options=(choice("brand", "b1", "Copperleaf"), choice("brand", "b2", "Tessera")),
    )
    products = Ask(question="Which products?", options=(fixed(PENDING),))

    asked = ask_together([brand, products])

    assert asked.question == (
        "To prepare it I need to know:\n1. Which brand is it for?\n"
        f"2. Which products? ({PENDING})\n"
        "The buttons answer 1; the rest is asked for next."
    )
    assert asked.labels == ("Copperleaf", "Tessera")
    assert ask_together([products]) == products


def opened(title: str, **fields: Any) -> TaskRow:
    return a_row(title, **({"updated": NOW} | fields))


async def test_open_tasks_of_the_list_that_are_alike_reach_the_card() -> None:
    agency = demo_agency()
    agency.board.lists[SHARED_LIST] = [
        opened("Garlic press coupon", due=date(2026, 11, 30), assignees=("Sara Okafor",)),
        opened("Check stock of B0CF7GARL1"),
        opened("Book the photographer"),
        opened("Coupon for the garlic press 2024", updated=NOW - timedelta(days=400)),
    ]
    made = await task(agency)

    assert [one.title for one in made.preview().similar] == [
        "Check stock of B0CF7GARL1 (no due date)",
        "Garlic press coupon (due 30 Nov, Sara Okafor)",
    ]


async def test_an_open_task_that_is_told_as_a_repeat_is_not_told_twice() -> None:
    agency = demo_agency()
    row = opened("Garlic press coupon")
    agency.board.lists[SHARED_LIST] = [row]
    repeat = LikelyRepeat(
        title=row.name, by="Ines Varga", at=NOW, url=row.url, is_made=True, is_equal=False
    )
    agency.proposals.against = Cautions(repeats=(repeat,))
    made = await task(agency)

    assert made.similar == ()
    assert made.against == (repeat.line,)


async def test_a_board_that_can_not_be_read_costs_a_remark_not_the_task() -> None:
    agency = demo_agency()
    agency.board = UnreadBoard(inboxes=agency.board.inboxes)
    made = await task(agency)

    assert made.remarks == (
        f"The open tasks of Space / List {SHARED_LIST} could not be looked at just now: there may"
        " be one like this.",
    )


async def test_nor_does_it_cost_the_task_that_clickup_does_not_say_whose_a_list_is() -> None:
    agency = demo_agency()
    agency.directory.all_brands.append(a_brand("Casa Mundo", "Perro", space_id="g"))
    agency.board.faults["g"] = Unavailable("502")
    run = agency.run(
        request="Restock the shelf by hand", scope=ScopeKind.CLIENT_SCOPED, client="Glintly Inc"
    )
    deps = replace(run, calling="create_task")
    what = "Restock the shelf by hand"
    made = await create_task(context(deps), "Glintly Inc", what, what, create_anyway=True)

    assert isinstance(made, CreateTask)
    assert any("could not be looked at just now" in one for one in made.remarks)


class UnreadBoard(FakeBoard):
    """Knows its lists, and reads none."""

    async def tasks(
        self, list_id: str, window: Window | None, date_kind: DateKind, *, fresh: bool
    ) -> TaskRead:
        raise Unavailable("down")


async def test_nobody_and_no_date_by_the_persons_word_are_not_missing() -> None:
    said = await task(demo_agency(), assignee="nobody", clears=["due"])
    unsaid = await task(demo_agency())
    given = await task(demo_agency(), assignee="Miguel Duarte", due=on(MONDAY), clears=["due"])

    fields = dict(said.preview().fields)
    assert (fields["Assignee"], fields["Due"]) == ("none, as said", "none, as said")
    assert "**Owner:** none, as said · **Due:** none, as said" in said.body
    assert not [one for one in said.preview().missing if "Owner" in one or "Due" in one]
    assert [one for one in unsaid.preview().missing if "Owner" in one or "Due" in one]
    assert given.declined == ()


async def test_what_an_edit_of_the_card_fills_in_is_no_longer_declined() -> None:
    made = await task(demo_agency(), assignee="nobody", clears=["due"])
    edited = recompose(made, TaskEdits(title=made.title, due=MONDAY), None)

    assert edited.declined == ("assignee",)


class FakeRepeats(FakeProposals):
    """Knows of one repeat, of a quarter to eleven in the evening, in UTC."""

    async def cautions(self, task: CreateTask) -> Cautions:
        at = NOW.replace(hour=22, minute=45).astimezone(zone_named(task.timezone))
        return Cautions(
            repeats=(
                LikelyRepeat(
                    title=task.title, by="Ana", at=at, url=None, is_made=True, is_equal=True
                ),
            )
        )


async def test_a_question_names_an_earlier_task_by_the_persons_day() -> None:
    agency = replace(demo_agency(), proposals=FakeRepeats())
    deps = replace(agency.run(timezone="Asia/Tokyo", request="20% off it"), calling="create_task")
    ask = await create_task(
        context(deps),
        "Brightkettle Group",
        "20% coupon",
        "20% off it",
        brand="Copperleaf",
        about_products=True,
    )

    assert isinstance(ask, Ask)
    assert f"on {NOW + timedelta(days=1):%d %b}" in ask.question


async def test_the_first_question_names_the_tasks_that_are_there_already() -> None:
    agency = demo_agency()
    agency.board.lists = {SHARED_LIST: [opened("20% coupon for the garlic press")]}
    ask = await question(
        agency, product_identifiers=None, objective="20% off it", about_products=True
    )

    assert "There may be this task already:\n- 20% coupon for the garlic press" in ask.question
    [url] = ask.urls
    assert url in ask.question
    # An answer may link to it.
    assert urls_of(ask) == {url}


async def test_an_identifier_in_the_tasks_own_words_names_its_product_and_its_brand() -> None:
    made = await task(a_catalog(BLACK, SILVER), brand=None, product_identifiers=None)

    assert made.identifiers == ("B0CF7GARL1",)
    assert made.brand
    assert made.brand.name == "Copperleaf"
    assert dict(made.preview().fields)["Brand"] == "Copperleaf (found by the product)"
