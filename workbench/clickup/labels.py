"""Comments, tags and custom field values of a ClickUp task."""

from collections.abc import Iterable
from uuid import UUID

from workbench.clickup.board import Board
from workbench.clickup.bodies import CommentDraft, CustomFieldValue, read_body
from workbench.clickup.call import ApiRequest, find_task
from workbench.clickup.field_values import checked_value
from workbench.clickup.records import Comment, Json
from workbench.clickup.refusals import FIELD_NOT_FOUND, RequestRefused
from workbench.clickup.shapes import comment_shape

COMMENTS_SHOWN = 25


def list_comments(call: ApiRequest) -> Json:
    """The newest 25; `start` and `start_id` name the oldest one already seen."""
    comments = call.board.comments(find_task(call).id)
    newest = sorted(comments, key=lambda comment: (comment.date, comment.id), reverse=True)
    shown = _older(call, newest)[:COMMENTS_SHOWN]
    return {"comments": [comment_shape(call.board, comment) for comment in shown]}


def _older(call: ApiRequest, newest: list[Comment]) -> list[Comment]:
    start, start_id = call.whole("start"), call.whole("start_id")
    if start is None or start_id is None:
        return newest
    return [comment for comment in newest if (comment.date, comment.id) < (start, start_id)]


def create_comment(call: ApiRequest) -> Json:
    task = find_task(call)
    draft = read_body(CommentDraft, call.body)
    comment = call.board.add_comment(task, draft.comment_text)
    return {"id": comment.id, "hist_id": str(UUID(int=comment.id)), "date": comment.date}


def add_tag(call: ApiRequest) -> Json:
    task = find_task(call)
    name = call.path["tag"].lower()
    call.board.ensure_tag(call.board.lists[task.list_id]["space_id"], name)
    if name not in task.tags:
        task.tags.append(name)
    call.board.touch(task, "task_updated")
    return {}


def remove_tag(call: ApiRequest) -> Json:
    task = find_task(call)
    task.tags = [name for name in task.tags if name != call.path["tag"].lower()]
    call.board.touch(task, "task_updated")
    return {}


def set_field(call: ApiRequest) -> Json:
    task = find_task(call)
    field = find_field(call.board, task.list_id, call.path["field"])
    value = read_body(CustomFieldValue, call.body).value
    before = task.custom_fields.get(field["id"])
    task.custom_fields[field["id"]] = checked_value(call.board, field, value, before)
    call.board.touch(task, "task_updated")
    return {}


def clear_field(call: ApiRequest) -> Json:
    task = find_task(call)
    field = find_field(call.board, task.list_id, call.path["field"])
    task.custom_fields.pop(field["id"], None)
    call.board.touch(task, "task_updated")
    return {}


def find_field(board: Board, list_id: str, field_id: str) -> Json:
    fields: Iterable[Json] = board.fields_of(list_id)
    field = next((field for field in fields if field["id"] == field_id), None)
    if field is None:
        raise RequestRefused(FIELD_NOT_FOUND)
    return field
