"""Changes of schedules: reminders and recurring questions, in a person's own words."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any, ClassVar, Literal
from uuid import UUID

from pydantic import Field

from agencyclaw.domain.changes import ConsentPolicy, EffectScope, Preview
from agencyclaw.domain.clients import Named
from agencyclaw.domain.days import spoken_day
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Tier, stored_as
from agencyclaw.domain.records import NotWritten, RecordChange
from agencyclaw.domain.remembering import Forget
from agencyclaw.domain.schedules import WORDS_LIMIT, Schedule, StoredSchedule, Work
from agencyclaw.domain.text import digest
from agencyclaw.domain.watches import Watch

SCHEDULES_AT_MOST = 50


class ScheduleChange(RecordChange[Schedule]):
    """A change of a schedule of `person`, and of nobody else's."""

    scope: ClassVar[EffectScope] = EffectScope.OWN

    person: Named
    schedule: Schedule = stored_as("reminder")

    @property
    def person_id(self) -> UUID | None:
        """The person whose schedule it is."""
        return self.person.id

    @property
    def clients(self) -> tuple[Named, ...]:
        """None: it is a person's own."""
        return ()

    @property
    def label(self) -> str:
        """Its words."""
        return self.schedule.label

    @property
    def entity(self) -> str:
        """The person, what it is about, and the time."""
        return f"{self._family}:{digest(self.schedule.pattern)[:16]}"

    @property
    def subject(self) -> str:
        """The person and what it is about, whenever it comes."""
        return f"{self._family}:{digest(self.schedule.about)[:16]}"

    @property
    def _family(self) -> str:
        return f"{self.schedule.work.noun}:{self.person.id}"

    def audited(self, held: Schedule | None) -> dict[str, Any] | None:
        """Return the person and the schedule."""
        return {"person": self.person.name, **held.model_dump(mode="json")} if held else None

    def result(self, now: Schedule | None, row_id: str) -> dict[str, Any]:
        """Return the schedule's id as well."""
        return {"reminder_id": row_id, **super().result(now, row_id)}

    def _same(self) -> dict[str, Any]:
        return {"person": self.person, "schedule": self.schedule, "timezone": self.timezone}


class SetSchedule(ScheduleChange):
    """Sets a schedule; with `schedule_id` it restores an ended one.

    `cost` is what one of its answers costs about, in words.
    """

    tier: ClassVar[Tier] = Tier.MEMBER
    done: ClassVar[str] = "set"
    incidental: ClassVar[frozenset[str]] = ScheduleChange.incidental | {"first", "cost"}
    sides: ClassVar[tuple[str, str]] = ("", "schedule")

    schedule_id: Annotated[UUID | None, stored_as("reminder_id")] = None
    first: date | None = None
    remarks: tuple[Annotated[str, Field(max_length=300)], ...] = ()
    cost: Annotated[str, Field(max_length=80)] = ""

    def changed(self, now: Schedule | None) -> NotWritten:
        """Say that it is set already."""
        _ = now
        noun = self.schedule.work.noun
        return NotWritten(message("schedules.set_already", noun=noun), "kept_already")

    def not_written(self, now: Schedule | None) -> NotWritten:
        """Say that its time has passed."""
        _ = now
        return NotWritten(message("reminders.has_passed"), "has_passed")

    def receipt(self) -> str:
        """Say what is set; a restored one comes as it came before, or is paused as it was."""
        return self.schedule.spoken if self.schedule_id else self._begun()

    @abstractmethod
    def _begun(self) -> str:
        """Say what happens from now on, and where it can be ended."""
        ...

    def undone(self, result: Mapping[str, Any], by: str) -> EndSchedule | None:
        """Return the change that ends the schedule."""
        _ = by
        if result.get("reminder_id") is None:
            return None
        return EndSchedule(**self._same(), schedule_id=result["reminder_id"])


class SetReminder(SetSchedule):
    """Sets a reminder."""

    kind: Literal["set_reminder"] = "set_reminder"
    skill: ClassVar[str] = "remind"

    def preview(self) -> Preview:
        """Return its words, and when it comes."""
        is_again = self.schedule.timing.every != "once"
        first = spoken_day(self.first) if self.first and is_again else ""
        return Preview(
            headline=message("reminders.remind_you", words=self.schedule.words),
            verb="Set reminder",
            where=message("reminders.where"),
            fields=(
                ("When", str(self.schedule.timing)),
                ("First", first),
                ("Sent to", message("effects.you_alone")),
            ),
            missing=self.remarks,
        )

    def prose(self) -> dict[str, str]:
        """Its words."""
        return {"Reminder": self.schedule.words}

    def _begun(self) -> str:
        return message("reminders.ill_remind_you", timing=self.schedule.timing, label=self.label)


class RecurringQuestion(SetSchedule):
    """Starts a recurring question.

    `second` is the date after `first`; `follows` are the words of the schedule that it comes after.
    """

    where: ClassVar[str] = message("reminders.where")
    skill: ClassVar[str] = "ask_regularly"
    by_itself: ClassVar[str] = message("schedules.tried_first")
    consent: ClassVar[ConsentPolicy] = ConsentPolicy.PRESS
    incidental: ClassVar[frozenset[str]] = SetSchedule.incidental | {"second", "follows"}

    second: date | None = None
    follows: Annotated[str, Field(max_length=WORDS_LIMIT)] = ""

    def preview(self) -> Preview:
        """Return its words, when and where it is answered, and what that costs."""
        dates = " and ".join(spoken_day(day) for day in (self.first, self.second) if day)
        return Preview(
            headline=message("schedules.answer_regularly", words=self.schedule.words),
            verb="Start",
            where=self.where,
            fields=(
                ("When", self.schedule.comes),
                ("After", message("schedules.follows", words=self.follows) if self.follows else ""),
                ("Next", dates),
                ("Cost", self.cost),
            ),
            missing=self.remarks,
        )

    def prose(self) -> dict[str, str]:
        """Its words."""
        return {"Question": self.schedule.words}

    def changed(self, now: Schedule | None) -> NotWritten:
        """Say that it is set already, or comes too soon after the same one."""
        if now and now.pattern != self.schedule.pattern:
            return NotWritten(message("schedules.too_near", timing=now.comes), "too_near")
        return super().changed(now)

    def _begun(self) -> str:
        return message("schedules.ill_answer", timing=self.schedule.comes, label=self.label)


class BeginWatch(SetSchedule):
    """Begins to watch a client's work, or the agency's, for its person."""

    skill: ClassVar[str] = "watch_client"
    consent: ClassVar[ConsentPolicy] = ConsentPolicy.PRESS

    @property
    def clients(self) -> tuple[Named, ...]:
        """The client that is watched, if it is one client."""
        watch = self.schedule.watch
        return (watch.client,) if watch and watch.client else ()

    @property
    def of_brand(self) -> Named | None:
        """The brand that is watched, if it is one brand."""
        return self.schedule.watch.brand if self.schedule.watch else None

    def preview(self) -> Preview:
        """Return what is looked for, whom it is reported to, and what is prepared then."""
        then = self.schedule.then
        return Preview(
            headline=message("watches.tell_you", wanted=self.schedule.words),
            verb="Start",
            where=message("reminders.where"),
            fields=(
                ("When", self.schedule.comes),
                ("Sent to", message("effects.you_alone")),
                ("Then", message("watches.prepares_then", then=then) if then else ""),
                ("Cost", self.cost),
            ),
            missing=self.remarks,
        )

    def prose(self) -> dict[str, str]:
        """What is looked for, and what is prepared then."""
        then = self.schedule.then
        return {"Watch": self.schedule.words, **({"Then": then} if then else {})}

    def _begun(self) -> str:
        return message("watches.ill_tell", label=self.label)


class SetWatch(BeginWatch):
    """Begins a watch whose findings its person could look up as well."""

    kind: Literal["set_watch"] = "set_watch"


class SetAdminWatch(BeginWatch):
    """Begins a watch of what only admins may see, such as errors and cost."""

    kind: Literal["set_admin_watch"] = "set_admin_watch"
    tier: ClassVar[Tier] = Tier.ADMIN


class SetQuestion(RecurringQuestion):
    """Starts a recurring question that is answered in its owner's direct messages."""

    kind: Literal["set_question"] = "set_question"


class SetChannelQuestion(RecurringQuestion):
    """Starts a recurring question that is answered in a channel, where others read along."""

    kind: Literal["set_channel_question"] = "set_channel_question"
    tier: ClassVar[Tier] = Tier.ADMIN
    where: ClassVar[str] = message("channels.this")


class EndSchedule(ScheduleChange, Forget):
    """Ends a schedule; `schedule_id` is the stored one."""

    kind: Literal["end_reminder"] = "end_reminder"
    sides: ClassVar[tuple[str, str]] = ("schedule", "")

    schedule_id: UUID = stored_as("reminder_id")

    @classmethod
    def of(cls, kept: StoredSchedule, person: Named, timezone: str) -> EndSchedule:
        """Return the change that ends a stored schedule."""
        schedule = kept.contents
        return cls(person=person, schedule=schedule, schedule_id=kept.id, timezone=timezone)

    def conflict(self, now: Schedule | None) -> NotWritten | None:
        """Return that it has ended; one that was paused or made rarer meanwhile still ends."""
        return None if now is not None else self.changed(now)

    def preview(self) -> Preview:
        """Return its words, and when it came."""
        verbs = {
            Work.REMIND: "End reminder",
            Work.ASK: "End question",
            Work.WATCH: "End watch",
        }
        work, words = self.schedule.work, self.schedule.words
        return Preview(
            headline=message("schedules.end", noun=work.noun, words=words),
            verb=verbs[work],
            where=message("reminders.where"),
            fields=(("When", self.schedule.comes),),
        )

    def changed(self, now: Schedule | None) -> NotWritten:
        """Say that it has ended."""
        _ = now
        return NotWritten(message("reminders.ended_already"), "gone")

    def receipt(self) -> str:
        """Say that it has ended."""
        return message("schedules.ended", noun=self.schedule.work.noun, label=self.label)

    def reverse(self) -> SetSchedule:
        """Return the change that restores the schedule."""
        return setting_of(self.schedule)(**self._same(), schedule_id=self.schedule_id)


def watch_setting_of(watch: Watch) -> type[SetWatch] | type[SetAdminWatch]:
    """Return the change that begins a watch."""
    return SetAdminWatch if watch.is_for_admins else SetWatch


def setting_of(
    schedule: Schedule,
) -> type[SetReminder | SetWatch | SetAdminWatch | SetQuestion | SetChannelQuestion]:
    """Return the change that sets such a schedule; one for a channel needs an admin."""
    if schedule.work is Work.REMIND:
        return SetReminder
    if schedule.watch:
        return watch_setting_of(schedule.watch)
    return SetChannelQuestion if schedule.is_in_channel else SetQuestion
