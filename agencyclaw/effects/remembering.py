"""Carrying out what is kept and forgotten: one row, in the transaction that settles it."""

from __future__ import annotations

from typing import Any

from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.receipts import Note
from agencyclaw.domain.remembering import (
    ForgetNote,
    ForgetPreference,
    RememberNote,
    RememberPreference,
)
from agencyclaw.effects.handlers import Ledger
from agencyclaw.effects.outcomes import Done, NotDone
from agencyclaw.store.engine import Connection
from agencyclaw.store.memory_writes import (
    archive_note,
    drop_preference,
    keep_note,
    keep_preference,
)


class KeepingNotes(Ledger[RememberNote]):
    """Keeps a fact about a client."""

    kind = RememberNote

    async def write(self, conn: Connection, proposal: Proposal) -> Done | NotDone:
        """Write the note, signed by who released it."""
        effect = self.effect_of(proposal)
        note_id = await keep_note(
            conn,
            effect.client.id,
            effect.note,
            author=proposal.actor_profile_id,
            confidence=effect.confidence,
            source="chat",
            proposal_id=proposal.id,
        )
        if note_id is None:
            return NotDone("kept_already", "I remember that already", can_retry=False)
        after = {"client": effect.client.name, "note": effect.note}
        return Done({"note_id": str(note_id), "before": None, "after": after})

    def receipt(self, proposal: Proposal, done: Done) -> Note:
        """Say what is remembered and where it can be seen."""
        _ = proposal
        kept = done.result["after"]
        return Note(
            text=f"I'll remember about {kept['client']}: “{kept['note']}”. It is on my Home tab,"
            " where you can delete it."
        )

    def undo(self, proposal: Proposal) -> ForgetNote | str:
        """Put the note away again."""
        effect = self.effect_of(proposal)
        note_id = (proposal.result or {}).get("note_id")
        if note_id is None:
            return super().undo(proposal)  # pyright: ignore[reportReturnType]
        return ForgetNote(
            client=effect.client,
            note=effect.note,
            note_id=note_id,
            author=proposal.actor_name,
            timezone=effect.timezone,
        )


class ForgettingNotes(Ledger[ForgetNote]):
    """Puts a note away; its row stays for the audit."""

    kind = ForgetNote

    async def write(self, conn: Connection, proposal: Proposal) -> Done | NotDone:
        """Archive it if it is still there."""
        effect = self.effect_of(proposal)
        if not await archive_note(conn, effect.note_id, effect.client.id):
            return NotDone("gone", "that note is not there any more", can_retry=False)
        before = {"client": effect.client.name, "note": effect.note, "author": effect.author}
        return Done({"before": before, "after": None})

    def receipt(self, proposal: Proposal, done: Done) -> Note:
        """Say what is forgotten."""
        _ = proposal
        gone = done.result["before"]
        return Note(text=f"Forgotten about {gone['client']}: “{gone['note']}”.")

    def undo(self, proposal: Proposal) -> RememberNote:
        """Keep it again."""
        effect = self.effect_of(proposal)
        return RememberNote(client=effect.client, note=effect.note, timezone=effect.timezone)


class KeepingPreferences(Ledger[RememberPreference]):
    """Keeps what a person prefers."""

    kind = RememberPreference

    async def write(self, conn: Connection, proposal: Proposal) -> Done | NotDone:
        """Write it for the person who asked, and for nobody else."""
        effect = self.effect_of(proposal)
        if effect.person.id != proposal.actor_profile_id:
            return _not_yours()
        is_kept = await keep_preference(
            conn,
            effect.person.id,
            effect.key,
            effect.value,
            client_id=effect.client.id if effect.client else None,
        )
        if not is_kept:
            return NotDone("too_many", "I remember as much as I can for you", can_retry=False)
        return Done({"before": None, "after": _facts(effect)})

    def receipt(self, proposal: Proposal, done: Done) -> Note:
        """Say what applies from now on."""
        _ = proposal
        kept = done.result["after"]
        return Note(text=f"I'll remember for you: {kept['label']}. It is on my Home tab.")

    def undo(self, proposal: Proposal) -> ForgetPreference:
        """Take it back."""
        return ForgetPreference(**_fields(self.effect_of(proposal)))


class ForgettingPreferences(Ledger[ForgetPreference]):
    """Takes a preference back."""

    kind = ForgetPreference

    async def write(self, conn: Connection, proposal: Proposal) -> Done | NotDone:
        """Drop it for the person who asked, and for nobody else."""
        effect = self.effect_of(proposal)
        if effect.person.id != proposal.actor_profile_id:
            return _not_yours()
        if not await drop_preference(conn, effect.person.id, effect.key, effect.value):
            return NotDone("gone", "I don't remember that any more", can_retry=False)
        return Done({"before": _facts(effect), "after": None})

    def receipt(self, proposal: Proposal, done: Done) -> Note:
        """Say what no longer applies."""
        _ = proposal
        return Note(text=f"Forgotten for you: {done.result['before']['label']}.")

    def undo(self, proposal: Proposal) -> RememberPreference:
        """Keep it again."""
        return RememberPreference(**_fields(self.effect_of(proposal)))


def _not_yours() -> NotDone:
    return NotDone("not_yours", "a preference is kept only for who asks for it", can_retry=False)


def _facts(effect: RememberPreference | ForgetPreference) -> dict[str, str]:
    return {"person": effect.person.name, "label": effect.label}


def _fields(effect: RememberPreference | ForgetPreference) -> dict[str, Any]:
    return effect.model_dump(include={"person", "key", "value", "client", "timezone"})
