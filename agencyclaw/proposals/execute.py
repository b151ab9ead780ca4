"""Executes confirmed proposals once; the only writer.

A write to our own tables happens in the transaction that settles the proposal. An effect in an
external service has an intent before the request, and is looked up after an unclear outcome.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, Protocol
from uuid import UUID

import logfire

from agencyclaw.domain.errors import Misconfigured, Unavailable, Unclear
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Freshness
from agencyclaw.domain.policy import Allow, Deny
from agencyclaw.domain.proposals import Proposal, ProposalState
from agencyclaw.domain.unsupported import UNSUPPORTED_REASON, UnsupportedEffect
from agencyclaw.proposals import notices
from agencyclaw.proposals.handlers import (
    DatabaseHandler,
    EffectHandlers,
    ExternalHandler,
    IdempotentHandler,
)
from agencyclaw.proposals.identities import Identify, Unidentified, Unverified
from agencyclaw.proposals.judge import PAUSED, Judge
from agencyclaw.proposals.outcomes import (
    RECORDS_AWAY,
    Delayed,
    Done,
    NotDone,
    NotThere,
    Outcome,
    Unknown,
    waits_for_clickup,
)
from agencyclaw.proposals.settling import Settling
from agencyclaw.spans import traced
from agencyclaw.store.consent_rules import pause_at
from agencyclaw.store.engine import AWAY, ROLLED_BACK, Connection, Database
from agencyclaw.store.proposal_states import hold
from agencyclaw.store.proposals import Begun, ProposalStore

# Where nothing may be sent for now, it is looked again after this many seconds.
_LATER_LOOK_S = 60.0
# Recording an outcome takes moments; a person is notified after this many seconds.
_UNRECORDED_S = 20.0


class OutageNoticesPort(Protocol):
    """Notifies a person directly while our database is unavailable; it never fails."""

    async def records_unavailable(self, proposal: Proposal, text: str, card_ts: str) -> None:
        """Send `text` to the person of a card, and mark the card."""
        ...


class Executor:
    """Executes confirmed proposals and settles them."""

    def __init__(
        self,
        db: Database,
        store: ProposalStore,
        handlers: EffectHandlers,
        judge: Judge,
        identify: Identify,
        outage_notices: OutageNoticesPort | None,
    ) -> None:
        self._db = db
        self._store = store
        self._handlers = handlers
        self._judge = judge
        self._identify = identify
        self._outage_notices = outage_notices
        self._notifications: dict[UUID, asyncio.Task[None]] = {}
        self._settling = Settling(db, handlers)

    async def execute(self, proposal_id: UUID) -> None:
        """Execute a confirmed proposal, or continue one that was being executed."""
        begun = await self._store.begin(proposal_id)
        await self._stop_notifying(proposal_id)
        if begun is None:
            return
        proposal = begun.proposal
        with traced("effect", skill=proposal.effect.skill, **_named(proposal)) as span:
            async with self._notify_on_outage(begun):
                match self._handlers.of(proposal.effect):
                    case DatabaseHandler() as handler:
                        outcome = await self._write(proposal, handler)
                    case ExternalHandler() as handler:
                        outcome = await self._run(proposal, handler)
                        await self._settle(begun, outcome)
            span.set_attribute("outcome", type(outcome).__name__)

    @asynccontextmanager
    async def _notify_on_outage(self, begun: Begun) -> AsyncGenerator[None]:
        """Notify the person if our database becomes unavailable during an execution.

        The execution is continued when the database is back.
        """
        try:
            yield
        except ROLLED_BACK:
            # The database is there, and the execution is continued at once.
            raise
        except AWAY as error:
            named = _named(begun.proposal)
            logfire.error("outcome not recorded", error=type(error).__name__, **named)
            self._start_notifying(begun, self._notify)
            raise
        except asyncio.CancelledError:
            # A job that lost its lock is cancelled, and so are all jobs when a process ends.
            self._start_notifying(begun, self._notify_if_away)
            raise

    async def _settle(self, begun: Begun, outcome: Outcome) -> None:
        """Record the outcome; if that takes long, notify the person meanwhile."""
        loop = asyncio.get_running_loop()
        late = loop.call_later(_UNRECORDED_S, lambda: self._start_notifying(begun, self._notify))
        try:
            await self._settling.settle(begun.proposal, outcome)
        finally:
            late.cancel()
        await self._stop_notifying(begun.proposal.id)

    async def _notify_if_away(self, begun: Begun) -> None:
        try:
            async with asyncio.timeout(_UNRECORDED_S):
                await self._db.pool.fetchval("select 1")
        except AWAY:
            await self._notify(begun)

    async def _notify(self, begun: Begun) -> None:
        if self._outage_notices is None:
            return
        text = notices.records_unavailable(begun.proposal)
        await self._outage_notices.records_unavailable(begun.proposal, text, begun.card_ts)

    def _start_notifying(
        self, begun: Begun, notify: Callable[[Begun], Coroutine[Any, Any, None]]
    ) -> None:
        """Start notifying, unless a notification is under way."""
        if begun.proposal.id in self._notifications:
            return
        task = asyncio.create_task(notify(begun), name="outage notice")
        self._notifications[begun.proposal.id] = task
        task.add_done_callback(lambda _: self._notifications.pop(begun.proposal.id, None))

    async def _stop_notifying(self, proposal_id: UUID) -> None:
        """Stop notifying: the database is back, and the card is drawn from it."""
        if notification := self._notifications.get(proposal_id):
            notification.cancel()
            await asyncio.wait({notification})

    async def _write(self, proposal: Proposal, handler: DatabaseHandler[Any]) -> Outcome:
        """Write and settle in one transaction; on any error nothing is written."""
        try:
            if changed := await self._judge_again(proposal):
                await self._settling.settle(proposal, changed)
                return changed
            async with self._db.transaction() as conn:
                outcome = await self._written(conn, proposal, handler)
                if isinstance(outcome, Done):
                    await self._settling.done(conn, proposal, outcome)
        except AWAY as error:
            logfire.warn("records away", proposal=str(proposal.id), error=type(error).__name__)
            outcome = Delayed(RECORDS_AWAY)
        except Exception as error:  # a bug must not lose a consent: nothing was written
            logfire.error("write failed", proposal=str(proposal.id), error=type(error).__name__)
            outcome = NotDone("not_written", notices.UNWRITTEN)
        if isinstance(outcome, NotDone | Delayed):
            await self._settling.settle(proposal, outcome)
        return outcome

    async def _written(
        self, conn: Connection, proposal: Proposal, handler: DatabaseHandler[Any]
    ) -> Done | NotDone | Delayed:
        """Write the effect; one that was settled meanwhile is left as it is."""
        if not await hold(conn, proposal.id, ProposalState.EXECUTING):
            return Delayed(notices.PAUSED)
        return await handler.write(conn, proposal)

    async def _run(self, proposal: Proposal, handler: ExternalHandler[Any]) -> Outcome:
        try:
            # What may exist already is looked for, whatever has changed since.
            if not await handler.may_exist(proposal):
                changed = await self._judge_again(proposal) or await handler.changed_since(proposal)
                if changed and proposal.may_be_sent and isinstance(handler, IdempotentHandler):
                    return await handler.stopped(proposal, changed)
                if changed:
                    return changed
            return await self._send_missing(proposal, handler, await handler.carry_out(proposal))
        except Exception as error:  # a bug must not lose a consent: look before anything else
            logfire.error("effect raised", proposal=str(proposal.id), error=type(error).__name__)
            return await self._after_fault(proposal, handler, error)

    async def _send_missing(
        self, proposal: Proposal, handler: ExternalHandler[Any], outcome: Outcome | NotThere
    ) -> Outcome:
        """Send once more what was not found, if all conditions of the first time still hold.

        Until that is known it stays unclear, so that it is looked for right before it is sent.
        """
        if not isinstance(outcome, NotThere):
            return outcome
        changed = await self._judge_again(proposal)
        if isinstance(changed, Delayed):
            return Unknown(max(_LATER_LOOK_S, changed.after_s))
        return changed or await handler.send_again(proposal)

    async def _after_fault(
        self, proposal: Proposal, handler: ExternalHandler[Any], fault: Exception
    ) -> Outcome:
        """Judge an unexpected error: without an intent certainly nothing was sent."""
        if isinstance(handler, IdempotentHandler):
            return Unknown(handler.first_look_s)
        try:
            if not await handler.may_exist(proposal):
                return _not_begun(fault)
        except Exception as error:
            logfire.error("intent unread", proposal=str(proposal.id), error=type(error).__name__)
        return Unknown(handler.first_look_s)

    async def look(self, proposal_id: UUID) -> None:
        """Look once more for an effect of unknown outcome."""
        [proposal] = await self._store.by_ids([proposal_id])
        handler = self._handlers.of(proposal.effect)
        if proposal.state is not ProposalState.UNCLEAR or not isinstance(handler, ExternalHandler):
            return
        if await pause_at(self._db, proposal.place.team_id):
            await self._settling.look_later(proposal, _LATER_LOOK_S)
            return
        with traced("effect look", **_named(proposal)) as span:
            outcome = await self._look(proposal, handler)
            span.set_attribute("outcome", type(outcome).__name__)
            await self._settling.settle(proposal, outcome)

    async def _look(self, proposal: Proposal, handler: ExternalHandler[Any]) -> Outcome:
        # Looking for such an effect sends what is missing, so it is judged as an execution is.
        is_sending = isinstance(handler, IdempotentHandler)
        if is_sending and (changed := await self._judge_again(proposal)):
            return await handler.stopped(proposal, changed)
        if await handler.may_exist(proposal):
            return await self._send_missing(proposal, handler, await handler.look(proposal))
        # The database failed before anything was written, so it is carried out now.
        return await self._run(proposal, handler)

    async def _judge_again(self, proposal: Proposal) -> NotDone | Delayed | None:
        """Judge again with the present tier, place and clients; None if it is still allowed.

        Slack is asked now; nothing is executed on cached answers.
        """
        if not proposal.is_untouched:
            logfire.error("stored effect differs from the one shown", proposal=str(proposal.id))
            return NotDone("tampered", message("execute.tampered"), can_retry=False)
        if isinstance(proposal.effect, UnsupportedEffect):
            return NotDone(UNSUPPORTED_REASON, notices.UNSUPPORTED_WHY, can_retry=False)
        who = await self._identify(proposal.place, proposal.actor_slack_user_id, Freshness.NOW)
        if isinstance(who, Unidentified):
            return NotDone("unknown_actor", who.message, can_retry=False)
        if isinstance(who, Unverified):
            return Delayed(who.what_for, who.after_s)
        if who.actor.profile_id != proposal.actor_profile_id:
            return NotDone("wrong_actor", message("execute.other_person"), can_retry=False)
        match await self._judge.judge(who, proposal.effect):
            case Deny(reason=reason) if reason == PAUSED:
                return Delayed(notices.PAUSED)
            case Deny(reason=reason, message=why):
                return NotDone(reason, why, can_retry=False)
            case Allow():
                return None


def _not_begun(fault: Exception) -> NotDone | Delayed:
    """Return that nothing was sent; a service's error is retried, one of ours may not be."""
    match fault:
        case Misconfigured():
            return NotDone("misconfigured", notices.UNCHECKED)
        case Unavailable() | Unclear():
            return waits_for_clickup(fault)
        case _ if isinstance(fault, AWAY):
            return Delayed(RECORDS_AWAY)
        case _:
            return NotDone("not_begun", notices.UNCHECKED)


def _named(proposal: Proposal) -> dict[str, Any]:
    """Return the attributes by which spans are found."""
    return {"proposal": str(proposal.id), "run": str(proposal.run_id) if proposal.run_id else None}
