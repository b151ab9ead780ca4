"""Stop: a person's button or word ends the message in progress, in the database first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import compress

from agencyclaw.conversation import fixed_texts
from agencyclaw.conversation.interrupted_run import with_last_steps
from agencyclaw.conversation.running import RunningTurns
from agencyclaw.domain.messages import message
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.receipts import Note, Receipt
from agencyclaw.domain.text import folded
from agencyclaw.proposals.act_results import ActResult
from agencyclaw.proposals.consent import Consent, ended_by_stop
from agencyclaw.proposals.identities import Identity
from agencyclaw.store.engine import Connection, Database
from agencyclaw.store.events import record_event
from agencyclaw.store.outbox import post_answer
from agencyclaw.store.receipts import close_receipt
from agencyclaw.store.sessions import mark_sessions
from agencyclaw.store.stopping import say_stopped, stop_message
from agencyclaw.store.suspensions import end_suspensions


@dataclass(frozen=True)
class Stopping:
    """Stops turns in whichever process they run."""

    db: Database
    running: RunningTurns
    consent: Consent

    async def by_button(self, receipt: Receipt, who: Identity) -> None:
        """Stop the thread's turn; if it has just ended, cancel its open proposals instead.

        Slack has already stopped the thread's streams, so the turn ends whoever pressed. Proposals
        are cancelled only by the person they belong to.
        """
        place = receipt.incoming.place
        waiting = await self.consent.open_here(receipt, who)
        async with self.db.transaction() as conn:
            stopped = await stop_message(conn, place.key, thread_ts=place.thread_ts)
            if stopped is not None:
                revised = [proposal for proposal in waiting if proposal.suspended_by == stopped.id]
                results = await self.consent.drop(conn, receipt, who, revised)
                await self._end(conn, receipt, who, stopped, results)
        if stopped is None:
            # The button was there because Slack still shows the thread as busy.
            await mark_sessions(self.db.pool, [place])
            await self.consent.drop_here(receipt, who)
        else:
            await self.running.stop(stopped.id)

    async def by_word(self, receipt: Receipt, who: Identity) -> bool:
        """Stop this person's turn in the lane, and cancel what is open in its thread.

        Returns False in a channel where there is neither: there it is an ordinary word.
        """
        incoming = receipt.incoming
        waiting = await self.consent.open_here(receipt, who)
        async with self.db.transaction() as conn:
            stopped = await stop_message(
                conn, incoming.place.key, slack_user_id=incoming.slack_user_id
            )
            about = ended_by_stop(waiting, receipt, stopped)
            if not (stopped or about or incoming.place.is_direct):
                return False
            results = await self.consent.drop(conn, receipt, who, about)
            if stopped is not None:
                await self._end(conn, receipt, who, stopped, results)
            elif await close_receipt(conn, receipt.id, reason="stop"):
                await self._say(conn, receipt, about, results)
        if stopped is not None:
            await self.running.stop(stopped.id)
        return True

    async def _say(
        self, conn: Connection, receipt: Receipt, about: list[Proposal], results: list[ActResult]
    ) -> None:
        """Say what Stop cancelled, and what it came too late for, if no turn was running."""
        is_dropped = [result.reason == "cancelled" for result in results]
        lines = late = _too_late(results)
        if labels := ", ".join(_titles(list(compress(about, is_dropped)))):
            dropped = message("talk.dropped", labels=labels)
            lines = [dropped, *late] if late else [message("built.unchanged", why=dropped)]
        text = "\n".join(lines) or fixed_texts.NOTHING_TO_STOP
        await post_answer(conn, receipt, Note(text=text))

    async def _end(
        self,
        conn: Connection,
        receipt: Receipt,
        who: Identity,
        stopped: Receipt,
        results: list[ActResult],
    ) -> None:
        """Confirm the stop below the stopped message, and in the thread of the Stop.

        Cards that are not of the person who stopped it, and were to be changed, stay as they were.
        """
        await end_suspensions(conn, stopped.id)
        late = _too_late(results)
        text = "\n".join((message("talk.stopped_some"), *late)) if late else fixed_texts.STOPPED
        await say_stopped(conn, stopped, await with_last_steps(conn, stopped.id, text))
        if stopped.incoming.place.thread_ts != receipt.incoming.place.thread_ts:
            await post_answer(conn, receipt, Note(text=text))
        await record_event(
            conn,
            "turn_stopped",
            reason=receipt.incoming.kind.value,
            actor=who.actor.profile_id,
            slack_user_id=receipt.incoming.slack_user_id,
            payload={"receipt": stopped.id, "by": receipt.id},
        )
        await close_receipt(conn, receipt.id, reason="stop")


def _too_late(results: list[ActResult]) -> list[str]:
    """Return what is said of cards that a Stop came too late for."""
    return [result.reply for result in results if result.reason != "cancelled"]


def _titles(proposals: list[Proposal]) -> Iterator[str]:
    """Yield quoted titles; equal titles with their clients."""
    times = Counter(folded(proposal.effect.label) for proposal in proposals)
    for effect in (proposal.effect for proposal in proposals):
        is_unique = times[folded(effect.label)] == 1 or not effect.owner
        yield (
            f"“{effect.label}”"
            if is_unique
            else message("built.label_for", label=effect.label, owner=effect.owner)
        )
