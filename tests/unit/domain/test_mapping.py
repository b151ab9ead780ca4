"""Repairs of links: taken only where the client's other brands agree."""

from __future__ import annotations

import pytest

from agencyclaw.domain.mapping import lists_to_locate, plan_repairs
from tests.fakes.ports import a_brand, a_client

# The space in which each list lies.
HOMES = {"l": "s", "l1": "s", "l2": "s"}


def test_one_value_is_proposed_two_or_none_are_blocked() -> None:
    clients = [a_client("One"), a_client("Two"), a_client("None")]
    brands = [
        a_brand("One", "Linked", space_id="s", list_id="l"),
        a_brand("One", "Bare", space_id="s"),
        a_brand("Two", "First", space_id="s", list_id="l1"),
        a_brand("Two", "Second", space_id="s", list_id="l2"),
        a_brand("Two", "Bare", space_id="s"),
        a_brand("None", "Bare"),
    ]

    plan = plan_repairs(clients, brands, HOMES)

    assert [(one.client.name, one.brand.name, one.field, one.after) for one in plan.safe] == [
        ("One", "Bare", "list", "l")
    ]
    assert [(one.client, one.field, one.why) for one in plan.blocked] == [
        ("Two", "list", "several values"),
        ("None", "space", "no value"),
        ("None", "list", "no value"),
    ]


def test_the_same_value_of_several_brands_is_one_value() -> None:
    brands = [
        a_brand("One", "A", space_id="s", list_id="l"),
        a_brand("One", "B", space_id="s", list_id="l"),
        a_brand("One", "C"),
    ]

    plan = plan_repairs([a_client("One")], brands, HOMES)

    assert [(one.field, one.after) for one in plan.safe] == [("space", "s"), ("list", "l")]
    assert plan.blocked == ()


def test_a_list_in_another_space_is_never_copied() -> None:
    brands = [
        a_brand("One", "Linked", space_id="elsewhere", list_id="l"),
        a_brand("One", "Bare", space_id="s"),
    ]

    plan = plan_repairs([a_client("One")], brands, {"l": "elsewhere"})

    assert plan.safe == ()
    assert [one.why for one in plan.blocked] == ["list elsewhere"]


def test_a_list_that_nobody_could_read_is_never_copied() -> None:
    brands = [
        a_brand("One", "Linked", space_id="s", list_id="l"),
        a_brand("One", "Bare", space_id="s"),
    ]

    plan = plan_repairs([a_client("One")], brands, {})

    assert [one.why for one in plan.blocked] == ["list unreadable"]


def test_nothing_is_copied_of_a_space_that_takes_no_tasks_of_brands() -> None:
    brands = [
        a_brand("One", "Linked", space_id="s", list_id="l", is_routable=False),
        a_brand("One", "Bare"),
    ]

    plan = plan_repairs([a_client("One")], brands, HOMES)

    assert plan.safe == ()
    assert {one.why for one in plan.blocked} == {"space unusable"}


def test_a_space_is_only_copied_if_the_brands_own_list_lies_in_it() -> None:
    brands = [
        a_brand("One", "Linked", space_id="s", list_id="l"),
        a_brand("One", "Spaceless", list_id="own"),
    ]
    clients = [a_client("One")]

    assert lists_to_locate(clients, brands) == {"l", "own"}
    unread = plan_repairs(clients, brands, {"l": "s"})
    assert [one.why for one in unread.blocked] == ["space unknown"]
    elsewhere = plan_repairs(clients, brands, {"l": "s", "own": "other"})
    assert [one.why for one in elsewhere.blocked] == ["space differs"]
    within = plan_repairs(clients, brands, {"l": "s", "own": "s"})
    assert [(one.field, one.after, one.own_list) for one in within.safe] == [("space", "s", "own")]


@pytest.mark.parametrize("spaces", [(None, None), ("s", "other")])
def test_no_list_is_chosen_while_the_space_is_undecided(
    spaces: tuple[str | None, str | None],
) -> None:
    linked = [
        a_brand("One", f"Linked {n}", space_id=space, list_id="l") for n, space in enumerate(spaces)
    ]
    plan = plan_repairs([a_client("One")], [*linked, a_brand("One", "Bare")], HOMES)

    assert [one.why for one in plan.blocked if one.field == "list"] == ["space undecided"]
