"""Completes a change of a record with whom it is of and with what is stored."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, TypeVar

from pydantic import TypeAdapter

from agencyclaw.deps import Deps
from agencyclaw.domain.clients import Named
from agencyclaw.domain.errors import Refused
from agencyclaw.domain.messages import message
from agencyclaw.domain.records import Fields, SetRecord, label_of
from agencyclaw.tools.clients import find_client
from agencyclaw.tools.lacking import Lacking
from agencyclaw.tools.markets import brand_meant, market_meant
from agencyclaw.tools.people import find_member
from agencyclaw.tools.results import Ask

C = TypeVar("C", bound=SetRecord[Any])


async def record_change(
    deps: Deps,
    kind: type[C],
    key: Mapping[str, Any],
    fields: Mapping[str, object],
    emptied: Collection[str] = (),
) -> C | Ask:
    """Return a change of the record of a key, or the question what is meant.

    In `key`, a client, a brand, a marketplace and people are what the person called them, or None.
    The rest is as in `with_stored`.
    """
    found, lacking = dict(key), Lacking()
    if "brand" in key:
        of = await brand_meant(deps, key["client"] or "", key["brand"])
        if isinstance(of, Ask):
            return of
        client, brand = of
        found |= {"client": client.client.named, "brand": brand.named}
        if "marketplace" in key:
            found["marketplace"] = market_meant(brand, key["marketplace"], lacking)
    elif "client" in key:
        client = await find_client(deps, key["client"] or "")
        if isinstance(client, Ask):
            return client
        found["client"] = client.client.named
    # In the order of the key: so are the questions.
    for name in (one for one in key if one not in ("client", "brand")):
        if kind.model_fields[name].annotation is Named:
            question = f"Which {label_of(name).lower()} do you mean?"
            if key[name]:
                found[name] = await lacking.settle(find_member(deps, key[name], question))
            else:
                lacking.found(Ask(question=question))
    if lacking:
        return lacking.as_ask()
    return await with_stored(deps, kind(**found), fields, emptied)


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
    return change.model_copy(update={"before": before, "after": after})


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
