"""The demo agency's tasks: overdue, due this week, done, and a long backlog."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import product

from workbench.clickup.board import Board
from workbench.clickup.dates import day_mark, local_moment
from workbench.clickup.records import Item, Task, TaskChecklist

_BRIGHTKETTLE = "901005000011"
_GLINTLY = "901005000021"
_CASA_MUNDO = "901005000031"
_REPORTING = "901005000081"
_INES, _TOMAS, _LINDQVIST, _OKAFOR, _MIGUEL, _HANA = 100001, 100002, 100003, 100004, 100005, 100008
_DAY_MS = 86_400_000
_OPEN = ("to do", "in progress", "review")


@dataclass(frozen=True)
class _Plan:
    """A task relative to today; `due` is in days, None without a due date."""

    name: str
    list_id: str
    people: tuple[int, ...]
    due: int | None
    status: str = "to do"
    age: int = 9
    updated: int = 3
    priority: int | None = None
    tags: tuple[str, ...] = ()
    markdown: str = ""
    also_in: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()


_GARLIC_PRESS = """## Goal
Shoppers see all seven images of the garlic press, the new lifestyle shot first.

## Steps
- [x] Collect the final images from the client's folder
- [x] Check size (2000 px) and white background of the main image
- [ ] Upload to **B0CF7GARL1** and **B0CF7GARL2**
- [ ] Look at the live page on the phone

Source: [image guidelines](https://lanternfish.example/sop/images)
"""

_HARVEST = """Weekly search-term harvest for Glintly US.

1. Pull the search-term report for the last 14 days
2. Move terms with 2+ orders to exact match
3. Add negatives for terms with 15+ clicks and no order
"""

_OVERDUE = (
    ("Answer the A-to-z claim for the Tessera bread bin", _BRIGHTKETTLE, (_LINDQVIST,), "to do"),
    (
        "Fix the suppressed listing of the Nordvent Tower Fan B0NV8FAN01",
        _BRIGHTKETTLE,
        (_MIGUEL,),
        "in progress",
    ),
    (
        "Raise the daily budget of Glintly Screen Wipes before the weekend",
        _GLINTLY,
        (_OKAFOR,),
        "to do",
    ),
)
_BRIGHTKETTLE_WEEK = (
    (
        "Upload the new gallery images for the Copperleaf Garlic Press",
        (_MIGUEL,),
        "in progress",
        2,
        _GARLIC_PRESS,
    ),
    ("Set up the 15% Prime coupon for the Nordvent Tower Fan", (_OKAFOR,), "to do", 1, ""),
    (
        "Rewrite the bullets of the Copperleaf Garlic Press in silver",
        (_LINDQVIST,),
        "review",
        3,
        "",
    ),
    ("Negative keyword sweep for Tessera storage tins", (_OKAFOR,), "to do", 3, ""),
    ("Check FBA stock cover for all Nordvent fans in CA", (), "to do", None, ""),
    ("Prepare the Brightkettle weekly call notes", (_INES, _LINDQVIST), "to do", None, ""),
    ("Appeal the Tessera tea caddy category change", (_MIGUEL,), "in progress", 2, ""),
)
_GLINTLY_WEEK = (
    ("Harvest search terms for Glintly US", (_OKAFOR,), "in progress", 3, _HARVEST),
    ("Translate the Glintly lens spray A+ content for the UK", (_HANA,), "to do", 4, ""),
)
_DONE = (
    ("Send the Brightkettle October report", _BRIGHTKETTLE, (_TOMAS,), 6),
    ("Close the duplicate ASIN of the Copperleaf Garlic Press", _BRIGHTKETTLE, (_MIGUEL,), 4),
    ("Refill the Nordvent FBA shipment to CA", _BRIGHTKETTLE, (_LINDQVIST,), 2),
    ("Launch the Glintly Screen Wipes Sponsored Brands video", _GLINTLY, (_OKAFOR,), 1),
)
_LATER = (
    _Plan("Plan the Copperleaf holiday price test", _BRIGHTKETTLE, (_INES,), 9, priority=3),
    _Plan("Collect product photos for the Tessera storage tins", _BRIGHTKETTLE, (), None),
    _Plan(
        "Monthly advertising report for Copperleaf, Nordvent and Tessera",
        _BRIGHTKETTLE,
        (_TOMAS,),
        12,
        tags=("reporting",),
        also_in=(_REPORTING,),
    ),
    _Plan("Review the Glintly UK price against the two main rivals", _GLINTLY, (_LINDQVIST,), 10),
    _Plan("Ask the client for the new Glintly brand guide", _GLINTLY, (_LINDQVIST,), 14),
    _Plan("Idea: bundle the Hearthlane throw with the candle set", "901005000041", (), None),
    _Plan("Idea: subscribe and save for Hearthlane wax melts", "901005000041", (_INES,), None),
    _Plan("Refresh the Hearthlane brand store banner", "901005000042", (_LINDQVIST,), 11),
    _Plan("Check the Hearthlane throw size chart", "901005000042", (), None),
    _Plan(
        "Upload safety documents for the Hearthlane Kids night light",
        "901005000051",
        (_LINDQVIST,),
        9,
        priority=2,
        checks=("Test report", "Declaration of conformity", "Photo of the label"),
    ),
    _Plan("Write the Hearthlane Kids playmat description", "901005000051", (), None),
    _Plan(
        "Merge the Pawtrail Collar sizes S, M and L into one parent",
        "901005000061",
        (_MIGUEL,),
        8,
        tags=("catalog",),
    ),
    _Plan("Launch plan for the Pawtrail reflective leash", "901005000061", (_INES,), 16),
    _Plan("Set up Sponsored Products for the Pawtrail Pro harness", "901005000062", (_OKAFOR,), 10),
    _Plan("Compare Pawtrail Lite prices with private labels", "901005000063", (), None),
    _Plan("Rodric wall clock: answer the open customer questions", "901005000071", (), 13),
    _Plan("Quarterly category report for the leadership call", _REPORTING, (_TOMAS,), 15),
)
_CASA_WORK = (
    "Rewrite the title of the {}",
    "Translate the bullets of the {} to Spanish",
    "Add backend search terms to the {}",
    "Replace the main image of the {}",
    "Check the browse node of the {}",
    "Set the MX price of the {}",
    "Write A+ content for the {}",
    "Reconcile FBA returns of the {}",
    "Review keyword bids for the {}",
    "Answer customer questions about the {}",
)
_CASA_GOODS = tuple(
    f"{make} {ware}"
    for make, ware in product(
        ("Talavera", "Oaxaca", "Barro negro", "Copper", "Palm-leaf"),
        ("mug set", "serving bowl", "table runner", "candle holder", "storage basket"),
    )
)
_CASA_PEOPLE = ((_OKAFOR,), (_HANA,), (), (_LINDQVIST,))


def demo_tasks(board: Board) -> Iterator[Task]:
    today = local_moment(board.now_ms(), board.zone)
    for plan in _plans(today):
        yield _task(board, plan, today)


def _plans(today: datetime) -> Iterator[_Plan]:
    """Overdue tasks were due before this week, so that none is also due this week."""
    monday, sunday = -today.weekday(), 6 - today.weekday()
    for late, (name, place, people, status) in enumerate(_OVERDUE, start=2):
        yield _Plan(name, place, people, monday - late, status, age=late + 14, priority=2)
    for order, (name, people, status, priority, markdown) in enumerate(_BRIGHTKETTLE_WEEK):
        due = sunday * order // (len(_BRIGHTKETTLE_WEEK) - 1)
        yield _Plan(
            name,
            _BRIGHTKETTLE,
            people,
            due,
            status,
            updated=order % 3,
            priority=priority,
            markdown=markdown,
        )
    for name, people, status, priority, markdown in _GLINTLY_WEEK:
        yield _Plan(
            name, _GLINTLY, people, sunday, status, updated=1, priority=priority, markdown=markdown
        )
    for name, place, people, ago in _DONE:
        yield _Plan(name, place, people, None, "complete", age=20, updated=ago)
    yield from _LATER
    yield from _casa_mundo(sunday)


def _casa_mundo(sunday: int) -> Iterator[_Plan]:
    for order, (work, goods) in enumerate(product(_CASA_WORK, _CASA_GOODS)):
        due = None if order % 5 == 4 else sunday + 1 + order % 70
        people, status = _CASA_PEOPLE[order % 4], _OPEN[order % 3]
        yield _Plan(
            work.format(goods),
            _CASA_MUNDO,
            people,
            due,
            status,
            age=60 + order % 30,
            updated=order % 60,
        )


def _task(board: Board, plan: _Plan, today: datetime) -> Task:
    number, task_id = board.next_number()
    now = board.now_ms()
    changed = now - plan.updated * _DAY_MS - number * 1000
    due = None if plan.due is None else day_mark(today + timedelta(days=plan.due), board.zone)
    return Task(
        id=task_id,
        number=number,
        name=plan.name,
        list_id=plan.list_id,
        status=plan.status,
        created=now - plan.age * _DAY_MS - number * 1000,
        updated=changed,
        closed=changed if plan.status == "complete" else None,
        creator=_TOMAS,
        assignees=list(plan.people),
        watchers=[_TOMAS],
        tags=list(plan.tags),
        priority=plan.priority,
        due=due,
        markdown=plan.markdown,
        also_in=list(plan.also_in),
        checklists=_checklists(board, plan, now),
    )


def _checklists(board: Board, plan: _Plan, now: int) -> list[TaskChecklist]:
    """One checklist whose first item is ticked; none without items."""
    if not plan.checks:
        return []
    made = TaskChecklist(id=board.next_checklist_id(), name="Checklist", created=now)
    for at, name in enumerate(plan.checks):
        item = Item(id=board.next_checklist_id(), name=name, created=now, resolved=at == 0)
        made.items.append(item)
    return [made]
