"""Adjustments of schedules: paused, resumed or thinned out, by their owner or an admin."""

from __future__ import annotations

from typing import ClassVar, Literal, Self
from uuid import UUID

from agencyclaw.domain.changes import Change, EffectScope, Preview
from agencyclaw.domain.clients import Named
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Tier
from agencyclaw.domain.records import NotWritten
from agencyclaw.domain.schedule_changes import ScheduleChange
from agencyclaw.domain.schedules import Adjustment, Schedule, StoredSchedule


class ChangeTiming(ScheduleChange):
    """Pauses a schedule, resumes it, or lets it come less often; `after` is what it becomes."""

    skill: ClassVar[str] = "ask_regularly"
    tier: ClassVar[Tier] = Tier.MEMBER
    sides: ClassVar[tuple[str, str]] = ("schedule", "after")

    schedule_id: UUID
    after: Schedule

    @classmethod
    def of(
        cls, kept: StoredSchedule, adjustment: Adjustment, person: Named, timezone: str
    ) -> Self | None:
        """Return the change that adjusts a stored schedule; None if it can't be."""
        schedule = kept.contents
        after = schedule.adjusted(adjustment)
        if after is None:
            return None
        return cls(
            person=person, schedule=schedule, after=after, schedule_id=kept.id, timezone=timezone
        )

    def preview(self) -> Preview:
        """Return its words, and what becomes of it."""
        return Preview(
            headline=self.receipt(),
            verb="Change",
            where=message("reminders.where"),
            fields=(("When", self.after.comes),),
        )

    def changed(self, now: Schedule | None) -> NotWritten:
        """Say that it is no longer as it was."""
        if now is None:
            return NotWritten(message("reminders.ended_already"), "gone")
        return NotWritten(message("schedules.changed_meanwhile"))

    def receipt(self) -> str:
        """Say what became of it."""
        is_paused_now = self.after.is_paused and not self.schedule.is_paused
        return message("schedules.paused", label=self.label) if is_paused_now else self.after.spoken

    def reverse(self) -> Change:
        """Return the change that puts it back."""
        return self.model_copy(update={"schedule": self.after, "after": self.schedule})


class AdjustSchedule(ChangeTiming):
    """Adjusts one's own schedule."""

    kind: Literal["adjust_schedule"] = "adjust_schedule"


class AdjustForAnother(ChangeTiming):
    """Adjusts somebody else's schedule, which admins may."""

    kind: Literal["adjust_for_another"] = "adjust_for_another"
    tier: ClassVar[Tier] = Tier.ADMIN
    scope: ClassVar[EffectScope] = EffectScope.AGENCY

    @property
    def person_id(self) -> UUID | None:
        """None: whoever is an admin may."""
        return None
