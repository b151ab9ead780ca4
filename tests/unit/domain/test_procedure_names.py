"""What a procedure is called: as its document says, else by its place and its title."""

from __future__ import annotations

import pytest

from agencyclaw.domain.naming import MOST_ALIASES, Naming, aliases_of, category_of, naming_of

FRONT_MATTER = """---
category: Promotions
aliases:
  - Vouchers
  - "clip coupons"
---
1. Settle the discount.
"""
LINES = """**Category:** Account health
**Also called:** POA; plan of action, _appeal letter_

1. Read the notice.
"""


@pytest.mark.parametrize(
    ("title", "body", "parent", "category", "aliases"),
    [
        ("Coupons SOP", FRONT_MATTER, "", "promotions", ("vouchers", "clip coupons", "coupons")),
        (
            "Listing Appeal SOP",
            LINES,
            "Weekly",
            "account_health",
            ("poa", "plan of action", "appeal letter", "listing appeal"),
        ),
        (
            "How we answer",
            "aliases: [replies, RMA]",
            "",
            "how_we_answer",
            ("replies", "rma", "how we answer"),
        ),
        ("Canada", "1. Look.", "Coupons Procedure", "coupons", ("canada",)),
        ("Listing Appeal SOP", "1. Look.", "", "listing_appeal", ("listing appeal",)),
        ("SOP", "", "", "sop", ("sop",)),
        ("—", "", "", "procedure", ("—",)),
    ],
)
def test_names_come_from_the_document_then_from_its_place_and_title(
    title: str, body: str, parent: str, category: str, aliases: tuple[str, ...]
) -> None:
    assert naming_of(title, body, parent) == Naming(category=category, aliases=aliases)


def test_only_the_head_of_a_document_names_it() -> None:
    body = "\n".join([*["1. A step."] * 25, "Category: Something", "Also called: nothing"])

    assert naming_of("Returns", body) == Naming(category="returns", aliases=("returns",))


def test_a_list_of_steps_is_no_list_of_names() -> None:
    body = "Also called:\n\n- Collect the photos\n- Send them"

    assert naming_of("Returns", body).aliases == ("returns",)


def test_names_are_kept_once_and_within_bounds() -> None:
    many = [f"name {number}" for number in range(50)]

    assert aliases_of(["Vouchers", " vouchers. ", ""]) == ("vouchers",)
    assert len(aliases_of(many)) == MOST_ALIASES
    assert len(category_of("long " * 100)) <= 80


def test_the_title_is_a_name_beside_as_many_as_a_document_may_state() -> None:
    body = f"Aliases: {', '.join(f'name {number}' for number in range(50))}"

    assert naming_of("Coupon SOP", body).aliases[MOST_ALIASES - 1 :] == ("coupon",)
