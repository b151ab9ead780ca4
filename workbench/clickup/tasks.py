"""Creates, reads, changes and deletes ClickUp tasks."""

from collections.abc import Iterable

from workbench.clickup.board import Board
from workbench.clickup.bodies import (
    CustomFieldValue,
    TaskDraft,
    TaskUpdateBody,
    read_body,
    read_membership,
)
from workbench.clickup.call import ApiRequest, find_list, find_task
from workbench.clickup.dates import stored_date
from workbench.clickup.field_values import checked_value
from workbench.clickup.labels import find_field
from workbench.clickup.records import Json, Task
from workbench.clickup.refusals import PARENT_ELSEWHERE, STATUS_UNKNOWN, RequestRefused
from workbench.clickup.shapes import task_shape


def create_task(call: ApiRequest) -> Json:
    """Create a task; the same body twice makes two, as in ClickUp."""
    board, place = call.board, find_list(call)
    draft = read_body(TaskDraft, call.body)
    now = board.now_ms()
    number, task_id = board.next_number()
    task = Task(
        id=task_id,
        number=number,
        name=draft.name,
        list_id=place["id"],
        status=place["statuses"][0]["status"],
        created=now,
        updated=now,
        creator=board.bot,
        watchers=[board.bot],
        assignees=_known_people(board, draft.assignees),
        tags=_known_tags(board, place["space_id"], draft.tags),
        custom_fields=_field_values(call, place["id"], draft.custom_fields),
        listed_from=now + int(call.lag_s * 1000) if call.lag_s else 0,
    )
    _apply(board, task, draft)
    board.save_task(task, "task_created")
    return task_shape(board, task, call.origin)


def get_task(call: ApiRequest) -> Json:
    task = find_task(call)
    markdown = call.flag("include_markdown_description")
    shape = task_shape(call.board, task, call.origin, markdown=markdown)
    shape["attachments"] = []
    if call.flag("include_subtasks"):
        subtasks = call.board.subtasks(task)
        shape["subtasks"] = [task_shape(call.board, subtask, call.origin) for subtask in subtasks]
    return shape


def update_task(call: ApiRequest) -> Json:
    task = find_task(call)
    change = read_body(TaskUpdateBody, call.body)
    if change.name is not None:
        task.name = change.name
    task.assignees = _changed_people(call.board, task.assignees, change.assignees)
    task.watchers = _changed_people(call.board, task.watchers, change.watchers)
    _apply(call.board, task, change)
    call.board.touch(task, "task_updated")
    return task_shape(call.board, task, call.origin)


def delete_task(call: ApiRequest) -> None:
    call.board.remove(find_task(call))


def _apply(board: Board, task: Task, body: TaskDraft | TaskUpdateBody) -> None:
    """Apply the fields that create and update have in common."""
    _describe(task, body)
    _date(board, task, body)
    if body.status is not None:
        _move(board, task, body.status)
    if body.parent is not None:
        task.parent = _parent(board, task, body.parent)
    if body.sent("archived"):
        task.archived = body.archived
    if body.custom_item_id is not None:
        task.custom_item_id = body.custom_item_id
    for field in ("priority", "points", "time_estimate"):
        if body.sent(field):
            setattr(task, field, getattr(body, field))


def _describe(task: Task, body: TaskDraft | TaskUpdateBody) -> None:
    marked = body.markdown_content
    if marked is None:
        marked = body.markdown_description
    text = body.description if marked is None else marked
    if text is None:
        return
    # In ClickUp a single blank clears a description.
    task.markdown = "" if text.isspace() else text
    task.literal = marked is None


def _date(board: Board, task: Task, body: TaskDraft | TaskUpdateBody) -> None:
    if body.sent("due_date"):
        task.due, task.due_timed = _stored(board, body.due_date, body.due_date_time)
    if body.sent("start_date"):
        task.start, task.start_timed = _stored(board, body.start_date, body.start_date_time)


def _stored(board: Board, moment: int | None, timed: bool | None) -> tuple[int | None, bool]:
    if moment is None:
        return None, False
    return stored_date(moment, bool(timed), board.zone), bool(timed)


def _move(board: Board, task: Task, name: str) -> None:
    status = board.status_of(task.list_id, name)
    if status is None:
        raise RequestRefused(STATUS_UNKNOWN)
    task.status = status["status"]
    if status["type"] != "closed":
        task.closed = None
    elif task.closed is None:
        task.closed = board.now_ms()


def _parent(board: Board, task: Task, parent_id: str) -> str:
    parent = board.task(parent_id)
    if parent is None or parent.list_id != task.list_id or parent.id == task.id:
        raise RequestRefused(PARENT_ELSEWHERE)
    return parent.id


def _known_people(board: Board, ids: Iterable[int]) -> list[int]:
    """Drop unknown ids silently, as ClickUp does."""
    return [member_id for member_id in dict.fromkeys(ids) if member_id in board.members]


def _changed_people(board: Board, before: list[int], change: object) -> list[int]:
    membership = read_membership(change)
    if membership is None:
        return before
    people = _known_people(board, before + membership.add)
    return [member_id for member_id in people if member_id not in membership.rem]


def _known_tags(board: Board, space_id: str, names: Iterable[str]) -> list[str]:
    """Keep only the space's own tags: reports differ on whether a create makes new ones."""
    known = {tag["name"] for tag in board.tags_of(space_id)}
    return [name for name in dict.fromkeys(name.lower() for name in names) if name in known]


def _field_values(call: ApiRequest, list_id: str, values: Iterable[CustomFieldValue]) -> Json:
    fields = [(find_field(call.board, list_id, one.id), one.value) for one in values]
    return {field["id"]: checked_value(call.board, field, value, None) for field, value in fields}
