"""Reads and changes the stored ClickUp workspace."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID
from zoneinfo import ZoneInfo

from workbench.clickup.records import Comment, Json, Task, task_id_for
from workbench.clickup.refusals import TEAM_NOT_AUTHORIZED, RequestRefused
from workbench.clock import MachineClock
from workbench.events import Broadcaster
from workbench.storage import Storage

TEAM = "clickup_team"
MEMBER = "clickup_member"
SPACE = "clickup_space"
FOLDER = "clickup_folder"
LIST = "clickup_list"
FIELD = "clickup_field"
TAG = "clickup_tag"
COMMENT = "clickup_comment"
_HOME = "clickup_home"
_SHOWN = "clickup_guest"
_CHECKLIST = "clickup_checklist"


@dataclass
class Board:
    """The workspace during one request; it caches what it reads."""

    storage: Storage
    clock: MachineClock
    events: Broadcaster

    def now_ms(self) -> int:
        return int(self.clock.now() * 1000)

    @cached_property
    def team(self) -> Json:
        teams = self.storage.all(TEAM)
        if not teams:
            raise RequestRefused(TEAM_NOT_AUTHORIZED)
        return teams[0]

    @property
    def bot(self) -> int:
        return int(self.team["bot"])

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.team["timezone"])

    @cached_property
    def members(self) -> dict[int, Json]:
        return {int(member["id"]): member for member in self.storage.all(MEMBER)}

    @cached_property
    def spaces(self) -> dict[str, Json]:
        return self._by_id(SPACE)

    @cached_property
    def folders(self) -> dict[str, Json]:
        return self._by_id(FOLDER)

    @cached_property
    def lists(self) -> dict[str, Json]:
        return self._by_id(LIST)

    @cached_property
    def fields(self) -> dict[str, Json]:
        return self._by_id(FIELD)

    def _by_id(self, kind: str) -> dict[str, Json]:
        return {str(body["id"]): body for body in self.storage.all(kind)}

    def fields_of(self, list_id: str) -> list[Json]:
        return [field for field in self.fields.values() if list_id in field["lists"]]

    def tags_of(self, space_id: str) -> list[Json]:
        return [tag for tag in self.storage.all(TAG) if tag["space_id"] == space_id]

    def task(self, task_id: str) -> Task | None:
        home = self.storage.get(_HOME, task_id)
        body = home and self.storage.get(_tasks_of(home["list"]), task_id)
        return Task.model_validate(body) if body else None

    def task_with_checklist(self, checklist_id: str) -> Task | None:
        known = self.storage.get(_CHECKLIST, checklist_id)
        task = self.task(known["task"]) if known else None
        is_there = task and any(one.id == checklist_id for one in task.checklists)
        return task if is_there else None

    def tasks(self, list_ids: Iterable[str] | None = None) -> list[Task]:
        homes = self.lists if list_ids is None else list_ids
        return [
            Task.model_validate_json(text)
            for home in homes
            for text in self.storage.texts(_tasks_of(home))
        ]

    def shared_tasks(self, list_id: str) -> list[Task]:
        """The tasks of other lists that are shown in this one too."""
        tasks = (self.task(shown["task"]) for shown in self.storage.all(_shown_in(list_id)))
        return [task for task in tasks if task is not None and list_id in task.also_in]

    def subtasks(self, task: Task) -> list[Task]:
        return [other for other in self.tasks([task.list_id]) if other.parent == task.id]

    def comments(self, task_id: str) -> list[Comment]:
        return [Comment.model_validate(body) for body in self.storage.all(_comments_of(task_id))]

    def next_number(self) -> tuple[int, str]:
        number = self.storage.next("clickup_task")
        return number, task_id_for(number)

    def next_checklist_id(self) -> str:
        """Return an id of a checklist or of an item; ids never repeat."""
        return str(UUID(int=(0xC11C << 64) + self.storage.next("clickup_checklist")))

    def save_task(self, task: Task, action: str) -> None:
        self.storage.put(_HOME, task.id, {"list": task.list_id})
        self.storage.put(_tasks_of(task.list_id), task.id, task.model_dump())
        for checklist in task.checklists:
            self.storage.put(_CHECKLIST, checklist.id, {"task": task.id})
        for host in task.also_in:
            self.storage.put(_shown_in(host), task.id, {"task": task.id})
        self._announce(task, action)

    def touch(self, task: Task, action: str) -> None:
        task.updated = max(self.now_ms(), task.updated)
        self.save_task(task, action)

    def remove(self, task: Task) -> None:
        self.storage.delete(_HOME, task.id)
        self.storage.delete(_tasks_of(task.list_id), task.id)
        for comment in self.comments(task.id):
            self.storage.delete(_comments_of(task.id), str(comment.id))
        self._announce(task, "task_deleted")
        for subtask in self.subtasks(task):
            self.remove(subtask)

    def add_comment(self, task: Task, text: str) -> Comment:
        comment = self.save_comment(task, text, self.bot, self.now_ms())
        self.touch(task, "comment_created")
        return comment

    def save_comment(self, task: Task, text: str, user: int, date: int) -> Comment:
        number = 90_110_000_000 + self.storage.next("clickup_comment")
        comment = Comment(id=number, task_id=task.id, user=user, text=text, date=date)
        self.storage.put(_comments_of(task.id), str(number), comment.model_dump())
        return comment

    def ensure_tag(self, space_id: str, name: str) -> None:
        key = f"{space_id}/{name}"
        if self.storage.get(TAG, key) is None:
            self.storage.put(TAG, key, {"space_id": space_id, "name": name, "creator": self.bot})

    def status_of(self, list_id: str, name: str) -> Json | None:
        statuses: list[Json] = self.lists[list_id]["statuses"]
        lowered = name.strip().lower()
        return next((status for status in statuses if status["status"] == lowered), None)

    def is_closed(self, task: Task) -> bool:
        status = self.status_of(task.list_id, task.status)
        return status is not None and status["type"] == "closed"

    def _announce(self, task: Task, action: str) -> None:
        self.events.publish("clickup", action=action, task_id=task.id, list_id=task.list_id)


def _tasks_of(list_id: str) -> str:
    """One kind of document per list, so that reading one list does not read them all."""
    return f"clickup_task:{list_id}"


def _shown_in(list_id: str) -> str:
    """Tasks of other lists that were ever shown in this one; some may no longer be."""
    return f"{_SHOWN}:{list_id}"


def _comments_of(task_id: str) -> str:
    return f"{COMMENT}:{task_id}"
