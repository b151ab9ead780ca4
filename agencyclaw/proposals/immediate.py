"""Typed commands and presses in the Home tab, which are their own consent and run at once.

They pass the same judge as a card, are stored as a proposal that their receipt confirmed, and are
written in that transaction: once, with an audit row, and with undo.
"""

from __future__ import annotations

from typing import NamedTuple, assert_never

from agencyclaw.domain.effects import Effect
from agencyclaw.domain.messages import message
from agencyclaw.domain.policy import Allow, Deny
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.receipts import Incoming
from agencyclaw.proposals.endings import record_done, record_not_done
from agencyclaw.proposals.handlers import DatabaseHandler, EffectHandlers
from agencyclaw.proposals.identities import Identity
from agencyclaw.proposals.judge import Judge
from agencyclaw.proposals.outcomes import Done, NotDone
from agencyclaw.store.engine import Connection, Database
from agencyclaw.store.events import log_confirmed, record_event
from agencyclaw.store.proposal_states import release_at_once
from agencyclaw.store.proposals import insert_draft
from agencyclaw.store.receipts import keep_settled

_DONE_BEFORE = message("immediate.done_before")


class ImmediateResult(NamedTuple):
    """The reply to an act, and whether it was carried out; not `is_new` if its key was taken."""

    text: str
    is_done: bool
    is_new: bool = True


class ImmediateEffects:
    """Carries out effects whose command or press is the consent."""

    def __init__(self, db: Database, judge: Judge, handlers: EffectHandlers) -> None:
        self._db = db
        self._judge = judge
        self._handlers = handlers

    async def carry_out(self, act: Incoming, who: Identity, effect: Effect) -> ImmediateResult:
        """Carry out an effect and return what to say; repeating the same act does nothing."""
        decision = await self._judge.judge(who, effect)
        match decision:
            case Deny(reason=reason, message=why):
                await self._note_refusal(act, who, reason)
                return ImmediateResult(message("built.unchanged", why=why), is_done=False)
            case Allow():
                return await self._allowed(act, who, effect)
            case _:
                assert_never(decision)

    async def _allowed(self, act: Incoming, who: Identity, effect: Effect) -> ImmediateResult:
        async with self._db.transaction() as conn:
            receipt_id = await keep_settled(conn, act)
            if receipt_id is None:
                return ImmediateResult(_DONE_BEFORE, is_done=True, is_new=False)
            draft = await insert_draft(
                conn, effect, receipt_id=receipt_id, run_id=None, place=act.place, actor=who.actor
            )
            return await self._write(conn, await release_at_once(conn, draft.id))

    async def _write(self, conn: Connection, proposal: Proposal) -> ImmediateResult:
        handler = self._handlers.of(proposal.effect)
        assert isinstance(handler, DatabaseHandler)
        await log_confirmed(conn, proposal)
        match await handler.write(conn, proposal):
            case Done() as done:
                await record_done(conn, proposal, handler, done)
                return ImmediateResult(handler.receipt(proposal, done).text, is_done=True)
            case NotDone(message=why) as not_done:
                await record_not_done(conn, proposal, not_done, can_retry=False)
                text = message("immediate.not_done", why=why[:1].upper() + why[1:])
                return ImmediateResult(text, is_done=False)

    async def _note_refusal(self, act: Incoming, who: Identity, reason: str) -> None:
        await record_event(
            self._db.pool,
            "command_refused",
            reason=reason,
            actor=who.actor.profile_id,
            slack_user_id=act.slack_user_id,
            payload={"command": act.text.partition(" ")[0], "channel": act.place.channel_id},
        )
