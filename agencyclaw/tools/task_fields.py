"""Custom fields that are to be changed: found among the task's own, each value by its type."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from agencyclaw.deps import Deps
from agencyclaw.domain.addresses import parsed
from agencyclaw.domain.clients import Client
from agencyclaw.domain.errors import Refused
from agencyclaw.domain.messages import message
from agencyclaw.domain.names import Match, match_names
from agencyclaw.domain.quotes import QuotedDay
from agencyclaw.domain.task_changes import FIELDS_AT_MOST, UpdateTask
from agencyclaw.domain.task_fields import (
    CHECKED,
    NUMBERS,
    TAKES,
    TEXTS,
    UNCHECKED,
    ChangedPart,
    FieldOption,
    FieldValue,
    TaskCustomField,
    in_digits,
    label_of_box,
)
from agencyclaw.domain.text import one_line
from agencyclaw.knowledge.fact_checks import FactCheck
from agencyclaw.knowledge.secrets import redacted
from agencyclaw.tools.arguments import Name, NewName
from agencyclaw.tools.lacking import Lacking
from agencyclaw.tools.names import Identified, as_choices, find_named
from agencyclaw.tools.people import find_holder
from agencyclaw.tools.results import Ask, ask_which
from agencyclaw.tools.task_lookup import TaskMatch

_FieldText = Annotated[str, Field(max_length=1_000)]
_Amount = Annotated[float, Field(ge=-1e12, le=1e12)]
_FieldNames = Annotated[list[NewName], Field(max_length=20)]
FieldInput = bool | float | str | list[str] | date | None
T = TypeVar("T", bound=Identified)


class FieldChange(BaseModel):
    """A custom field and its value, of labels or people all; without a value it is emptied."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    field: Name
    value: bool | _Amount | _FieldText | _FieldNames | QuotedDay | None = None


FieldChanges = Annotated[list[FieldChange], Field(max_length=FIELDS_AT_MOST)]


@dataclass(frozen=True)
class WantedField:
    """A custom field as it is called, and its value with a day that was checked."""

    field: str
    value: FieldInput


def wanted_fields(
    check: FactCheck, changes: Sequence[FieldChange] | None
) -> tuple[WantedField, ...]:
    """Return the changes with their days; a day that nobody stated is left out and named."""
    wanted: list[WantedField] = []
    for one in changes or ():
        if not isinstance(one.value, QuotedDay):
            wanted.append(WantedField(one.field, one.value))
        elif day := check.day(one_line(one.field, 40), one.value):
            wanted.append(WantedField(one.field, day))
    return tuple(wanted)


async def changed_fields(
    deps: Deps,
    match: TaskMatch,
    wanted: Sequence[WantedField],
    lacking: Lacking,
    card: UpdateTask | None = None,
) -> list[ChangedPart]:
    """Return what changes; what is unclear, or can't be set, is lacking.

    What a waiting card of the task would change in others stays.
    """
    changed = card.changed_parts if card else {}
    for one in wanted:
        if part := await lacking.settle(_changed(deps, match, one)):
            changed[part.before.key] = part
    return list(changed.values())


async def _changed(deps: Deps, match: TaskMatch, wanted: WantedField) -> ChangedPart | Ask:
    """Return a field with its new value, or the question what is meant; may raise Refused."""
    field = _find(deps, match, wanted.field)
    if isinstance(field, Ask):
        return field
    after = await _valued(deps, field, wanted.value, match.client)
    return after if isinstance(after, Ask) else ChangedPart(before=field.value, after=after)


def has_field(match: TaskMatch, name: str) -> bool:
    """Whether a task has a field that is called so."""
    return match_names(name, match.state.fields).is_exact


def only(match: Match[T]) -> T | None:
    """Return the one thing that is called so; a name that is only alike is asked about."""
    return match.things[0] if match.is_exact and len(match.things) == 1 else None


def _find(deps: Deps, match: TaskMatch, name: str) -> TaskCustomField | Ask:
    """Return the task's field of this name, or ask which one is meant."""
    fields = match.state.fields
    if not fields:
        raise Refused(message("refused.task_fields.none"), reason="no_fields")
    named = find_named(deps, name, fields)
    field = only(named)
    if field is None:
        choices = named.things or [one for one in fields if one.can_be_set]
        question = message("task_fields.choose", hint=one_line(name, 60))
        return ask_which(question, as_choices("field", choices))
    called = one_line(field.value.name, 80)
    if not field.can_be_set:
        why = message("refused.task_fields.kind", field=called)
        raise Refused(why, reason="field_kind")
    if not field.value.is_readable:
        why = message("refused.task_fields.unreadable", field=called)
        raise Refused(why, reason="field_unreadable")
    return field


async def _valued(
    deps: Deps, field: TaskCustomField, value: FieldInput, client: Client
) -> FieldValue | Ask:
    """Return the field with a value of its type."""
    empty = field.value.model_copy(update={"values": (), "shown": ""})
    names = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    match field.value.kind, value:
        case (_, None):
            return empty
        case ("checkbox", bool()):
            return _with(empty, CHECKED if value else UNCHECKED, label_of_box(is_checked=value))
        case ("date", date()):
            return _with(empty, value.isoformat(), value.isoformat())
        case (kind, float()) if kind in NUMBERS:
            number = in_digits(Decimal(str(value)))
            return _with(empty, number, f"{number} {field.unit}".strip())
        case (kind, str()) if kind in TEXTS and _is_formed(kind, value):
            text = redacted(value.strip())
            return _with(empty, text, one_line(text, 1_000)) if text else empty
        case ("drop_down", str()) | ("labels", str() | list()):
            return _chosen(deps, field, empty, names)
        case ("users", str() | list()):
            return await _people(deps, client, empty, names)
        case _:
            called = one_line(field.value.name, 80)
            takes = TAKES[field.value.kind]
            why = message("refused.task_fields.takes", field=called, takes=takes)
            raise Refused(why, reason="field_value")


def _with(empty: FieldValue, value: str, shown: str) -> FieldValue:
    return empty.model_copy(update={"values": (value,), "shown": shown})


def _is_formed(kind: str, text: str) -> bool:
    """Whether an address or number has the form that ClickUp demands."""
    text = text.strip()
    match kind:
        case "url":
            return parsed(text) is not None
        case "email":
            return len(text.split()) == 1 and 0 < text.find("@") < len(text) - 1
        case "phone":
            return text.startswith("+") and any(map(str.isdigit, text))
        case _:
            return True


def _chosen(
    deps: Deps, field: TaskCustomField, empty: FieldValue, names: Sequence[str]
) -> FieldValue | Ask:
    """Return the field with the options of these names, or ask which one is meant."""
    chosen: dict[str, FieldOption] = {}
    for name in names:
        named = find_named(deps, name, field.options)
        option = only(named)
        if option is None:
            called, hint = one_line(field.value.name, 80), one_line(name, 60)
            question = message("task_fields.choose_option", field=called, hint=hint)
            return ask_which(question, as_choices("option", named.things or field.options))
        chosen[option.id] = option
    shown = one_line(", ".join(one.name for one in chosen.values()), 1_000)
    return empty.model_copy(update={"values": tuple(chosen), "shown": shown})


async def _people(
    deps: Deps, client: Client, empty: FieldValue, names: Sequence[str]
) -> FieldValue | Ask:
    people: dict[str, str] = {}
    for name in names:
        person = await find_holder(deps, name, client)
        if isinstance(person, Ask):
            return person
        if person:
            people[str(person.id)] = person.shown
    shown = one_line(", ".join(people.values()), 1_000)
    return empty.model_copy(update={"values": tuple(people), "shown": shown})
