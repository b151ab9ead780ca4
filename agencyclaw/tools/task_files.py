"""Task lists as a file, which code writes from the rows and delivers under the answer."""

from __future__ import annotations

from datetime import date
from zoneinfo import ZoneInfo

from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.clock import day_of
from agencyclaw.domain.people import Tier
from agencyclaw.domain.sheets import ROWS_AT_MOST, Sheet, SheetColumn, SheetFormat
from agencyclaw.domain.tasks import DateKind, TaskRow
from agencyclaw.domain.text import one_line
from agencyclaw.knowledge.secrets import redacted
from agencyclaw.tools.arguments import Assigned, Day, Days, Name, Range
from agencyclaw.tools.catalogue import reads
from agencyclaw.tools.results import Ask, Listing
from agencyclaw.tools.task_queries import FoundTasks, TaskQuery, find_tasks

_COLUMNS = (
    SheetColumn(title="Task"),
    SheetColumn(title="Status"),
    SheetColumn(title="Assignees"),
    SheetColumn(title="Priority"),
    SheetColumn(title="Due", is_day=True),
    SheetColumn(title="Changed", is_day=True),
    SheetColumn(title="Finished", is_day=True),
    SheetColumn(title="Client"),
    SheetColumn(title="Brand"),
    SheetColumn(title="Link"),
)
_BELOW = "The file comes right below your answer, which need not repeat its rows or what it lacks."


class TaskFile(Listing):
    """A list that follows the answer as a file, and what it leaves out."""

    file: str
    client: str = ""
    range: str
    rows: int
    left_out: int = 0
    skipped: tuple[str, ...] = ()
    note: str


@reads(
    tier=Tier.VIEWER, skill_id="clickup_task_export", on_demand=True, needs="sheets", attaches=True
)
async def export_tasks(
    ctx: RunContext[Deps],
    client: Name | None = None,
    file_format: SheetFormat = "xlsx",
    brand: Name | None = None,
    window: Range = "this_week",
    days: Days = 14,
    first: Day | None = None,
    last: Day | None = None,
    date_kind: DateKind = "due",
    assignee: Assigned | None = None,
) -> TaskFile | Ask:
    """Give a list of ClickUp tasks, open or done, as a file: CSV, or XLSX for Excel.

    Args:
        client: As in list_tasks, and so are the others.
        file_format: "csv" or "xlsx".
        brand: Only this brand.
        window: Of which time.
        days: For last_n_days and next_n_days.
        first: First day.
        last: Last day, included.
        date_kind: Due or updated in that time; by "done" those that were finished in it.
        assignee: Whose.
    """
    assert ctx.deps.sheets is not None
    query = TaskQuery(client, brand, window, days, first, last, date_kind, assignee).as_meant()
    found = await find_tasks(ctx.deps, query)
    if isinstance(found, Ask):
        return found
    rows = found.rows[:ROWS_AT_MOST]
    if rows:
        kind = "Finished tasks" if query.date_kind == "done" else "Tasks"
        which = ", ".join((found.client or "all your clients", *found.narrowed, found.range))
        title = f"{kind} of {which}, as of {ctx.deps.today}"
        cells = tuple(_cells(row, found.client, ctx.deps.actor.zone) for row in rows)
        sheet = Sheet(
            title=title,
            format=file_format,
            columns=_COLUMNS,
            rows=cells,
            left_out=len(found.rows) - len(rows),
            unread=found.skipped,
            remarks=found.remarks,
        )
        ctx.deps.sheets.add(sheet)
        return _described(found, sheet.file_name, len(rows), _BELOW)
    return _described(found, "none", 0, "There are no such tasks, so there is no file.")


def _described(found: FoundTasks, file: str, rows: int, note: str) -> TaskFile:
    return TaskFile(
        file=file,
        client=found.client,
        range=found.range,
        rows=rows,
        left_out=len(found.rows) - rows,
        skipped=found.skipped,
        note=" ".join(one for one in (note, *found.notes) if one),
        reach=found.reach,
    )


def _cells(row: TaskRow, client: str, zone: ZoneInfo) -> tuple[str, ...]:
    cells = (
        one_line(row.name, 300),
        one_line(row.status, 60),
        ", ".join(one_line(name, 80) for name in row.assignees),
        one_line(row.priority, 20) if row.priority else "",
        _day(row.due),
        _day(row.updated and day_of(row.updated, zone)),
        _day(row.done and day_of(row.done, zone)),
        one_line(row.client, 120) if row.client else client,
        one_line(row.brand, 80) if row.brand else "",
        row.url or "",
    )
    return tuple(redacted(cell) for cell in cells)


def _day(day: date | None) -> str:
    return day.isoformat() if day else ""
