"""Effects on the memory: keeping or forgetting a note or a preference."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal
from uuid import UUID

from pydantic import Field

from agencyclaw.domain.changes import Change, ClientChange, ConsentPolicy, EffectScope, Preview
from agencyclaw.domain.clients import Named
from agencyclaw.domain.memory import NOTE_LIMIT, THRESHOLD, PreferenceKey, spoken
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Tier, Value, stored_as
from agencyclaw.domain.records import NotWritten, RecordChange
from agencyclaw.domain.text import cut, digest, folded

Words = Annotated[str, Field(min_length=2, max_length=NOTE_LIMIT)]
_MEMORY = message("remembering.memory")


class Remember(Change):
    """Stores something beyond this conversation."""

    skill: ClassVar[str] = "remember"
    tier: ClassVar[Tier] = Tier.MEMBER
    done: ClassVar[str] = "kept"

    @property
    def no(self) -> str:
        """The label of the button that drops it."""
        return message("built.discard")


class Forget(Change):
    """Deletes something stored."""

    skill: ClassVar[str] = "forget"
    tier: ClassVar[Tier] = Tier.MEMBER
    done: ClassVar[str] = "forgotten"
    consent: ClassVar[ConsentPolicy] = ConsentPolicy.PRESS


class NoteChange(RecordChange[str], ClientChange):
    """A change of a note about a client, identified by its words."""

    note: Words

    @property
    def entity(self) -> str:
        """The client and the words."""
        return f"note:{self.client.id}:{digest(folded(self.note))[:16]}"

    @property
    def label(self) -> str:
        """The note's words."""
        return cut(self.note, 120)

    def audited(self, held: str | None) -> dict[str, Any] | None:
        """Return the note and its client."""
        return {"client": self.client.name, "note": held} if held else None

    def result(self, now: str | None, row_id: str) -> dict[str, Any]:
        """Return the note's id as well."""
        return {"note_id": row_id, **super().result(now, row_id)}


class RememberNote(NoteChange, Remember):
    """Stores a stated fact about a client; with `note_id` it restores an archived one."""

    kind: Literal["remember_note"] = "remember_note"
    sides: ClassVar[tuple[str, str]] = ("", "note")

    confidence: Annotated[float, Field(ge=THRESHOLD, le=1, allow_inf_nan=False)] = 0.9
    note_id: UUID | None = None

    def preview(self) -> Preview:
        """Return the note in one line."""
        return Preview(
            headline=message("built.remember", client=self.client.name, note=self.note),
            verb="Keep",
            where=_MEMORY,
            fields=(("Seen by", message("remembering.whoever_works", client=self.client.name)),),
        )

    def prose(self) -> dict[str, str]:
        """The note."""
        return {"Note": self.note}

    def changed(self, now: str | None) -> NotWritten:
        """Say that it is stored already."""
        _ = now
        return NotWritten(message("remembering.remember_already"), "kept_already")

    def receipt(self) -> str:
        """Say what is remembered, and where it can be seen."""
        client = self.client.name
        return message("remembering.ill_remember_about_on", client=client, note=self.note)

    def undone(self, result: Mapping[str, Any], by: str) -> ForgetNote | None:
        """Return the change that archives the note."""
        if result.get("note_id") is None:
            return None
        fields = self.model_dump(include={"client", "note", "timezone"})
        return ForgetNote(**fields, note_id=result["note_id"], author=by)


class ForgetNote(NoteChange, Forget):
    """Archives a note about a client; `note_id` is the stored one."""

    kind: Literal["forget_note"] = "forget_note"
    sides: ClassVar[tuple[str, str]] = ("note", "")

    note_id: UUID
    author: str

    def preview(self) -> Preview:
        """Return the note and its author."""
        return Preview(
            headline=message("built.forget", client=self.client.name, note=self.note),
            verb="Forget",
            where=_MEMORY,
            fields=(("Noted by", self.author),),
        )

    def changed(self, now: str | None) -> NotWritten:
        """Say that it is not stored."""
        _ = now
        return NotWritten(message("remembering.note_not_there_any"), "gone")

    def audited(self, held: str | None) -> dict[str, Any] | None:
        """Return its author as well."""
        facts = super().audited(held)
        return facts | {"author": self.author} if facts else None

    def receipt(self) -> str:
        """Say what is forgotten."""
        return message("built.forgotten", client=self.client.name, note=self.note)

    def reverse(self) -> RememberNote:
        """Return the change that restores the note."""
        return RememberNote(**self.model_dump(include={"client", "note", "note_id", "timezone"}))


class PreferenceValue(Value):
    """A person's preference; for a default client, which one it is."""

    value: str
    client: Named | None = None


class PreferenceChange(RecordChange[PreferenceValue]):
    """A change of a preference of `person`, and of nobody else."""

    scope: ClassVar[EffectScope] = EffectScope.OWN

    person: Named
    key: PreferenceKey
    value: Words
    client: Named | None = None

    @property
    def person_id(self) -> UUID:
        """The person whose preference it is."""
        return self.person.id

    @property
    def preferred(self) -> PreferenceValue:
        """The preference."""
        return PreferenceValue(value=self.value, client=self.client)

    def audited(self, held: PreferenceValue | None) -> dict[str, Any] | None:
        """Return the person and the preference."""
        if held is None:
            return None
        label = self.model_copy(update={"value": held.value}).label
        return {"person": self.person.name, "label": label, **held.model_dump(mode="json")}

    def _same(self) -> dict[str, Any]:
        return self.model_dump(include={"person", "key", "value", "client", "timezone"})

    @property
    def entity(self) -> str:
        """The person and the kind of preference, and the words where several of it are kept."""
        kind = f"preference:{self.person.id}:{self.key}"
        return f"{kind}:{digest(folded(self.value))[:16]}" if self.key == "other" else kind

    @property
    def clients(self) -> tuple[Named, ...]:
        """The client of a default-client preference; else empty."""
        return (self.client,) if self.client else ()

    @property
    def label(self) -> str:
        """Its words, with the kind of preference where it has one."""
        return spoken(self.key, cut(self.value, 120))


class RememberPreference(PreferenceChange, Remember):
    """Stores a preference."""

    kind: Literal["remember_preference"] = "remember_preference"
    sides: ClassVar[tuple[str, str]] = ("", "preferred")

    def preview(self) -> Preview:
        """Return the preference in one line."""
        return Preview(
            headline=message("remembering.remember_you", label=self.label),
            verb="Keep",
            where=_MEMORY,
            fields=(("Applies to", message("effects.you_alone")),),
        )

    def prose(self) -> dict[str, str]:
        """The preference's words."""
        return {"Preference": self.value}

    def conflict(self, now: PreferenceValue | None) -> None:
        """Return None: a previous preference is replaced."""
        _ = now

    def changed(self, now: PreferenceValue | None) -> NotWritten:
        """Say that no more can be stored."""
        _ = now
        return NotWritten(message("remembering.remember_as_much_as"), "too_many")

    def receipt(self) -> str:
        """Say what applies from now on."""
        return message("remembering.ill_remember_you_on", label=self.label)

    def undone(self, result: Mapping[str, Any], by: str) -> ForgetPreference:
        """Return the change that deletes it and restores what it replaced."""
        _ = by
        return ForgetPreference(**self._same(), restored=_preferred(result))


class ForgetPreference(PreferenceChange, Forget):
    """Deletes a preference, and restores the previous one if there was one."""

    kind: Literal["forget_preference"] = "forget_preference"
    sides: ClassVar[tuple[str, str]] = ("preferred", "restored")

    restored: Annotated[PreferenceValue | None, stored_as("again")] = None

    def preview(self) -> Preview:
        """Return what no longer applies."""
        return Preview(
            headline=message("remembering.forget_you", label=self.label),
            verb="Forget",
            where=_MEMORY,
            fields=(("Applies to", message("effects.you_alone")),),
        )

    def conflict(self, now: PreferenceValue | None) -> NotWritten | None:
        """Return a refusal if it is not stored: compared by client if known, else by words."""
        return None if now and self._is_kept_as(now) else self.changed(now)

    def _is_kept_as(self, now: PreferenceValue) -> bool:
        if self.client and now.client:
            return self.client.id == now.client.id
        return folded(now.value) == folded(self.value)

    def changed(self, now: PreferenceValue | None) -> NotWritten:
        """Say that it is not stored."""
        _ = now
        return NotWritten(message("remembering.dont_remember_any_more"), "gone")

    def receipt(self) -> str:
        """Say what no longer applies, and what applies again."""
        text = message("remembering.forgotten_you", label=self.label)
        previous = self.audited(self.restored)
        return message("built.as_before", text=text, label=previous["label"]) if previous else text

    def undone(self, result: Mapping[str, Any], by: str) -> RememberPreference:
        """Return the change that stores the preference again."""
        _ = by
        restored = RememberPreference(**self._same())
        deleted = _preferred(result)
        return restored.model_copy(update={"client": deleted.client}) if deleted else restored


def _preferred(result: Mapping[str, Any]) -> PreferenceValue | None:
    """Return the previous preference from a result."""
    before: dict[str, Any] = result.get("before") or {}
    return (
        PreferenceValue(value=before["value"], client=before["client"])
        if "value" in before
        else None
    )
