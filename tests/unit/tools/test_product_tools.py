"""Products are found within one client, and one is meant only when it is beyond doubt."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from agencyclaw.domain.errors import Unavailable
from agencyclaw.domain.people import Scope, ScopeKind, Tier
from agencyclaw.domain.products import Product
from agencyclaw.knowledge.products import match_products, resolution_of, stems
from agencyclaw.tools.products import Catalog, catalog_lookup
from agencyclaw.tools.readiness import (
    DuplicateCheck,
    Readiness,
    clickup_task_duplicate_check,
    clickup_task_quality_gate,
)
from agencyclaw.tools.results import Ask, Refusal
from agencyclaw.tools.tasks import create_task
from tests.fakes.ports import NOW, a_prior, a_row, an_id, context, coupon_hit, demo_agency
from tests.unit.tools.test_gate import called


def product(title: str, asin: str | None = None, sku: str | None = None) -> Product:
    return Product(id=an_id(f"{title}{asin}{sku}"), asin=asin, sku=sku, title=title)


BLACK = product("Garlic Press, black", "B0CF7GARL1", "CL-GP-BK")
SILVER = product("Garlic Press, silver", "B0CF7GARL2", "CL-GP-SV")
FAN = product("Tower Fan", "B0NV8FAN01", "NV-TF-01")
SMALL = product("Dog Collar, small", "B0PT6COLS1", "PT-COL-S")
MEDIUM = product("Dog Collar, medium", "B0PT6COLM1", "PT-COL-M")
ALL = [FAN, SILVER, MEDIUM, BLACK, SMALL]


@pytest.mark.parametrize(
    ("query", "titles", "status"),
    [
        ("B0CF7GARL1", ["Garlic Press, black"], "exact"),
        ("the garlic press b0cf7garl1", ["Garlic Press, black", "Garlic Press, silver"], "exact"),
        ("CL-GP-SV", ["Garlic Press, silver"], "exact"),
        ("https://www.amazon.com/dp/B0CF7GARL1?th=1", ["Garlic Press, black"], "exact"),
        ("amazon.com/Garlic-Press/dp/b0cf7garl1/", ["Garlic Press, black"], "exact"),
        ("B0CF7", ["Garlic Press, black", "Garlic Press, silver"], "ambiguous"),
        ("PT-COL", ["Dog Collar, medium", "Dog Collar, small"], "ambiguous"),
        ("garlic press", ["Garlic Press, black", "Garlic Press, silver"], "ambiguous"),
        ("tower fan", ["Tower Fan"], "likely"),
        ("black", ["Garlic Press, black"], "likely"),
        ("silver garlic press", ["Garlic Press, silver", "Garlic Press, black"], "likely"),
        ("silver", ["Garlic Press, silver"], "likely"),
        ("B0CF7GARL1 and B0CF7GARL2", ["Garlic Press, black", "Garlic Press, silver"], "ambiguous"),
        ("the summer ones", [], "none"),
    ],
)
def test_one_exact_identifier_settles_it_and_nothing_else_does(
    query: str, titles: list[str], status: str
) -> None:
    matches = match_products(query, ALL)

    assert [match.product.title for match in matches] == titles
    assert resolution_of(matches) == status
    assert all(0 <= match.confidence <= 1 for match in matches)


async def test_another_clients_products_are_never_offered() -> None:
    agency = demo_agency()
    agency.catalog.kept = {
        an_id("client Glintly Inc"): [product("Screen Wipes", "B0GL1WIPE1")],
        an_id("client Casa Mundo"): [product("Screen Wipes", "B0GL9WIPE9")],
    }

    own = await catalog_lookup(context(agency.run()), "Glintly Inc", "screen wipes")
    other = await catalog_lookup(context(agency.run()), "Glintly Inc", "B0GL9WIPE9")

    assert isinstance(own, Catalog)
    assert [one.asin for one in own.candidates] == ["B0GL1WIPE1"]
    assert own.resolution_status == "likely"
    assert own.note == (
        "The first has every word, no other does: by these words it is taken without asking."
    )
    assert isinstance(other, Catalog)
    assert (other.candidates, other.resolution_status) == ((), "none")


async def test_an_identifier_names_its_client_among_those_that_a_person_may_see() -> None:
    agency = demo_agency()
    agency.catalog.kept = {
        an_id("client Glintly Inc"): [product("Screen Wipes", "B0GL1WIPE1")],
        an_id("client Casa Mundo"): [product("Lens Wipes", "B0GL9WIPE9")],
    }
    theirs = agency.run(tier=Tier.MEMBER)
    agency.directory.visible = {"Casa Mundo"}

    found = await catalog_lookup(context(agency.run()), "", "B0GL1WIPE1")
    unseen = await catalog_lookup(context(theirs), "", "B0GL1WIPE1")

    assert isinstance(found, Catalog)
    assert (found.client, found.resolution_status) == ("Glintly Inc", "exact")
    assert isinstance(unseen, Ask) or unseen.client == "Casa Mundo"


@pytest.mark.parametrize("query", ["wipes", "screen wipes", "B0GL1WIPE1", "toaster"])
async def test_a_look_up_says_whether_a_task_takes_a_product_or_asks(query: str) -> None:
    agency = demo_agency()
    client = an_id("client Glintly Inc")
    agency.catalog.kept = {client: [product("Screen Wipes", "B0GL1WIPE1")]}
    looked_up = await catalog_lookup(context(agency.run()), "Glintly Inc", query)
    arguments: dict[str, Any] = {
        "client": "Glintly Inc",
        "title": "Wipe campaign",
        "objective": f"A campaign for {query}",
        "about_products": True,
        "product_identifiers": [query],
    }
    run = agency.run(request=f"Wipe campaign of Glintly Inc for {query}")
    drafted = await called(run, "create_task", arguments)

    assert isinstance(looked_up, Catalog)
    is_asked = isinstance(drafted.content, Ask)
    assert is_asked == ("asks" in looked_up.note)


@pytest.mark.parametrize("limit", [1, 3])
async def test_what_a_look_up_does_not_show_counts_for_what_it_says(limit: int) -> None:
    agency = demo_agency()
    asins = [f"B0CF7GARL{n}" for n in range(4)]
    presses = [product(f"Garlic Press no {asin}", asin) for asin in asins]
    agency.catalog.kept = {an_id("client Glintly Inc"): presses}

    for query in ("garlic press", " ".join(asins)):
        found = await catalog_lookup(context(agency.run()), "Glintly Inc", query, limit=limit)

        assert isinstance(found, Catalog)
        assert found.resolution_status == "ambiguous"
        assert found.note.endswith(f" {limit} of 4 are shown.")
        assert len(found.candidates) == limit


async def test_without_words_all_products_are_listed_and_an_empty_catalog_is_called_so() -> None:
    agency = demo_agency()
    agency.catalog.kept = {an_id("client Glintly Inc"): ALL}

    whole = await catalog_lookup(context(agency.run()), "Glintly Inc", " ")
    part = await catalog_lookup(context(agency.run()), "Glintly Inc", limit=2)
    none = await catalog_lookup(context(agency.run()), "Casa Mundo")

    assert isinstance(whole, Catalog)
    assert [one.title for one in whole.candidates] == sorted(one.title for one in ALL)
    assert (whole.resolution_status, whole.note) == ("listed", "All its products are listed.")
    assert isinstance(part, Catalog)
    assert (len(part.candidates), part.note) == (2, "2 of its 5 products are listed.")
    assert isinstance(none, Catalog)
    assert (none.candidates, none.note) == ((), "No product of theirs is in the catalog.")


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("catalog_lookup", {"client": "Glintly Inc", "query": "wipes", "limit": 500}),
        ("list_tasks", {"client": "Glintly Inc", "window": "any_time", "top": 500}),
    ],
)
async def test_more_rows_than_a_tool_shows_are_no_mistake_to_ask_for(
    tool: str, arguments: dict[str, Any]
) -> None:
    agency = demo_agency()
    agency.catalog.kept = {an_id("client Glintly Inc"): [product("Screen Wipe", "B0GL1WIPE1")]}
    answer = await called(agency.run(), tool, arguments)

    assert not isinstance(answer.content, str | Refusal), answer.content


async def test_a_product_is_found_by_another_form_of_a_word() -> None:
    agency = demo_agency()
    agency.catalog.kept = {an_id("client Glintly Inc"): [product("Screen Wipe", "B0GL1WIPE1")]}
    found = await catalog_lookup(context(agency.run()), "Glintly Inc", "wipes")

    assert isinstance(found, Catalog)
    assert [one.asin for one in found.candidates] == ["B0GL1WIPE1"]


def test_a_word_is_looked_for_by_what_its_forms_have_in_common() -> None:
    assert stems(["presses", "press", "pens", "fan"]) == ("press", "pres", "pen", "fan")


async def test_a_brand_that_is_not_the_clients_is_asked_about() -> None:
    answer = await catalog_lookup(
        context(demo_agency().run()), "Brightkettle", "garlic press", brand="Pawtrail"
    )

    assert isinstance(answer, Ask)


async def test_in_a_brands_channel_the_clients_own_name_means_all_its_brands() -> None:
    agency = demo_agency()
    client = an_id("client Brightkettle Group")
    agency.catalog.kept[client] = [FAN, BLACK]
    about = Scope(
        client_id=client,
        client_name="Brightkettle Group",
        brand_id=an_id("brand Brightkettle Group Copperleaf"),
        brand_name="Copperleaf",
    )
    deps = agency.run(scope=ScopeKind.CLIENT_SCOPED, client="Brightkettle Group", about=about)
    found = await catalog_lookup(context(deps), "", "tower fan", brand="Brightkettle Group")

    assert isinstance(found, Catalog), found
    assert [one.title for one in found.candidates] == ["Tower Fan"]


async def judged(**given: object) -> Readiness:
    values = {"title": "Fix the landing page", "objective": "", **given}
    found = await clickup_task_quality_gate(context(demo_agency().run()), **values)  # type: ignore[arg-type]
    assert isinstance(found, Readiness)
    return found


async def test_a_draft_is_ready_thin_or_blocked() -> None:
    thin = await judged()
    blocked = await judged(title="20% coupon", objective="20% coupon for the summer ones")
    ready = await judged(
        title="20% coupon", objective="a 20% coupon", product_identifiers=["B0CF7GARL1"]
    )
    named = await judged(title="", objective="")

    assert thin.status == "thin"
    assert set(thin.missing_fields) >= {"owner", "due date", "SOP reference"}
    assert blocked.status == "blocked"
    assert "ASINs or SKUs" in blocked.questions[0]
    assert ready.status == "ready"
    assert "SOP reference" not in ready.missing_fields
    assert named.status == "blocked"
    assert len(named.questions) <= 2


async def test_a_procedure_that_is_no_ground_for_a_draft_is_none_for_its_judgement() -> None:
    agency = demo_agency()
    agency.knowledge.hits = {"landing": coupon_hit(match="alias", score=0.2)}
    deps = agency.run()
    wish = {"title": "Fix the landing page", "objective": "Fix the landing page"}

    judged = await clickup_task_quality_gate(context(deps), **wish)
    drafted = await create_task(context(deps), client="Glintly Inc", **wish)

    assert isinstance(judged, Readiness)
    assert judged.status == "thin"
    assert "SOP reference" in judged.missing_fields
    assert isinstance(drafted, Ask)


@pytest.mark.parametrize("blank", [[], [""], [" ", ", "]])
async def test_blank_identifiers_name_no_product(blank: list[str]) -> None:
    wish = {"title": "20% coupon", "product_identifiers": blank}

    assert (await judged(objective="20% coupon for the summer ones", **wish)).status == "blocked"
    assert (await judged(objective="20% coupon for B0CF7GARL1", **wish)).status == "ready"


async def test_identifiers_may_be_left_open() -> None:
    pending = await judged(
        title="20% coupon", objective="20% coupon for the summer ones", identifiers_pending=True
    )

    assert pending.status == "ready"
    assert pending.note == "The identifiers stay open on the task."


async def test_the_same_task_is_found_where_it_was_made_or_on_the_board() -> None:
    agency = demo_agency()
    client = an_id("client Glintly Inc")
    lately = a_prior("Fix the listing").model_copy(update={"created_at": NOW - timedelta(hours=23)})
    agency.knowledge.prior = {client: [lately]}
    agency.board.lists["g1"] = [a_row("Restock the wipes")]
    ctx = context(agency.run())

    made = await clickup_task_duplicate_check(ctx, "Glintly Inc", "fix the  Listing.")
    seen = await clickup_task_duplicate_check(ctx, "Glintly Inc", "restock the wipes")
    none = await clickup_task_duplicate_check(ctx, "Glintly Inc", "Something new")

    assert isinstance(made, DuplicateCheck)
    assert isinstance(seen, DuplicateCheck)
    assert isinstance(none, DuplicateCheck)
    assert (made.duplicate, seen.duplicate, none.duplicate) == ("yes", "yes", "no")
    assert made.url == lately.url


async def test_a_task_made_just_now_is_found_on_a_clock_moved_ahead_too() -> None:
    agency, ahead = demo_agency(), timedelta(days=3)
    agency.knowledge.prior = {an_id("client Glintly Inc"): [a_prior("Fix the listing")]}
    created = a_prior("Fix the listing").created_at
    deps = replace(agency.run(now=created + ahead, timezone="Asia/Tokyo"), ahead=ahead)

    found = await clickup_task_duplicate_check(context(deps), "Glintly Inc", "Fix the listing")

    assert isinstance(found, DuplicateCheck)
    assert found.duplicate == "yes"
    # On the clock of who asks.
    assert found.model_dump(mode="json")["created"].endswith("+09:00")


async def test_what_could_not_be_found_out_is_not_called_new() -> None:
    agency = demo_agency()
    agency.board.faults["g1"] = Unavailable("down")

    answer = await clickup_task_duplicate_check(context(agency.run()), "Glintly Inc", "New")

    assert isinstance(answer, DuplicateCheck)
    assert answer.duplicate == "unknown"


async def test_an_equal_title_of_another_brand_is_another_task() -> None:
    agency = demo_agency()
    agency.board.lists["p1"] = [a_row("Restock the wipes")]
    ctx = context(agency.run())

    own = await clickup_task_duplicate_check(ctx, "Pawtrail", "Restock the wipes", "Pawtrail")
    other = await clickup_task_duplicate_check(ctx, "Pawtrail", "Restock the wipes", "Pawtrail Pro")

    assert isinstance(own, DuplicateCheck)
    assert isinstance(other, DuplicateCheck)
    assert (own.duplicate, other.duplicate) == ("yes", "no")


async def test_open_tasks_that_are_alike_are_named_beside_an_equal_one() -> None:
    agency = demo_agency()
    agency.board.lists["g1"] = [a_row("Restock the blue wipes"), a_row("Answer the brand registry")]

    answer = await clickup_task_duplicate_check(
        context(agency.run()), "Glintly Inc", "Restock wipes"
    )

    assert isinstance(answer, DuplicateCheck)
    assert answer.duplicate == "no"
    assert [one.title for one in answer.similar] == ["Restock the blue wipes"]
