"""Consent: what a person's press or plain word does to a proposal. Code only, no model.

Every act is a compare-and-set on the proposal's row; the loser of a race learns how it ended.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from agencyclaw.domain.people import Actor, Tier
from agencyclaw.domain.policy import Deny
from agencyclaw.domain.proposals import Proposal, ProposalState
from agencyclaw.domain.receipts import Act, Click, Note, OutboxKind, Receipt, ReceiptKind
from agencyclaw.domain.unsupported import UNSUPPORTED_REASON, UnsupportedEffect
from agencyclaw.proposals import notices
from agencyclaw.proposals.act_results import (
    ActResult,
    expired,
    not_here,
    not_theirs,
    refused,
    stale,
    tell,
    under_revision,
)
from agencyclaw.proposals.cards import execute_later, redraw
from agencyclaw.proposals.identities import Identity
from agencyclaw.proposals.judge import Judge
from agencyclaw.proposals.reproposal import prepare_again, prepare_for
from agencyclaw.proposals.undo import Undoing, undo
from agencyclaw.spans import traced
from agencyclaw.store.conflicts import at_work, hold_entities
from agencyclaw.store.engine import Connection, Database
from agencyclaw.store.events import log_confirmed, log_replay, record_event
from agencyclaw.store.intents import renew_intent
from agencyclaw.store.outbox import post, shown_hash_of
from agencyclaw.store.proposal_states import (
    cancel_by_no,
    confirm,
    expire,
    invalidate,
    reopen,
    state_of,
    withdraw,
)
from agencyclaw.store.proposals import ProposalStore
from agencyclaw.store.receipts import close_receipt, hold_receipt

_RELEASES: frozenset[Act] = frozenset({"confirm", "retry", "create_anyway", "as_shown"})
_AGAIN: frozenset[Act] = frozenset({"retry", "create_anyway"})
_DROPS: frozenset[Act] = frozenset({"cancel", "withdraw"})
_WAITING = (ProposalState.OPEN, ProposalState.FAILED, ProposalState.UNCLEAR)


class ActMeans(Enum):
    """How a person acted."""

    PRESS = auto()
    WORD = auto()


@dataclass(frozen=True)
class ConsentAct:
    """One act of a person, with the receipt that brought it and its means."""

    receipt: Receipt
    who: Identity
    kind: Act
    means: ActMeans = ActMeans.PRESS


class Consent:
    """Applies presses and plain words to proposals."""

    def __init__(self, db: Database, store: ProposalStore, judge: Judge, undoing: Undoing) -> None:
        self._db = db
        self._store = store
        self._judge = judge
        self._undoing = undoing

    async def by_click(self, receipt: Receipt, who: Identity, click: Click) -> None:
        """Apply a pressed button to the proposals it names."""
        proposals = await self._store.by_ids(click.proposal_ids)
        pressed = [p for p in proposals if p.is_untouched and _was_drawn_for(click, p)]
        if len(pressed) < len(click.proposal_ids) or not pressed:
            await self._refuse_forged(receipt, who.actor, proposals)
            return
        await self.decide(ConsentAct(receipt, who, click.act), pressed)

    async def decide(self, act: ConsentAct, proposals: list[Proposal]) -> None:
        """Apply one act to each of these proposals in one transaction, and reply.

        Nothing is done for a word that was taken back or stopped while it was judged.
        """
        runs = sorted({str(proposal.run_id) for proposal in proposals if proposal.run_id})
        with traced("consent", act=act.kind, proposals=len(proposals), runs=runs):
            if act.kind in _RELEASES and await self._is_stale(act, proposals):
                await self._refuse(act.receipt, act.who.actor, stale(proposals))
                return
            denied = {proposal.id: await self._denied(act, proposal) for proposal in proposals}
            async with self._db.transaction() as conn:
                if not await hold_receipt(conn, act.receipt.id):
                    return
                if act.kind in _RELEASES:
                    await hold_entities(conn, {proposal.effect.entity for proposal in proposals})
                results = [
                    await self.apply(conn, act, proposal, denied[proposal.id])
                    for proposal in proposals
                ]
                await tell(conn, act.receipt, results)
                await close_receipt(conn, act.receipt.id, reason=results[0].reason)

    async def _is_stale(self, act: ConsentAct, proposals: list[Proposal]) -> bool:
        """Whether the pressed card no longer shows the present state.

        It was reposted since, or it offered several proposals and one of them has ended: the person
        has not seen what is left.
        """
        if len(proposals) > 1:
            return any(proposal.state is not ProposalState.OPEN for proposal in proposals)
        click = act.receipt.incoming.click
        if act.kind != "confirm" or not click or not click.message_ts:
            return False
        current = await self._store.card_ts(proposals[0])
        return current not in ("", click.message_ts)

    async def open_here(self, receipt: Receipt, who: Identity) -> list[Proposal]:
        """Return this person's open proposals in the place of a receipt."""
        return await self._store.open_here(receipt.incoming.place, who.actor)

    async def drop_here(self, receipt: Receipt, who: Identity) -> None:
        """Cancel this person's open proposals in the thread, for Stop."""
        about = ended_by_stop(await self.open_here(receipt, who), receipt)
        if about:
            await self.decide(ConsentAct(receipt, who, "cancel"), about)
            return
        async with self._db.transaction() as conn:
            await close_receipt(conn, receipt.id, reason="nothing_to_stop")

    async def drop(
        self, conn: Connection, receipt: Receipt, who: Identity, proposals: list[Proposal]
    ) -> list[ActResult]:
        """Cancel these proposals inside the caller's transaction, and redraw their cards.

        One that was confirmed in the same moment may be carried out already: its result says so.
        """
        act = ConsentAct(receipt, who, "cancel")
        return [await self.apply(conn, act, proposal) for proposal in proposals]

    async def expire(self, proposal: Proposal) -> None:
        """Expire a proposal whose time is over, and redraw its card."""
        async with self._db.transaction() as conn:
            if await expire(conn, proposal.id):
                await redraw(conn, proposal)

    async def take_back(self, receipt: Receipt, who: Identity, proposal: Proposal) -> bool:
        """Revoke a consent whose message was deleted or edited; False if something may be sent."""
        async with self._db.transaction() as conn:
            if await reopen(conn, proposal.id, by=who.actor) is None:
                return False
            await redraw(conn, proposal, why=f"reopened:{receipt.id}")
            text = notices.taken_back(proposal)
            await tell(conn, receipt, [ActResult("taken_back", text, card=proposal.id)])
            await _record(conn, ConsentAct(receipt, who, "cancel"), proposal, "taken_back", None)
            await close_receipt(conn, receipt.id, reason="taken_back")
        return True

    async def _denied(self, act: ConsentAct, proposal: Proposal) -> Deny | None:
        """Judge an act by the present facts; cancelling one's own needs no right."""
        if act.kind == "withdraw" and act.who.actor.tier < Tier.ADMIN:
            denied = Deny("admin_skill_denied", notices.ADMINS_ONLY)
            return await self._judge.with_help(act.who, denied)
        effect = self._undoing(proposal) if act.kind == "undo" else proposal.effect
        if act.kind in _DROPS or isinstance(effect, UnsupportedEffect | str):
            return None
        acted_at = act.receipt.received_at
        decision = await self._judge.judge(act.who, effect, acted_at=acted_at)
        return decision if isinstance(decision, Deny) else None

    async def apply(
        self, conn: Connection, act: ConsentAct, proposal: Proposal, denied: Deny | None = None
    ) -> ActResult:
        """Apply one act to one proposal, and record it."""
        result = await self._apply(conn, act, proposal, denied)
        if act.kind in _RELEASES and result.is_replay:
            await log_replay(conn, proposal.id, by=act.who.actor, receipt_id=act.receipt.id)
        shown = await shown_hash_of(conn, proposal) if act.kind in _RELEASES else None
        await _record(conn, act, proposal, result.reason, shown)
        return result

    async def _apply(
        self, conn: Connection, act: ConsentAct, proposal: Proposal, denied: Deny | None
    ) -> ActResult:
        match act.kind:
            case "withdraw":
                return (
                    not_here(act.receipt, proposal)
                    or refused(denied)
                    or await self._withdraw(conn, act, proposal)
                )
            case "cancel":
                return not_theirs(act.receipt, act.who, proposal) or await self._cancel(
                    conn, act, proposal
                )
            case "undo":
                effect = self._undoing(proposal)
                return await undo(conn, act.receipt, act.who, proposal, effect, denied)
            case "prepare_again":
                return await prepare_again(conn, act.receipt, act.who, proposal, denied)
            case "prepare_for_me":
                return await prepare_for(conn, act.receipt, act.who, proposal, denied)
            case "confirm" | "retry" | "create_anyway" | "as_shown":
                return await self._release(conn, act, proposal, denied)

    async def _release(
        self, conn: Connection, act: ConsentAct, proposal: Proposal, denied: Deny | None
    ) -> ActResult:
        return (
            not_theirs(act.receipt, act.who, proposal)
            or await self._unsupported(conn, proposal)
            or under_revision(act.kind, proposal)
            or refused(denied)
            or await self._no_duplicate(conn, act, proposal)
            or await self._confirm(conn, act, proposal)
        )

    async def _confirm(self, conn: Connection, act: ConsentAct, proposal: Proposal) -> ActResult:
        actor, receipt = act.who.actor, act.receipt
        if proposal.state in _WAITING:
            other = await at_work(conn, proposal.effect.entity, apart_from=proposal.id)
            if other is not None:
                text = notices.at_work(other, is_own=other.actor_profile_id == actor.profile_id)
                return ActResult("entity_at_work", text, is_private=True)
        confirmed = await confirm(
            conn,
            proposal.id,
            actor_profile_id=actor.profile_id,
            receipt_id=receipt.id,
            place_key=receipt.incoming.place.key,
            again=act.kind in _AGAIN,
            by_word=act.means is ActMeans.WORD,
            as_shown=act.kind == "as_shown",
        )
        if confirmed is None:
            return await self._too_late(conn, act, proposal)
        await log_confirmed(conn, confirmed)
        if act.kind in _AGAIN:
            await renew_intent(conn, proposal.id)
        await execute_later(conn, proposal)
        return ActResult("confirmed")

    async def _cancel(self, conn: Connection, act: ConsentAct, proposal: Proposal) -> ActResult:
        click = act.receipt.incoming.click
        reason = "rejected" if click and click.is_rejection else "cancelled_by_actor"
        cancelled = await cancel_by_no(conn, proposal.id, actor=act.who.actor, reason=reason)
        if cancelled is None:
            return await self._too_late(conn, act, proposal)
        await redraw(conn, proposal)
        # Who pressed the button sees the card change under it.
        is_click = act.receipt.incoming.kind is ReceiptKind.CLICK
        return ActResult(
            "cancelled", "" if is_click else notices.cancelled(proposal), about=proposal.id
        )

    async def _withdraw(self, conn: Connection, act: ConsentAct, proposal: Proposal) -> ActResult:
        """Cancel another person's proposal and notify them; their card and all Home tabs change."""
        admin = act.who.actor
        if await withdraw(conn, proposal.id, admin=admin) is None:
            return ActResult("too_late")
        await redraw(conn, proposal)
        await post(
            conn,
            key=f"withdrawn:{proposal.id}",
            kind=OutboxKind.NOTICE,
            place=proposal.place,
            note=Note(text=notices.withdrawn(proposal, admin.name), about=proposal.id),
            slack_user_id=proposal.actor_slack_user_id,
            receipt_id=act.receipt.id,
        )
        return ActResult("withdrawn")

    async def _unsupported(self, conn: Connection, proposal: Proposal) -> ActResult | None:
        """End a proposal shown before an upgrade that can't be read any more; None for others."""
        is_unsupported = isinstance(proposal.effect, UnsupportedEffect) and proposal.is_untouched
        if not is_unsupported or proposal.state not in _WAITING:
            return None
        if proposal.state is ProposalState.UNCLEAR:
            return ActResult(UNSUPPORTED_REASON, notices.UNSUPPORTED_UNKNOWN)
        if await invalidate(conn, proposal.id) is None:
            return None
        await redraw(conn, proposal)
        return ActResult(UNSUPPORTED_REASON, notices.UNSUPPORTED)

    async def _too_late(self, conn: Connection, act: ConsentAct, proposal: Proposal) -> ActResult:
        """Say how a proposal ended that can't be acted on any more."""
        if await expire(conn, proposal.id):
            await redraw(conn, proposal)
            return expired(proposal)
        state, settled_at = await state_of(conn, proposal.id)
        if state in (ProposalState.OPEN, ProposalState.EXPIRED):
            return expired(proposal)
        text = notices.ended(proposal, state)
        # Of several late presses only one gets a reply, because the card tells the others. Presses
        # that raced with the first count as one, whichever state each of them finds.
        is_race = settled_at is None or act.receipt.received_at < settled_at
        once = f"{proposal.id}:{'race' if is_race else state.value}"
        once = once if act.means is ActMeans.PRESS else ""
        return ActResult(
            f"already_{state.value}",
            text,
            links=notices.links_of(proposal),
            is_replay=True,
            once=once,
            about=proposal.id,
            card=proposal.superseded_by,
        )

    async def _no_duplicate(
        self, conn: Connection, act: ConsentAct, proposal: Proposal
    ) -> ActResult | None:
        """Allow a proposal held back as a duplicate; otherwise say why not."""
        if act.kind != "create_anyway":
            return None
        if proposal.state is ProposalState.OPEN:
            return ActResult("forged_click", notices.FORGED, is_private=True)
        if proposal.state is not ProposalState.FAILED or proposal.reason != "duplicate":
            return await self._too_late(conn, act, proposal)
        await self._store.allow_duplicate(conn, proposal)
        return None

    async def _refuse_forged(
        self, receipt: Receipt, actor: Actor, proposals: list[Proposal]
    ) -> None:
        """Refuse a button made for something else; a tampered proposal is ended."""
        async with self._db.transaction() as conn:
            for proposal in proposals:
                if not proposal.is_untouched and await invalidate(conn, proposal.id, "tampered"):
                    await redraw(conn, proposal)
        result = ActResult("forged_click", notices.FORGED, is_private=True)
        await self._refuse(receipt, actor, result)

    async def _refuse(self, receipt: Receipt, actor: Actor, result: ActResult) -> None:
        async with self._db.transaction() as conn:
            await tell(conn, receipt, [result])
            await record_event(
                conn,
                "consent_refused",
                reason=result.reason,
                actor=actor.profile_id,
                slack_user_id=receipt.incoming.slack_user_id,
            )
            await close_receipt(conn, receipt.id, reason=result.reason)


def ended_by_stop(
    waiting: list[Proposal], receipt: Receipt, stopped: Receipt | None = None
) -> list[Proposal]:
    """Return what a Stop ends: open proposals of the thread, and those being revised."""
    threads = {receipt.incoming.place.thread_ts}
    if stopped is not None:
        threads.add(stopped.incoming.place.thread_ts)
    return [
        proposal
        for proposal in waiting
        if proposal.place.thread_ts in threads
        or (stopped is not None and proposal.suspended_by == stopped.id)
    ]


def _was_drawn_for(click: Click, proposal: Proposal) -> bool:
    """Return whether the button was drawn for this version of the proposal."""
    return any(proposal.fingerprint.startswith(mark) for mark in click.fingerprints if mark)


async def _record(
    conn: Connection, act: ConsentAct, proposal: Proposal, reason: str, shown: str | None
) -> None:
    await record_event(
        conn,
        "consent_confirm" if act.kind in _RELEASES else f"consent_{act.kind}",
        reason=reason,
        actor=act.who.actor.profile_id,
        slack_user_id=act.receipt.incoming.slack_user_id,
        proposal_id=proposal.id,
        payload={"act": act.kind, "receipt_id": act.receipt.id, "card_hash": shown},
    )
