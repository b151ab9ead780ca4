"""GATHER: opens a run and reads everything it starts from. Nothing is written but the run's row."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from uuid import UUID

from pydantic_ai.messages import ModelMessage

from agencyclaw.agents.history import (
    Exchange,
    Summary,
    apply_age,
    as_contents,
    user_texts,
)
from agencyclaw.agents.main import Limits, Models
from agencyclaw.agents.planner import Planning
from agencyclaw.agents.prompts import load_prompt
from agencyclaw.agents.replay import ReplayCache, fit_window
from agencyclaw.agents.research import Researching
from agencyclaw.agents.situation import describe, refused_change
from agencyclaw.agents.sub_agents import SubAgents
from agencyclaw.agents.sub_runs import ChildLimits, SubRuns
from agencyclaw.agents.summary import Compacted, compact
from agencyclaw.agents.thread import QuotedThread, window_of
from agencyclaw.conversation.asked_before import tasks_asked_before
from agencyclaw.conversation.attached_files import ReadDocument, files_of, message_files
from agencyclaw.conversation.gathered import Gathered
from agencyclaw.conversation.materials import (
    RunTextsCache,
    found_by_watch,
    is_pasted,
    known_links,
    materials_of,
    offered_to,
    on_record,
)
from agencyclaw.conversation.place_messages import PlaceMessages
from agencyclaw.conversation.present_rows import rows_at_start, rows_of_others, rows_reader
from agencyclaw.conversation.quoting import QuotedMessages, quoted_messages
from agencyclaw.conversation.run_facts import (
    gathered_facts,
    guide_facts,
    identity_facts,
    trace_id_of,
)
from agencyclaw.conversation.slack_accounts import SlackAccounts
from agencyclaw.conversation.slack_ports import SlackReader
from agencyclaw.conversation.threads import Names, ThreadReading, is_within
from agencyclaw.conversation.topics import topic_of
from agencyclaw.deps import Deps
from agencyclaw.deps.board import TaskBoard
from agencyclaw.deps.directory import Directory
from agencyclaw.deps.knowledge import Knowledge
from agencyclaw.deps.ports import Calculator, Memory, ProductCatalog
from agencyclaw.domain.guides import Guide, open_to
from agencyclaw.domain.journal import JournalPage
from agencyclaw.domain.people import Place
from agencyclaw.domain.proposals import ProposalState
from agencyclaw.domain.receipts import Addressed, Incoming, Receipt
from agencyclaw.domain.schedules import Firing
from agencyclaw.domain.sheets import Sheets
from agencyclaw.proposals.identities import Identity
from agencyclaw.proposals.propose import DraftBox
from agencyclaw.store.background import PastSummary
from agencyclaw.store.choices import Choices
from agencyclaw.store.engine import Database
from agencyclaw.store.jobs import is_local
from agencyclaw.store.operations import OperationsReader
from agencyclaw.store.proposals import ProposalStore
from agencyclaw.store.runs import Background, PlaceNotebook, Runs, StartedRun
from agencyclaw.store.switches import CallMeter
from agencyclaw.tools.clients import sees_a_client
from agencyclaw.tools.context import known_of_place
from agencyclaw.tools.people import name_mentions, who_can_help


@dataclass(frozen=True)
class Sources:
    """The read ports, and the agency's guides, that are the same for every run."""

    directory: Directory
    knowledge: Knowledge
    board: TaskBoard
    memory: Memory
    catalog: ProductCatalog
    read_document: ReadDocument
    guides: tuple[Guide, ...] = ()
    calculator: Calculator | None = None


@dataclass(frozen=True)
class _Conversation:
    """What was read of a conversation: its past, and what people wrote around the message."""

    run_id: UUID
    started: StartedRun
    background: Background
    exchanges: list[Exchange]
    thread: QuotedThread
    quoted: QuotedMessages


@dataclass(frozen=True)
class Gatherer:
    """Gathers for the main agent."""

    db: Database
    runs: Runs
    choices: Choices
    proposals: ProposalStore
    sources: Sources
    models: Models
    model_label: str
    limits: Limits
    sub_agents: SubAgents
    child_limits: ChildLimits
    threads: ThreadReading | None = None
    replays: ReplayCache = field(default_factory=ReplayCache)
    run_texts: RunTextsCache = field(default_factory=RunTextsCache)

    async def gather(
        self, receipt: Receipt, identity: Identity, run_id: UUID, firing: Firing | None = None
    ) -> Gathered:
        """Open the run, and return what it starts from; that of a schedule, from no history."""
        if firing is None:
            conversation = await self._read(receipt, identity, run_id)
        else:
            conversation = await self._begin_alone(receipt, identity, run_id, firing)
        background = conversation.background
        drafts = DraftBox(
            self.db,
            self.proposals,
            receipt_id=receipt.id,
            run_id=run_id,
            place=receipt.incoming.place,
            actor=identity.actor,
        )
        timeout_s = self.limits_of(receipt).timeout_s
        sub_runs = SubRuns(self.models, self.runs, self.child_limits, timeout_s)
        deps = await self._deps(receipt.incoming, identity, conversation, drafts, sub_runs)
        if firing:
            materials = (*deps.materials, *found_by_watch(firing.found))
            deps = replace(deps, firing=firing, materials=materials, thread_read=firing.found)
        about_place = await known_of_place(deps)
        deps = replace(deps, materials=(*deps.materials, *on_record(about_place)))
        history, since = await self._history(deps, conversation)
        helper = await who_can_help(deps, refused_change(deps))
        situation = describe(
            deps,
            background.proposals,
            background.notices,
            about_place.text,
            helper,
            missed=receipt.missed,
            waiting_elsewhere=background.waiting_elsewhere,
            sees_clients=await sees_a_client(deps, is_new=not history),
        )
        return Gathered(
            deps=deps,
            drafts=drafts,
            situation=_paragraphs(situation, since, conversation.quoted.now),
            history=history,
            facts=gathered_facts(history, conversation.thread, about_place),
            children=sub_runs,
            thread=conversation.thread,
            waiting=tuple(
                proposal
                for proposal in background.proposals
                if proposal.state is ProposalState.OPEN
            ),
        )

    def limits_of(self, receipt: Receipt) -> Limits:
        """Return the limits of a message's run; what goes on in the background has larger ones."""
        return self.limits if receipt.goes_on_from is None else self.limits.in_background

    async def _read(self, receipt: Receipt, identity: Identity, run_id: UUID) -> _Conversation:
        """Read the thread, open the run, and meanwhile read what came before."""
        incoming = receipt.incoming
        thread = await self._thread(receipt, identity)
        starting = asyncio.create_task(self.open_run(receipt, identity, run_id))
        try:
            background = await self.runs.background(
                incoming.place, identity.actor, identity_facts(identity)
            )
        finally:
            # A run entered after its message was set aside would never end.
            started = await starting
        if thread.cost:
            await self.runs.append(run_id, JournalPage(costs=(thread.cost,)))
        if background.is_asking and incoming.addressed is Addressed.US:
            await self.choices.answered_by(incoming)
        thread = thread.without(frozenset(run.message_ts for run in background.runs))
        quoted = await self._quoted(receipt, identity, background, thread)
        return _Conversation(
            run_id=run_id,
            started=started,
            background=background,
            exchanges=_exchanges(background, incoming.place),
            thread=thread,
            quoted=quoted,
        )

    async def _begin_alone(
        self, receipt: Receipt, identity: Identity, run_id: UUID, firing: Firing
    ) -> _Conversation:
        """Open the run of a schedule, which no conversation surrounds."""
        started = await self.open_run(receipt, identity, run_id, firing.schedule_id)
        background = await self.runs.background(
            receipt.incoming.place, identity.actor, identity_facts(identity)
        )
        alone = background.for_nobody
        return _Conversation(run_id, started, alone, [], QuotedThread(), QuotedMessages())

    async def open_run(
        self, receipt: Receipt, identity: Identity, run_id: UUID, schedule_id: UUID | None = None
    ) -> StartedRun:
        """Store that a run has begun, with what it is allowed."""
        facts = {
            "prompt_hash": load_prompt("main").hash,
            "model": self.model_label,
            "place": identity.surface.kind.value,
            **guide_facts(open_to(self.sources.guides, identity.actor.tier)),
            **identity_facts(identity),
        }
        return await self.runs.start(
            run_id,
            receipt,
            identity.actor,
            trace_id=trace_id_of(run_id),
            facts=facts,
            schedule_id=schedule_id,
            client_id=identity.surface.client_id,
        )

    def _slack(self, place: Place) -> SlackReader | None:
        """Return what reads Slack; a terminal has none."""
        return None if self.threads is None or is_local(place.team_id) else self.threads.reader

    async def _thread(self, receipt: Receipt, identity: Identity) -> QuotedThread:
        """Read the thread of people that a message belongs to; direct messages have none."""
        if self.threads is None or not is_within(receipt.incoming):
            return QuotedThread()
        return await self.threads.read(receipt, identity.actor, await self._names())

    async def _names(self) -> Names:
        people = await self.sources.directory.people()
        return lambda text: name_mentions(text, people)

    async def _quoted(
        self, receipt: Receipt, identity: Identity, background: Background, thread: QuotedThread
    ) -> QuotedMessages:
        """Return the messages that shortcuts were used on, in this message and earlier ones."""
        incoming = receipt.incoming
        if incoming.quoted is None and not any(run.quoted for run in background.runs):
            return QuotedMessages()
        return quoted_messages(incoming, background, thread, identity.actor, await self._names())

    async def _deps(
        self,
        incoming: Incoming,
        identity: Identity,
        conversation: _Conversation,
        drafts: DraftBox,
        sub_runs: SubRuns,
    ) -> Deps:
        actor, place, stored_now = identity.actor, incoming.place, datetime.now(UTC)
        sources, thread, started = self.sources, conversation.thread, conversation.started
        background, quoted = conversation.background, conversation.quoted
        theirs = (*quoted.materials, *thread.materials)
        slack, about = self._slack(place), background.client_of(place.thread_ts)
        files = files_of(incoming, actor, background, thread, quoted)
        messages = PlaceMessages(slack, self.db, incoming, identity, self._names) if slack else None
        topic = await topic_of(sources.directory, identity, started, about, background.preferences)
        return Deps(
            run_id=conversation.run_id,
            actor=actor,
            surface=identity.surface,
            place=place,
            session=topic.session,
            scope=topic.scope,
            now=stored_now + self.db.ahead,
            ahead=self.db.ahead,
            request=await self._with_names(incoming.text),
            switches=background.switches,
            directory=sources.directory,
            knowledge=sources.knowledge,
            board=sources.board,
            notebook=PlaceNotebook(self.db, place, actor, identity_facts(identity)),
            memory=sources.memory,
            catalog=sources.catalog,
            guides=open_to(sources.guides, actor.tier),
            calculator=sources.calculator,
            attached=message_files(slack, sources.read_document, incoming, files),
            accounts=SlackAccounts(slack, place.team_id) if slack else None,
            messages=messages,
            sheets=None if is_local(place.team_id) else Sheets(),
            preferences=topic.preferences,
            context_tokens=self.limits.context_tokens,
            meter=CallMeter(self.db, actor.profile_id),
            operations=OperationsReader(self.db, actor, conversation.run_id, place.team_id),
            proposals=drafts,
            researchers=Researching(self.sub_agents.researcher, sub_runs),
            planners=Planning(self.sub_agents.planner, sub_runs),
            rows=rows_at_start(identity, background, stored_now),
            rows_of_others=rows_of_others(identity, background, stored_now),
            rows_now=rows_reader(self.proposals, identity, background, stored_now),
            thread_read="\n".join(f"{words.whose}: {words.text}" for words in theirs),
            user_texts=user_texts(conversation.exchanges),
            thread_texts=user_texts([one for one in conversation.exchanges if one.is_same_thread]),
            materials=(*materials_of(incoming, actor, background, self.run_texts), *theirs),
            from_message=quoted.link,
            choice=incoming.choice,
            offered=offered_to(background),
            asked_before=tasks_asked_before(background),
            addressed=incoming.addressed,
            known_links=known_links(background, self.run_texts),
        )

    async def _with_names(self, text: str) -> str:
        """Return a message as it reads in Slack, where a mention is a name."""
        return (await self._names())(text) if "<@" in text else text

    async def _history(
        self, deps: Deps, conversation: _Conversation
    ) -> tuple[list[ModelMessage], str]:
        """Return the history that fits, and what others wrote since its last message.

        What others wrote before an earlier message comes right before that message.
        """
        compacted = await self._compacted(deps, conversation)
        kept = fit_window(
            compacted.runs, compacted.summary, budget_tokens=self.limits.history_tokens
        )
        exchanges = [replayed.exchange for replayed in kept]
        thread_before, since = conversation.thread.split(
            [
                (exchange.run_id, exchange.message_ts)
                for exchange in exchanges
                if exchange.message_ts
            ]
        )
        quoted_before = conversation.quoted.before
        before = {
            run_id: _paragraphs(thread_before.get(run_id, ""), quoted_before.get(run_id, ""))
            for run_id in thread_before.keys() | quoted_before.keys()
        }
        return window_of(kept, compacted.summary, before), since

    async def _compacted(self, deps: Deps, conversation: _Conversation) -> Compacted:
        """Return the exchanges, with the older part of a long thread summarised and stored."""
        past = conversation.background.summary
        compacted = await compact(
            self.replays.get_all(conversation.exchanges),
            Summary(past.text, past.until, past.last_run) if past else None,
            budget_tokens=self.limits.history_tokens,
            model=self.models.fast or self.models.default,
        )
        summary = compacted.summary
        if summary and compacted.cost:
            await self.runs.keep_summary(
                deps.place,
                deps.actor,
                identity_facts(Identity(deps.actor, deps.surface)),
                PastSummary(summary.text, summary.until, summary.last_run),
            )
            await self.runs.append(deps.run_id, JournalPage(costs=(compacted.cost,)))
        return compacted


def _paragraphs(*parts: str) -> str:
    return "\n\n".join(filter(None, parts))


def _exchanges(background: Background, place: Place) -> list[Exchange]:
    return apply_age(
        [
            Exchange(
                run_id=run.run_id,
                is_same_thread=run.thread_ts == place.thread_ts,
                started_at=run.started_at,
                contents=run.contents or as_contents(run.request, run.reply),
                is_own=run.is_own,
                speaker=run.speaker,
                is_pasted=is_pasted(run),
                message_ts=run.message_ts,
                edited=(run.request or "-") if run.is_edited else "",
            )
            for run in background.runs
        ]
    )
