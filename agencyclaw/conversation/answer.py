"""A message that is conversation: gather, act, verify, answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

import logfire

from agencyclaw.agents.main import (
    Answered,
    Failed,
    MainAgent,
    Outcome,
    StaysSilent,
    answer,
)
from agencyclaw.agents.policies.journal import Journal
from agencyclaw.agents.policies.progress import Progress
from agencyclaw.agents.policies.writing import Draft
from agencyclaw.conversation.cost_limits import CostLimits
from agencyclaw.conversation.endings import RunEnding, conclude, conclude_silently
from agencyclaw.conversation.gaps import note_unmet
from agencyclaw.conversation.gathered import Gathered
from agencyclaw.conversation.gathering import Gatherer
from agencyclaw.conversation.going_on import earlier_responses, offering
from agencyclaw.conversation.run_endings import ending_of
from agencyclaw.conversation.run_facts import outcome_facts
from agencyclaw.conversation.waiting import WaitingMessages
from agencyclaw.conversation.welcome import Welcome
from agencyclaw.deps.status import StatusIndicator, StreamWriter
from agencyclaw.domain.messages import message
from agencyclaw.domain.proposals import Proposal, ProposalState
from agencyclaw.domain.receipts import Addressed, Note, Receipt
from agencyclaw.domain.runs import RunStatus
from agencyclaw.domain.schedules import Firing
from agencyclaw.proposals.identities import Identity
from agencyclaw.spans import traced
from agencyclaw.store.engine import Database
from agencyclaw.store.proposals import ProposalStore
from agencyclaw.store.runs import Runs


@dataclass(frozen=True)
class Acted:
    """What a run started from, and how it came out."""

    gathered: Gathered
    outcome: Outcome


@dataclass(frozen=True)
class Conversation:
    """Answers messages with the main agent."""

    db: Database
    runs: Runs
    proposals: ProposalStore
    gatherer: Gatherer
    agent: MainAgent
    waiting: WaitingMessages
    limits: CostLimits
    welcome: Welcome | None = None

    @property
    def status(self) -> StatusIndicator:
        """Shows what a turn is doing."""
        return self.waiting.status

    async def answer(self, receipt: Receipt, identity: Identity, *, run_id: UUID) -> None:
        """Gather, act, verify, and end the receipt with an answer or an honest apology."""
        if why := await self.limits.stopping(receipt.incoming.place.team_id, identity.actor):
            await self._decline(receipt, identity, why, run_id)
            return
        acted = await self.act(receipt, identity, run_id=run_id)
        gathered, outcome = acted.gathered, acted.outcome
        await self._retry_if_unavailable(receipt, gathered, outcome)
        await note_unmet(self.db, gathered.deps.inquiry, outcome)
        with traced("deliver", run=str(run_id)):
            await self._conclude(receipt, gathered, outcome)

    async def _decline(self, receipt: Receipt, identity: Identity, why: str, run_id: UUID) -> None:
        """End a message that may cost nothing: as a run that failed, which can be tried again."""
        await self.gatherer.open_run(receipt, identity, run_id)
        lead = message("costs.unanswered", why=why)
        advice = message("talk.way_on", advice=message("costs.advice"), run_id=str(run_id)[:8])
        text = f"{lead}\n{advice}"
        ending = RunEnding(
            Note(text=text, run_id=run_id),
            RunStatus.FAILED,
            {"reason": "over_cost_cap", "text": text},
            is_private=receipt.incoming.addressed is Addressed.PERHAPS,
        )
        await conclude(self.db, receipt, run_id, ending)

    async def act(
        self, receipt: Receipt, identity: Identity, *, run_id: UUID, firing: Firing | None = None
    ) -> Acted:
        """Gather, act and verify; nothing is said yet."""
        with traced("agent.gather", run=str(run_id)) as span:
            gathered = await self.gatherer.gather(receipt, identity, run_id, firing)
            span.set_attributes(gathered.facts)
        trace = dict(logfire.get_context())
        with traced("agent.act", run=str(run_id)) as span:
            span.set_attributes(gathered.facts)
            outcome = await self._act(receipt, gathered, trace)
            span.set_attributes(outcome_facts(outcome))
        return Acted(gathered, outcome)

    async def end_session(self, receipt: Receipt) -> None:
        """Let the person's next message begin a fresh conversation."""
        await self.runs.end_session(receipt.incoming.place, receipt.incoming.slack_user_id)

    async def _act(self, receipt: Receipt, gathered: Gathered, trace: dict[str, str]) -> Outcome:
        """Run the agent while its answer is shown as it grows; the stream ends before the turn.

        Of the run of a schedule nothing is shown before its post.
        """
        draft = Draft()
        stream = self._stream(receipt, gathered, draft)
        is_shown = gathered.deps.firing is None
        progress = Progress(self.status, gathered.deps.place, stream) if is_shown else None
        try:
            return await answer(
                self.agent,
                self.gatherer.models,
                gathered.deps,
                situation=gathered.situation,
                history=gathered.history,
                journal=Journal(self.runs, gathered.deps.run_id),
                limits=self.gatherer.limits_of(receipt),
                refusals=gathered.refusals,
                progress=progress,
                draft=draft if stream else None,
                trace=trace,
                earlier=await earlier_responses(self.db, receipt),
            )
        finally:
            if stream is not None:
                await stream.close()

    def _stream(self, receipt: Receipt, gathered: Gathered, draft: Draft) -> StreamWriter | None:
        """Show the draft, but not of a message for somebody else perhaps, or of what goes on."""
        incoming = receipt.incoming
        is_alone = gathered.deps.firing or receipt.goes_on_from
        if incoming.addressed is not Addressed.US or is_alone:
            return None
        return self.status.write(
            incoming.place,
            draft,
            receipt_id=receipt.id,
            run_id=gathered.deps.run_id,
            slack_user_id=incoming.slack_user_id,
        )

    async def _retry_if_unavailable(
        self, receipt: Receipt, gathered: Gathered, outcome: Outcome
    ) -> None:
        """Raise Throttled for the next try while a service is away and nothing was prepared."""
        is_ready = bool(gathered.drafts.drafts)
        if isinstance(outcome, Failed) and outcome.waits_s is not None and not is_ready:
            await self.waiting.retry(
                receipt, outcome.waits_for, outcome.waits_s, is_costly=outcome.is_costly
            )
        elif receipt.waits:
            await self.waiting.waits.service_is_back(receipt)

    async def _conclude(self, receipt: Receipt, gathered: Gathered, outcome: Outcome) -> None:
        if isinstance(outcome, StaysSilent):
            await conclude_silently(
                self.db,
                receipt,
                gathered.deps.run_id,
                requests=outcome.requests,
                refusals=gathered.refusals.recorded(gathered.deps),
                waiting=gathered.waiting,
                client_id=gathered.deps.topic.only,
            )
            return
        decided = await self._decided_since(gathered.waiting)
        gathered = replace(gathered, deps=await gathered.deps.with_rows_now())
        ending = offering(receipt, outcome, ending_of(gathered, outcome, decided))
        if self.welcome and isinstance(outcome, Answered):
            deps = gathered.deps
            note = await self.welcome.after_first_answer(deps.place, deps.actor, deps.run_id)
            ending = replace(ending, welcome=note)
        await conclude(self.db, receipt, gathered.deps.run_id, ending)

    async def _decided_since(self, waiting: Sequence[Proposal]) -> list[Proposal]:
        """Return the cards that waited when the run began and were decided before its answer."""
        if not waiting:
            return []
        current = await self.proposals.by_ids([proposal.id for proposal in waiting])
        return [proposal for proposal in current if proposal.state is not ProposalState.OPEN]
