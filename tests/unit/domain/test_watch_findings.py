"""What a watch finds, in words."""

from __future__ import annotations

from datetime import date, time
from uuid import uuid4

from agencyclaw.domain.clients import Brand, Named
from agencyclaw.domain.schedule_changes import SetWatch
from agencyclaw.domain.schedules import Schedule, Timing, Work
from agencyclaw.domain.tasks import TaskRow, WindowKind, build_window
from agencyclaw.domain.watches import Check, Watch, WatchedState, WatchedTask, findings_of

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


def test_a_watch_of_one_brand_finds_only_what_is_that_brands() -> None:
    client, ours, other = Named(id=uuid4(), name="Hearthlane"), uuid4(), uuid4()
    late = {"status": "open", "due": date(2026, 11, 1)}
    state = WatchedState(
        brands=tuple(Brand(id=one, client_id=client.id, name="Kids") for one in (ours, other)),
        tasks=(TaskRow(id="1", name="Banner", **late), TaskRow(id="2", name="Photos", **late)),
        tasks_of={ours: frozenset({"2"})},
    )

    def found(check: Check) -> list[str]:
        watch = Watch(client=client, brand=Named(id=ours, name="Kids"), check=check)
        return [one.key for one in findings_of(watch, state, TODAY)]

    assert found(Check.LATE) == ["2:2026-11-01"]
    assert found(Check.MISSING_TARGET) == [str(ours)]
    assert Watch(client=client, brand=Named(id=ours, name="Kids"), check=Check.LATE).wanted == (
        "open tasks of Kids (Hearthlane) that are late"
    )


def test_who_waits_for_one_task_reads_whose_it_is_and_that_they_hear_of_its_end() -> None:
    task = WatchedTask(id="1", title="Banner", url="https://app.clickup.com/t/1")
    client = Named(id=uuid4(), name="Hearthlane")
    watch = Watch(client=client, check=Check.DONE, task=task)
    timing = Timing(day=TODAY, at=time(9), every="change", zone="Europe/Lisbon")
    schedule = Schedule(words=watch.wanted, timing=timing, work=Work.WATCH, watch=watch)
    card = SetWatch(
        person=Named(id=uuid4(), name="Ines"), schedule=schedule, timezone="UTC"
    ).preview()

    assert card.headline == "Tell you of the completion of “Banner” (Hearthlane)"
    assert dict(card.fields)["When"] == "when that task is done"
    assert schedule.kept_as == "Watch, when that task is done"


def test_a_single_day_is_said_as_one() -> None:
    client = Named(id=uuid4(), name="Hearthlane")

    watch = Watch(client=client, check=Check.DUE_SOON, days=1)
    assert watch.wanted == "open tasks of Hearthlane that are due within 1 day"
    assert build_window(WindowKind.LAST_N_DAYS, TODAY, days=1).label.startswith("the last 1 day,")
