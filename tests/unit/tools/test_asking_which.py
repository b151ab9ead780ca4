"""A question which record is meant: each record has its button, or nobody guesses."""

from __future__ import annotations

from collections.abc import Sequence

from agencyclaw.domain.choices import OPTION_LIMIT, choice
from agencyclaw.domain.clients import Person
from agencyclaw.domain.tasks import TaskRow
from agencyclaw.tools.names import as_choices
from agencyclaw.tools.results import Ask, ask_which
from tests.fakes.ports import a_brand, an_id

WHICH = "Which one do you mean?"


def a_person(name: str, email: str) -> Person:
    return Person(profile_id=an_id(email), name=name, display_name=name, email=email)


def tasks(*rows: TaskRow) -> Ask:
    return ask_which(WHICH, as_choices("task", rows))


def labels_of(things: Sequence[Person]) -> tuple[str, ...]:
    return ask_which(WHICH, as_choices("person", things)).labels


def test_one_record_that_comes_twice_is_one_button() -> None:
    asked = ask_which(WHICH, [choice("client", "1", "Glintly"), choice("client", "1", "Glintly")])

    assert asked.labels == ("Glintly",)


def test_namesakes_each_have_a_button_with_what_tells_them_apart() -> None:
    people = [a_person("Sara Lind", "sara@lanternfish.example"), a_person("Sara Lind", "sl@x.org")]

    assert labels_of(people) == ("Sara Lind (sara@lanternfish.example)", "Sara Lind (sl@x.org)")


def test_a_name_too_long_for_a_button_keeps_what_tells_it_apart() -> None:
    name = "Maria " * 20
    labels = labels_of([a_person(name.strip(), "m1@x.org"), a_person(name.strip(), "m2@x.org")])

    assert [label[-10:] for label in labels] == ["(m1@x.org)", "(m2@x.org)"]
    assert all(len(label) <= OPTION_LIMIT for label in labels)


def test_equal_tasks_of_two_brands_are_told_apart_by_them() -> None:
    row = TaskRow(id="86a", name="Fix listing", status="to do", brand="Copperleaf")
    other = row.model_copy(update={"id": "86b", "brand": "Nordvent"})

    first, second = tasks(row, other).labels

    assert "Copperleaf" in first
    assert "Nordvent" in second


def test_where_nothing_tells_two_apart_no_button_stands_for_both() -> None:
    brands = [a_brand("Casa Mundo", "Glintly", list_id="l1"), a_brand("Casa Mundo", "Cera")]
    twin = brands[0].model_copy(update={"id": an_id("the other one"), "list_id": "l2"})

    asked = ask_which(WHICH, as_choices("brand", [*brands, twin]))

    assert asked.labels == ()
    assert "More than one is called “Glintly”" in asked.question
    assert "Cera" in asked.question


def test_kinds_do_not_get_in_each_others_way() -> None:
    asked = ask_which(WHICH, [choice("client", "1", "Glintly"), choice("brand", "1", "Copperleaf")])

    assert asked.labels == ("Glintly", "Copperleaf")


def test_a_list_of_names_ends_in_one_full_stop() -> None:
    names = ["Glim", "Glow", "Glare", "Gleam", "Glimmer", "Glintly Inc."]
    asked = ask_which(WHICH, [choice("client", name, name) for name in names])

    assert asked.question.endswith(", Glimmer, Glintly Inc.")
