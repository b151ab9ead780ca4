"""Checklists of a ClickUp task, and their items."""

from workbench.clickup.bodies import ChecklistDraft, ItemChange, ItemDraft, read_body
from workbench.clickup.call import ApiRequest, find_task
from workbench.clickup.records import Item, Json, Task, TaskChecklist
from workbench.clickup.refusals import CHECKLIST_NOT_FOUND, ITEM_NOT_FOUND, RequestRefused
from workbench.clickup.shapes import checklist_shape


def create_checklist(call: ApiRequest) -> Json:
    """Create an empty checklist; the same body twice makes two, as in ClickUp."""
    task = find_task(call)
    draft = read_body(ChecklistDraft, call.body)
    made = TaskChecklist(
        id=call.board.next_checklist_id(), name=draft.name, created=call.board.now_ms()
    )
    task.checklists.append(made)
    call.board.touch(task, "task_updated")
    return {"checklist": checklist_shape(task, made)}


def delete_checklist(call: ApiRequest) -> Json:
    task, found = _find(call)
    task.checklists.remove(found)
    call.board.touch(task, "task_updated")
    return {}


def create_item(call: ApiRequest) -> Json:
    """Add an item; it stands below those that are there."""
    task, found = _find(call)
    draft = read_body(ItemDraft, call.body)
    found.items.append(
        Item(id=call.board.next_checklist_id(), name=draft.name, created=call.board.now_ms())
    )
    call.board.touch(task, "task_updated")
    return {"checklist": checklist_shape(task, found)}


def edit_item(call: ApiRequest) -> Json:
    task, found = _find(call)
    item = _find_item(call, found)
    change = read_body(ItemChange, call.body)
    if change.name is not None:
        item.name = change.name
    if change.resolved is not None:
        item.resolved = change.resolved
    call.board.touch(task, "task_updated")
    return {"checklist": checklist_shape(task, found)}


def delete_item(call: ApiRequest) -> Json:
    task, found = _find(call)
    found.items.remove(_find_item(call, found))
    call.board.touch(task, "task_updated")
    return {}


def _find(call: ApiRequest) -> tuple[Task, TaskChecklist]:
    wanted = call.path["checklist"]
    task = call.board.task_with_checklist(wanted)
    if task is None:
        raise RequestRefused(CHECKLIST_NOT_FOUND)
    return task, next(one for one in task.checklists if one.id == wanted)


def _find_item(call: ApiRequest, found: TaskChecklist) -> Item:
    wanted = call.path["item"]
    item = next((one for one in found.items if one.id == wanted), None)
    if item is None:
        raise RequestRefused(ITEM_NOT_FOUND)
    return item
