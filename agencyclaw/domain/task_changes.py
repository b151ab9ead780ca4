"""Changes of an existing ClickUp task: only fields that differ are written."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from agencyclaw.domain.changes import ClientChange, Preview
from agencyclaw.domain.checklists import KEY, Checklist, ChecklistLine
from agencyclaw.domain.days import spoken_day
from agencyclaw.domain.differences import differences
from agencyclaw.domain.field_sources import NAME_LIMIT
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Tier, Value
from agencyclaw.domain.task_fields import ChangedPart, TaskCustomField, TaskPart
from agencyclaw.domain.text import one_line, unmarked

LABEL_LIMIT = 120
_NAME_LIMIT = 200
_LABELS = {
    "title": "Title",
    "status": "Status",
    "start": "Start",
    "due": "Due",
    "assignees": "Assignees",
    "priority": "Priority",
    "description": "Description",
}
DESCRIPTION_LIMIT = 20_000
FIELDS_AT_MOST = 10
PARTS_AT_MOST = 40


class TaskAssignee(Value):
    """Somebody a task is assigned to in ClickUp; `role` is what was named instead of them."""

    id: int
    name: str
    role: str = ""

    @property
    def shown(self) -> str:
        """The name, with the role that was named instead."""
        return message("effects.holder", name=self.name, role=self.role) if self.role else self.name


class TaskFacts(Value):
    """The facts of a task that can be changed.

    A change of other facts carries no description, and of the custom fields and the items of
    checklists only those that change. Such a part is named by its key.
    """

    title: Annotated[str, Field(max_length=2_048)]
    status: Annotated[str, Field(max_length=200)] = ""
    start: date | None = None
    due: date | None = None
    assignees: tuple[TaskAssignee, ...] = ()
    priority: Annotated[str, Field(max_length=20)] = ""
    description: Annotated[str, Field(max_length=DESCRIPTION_LIMIT)] = ""
    custom: Annotated[tuple[TaskPart, ...], Field(max_length=PARTS_AT_MOST)] = ()

    def of(self, field: str) -> object:
        """Return a field for comparison: people by id, a status in lower case.

        A description without its marks, because ClickUp writes those its own way.
        """
        if field.startswith(KEY):
            held = self.custom_field(field)
            return held.compared if held else None
        if field == "assignees":
            return frozenset(holder.id for holder in self.assignees)
        if field == "description":
            return unmarked(self.description)
        value = getattr(self, field)
        return value.casefold() if field == "status" else value

    def custom_field(self, key: str) -> TaskPart | None:
        """Return a custom field or an item; None if it is not among these facts."""
        return next((one for one in self.custom if one.key == key), None)

    def without_description(self) -> TaskFacts:
        """Return them for a change of something else."""
        return self.model_copy(update={"description": ""})

    def differing(self, other: TaskFacts) -> tuple[str, ...]:
        """Return the fields in which two differ."""
        plain = [name for name in TaskFacts.model_fields if name != "custom"]
        keys = dict.fromkeys(one.key for one in (*self.custom, *other.custom))
        return tuple(name for name in (*plain, *keys) if self.of(name) != other.of(name))

    def taking(self, other: TaskFacts, fields: Collection[str]) -> TaskFacts:
        """Return these facts with some fields of other ones."""
        plain = {name: getattr(other, name) for name in fields if not name.startswith(KEY)}
        custom = (other.custom_field(one.key) if one.key in fields else one for one in self.custom)
        return self.model_copy(update={**plain, "custom": tuple(one for one in custom if one)})

    def shown(self, field: str) -> str:
        """Return a field as a person reads it."""
        if field.startswith(KEY):
            held = self.custom_field(field)
            return held.label if held else message("task_fields.gone")
        if field == "assignees":
            return ", ".join(holder.shown for holder in self.assignees) or message("effects.nobody")
        value = getattr(self, field)
        if isinstance(value, date):
            return spoken_day(value)
        return str(value) if value else message("records.none")


class TaskState(Value):
    """A task's present state and its list; ClickUp does not always send the space.

    `is_archived`: it was put away before it was done.
    """

    id: str
    url: str
    list_id: str
    list_name: str = ""
    space_id: str | None = None
    facts: TaskFacts
    is_closed: bool = False
    is_archived: bool = False
    fields: tuple[TaskCustomField, ...] = ()
    checklists: tuple[Checklist, ...] = ()

    def facts_with(self, parts: Sequence[TaskPart]) -> TaskFacts:
        """Return the facts with these custom fields and items as they are now."""
        values = {one.value.key: one.value for one in self.fields}
        lines = [one for one in parts if isinstance(one, ChecklistLine)]
        ours = {one.called for one in lines}
        now = values | {one.key: one.seen_in(self.checklists, ours) for one in lines}
        custom = tuple(now[one.key] for one in parts if one.key in now)
        return self.facts.model_copy(update={"custom": custom})


class UpdateTask(ClientChange):
    """Changes a task; `before` is what the person saw and what is overwritten.

    `remarks` were noticed while it was prepared.
    """

    kind: Literal["update_task"] = "update_task"
    skill: ClassVar[str] = "clickup_task_update"
    tier: ClassVar[Tier] = Tier.MEMBER

    task_id: Annotated[str, Field(max_length=64)]
    url: Annotated[str, Field(max_length=300)]
    list_id: str = ""
    list_name: str = ""
    before: TaskFacts
    after: TaskFacts
    remarks: tuple[Annotated[str, Field(max_length=500)], ...] = Field(default=(), max_length=5)

    @property
    def label(self) -> str:
        """Its previous title."""
        return one_line(self.before.title, LABEL_LIMIT)

    @property
    def entity(self) -> str:
        """The task in ClickUp."""
        return f"clickup:{self.task_id}"

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that change."""
        return self.before.differing(self.after)

    @property
    def changed_parts(self) -> dict[str, ChangedPart]:
        """The custom fields and items that change, by their keys."""
        pairs = ((one, self.after.custom_field(one.key)) for one in self.before.custom)
        return {old.key: ChangedPart(before=old, after=new) for old, new in pairs if new}

    def left_in(self, present: TaskFacts) -> tuple[str, ...]:
        """Return the fields that are not yet as wanted."""
        return tuple(name for name in self.fields if present.of(name) != self.after.of(name))

    def onto(self, now: TaskFacts) -> UpdateTask | None:
        """Return the same request for the present task; None if nothing sensible remains."""
        changed: dict[str, Any] = {}
        if "description" not in self.fields:
            now = now.without_description()
        elif not self.fits(now):
            return None
        elif self.added_text:
            changed["description"] = now.description + self.added_text
        if "assignees" in self.fields:
            changed["assignees"] = self._assignees_onto(now)
        after = now.taking(self.after, self.fields).model_copy(update=changed)
        is_reversed = after.start and after.due and after.due < after.start
        if is_reversed or not now.differing(after):
            return None
        return self.model_copy(update={"before": now, "after": after})

    def fits(self, now: TaskFacts) -> bool:
        """Whether the present description, if that changes, and the new one are shown whole."""
        if "description" not in self.fields:
            return True
        # One of that length was perhaps cut when it was read.
        after = len(
            now.description + self.added_text if self.added_text else self.after.description
        )
        return max(len(now.description), after) < DESCRIPTION_LIMIT

    def _assignees_onto(self, now: TaskFacts) -> tuple[TaskAssignee, ...]:
        """Apply the additions and removals to the present assignees."""
        before = {holder.id for holder in self.before.assignees}
        after = {holder.id for holder in self.after.assignees}
        kept = [holder for holder in now.assignees if holder.id not in before - after]
        missing = after - before - {holder.id for holder in kept}
        return (*kept, *(holder for holder in self.after.assignees if holder.id in missing))

    @property
    def added_text(self) -> str:
        """What is added below the description; "" if that is replaced or stays."""
        before, after = self.before.description, self.after.description
        return after.removeprefix(before) if after.startswith(before) else ""

    def changes(self) -> tuple[tuple[str, str], ...]:
        """Return what changes, from what to what, as a person reads it."""
        return tuple((self.name_of(name), self._change_of(name)) for name in self.fields)

    def name_of(self, field: str) -> str:
        """Return what a field is called."""
        held = self.after.custom_field(field)
        return one_line(held.name, _NAME_LIMIT) if held else _LABELS[field]

    @property
    def summary(self) -> str:
        """What changes, from what to what, in one line."""
        return "; ".join(f"{label}: {change}" for label, change in self.changes())

    def without(self, kept: Collection[str]) -> UpdateTask:
        """Return the change of the other fields alone."""
        return self.model_copy(update={"after": self.after.taking(self.before, kept)})

    def reverse(self) -> UpdateTask:
        """Return the change back to the previous values."""
        return self.model_copy(
            update={"before": _lists_last(self.after), "after": _lists_last(self.before)}
        )

    def _change_of(self, name: str) -> str:
        if name != "description":
            return f"{self.before.shown(name)} → {self.after.shown(name)}"
        if self.added_text:
            if not self.before.description.strip():
                return message("task_changes.description_begun")
            return message("task_changes.description_added_to")
        return message("task_changes.description_replaced")

    def preview(self) -> Preview:
        """Return the fields that change, from what to what."""
        return Preview(
            headline=message("task_changes.change_task", label=self.label),
            verb="Change task",
            where=self.list_name or "ClickUp",
            fields=(("Client", self.client.name), *self.changes()),
            body=self._description_change(),
            against=self.remarks,
        )

    def _description_change(self) -> str:
        """Return the text that is added to the description, else its lines before and after."""
        if "description" not in self.fields:
            return ""
        if self.added_text:
            return self.added_text.strip()
        changed = differences(self.before.description, self.after.description, is_cut=False)
        return "\n".join(f"- {line.sentence}" for line in changed)

    def prose(self) -> dict[str, str]:
        """The new title, description and texts of parts, as far as they change."""
        parts = (one for one in self.after.custom if one.text and one.key in self.fields)
        texts = [(one_line(one.name, NAME_LIMIT), one.text) for one in parts]
        if "title" in self.fields:
            texts.append(("Title", self.after.title))
        if "description" in self.fields:
            texts.append(("New text", self.added_text.strip() or self.after.description))
        # A custom field may be called like another, or like a field of ours.
        return {
            name: "\n".join(text for other, text in texts if text and other == name)
            for name, _ in texts
        }


def _lists_last(facts: TaskFacts) -> TaskFacts:
    """Return them so that a checklist goes after what is in it."""

    def is_list(part: TaskPart) -> bool:
        return isinstance(part, ChecklistLine) and not part.called

    return facts.model_copy(update={"custom": tuple(sorted(facts.custom, key=is_list))})
