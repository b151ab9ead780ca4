"""The trial of a recurring question: it is answered once before its card is shown."""

from __future__ import annotations

from uuid import UUID

from agencyclaw.domain.messages import message
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.receipts import Note, Receipt
from agencyclaw.domain.schedule_changes import RecurringQuestion
from agencyclaw.proposals.propose import announce
from agencyclaw.store.engine import Connection
from agencyclaw.store.firing_receipts import begin_trial
from agencyclaw.store.outbox import post_answer
from agencyclaw.store.proposal_states import invalidate
from agencyclaw.store.proposals import open_proposal


async def try_first(conn: Connection, opened: list[Proposal]) -> list[Proposal]:
    """Begin the trials of proposed questions; returns the proposals that need none."""
    ready: list[Proposal] = []
    for proposal in opened:
        effect = proposal.effect
        if isinstance(effect, RecurringQuestion):
            await begin_trial(conn, proposal, effect.schedule.words)
        else:
            ready.append(proposal)
    return ready


async def show_tried(conn: Connection, receipt: Receipt, proposal_id: UUID) -> None:
    """Show the card of a question below the answer of its trial, if it still waits."""
    proposal = await open_proposal(conn, proposal_id)
    if proposal:
        card = f"tried:{receipt.id}"
        await announce(conn, [proposal], receipt_id=receipt.id, superseded=[], card=card)


async def end_untried(conn: Connection, receipt: Receipt, proposal_id: UUID, why: str) -> None:
    """End a question that could not be tried, and say why."""
    await invalidate(conn, proposal_id, "not_tried")
    await say_of_trial(conn, receipt, message("schedules.not_tried", why=why))


async def say_of_trial(conn: Connection, receipt: Receipt, text: str) -> None:
    """Say how a trial without an answer ended."""
    await post_answer(conn, receipt, Note(text=text))
