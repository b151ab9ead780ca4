"""Completes a change of a record with what is stored."""

from __future__ import annotations

from typing import Any, TypeVar

from agencyclaw.deps import Deps
from agencyclaw.domain.errors import Refused
from agencyclaw.domain.messages import message
from agencyclaw.domain.records import SetRecord

C = TypeVar("C", bound=SetRecord[Any])


async def with_stored(deps: Deps, change: C) -> C:
    """Return a change with the record's present contents; raises Refused if nothing changes.

    Fields that `after` was built without keep their present value.
    """
    before, after = await deps.directory.record(change), change.after
    if before and after:
        named = {name: getattr(after, name) for name in after.model_fields_set}
        after = before.model_copy(update=named)
    if before == after:
        if before:
            raise Refused(message("refused.records.no_changes"), reason="no_changes")
        raise Refused(message("refused.records.no_record"), reason="no_changes")
    return change.model_copy(
        update={"before": before, "after": after, "timezone": deps.actor.timezone}
    )
