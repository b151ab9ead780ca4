"""Two kinds of records as a developer would declare them, and records of any kind with samples."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, ClassVar, Literal, TypeVar

from pydantic import Field, TypeAdapter, ValidationError

from agencyclaw.domain.changes import ClientChange
from agencyclaw.domain.clients import Named
from agencyclaw.domain.marketplaces import Marketplace
from agencyclaw.domain.people import Tier
from agencyclaw.domain.records import Fields, Record, SetRecord
from agencyclaw.store.demo_agency import brand_id, client_id, person_id

GLINTLY = Named(id=client_id("Glintly Inc"), name="Glintly Inc")
GLINTLYS = Named(id=brand_id("Glintly Inc", "Glintly"), name="Glintly")
YUKI = Named(id=person_id("Yuki Tan"), name="Yuki Tan")


class Leave(Fields):
    """What is recorded of somebody's leave."""

    reason: Annotated[str, Field(max_length=200, title="Why")]


class SetLeave(SetRecord[Leave], ClientChange):
    """A day on which somebody does not work for a client."""

    kind: Literal["set_leave"] = "set_leave"
    tier: ClassVar[Tier] = Tier.ADMIN
    noun: ClassVar[str] = "leave"
    record: ClassVar[Record] = Record(
        Leave, table="leaves", key=("client", "person", "day"), plural="leaves"
    )

    person: Named
    day: date


class Shortage(Fields):
    """What is recorded of a shortage."""

    units: int
    is_known: bool = False


class SetShortage(SetRecord[Shortage], ClientChange):
    """Too little of a brand's stock in a marketplace."""

    kind: Literal["set_shortage"] = "set_shortage"
    tier: ClassVar[Tier] = Tier.MEMBER
    noun: ClassVar[str] = "shortage"
    record: ClassVar[Record] = Record(
        Shortage, table="shortages", key=("brand", "marketplace"), plural="shortages"
    )

    brand: Named
    marketplace: Marketplace


MADE_UP: tuple[type[SetRecord[Any]], ...] = (SetLeave, SetShortage)
_REFERRED = {"client": GLINTLY, "brand": GLINTLYS}
_VALUES = (date(2026, 12, 1), 5, True, "USD", "US", "monthly", "C0")
C = TypeVar("C", bound=SetRecord[Any])


def sample(kind: type[C]) -> C:
    """Return a change of any kind that sets a new record of Glintly, with made-up values."""
    names = {"client", *kind.record.key} & kind.model_fields.keys()
    key = {name: _value(name, kind) for name in names}
    held = {name: _value(name, kind.record.holds) for name in kind.record.holds.model_fields}
    return kind(**key, after=kind.record.holds(**held))


def _value(name: str, of: type[SetRecord[Any] | Fields]) -> Any:
    info = of.model_fields[name]
    if info.annotation is Named:
        return _REFERRED.get(name, YUKI)
    accepts = TypeAdapter[Any](info.rebuild_annotation())
    return next(value for value in _VALUES if _is_valid(accepts, value))


def _is_valid(accepts: TypeAdapter[Any], value: object) -> bool:
    try:
        accepts.validate_python(value)
    except ValidationError:
        return False
    return True
