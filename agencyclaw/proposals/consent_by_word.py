"""Consent by words: a plain yes or no counts as a direct reply to its card, and as nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

import logfire

from agencyclaw.domain.consent.reply import (
    Cancels,
    CardInSight,
    Confirms,
    ConsentReply,
    HasEnded,
    NotConsent,
    Posted,
    Ruling,
    Uncertain,
    WordsOver,
    can_still_be_dropped,
    judge_word,
    number,
    words_count,
)
from agencyclaw.domain.consent.words import Word
from agencyclaw.domain.errors import NotGranted, Throttled, Unavailable, Unclear
from agencyclaw.domain.people import Place, ScopeKind
from agencyclaw.domain.proposals import Proposal, ProposalState
from agencyclaw.domain.receipts import Incoming, Receipt
from agencyclaw.proposals import notices
from agencyclaw.proposals.act_results import ActResult, expired, tell
from agencyclaw.proposals.consent import ActMeans, Consent, ConsentAct
from agencyclaw.proposals.identities import Identity
from agencyclaw.store.consent_rules import read_rules
from agencyclaw.store.edited_messages import withdraw_message
from agencyclaw.store.engine import Database
from agencyclaw.store.events import log_replay, record_event
from agencyclaw.store.jobs import is_local
from agencyclaw.store.proposals import ProposalStore
from agencyclaw.store.receipts import close_receipt
from agencyclaw.store.transcripts import Transcripts


class ThreadsPort(Protocol):
    """Reads Slack's conversations."""

    async def since(self, place: Place, *, after: str, word: str, whole: bool) -> Sequence[Posted]:
        """Return what a thread, or with `whole` its channel, has after a ts.

        `word` is the judged message: it is included, as withdrawn if it was deleted or edited.
        Raises Unavailable, Unclear or Misconfigured if Slack does not say.
        """
        ...


class MessageWaits(Protocol):
    """Keeps a message waiting while a service is unavailable."""

    async def retry(self, receipt: Receipt, what_for: str, after_s: float = 0.0) -> None:
        """Raise Throttled for the next try; returns once it has waited as long as it may."""
        ...


class ConsentByWord:
    """Judges a person's plain yes or no, and applies it."""

    def __init__(
        self,
        db: Database,
        store: ProposalStore,
        transcripts: Transcripts,
        threads: ThreadsPort | None,
        consent: Consent,
        waiting: MessageWaits,
    ) -> None:
        self._db = db
        self._store = store
        self._transcripts = transcripts
        self._threads = threads
        self._consent = consent
        self._waiting = waiting

    async def by_word(self, receipt: Receipt, who: Identity, word: Word) -> NotConsent | None:
        """Apply a whole-message yes or no; None unless it is conversation.

        Raises Throttled while it is unknown what was posted between card and word.
        """
        try:
            ruling = await self._ruling(receipt, who, word)
        except NotGranted as error:
            logfire.error("conversations can't be read", why=str(error))
            await self._give_up(receipt, who, notices.UNREADABLE)
            return None
        except (Unavailable, Unclear) as error:
            logfire.warn("conversation not read", error=type(error).__name__)
            await self._wait(receipt, who, error.after if isinstance(error, Throttled) else 0.0)
            return None
        match ruling:
            case NotConsent():
                return ruling
            case Uncertain():
                await self._wait(receipt, who)
            case Confirms(proposal_id=proposal_id):
                await self._act(ConsentAct(receipt, who, "confirm", ActMeans.WORD), proposal_id)
            case Cancels(proposal_id=proposal_id):
                await self._act(ConsentAct(receipt, who, "cancel", ActMeans.WORD), proposal_id)
            case WordsOver(proposal_id=proposal_id):
                await self._reply_late(receipt, who, proposal_id, "words_over", word)
            case HasEnded(proposal_id=proposal_id):
                await self._reply_late(receipt, who, proposal_id, "ended", word)
        return None

    async def unsaid(self, receipt: Receipt, who: Identity) -> None:
        """Revoke a yes that was deleted or edited, if nothing was sent for it."""
        incoming = receipt.incoming
        async with self._db.transaction() as conn:
            # If it was not handled yet, it will not be read as a yes. One that is being applied is
            # waited for: only then it is known what it confirmed.
            await withdraw_message(conn, incoming.place, incoming.about_ts)
        confirmed = await self._store.confirmed_by_message(incoming.place, incoming.about_ts)
        for proposal in confirmed:
            if proposal.actor_profile_id != who.actor.profile_id:
                continue
            if await self._consent.take_back(receipt, who, proposal):
                return
        async with self._db.transaction() as conn:
            await close_receipt(conn, receipt.id, reason="unsaid")

    async def _ruling(self, receipt: Receipt, who: Identity, word: Word) -> Ruling:
        """Judge by our own records first, and ask Slack only if they leave it open."""
        incoming = receipt.incoming
        shown = await self._transcripts.shown(incoming.place, who.actor)
        if not shown or not incoming.is_plain:
            return NotConsent()
        card = _oldest_relevant(shown, incoming)
        # Only a single card that waits can be confirmed, so its rules say whether words count.
        waiting = next((one for one in shown if one.state is ProposalState.OPEN), card)
        reply = await self._consent_reply(receipt, who, word, waiting)
        posted = await self._transcripts.posted(receipt, card=card.card_id)
        ruling = judge_word(reply, shown, posted)
        if isinstance(ruling, NotConsent | Uncertain):
            return ruling
        if self._threads is None or is_local(incoming.place.team_id):
            return ruling
        in_slack = await self._threads.since(
            incoming.place, after=card.card_ts, word=reply.ts, whole=reply.is_top_level
        )
        return judge_word(reply, shown, _joined(posted, in_slack))

    async def _consent_reply(
        self, receipt: Receipt, who: Identity, word: Word, card: CardInSight
    ) -> ConsentReply:
        incoming = receipt.incoming
        [proposal] = await self._store.by_ids([card.proposal_id])
        return ConsentReply(
            ts=incoming.slack_ts,
            thread_ts=incoming.place.thread_ts,
            slack_user_id=incoming.slack_user_id,
            word=word,
            received_at=receipt.received_at,
            is_plain=incoming.is_plain,
            is_direct=incoming.place.is_direct,
            counts_here=await self._count_here(who, incoming.place, proposal),
        )

    async def _count_here(self, who: Identity, place: Place, proposal: Proposal) -> bool:
        """Whether words count: in a DM or where an admin allows them, if no press is required."""
        clients = proposal.effect.clients
        rules = await read_rules(self._db, place, clients[0].id if clients else None)
        return words_count(
            is_own=who.surface.is_private,
            is_internal=who.surface.scope is ScopeKind.INTERNAL,
            takes_press=rules.takes_press,
            allows_words=rules.allows_words,
        )

    async def _act(self, act: ConsentAct, proposal_id: UUID) -> None:
        await self._consent.decide(act, await self._store.by_ids([proposal_id]))

    async def _wait(self, receipt: Receipt, who: Identity, after_s: float = 0.0) -> None:
        """Retry later; after waiting too long, ask for a press instead."""
        await self._waiting.retry(receipt, notices.WHAT_STANDS_BETWEEN, after_s)
        await self._give_up(receipt, who, notices.UNCERTAIN)

    async def _give_up(self, receipt: Receipt, who: Identity, why: str) -> None:
        waiting = await self._store.open_here(receipt.incoming.place, who.actor)
        card = waiting[0].id if len(waiting) == 1 else None
        async with self._db.transaction() as conn:
            await tell(conn, receipt, [ActResult("uncertain", why, is_private=True, card=card)])
            await close_receipt(conn, receipt.id, reason="uncertain")

    async def _reply_late(
        self, receipt: Receipt, who: Identity, proposal_id: UUID, reason: str, word: Word
    ) -> None:
        """Reply to a direct answer that came too late."""
        [proposal] = await self._store.by_ids([proposal_id])
        if proposal.state is ProposalState.OPEN and reason == "ended":
            await self._consent.expire(proposal)
        async with self._db.transaction() as conn:
            await tell(conn, receipt, [_late(proposal, reason)])
            if word is Word.YES:
                await log_replay(conn, proposal_id, by=who.actor, receipt_id=receipt.id)
            await record_event(
                conn,
                "consent_refused",
                reason=reason,
                actor=who.actor.profile_id,
                slack_user_id=receipt.incoming.slack_user_id,
                proposal_id=proposal_id,
            )
            await close_receipt(conn, receipt.id, reason=reason)


def _late(proposal: Proposal, reason: str) -> ActResult:
    if reason == "words_over":
        words = notices.words_over(proposal)
        return ActResult(reason, words, about=proposal.id, card=proposal.id)
    if proposal.state in (ProposalState.OPEN, ProposalState.EXPIRED):
        return expired(proposal)
    text = notices.ended(proposal, proposal.state)
    return ActResult(reason, text, links=notices.links_of(proposal), about=proposal.id)


def _oldest_relevant(shown: list[CardInSight], incoming: Incoming) -> CardInSight:
    """Return the card from which on the conversation is read to judge a word.

    That is the oldest card in the word's place that can still be decided; without one, the card
    shown last.
    """
    thread_ts = incoming.place.thread_ts
    is_top_level = incoming.slack_ts == thread_ts
    here = [card for card in shown if is_top_level or card.thread_ts == thread_ts]
    decidable = [card for card in here if can_still_be_dropped(card)]
    if decidable:
        return min(decidable, key=lambda card: number(card.card_ts))
    return (here or shown)[-1]


def _joined(ours: Sequence[Posted], from_slack: Sequence[Posted]) -> list[Posted]:
    """Merge both records of a message; ours take precedence over Slack's."""
    stamps = {message.ts for message in ours}
    return [*ours, *(message for message in from_slack if message.ts not in stamps)]
