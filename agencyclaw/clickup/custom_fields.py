"""Reads the values of a task's custom fields as people read them, each by its field's type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, cast
from zoneinfo import ZoneInfo

from pydantic import BaseModel, BeforeValidator, Field

from agencyclaw.clickup.answers import Id, Lenient, Text
from agencyclaw.clickup.dates import day_of
from agencyclaw.domain.task_texts import CustomField

_TEXTS = ("text", "short_text", "email", "phone", "url", "number", "currency", "emoji")
# A field that nobody filled in comes with one of these, or without a value.
_EMPTY: tuple[object, ...] = (None, "", [])


class OptionAnswer(BaseModel):
    """An option of a drop-down, which has a name, or of labels, which have a label."""

    id: Id
    name: Lenient[Text] = None
    label: Lenient[Text] = None
    orderindex: Lenient[int] = None

    @property
    def shown(self) -> str | None:
        """What people read."""
        return self.name or self.label


class FieldConfig(BaseModel):
    """What a field's values may be."""

    options: Annotated[list[OptionAnswer], BeforeValidator(lambda options: options or [])] = Field(
        default_factory=list[OptionAnswer]
    )


class CustomFieldAnswer(BaseModel):
    """A custom field of a task."""

    id: Id
    name: Text
    type: Lenient[Text] = None
    type_config: Lenient[FieldConfig] = None
    value: Any = None

    def shown(self, zone: ZoneInfo) -> str | None:
        """Return its value as people read it; None in a form that we don't know."""
        match self.type:
            case "drop_down":
                return self._option(self.value)
            case "labels" if isinstance(self.value, list):
                labels = [self._option(one) for one in cast("list[object]", self.value)]
                return None if None in labels else ", ".join(filter(None, labels))
            case "checkbox":
                return {"true": "yes", "false": "no"}.get(str(self.value).lower())
            case "date" if str(self.value).isascii() and str(self.value).isdigit():
                day = day_of(int(self.value), zone)
                return day.isoformat() if day else None
            case kind if kind in _TEXTS and isinstance(self.value, str | int | float):
                return str(self.value)
            case _:
                return None

    def _option(self, value: object) -> str | None:
        """Return the name of an option, which is given by its id or its place."""
        options = self.type_config.options if self.type_config else []
        places = [one.shown for one in options if value in (one.id, one.orderindex)]
        return places[0] if places else None


def read_fields(
    fields: Sequence[CustomFieldAnswer | None], zone: ZoneInfo
) -> tuple[CustomField, ...]:
    """Return the fields that have a value; one in a form that we don't know has none to show."""
    return tuple(
        CustomField(name=field.name, value=field.shown(zone))
        for field in fields
        if field and field.value not in _EMPTY
    )
