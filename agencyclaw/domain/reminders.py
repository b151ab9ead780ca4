"""Reminders: a person's own words, sent to them at a time they chose."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Annotated, Any, ClassVar, Literal
from uuid import UUID

from pydantic import Field

from agencyclaw.domain.changes import EffectScope, Preview
from agencyclaw.domain.clients import Named
from agencyclaw.domain.days import spoken_day
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Tier
from agencyclaw.domain.records import NotWritten, RecordChange
from agencyclaw.domain.remembering import Forget
from agencyclaw.domain.schedules import Reminder, StoredReminder
from agencyclaw.domain.text import cut, digest, folded

REMINDERS_AT_MOST = 50
# Later than this, a reminder says when it was planned.
LATE = timedelta(minutes=5)


class ReminderChange(RecordChange[Reminder]):
    """A change of a reminder of `person`, and of nobody else's."""

    scope: ClassVar[EffectScope] = EffectScope.OWN

    person: Named
    reminder: Reminder

    @property
    def person_id(self) -> UUID:
        """The person who is reminded."""
        return self.person.id

    @property
    def clients(self) -> tuple[Named, ...]:
        """None: it is a person's own."""
        return ()

    @property
    def label(self) -> str:
        """Its words."""
        return cut(self.reminder.words, 120)

    @property
    def entity(self) -> str:
        """The person, the words and the time."""
        what = [folded(self.reminder.words), *self.reminder.timing.pattern]
        return f"reminder:{self.person.id}:{digest(what)[:16]}"

    @property
    def subject(self) -> str:
        """The person and the words, whenever it comes."""
        return f"reminder:{self.person.id}:{digest(folded(self.reminder.words))[:16]}"

    def audited(self, held: Reminder | None) -> dict[str, Any] | None:
        """Return the person and the reminder."""
        return {"person": self.person.name, **held.model_dump(mode="json")} if held else None

    def result(self, now: Reminder | None, row_id: str) -> dict[str, Any]:
        """Return the reminder's id as well."""
        return {"reminder_id": row_id, **super().result(now, row_id)}

    def _same(self) -> dict[str, Any]:
        return self.model_dump(include={"person", "reminder", "timezone"})


class SetReminder(ReminderChange):
    """Sets a reminder; with `reminder_id` it restores an ended one."""

    kind: Literal["set_reminder"] = "set_reminder"
    skill: ClassVar[str] = "remind"
    tier: ClassVar[Tier] = Tier.MEMBER
    done: ClassVar[str] = "set"
    incidental: ClassVar[frozenset[str]] = ReminderChange.incidental | {"first"}
    sides: ClassVar[tuple[str, str]] = ("", "reminder")

    reminder_id: UUID | None = None
    first: date | None = None
    remarks: tuple[Annotated[str, Field(max_length=300)], ...] = ()

    def preview(self) -> Preview:
        """Return its words, and when it comes."""
        is_again = self.reminder.timing.every != "once"
        first = (("First", spoken_day(self.first)),) if self.first and is_again else ()
        return Preview(
            headline=message("reminders.remind_you", words=self.reminder.words),
            verb="Set reminder",
            where=message("reminders.where"),
            fields=(("When", str(self.reminder.timing)), *first, ("Sent to", "you alone")),
            missing=self.remarks,
        )

    def prose(self) -> dict[str, str]:
        """Its words."""
        return {"Reminder": self.reminder.words}

    def changed(self, now: Reminder | None) -> NotWritten:
        """Say that it is set already."""
        _ = now
        return NotWritten(message("reminders.set_already"), "kept_already")

    def not_written(self, now: Reminder | None) -> NotWritten:
        """Say that its time has passed."""
        _ = now
        return NotWritten(message("reminders.has_passed"), "has_passed")

    def receipt(self) -> str:
        """Say when it comes, and where it can be seen."""
        return message("reminders.ill_remind_you", timing=self.reminder.timing, label=self.label)

    def undone(self, result: Mapping[str, Any], by: str) -> EndReminder | None:
        """Return the change that ends the reminder."""
        _ = by
        if result.get("reminder_id") is None:
            return None
        return EndReminder(**self._same(), reminder_id=result["reminder_id"])


class EndReminder(ReminderChange, Forget):
    """Ends a reminder; `reminder_id` is the stored one."""

    kind: Literal["end_reminder"] = "end_reminder"
    sides: ClassVar[tuple[str, str]] = ("reminder", "")

    reminder_id: UUID

    @classmethod
    def of(cls, kept: StoredReminder, person: Named, timezone: str) -> EndReminder:
        """Return the change that ends a stored reminder."""
        reminder = Reminder(words=kept.words, timing=kept.timing)
        return cls(person=person, reminder=reminder, reminder_id=kept.id, timezone=timezone)

    def preview(self) -> Preview:
        """Return its words, and when it came."""
        return Preview(
            headline=message("reminders.end", words=self.reminder.words),
            verb="End reminder",
            where=message("reminders.where"),
            fields=(("When", str(self.reminder.timing)),),
        )

    def changed(self, now: Reminder | None) -> NotWritten:
        """Say that it has ended."""
        _ = now
        return NotWritten(message("reminders.ended_already"), "gone")

    def receipt(self) -> str:
        """Say that it has ended."""
        return message("reminders.ended", label=self.label)

    def reverse(self) -> SetReminder:
        """Return the change that restores the reminder."""
        return SetReminder(**self._same(), reminder_id=self.reminder_id)
