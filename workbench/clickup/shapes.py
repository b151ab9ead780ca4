"""Converts stored documents to the shape of ClickUp's answers."""

from collections.abc import Iterable

from workbench.clickup.board import Board
from workbench.clickup.markdown import to_plain
from workbench.clickup.records import Comment, Item, Json, Task, TaskChecklist

_PRIORITIES = {
    1: ("urgent", "#f50000"),
    2: ("high", "#f8ae00"),
    3: ("normal", "#6fddff"),
    4: ("low", "#d8d8d8"),
}


def task_shape(board: Board, task: Task, origin: str, *, markdown: bool = False) -> Json:
    place = board.lists[task.list_id]
    folder = folder_of(board, place)
    plain = task.markdown if task.literal else to_plain(task.markdown)
    described = {"markdown_description": task.markdown} if markdown else {}
    return {
        "id": task.id,
        "custom_id": None,
        "custom_item_id": task.custom_item_id,
        "name": task.name,
        "text_content": plain,
        "description": plain,
        **described,
        "status": board.status_of(task.list_id, task.status),
        "orderindex": f"{task.number}.00000000000000000000000000000000",
        **_dates(task),
        "archived": task.archived,
        **_people(board, task),
        "checklists": [checklist_shape(task, one) for one in task.checklists],
        "tags": [_tag_shape(name, board.bot) for name in task.tags],
        "parent": task.parent,
        "top_level_parent": task.parent,
        "priority": _priority_shape(task.priority),
        "points": task.points,
        "time_estimate": task.time_estimate,
        "time_spent": 0,
        "custom_fields": [
            _task_field_shape(field, task) for field in board.fields_of(task.list_id)
        ],
        "dependencies": _dependencies(board, task),
        "linked_tasks": [],
        "locations": [_name_shape(board.lists[other]) for other in task.also_in],
        "team_id": board.team["id"],
        "url": f"{origin}/t/{task.id}",
        "sharing": {"public": False, "public_fields": [], "token": None, "seo_optimized": False},
        "permission_level": "create",
        "list": {**_name_shape(place), "access": True},
        "project": folder,
        "folder": folder,
        "space": {"id": place["space_id"]},
    }


def checklist_shape(task: Task, checklist: TaskChecklist) -> Json:
    done = sum(item.resolved for item in checklist.items)
    return {
        "id": checklist.id,
        "task_id": task.id,
        "name": checklist.name,
        "date_created": str(checklist.created),
        "orderindex": task.checklists.index(checklist),
        "creator": task.creator,
        "resolved": done,
        "unresolved": len(checklist.items) - done,
        "items": [_item(at, item) for at, item in enumerate(checklist.items)],
    }


def _item(at: int, item: Item) -> Json:
    return {
        "id": item.id,
        "name": item.name,
        "orderindex": at,
        "assignee": None,
        "group_assignee": None,
        "resolved": item.resolved,
        "parent": None,
        "date_created": str(item.created),
        "children": [],
    }


def _dependencies(board: Board, task: Task) -> list[Json]:
    """Both tasks show that one waits for the other."""
    waiting = (board.task(task_id) for task_id in task.awaited_by)
    own = [_dependency(board, task, awaited) for awaited in task.waits_for]
    return own + [_dependency(board, other, task.id) for other in waiting if other]


def _dependency(board: Board, task: Task, awaited: str) -> Json:
    """The first task waits for the second one."""
    made = {"type": 1, "date_created": str(task.created), "userid": str(task.creator)}
    return {"task_id": task.id, "depends_on": awaited, **made, "workspace_id": board.team["id"]}


def _dates(task: Task) -> Json:
    return {
        "date_created": str(task.created),
        "date_updated": str(task.updated),
        "date_closed": _ms(task.closed),
        "date_done": _ms(task.closed),
        "due_date": _ms(task.due),
        "start_date": _ms(task.start),
    }


def _ms(moment: int | None) -> str | None:
    return None if moment is None else str(moment)


def _people(board: Board, task: Task) -> Json:
    return {
        "creator": person_shape(board.members[task.creator]),
        "assignees": [person_shape(board.members[member_id]) for member_id in task.assignees],
        "group_assignees": [],
        "watchers": [person_shape(board.members[member_id]) for member_id in task.watchers],
    }


def person_shape(member: Json) -> Json:
    return {
        "id": member["id"],
        "username": member["username"],
        "color": member["color"],
        "initials": _initials(member),
        "email": member["email"],
        "profilePicture": None,
    }


def _initials(member: Json) -> str:
    words = str(member["username"] or member["email"]).split()
    return "".join(word[0] for word in words[:2]).upper()


def member_shape(member: Json) -> Json:
    """Return a member as the Workspace lists them; a pending invitee has no name yet."""
    joined = member["username"] is not None
    return {
        "user": {
            **person_shape(member),
            "role": member["role"],
            "custom_role": None,
            "last_active": member["since"] if joined else None,
            "date_joined": member["since"] if joined else None,
            "date_invited": member["since"],
        }
    }


def _priority_shape(priority: int | None) -> Json | None:
    if priority is None:
        return None
    name, color = _PRIORITIES[priority]
    return {"id": str(priority), "priority": name, "color": color, "orderindex": str(priority)}


def _tag_shape(name: str, creator: int) -> Json:
    return {"name": name, "tag_fg": "#ffffff", "tag_bg": "#5f55ee", "creator": creator}


def tag_shape(tag: Json) -> Json:
    return _tag_shape(tag["name"], tag["creator"])


def field_shape(field: Json) -> Json:
    return {
        "id": field["id"],
        "name": field["name"],
        "type": field["type"],
        "type_config": field["type_config"],
        "date_created": field["date_created"],
        "hide_from_guests": False,
        "required": False,
    }


def _task_field_shape(field: Json, task: Task) -> Json:
    if field["id"] not in task.custom_fields:
        return field_shape(field)
    return {**field_shape(field), "value": task.custom_fields[field["id"]]}


def _name_shape(body: Json) -> Json:
    return {"id": body["id"], "name": body["name"]}


def folder_of(board: Board, place: Json) -> Json:
    """Return a list's folder; a list without one still names a hidden one."""
    folder_id = place["folder_id"]
    if folder_id is None:
        return {"id": _hidden_id(place), "name": "hidden", "hidden": True, "access": True}
    return {**_name_shape(board.folders[folder_id]), "hidden": False, "access": True}


def _hidden_id(place: Json) -> str:
    return f"900{int(place['id']) % 1_000_000_000:09d}"


def list_shape(board: Board, place: Json) -> Json:
    space = board.spaces[place["space_id"]]
    count = sum(1 for task in board.tasks([place["id"]]) if not board.is_closed(task))
    return {
        **_name_shape(place),
        "orderindex": place["orderindex"],
        "content": "",
        "status": None,
        "priority": None,
        "assignee": None,
        "task_count": count,
        "due_date": None,
        "start_date": None,
        "folder": folder_of(board, place),
        "space": {**_name_shape(space), "access": True},
        "archived": place["archived"],
        "override_statuses": True,
        "permission_level": "create",
    }


def folder_shape(board: Board, folder: Json) -> Json:
    lists = [place for place in board.lists.values() if place["folder_id"] == folder["id"]]
    return {
        **_name_shape(folder),
        "orderindex": folder["orderindex"],
        "override_statuses": False,
        "hidden": False,
        "space": _name_shape(board.spaces[folder["space_id"]]),
        "task_count": str(len(board.tasks(place["id"] for place in lists))),
        "archived": folder["archived"],
        "statuses": [],
        "lists": [list_shape(board, place) for place in lists],
        "permission_level": "create",
    }


def space_shape(space: Json) -> Json:
    return {
        **_name_shape(space),
        "color": space["color"],
        "private": False,
        "avatar": None,
        "admin_can_manage": True,
        "statuses": space["statuses"],
        "multiple_assignees": True,
        "features": {
            "due_dates": {"enabled": True, "start_date": True, "remap_due_dates": False},
            "tags": {"enabled": True},
            "custom_fields": {"enabled": True},
            "priorities": {"enabled": True},
        },
        "archived": space["archived"],
    }


def team_shape(board: Board, members: Iterable[Json]) -> Json:
    return {
        **_name_shape(board.team),
        "color": "#ff8a3d",
        "avatar": None,
        "members": [member_shape(member) for member in members],
    }


def comment_shape(board: Board, comment: Comment) -> Json:
    return {
        "id": str(comment.id),
        "comment": [{"text": comment.text}],
        "comment_text": comment.text,
        "user": person_shape(board.members[comment.user]),
        "resolved": False,
        "assignee": None,
        "assigned_by": None,
        "reactions": [],
        "date": str(comment.date),
        "reply_count": 0,
    }
