"""What arguments take: limits of their types, and nothing that stands for something else."""

from __future__ import annotations

from collections.abc import Iterator
from inspect import isclass
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError

from agencyclaw.tools import TOOLS


def numbers_in(hint: Any) -> Iterator[Any]:
    """Every type of a number in an argument's type, at any depth; not beside a bool."""
    if isclass(hint) and issubclass(hint, BaseModel):
        for field in hint.model_fields.values():
            hints = (field.annotation, *field.metadata)
            yield from numbers_in(Annotated[hints] if field.metadata else field.annotation)
    parts = get_args(hint)
    whole = parts[0] if get_origin(hint) is Annotated else hint
    if whole in (int, float):
        yield hint
    elif bool not in parts:
        for part in parts:
            yield from numbers_in(part)


@pytest.mark.parametrize("name", TOOLS)
def test_no_number_is_read_from_true(name: str) -> None:
    hints = get_type_hints(TOOLS[name].function, include_extras=True)
    arguments = [hint for of, hint in hints.items() if of not in ("ctx", "return")]
    for number in (one for hint in arguments for one in numbers_in(hint)):
        with pytest.raises(ValidationError):
            TypeAdapter[Any](number).validate_python(True)
