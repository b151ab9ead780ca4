"""Facts of a task come from arguments with their words, never from reading the request."""

from __future__ import annotations

from datetime import date

import pytest

from agencyclaw.domain.edits import form_of
from agencyclaw.domain.field_sources import Material, Origin
from agencyclaw.domain.products import Product
from agencyclaw.domain.quotes import Fact
from agencyclaw.knowledge.fact_checks import FactCheck
from agencyclaw.knowledge.field_sources import field_sources_of
from agencyclaw.knowledge.own_words import nearest, quoted
from tests.fakes.ports import Agency, an_id, demo_agency
from tests.unit.tools.test_task_drafts import BLACK, SILVER, a_catalog, question, task

MAIL = (
    "Hi Ines, Dana asks: please do not run a coupon this month. ACOS stays under 28 %. Could we"
    " move our call from Tuesday to Thursday 3pm? Answer her and file the mail, due Friday."
)
DUE_FRIDAY = {"day": {"kind": "weekday", "weekday": "friday"}, "quote": "due Friday"}
DECEMBER = {
    "type": "coupon",
    "discount": {"value": "15%", "quote": "15% off"},
    "starts": {
        "day": {"kind": "month_day", "month": 12, "day": 1},
        "quote": "From 1 December to 10 December",
    },
    "ends": {
        "day": {"kind": "month_day", "month": 12, "day": 10},
        "quote": "From 1 December to 10 December",
    },
}


async def test_a_mail_that_says_not_to_run_a_coupon_makes_none() -> None:
    made = await task(
        demo_agency(),
        said=MAIL,
        title="Answer Dana",
        objective="Answer Dana's mail and file it",
        details="Answer her about ACOS and the call.",
        procedure={"none_because": "she asks for no campaign work"},
        product_identifiers=None,
        due=DUE_FRIDAY,
    )

    assert made.promotion is None
    assert made.facts == ()
    assert made.sources == ()
    assert made.due == date(2026, 11, 20)
    for invented in ("Discount", "28", "Ends", "Thursday", "Coupons Promotion SOP"):
        assert invented not in made.body
    assert dict(made.preview().fields)["SOP"] == "none: she asks for no campaign work"


async def test_from_one_day_to_another_starts_and_ends_the_promotion_not_the_task() -> None:
    said = "From 1 December to 10 December 15% off the garlic press B0CF7GARL1, due Friday"
    made = await task(demo_agency(), said=said, promotion=DECEMBER, due=DUE_FRIDAY)

    assert made.promotion is not None
    assert (made.promotion.starts, made.promotion.ends) == (date(2026, 12, 1), date(2026, 12, 10))
    assert (made.start, made.due) == (None, date(2026, 11, 20))
    assert dict(made.preview().in_body)["Starts"] == "Tue 1 Dec 2026"
    assert dict(made.preview().fields)["Due"] == "Fri 20 Nov 2026"


async def test_a_start_and_an_end_in_words_are_kept_alike() -> None:
    said = "15% off B0CF7GARL1 ab Black Friday, until stock runs out"
    terms = {
        "type": "coupon",
        "discount": {"value": "15%", "quote": "15% off"},
        "starts": {"quote": "ab Black Friday"},
        "ends": {"quote": "until stock runs out"},
    }
    made = await task(demo_agency(), said=said, promotion=terms)

    assert made.promotion is not None
    assert (made.promotion.starts, made.promotion.ends) == (None, None)
    rows = dict(made.preview().in_body)
    assert rows["Starts"] == "ab Black Friday"
    assert rows["Ends"] == "until stock runs out"
    assert made.left_out == ()


async def test_a_fact_that_nobody_gave_is_missing_with_the_reason_and_not_on_the_card() -> None:
    said = "a coupon for the garlic press B0CF7GARL1, ACOS under 28 %"
    terms = {"type": "coupon", "discount": {"value": "20%", "quote": "ACOS under 28 %"}}
    made = await task(demo_agency(), said=said, title="Garlic coupon", promotion=terms)

    assert made.promotion is not None
    assert made.promotion.discount == ""
    assert "Discount terms: not stated." in made.unresolved
    assert made.left_out[0] == ("Discount: not stated, because “20” does not occur in its quote.")


async def test_everything_that_stands_on_the_card_is_told() -> None:
    said = "15% off B0CF7GARL1 From 1 December to 10 December, budget 500 USD, last 30 days, in CA"
    made = await task(
        demo_agency(),
        said=said,
        promotion=DECEMBER | {"budget": {"value": "500 USD", "quote": "budget 500 USD"}},
        facts=[{"about": "look_back", "value": "30 days", "quote": "last 30 days"}],
        marketplace={"value": "CA", "quote": "in CA"},
        details="Ask for the artwork.",
    )
    preview = made.preview()
    told = dict((*preview.fields, *preview.in_body))

    assert told["Objective"] == "20% off the garlic press B0CF7GARL1"
    assert told["Details"] == "Ask for the artwork."
    assert told["Discount"] == "15%"
    assert told["Budget"] == "500 USD"
    assert told["Look-back"] == "30 days"
    assert told["Marketplace"] == "CA"
    for name in ("Discount", "Starts", "Ends", "Budget", "Look-back"):
        assert f"**{name}:** {told[name]}" in made.body
    assert {one.field for one in made.field_sources} >= {"Discount", "Starts", "Ends", "Look-back"}


async def test_a_procedure_is_taken_by_its_title_and_no_other_in_its_place() -> None:
    made = await task(demo_agency(), title="Anything", procedure={"title": "coupons promotion sop"})

    assert [one.title for one in made.sources] == ["Coupons Promotion SOP"]


async def test_an_identifier_of_the_message_that_reached_no_field_is_told() -> None:
    agency = a_catalog(BLACK, SILVER)
    said = "20% off B0CF7GARL1 and b0cf7garl2, ISBN 0306406152"
    made = await task(agency, said=said)

    assert "B0CF7GARL2 stands in the message, not in the task." in made.preview().against
    assert "0306406152 stands in the message, not in the task." in made.preview().against
    assert not any("B0CF7GARL1 stands" in one for one in made.preview().against)


def with_skus() -> Agency:
    agency = demo_agency()
    agency.catalog.kept = {
        an_id("client Brightkettle Group"): [
            Product(id=an_id("a"), asin=BLACK[0], sku="CL-GP-BK", title="Press"),
            Product(id=an_id("b"), sku="cl-vp-01", title="Peeler"),
        ]
    }
    return agency


async def test_lower_case_skus_are_seen_in_the_message_and_in_the_argument() -> None:
    said = "20% off cl-gp-bk and cl-vp-01"
    made = await task(with_skus(), said=said, product_identifiers=["cl-gp-bk"])

    assert made.identifiers == ("CL-GP-BK",)
    assert made.preview().against == ("CL-VP-01 stands in the message, not in the task.",)


async def test_a_product_in_the_task_by_its_asin_is_not_missed_by_its_sku() -> None:
    made = await task(with_skus(), said="20% off cl-gp-bk, that is B0CF7GARL1")

    assert made.identifiers == ("B0CF7GARL1",)
    assert made.remarks == ()


async def test_an_identifier_that_stands_nowhere_is_left_out_and_asked_for() -> None:
    ask = await question(
        demo_agency(), said="20% off the press", product_identifiers=["B0CF7MADE1"]
    )

    assert "Which products is it about?" in ask.question


@pytest.mark.parametrize("sentence", ["all of our summer products please", "the black ones"])
async def test_a_sentence_is_no_identifier(sentence: str) -> None:
    ask = await question(demo_agency(), product_identifiers=[sentence])

    assert "doesn't look like an ASIN or SKU" in ask.question


def test_what_somebody_wrote_is_kept_in_their_letters_with_the_sentence_around_it() -> None:
    said = ["So. It is not true that they ship to the non-EU for $500. Ask Tomas."]
    found = quoted("They ship to the non-EU for 500", said)

    assert found is not None
    assert found.text == "they ship to the non-EU for $500"
    assert found.sentence == "It is not true that they ship to the non-EU for $500."
    assert quoted("they ship to Rotterdam", said) is None
    assert quoted("", said) is None
    assert nearest("they ship to non-EU", said) is not None
    assert nearest("zzzz qqqq", said) is None


def test_a_sentence_that_no_space_follows_is_quoted_without_its_neighbours() -> None:
    said = ["在庫は十分です。割引は行わないでください。送料は無料です。"]
    found = quoted("割引は行わないでください", said)

    assert found is not None
    assert found.text == "割引は行わないでください"
    assert found.sentence == "割引は行わないでください。"
    assert nearest("割引は行なわないで下さい", said) == "割引は行わないでください。"


async def test_who_names_a_product_by_its_asin_names_its_brand() -> None:
    agency = a_catalog(BLACK)
    made = await task(agency, brand=None, said="20% coupon for B0CF7GARL1, client Brightkettle")

    assert made.brand is not None
    assert made.brand.name == "Copperleaf"
    assert dict(made.preview().fields)["Brand"] == "Copperleaf (found by the product)"
    assert made.warnings == ()


async def test_products_of_two_brands_name_neither() -> None:
    agency = a_catalog(BLACK)
    agency.catalog.kept[an_id("client Brightkettle Group")].append(
        Product(id=an_id("fan"), asin="B0NV8FAN01", title="Tower Fan", brand="Nordvent")
    )
    ask = await question(agency, brand=None, product_identifiers=["B0CF7GARL1", "B0NV8FAN01"])

    assert ask.labels == ("Copperleaf", "Nordvent", "Tessera")


async def test_an_asin_that_nobody_wrote_names_no_brand() -> None:
    ask = await question(a_catalog(BLACK), brand=None, said="a coupon for the press")

    assert "Which brand" in ask.question


async def test_a_marketplace_that_nobody_named_is_marked_as_the_brands_own() -> None:
    own = await task(demo_agency())
    named = await task(
        demo_agency(),
        said="20% off B0CF7GARL1 in CA",
        marketplace={"value": "CA", "quote": "in CA"},
    )

    assert "**Marketplace:** CA (the brand's own; not stated)" in own.body
    assert "**Marketplace:** CA\n" in named.body


def in_two_marketplaces() -> Agency:
    agency = demo_agency()
    agency.directory.all_brands = [
        one.model_copy(update={"marketplaces": ("US", "CA")}) if one.name == "Copperleaf" else one
        for one in agency.directory.all_brands
    ]
    return agency


async def test_of_several_marketplaces_that_nobody_named_none_is_taken_and_that_is_open() -> None:
    made = await task(in_two_marketplaces())

    assert made.marketplaces == ()
    assert "**Marketplace:** Not stated" in made.body
    assert "Marketplace: not stated." in made.preview().missing


@pytest.mark.parametrize("agency", [demo_agency(), in_two_marketplaces()])
async def test_work_that_is_done_on_no_marketplace_names_none(agency: Agency) -> None:
    made = await task(
        agency,
        title="Prepare the deck",
        objective="Prepare the deck for the review of the quarter",
        procedure={"none_because": "None covers a deck."},
        product_identifiers=[],
    )

    assert made.marketplaces == ()
    assert "Marketplace" not in made.body
    assert not any("Marketplace" in one for one in made.preview().missing)


async def test_each_of_several_products_has_its_title_in_the_catalog() -> None:
    given = ["B0CF7GARL1", "B0CF7GARL2", "B0CF7XXXX9"]
    made = await task(a_catalog(BLACK, SILVER), said=" ".join(given), product_identifiers=given)

    shown = "B0CF7GARL1 “{}”, B0CF7GARL2 “{}”, B0CF7XXXX9 (titles from the product catalog)"
    assert dict(made.preview().fields)["Products"] == shown.format(BLACK[1], SILVER[1])
    assert form_of(made, ()).products == ", ".join(given)


async def test_why_no_procedure_is_used_stands_on_the_card_and_is_not_written() -> None:
    made = await task(demo_agency(), procedure={"none_because": "They want a call, no promotion."})

    assert dict(made.preview().fields)["SOP"] == "none: They want a call, no promotion."
    assert made.warnings == ()
    assert "- No SOP is used: the steps are still to be agreed." in made.body
    assert not [point for point in made.preview().missing if "SOP" in point]
    assert "They want a call" not in made.body


async def test_a_budget_that_nobody_gave_is_missing() -> None:
    said = "20% off B0CF7GARL1, budget 500 USD"
    terms = {"type": "coupon", "budget": {"value": "500 USD", "quote": "budget 500 USD"}}
    with_one = await task(demo_agency(), said=said, promotion=terms)
    without = await task(demo_agency(), said=said, promotion={"type": "coupon"})

    assert "Budget: not stated." not in with_one.unresolved
    assert "Budget: not stated." in without.unresolved


async def test_a_number_that_a_tool_returned_is_stated() -> None:
    check = FactCheck(
        (Material(origin=Origin.TYPED, text="cut it by half"),),
        (Material(origin=Origin.RECORD, text="ACOS 28.4 % on 12,000 USD"),),
        date(2026, 11, 18),
    )

    assert check.unstated_numbers("From 28.4 % to 14.2 % on 12.000 USD") == ("14.2",)


TO_A_PRICE = {
    "type": "price_discount",
    "price": {"value": "14.99", "quote": "go down to 14.99"},
}


async def test_a_target_price_is_shown_as_a_price_and_no_discount_is_missed() -> None:
    said = "the press B0CF7GARL1 should go down to 14.99"
    made = await task(demo_agency(), said=said, promotion=TO_A_PRICE)
    rows = dict(made.preview().in_body)

    assert rows["Price"] == "14.99"
    assert "Discount" not in rows
    assert "**Discount:**" not in made.body
    assert "Discount terms: not stated." not in made.unresolved
    assert [one.quote for one in made.field_sources if one.field == "Price"] == ["go down to 14.99"]


@pytest.mark.parametrize("kind", ["price_discount", "deal", "other"])
async def test_no_budget_is_missed_for_a_promotion_that_has_none(kind: str) -> None:
    said = "20% off B0CF7GARL1, budget 500 USD"
    without = await task(demo_agency(), said=said, promotion={"type": kind})
    terms = {"type": kind, "budget": {"value": "500 USD", "quote": "budget 500 USD"}}
    with_one = await task(demo_agency(), said=said, promotion=terms)

    assert "Budget: not stated." not in without.unresolved
    assert "**Budget:**" not in without.body
    assert "**Budget:** 500 USD" in with_one.body


async def test_a_bare_figure_is_taken_with_the_sign_that_it_has_in_its_quote() -> None:
    check = FactCheck(
        (
            Material(
                origin=Origin.TYPED,
                text="ACOS under 28 %, 15-20% off, a cap of $ 500, 割引は 35 ％。",
            ),
        ),
        (),
        date(2026, 11, 18),
    )
    values = [
        check.text("Fact", Fact(value=value, quote=quote))
        for value, quote in (
            ("28", "ACOS under 28 %"),
            ("15", "15-20% off"),
            ("500", "a cap of $ 500"),
            ("under 28", "under 28 %"),
            ("35", "割引は 35 ％"),
        )
    ]

    assert values == ["28 %", "15-20%", "$ 500", "under 28", "35 ％"]


@pytest.mark.parametrize(
    ("fact", "said", "kept"),
    [
        ("ACOS stays under 28 %", "ACOS stays under 28 %", "ACOS stays under 28 %"),
        ("ACOS stays under 28", "ACOS stays under 28 %, always", "ACOS stays under 28 %"),
        ("500 a day", "a cap of $ 500 a day.", "$ 500 a day"),
        ("a cap of 500", "a cap of 500 €!", "a cap of 500 €"),
        ("paid in advance", "paid in advance € 500", "paid in advance"),
        ("28 is the limit", "28 is the limit – ok?", "28 is the limit"),
    ],
)
def test_what_is_kept_has_the_signs_of_its_figures(fact: str, said: str, kept: str) -> None:
    found = quoted(fact, [said])

    assert found is not None
    assert found.text == kept


def test_a_piece_of_a_long_sentence_begins_and_ends_with_whole_words() -> None:
    said = "Ask him whether the wool blanket's photos are approved, then 10% on the small collar"
    said += f", {'as we said in the call, ' * 8}please"
    bases = field_sources_of(
        {
            "Title": "Confirm whether the wool blanket is approved",
            "Objective": "A 20% on the small collars",
        },
        (Material(origin=Origin.TYPED, whose="Ines", text=said),),
    )

    assert [one.quote for one in bases] == ["whether the wool", "on the small collar"]


@pytest.mark.parametrize(
    ("said", "text", "quote"),
    [
        (
            "Please update the listing of Acme by Monday.\nPay 4711 to John, his code is 9921.\n"
            "We also want new main images for the Glintly screen wipes.",
            "Please update the listing of Glintly: new main images for the Glintly screen wipes",
            "We also want new main images for the Glintly screen wipes",
        ),
        (
            "We want new main images for the screen wipes. Pay John 4711, the code is 9921.",
            "We want new main images for the screen wipes. Please do it now",
            "We want new main images for the screen wipes",
        ),
        (
            "Pay John.\nWe want new main images for the wipes.\nPlease keep the old ones, too.",
            "New main images for the wipes, please keep the old ones",
            "We want new main images for the wipes.\nPlease keep the old ones, too",
        ),
    ],
)
def test_a_quote_has_no_sentence_that_the_text_is_not_from(
    said: str, text: str, quote: str
) -> None:
    [found] = field_sources_of(
        {"Objective": text}, (Material(origin=Origin.OTHERS, whose="Sara", text=said, taints=True),)
    )

    assert found.quote == quote


def test_a_name_inside_other_words_is_not_taken_out_of_them() -> None:
    others = "we shall recall all small balls on sight"
    [details] = field_sources_of(
        {"Details": "Shall recall all small balls."},
        (Material(origin=Origin.OTHERS, whose="Dana", text=others, taints=True),),
        names=("Al",),
    )

    assert (details.origin, details.quote) == (Origin.OTHERS, others)


async def test_a_product_of_one_brand_names_the_brand() -> None:
    agency = a_catalog(BLACK)
    made = await task(
        agency,
        client="Brightkettle Group",
        brand=None,
        said="a coupon for the garlic press, black",
        title="Coupon",
        objective="A coupon",
        product_identifiers=["garlic press, black"],
    )

    assert made.brand is not None
    assert made.brand.name == "Copperleaf"
    assert dict(made.preview().fields)["Brand"] == "Copperleaf (found by the product)"


async def test_products_of_one_brand_that_are_not_told_apart_ask_for_the_product_alone() -> None:
    ask = await question(
        a_catalog(BLACK, SILVER),
        brand=None,
        title="Coupon",
        objective="A coupon",
        product_identifiers=["garlic press"],
    )

    assert "Which brand" not in ask.question
    assert len(ask.labels) == 3


async def test_a_name_that_is_only_like_a_products_names_no_brand_where_nobody_is_asked() -> None:
    ask = await question(
        a_catalog(BLACK),
        brand=None,
        title="Coupon",
        objective="A coupon",
        product_identifiers=["presses"],
        identifiers_pending=True,
    )

    assert "Which brand" in ask.question


@pytest.mark.parametrize("taints", [True, False])
def test_own_wording_needs_a_press_where_a_text_of_others_was_read(taints: bool) -> None:
    typed = Material(origin=Origin.TYPED, whose="Ines", text="a task for what was agreed, please")
    others = Material(
        origin=Origin.OTHERS, whose="Dana", text="we shall recall all the balls", taints=taints
    )
    [details] = field_sources_of({"Details": "Send each buyer a letter."}, (typed, others))

    assert (details.origin, details.needs_press) == (Origin.ASSISTANT, taints)
    assert details.whose == ("words of Dana" if taints else "")


def test_a_description_that_code_composed_of_own_wording_is_not_listed() -> None:
    others = Material(origin=Origin.OTHERS, whose="Dana", text="recall the balls", taints=True)
    prose = {"Details": "Send each buyer a letter.", "Description": "- Send each buyer a letter."}

    assert [one.field for one in field_sources_of(prose, (others,))] == ["Details"]
