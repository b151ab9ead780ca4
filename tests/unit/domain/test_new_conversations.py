"""The same wish for the facts of today: what somebody else changed meanwhile is kept."""

from __future__ import annotations

from datetime import date
from uuid import UUID

from agencyclaw.domain.clients import Named
from agencyclaw.domain.kpi import Goals
from agencyclaw.domain.record_kinds.targets import SetTarget
from agencyclaw.domain.task_changes import TaskAssignee, TaskFacts, UpdateTask

ONE = Named(id=UUID(int=1), name="Glintly Inc")
SARA, BEN, YUKI = (
    TaskAssignee(id=at, name=name) for at, name in enumerate(("Sara", "Ben", "Yuki"))
)


def change(before: TaskFacts, after: TaskFacts) -> UpdateTask:
    return UpdateTask(client=ONE, task_id="86k1", url="x", before=before, after=after)


def test_who_joined_meanwhile_stays() -> None:
    wish = change(
        TaskFacts(title="Banner", assignees=(SARA,)), TaskFacts(title="Banner", assignees=(BEN,))
    )

    again = wish.onto(TaskFacts(title="Banner 2", assignees=(SARA, YUKI)))

    assert again is not None
    assert again.after == TaskFacts(title="Banner 2", assignees=(YUKI, BEN))
    assert again.fields == ("assignees",)


def test_a_wish_that_came_to_pass_or_makes_no_sense_is_not_offered_again() -> None:
    wish = change(TaskFacts(title="Banner"), TaskFacts(title="Banner", start=date(2026, 12, 3)))

    assert wish.onto(TaskFacts(title="New", start=date(2026, 12, 3))) is None
    assert wish.onto(TaskFacts(title="Banner", due=date(2026, 12, 1))) is None


def targets(before: Goals | None, after: Goals | None) -> SetTarget:
    return SetTarget(
        client=ONE,
        brand=ONE,
        marketplace="US",
        period="monthly",
        start=date(2026, 11, 1),
        before=before,
        after=after,
    )


def test_targets_nobody_spoke_of_keep_their_new_value() -> None:
    wish = targets(Goals(acos=28, tacos=12), Goals(acos=25, tacos=12))

    again = wish.onto(Goals(acos=28, tacos=10))

    assert again is not None
    assert again.after == Goals(acos=25, tacos=10)
    assert wish.onto(Goals(acos=25, tacos=10)) is None


def test_another_currency_is_not_put_to_sales_of_another_amount() -> None:
    wish = targets(Goals(sales=100, currency="EUR"), Goals(sales=100, currency="USD"))

    again = wish.onto(Goals(sales=200, currency="EUR"))

    assert again is not None
    assert again.after == Goals(sales=100, currency="USD")


def test_targets_that_an_undo_takes_away_are_not_called_set() -> None:
    undo = targets(None, Goals(acos=28, tacos=12)).reverse().preview()

    assert undo.headline == "Remove targets of Glintly Inc US, November 2026"
    assert undo.fields[-2:] == (("ACOS", "28% → none"), ("TACOS", "12% → none"))
