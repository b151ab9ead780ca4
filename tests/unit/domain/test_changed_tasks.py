"""A change of a task: what counts as one, and what it becomes on a task that has changed since."""

from __future__ import annotations

import pytest

from agencyclaw.domain.clients import Named
from agencyclaw.domain.effects import EFFECT
from agencyclaw.domain.library import NameProcedure
from agencyclaw.domain.naming import MOST_ALIASES, Naming
from agencyclaw.domain.task_changes import DESCRIPTION_LIMIT, TaskFacts, UpdateTask
from agencyclaw.domain.task_fields import FieldValue
from agencyclaw.domain.text import unmarked
from tests.fakes.ports import an_id

OLD, ADDED = "Old.", "\n\nAsk Amazon."


def change(before: TaskFacts, after: TaskFacts) -> UpdateTask:
    return UpdateTask(
        client=Named(id=an_id("Glintly Inc"), name="Glintly Inc"),
        task_id="86x1",
        url="https://app.clickup.com/t/86x1",
        before=before,
        after=after,
    )


def described(before: str, after: str) -> UpdateTask:
    return change(
        TaskFacts(title="Images", description=before), TaskFacts(title="Images", description=after)
    )


def field(name: str, *values: str) -> FieldValue:
    return FieldValue(id=name, name=name, kind="short_text", values=values)


@pytest.mark.parametrize("after", [f"{OLD}{ADDED}", "Quite another text."])
@pytest.mark.parametrize("length", [DESCRIPTION_LIMIT - len(ADDED), DESCRIPTION_LIMIT])
def test_a_description_that_has_grown_too_long_for_a_card_is_not_offered_again(
    after: str, length: int
) -> None:
    asked = described(OLD, after)
    grown = TaskFacts(title="Images", description="x" * length)
    is_shown_whole = length < DESCRIPTION_LIMIT and not asked.added_text

    renewed = asked.onto(grown)

    assert bool(renewed) is is_shown_whole
    assert renewed is None or EFFECT.validate_python(renewed.model_dump(mode="json")) == renewed


def test_a_long_description_that_stays_hinders_no_other_change() -> None:
    asked = change(TaskFacts(title="Images"), TaskFacts(title="Photos"))
    grown = TaskFacts(title="Images", description="x" * DESCRIPTION_LIMIT)

    renewed = asked.onto(grown)

    assert renewed
    assert renewed.fields == ("title",)


def test_a_name_is_not_offered_again_to_a_procedure_that_has_no_room_any_more() -> None:
    before = Naming(category="promotions")
    asked = NameProcedure(
        procedure=Named(id=an_id("Coupons"), name="Coupons"),
        name="vouchers",
        before=before,
        after=before.with_name("vouchers"),
    )
    names = tuple(f"name {number}" for number in range(MOST_ALIASES))

    full = asked.changed(Naming(category="promotions", aliases=names))
    nearly = asked.changed(Naming(category="promotions", aliases=names[1:]))

    assert full.renewed is None
    assert isinstance(nearly.renewed, NameProcedure)
    assert len(nearly.renewed.after.aliases) == MOST_ALIASES


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Take 15 % off", "Take 1.5 % off"),
        ("Raise it by 1.50", "Raise it by 150"),
        ("Move the bid by -5", "Move the bid by 5"),
        ("Move the bid by −5", "Move the bid by +5"),
        ("From 10:30", "From 1030"),
        ("Steps 1 2", "Steps 12"),
        ("Take 15 % off", "Take $15 off"),
        ("3\n-4", "3\n4"),
        ("Adjust it by -$5", "Adjust it by $5"),
        ("Pause above an ACOS > 30%", "Pause above an ACOS < 30%"),
        ("- <5 reviews", "- 5 reviews"),
        ("Spend 100 - 20", "Spend 100 + 20"),
    ],
)
def test_another_figure_is_a_change_of_the_description(before: str, after: str) -> None:
    assert described(before, after).fields == ("description",)
    now = TaskFacts(title="Images", description=after)
    assert described(before, "Quite another text.").left_in(now)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("**15 %** off, ~~1~~2", "15% off, 12"),
        ("- 5 photos\n- 6 texts", "*   5 photos\n*   6 texts"),
        ("Step 4\n- 5", "Step 4\n\n* 5"),
        ("1\\.5 and \\-5", "1.5 and -5"),
        ("| 1 | 2 |\n|---|---|\n| 3 | 4 |", "|1|2|\n| --- | --- |\n|3|4|"),
        ("5–7 days, −5", "5-7 days, -5"),
        ("Bids:\n5", "Bids:  5"),
        ("Bids\n====\n5", "# Bids\n\n5"),
        ("+ 5 bids\n> 6 bids", "* 5 bids\n\n>  6 bids"),
        ("|5|-$6|", "| 5 | -$6 |"),
    ],
)
def test_figures_that_clickup_writes_its_own_way_are_the_same(written: str, read: str) -> None:
    assert unmarked(written) == unmarked(read)


def test_a_custom_field_called_like_another_text_keeps_its_own() -> None:
    names = ("Title", "New text")
    before = TaskFacts(title="Images", custom=tuple(map(field, names)))
    after = TaskFacts(
        title="Photos",
        description="Ask Amazon.",
        custom=tuple(field(name, f"own {name}") for name in names),
    )

    assert change(before, after).prose() == {
        "Title": "own Title\nPhotos",
        "New text": "own New text\nAsk Amazon.",
    }
