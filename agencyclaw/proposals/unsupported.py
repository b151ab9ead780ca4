"""Proposals confirmed before an upgrade that can't be read after it: looked up, never sent."""

from __future__ import annotations

import logfire

from agencyclaw.clickup.reader import ClickUpReader
from agencyclaw.domain.errors import AgencyClawError
from agencyclaw.domain.messages import message
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.receipts import Note
from agencyclaw.domain.unsupported import UNSUPPORTED_REASON, UnsupportedEffect
from agencyclaw.proposals import notices
from agencyclaw.proposals.handlers import ExternalHandler
from agencyclaw.proposals.outcomes import Done, NotDone, Outcome, Unknown
from agencyclaw.proposals.task_creation import RetrySchedule
from agencyclaw.store.engine import Connection
from agencyclaw.store.intents import Intents, settle_intent


class UnsupportedHandler(ExternalHandler[UnsupportedEffect]):
    """Looks up the outcome; a proposal that was certainly never begun is ended."""

    kind = UnsupportedEffect

    def __init__(self, intents: Intents, tasks: ClickUpReader, retries: RetrySchedule) -> None:
        self._intents = intents
        self._tasks = tasks
        self._retries = retries
        self.first_look_s = retries.delays_s[0]

    async def may_exist(self, proposal: Proposal) -> bool:
        """Return whether a request may have been sent by the version that could read it."""
        intent = await self._intents.of(proposal.id)
        if intent is not None:
            return intent.status != "failed"
        return proposal.may_be_sent

    async def changed_since(self, proposal: Proposal) -> NotDone | None:
        """Say that it can't be carried out any more."""
        return NotDone(UNSUPPORTED_REASON, notices.UNSUPPORTED_WHY, can_retry=False)

    async def carry_out(self, proposal: Proposal) -> Outcome:
        """Look, and send nothing."""
        return await self.look(proposal)

    async def look(self, proposal: Proposal) -> Outcome:
        """Look for the marker and adopt its task; a person decides about everything else."""
        intent = await self._intents.of(proposal.id)
        if intent is None:
            return Unknown(None)
        try:
            tasks = await self._tasks.find_by_marker(
                intent.list_id, intent.marker, intent.dispatched_at
            )
        except (AgencyClawError, OSError) as error:
            logfire.warn("look failed", proposal=str(proposal.id), error=type(error).__name__)
            await self._intents.looked(proposal.id, succeeded=False)
            return Unknown(self._retries.after_failure)
        if len(tasks) == 1:
            return Done({"task_id": tasks[0].id, "url": tasks[0].url}, was_adopted=True)
        tries, age_s = await self._intents.looked(proposal.id, succeeded=True)
        return Unknown(None if tasks else self._retries.after(tries, age_s))

    async def settled(self, conn: Connection, proposal: Proposal, outcome: Outcome) -> None:
        """Record the outcome on the intent, if there is one."""
        match outcome:
            case Done(result=result):
                task_id, url = result.get("task_id"), result.get("url")
                await settle_intent(conn, proposal.id, "created", task_id=task_id, url=url)
            case Unknown():
                await settle_intent(conn, proposal.id, "unclear")
            case _:
                pass

    def receipt(self, proposal: Proposal, done: Done) -> Note:
        """Say that the task was found."""
        links = notices.link_to(done.result.get("url"), message("card.open_in_clickup"))
        text = message("unsupported.carried_out_there", effect=proposal.effect.label)
        return Note(text=text, links=links)

    def unknown_note(self, proposal: Proposal, outcome: Unknown) -> Note:
        """Say that the outcome is unknown, for now or for good."""
        label = proposal.effect.label
        if outcome.look_in_s is not None:
            return Note(text=message("unsupported.im_still_finding_out", label=label))
        return Note(
            text=message(
                "unsupported.updated_while_under_way",
                label=label,
                reference=notices.reference(proposal),
            ).rstrip()
        )
