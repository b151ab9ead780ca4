"""What a task says: description, checklist, comments, and what it waits for."""

from __future__ import annotations

from datetime import datetime

from agencyclaw.domain.checklists import ChecklistItem
from agencyclaw.domain.people import Value


class TaskComment(Value):
    """A comment: who wrote it, when, and its words."""

    who: str
    at: datetime | None = None
    text: str


class CustomField(Value):
    """A custom field that is filled in; its value is None in a form that can't be shown."""

    name: str
    value: str | None = None


class AwaitedTask(Value):
    """A task that another one waits for; whose it is follows from its list."""

    title: str
    status: str
    list_id: str
    is_finished: bool = False


class TaskText(Value):
    """The texts of a task, comments newest first.

    `has_more_comments`: older ones were not read. `unread` counts the awaited tasks that could not
    be read, `not_asked` those beyond the limit. `odd` counts comments, items and dependencies in an
    unknown form.
    """

    description: str = ""
    status: str = ""
    priority: str | None = None
    created: datetime | None = None
    updated: datetime | None = None
    checklist: tuple[ChecklistItem, ...] = ()
    fields: tuple[CustomField, ...] = ()
    comments: tuple[TaskComment, ...] = ()
    has_more_comments: bool = False
    waits_for: tuple[AwaitedTask, ...] = ()
    unread: int = 0
    not_asked: int = 0
    odd: int = 0
