"""Carrying out what is kept and forgotten: one row, in the transaction that settles it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from agencyclaw.domain.clients import Named
from agencyclaw.domain.messages import message
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.receipts import Note
from agencyclaw.domain.remembering import (
    ForgetNote,
    ForgetPreference,
    RememberNote,
    RememberPreference,
)
from agencyclaw.proposals.handlers import DatabaseHandler
from agencyclaw.proposals.outcomes import Done, NotDone
from agencyclaw.store.engine import Connection
from agencyclaw.store.memory_writes import (
    Preferred,
    archive_note,
    drop_preference,
    keep_note,
    keep_preference,
    preferred,
    restore_note,
)
from agencyclaw.store.undoing import result_of


class KeepingNotes(DatabaseHandler[RememberNote]):
    """Keeps a fact about a client."""

    kind = RememberNote

    async def write(self, conn: Connection, proposal: Proposal) -> Done | NotDone:
        """Write the note, signed by who released it; a forgotten one comes back as it was."""
        effect = self.effect_of(proposal)
        note_id = await _taken_out_again(conn, proposal) or await keep_note(
            conn,
            effect.client.id,
            effect.note,
            author=proposal.actor_profile_id,
            confidence=effect.confidence,
            source="chat" if proposal.run_id else "manual",
            proposal_id=proposal.id,
        )
        if note_id is None:
            return NotDone("kept_already", message("remembering.remember_already"), can_retry=False)
        after = {"client": effect.client.name, "note": effect.note}
        return Done({"note_id": str(note_id), "before": None, "after": after})

    def receipt(self, proposal: Proposal, done: Done) -> Note:
        """Say what is remembered and where it can be seen."""
        _ = proposal
        kept = done.result["after"]
        return Note(
            text=message(
                "remembering.ill_remember_about_on", client=kept["client"], note=kept["note"]
            )
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


async def _taken_out_again(conn: Connection, undoing: Proposal) -> UUID | None:
    undone = await result_of(conn, undoing.undo_of) if undoing.undo_of else None
    note_id: str | None = (undone or {}).get("note_id")
    return await restore_note(conn, UUID(note_id)) if note_id else None


class ForgettingNotes(DatabaseHandler[ForgetNote]):
    """Puts a note away; its row stays for the audit."""

    kind = ForgetNote

    async def write(self, conn: Connection, proposal: Proposal) -> Done | NotDone:
        """Archive it if it is still there."""
        effect = self.effect_of(proposal)
        if not await archive_note(conn, effect.note_id, effect.client.id):
            return NotDone("gone", message("remembering.note_not_there_any"), can_retry=False)
        before = {"client": effect.client.name, "note": effect.note, "author": effect.author}
        return Done({"note_id": str(effect.note_id), "before": before, "after": None})

    def receipt(self, proposal: Proposal, done: Done) -> Note:
        """Say what is forgotten."""
        _ = proposal
        gone = done.result["before"]
        return Note(text=f"Forgotten about {gone['client']}: “{gone['note']}”.")

    def undo(self, proposal: Proposal) -> RememberNote:
        """Keep it again."""
        effect = self.effect_of(proposal)
        return RememberNote(client=effect.client, note=effect.note, timezone=effect.timezone)


class KeepingPreferences(DatabaseHandler[RememberPreference]):
    """Keeps what a person prefers."""

    kind = RememberPreference

    async def write(self, conn: Connection, proposal: Proposal) -> Done | NotDone:
        """Write it for the person who asked, and for nobody else."""
        effect = self.effect_of(proposal)
        if effect.person.id != proposal.actor_profile_id:
            return _not_yours()
        before = await preferred(conn, effect.person.id, effect.key, effect.value)
        after = Preferred(effect.value, effect.client)
        if not await _keep(conn, effect, after):
            return NotDone("too_many", message("remembering.remember_as_much_as"), can_retry=False)
        return Done({"before": _facts(effect, before), "after": _facts(effect, after)})

    def receipt(self, proposal: Proposal, done: Done) -> Note:
        """Say what applies from now on."""
        _ = proposal
        kept = done.result["after"]
        return Note(text=message("remembering.ill_remember_you_on", label=kept["label"]))

    def undo(self, proposal: Proposal) -> ForgetPreference:
        """Take it back; what it replaced comes back with that."""
        return ForgetPreference(**_fields(self.effect_of(proposal)))


class ForgettingPreferences(DatabaseHandler[ForgetPreference]):
    """Takes a preference back."""

    kind = ForgetPreference

    async def write(self, conn: Connection, proposal: Proposal) -> Done | NotDone:
        """Drop it for the person who asked, and for nobody else."""
        effect = self.effect_of(proposal)
        if effect.person.id != proposal.actor_profile_id:
            return _not_yours()
        gone = await drop_preference(conn, effect.person.id, effect.key, effect.value)
        if gone is None:
            return NotDone("gone", message("remembering.dont_remember_any_more"), can_retry=False)
        earlier = await _replaced_by(conn, proposal)
        if earlier is not None:
            await _keep(conn, effect, earlier)
        return Done({"before": _facts(effect, gone), "after": _facts(effect, earlier)})

    def receipt(self, proposal: Proposal, done: Done) -> Note:
        """Say what no longer applies, and what applies again."""
        _ = proposal
        text = message("remembering.forgotten_you", label=done.result["before"]["label"])
        again = done.result["after"]
        return Note(text=f"{text} As before: {again['label']}." if again else text)

    def undo(self, proposal: Proposal) -> RememberPreference:
        """Keep it again."""
        again = RememberPreference(**_fields(self.effect_of(proposal)))
        gone = _was(proposal.result)
        return again.model_copy(update={"client": gone.client}) if gone else again


def _not_yours() -> NotDone:
    return NotDone("not_yours", message("remembering.preference_kept_only_who"), can_retry=False)


async def _keep(
    conn: Connection, effect: RememberPreference | ForgetPreference, what: Preferred
) -> bool:
    client_id = what.client.id if what.client else None
    return await keep_preference(
        conn, effect.person.id, effect.key, what.value, client_id=client_id
    )


async def _replaced_by(conn: Connection, undoing: Proposal) -> Preferred | None:
    """Return what the undone effect had replaced."""
    return _was(await result_of(conn, undoing.undo_of)) if undoing.undo_of else None


def _was(result: dict[str, Any] | None) -> Preferred | None:
    """Return what was preferred before, as a result holds it."""
    before: dict[str, Any] | None = (result or {}).get("before")
    if before is None or "value" not in before:
        return None
    client: dict[str, Any] | None = before["client"]
    return Preferred(before["value"], Named.model_validate(client) if client else None)


def _facts(
    effect: RememberPreference | ForgetPreference, what: Preferred | None
) -> dict[str, Any] | None:
    if what is None:
        return None
    return {
        "person": effect.person.name,
        "label": effect.model_copy(update={"value": what.value}).label,
        "value": what.value,
        "client": what.client.model_dump(mode="json") if what.client else None,
    }


def _fields(effect: RememberPreference | ForgetPreference) -> dict[str, Any]:
    return effect.model_dump(include={"person", "key", "value", "client", "timezone"})
