"""Records that are declared in full: they say themselves which table they write and who may."""

from __future__ import annotations

from typing import Any, get_args

from agencyclaw.domain.effects import Effect
from agencyclaw.domain.records import SetRecord

RECORDS: dict[str, type[SetRecord[Any]]] = {
    one.model_fields["kind"].default: one
    for one in get_args(get_args(Effect)[0])
    if issubclass(one, SetRecord)
}
