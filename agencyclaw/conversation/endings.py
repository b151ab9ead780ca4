"""Ends a receipt: the answer, its card and the opened drafts in one transaction."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from agencyclaw.conversation import fixed_texts
from agencyclaw.conversation.shown_again import ShownAgain, shown_again
from agencyclaw.conversation.trials import show_tried, try_first
from agencyclaw.conversation.welcome import post_welcome
from agencyclaw.domain.errors import Stale
from agencyclaw.domain.journal import RefusedCall
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Actor
from agencyclaw.domain.proposals import PRESS_S, Proposal
from agencyclaw.domain.receipts import Addressed, Note, OutboxKind, Receipt
from agencyclaw.domain.runs import RunStatus
from agencyclaw.domain.schedules import Firing
from agencyclaw.domain.sheets import Sheet
from agencyclaw.proposals.cards import redraw, repost_card
from agencyclaw.proposals.propose import announce
from agencyclaw.store.admin_notices import raise_alert
from agencyclaw.store.conclusion import TopicChange, end_turn, keep_topic, leave_turn
from agencyclaw.store.conflicts import close_overflow, supersede
from agencyclaw.store.engine import Connection, Database
from agencyclaw.store.events import record_event, record_refusals
from agencyclaw.store.firings import answered as answered_firing
from agencyclaw.store.outbox import post, post_answer
from agencyclaw.store.proposal_states import leave_subject, open_drafts
from agencyclaw.store.proposals import drop_drafts
from agencyclaw.store.receipts import close_receipt
from agencyclaw.store.runs import finish_run
from agencyclaw.store.suspensions import answered, await_answer

# What only an admin can help with, by why a message got a fixed sentence, or its run no answer.
_FAULTS = {
    "doubly_linked_actor": message("alerts.doubled"),
    "poisoned": message("alerts.failing"),
    "model": message("alerts.model"),
    "token": message("alerts.token"),
}


@dataclass(frozen=True)
class RunEnding:
    """How a run ends its turn.

    `waiting` are this person's open proposals here; `means_waiting`: the answer is about them, and
    about the one with the title `named`. `asks`: the answer asks a question. `about` is set if the
    conversation is about another client now. `forwards`: the question moves to the asker's direct
    messages. `is_private`: only the author of the message sees the answer. `sheets` are posted
    below it as files. `client_id` is set if the run was about a
    single client. `firing` is set if a schedule came due: its cards take a press only, and wait
    until it comes again. `faults` are what admins are told of: the model, or ClickUp's token.
    `welcome` is shown to a newcomer alone, below the answer.
    """

    note: Note
    status: RunStatus
    output: dict[str, object]
    drafts: tuple[Proposal, ...] = ()
    refusals: tuple[RefusedCall, ...] = ()
    about: TopicChange | None = None
    asks: bool = False
    waiting: tuple[Proposal, ...] = ()
    means_waiting: bool = False
    named: str = ""
    forwards: bool = False
    is_private: bool = False
    sheets: tuple[Sheet, ...] = ()
    client_id: UUID | None = None
    firing: Firing | None = None
    faults: tuple[str, ...] = ()
    welcome: Note | None = None

    @property
    def is_ordinary(self) -> bool:
        """Whether only the answer has to be written."""
        has_more = self.drafts or self.refusals or self.waiting or self.forwards or self.sheets
        is_more = self.is_private or self.firing or self.faults or self.welcome
        return not (has_more or is_more)


async def conclude(db: Database, receipt: Receipt, run_id: UUID, ending: RunEnding) -> None:
    """End a turn: post the answer, open its drafts on one card, supersede older proposals.

    If the message has ended meanwhile, or another attempt at it has dropped these drafts, only the
    run is ended.
    """
    # In a channel a card of the former subject may wait in another thread.
    is_leaving = ending.about is not None and not receipt.incoming.place.is_direct
    if ending.is_ordinary and not is_leaving:
        await end_turn(
            db,
            receipt,
            run_id,
            note=ending.note,
            status=ending.status,
            output=ending.output,
            about=ending.about,
            client_id=ending.client_id,
        )
        return
    try:
        async with db.transaction() as conn:
            await _conclude(conn, receipt, run_id, ending)
    except Stale:
        await leave_turn(db.pool, run_id)


async def _conclude(conn: Connection, receipt: Receipt, run_id: UUID, ending: RunEnding) -> None:
    if ending.asks:
        await await_answer(conn, receipt)
    if not await close_receipt(conn, receipt.id):
        await leave_turn(conn, run_id)
        return
    note = _with_links(ending.note, _shown_again(receipt, ending))
    await post_answer(
        conn,
        receipt,
        note,
        kind=OutboxKind.ANSWER,
        is_private=ending.is_private,
        run_id=run_id,
    )
    await _post_files(conn, receipt, run_id, ending.sheets)
    if ending.welcome:
        # A card comes below it: a plain yes answers what was said last.
        incoming = receipt.incoming
        await post_welcome(conn, incoming.place, incoming.slack_user_id, ending.welcome)
    if ending.forwards:
        await _forward(conn, receipt)
    await _show_cards(conn, receipt, run_id, ending)
    # Drafts that were not opened above belong to no answer.
    await drop_drafts(conn, receipt.id)
    if ending.about:
        await keep_topic(conn, ending.about)
        await leave_subject(conn, receipt, ending.about.client_id)
    if ending.firing:
        await answered_firing(conn, ending.firing, has_posted=True)
        if ending.firing.trial_of:
            await show_tried(conn, receipt, ending.firing.trial_of)
    await finish_run(conn, run_id, ending.status, output=ending.output, client_id=ending.client_id)
    # Theirs is the client of the run, which is known now.
    await record_refusals(conn, run_id, ending.refusals)
    for fault in ending.faults:
        await raise_alert(conn, receipt.incoming.place.team_id, fault, _FAULTS[fault])


async def _post_files(
    conn: Connection, receipt: Receipt, run_id: UUID, sheets: tuple[Sheet, ...]
) -> None:
    for number, sheet in enumerate(sheets):
        await post(
            conn,
            key=f"file:{receipt.id}:{number}",
            kind=OutboxKind.FILE,
            place=receipt.incoming.place,
            sheet=sheet,
            receipt_id=receipt.id,
            run_id=run_id,
        )


async def _forward(conn: Connection, receipt: Receipt) -> None:
    incoming = receipt.incoming
    await post(
        conn,
        key=f"forward:{receipt.id}",
        kind=OutboxKind.FORWARD,
        place=incoming.place,
        note=Note(text=incoming.text, footer=fixed_texts.ASKED_WHERE),
        slack_user_id=incoming.slack_user_id,
        receipt_id=receipt.id,
    )


async def _show_cards(conn: Connection, receipt: Receipt, run_id: UUID, ending: RunEnding) -> None:
    """Post the card of new drafts; repost a card that an answer or plain word left open.

    Raises Stale if a draft is gone: another attempt at the message has begun.
    """
    freed = [] if ending.asks else await answered(conn, receipt)
    superseded: list[Proposal] = []
    if ending.drafts:
        opened = await open_drafts(
            conn,
            ending.drafts,
            asks_nothing=not (ending.asks or ending.firing),
            press_s=ending.firing.card_lasts_s if ending.firing else PRESS_S,
        )
        if len(opened) < len(ending.drafts):
            raise Stale(message("propose.message_ended"), reason="message_ended")
        ids = [proposal.id for proposal in opened]
        superseded = [old for new in opened for old in await supersede(conn, new, beside=ids)]
        superseded += await close_overflow(conn, ids[-1])
        for old in superseded:
            await redraw(conn, old, why="superseded")
        if ready := await try_first(conn, opened):
            await announce(conn, ready, receipt_id=receipt.id, superseded=[], run_id=run_id)
    ended = {proposal.id for proposal in superseded}
    reposted = {proposal.id: proposal for proposal in (*freed, *_shown_again(receipt, ending).here)}
    for proposal in reposted.values():
        if proposal.id not in ended:
            await repost_card(conn, proposal, receipt_id=receipt.id, place=receipt.incoming.place)


def _with_links(note: Note, shown: ShownAgain) -> Note:
    return note.model_copy(update={"cards": (*note.cards, *shown.linked, *shown.pressed)})


def _shown_again(receipt: Receipt, ending: RunEnding) -> ShownAgain:
    """Return the cards to show again beside an answer; none if it brings new ones."""
    if ending.drafts:
        return ShownAgain()
    return shown_again(
        receipt,
        ending.waiting,
        is_meant=ending.means_waiting,
        named=ending.named,
        asks=ending.asks,
        topic=ending.about.client_id if ending.about else None,
    )


async def end_silently(db: Database, receipt: Receipt, reason: str) -> None:
    """Close a message that was for somebody else in its thread, without a reply."""
    async with db.transaction() as conn:
        await close_receipt(conn, receipt.id, "ignored", reason)
        await drop_drafts(conn, receipt.id)


async def conclude_silently(
    db: Database,
    receipt: Receipt,
    run_id: UUID,
    *,
    requests: int,
    refusals: tuple[RefusedCall, ...],
    waiting: tuple[Proposal, ...],
    client_id: UUID | None = None,
) -> None:
    """End a run that found the message was not for us; its drafts are dropped.

    A card that a plain yes or no may have meant is shown again, or pointed to if it takes nothing
    but a press, whatever the model thought.
    """
    async with db.transaction() as conn:
        if not await close_receipt(conn, receipt.id, "ignored", "not_for_us"):
            await leave_turn(conn, run_id)
            return
        shown = shown_again(receipt, waiting)
        for proposal in shown.here:
            await repost_card(conn, proposal, receipt_id=receipt.id, place=receipt.incoming.place)
        if shown.pressed:
            await _point_to_card(conn, receipt, shown.pressed)
        await drop_drafts(conn, receipt.id)
        output = {"silent": True, "requests": requests}
        await finish_run(conn, run_id, RunStatus.COMPLETED, output=output, client_id=client_id)
        await record_refusals(conn, run_id, refusals)


async def _point_to_card(conn: Connection, receipt: Receipt, cards: tuple[UUID, ...]) -> None:
    note = Note(text=message("proposal.waits_for_press"), cards=cards)
    await post_answer(conn, receipt, note)


async def turn_away(db: Database, receipt: Receipt, reason: str, text: str) -> None:
    """Say why a person gets no answer; nothing if they may not have spoken to us."""
    if receipt.incoming.addressed is Addressed.US:
        await reply(db, receipt, text, reason=reason)
    else:
        await end_silently(db, receipt, reason)


async def reply(
    db: Database,
    receipt: Receipt,
    text: str,
    *,
    reason: str,
    status: str = "done",
    actor: Actor | None = None,
    is_private: bool = False,
) -> None:
    """Close a receipt with a fixed sentence, and record the reason.

    Only its author is told of a message that may be for somebody else.
    """
    is_private = is_private or receipt.incoming.addressed is not Addressed.US
    async with db.transaction() as conn:
        if not await close_receipt(conn, receipt.id, status, reason):
            return
        await post_answer(conn, receipt, Note(text=text), is_private=is_private)
        await record_event(
            conn,
            "guard_reply",
            reason=reason,
            actor=actor.profile_id if actor else None,
            slack_user_id=receipt.incoming.slack_user_id,
            payload={"receipt": receipt.id},
        )
        await drop_drafts(conn, receipt.id)
        if reason in _FAULTS:
            await raise_alert(conn, receipt.incoming.place.team_id, reason, _FAULTS[reason])
