"""The composition root: builds every real part, starts and stops them; no logic."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from dataclasses import dataclass
from functools import cache, partial
from uuid import UUID

from agencyclaw.agents.main import Limits, MainAgent, build_main
from agencyclaw.agents.sub_agents import SubAgents, build_sub_agents
from agencyclaw.agents.sub_runs import ChildLimits
from agencyclaw.clickup.client import ClickUpClient
from agencyclaw.clickup.reader import ClickUpReader
from agencyclaw.clickup.writer import ClickUpWriter
from agencyclaw.conversation.acts import Acts
from agencyclaw.conversation.admin import AdminCommands, others_open_proposals, paused_banner
from agencyclaw.conversation.answer import Conversation
from agencyclaw.conversation.commands import SlashCommands
from agencyclaw.conversation.cost_limits import CostLimits
from agencyclaw.conversation.dead_letters import DeadLetters
from agencyclaw.conversation.deferred_acts import DeferredActs
from agencyclaw.conversation.expiry import Expiry
from agencyclaw.conversation.feedback import FeedbackReview
from agencyclaw.conversation.firings import Firings
from agencyclaw.conversation.gathering import Gatherer, Sources
from agencyclaw.conversation.going_on import BackgroundTurns
from agencyclaw.conversation.identity import identify
from agencyclaw.conversation.inbox import Inbox
from agencyclaw.conversation.memory import MemoryCommands
from agencyclaw.conversation.own_cards import still_visible
from agencyclaw.conversation.queue import JobHandlers, Queue, QueueTiming
from agencyclaw.conversation.running import RunningTurns
from agencyclaw.conversation.shortcuts import ShortcutRouter
from agencyclaw.conversation.slack_ports import NoStatus, SlackPorts
from agencyclaw.conversation.stopping import Stopping
from agencyclaw.conversation.suggested_prompts import SuggestedPrompts
from agencyclaw.conversation.surfaces import Surfaces
from agencyclaw.conversation.task_links import TaskLinks
from agencyclaw.conversation.threads import thread_reading
from agencyclaw.conversation.turn import Turn
from agencyclaw.conversation.waiting import WaitingMessages
from agencyclaw.conversation.watching import Watching
from agencyclaw.conversation.welcome import Welcome
from agencyclaw.deps.status import StatusIndicator
from agencyclaw.documents.guides import load_guides
from agencyclaw.documents.reading import read_sent
from agencyclaw.domain.addresses import clickup_hosts
from agencyclaw.domain.people import Freshness, Place
from agencyclaw.models import choose_meanings, choose_models
from agencyclaw.proposals.bulk_changes import task_change_handlers
from agencyclaw.proposals.consent import Consent
from agencyclaw.proposals.consent_by_word import ConsentByWord
from agencyclaw.proposals.database_handlers import database_handlers
from agencyclaw.proposals.departures import Departures
from agencyclaw.proposals.destinations import Destinations
from agencyclaw.proposals.execute import Executor
from agencyclaw.proposals.full_text import full_text
from agencyclaw.proposals.handlers import EffectHandlers
from agencyclaw.proposals.identities import Identify, Who
from agencyclaw.proposals.immediate import ImmediateEffects
from agencyclaw.proposals.judge import Judge
from agencyclaw.proposals.revisions import Revisions
from agencyclaw.proposals.task_archiving import TaskArchiving
from agencyclaw.proposals.task_commenting import TaskCommenting
from agencyclaw.proposals.task_creation import RetrySchedule, TaskCreation
from agencyclaw.proposals.task_homes import TaskHomes
from agencyclaw.proposals.unsupported import UnsupportedHandler
from agencyclaw.sandbox.interpreter import open_interpreter
from agencyclaw.settings import Settings
from agencyclaw.slack.edge import Edge, SlackAccount
from agencyclaw.slack.over_http import HttpEndpoint
from agencyclaw.slack.ports import HomePorts, InboundPorts, OutboundPorts
from agencyclaw.store.advisory_locks import AdvisoryLocks
from agencyclaw.store.choices import Choices
from agencyclaw.store.directory import DirectoryReader
from agencyclaw.store.engine import Database
from agencyclaw.store.events import Audit
from agencyclaw.store.feedback import FeedbackStore
from agencyclaw.store.homes import Homes
from agencyclaw.store.intents import Intents
from agencyclaw.store.jobs import TERMINAL, requeue_lost_jobs
from agencyclaw.store.knowledge import KnowledgeReader
from agencyclaw.store.memory import MemoryReader
from agencyclaw.store.outbox import Outbox
from agencyclaw.store.products import ProductReader
from agencyclaw.store.proposals import ProposalStore
from agencyclaw.store.queue_connection import queue_app
from agencyclaw.store.receipts import Receipts
from agencyclaw.store.redirecting import redirect
from agencyclaw.store.retention import forget_old
from agencyclaw.store.runs import Runs
from agencyclaw.store.sessions import Sessions
from agencyclaw.store.slack_cache import SlackCache
from agencyclaw.store.stopping import QueueReader
from agencyclaw.store.streams import Streams
from agencyclaw.store.transcripts import Transcripts
from agencyclaw.store.waiting import Waits
from agencyclaw.task_board import clickup_client, clickup_reader
from agencyclaw.tools import build_toolset

_NO_SLACK = SlackPorts()


@cache
def main_agent() -> MainAgent:
    """Return the main agent of this process; it is stateless and expensive to build."""
    return build_main(build_toolset())


@cache
def sub_agents() -> SubAgents:
    """Return the sub-agents, built once as well."""
    return build_sub_agents()


@dataclass(frozen=True)
class Services:
    """The connected services; `handlers` maps each kind of job to its function."""

    db: Database
    receipts: Receipts
    inbox: Inbox
    inbound: InboundPorts
    outbox: Outbox
    proposals: ProposalStore
    turn: Turn
    firings: Firings
    watching: Watching
    executor: Executor
    expiry: Expiry
    identify: Identify
    tidy: Callable[[], Awaitable[object]]

    def handlers(self, deliver: Callable[[UUID], Awaitable[None]]) -> JobHandlers:
        """Return the function for each kind of job."""
        return JobHandlers(
            turn=self.turn.handle_next,
            act=self.turn.handle_act,
            execute=self.executor.execute,
            look=self.executor.look,
            expire=self.expiry.expire,
            resume=self.expiry.resume,
            remind=self.firings.ring,
            fire=self.firings.handle,
            show=self.turn.background.show,
            watch=self.watching.look,
            deliver=deliver,
            lane_of=self.receipts.lane_of,
            tidy=self.tidy,
        )


def _receipts(settings: Settings, db: Database) -> Receipts:
    lanes, people = settings.agencyclaw_lane_limit, settings.agencyclaw_person_limit
    return Receipts(db, lane_limit=lanes, person_limit=people)


def build_conversation(
    settings: Settings,
    db: Database,
    directory: DirectoryReader,
    board: ClickUpReader,
    waiting: WaitingMessages,
    slack: SlackPorts,
    welcome: Welcome | None,
) -> Conversation:
    """Build what answers messages, with this deployment's models and limits."""
    models, label = choose_models(settings)
    runs, proposals = Runs(db), ProposalStore(db)
    knowledge = KnowledgeReader(db, choose_meanings(settings, db))
    guides = load_guides(settings.agencyclaw_guides)
    calculator = open_interpreter(settings.agencyclaw_sandbox)
    memory, products, caps = MemoryReader(db), ProductReader(db), settings.cost_caps
    sources = Sources(directory, knowledge, board, memory, products, read_sent, guides, calculator)
    gatherer = Gatherer(
        db=db,
        runs=runs,
        choices=Choices(db),
        proposals=proposals,
        sources=sources,
        models=models,
        model_label=label,
        limits=Limits(
            max_requests=settings.agencyclaw_max_requests,
            timeout_s=settings.agencyclaw_turn_timeout_s,
            history_tokens=settings.agencyclaw_history_tokens,
            context_tokens=settings.context_builder_max_tokens,
        ),
        sub_agents=sub_agents(),
        child_limits=ChildLimits(
            max_requests=settings.agencyclaw_child_max_requests,
            timeout_s=settings.agencyclaw_child_timeout_s,
        ),
        threads=thread_reading(slack.reader, waiting, models),
    )
    limits = CostLimits(db, caps)
    return Conversation(db, runs, proposals, gatherer, main_agent(), waiting, limits, welcome)


def effect_handlers(
    settings: Settings,
    db: Database,
    clickup: ClickUpClient,
    reader: ClickUpReader,
    directory: DirectoryReader,
) -> EffectHandlers:
    """Build the handlers of all effects."""
    retries = RetrySchedule(settings.clickup_look_delays, settings.clickup_list_lag_s)
    writer, homes = ClickUpWriter(clickup), TaskHomes(directory)
    return EffectHandlers(
        TaskCreation(Intents(db), writer, reader, retries, Destinations(directory, reader)),
        TaskArchiving(writer, reader, first_look_s=retries.delays_s[0]),
        *task_change_handlers(writer, reader, homes, retries.delays_s[0]),
        TaskCommenting(writer, reader, homes, max(retries.delays_s[-1], retries.list_lag_s)),
        UnsupportedHandler(Intents(db), reader, retries),
        *database_handlers(),
    )


def _identifying(settings: Settings, directory: DirectoryReader, slack: SlackPorts) -> Identify:
    async def who(place: Place, slack_user_id: str, freshness: Freshness) -> Who:
        super_admins = settings.super_admin_profile_ids
        return await identify(directory, slack, place, slack_user_id, super_admins, freshness)

    return who


def _welcome(settings: Settings, db: Database, directory: DirectoryReader) -> Welcome | None:
    """Return what welcomes newcomers; none where a script answers its own sentences alone."""
    return Welcome(db, directory) if settings.models else None


def build_services(
    settings: Settings,
    db: Database,
    clickup: ClickUpClient,
    status: StatusIndicator,
    slack: SlackPorts = _NO_SLACK,
) -> Services:
    """Build everything that handles messages, on a database and a ClickUp client."""
    directory, proposals = DirectoryReader(db, settings.super_admin_profile_ids), ProposalStore(db)
    receipts, board = _receipts(settings, db), clickup_reader(settings, clickup)
    who = _identifying(settings, directory, slack)
    handlers = effect_handlers(settings, db, clickup, board, directory)
    judge, waiting = Judge(db, directory), WaitingMessages(db, Waits(db), status)
    consent = Consent(db, proposals, judge, handlers.undo)
    replies = ConsentByWord(db, proposals, Transcripts(db), slack.threads, consent, waiting)
    running = RunningTurns(QueueReader(db))
    stopping = Stopping(db, running, consent)
    background = BackgroundTurns(db, running, consent)
    welcome = _welcome(settings, db, directory)
    conversation = build_conversation(settings, db, directory, board, waiting, slack, welcome)
    immediate, deferred = ImmediateEffects(db, judge, handlers), DeferredActs(db, receipts, waiting)
    memory = MemoryCommands(directory, MemoryReader(db), who, immediate, deferred, background)
    admin = AdminCommands(db, directory, settings.super_admin_profile_ids)
    shortcuts = ShortcutRouter(db, receipts, who, waiting, slack.conversations)
    feedback, inbox = FeedbackReview(FeedbackStore(db), directory, who), Inbox(db, receipts, status)
    surfaces = Surfaces(db, directory, judge, conversation.gatherer.sources)
    commands = SlashCommands(db, who, surfaces, memory, admin, deferred, feedback)
    inbound = InboundPorts(
        inbox=inbox,
        audit=Audit(db),
        choices=Choices(db),
        proposals=proposals,
        revisions=Revisions(db, proposals, directory, judge, who),
        full_text=partial(full_text, db),
        commands=commands,
        memory=memory,
        prompts=welcome and SuggestedPrompts(db, directory, who, slack.members, welcome),
        feedback=feedback,
        tasks=TaskLinks(directory, board, who),
    )
    acts = Acts(db, receipts, who, consent, replies, stopping, waiting, commands, shortcuts)
    dead_letters, per_minute = DeadLetters(db, deferred), settings.agencyclaw_messages_per_minute
    turn = Turn(
        db, receipts, who, acts, conversation, running, waiting, dead_letters, status, per_minute
    )
    return Services(
        db=db,
        receipts=receipts,
        inbox=inbox,
        inbound=inbound,
        outbox=Outbox(db),
        proposals=proposals,
        turn=turn,
        firings=Firings(db, receipts, who, directory, conversation, settings.quiet_hours),
        watching=Watching(db, directory, board, who, settings.quiet_hours),
        executor=Executor(db, proposals, handlers, judge, who, slack.outage_notices),
        expiry=Expiry(db, proposals, consent),
        identify=who,
        tidy=partial(forget_old, db, settings.agencyclaw_retention_days),
    )


@asynccontextmanager
async def working(
    settings: Settings, db: Database, handlers: JobHandlers, team_id: str
) -> AsyncGenerator[Queue]:
    """Run one worker of the lane engine, for one workspace."""
    pace = QueueTiming(
        heartbeat_s=settings.agencyclaw_heartbeat_s,
        dead_after_s=settings.agencyclaw_dead_after_s,
        drain_s=settings.agencyclaw_drain_s,
        concurrency=settings.agencyclaw_concurrency,
    )
    app, locks = queue_app(db, limits=pace.limits(team_id)), AdvisoryLocks(db)
    requeue_lost = partial(requeue_lost_jobs, db, team_id)
    worker = Queue(app, locks, handlers, team_id=team_id, pace=pace, requeue_lost=requeue_lost)
    await worker.start()
    try:
        yield worker
    finally:
        await worker.stop()
        await locks.close()


@dataclass(frozen=True)
class Assistant:
    """The running assistant; `endpoint` handles Slack's requests if they come over HTTP."""

    edge: Edge
    queue: Queue
    endpoint: HttpEndpoint | None = None


def _edge(settings: Settings, db: Database) -> Edge:
    return Edge(
        SlackAccount(
            settings.slack_bot_token,
            settings.slack_app_token,
            settings.slack_api_url,
            settings.slack_signing_secret,
        ),
        OutboundPorts(Outbox(db, redirect), Sessions(db), Streams(db)),
        SlackCache(db),
        Departures(db),
        live_hosts=clickup_hosts(settings.clickup_api_url),
    )


def _slack_ports(edge: Edge) -> SlackPorts:
    return SlackPorts(
        members=edge.members,
        channels=edge.channels,
        threads=edge.threads,
        reader=edge.reader,
        conversations=edge.conversations,
        outage_notices=edge.outage_notices,
    )


def _home_ports(settings: Settings, db: Database, services: Services) -> HomePorts:
    directory = DirectoryReader(db)
    return HomePorts(
        others_open=partial(others_open_proposals, services.proposals, services.identify),
        visible=partial(still_visible, directory, services.identify),
        homes=Homes(db, settings.cost_caps),
        banner=partial(paused_banner, db, directory),
    )


@asynccontextmanager
async def assistant(
    settings: Settings, db: Database, *, over_http: bool = False
) -> AsyncGenerator[Assistant]:
    """Run the assistant on Slack: post, then work, then listen; closed in reverse order."""
    settings.require_slack(over_http=over_http)
    settings.require_clickup()
    async with AsyncExitStack() as stack:
        clickup = await stack.enter_async_context(aclosing(clickup_client(settings, db)))
        edge = _edge(settings, db)
        services = build_services(settings, db, clickup, edge.status, _slack_ports(edge))
        await edge.open(services.inbound, _home_ports(settings, db, services))
        stack.push_async_callback(edge.close)
        worker = working(settings, db, services.handlers(edge.deliver), edge.me.team_id)
        queue = await stack.enter_async_context(worker)
        if not over_http:
            await edge.connect()
        yield Assistant(edge, queue, edge.listen() if over_http else None)


@asynccontextmanager
async def terminal(settings: Settings, db: Database) -> AsyncGenerator[Services]:
    """Run the pipeline for one terminal: with its own queue, and without Slack."""
    settings.require_clickup()
    async with AsyncExitStack() as stack:
        clickup = await stack.enter_async_context(aclosing(clickup_client(settings, db)))
        services = build_services(settings, db, clickup, NoStatus())

        async def nowhere(_: UUID) -> None:
            """Deliveries of a terminal are printed from the outbox."""

        await stack.enter_async_context(working(settings, db, services.handlers(nowhere), TERMINAL))
        yield services
