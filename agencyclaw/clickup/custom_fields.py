"""Reads a task's custom fields by their type, and writes their values as ClickUp takes them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Annotated, Any, cast
from zoneinfo import ZoneInfo

from pydantic import BaseModel, BeforeValidator, Field, TypeAdapter

from agencyclaw.clickup.answers import Entries, Id, Lenient, TaskAnswer, Text, UserAnswer
from agencyclaw.clickup.dates import day_of, noon_ms
from agencyclaw.domain.task_fields import (
    CHECKED,
    NUMBERS,
    TEXTS,
    UNCHECKED,
    VALUE_LIMIT,
    FieldOption,
    FieldValue,
    TaskCustomField,
    in_digits,
    label_of_box,
)
from agencyclaw.domain.task_texts import CustomField
from agencyclaw.domain.text import one_line

SHOWN_AT_MOST = 1_000
# A field that nobody filled in comes with one of these, or without a value.
_EMPTY: tuple[object, ...] = (None, "", [])
_PEOPLE = TypeAdapter(Entries[UserAnswer])


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
    currency_type: Lenient[Text] = None


class CustomFieldAnswer(BaseModel):
    """A custom field of a task."""

    id: Id
    name: Text
    type: Lenient[Text] = None
    type_config: Lenient[FieldConfig] = None
    value: Any = None

    def read(self, zone: ZoneInfo) -> TaskCustomField:
        """Return the field, its value as people read it, and what may be chosen in it."""
        known = None if self.value in _EMPTY else self._known(zone)
        value = FieldValue(
            id=self.id[:120],
            name=one_line(self.name, 200),
            kind=(self.type or "")[:40],
            values=tuple(known or ()),
            shown=one_line(", ".join((known or {}).values()), SHOWN_AT_MOST),
            is_readable=self.value in _EMPTY or known is not None,
        )
        options = (FieldOption(id=one.id, name=one.shown) for one in self._options if one.shown)
        return TaskCustomField(value=value, options=tuple(options), unit=self._unit)

    @property
    def _options(self) -> list[OptionAnswer]:
        return self.type_config.options if self.type_config else []

    @property
    def _unit(self) -> str:
        currency = self.type_config.currency_type if self.type_config else None
        return currency or "" if self.type == "currency" else ""

    def _known(self, zone: ZoneInfo) -> dict[str, str] | None:
        """Return the values with what people read; None in a form that we don't know."""
        match self.type:
            case "drop_down":
                return self._chosen([self.value])
            case "labels" if isinstance(self.value, list):
                return self._chosen(cast("list[object]", self.value))
            case "users" if isinstance(self.value, list):
                people = _PEOPLE.validate_python(cast("list[object]", self.value))
                return {str(one.id): one.label for one in people}
            case "checkbox":
                box = str(self.value).lower()
                is_known = box in (CHECKED, UNCHECKED)
                return {box: label_of_box(is_checked=box == CHECKED)} if is_known else None
            case "date":
                return _day(self.value, zone)
            case kind if kind in NUMBERS:
                return _number(self.value, self._unit)
            case kind if kind in (*TEXTS, "emoji") and isinstance(self.value, str | int | float):
                text = str(self.value)
                return {text: text} if len(text) <= VALUE_LIMIT else None
            case _:
                return None

    def _chosen(self, values: Sequence[object]) -> dict[str, str] | None:
        """Return the options, each given by its id or its place; None if one is unknown."""
        found = [
            next((one for one in self._options if value in (one.id, one.orderindex)), None)
            for value in values
        ]
        named = {one.id: one.shown for one in found if one and one.shown}
        return named if len(named) == len(values) else None


class DescribedTask(TaskAnswer):
    """A task with its custom fields; None for one in an unknown form."""

    custom_fields: Lenient[list[Lenient[CustomFieldAnswer]]] = None


def _day(value: object, zone: ZoneInfo) -> dict[str, str] | None:
    written = str(value)
    day = day_of(int(written), zone) if written.isascii() and written.isdigit() else None
    return {day.isoformat(): day.isoformat()} if day else None


def _number(value: object, unit: str) -> dict[str, str] | None:
    try:
        number = in_digits(Decimal(str(value)))
    except InvalidOperation:
        return None
    return {number: f"{number} {unit}".strip()}


def read_fields(
    fields: Sequence[CustomFieldAnswer | None], zone: ZoneInfo
) -> tuple[CustomField, ...]:
    """Return the fields that have a value; one in a form that we don't know has none to show."""
    read = [field.read(zone).value for field in fields if field and field.value not in _EMPTY]
    return tuple(
        CustomField(name=one.name, value=one.shown if one.is_readable else None) for one in read
    )


def wire_body(after: FieldValue, before: FieldValue, zone: ZoneInfo) -> dict[str, Any] | None:
    """Return the body that sets a value; None if the field is to be cleared."""
    if after.kind == "users":
        # People are added and taken away one by one.
        added = [int(one) for one in after.values if one not in before.values]
        removed = [int(one) for one in before.values if one not in after.values]
        return {"value": {"add": added, "rem": removed}}
    if not after.values:
        return None
    [first, *_] = after.values
    match after.kind:
        case "labels":
            return {"value": [*after.values]}
        case "checkbox":
            return {"value": first == CHECKED}
        case "date":
            return {"value": noon_ms(date.fromisoformat(first), zone)}
        case kind if kind in NUMBERS:
            return {"value": _wire_number(first)}
        case _:
            return {"value": first}


def _wire_number(digits: str) -> int | float:
    number = Decimal(digits)
    return int(number) if number == number.to_integral_value() else float(number)
