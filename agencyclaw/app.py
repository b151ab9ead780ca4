"""The composition root: builds every real part, starts and stops them; no logic."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import cache, partial
from uuid import UUID

from pydantic_ai import Agent

from agencyclaw.agents.children import ChildLimits
from agencyclaw.agents.crew import Crew, build_crew
from agencyclaw.agents.main import Limits, build_main
from agencyclaw.agents.policies.progress import Presence
from agencyclaw.clickup.client import ClickUpClient
from agencyclaw.clickup.reader import ClickUpReader
from agencyclaw.clickup.writer import ClickUpWriter
from agencyclaw.conversation.acts import Acts
from agencyclaw.conversation.admin import AdminCommands, paused_banner
from agencyclaw.conversation.answer import Conversation, Sources
from agencyclaw.conversation.commands import CommandDesk
from agencyclaw.conversation.desk import Desk
from agencyclaw.conversation.expiry import Expiry
from agencyclaw.conversation.feedback import AnswerFeedback
from agencyclaw.conversation.identity import Channels, Members, Slack, Who, identify
from agencyclaw.conversation.inbox import Inbox
from agencyclaw.conversation.kept import Kept
from agencyclaw.conversation.memory import MemoryDesk
from agencyclaw.conversation.openers import Openers
from agencyclaw.conversation.oversight import Oversight
from agencyclaw.conversation.queue import Handlers, Pace, Queue
from agencyclaw.conversation.running import Running
from agencyclaw.conversation.standing import StandingNow
from agencyclaw.conversation.stopping import Stopping
from agencyclaw.conversation.surfaces import Surfaces
from agencyclaw.conversation.turn import Turn
from agencyclaw.conversation.upkeep import Upkeep
from agencyclaw.conversation.waiting import Waiting
from agencyclaw.deps import Deps
from agencyclaw.domain.addresses import clickup_hosts
from agencyclaw.domain.people import Freshness, Place
from agencyclaw.domain.replies import Reply
from agencyclaw.guides import load_guides
from agencyclaw.models import choose_models
from agencyclaw.proposals.at_once import AtOnce
from agencyclaw.proposals.consent import Consent
from agencyclaw.proposals.departures import Departures
from agencyclaw.proposals.destinations import Destinations
from agencyclaw.proposals.execute import Executor, PastRecords
from agencyclaw.proposals.full_texts import FullTexts
from agencyclaw.proposals.handlers import Handlers as EffectHandlers
from agencyclaw.proposals.judge import Judge
from agencyclaw.proposals.ledgers import ledgers
from agencyclaw.proposals.outgrown import OutgrownErrand
from agencyclaw.proposals.propose import Revisions
from agencyclaw.proposals.replies import Replies, Threads
from agencyclaw.proposals.task_archiving import TaskArchiving
from agencyclaw.proposals.task_change import TaskChange
from agencyclaw.proposals.task_creation import Looks, TaskCreation
from agencyclaw.sandbox.interpreter import open_interpreter
from agencyclaw.settings import SCRIPTED, Settings
from agencyclaw.slack.edge import Edge
from agencyclaw.slack.over_http import Entrance
from agencyclaw.store.beliefs import Beliefs
from agencyclaw.store.choices import Choices
from agencyclaw.store.directory import DirectoryReader
from agencyclaw.store.engine import Database
from agencyclaw.store.events import Audit
from agencyclaw.store.feedback import FeedbackStore
from agencyclaw.store.fence import Fence
from agencyclaw.store.homes import Homes
from agencyclaw.store.intents import Intents
from agencyclaw.store.jobs import TERMINAL, adopt_jobs
from agencyclaw.store.knowledge import KnowledgeReader
from agencyclaw.store.memory import MemoryReader
from agencyclaw.store.outbox import Outbox
from agencyclaw.store.products import ProductReader
from agencyclaw.store.proposals import ProposalStore
from agencyclaw.store.queue_connection import queue_app
from agencyclaw.store.receipts import Receipts
from agencyclaw.store.runs import Runs
from agencyclaw.store.sessions import Sessions
from agencyclaw.store.stopping import Standings
from agencyclaw.store.streams import Streams
from agencyclaw.store.transcripts import Transcripts
from agencyclaw.store.waiting import Waits
from agencyclaw.tools import build_toolset


@cache
def main_agent() -> Agent[Deps, Reply]:
    """Return the one main agent of this process; it is stateless, and dear to build."""
    return build_main(build_toolset())


@cache
def crew() -> Crew:
    """Return those the main agent may send, built once like it."""
    return build_crew()


@dataclass(frozen=True)
class House:
    """The rooms, built and connected; `handlers` says what each job does."""

    db: Database
    receipts: Receipts
    inbox: Inbox
    outbox: Outbox
    proposals: ProposalStore
    revisions: Revisions
    texts: FullTexts
    turn: Turn
    executor: Executor
    expiry: Expiry
    oversight: Oversight
    memory: MemoryDesk
    openers: Openers
    tidy: Callable[[], Awaitable[None]]
    commands: CommandDesk

    def handlers(self, deliver: Callable[[UUID], Awaitable[None]]) -> Handlers:
        """Return what each job does, given how deliveries are made."""
        return Handlers(
            turn=self.turn.take,
            act=self.turn.act,
            execute=self.executor.execute,
            look=self.executor.look,
            expire=self.expiry.expire,
            resume=self.expiry.resume,
            deliver=deliver,
            lane_of=self.receipts.lane_of,
            tidy=self.tidy,
        )


def build_receipts(settings: Settings, db: Database) -> Receipts:
    """Build the store of what comes in, with its limits."""
    return Receipts(
        db,
        lane_limit=settings.agencyclaw_lane_limit,
        person_limit=settings.agencyclaw_person_limit,
    )


def build_conversation(
    settings: Settings,
    db: Database,
    directory: DirectoryReader,
    board: ClickUpReader,
    waiting: Waiting,
) -> Conversation:
    """Build what answers messages, with the models and limits of this deployment."""
    models, label = choose_models(settings)
    return Conversation(
        db=db,
        runs=Runs(db),
        choices=Choices(db),
        proposals=ProposalStore(db),
        sources=Sources(
            directory,
            KnowledgeReader(db),
            board,
            MemoryReader(db),
            ProductReader(db),
            load_guides(settings.agencyclaw_guides),
            open_interpreter(settings.agencyclaw_sandbox),
        ),
        agent=main_agent(),
        models=models,
        model_label=label,
        limits=Limits(
            max_requests=settings.agencyclaw_max_requests,
            timeout_s=settings.agencyclaw_turn_timeout_s,
            history_tokens=settings.agencyclaw_history_tokens,
            context_tokens=settings.context_builder_max_tokens,
        ),
        crew=crew(),
        child_limits=ChildLimits(
            max_requests=settings.agencyclaw_child_max_requests,
            timeout_s=settings.agencyclaw_child_timeout_s,
        ),
        presence=waiting.presence,
        waiting=waiting,
    )


def effect_handlers(
    settings: Settings,
    db: Database,
    clickup: ClickUpClient,
    reader: ClickUpReader,
    directory: DirectoryReader,
) -> EffectHandlers:
    """Build the handler of every kind of effect."""
    looks = Looks(settings.clickup_look_delays, settings.clickup_list_lag_s)
    writer = ClickUpWriter(clickup)
    return EffectHandlers(
        TaskCreation(Intents(db), writer, reader, looks, Destinations(directory, reader)),
        TaskArchiving(writer, reader, first_look_s=looks.delays_s[0]),
        TaskChange(writer, reader, looks.delays_s[0]),
        OutgrownErrand(Intents(db), reader, looks),
        *ledgers(),
    )


def build_house(
    settings: Settings,
    db: Database,
    clickup: ClickUpClient,
    presence: Presence,
    members: Members | None = None,
    threads: Threads | None = None,
    channels: Channels | None = None,
    past_records: PastRecords | None = None,
) -> House:
    """Build everything that handles a message, on a database and a ClickUp client."""
    directory, proposals = DirectoryReader(db), ProposalStore(db)
    receipts = build_receipts(settings, db)
    reader = clickup_reader(settings, clickup)

    async def who(place: Place, slack_user_id: str, freshness: Freshness) -> Who:
        super_admins = settings.super_admin_profile_ids
        slack = Slack(members, channels)
        return await identify(directory, slack, place, slack_user_id, super_admins, freshness)

    standing = StandingNow(who)
    handlers = effect_handlers(settings, db, clickup, reader, directory)
    judge = Judge(db, directory)
    consent = Consent(db, proposals, judge, handlers.undo)
    waiting = Waiting(db, Waits(db), presence)
    replies = Replies(db, proposals, Transcripts(db), threads, consent, waiting)
    stopping = Stopping(db, Running(Standings(db)), consent)
    conversation = build_conversation(settings, db, directory, reader, waiting)
    at_once = AtOnce(db, judge, handlers)
    kept = Kept(db, receipts, waiting)
    memory = MemoryDesk(directory, MemoryReader(db), standing, at_once, kept)
    surfaces, admin = Surfaces(db, directory), AdminCommands(db, directory)
    feedback = AnswerFeedback(FeedbackStore(db), directory, standing)
    commands = CommandDesk(db, who, surfaces, memory, admin, kept, feedback)
    return House(
        db=db,
        receipts=receipts,
        inbox=Inbox(db, receipts),
        outbox=Outbox(db),
        proposals=proposals,
        revisions=Revisions(db, proposals, directory, judge, standing),
        texts=FullTexts(db),
        turn=Turn(
            db,
            receipts,
            Acts(db, receipts, who, consent, replies, stopping, waiting, commands),
            conversation,
            presence,
            settings.agencyclaw_messages_per_minute,
        ),
        executor=Executor(db, proposals, handlers, judge, standing, past_records or Desk()),
        expiry=Expiry(db, proposals, consent),
        oversight=Oversight(proposals, standing),
        tidy=Upkeep(db, settings.agencyclaw_retention_days).tidy,
        commands=commands,
        memory=memory,
        openers=Openers(directory, proposals, standing),
    )


@asynccontextmanager
async def working(
    settings: Settings,
    db: Database,
    handlers: Handlers,
    team_id: str,
) -> AsyncGenerator[Queue]:
    """Run one worker of the lane engine, for one workspace."""
    fence = Fence(db)
    pace = Pace(
        heartbeat_s=settings.agencyclaw_heartbeat_s,
        dead_after_s=settings.agencyclaw_dead_after_s,
        drain_s=settings.agencyclaw_drain_s,
        concurrency=settings.agencyclaw_concurrency,
    )
    worker = Queue(
        queue_app(db, room=pace.room(team_id)),
        fence,
        handlers,
        team_id=team_id,
        pace=pace,
        adopt=partial(adopt_jobs, db, team_id),
    )
    await worker.start()
    try:
        yield worker
    finally:
        await worker.stop()
        await fence.close()


def clickup_client(settings: Settings) -> ClickUpClient:
    """Build the one ClickUp client of this process."""
    return ClickUpClient(
        settings.clickup_api_token,
        settings.clickup_api_url,
        rate_per_minute=settings.clickup_rate_limit_per_minute,
        timeout_s=settings.clickup_timeout_s,
    )


def clickup_reader(settings: Settings, clickup: ClickUpClient) -> ClickUpReader:
    """Build what reads ClickUp."""
    return ClickUpReader(clickup, settings.clickup_team_id, settings.clickup_docs)


@dataclass(frozen=True)
class Assistant:
    """The running assistant; `entrance` takes Slack's requests where they come over HTTP."""

    edge: Edge
    queue: Queue
    entrance: Entrance | None = None


@asynccontextmanager
async def assistant(
    settings: Settings, db: Database, *, over_http: bool = False
) -> AsyncGenerator[Assistant]:
    """Run the assistant on Slack: speak, then work, then listen; closed in reverse."""
    settings.require_slack(over_http=over_http)
    settings.require_clickup()
    async with AsyncExitStack() as stack:
        clickup = clickup_client(settings)
        stack.push_async_callback(clickup.aclose)
        desk = Desk()
        house = build_house(settings, db, clickup, desk, desk, desk, desk, desk)
        edge = Edge(
            bot_token=settings.slack_bot_token,
            app_token=settings.slack_app_token,
            api_url=settings.slack_api_url,
            inbox=house.inbox,
            outbox=house.outbox,
            choices=house.turn.conversation.choices,
            audit=Audit(db),
            proposals=house.proposals,
            revisions=house.revisions,
            texts=house.texts,
            commands=house.commands,
            recent=house.proposals.recent_of,
            overview=house.oversight.waiting,
            homes=Homes(db),
            memory=house.memory,
            feedback=house.commands.feedback,
            banner=partial(paused_banner, db, DirectoryReader(db)),
            # A script answers its own sentences and no others; the demo's page offers those.
            openers=None if settings.model.startswith(SCRIPTED) else house.openers,
            sessions=Sessions(db),
            streams=Streams(db),
            beliefs=Beliefs(db),
            departures=Departures(db),
            live_hosts=clickup_hosts(settings.clickup_api_url),
            signing_secret=settings.slack_signing_secret,
        )
        await edge.open()
        stack.push_async_callback(edge.close)
        desk.presence, desk.threads = edge.presence, edge.threads
        desk.members, desk.channels = edge.members, edge.channels
        desk.past_records = edge.past_records
        worker = working(settings, db, house.handlers(edge.deliver), edge.me.team_id)
        queue = await stack.enter_async_context(worker)
        if over_http:
            yield Assistant(edge, queue, await edge.listen())
        else:
            await edge.connect()
            yield Assistant(edge, queue)


@asynccontextmanager
async def terminal(settings: Settings, db: Database) -> AsyncGenerator[House]:
    """Run the same pipeline for one terminal: its own queue, and no Slack."""
    settings.require_clickup()
    async with AsyncExitStack() as stack:
        clickup = clickup_client(settings)
        stack.push_async_callback(clickup.aclose)
        house = build_house(settings, db, clickup, Desk())

        async def nowhere(_: UUID) -> None:
            """Deliveries of a terminal are printed from the outbox."""

        handlers = house.handlers(nowhere)
        await stack.enter_async_context(working(settings, db, handlers, TERMINAL))
        yield house
