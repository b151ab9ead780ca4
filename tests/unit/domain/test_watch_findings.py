"""What a watch finds, in words."""

from __future__ import annotations

from datetime import date

from agencyclaw.domain.tasks import TaskRow
from agencyclaw.domain.watches import Check, Watch, WatchedState, findings_of

TODAY = date(2026, 11, 25)


def test_a_task_is_told_with_its_due_date_or_without_one() -> None:
    tasks = (
        TaskRow(id="1", name="Banner", status="open", due=date(2026, 11, 30)),
        TaskRow(id="2", name="Photos", status="open"),
    )

    found = findings_of(Watch(check=Check.UNASSIGNED), WatchedState(tasks=tasks), TODAY)

    assert [one.text for one in found] == [
        "Banner (due 30 Nov 2026, assigned to nobody)",
        "Photos (no due date, assigned to nobody)",
    ]
