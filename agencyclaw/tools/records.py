"""Completes a change of a record with what is stored."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, TypeVar

from pydantic import TypeAdapter

from agencyclaw.deps import Deps
from agencyclaw.domain.errors import Refused
from agencyclaw.domain.messages import message
from agencyclaw.domain.records import Fields, SetRecord, label_of

C = TypeVar("C", bound=SetRecord[Any])


async def with_stored(
    deps: Deps, change: C, fields: Mapping[str, object], emptied: Collection[str] = ()
) -> C:
    """Return a change with the record's contents as they are and as these fields make them.

    A field that is None keeps its value, or has its default if it is `emptied`; without any other
    the record is removed. Raises Refused if nothing changes, and for a new record that lacks a
    field.
    """
    before = await deps.directory.record(change)
    holds = change.record.holds
    defaults = {name: holds.model_fields[name].default for name in emptied}
    after = _with_fields(holds, before and before.model_copy(update=defaults), fields)
    if before == after:
        if before:
            raise Refused(message("refused.records.no_changes"), reason="no_changes")
        raise Refused(message("refused.records.no_record"), reason="no_changes")
    return change.model_copy(
        update={"before": before, "after": after, "timezone": deps.actor.timezone}
    )


def _with_fields(
    holds: type[Fields], before: Fields | None, fields: Mapping[str, object]
) -> Fields | None:
    """Return the contents afterwards; what is kept may be longer than is allowed by now."""
    set_to: dict[str, Any] = {
        name: TypeAdapter(holds.model_fields[name].rebuild_annotation()).validate_python(value)
        for name, value in fields.items()
        if value is not None
    }
    if not set_to:
        return None
    if before:
        return before.model_copy(update=set_to)
    for name, info in holds.model_fields.items():
        if info.is_required() and name not in set_to:
            words = message("refused.records.lacks", label=label_of(name, info.title))
            raise Refused(words, reason="lacks_a_field")
    return holds(**set_to)
