"""Effects on the memory: keeping or forgetting a note or a preference."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import Field

from agencyclaw.domain.changes import Change, ConsentPolicy, EffectScope, OfClient, Preview
from agencyclaw.domain.clients import Named
from agencyclaw.domain.memory import NOTE_LIMIT, SPOKEN, THRESHOLD, PreferenceKey
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Tier
from agencyclaw.domain.text import cut, digest, folded

Words = Annotated[str, Field(min_length=2, max_length=NOTE_LIMIT)]
_MEMORY = message("remembering.memory")


class Remember(Change):
    """Something to keep beyond this conversation."""

    skill: ClassVar[str] = "remember"
    tier: ClassVar[Tier] = Tier.MEMBER
    done: ClassVar[str] = "kept"
    no: ClassVar[str] = "Discard"


class Forget(Change):
    """Something stored that is to be forgotten."""

    skill: ClassVar[str] = "forget"
    tier: ClassVar[Tier] = Tier.MEMBER
    done: ClassVar[str] = "forgotten"
    consent: ClassVar[ConsentPolicy] = ConsentPolicy.PRESS


class _OfNote(OfClient):
    note: Words

    @property
    def entity(self) -> str:
        """This fact about this client."""
        return f"note:{self.client.id}:{digest(folded(self.note))[:16]}"

    @property
    def label(self) -> str:
        """The note's own words."""
        return cut(self.note, 120)


class RememberNote(_OfNote, Remember):
    """A fact about a client that somebody stated."""

    kind: Literal["remember_note"] = "remember_note"

    confidence: Annotated[float, Field(ge=THRESHOLD, le=1, allow_inf_nan=False)] = 0.9

    def preview(self) -> Preview:
        """Say it in one line."""
        return Preview(
            headline=f"Remember about {self.client.name}: “{self.note}”",
            verb="Keep",
            where=_MEMORY,
            fields=(("Seen by", message("remembering.whoever_works", client=self.client.name)),),
        )

    def prose(self) -> dict[str, str]:
        """The note."""
        return {"Note": self.note}


class ForgetNote(_OfNote, Forget):
    """Archives a note about a client; `note_id` is the stored one."""

    kind: Literal["forget_note"] = "forget_note"

    note_id: UUID
    author: str

    def preview(self) -> Preview:
        """Say which note is archived and whose it was."""
        return Preview(
            headline=f"Forget about {self.client.name}: “{self.note}”",
            verb="Forget",
            where=_MEMORY,
            fields=(("Noted by", self.author),),
        )


class _OfPreference(Change):
    """`person` is the owner of the preference; nobody else's is ever touched."""

    scope: ClassVar[EffectScope] = EffectScope.OWN

    person: Named
    key: PreferenceKey
    value: Words
    client: Named | None = None

    @property
    def entity(self) -> str:
        """This person's preference of this kind."""
        return f"preference:{self.person.id}:{self.key}"

    @property
    def clients(self) -> tuple[Named, ...]:
        """The client that is to be the default, if it names one."""
        return (self.client,) if self.client else ()

    @property
    def label(self) -> str:
        """Kind and words."""
        return f"{SPOKEN[self.key]}: {cut(self.value, 120)}"


class RememberPreference(_OfPreference, Remember):
    """Stores what a person wants taken for granted."""

    kind: Literal["remember_preference"] = "remember_preference"

    def preview(self) -> Preview:
        """Say it in one line."""
        return Preview(
            headline=message("remembering.remember_you", label=self.label),
            verb="Keep",
            where=_MEMORY,
            fields=(("Applies to", "you alone"),),
        )

    def prose(self) -> dict[str, str]:
        """The preference's own words."""
        return {"Preference": self.value}


class ForgetPreference(_OfPreference, Forget):
    """Removes a preference."""

    kind: Literal["forget_preference"] = "forget_preference"

    def preview(self) -> Preview:
        """Say what no longer applies."""
        return Preview(
            headline=message("remembering.forget_you", label=self.label),
            verb="Forget",
            where=_MEMORY,
            fields=(("Applies to", "you alone"),),
        )
