"""What a correction replaced and a text still says is on the card, and so is a figure left over."""

from __future__ import annotations

from typing import Any

import pytest

from agencyclaw.domain.people import Tier
from agencyclaw.domain.proposals import ProposalState
from agencyclaw.domain.task_creation import CreateTask
from agencyclaw.knowledge.signed_figures import signed_figures
from agencyclaw.tools.results import Proposed
from tests.fakes.ports import Agency, FakeProposals, demo_agency
from tests.unit.tools.test_gate import called

TITLE = "Coupon for the garlic presses"
SAID = "coupon, 20 % off the garlic press B0CF7GARL1, budget 500, look at 30 days, due 2026-11-27"
FIRST: dict[str, Any] = {
    "client": "Copperleaf",
    "title": TITLE,
    "objective": "Set up a coupon with 20% off by 27 November, budget 500",
    "promotion": {
        "type": "coupon",
        "discount": {"value": "20 %", "quote": "20 % off"},
        "budget": {"value": "500", "quote": "budget 500"},
    },
    "facts": [{"about": "look_back", "value": "30 days", "quote": "30 days"}],
    "product_identifiers": ["B0CF7GARL1"],
    "due": {"day": {"kind": "date", "date": "2026-11-27"}, "quote": "due 2026-11-27"},
}
NEXT = {"client": "", "title": TITLE, "objective": "", "replaces": TITLE}


async def prepared(agency: Agency, said: str, **arguments: Any) -> tuple[CreateTask, Proposed]:
    run = agency.run(tier=Tier.MEMBER, request=said)
    told = await called(run, "create_task", arguments)
    assert isinstance(told.content, Proposed), told.content
    made = agency.proposals.drafted[-1]
    assert isinstance(made, CreateTask)
    return made, told.content


async def corrected(said: str, *, first: str = "", **arguments: Any) -> tuple[CreateTask, Proposed]:
    """The card that replaces the first one, and what the model was told."""
    agency = demo_agency()
    made, _ = await prepared(agency, SAID, **FIRST | ({"objective": first} if first else {}))
    waiting = await FakeProposals().draft(made)
    agency.proposals.waiting = [waiting.model_copy(update={"state": ProposalState.OPEN})]
    return await prepared(agency, said, **NEXT | arguments)


def discount(value: str, quote: str) -> dict[str, Any]:
    return {"promotion": {"type": "coupon", "discount": {"value": value, "quote": quote}}}


STILL = "The objective still says “{}”, the {} of the card that this replaces."


async def test_a_replaced_figure_that_the_kept_objective_has_is_on_card_and_in_the_result() -> None:
    made, told = await corrected("25 % sorry", **discount("25 %", "25 % sorry"))
    line = STILL.format("20%", "discount")

    assert made.objective == FIRST["objective"]
    assert line in made.preview().against
    assert line in told.against
    edited = made.model_copy(update={"objective": "Set up a coupon with 25 % off"})
    assert line not in edited.preview().against


@pytest.mark.parametrize(
    ("quote", "objective"),
    [
        ("25 % sorry", "Set up a coupon with 25 % off"),
        # Another figure, or the same with another sign, is none of it.
        ("25 % sorry", "Set up a coupon for 20 presses, B0-20, $20, by 27 November"),
        # A range is read as a whole.
        ("25 %, for 20-30% more orders", "Set up a coupon for 20-30% more orders"),
    ],
)
async def test_a_text_that_says_the_new_value_or_another_one_is_not_remarked_on(
    quote: str, objective: str
) -> None:
    made, _ = await corrected(quote, objective=objective, **discount("25 %", quote))

    assert made.outdated == ()


@pytest.mark.parametrize(
    ("first", "shown"),
    [
        ("Be done by 27 November", "27 November"),
        ("Done: due 2026-11-27", "due 2026-11-27"),
        ("Bis 27.11. fertig", "27.11."),
    ],
)
async def test_a_replaced_day_that_the_kept_objective_has_is_remarked_on(
    first: str, shown: str
) -> None:
    due = {"day": {"kind": "date", "date": "2026-11-30"}, "quote": "2026-11-30"}
    made, _ = await corrected("no, 2026-11-30", first=f"{first}, with a new photo set", due=due)

    assert STILL.format(shown, "due") in made.preview().against


async def test_a_replaced_value_without_a_sign_counts_where_it_is_written_the_same() -> None:
    fact = {"about": "look_back", "value": "60 days", "quote": "60 days"}
    first = "Look at the last 30 days and set up a coupon"
    made, _ = await corrected("60 days please", first=first, facts=[fact])

    assert STILL.format("30 days", "look-back") in made.preview().against


def test_a_figure_has_the_sign_beside_it_and_no_part_of_a_word_or_date_is_one() -> None:
    text = "20 % off, -20%, $1,500 or 300 €, 120 %, AB-20 2026-11-20 20k 3 pieces, B020% $1.2M"

    assert [(one.digits, one.sign) for one in signed_figures(text)] == [
        *(("20", "%"), ("1500", "$"), ("300", "€"), ("120", "%")),
    ]
    assert list(signed_figures(text).values()) == ["20 %", "$1,500", "300 €", "120 %"]


def test_a_figure_with_a_sign_is_found_in_a_sentence_without_spaces() -> None:
    assert list(signed_figures("割引は20%です。予算は¥3,000で").values()) == ["20%", "¥3,000"]


async def test_a_corrected_figure_keeps_the_sign_that_it_had_on_the_card_to_be_checked() -> None:
    made, _ = await corrected("make it 12", **discount("12%", "make it 12"))

    assert made.promotion is not None
    assert made.promotion.discount == "12%"
    [source] = [one for one in made.field_sources if one.field == "Discount"]
    assert source.reading == "12%"
