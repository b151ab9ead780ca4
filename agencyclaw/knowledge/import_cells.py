"""What the cells of a CSV line mean, and what is wrong with one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, TypeVar, get_args

from pydantic import ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from agencyclaw.domain.brands import ABOUT_FIELDS, ABOUT_LIMIT, ClickUpPlace
from agencyclaw.domain.clients import Brand, Client, SpaceRecord
from agencyclaw.domain.errors import Refused
from agencyclaw.domain.imports import FaultyLine
from agencyclaw.domain.messages import message
from agencyclaw.domain.records import Fields, worded
from agencyclaw.domain.tasks import ListRef
from agencyclaw.domain.team import email_address
from agencyclaw.domain.text import folded, one_line
from agencyclaw.knowledge.csv_files import RecordLine

_TEXT_LIMIT = 2_000
F = TypeVar("F", bound=Fields)
C = TypeVar("C", Client, Brand)
T = TypeVar("T", SpaceRecord, ListRef)


class FaultyCell(Refused):
    """A line can't be imported because of what it has in this column."""

    def __init__(self, column: str, why: str) -> None:
        super().__init__(why, reason="faulty_cell")
        self.column = column


def email_in(cell: str) -> str:
    """Return an e-mail address in lower case; raises FaultyCell."""
    address = email_address(cell)
    if address is None:
        raise FaultyCell("email", message("refused.team.bad_email", text=one_line(cell, 80)))
    return address


def name_in(line: RecordLine) -> str:
    """Return the name on a line; raises FaultyCell if there is none."""
    name = one_line(line.cells.get("name", ""), 200)
    if not folded(name):
        raise FaultyCell("name", message("imports.empty"))
    return name


def filled(line: RecordLine, base: F, values: Mapping[str, Any]) -> F:
    """Return a record with the filled cells of a line; raises ValidationError or FaultyCell.

    An empty cell leaves what there is, and so does one whose text differs in its line breaks alone.
    """
    texts = _texts(line, type(base))
    changed = {
        name: value
        for name, value in {**texts, **values}.items()
        if texts.get(name) != one_line(cell_of(getattr(base, name)), _TEXT_LIMIT)
    }
    for name in ABOUT_FIELDS:
        if len(changed.get(name, "")) > ABOUT_LIMIT:
            raise FaultyCell(name, message("imports.too_long", most=ABOUT_LIMIT))
    return type(base).model_validate({**base.model_dump(), **_values_of(type(base), changed)})


def first_filled(line: RecordLine, holds: type[F], values: Mapping[str, Any]) -> F:
    """Return a new record with the cells of a line; raises ValidationError or FaultyCell."""
    return holds.model_validate(_values_of(holds, {**_texts(line, holds), **values}))


def cell_of(value: object) -> str:
    """Return a field's value as a cell that is read again."""
    return value.isoformat() if isinstance(value, date) else worded(value)


def value_of(field: FieldInfo, name: str, cell: object) -> object:
    """Return a cell for its field; raises FaultyCell for a day that is not in ISO form.

    A day in digits alone would be taken for a timestamp.
    """
    if not (isinstance(cell, str) and date in (field.annotation, *get_args(field.annotation))):
        return cell
    try:
        return date.fromisoformat(cell)
    except ValueError:
        raise FaultyCell(name, message("imports.no_day", text=one_line(cell, 20))) from None


def _values_of(holds: type[Fields], values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value_of(holds.model_fields[name], name, value) for name, value in values.items()}


def _texts(line: RecordLine, holds: type[Fields]) -> dict[str, str]:
    """Return the cells of a record's fields; ClickUp's places are looked up instead."""
    return {
        name: one_line(cell, _TEXT_LIMIT)
        for name, cell in line.cells.items()
        if name in holds.model_fields and name not in ("space", "board")
    }


def fault_of(line: RecordLine, error: FaultyCell | ValidationError) -> FaultyLine:
    """Return what is wrong with a line."""
    if isinstance(error, FaultyCell):
        return line.fault(error.message, error.column)
    first = error.errors()[0]
    return line.fault(_why(first), str(first["loc"][0]))


def _why(error: ErrorDetails) -> str:
    context, text = error.get("ctx", {}), one_line(str(error["input"]), 60)
    match error["type"]:
        case "literal_error":
            expected = str(context["expected"]).replace("'", "")
            return message("imports.one_of", expected=expected, text=text)
        case "less_than_equal":
            return message("imports.too_much", most=context["le"], text=text)
        case "string_too_long":
            return message("imports.too_long", most=context["max_length"])
        case "string_too_short":
            return message("imports.empty")
        case _:
            return message("imports.unreadable", text=text)


def require_same(before: Fields, after: Fields, name: str, allowed: Sequence[str] = ()) -> None:
    """Raise FaultyCell if a field differs that has a change of its own."""
    value = getattr(after, name)
    if getattr(before, name) != value and value not in allowed:
        raise FaultyCell(name, message("imports.not_by_file"))


def called(name: str, things: Sequence[C]) -> C | None:
    """Return the client or brand of this whole name."""
    return next((one for one in things if folded(one.name) == folded(name)), None)


def the_one(name: str, things: Sequence[T], column: str) -> T:
    """Return the only space or list of an id or a whole name."""
    fitting = [one for one in things if name == one.id or folded(name) == folded(one.name)]
    exact = [one for one in fitting if one.id == name] or fitting
    shown = one_line(name, 80)
    if not exact:
        raise FaultyCell(column, message("imports.not_in_clickup", text=shown))
    if len(exact) > 1:
        raise FaultyCell(column, message("imports.several", text=shown))
    return exact[0]


def place_named(place_id: str | None, names: Mapping[str, str]) -> ClickUpPlace | None:
    """Return a stored space or list; one without a known name is called by its id."""
    return ClickUpPlace(id=place_id, name=names.get(place_id, place_id)) if place_id else None
