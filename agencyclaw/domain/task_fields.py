"""Custom fields of a ClickUp task: their values in a form that can be compared, and as shown."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Annotated

from pydantic import Field

from agencyclaw.domain.checklists import KEY, ChecklistLine
from agencyclaw.domain.days import spoken_day
from agencyclaw.domain.messages import message
from agencyclaw.domain.names import OneName
from agencyclaw.domain.people import Value

# Types of field, as ClickUp calls them.
TEXTS = ("text", "short_text", "url", "email", "phone")
NUMBERS = ("number", "currency")
# What is chosen by name.
CHOICES = ("drop_down", "labels", "users")
VALUE_LIMIT = 20_000
CHECKED, UNCHECKED = "true", "false"


class FieldOption(OneName):
    """An option of a drop-down or of labels."""

    id: str


class FieldValue(Value):
    """What a custom field holds: nothing, one value, or several of labels and people.

    `values` are ids of options and people, a day as in ISO 8601, a number in plain digits;
    `is_readable` is false for a value in a form that we don't know.
    """

    id: Annotated[str, Field(max_length=120)]
    name: Annotated[str, Field(max_length=200)]
    kind: Annotated[str, Field(max_length=40)]
    values: tuple[Annotated[str, Field(max_length=VALUE_LIMIT)], ...] = ()
    shown: Annotated[str, Field(max_length=2_000)] = ""
    is_readable: bool = True

    @property
    def key(self) -> str:
        """What it is called among the facts of a task."""
        return f"{KEY}{self.id}"

    @property
    def compared(self) -> frozenset[str]:
        """What two of them are equal by; a box that nobody ticked is one that is not ticked.

        A value in a form that we don't know is no empty field.
        """
        if not self.is_readable:
            return frozenset({""})
        if self.kind == "checkbox" and not self.values:
            return frozenset({UNCHECKED})
        return frozenset(self.values)

    @property
    def label(self) -> str:
        """What people read."""
        if not self.is_readable:
            return message("task_fields.unreadable")
        if self.kind == "date" and self.values:
            return spoken_day(date.fromisoformat(self.values[0]))
        if self.kind == "checkbox":
            return label_of_box(is_checked=CHECKED in self.values)
        return self.shown or message("task_fields.empty")

    @property
    def text(self) -> str:
        """The text that somebody wrote in it; "" of another kind."""
        return self.values[0] if self.kind in TEXTS and self.values else ""


# What takes a request of its own.
TaskPart = FieldValue | ChecklistLine


class ChangedPart(Value):
    """A custom field or an item of a checklist, before and after."""

    before: TaskPart
    after: TaskPart


class TaskCustomField(Value):
    """A custom field of a task with what may be chosen in it."""

    value: FieldValue
    options: tuple[FieldOption, ...] = ()
    unit: str = ""

    @property
    def id(self) -> str:
        """The field's id."""
        return self.value.id

    @property
    def names(self) -> tuple[str, ...]:
        """What it is called."""
        return (self.value.name,)

    @property
    def full_name(self) -> str:
        """The same."""
        return self.value.name

    @property
    def can_be_set(self) -> bool:
        """Whether ClickUp takes a value for its type, in a form that we know."""
        return self.value.kind in TAKES


def in_digits(number: Decimal) -> str:
    """Return a number in digits, without zeros that say nothing."""
    return f"{number.normalize():f}"


def label_of_box(*, is_checked: bool) -> str:
    """Return a box as people read it."""
    return message("task_fields.yes") if is_checked else message("task_fields.no")


# What a field of each type takes, as people call it.
TAKES = {
    "checkbox": message("task_fields.takes_checkbox"),
    "currency": message("task_fields.takes_currency"),
    "date": message("task_fields.takes_date"),
    "drop_down": message("task_fields.takes_drop_down"),
    "email": message("task_fields.takes_email"),
    "labels": message("task_fields.takes_labels"),
    "number": message("task_fields.takes_number"),
    "phone": message("task_fields.takes_phone"),
    "short_text": message("task_fields.takes_text"),
    "text": message("task_fields.takes_text"),
    "url": message("task_fields.takes_url"),
    "users": message("task_fields.takes_users"),
}
