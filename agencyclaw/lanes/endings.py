"""How a receipt ends: the answer, its card and the opened drafts in one transaction."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from agencyclaw.domain.journal import RefusedCall
from agencyclaw.domain.people import Actor
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.receipts import Note, OutboxKind, Receipt
from agencyclaw.domain.runs import RunStatus
from agencyclaw.effects.propose import announce
from agencyclaw.store.conclusion import About, end_turn, keep_topic
from agencyclaw.store.engine import Database
from agencyclaw.store.events import record_event, record_refusals
from agencyclaw.store.outbox import post
from agencyclaw.store.proposals import drop_drafts, open_drafts
from agencyclaw.store.receipts import close_receipt
from agencyclaw.store.rivals import crowd_out, supersede
from agencyclaw.store.runs import finish_run


@dataclass(frozen=True)
class Ending:
    """What a run came to."""

    note: Note
    status: RunStatus
    output: dict[str, object]
    drafts: tuple[Proposal, ...] = ()
    refusals: tuple[RefusedCall, ...] = ()
    about: About | None = None


async def conclude(db: Database, receipt: Receipt, run_id: UUID, ending: Ending) -> None:
    """End a turn: post the answer, open its drafts on one card, replace older proposals.

    A turn that was stopped meanwhile has ended: nothing of it is said or opened any more.
    """
    if not ending.drafts and not ending.refusals:
        await end_turn(db, receipt, run_id, ending.note, ending.status, ending.output, ending.about)
        return
    async with db.transaction() as conn:
        if not await close_receipt(conn, receipt.id):
            return
        await post(
            conn,
            key=f"answer:{receipt.id}",
            kind=OutboxKind.ANSWER,
            place=receipt.incoming.place,
            note=ending.note,
            receipt_id=receipt.id,
            run_id=run_id,
        )
        if ending.drafts:
            opened = await open_drafts(conn, [draft.id for draft in ending.drafts])
            ids = [proposal.id for proposal in opened]
            old = [gone for new in ids for gone in await supersede(conn, new, ids)]
            old += await crowd_out(conn, ids[-1])
            await announce(conn, opened, receipt_id=receipt.id, superseded=old, run_id=run_id)
        await record_refusals(conn, run_id, ending.refusals)
        if ending.about:
            await keep_topic(conn, ending.about)
        await finish_run(conn, run_id, ending.status, output=ending.output)


async def reply(
    db: Database,
    receipt: Receipt,
    text: str,
    *,
    reason: str,
    status: str = "done",
    actor: Actor | None = None,
) -> None:
    """End a receipt with a sentence written by code, and note why."""
    async with db.transaction() as conn:
        if not await close_receipt(conn, receipt.id, status, reason):
            return
        await post(
            conn,
            key=f"answer:{receipt.id}",
            kind=OutboxKind.NOTICE,
            place=receipt.incoming.place,
            note=Note(text=text),
            receipt_id=receipt.id,
        )
        await record_event(
            conn,
            "guard_reply",
            reason=reason,
            actor=actor.profile_id if actor else None,
            slack_user_id=receipt.incoming.slack_user_id,
            payload={"receipt": receipt.id},
        )
        await drop_drafts(conn, receipt.id)
