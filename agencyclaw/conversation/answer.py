"""A message that is conversation: gather, act, verify, answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from uuid import UUID

import logfire
from pydantic_ai.messages import ModelMessage

from agencyclaw.agents.history import (
    Exchange,
    Summary,
    apply_age,
    as_contents,
    known_links,
    user_texts,
)
from agencyclaw.agents.main import (
    Failed,
    Limits,
    MainAgent,
    Models,
    Outcome,
    StaysSilent,
    answer,
)
from agencyclaw.agents.planner import Planning
from agencyclaw.agents.policies.journal import Journal
from agencyclaw.agents.policies.progress import Progress, StatusIndicator
from agencyclaw.agents.policies.writing import Draft, StreamWriter, Writing
from agencyclaw.agents.prompts import load_prompt
from agencyclaw.agents.replay import ReplayCache, fit_window
from agencyclaw.agents.research import Researching
from agencyclaw.agents.situation import created_links, describe, refused_change
from agencyclaw.agents.sub_agents import SubAgents
from agencyclaw.agents.sub_runs import ChildLimits, SubRuns
from agencyclaw.agents.summary import compact
from agencyclaw.agents.thread import HeardThread, window_of
from agencyclaw.conversation import fixed_texts
from agencyclaw.conversation.endings import conclude, conclude_silently
from agencyclaw.conversation.gaps import note_unmet
from agencyclaw.conversation.gathered import Gathered, ended_since, ending_of, sheets_for
from agencyclaw.conversation.materials import is_pasted, materials_of, offered_to, on_record
from agencyclaw.conversation.place_messages import place_messages
from agencyclaw.conversation.present_rows import rows_at_start, rows_reader
from agencyclaw.conversation.quoting import QuotedMessages, quoted_messages
from agencyclaw.conversation.run_facts import (
    guide_facts,
    identity_facts,
    outcome_facts,
    rights_of,
    trace_id_of,
)
from agencyclaw.conversation.threads import Names, ThreadReading, is_within
from agencyclaw.conversation.topics import scope_of, session_of
from agencyclaw.conversation.waiting import WaitingMessages
from agencyclaw.deps import Deps
from agencyclaw.deps.ports import (
    Calculator,
    Directory,
    Knowledge,
    Memory,
    ProductCatalog,
    TaskBoard,
)
from agencyclaw.domain.field_sources import Material
from agencyclaw.domain.guides import Guide, open_to
from agencyclaw.domain.journal import JournalPage
from agencyclaw.domain.people import Actor, Place
from agencyclaw.domain.proposals import Proposal, ProposalState
from agencyclaw.domain.receipts import Addressed, Incoming, Receipt
from agencyclaw.proposals.identities import Known
from agencyclaw.proposals.propose import DraftBox
from agencyclaw.store.background import PastSummary
from agencyclaw.store.choices import Choices
from agencyclaw.store.engine import Database
from agencyclaw.store.proposals import ProposalStore
from agencyclaw.store.runs import Background, PlaceNotebook, Runs, StartedRun
from agencyclaw.store.switches import CallMeter
from agencyclaw.tools.context import KnownOfPlace, known_of_place
from agencyclaw.tools.people import name_mentions, who_can_help


@dataclass(frozen=True)
class Sources:
    """The read ports, and the agency's guides, that are the same for every run."""

    directory: Directory
    knowledge: Knowledge
    board: TaskBoard
    memory: Memory
    catalog: ProductCatalog
    guides: tuple[Guide, ...] = ()
    calculator: Calculator | None = None


@dataclass(frozen=True)
class Conversation:
    """Answers messages with the main agent."""

    db: Database
    runs: Runs
    choices: Choices
    proposals: ProposalStore
    sources: Sources
    agent: MainAgent
    models: Models
    model_label: str
    limits: Limits
    sub_agents: SubAgents
    child_limits: ChildLimits
    status: StatusIndicator
    waiting: WaitingMessages
    threads: ThreadReading | None = None
    replays: ReplayCache = field(default_factory=ReplayCache)
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)

    async def answer(self, receipt: Receipt, known: Known, *, run_id: UUID) -> None:
        """Gather, act, verify, and end the receipt with an answer or an honest apology."""
        with logfire.span("agent.gather", run=str(run_id)) as span:
            gathered = await self._gather(receipt, known, run_id)
            span.set_attributes(gathered.facts)
        trace = dict(logfire.get_context())
        with logfire.span("agent.act", run=str(run_id)) as span:
            span.set_attributes(gathered.facts)
            outcome = await self._act_watched(receipt, gathered, trace)
            span.set_attributes(outcome_facts(outcome))
        is_ready = bool(gathered.drafts.drafts)
        if isinstance(outcome, Failed) and outcome.waits_s is not None and not is_ready:
            await self.waiting.retry(
                receipt, outcome.waits_for, outcome.waits_s, is_costly=outcome.is_costly
            )
        elif receipt.waits:
            await self.waiting.waits.passed(receipt)
        await note_unmet(self.db, gathered.deps.inquiry, outcome)
        with logfire.span("deliver", run=str(run_id)):
            if isinstance(outcome, StaysSilent):
                await conclude_silently(
                    self.db,
                    receipt,
                    run_id,
                    requests=outcome.requests,
                    refusals=gathered.refusals.noted(gathered.deps),
                    waiting=gathered.waiting,
                )
            else:
                ended = await ended_since(self.proposals, gathered.waiting)
                gathered = replace(gathered, deps=await gathered.deps.with_rows_now())
                await conclude(self.db, receipt, run_id, ending_of(gathered, outcome, ended))

    async def end_session_if_asked(self, receipt: Receipt, text: str) -> None:
        """End the session if the person asked for a fresh conversation."""
        if fixed_texts.is_new_conversation(text):
            await self.runs.end_session(receipt.incoming.place, receipt.incoming.slack_user_id)

    async def _start(self, receipt: Receipt, known: Known, run_id: UUID) -> StartedRun:
        facts = {
            "prompt_hash": load_prompt("main").hash,
            "model": self.model_label,
            "place": known.surface.kind.value,
            **guide_facts(open_to(self.sources.guides, known.actor.tier)),
            **identity_facts(known),
        }
        return await self.runs.start(
            run_id, receipt, known.actor, trace_id=trace_id_of(run_id), facts=facts
        )

    async def _gather(self, receipt: Receipt, known: Known, run_id: UUID) -> Gathered:
        place, actor, now = receipt.incoming.place, known.actor, self.clock()
        drafts = DraftBox(
            self.db, self.proposals, receipt_id=receipt.id, run_id=run_id, place=place, actor=actor
        )
        started, background, thread, quoted = await self._begin(receipt, known, run_id)
        if background.is_asking and receipt.incoming.addressed is Addressed.US:
            await self.choices.answered_in_words(place, actor.slack_user_id, receipt.incoming.text)
        exchanges, waiting = _exchanges(background, place), _waiting(background)
        children = SubRuns(self.models, self.runs, self.child_limits, self.limits.timeout_s)
        deps = Deps(
            run_id=run_id,
            actor=actor,
            surface=known.surface,
            place=place,
            session=await session_of(
                self.sources.directory, known, started, background.client_of(place.thread_ts)
            ),
            scope=await scope_of(self.sources.directory, known),
            now=now,
            request=await self._words(receipt.incoming.text),
            switches=background.switches,
            directory=self.sources.directory,
            knowledge=self.sources.knowledge,
            board=self.sources.board,
            notebook=PlaceNotebook(self.db, place, actor, identity_facts(known)),
            memory=self.sources.memory,
            catalog=self.sources.catalog,
            guides=open_to(self.sources.guides, actor.tier),
            calculator=self.sources.calculator,
            messages=place_messages(self.threads, self.db, receipt, known, self._names),
            sheets=sheets_for(place),
            preferences=background.preferences,
            context_tokens=self.limits.context_tokens,
            meter=CallMeter(self.db, actor.profile_id),
            proposals=drafts,
            researchers=Researching(self.sub_agents.researcher, children),
            planners=Planning(self.sub_agents.planner, children),
            rows=rows_at_start(known, background, now),
            rows_now=rows_reader(self.proposals, known, background, now),
            heard="\n".join(
                f"{one.whose}: {one.text}" for one in (*quoted.materials, *thread.materials)
            ),
            user_texts=user_texts(exchanges),
            thread_texts=user_texts([one for one in exchanges if one.is_same_thread]),
            materials=_materials(receipt.incoming, actor, background, quoted, thread),
            from_message=quoted.link,
            choice=receipt.incoming.choice,
            offered=offered_to(background),
            addressed=receipt.incoming.addressed,
            known_links=known_links(exchanges) | created_links(background.proposals),
        )
        about = await known_of_place(deps)
        deps = replace(deps, materials=(*deps.materials, *on_record(about.text)))
        window, since = await self._window(deps, exchanges, background, thread, quoted.before)
        way = await who_can_help(deps, refused_change(deps))
        situation = describe(deps, background.proposals, background.notices, about.text, way)
        situation = "\n\n".join(filter(None, (situation, since, quoted.now)))
        facts = _facts(window, thread, about)
        return Gathered(deps, drafts, situation, window, facts, children, thread, waiting)

    async def _thread(self, receipt: Receipt, known: Known) -> HeardThread:
        """Read the thread of people that a message stands in; a direct message stands in none."""
        if self.threads is None or not is_within(receipt.incoming):
            return HeardThread()
        return await self.threads.of(receipt, known.actor, await self._names())

    async def _names(self) -> Names:
        people = await self.sources.directory.people()
        return lambda text: name_mentions(text, people)

    async def _quoted(
        self, receipt: Receipt, known: Known, background: Background, thread: HeardThread
    ) -> QuotedMessages:
        """Return the messages that shortcuts were used on, in this message and earlier ones."""
        incoming = receipt.incoming
        if incoming.quoted is None and not any(run.quoted for run in background.runs):
            return QuotedMessages()
        return quoted_messages(incoming, background, thread, known.actor, await self._names())

    async def _begin(
        self, receipt: Receipt, known: Known, run_id: UUID
    ) -> tuple[StartedRun, Background, HeardThread, QuotedMessages]:
        """Read the thread, open the run, and read meanwhile what it needs."""
        thread = await self._thread(receipt, known)
        starting = asyncio.create_task(self._start(receipt, known, run_id))
        place = receipt.incoming.place
        try:
            background = await self.runs.background(place, known.actor, identity_facts(known))
        finally:
            # A run entered after its message was set aside would never end.
            started = await starting
        if thread.cost:
            await self.runs.append(run_id, JournalPage(costs=(thread.cost,)))
        quoted = await self._quoted(receipt, known, background, thread)
        heard = frozenset(run.message_ts for run in background.runs)
        return started, background, thread.without(heard), quoted

    async def _words(self, text: str) -> str:
        """Return a message as it reads in Slack, where a mention is a name."""
        if "<@" not in text:
            return text
        return name_mentions(text, await self.sources.directory.people())

    async def _window(
        self,
        deps: Deps,
        exchanges: list[Exchange],
        background: Background,
        thread: HeardThread,
        meant: Mapping[UUID, str],
    ) -> tuple[list[ModelMessage], str]:
        """Return the history that fits, and what others wrote since; each word where it was said.

        A long talk with us is condensed once, and that is kept.
        """
        past = background.summary
        budget = self.limits.history_tokens
        compacted = await compact(
            self.replays.get_all(exchanges),
            Summary(past.text, past.until, past.last_run) if past else None,
            budget_tokens=budget,
            model=self.models.fast or self.models.default,
        )
        summary = compacted.summary
        if summary and compacted.cost:
            kept = PastSummary(summary.text, summary.until, summary.last_run)
            await self.runs.keep_summary(
                deps.place, deps.actor, rights_of(deps.actor, deps.surface), kept
            )
            await self.runs.append(deps.run_id, JournalPage(costs=(compacted.cost,)))
        fits = fit_window(compacted.replayed, summary, budget_tokens=budget)
        spoken = [(one.exchange.run_id, one.exchange.message_ts) for one in fits]
        before, since = thread.split([(run_id, ts) for run_id, ts in spoken if ts])
        both = {
            run_id: "\n\n".join(filter(None, (before.get(run_id), meant.get(run_id))))
            for run_id in before.keys() | meant.keys()
        }
        return window_of(fits, summary, both), since

    async def _act_watched(
        self, receipt: Receipt, gathered: Gathered, trace: dict[str, str]
    ) -> Outcome:
        """Act while the answer is shown as it grows; what is shown rests before the turn ends."""
        draft = Draft()
        incoming = receipt.incoming
        # What may turn out to be for somebody else shows nothing before it is whole.
        stream = (
            self.status.write(
                incoming.place,
                draft,
                receipt_id=receipt.id,
                run_id=gathered.deps.run_id,
                slack_user_id=incoming.slack_user_id,
            )
            if incoming.addressed is Addressed.US
            else None
        )
        try:
            return await self._act(gathered, trace, draft, stream)
        finally:
            if stream is not None:
                await stream.close()

    async def _act(
        self, gathered: Gathered, trace: dict[str, str], draft: Draft, stream: StreamWriter | None
    ) -> Outcome:
        progress = Progress(self.status, gathered.deps.place, stream)
        return await answer(
            self.agent,
            self.models,
            gathered.deps,
            situation=gathered.situation,
            history=gathered.history,
            journal=Journal(self.runs, gathered.deps.run_id),
            limits=self.limits,
            watchers=[*([Writing(draft)] if stream else []), progress, gathered.refusals],
            trace=trace,
        )


def _facts(
    window: list[ModelMessage], thread: HeardThread, about: KnownOfPlace
) -> dict[str, object]:
    """Return what a trace says of the material of a turn."""
    return {
        "history": len(window),
        "thread": len(thread.lines),
        "context.tokens": about.pack.tokens,
        "context.sections": sorted(about.pack.included),
        "degraded": not about.is_whole,
    }


def _waiting(background: Background) -> tuple[Proposal, ...]:
    return tuple(one for one in background.proposals if one.state is ProposalState.OPEN)


def _materials(
    incoming: Incoming,
    actor: Actor,
    background: Background,
    quoted: QuotedMessages,
    thread: HeardThread,
) -> tuple[Material, ...]:
    """Return whose words are in sight, those of this message first."""
    return (
        *materials_of(incoming, actor, background),
        *quoted.materials,
        *thread.materials,
    )


def _exchanges(background: Background, place: Place) -> list[Exchange]:
    found = [
        Exchange(
            run.run_id,
            run.thread_ts == place.thread_ts,
            run.started_at,
            run.contents or as_contents(run.request, run.reply),
            is_own=run.is_own,
            speaker=run.speaker,
            is_pasted=is_pasted(run),
            message_ts=run.message_ts,
            edited=(run.request or "-") if run.is_edited else "",
        )
        for run in background.runs
    ]
    return apply_age(found)
