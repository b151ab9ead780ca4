"""Parses ClickUp's answers tolerantly: ids and names are required, all else may be missing."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated, Any, TypeVar, cast

from pydantic import (
    BaseModel,
    BeforeValidator,
    Field,
    RootModel,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)

from agencyclaw.domain.archiving import TaskSnapshot
from agencyclaw.domain.text import clean, digest


def _as_text(value: object) -> object:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return clean(value, limit=len(value)) if isinstance(value, str) else value


def _or_nothing(value: Any, read: ValidatorFunctionWrapHandler) -> Any:
    """Return None for a field in an unknown form, so that one odd task does not hide a list."""
    try:
        return read(value)
    except ValidationError:
        return None


Id = Annotated[str, BeforeValidator(_as_text), Field(min_length=1)]
Text = Annotated[str, BeforeValidator(_as_text)]
T = TypeVar("T")
Lenient = Annotated[T | None, WrapValidator(_or_nothing)]


def _readable_entries(values: Any, read: ValidatorFunctionWrapHandler) -> Any:
    """Return the entries of a list in a known form, so that an odd one does not hide the others."""
    if not isinstance(values, list):
        return read(values)
    entries: list[Any] = []
    for value in cast("list[Any]", values):
        with suppress(ValidationError):
            entries += read([value])
    return entries


Entries = Annotated[list[T], WrapValidator(_readable_entries)]


class UserAnswer(BaseModel):
    """A person."""

    id: int
    username: Lenient[Text] = None
    email: Lenient[Text] = None
    role: Lenient[int] = None
    timezone: Lenient[Text] = None

    @property
    def label(self) -> str:
        """A name to show; somebody who has not joined yet has only an e-mail address."""
        return self.username or self.email or str(self.id)


class PlaceAnswer(BaseModel):
    """Anything with an id and a name."""

    id: Id
    name: Text


class SpaceOf(BaseModel):
    """The space something is in; ClickUp does not always send its name."""

    id: Id
    name: Lenient[Text] = None


class FolderOf(BaseModel):
    """The folder a list is in; a list outside of folders names a hidden one."""

    name: Text = ""
    hidden: bool = False


class StatusAnswer(BaseModel):
    """A status of a list."""

    status: Text = ""
    type: Text = ""

    @property
    def is_last(self) -> bool:
        """Whether a task is finished with it."""
        return self.type in ("done", "closed")


class ListAnswer(PlaceAnswer):
    """A list."""

    archived: bool | None = None
    space: Lenient[SpaceOf] = None
    folder: Lenient[FolderOf] = None
    statuses: Lenient[Entries[StatusAnswer]] = None


class FolderAnswer(PlaceAnswer):
    """A folder, with its lists if ClickUp sends them."""

    lists: Lenient[list[ListAnswer]] = None


class PriorityAnswer(BaseModel):
    """A task's priority as a word."""

    priority: Text


class ItemAnswer(BaseModel):
    """An item of a checklist."""

    id: Text = ""
    name: Text
    resolved: bool | None = None


class ChecklistAnswer(BaseModel):
    """A checklist of a task; None for an item in an unknown form."""

    id: Text = ""
    name: Text = ""
    items: list[Lenient[ItemAnswer]] = []


class ChangedChecklist(BaseModel):
    """The answer to a change of a checklist: all of it."""

    checklist: ChecklistAnswer


class EmptyAnswer(BaseModel):
    """An answer without content."""


class DependencyAnswer(BaseModel):
    """That one task waits for another."""

    task_id: Id
    depends_on: Id


class CommentAnswer(BaseModel):
    """A comment under a task; `date` is in milliseconds."""

    id: Id
    comment_text: Lenient[Text] = None
    user: Lenient[UserAnswer] = None
    date: Lenient[int] = None


class CreatedComment(BaseModel):
    """A comment that was just posted."""

    id: Id


class Comments(BaseModel):
    """The latest comments of a task, newest first; None for one in an unknown form."""

    comments: list[Lenient[CommentAnswer]]


class TaskAnswer(BaseModel):
    """A task."""

    id: Id
    name: Text
    status: Lenient[StatusAnswer] = None
    assignees: Lenient[Entries[UserAnswer]] = None
    url: Lenient[Text] = None
    place: Lenient[PlaceAnswer] = Field(default=None, validation_alias="list")
    space: Lenient[SpaceOf] = None
    archived: Lenient[bool] = None
    priority: Lenient[PriorityAnswer] = None
    start_date: Lenient[int] = None
    due_date: Lenient[int] = None
    date_created: Lenient[int] = None
    date_updated: Lenient[int] = None
    date_done: Lenient[int] = None
    date_closed: Lenient[int] = None
    description: Lenient[Text] = None
    text_content: Lenient[Text] = None
    markdown_description: Lenient[Text] = None
    checklists: Lenient[list[Lenient[ChecklistAnswer]]] = None
    dependencies: Lenient[list[Lenient[DependencyAnswer]]] = None

    @property
    def is_open(self) -> bool:
        """True unless the task is done, closed or archived."""
        return not self.is_finished and not self.archived

    @property
    def is_finished(self) -> bool:
        """Whether its status is one of the list's last ones."""
        return self.status is not None and self.status.is_last

    @property
    def look(self) -> TaskSnapshot | None:
        """What people see of the task; None if ClickUp sends no time of the last change."""
        if self.date_updated is None:
            return None
        facts = {
            "name": self.name,
            "status": self.status_name,
            "assignees": sorted(user.id for user in self.assignees or ()),
            "list": self.place.id if self.place else "",
            "due": self.due_date,
            "priority": self.priority.priority if self.priority else "",
        }
        return TaskSnapshot(facts=digest(facts), updated_ms=self.date_updated)

    @property
    def status_name(self) -> str:
        """Its status; "" if ClickUp sent none that we can read."""
        return self.status.status if self.status else ""

    @property
    def priority_name(self) -> str | None:
        """Its priority in lower case; None without one."""
        return self.priority.priority.casefold() if self.priority else None

    @property
    def texts(self) -> list[str]:
        """The description in every form that ClickUp sent, as Markdown first."""
        forms = (self.markdown_description, self.description, self.text_content)
        return [form for form in forms if form]

    @property
    def text(self) -> str:
        """The description in the first of these forms; "" without one."""
        return next(iter(self.texts), "")


class TaskPage(BaseModel):
    """A page of tasks."""

    tasks: list[TaskAnswer]
    last_page: bool | None = None


class Lists(BaseModel):
    """The lists of a folder, or the lists of a space outside of folders."""

    lists: list[ListAnswer]


class Folders(BaseModel):
    """The folders of a space."""

    folders: list[FolderAnswer]


class Spaces(BaseModel):
    """The spaces of a Workspace."""

    spaces: list[PlaceAnswer]


class WorkspaceSeat(BaseModel):
    """A person's seat in a Workspace."""

    user: UserAnswer


class TeamAnswer(PlaceAnswer):
    """A Workspace with its people."""

    members: Entries[WorkspaceSeat] = []


class Teams(BaseModel):
    """The Workspaces a token can see."""

    teams: list[TeamAnswer]


class DocAnswer(PlaceAnswer):
    """A Doc, without its pages."""

    archived: bool | None = None
    deleted: bool | None = None


class Docs(BaseModel):
    """Docs of a place, and the cursor of the next page."""

    docs: list[DocAnswer]
    next_cursor: Lenient[Text] = None


class PageAnswer(PlaceAnswer):
    """A page of a Doc, with the pages below it."""

    content: Lenient[Text] = None
    archived: bool | None = None
    deleted: bool | None = None
    pages: list[PageAnswer] | None = None


class Pages(RootModel[list[PageAnswer]]):
    """The pages of a Doc."""


class Whoami(BaseModel):
    """The account a token belongs to."""

    user: UserAnswer
