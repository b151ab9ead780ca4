"""Consent: a person's click or plain word about an open proposal. Code only, no model.

Every act is compare-and-set on the proposal's row; the loser of a race is told how it ended.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Protocol

import logfire

from agencyclaw.domain.consent import Word
from agencyclaw.domain.outgrown import Outgrown
from agencyclaw.domain.people import Actor, Tier
from agencyclaw.domain.policy import Deny, Switches, decide_effect
from agencyclaw.domain.proposals import Proposal, ProposalState
from agencyclaw.domain.receipts import Click, Note, OutboxKind, Receipt, ReceiptKind
from agencyclaw.effects import words
from agencyclaw.effects.standing import Present
from agencyclaw.effects.undo import Undoing, undo
from agencyclaw.effects.verdicts import Verdict, not_theirs
from agencyclaw.store.engine import Connection, Database
from agencyclaw.store.events import record_event
from agencyclaw.store.intents import renew_intent
from agencyclaw.store.invocations import log_release, log_replay
from agencyclaw.store.jobs import defer, queue_of
from agencyclaw.store.outbox import post
from agencyclaw.store.proposals import (
    ProposalStore,
    cancel,
    confirm,
    expire,
    outgrow,
    withdraw,
)
from agencyclaw.store.receipts import close_receipt
from agencyclaw.store.rivals import at_work, hold_entities

_RECENT = timedelta(minutes=10)
_RELEASES = ("confirm", "retry", "create_anyway")
_AGAIN = ("retry", "create_anyway")
_WAITING = (ProposalState.OPEN, ProposalState.FAILED, ProposalState.UNCLEAR)


class Skills(Protocol):
    """Which tools are switched on at present."""

    async def switches(self, team_id: str) -> Switches:
        """Return which tools are on, and what admins decided about them in this workspace."""
        ...


class Consent:
    """Carries out what people said about proposals."""

    def __init__(
        self, db: Database, store: ProposalStore, skills: Skills, undoing: Undoing
    ) -> None:
        self._db = db
        self._store = store
        self._skills = skills
        self._undoing = undoing

    async def by_word(self, receipt: Receipt, who: Present, word: Word) -> bool:
        """Apply a whole-message yes or no; False when it is about nothing and is conversation."""
        place = receipt.incoming.place
        mine = await self._store.open_here(place, who.actor)
        in_thread = [p for p in mine if p.place.thread_ts == place.thread_ts]
        about = in_thread or mine
        if not about:
            return await self._about_nothing(receipt, who.actor, word)
        if len(about) > 1:
            await self._ask_which(receipt, about, word)
            return True
        if word.is_yes and not await self._store.seen_before(about, receipt.id):
            await self._refuse(receipt, who.actor, "card_not_seen", words.UNSEEN)
            return True
        [proposal] = about
        await self._act(receipt, who, [proposal], "confirm" if word.is_yes else "cancel")
        return True

    async def by_click(self, receipt: Receipt, who: Present, click: Click) -> None:
        """Apply a pressed button to the proposals it names."""
        found = await self._store.by_ids(click.proposal_ids)
        sound = [p for p in found if p.is_untouched and _names(click, p)]
        if len(sound) < len(click.proposal_ids) or not sound:
            await self._refuse(receipt, who.actor, "forged_click", words.FORGED)
            return
        if click.act == "undo":
            await self._undo(receipt, who, sound)
            return
        await self._act(receipt, who, sound, click.act)

    async def open_here(self, receipt: Receipt, who: Present) -> list[Proposal]:
        """Return what waits for this person's word in the place of a receipt."""
        return await self._store.open_here(receipt.incoming.place, who.actor)

    async def drop_here(self, receipt: Receipt, who: Present) -> None:
        """Cancel what waits for this person's word in the thread, as Stop wants it."""
        thread_ts = receipt.incoming.place.thread_ts
        mine = await self.open_here(receipt, who)
        about = [one for one in mine if one.place.thread_ts == thread_ts]
        if about:
            await self._act(receipt, who, about, "cancel")
            return
        async with self._db.transaction() as conn:
            await close_receipt(conn, receipt.id, reason="nothing_to_stop")

    async def drop(
        self, conn: Connection, receipt: Receipt, who: Present, proposals: list[Proposal]
    ) -> None:
        """Cancel these inside the caller's transaction; their cards say so."""
        nobody = Switches(frozenset())  # cancelling needs no right
        for proposal in proposals:
            await self._one(conn, receipt, who, proposal, "cancel", nobody)

    async def expire(self, proposal: Proposal) -> None:
        """End a proposal whose time is over and change its card."""
        async with self._db.transaction() as conn:
            if await expire(conn, proposal.id):
                await _redraw(conn, proposal)

    async def _act(
        self, receipt: Receipt, who: Present, proposals: list[Proposal], act: str
    ) -> None:
        runs = sorted({str(one.run_id) for one in proposals if one.run_id})
        with logfire.span("consent", act=act, proposals=len(proposals), runs=runs):
            switches = await self._skills.switches(receipt.incoming.place.team_id)
            async with self._db.transaction() as conn:
                if act in _RELEASES:
                    await hold_entities(conn, {one.effect.entity for one in proposals})
                verdicts = [
                    await self._one(conn, receipt, who, proposal, act, switches)
                    for proposal in proposals
                ]
                await self._tell(conn, receipt, verdicts)
                await close_receipt(conn, receipt.id, reason=verdicts[0].reason)

    async def _one(
        self,
        conn: Connection,
        receipt: Receipt,
        who: Present,
        proposal: Proposal,
        act: str,
        switches: Switches,
    ) -> Verdict:
        match act:
            case "withdraw":
                verdict = _may_withdraw(receipt, who, proposal) or await self._withdraw(
                    conn, receipt, proposal, who.actor
                )
            case "cancel":
                verdict = not_theirs(receipt, who, proposal) or await self._cancel(
                    conn, receipt, proposal, who.actor
                )
            case _:
                verdict = (
                    not_theirs(receipt, who, proposal)
                    or await self._outgrown(conn, proposal)
                    or _judge(who, proposal, switches)
                    or await self._not_a_twin(conn, proposal, act)
                    or await self._confirm(conn, receipt, proposal, who.actor, again=act in _AGAIN)
                )
        if act in _RELEASES and verdict.reason.startswith("already_"):
            await log_replay(conn, proposal.id, by=who.actor, receipt_id=receipt.id)
        await record_event(
            conn,
            "consent_confirm" if act in _RELEASES else f"consent_{act}",
            reason=verdict.reason,
            actor=who.actor.profile_id,
            slack_user_id=receipt.incoming.slack_user_id,
            proposal_id=proposal.id,
            payload={"act": act, "receipt_id": receipt.id},
        )
        return verdict

    async def _confirm(
        self, conn: Connection, receipt: Receipt, proposal: Proposal, actor: Actor, *, again: bool
    ) -> Verdict:
        if proposal.state in _WAITING and (other := await at_work(conn, proposal)):
            said = words.at_work(other, is_own=other.actor_profile_id == actor.profile_id)
            return Verdict("entity_at_work", said, is_private=True)
        confirmed = await confirm(
            conn,
            proposal.id,
            actor_profile_id=actor.profile_id,
            receipt_id=receipt.id,
            place_key=receipt.incoming.place.key,
            again=again,
        )
        if confirmed is None:
            return await self._too_late(conn, proposal)
        await log_release(conn, confirmed)
        if again:
            await renew_intent(conn, proposal.id)
        await defer(
            conn,
            "execute",
            {"proposal_id": str(proposal.id)},
            lock=f"execute:{proposal.id}",
            queue=queue_of(proposal.place.team_id),
        )
        return Verdict("confirmed")

    async def _cancel(
        self, conn: Connection, receipt: Receipt, proposal: Proposal, actor: Actor
    ) -> Verdict:
        if await cancel(conn, proposal.id, actor=actor, reason="cancelled_by_actor") is None:
            return await self._too_late(conn, proposal)
        await _redraw(conn, proposal)
        # Who pressed the button sees the card change under it.
        is_click = receipt.incoming.kind is ReceiptKind.CLICK
        return Verdict("cancelled", "" if is_click else words.cancelled(proposal))

    async def _withdraw(
        self, conn: Connection, receipt: Receipt, proposal: Proposal, admin: Actor
    ) -> Verdict:
        """Drop somebody else's proposal and tell them; their card and every Home tab change."""
        if await withdraw(conn, proposal.id, admin=admin) is None:
            return Verdict("too_late")
        await _redraw(conn, proposal)
        await post(
            conn,
            key=f"withdrawn:{proposal.id}",
            kind=OutboxKind.NOTICE,
            place=proposal.place,
            note=Note(text=words.withdrawn(proposal, admin.name)),
            receipt_id=receipt.id,
        )
        return Verdict("withdrawn")

    async def _outgrown(self, conn: Connection, proposal: Proposal) -> Verdict | None:
        """End what was shown before an upgrade and can't be read any more; None for all else."""
        is_outgrown = isinstance(proposal.effect, Outgrown) and proposal.is_untouched
        if not is_outgrown or proposal.state not in _WAITING:
            return None
        if proposal.state is ProposalState.UNCLEAR:
            return Verdict("outgrown", words.OUTGROWN_UNKNOWN)
        if await outgrow(conn, proposal.id) is None:
            return await self._too_late(conn, proposal)
        await _redraw(conn, proposal)
        return Verdict("outgrown", words.OUTGROWN)

    async def _too_late(self, conn: Connection, proposal: Proposal) -> Verdict:
        """Say how a proposal that can't be acted on any more ended."""
        if await expire(conn, proposal.id):
            await _redraw(conn, proposal)
            return Verdict("expired", words.EXPIRED)
        row = await conn.fetchrow("select state from proposals where id = $1", proposal.id)
        state = ProposalState(row["state"])
        if state is ProposalState.OPEN:
            return Verdict("expired", words.EXPIRED)
        said = words.ended(proposal, state)
        return Verdict(f"already_{state.value}", said, links=words.links_of(proposal))

    async def _about_nothing(self, receipt: Receipt, actor: Actor, word: Word) -> bool:
        if theirs := await self._meant_of_others(receipt, actor, word):
            await self._refuse(receipt, actor, "wrong_actor", words.only(theirs.actor_name))
            return True
        last = await self._last_ended(receipt, actor)
        if last is None and not word.is_command:
            return False
        say = words.ended(last, last.state) if last else words.NOTHING_WAITS
        links = words.links_of(last) if last else ()
        async with self._db.transaction() as conn:
            await self._tell(conn, receipt, [Verdict("nothing_pending", say, links=links)])
            if last and word.is_yes:
                await log_replay(conn, last.id, by=actor, receipt_id=receipt.id)
            await close_receipt(conn, receipt.id, reason="nothing_pending")
        return True

    async def _meant_of_others(self, receipt: Receipt, actor: Actor, word: Word) -> Proposal | None:
        """Return the open proposal of somebody else that these words must be about."""
        place = receipt.incoming.place
        for proposal in await self._store.open_of_others(place, actor):
            if word.is_command or not await self._store.spoken_since(place, proposal.created_at):
                return proposal
        return None

    async def _last_ended(self, receipt: Receipt, actor: Actor) -> Proposal | None:
        """Return the last proposal here if it ended a moment ago and nothing was said since."""
        place = receipt.incoming.place
        last = await self._store.last_here(place, actor)
        if last is None:
            return None
        at = last.settled_at or last.created_at
        is_old = receipt.received_at - at > _RECENT
        return None if is_old or await self._store.spoken_since(place, at) else last

    async def _ask_which(self, receipt: Receipt, about: list[Proposal], word: Word) -> None:
        async with self._db.transaction() as conn:
            await self._tell(conn, receipt, [Verdict("which", words.which(about, word.is_yes))])
            await post(
                conn,
                key=f"which:{receipt.id}",
                kind=OutboxKind.CARD,
                place=receipt.incoming.place,
                proposal_ids=tuple(p.id for p in about),
                receipt_id=receipt.id,
            )
            await close_receipt(conn, receipt.id, reason="which")

    async def _undo(self, receipt: Receipt, who: Present, proposals: list[Proposal]) -> None:
        """Take back what was done, each by an effect of its own."""
        switches = await self._skills.switches(receipt.incoming.place.team_id)
        async with self._db.transaction() as conn:
            verdicts = [
                await undo(conn, receipt, who, one, undoing=self._undoing, switches=switches)
                for one in proposals
            ]
            await self._tell(conn, receipt, verdicts)
            await close_receipt(conn, receipt.id, reason=verdicts[0].reason)

    async def _not_a_twin(self, conn: Connection, proposal: Proposal, act: str) -> Verdict | None:
        """Let a proposal that was held back as a duplicate go, on purpose; else say why not."""
        if act != "create_anyway":
            return None
        if proposal.state is ProposalState.OPEN:
            return Verdict("forged_click", words.FORGED, is_private=True)
        if proposal.state is not ProposalState.FAILED or proposal.reason != "duplicate":
            return await self._too_late(conn, proposal)
        await self._store.allow_twin(conn, proposal)
        return None

    async def _refuse(self, receipt: Receipt, actor: Actor, reason: str, say: str) -> None:
        async with self._db.transaction() as conn:
            await self._tell(conn, receipt, [Verdict(reason, say, is_private=True)])
            await record_event(
                conn,
                "consent_refused",
                reason=reason,
                actor=actor.profile_id,
                slack_user_id=receipt.incoming.slack_user_id,
            )
            await close_receipt(conn, receipt.id, reason=reason)

    async def _tell(self, conn: Connection, receipt: Receipt, verdicts: list[Verdict]) -> None:
        said = list(dict.fromkeys(v.say for v in verdicts if v.say))
        if not said:
            return
        links = tuple(dict.fromkeys(link for v in verdicts for link in v.links))
        await post(
            conn,
            key=f"consent:{receipt.id}",
            kind=OutboxKind.EPHEMERAL if any(v.is_private for v in verdicts) else OutboxKind.NOTICE,
            place=receipt.incoming.place,
            note=Note(text="\n".join(said), links=links),
            slack_user_id=receipt.incoming.slack_user_id,
            receipt_id=receipt.id,
        )


def _may_withdraw(receipt: Receipt, who: Present, proposal: Proposal) -> Verdict | None:
    """Return why this person may not drop other people's proposals, or None when they may."""
    if proposal.place.key != receipt.incoming.place.key:
        return Verdict("forged_click", words.FORGED, is_private=True)
    if who.actor.tier < Tier.ADMIN:
        return Verdict("admin_skill_denied", words.ADMINS_ONLY, is_private=True)
    return None


def _judge(who: Present, proposal: Proposal, switches: Switches) -> Verdict | None:
    """Return why this person may not release this here and now, or None when they may."""
    if not proposal.is_untouched:
        return Verdict("tampered", words.FORGED, is_private=True)
    match decide_effect(who.actor, who.surface, proposal.effect, switches):
        case Deny(reason=reason, message=message):
            return Verdict(reason, message, is_private=True)
        case _:
            return None


def _names(click: Click, proposal: Proposal) -> bool:
    """Return whether the button was drawn for this very version of the proposal."""
    return any(proposal.fingerprint.startswith(mark) for mark in click.fingerprints if mark)


async def _redraw(conn: Connection, proposal: Proposal) -> None:
    await post(
        conn,
        key=f"redraw:{proposal.id}:ended",
        kind=OutboxKind.CARD_UPDATE,
        place=proposal.place,
        proposal_ids=(proposal.id,),
    )
