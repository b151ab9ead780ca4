"""The kinds of records that people change, each declared in a module here.

Every module is imported, so that a new kind is known without being listed.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, Union

from agencyclaw.domain.records import SetRecord


def _declared() -> Iterator[type[SetRecord[Any]]]:
    for found in iter_modules(__path__):
        module = import_module(f"{__name__}.{found.name}")
        for one in vars(module).values():
            if isinstance(one, type) and issubclass(one, SetRecord) and "kind" in one.model_fields:
                yield one


RECORD_KINDS = tuple(dict.fromkeys(_declared()))
LISTED_RECORDS = tuple(kind for kind in RECORD_KINDS if kind.record.plural)

# Pydantic tells them apart by their `kind`; for the types, each is a change of some record.
if TYPE_CHECKING:
    AnyRecord = SetRecord[Any]
    ImportedRecord = SetRecord[Any]
else:
    AnyRecord = Union[RECORD_KINDS]  # noqa: UP007 - a tuple has no |
    ImportedRecord = Union[LISTED_RECORDS]  # noqa: UP007 - a tuple has no |
