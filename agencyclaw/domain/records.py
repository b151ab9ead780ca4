"""Records that people change through the assistant; each kind is declared once, in one class.

Card, audit, receipt and undo come from the declaration; `agencyclaw/proposals/records.py` carries
every kind out, and `agencyclaw/store/records.py` writes it.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, ClassVar, Generic, Self, TypeVar, cast
from uuid import UUID

from pydantic.fields import FieldInfo

from agencyclaw.domain.changes import Change, ClientChange, Preview
from agencyclaw.domain.clients import Named
from agencyclaw.domain.days import spoken_day
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Tier, Value

Held = TypeVar("Held")
_NONE = message("records.none")


@dataclass(frozen=True)
class NotWritten:
    """Why a record was not written; `renewed` is the same request for the present record."""

    message: str
    reason: str = "changed_since"
    renewed: Change | None = None


def brand_lost(brand: Named) -> NotWritten:
    """Return that nothing is written of a brand that is archived or gone."""
    return NotWritten(message("records.brand_lost", brand=brand.name), reason="brand_lost")


def changed_since(why: str, renewed: Change | None) -> NotWritten:
    """Return that a record has changed since its card; without `renewed`, the person asks again."""
    if renewed is None:
        why = message("outcomes.ask_again_new_proposal", why=why)
    return NotWritten(why, renewed=renewed)


class RecordChange(Change, Generic[Held]):
    """A change of one record: created, changed or removed.

    `sides` names the fields that have its contents before and after; "" where there is no record.
    """

    sides: ClassVar[tuple[str, str]] = ("before", "after")

    @property
    def was(self) -> Held | None:
        """The record's contents on the card."""
        return getattr(self, self.sides[0], None)

    @property
    def becomes(self) -> Held | None:
        """The record's contents afterwards."""
        return getattr(self, self.sides[1], None)

    @property
    def person_id(self) -> UUID | None:
        """The only person who may change it; None if rights decide."""
        return None

    @property
    def of_brand(self) -> Named | None:
        """The brand of its client that it is about; None if it is about none."""
        return None

    def conflict(self, now: Held | None) -> NotWritten | None:
        """Return why it can't be written over the present contents; None if it can."""
        return None if now == self.was else self.changed(now)

    @abstractmethod
    def changed(self, now: Held | None) -> NotWritten:
        """Return that the record no longer is as the card showed."""
        ...

    def not_written(self, now: Held | None) -> NotWritten:
        """Return why it could not be written although it was as the card showed."""
        return self.changed(now)

    @abstractmethod
    def audited(self, held: Held | None) -> dict[str, Any] | None:
        """Return what the audit stores of the record."""
        ...

    def result(self, now: Held | None, row_id: str) -> dict[str, Any]:
        """Return `before` and `after` for the audit, after row `row_id` was written over `now`."""
        _ = row_id
        return {"before": self.audited(now), "after": self.audited(self.becomes)}

    @abstractmethod
    def receipt(self) -> str:
        """Say what was changed."""
        ...

    def reverse(self) -> Change | None:
        """Return the reverse change; None if there is none."""
        return None

    def undone(self, result: Mapping[str, Any], by: str) -> Change | None:
        """Return the reverse of a completed change with this `result`, which `by` confirmed."""
        _ = result, by
        return self.reverse()


class Fields(Value):
    """The contents of a record. The `title` of a field is its label."""

    def rows(self, none: str = "") -> tuple[tuple[str, str], ...]:
        """Return label and value of each field as people read them; unset ones only with `none`."""
        rows: list[tuple[str, str]] = []
        for name, info in type(self).model_fields.items():
            text = worded(getattr(self, name)) or none
            if text:
                rows.append((label_of(name, info.title), text))
        return tuple(rows)

    def differing(self, other: Self | None) -> dict[str, Any]:
        """Return the fields in which another record, or None, differs; references by their id."""
        return {
            name: getattr(self, name)
            for name, info in type(self).model_fields.items()
            if stored(getattr(self, name)) != stored(getattr(other, name, info.default))
        }

    def changes(self, after: Self) -> tuple[tuple[str, str], ...]:
        """Return label and both values of the fields that `after` changes."""
        rows = zip(type(self).model_fields, self.rows(_NONE), after.rows(_NONE), strict=True)
        changed = after.differing(self)
        return tuple(
            (label, f"{before} → {new}")
            for name, (label, before), (_, new) in rows
            if name in changed
        )

    def __str__(self) -> str:
        """Return it in one line."""
        return ", ".join(f"{name} {value}" for name, value in self.rows()) or _NONE


HeldFields = TypeVar("HeldFields", bound=Fields)


class FieldsChange(RecordChange[HeldFields], Generic[HeldFields]):
    """Sets the fields of a record; without `before` it is new, without `after` it is removed.

    `noun` is what such a record is called, `set_verb` what its button says.
    """

    done: ClassVar[str] = "set"
    noun: ClassVar[str]
    set_verb: ClassVar[str] = message("records.set")

    before: HeldFields | None = None
    after: HeldFields | None = None

    @property
    @abstractmethod
    def keys(self) -> dict[str, Any]:
        """Its identity by field name."""
        ...

    @property
    def verb(self) -> str:
        """What is done with it, as on a button."""
        return self.set_verb if self.after else message("records.remove")

    @property
    def label(self) -> str:
        """The kind and name of the record."""
        return f"{self.noun} {', '.join(map(worded, self.keys.values()))}"

    def wanted(self) -> dict[str, Any]:
        """Return the fields that change, with their new values."""
        return self.after.differing(self.before) if self.after else {}

    def prose(self) -> dict[str, str]:
        """Return the free texts that change, by label: each plain `str` without a pattern."""
        declared = type(self.after).model_fields if self.after else {}
        return {
            label_of(name, declared[name].title): value
            for name, value in self.wanted().items()
            if declared[name].annotation is str and value and not _has_pattern(declared[name])
        }

    def onto(self, now: HeldFields | None) -> Self | None:
        """Return the same request for the present record; None if nothing remains of it."""
        if self.after is None:
            return None
        after = (now or self.after).model_copy(update=self.wanted())
        return self.model_copy(update={"before": now, "after": after}) if after != now else None

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """Label and value of whom and what it is of."""
        client = {"client": self.client} if isinstance(self, ClientChange) else {}
        return tuple(
            (label_of(name), worded(value)) for name, value in (client | self.keys).items()
        )

    def preview(self) -> Preview:
        """Return the record's name, and the fields that change from what to what."""
        if self.before and self.after:
            fields = self.before.changes(self.after)
        else:
            held = self.after or self.before
            fields = held.rows() if held else ()
        return Preview(
            headline=f"{self.verb}: {self.label}",
            verb=self.verb,
            where=message("records.where"),
            fields=(*self.facts, *fields),
        )

    def changed(self, now: HeldFields | None) -> NotWritten:
        """Say what it has now."""
        why = message("records.changed_since", label=self.label, now=now or _NONE)
        return changed_since(why, self.onto(now))

    def audited(self, held: HeldFields | None) -> dict[str, Any]:
        """Return identity and contents, with ids and names."""
        names = {name: worded(value) for name, value in self.keys.items() if hasattr(value, "id")}
        keys = {
            f"{name}_id" if name in names else name: str(stored(value))
            for name, value in self.keys.items()
        }
        return keys | names | {self.noun: held.model_dump(mode="json") if held else None}

    def receipt(self) -> str:
        """Say what it has now, and what it had before."""
        before, after = self.before or _NONE, self.after or _NONE
        return message("records.receipt", label=self.label, after=after, before=before)

    def reverse(self) -> Self:
        """Return the change back to the previous values."""
        return self.model_copy(update={"before": self.after, "after": self.before})


@dataclass(frozen=True)
class Record:
    """How records of a kind are identified and stored.

    `key` names the effect's fields that identify a record. A column has its field's name, with
    `_id` for a client, brand or person; `columns` has the exceptions. A table also has `id`,
    `active`, `created_by`, `updated_by` and `updated_at`. Those of a kind with a `plural`, such as
    "days off", can be listed, imported and exported by that name.
    """

    holds: type[Fields]
    table: str
    key: tuple[str, ...]
    columns: Mapping[str, str] = field(default_factory=dict[str, str])
    plural: str = ""


class SetRecord(FieldsChange[HeldFields], Generic[HeldFields]):
    """A change of a record that is a row of its own table; its `skill` is its `kind` by default."""

    record: ClassVar[Record]

    @classmethod
    def __pydantic_init_subclass__(cls, **_: Any) -> None:
        """Name the tool that prepares it as its kind."""
        if "kind" in cls.model_fields and not hasattr(cls, "skill"):
            cls.skill = cls.model_fields["kind"].default

    @classmethod
    def readers(cls) -> Tier:
        """Return who may see such records: of their clients members, else who may change them."""
        return Tier.MEMBER if issubclass(cls, ClientChange) else cls.tier

    @classmethod
    def columns(cls) -> dict[str, str]:
        """Return the column of each field, of its key and of its contents."""
        own = {
            name: f"{name}_id" if cls.model_fields[name].annotation is Named else name
            for name in cls.record.key
        }
        held = {name: name for name in cls.record.holds.model_fields}
        return {name: cls.record.columns.get(name, own) for name, own in (own | held).items()}

    @property
    def keys(self) -> dict[str, Any]:
        """Its identity by field name."""
        return {name: getattr(self, name) for name in self.record.key}

    @property
    def of_brand(self) -> Named | None:
        """The brand in its key, if there is one."""
        return self.keys.get("brand")

    @property
    def entity(self) -> str:
        """The row."""
        return ":".join((self.record.table, *(str(stored(key)) for key in self.keys.values())))


RecordT = TypeVar("RecordT", bound=SetRecord[Any])
RecordT_co = TypeVar("RecordT_co", bound=SetRecord[Any], covariant=True)


@dataclass(frozen=True)
class StoredRecord(Generic[RecordT_co]):
    """A record in force: what identifies it, with names, what it holds, and who recorded it when.

    `key` is the change that removes it, so `key.client.name` is a name and `key.day` a day.
    """

    key: RecordT_co
    by: str
    since: datetime

    @property
    def held(self: StoredRecord[SetRecord[HeldFields]]) -> HeldFields:
        """Its contents."""
        return cast("HeldFields", self.key.before)


def stored(value: object) -> object:
    """Return a value as a column holds it: a reference by its id."""
    return getattr(value, "id", value)


def worded(value: object) -> str:
    """Return a field's value as a person reads it; "" for None."""
    match value:
        case None:
            return ""
        case date():
            return spoken_day(value)
        case tuple():
            return ", ".join(map(worded, value))  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
        case _:
            return str(getattr(value, "name", value))


def _has_pattern(info: FieldInfo) -> bool:
    """Return whether a field holds a code and no text."""
    return any(getattr(one, "pattern", None) for one in info.metadata)


def label_of(name: str, title: str | None = None) -> str:
    """Return a field's label: its title, else its name as words."""
    return title or name.replace("_", " ").capitalize()
