"""Selects, sorts and pages the tasks of a list, a hundred per page."""

from collections.abc import Callable, Iterable
from functools import partial

from workbench.clickup.call import ApiRequest, find_list, find_team
from workbench.clickup.records import Json, Task
from workbench.clickup.refusals import RequestRefused, WireRefusal, invalid
from workbench.clickup.shapes import task_shape

PAGE_SIZE = 100

_DATES: dict[str, Callable[[Task], int | None]] = {
    "due_date": lambda task: task.due,
    "date_created": lambda task: task.created,
    "date_updated": lambda task: task.updated,
    "date_done": lambda task: task.closed,
}
_ORDERS: dict[str, Callable[[Task], str | int | None]] = {
    "id": lambda task: task.id,
    "created": lambda task: task.created,
    "updated": lambda task: task.updated,
    "due_date": lambda task: task.due,
}
# Answering as if such a filter had matched everything would teach a client something untrue.
_NOT_BUILT = ("custom_fields", "custom_field", "custom_items[]", "watchers[]")


def list_tasks(call: ApiRequest) -> Json:
    place = find_list(call)["id"]
    tasks = call.board.tasks([place])
    if call.flag("include_timl"):
        tasks += call.board.shared_tasks(place)
    return _page(call, tasks)


def list_team_tasks(call: ApiRequest) -> Json:
    find_team(call)
    lists = call.board.lists.values()
    accepted = {
        "id": call.query.getall("list_ids[]", []),
        "folder_id": call.query.getall("project_ids[]", []),
        "space_id": call.query.getall("space_ids[]", []),
    }
    homes = [
        place["id"]
        for place in lists
        if all(not ids or place[key] in ids for key, ids in accepted.items())
    ]
    return _page(call, call.board.tasks(homes))


def _page(call: ApiRequest, tasks: Iterable[Task]) -> Json:
    _refuse_unbuilt(call)
    ranges = _ranges(call)
    shown = (task for task in tasks if _shown(call, task) and _fits(call, task))
    matching = _ordered(call, [task for task in shown if all(fits(task) for fits in ranges)])
    first = _page_number(call) * PAGE_SIZE
    markdown = call.flag("include_markdown_description")
    page = matching[first : first + PAGE_SIZE]
    return {
        "tasks": [task_shape(call.board, task, call.origin, markdown=markdown) for task in page],
        "last_page": first + PAGE_SIZE >= len(matching),
    }


def _page_number(call: ApiRequest) -> int:
    page = call.whole("page") or 0
    if page < 0:
        raise RequestRefused(invalid("page"))
    return page


def _refuse_unbuilt(call: ApiRequest) -> None:
    for name in _NOT_BUILT:
        if name in call.query:
            text = f"The workbench has no filter {name}"
            raise RequestRefused(WireRefusal(400, text, "WORKBENCH_001"))


def _shown(call: ApiRequest, task: Task) -> bool:
    """Leave out closed tasks, subtasks and archived tasks unless they are asked for."""
    parent = call.query.get("parent")
    return (
        task.listed_from <= call.board.now_ms()
        and task.archived == call.flag("archived")
        and (task.parent is None or parent is not None or call.flag("subtasks"))
        and (parent is None or task.parent == parent)
        and (call.flag("include_closed") or not call.board.is_closed(task))
    )


def _fits(call: ApiRequest, task: Task) -> bool:
    return (
        _among(call, "statuses[]", [task.status])
        and _among(call, "assignees[]", [str(member_id) for member_id in task.assignees])
        and _among(call, "tags[]", task.tags)
    )


def _among(call: ApiRequest, name: str, values: Iterable[str]) -> bool:
    accepted = [value.lower() for value in call.query.getall(name, [])]
    return not accepted or any(value in accepted for value in values)


def _ranges(call: ApiRequest) -> list[Callable[[Task], bool]]:
    """Read once for all tasks, so that nonsense is refused even where no task is looked at."""
    limits = [
        (read, call.whole(f"{name}_gt"), call.whole(f"{name}_lt")) for name, read in _DATES.items()
    ]
    return [
        partial(_in_range, read, after, before)
        for read, after, before in limits
        if after is not None or before is not None
    ]


def _in_range(
    read: Callable[[Task], int | None], after: int | None, before: int | None, task: Task
) -> bool:
    moment = read(task)
    if moment is None:
        return False
    return (after is None or moment > after) and (before is None or moment < before)


def _ordered(call: ApiRequest, tasks: list[Task]) -> list[Task]:
    """Newest first, or oldest first if reversed; tasks without the date come last."""
    name = call.query.get("order_by", "created")
    if name not in _ORDERS:
        raise RequestRefused(invalid("order_by"))
    read = _ORDERS[name]
    dated = [task for task in tasks if read(task) is not None]
    undated = [task for task in tasks if read(task) is None]
    newest_first = not call.flag("reverse")
    dated.sort(key=lambda task: (read(task), task.number), reverse=newest_first)
    return dated + undated
