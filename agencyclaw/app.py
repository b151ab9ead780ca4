"""The composition root: builds every real part, starts and stops them; no logic."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from uuid import UUID

from pydantic_ai import Agent
from pydantic_ai.exceptions import UserError
from pydantic_ai.models import infer_model
from yaml import YAMLError

from agencyclaw.agents.children import ChildLimits
from agencyclaw.agents.crew import Crew, build_crew
from agencyclaw.agents.main import Limits, Models, build_main
from agencyclaw.agents.policies.progress import Presence
from agencyclaw.agents.script import Script, load_script, play, script_hash, tour
from agencyclaw.clickup.client import ClickUpClient
from agencyclaw.clickup.reader import ClickUpReader
from agencyclaw.clickup.writer import ClickUpWriter
from agencyclaw.deps import Deps
from agencyclaw.domain.errors import Misconfigured
from agencyclaw.domain.people import Place
from agencyclaw.effects.consent import Consent
from agencyclaw.effects.destinations import Destinations
from agencyclaw.effects.execute import Executor
from agencyclaw.effects.handlers import Handlers as EffectHandlers
from agencyclaw.effects.ledgers import ledgers
from agencyclaw.effects.outgrown import OutgrownErrand
from agencyclaw.effects.propose import Revisions
from agencyclaw.effects.task_archiving import TaskArchiving
from agencyclaw.effects.task_change import TaskChange
from agencyclaw.effects.task_creation import Looks, TaskCreation
from agencyclaw.guides import load_guides
from agencyclaw.knowledge.ranking import RANKER
from agencyclaw.lanes.commands import CommandDesk
from agencyclaw.lanes.conversation import Conversation, Sources
from agencyclaw.lanes.desk import Desk, show_nobody
from agencyclaw.lanes.expiry import Expiry
from agencyclaw.lanes.identity import Known, Members, Stranger, identify
from agencyclaw.lanes.inbox import Inbox
from agencyclaw.lanes.memory import MemoryDesk
from agencyclaw.lanes.openers import Openers
from agencyclaw.lanes.oversight import Oversight
from agencyclaw.lanes.queue import Handlers, Pace, Queue, ShowThread
from agencyclaw.lanes.running import Running
from agencyclaw.lanes.standing import StandingNow
from agencyclaw.lanes.stopping import Stopping
from agencyclaw.lanes.surfaces import Surfaces
from agencyclaw.lanes.turn import Turn
from agencyclaw.lanes.upkeep import Upkeep
from agencyclaw.sandbox.interpreter import open_interpreter
from agencyclaw.settings import SCRIPTED, Settings
from agencyclaw.slack.edge import Edge
from agencyclaw.slack.inert import live_hosts
from agencyclaw.slack.over_http import Entrance
from agencyclaw.store.choices import Choices
from agencyclaw.store.directory import DirectoryReader
from agencyclaw.store.engine import Database
from agencyclaw.store.events import Audit
from agencyclaw.store.fence import Fence
from agencyclaw.store.homes import Homes
from agencyclaw.store.intents import Intents
from agencyclaw.store.jobs import TERMINAL, WORK
from agencyclaw.store.knowledge import KnowledgeReader
from agencyclaw.store.memory import MemoryReader
from agencyclaw.store.outbox import Outbox
from agencyclaw.store.products import ProductReader
from agencyclaw.store.proposals import ProposalStore
from agencyclaw.store.queue_connection import queue_app
from agencyclaw.store.receipts import Receipts
from agencyclaw.store.runs import Runs
from agencyclaw.store.stopping import Standings
from agencyclaw.store.streams import Streams
from agencyclaw.tools import build_toolset


def choose_models(settings: Settings) -> tuple[Models, str]:
    """Return the models and the label for every run; without a key, the tour's script."""
    name, _, path = settings.model.partition(":")
    if name == SCRIPTED:
        script = _read_script(Path(path)) if path else tour()
        return Models(play(script)), f"script:{script.name}:{script_hash(script)}"
    _check_model("AGENCYCLAW_MODEL", settings.model)
    _check_model("AGENCYCLAW_MODEL_FAST", settings.agencyclaw_model_fast)
    _check_model("AGENCYCLAW_MODEL_FRONTIER", settings.agencyclaw_model_frontier)
    models = Models(
        settings.model,
        fast=settings.agencyclaw_model_fast or None,
        frontier=settings.agencyclaw_model_frontier or None,
    )
    return models, settings.model


def _read_script(path: Path) -> Script:
    try:
        return load_script(path)
    except (OSError, ValueError, YAMLError) as error:
        raise Misconfigured(
            f"AGENCYCLAW_MODEL names a script that can't be read: {error}"
        ) from None


def _check_model(variable: str, model: str) -> None:
    """Refuse at the start what would otherwise fail at every message."""
    try:
        if model:
            infer_model(model)
    except (UserError, ImportError, ValueError) as error:
        why = str(error).partition(". ")[0].partition(" or pass it")[0].rstrip(".")
        raise Misconfigured(f"{variable} is {model}, and that can't be used: {why}.") from None


@cache
def main_agent() -> Agent[Deps, str]:
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
    turn: Turn
    executor: Executor
    expiry: Expiry
    oversight: Oversight
    memory: MemoryDesk
    openers: Openers
    tidy: Callable[[], Awaitable[None]]
    commands: CommandDesk

    def handlers(
        self,
        deliver: Callable[[UUID], Awaitable[None]],
        show: ShowThread = show_nobody,
    ) -> Handlers:
        """Return what each job does, given how deliveries are made and threads are shown."""
        return Handlers(
            turn=self.turn.take,
            act=self.turn.act,
            execute=self.executor.execute,
            look=self.executor.look,
            expire=self.expiry.expire,
            deliver=deliver,
            show=show,
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
    presence: Presence,
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
            KnowledgeReader(db, RANKER),
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
        presence=presence,
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
) -> House:
    """Build everything that handles a message, on a database and a ClickUp client."""
    directory, proposals = DirectoryReader(db), ProposalStore(db)
    receipts = build_receipts(settings, db)
    reader = clickup_reader(settings, clickup)

    async def who(place: Place, slack_user_id: str) -> Known | Stranger:
        super_admins = settings.super_admin_profile_ids
        return await identify(directory, members, place, slack_user_id, super_admins)

    standing = StandingNow(who)
    handlers = effect_handlers(settings, db, clickup, reader, directory)
    consent = Consent(db, proposals, directory, handlers.undo)
    stopping = Stopping(db, Running(Standings(db)), consent)
    conversation = build_conversation(settings, db, directory, reader, presence)
    memory = MemoryDesk(db, directory, MemoryReader(db), standing)
    return House(
        db=db,
        receipts=receipts,
        inbox=Inbox(db, receipts),
        outbox=Outbox(db),
        proposals=proposals,
        revisions=Revisions(db, proposals, directory, standing),
        turn=Turn(
            db,
            receipts,
            who,
            consent,
            conversation,
            presence,
            stopping,
            settings.agencyclaw_messages_per_minute,
        ),
        executor=Executor(db, proposals, handlers, directory, standing),
        expiry=Expiry(proposals, consent),
        oversight=Oversight(proposals, standing),
        tidy=Upkeep(db, settings.agencyclaw_retention_days).tidy,
        commands=CommandDesk(db, who, Surfaces(db, directory), memory),
        memory=memory,
        openers=Openers(directory, proposals, standing),
    )


@asynccontextmanager
async def working(
    settings: Settings,
    db: Database,
    handlers: Handlers,
    *,
    queue: str = WORK,
) -> AsyncGenerator[Queue]:
    """Run one worker of the lane engine."""
    fence = Fence(db)
    pace = Pace(
        heartbeat_s=settings.agencyclaw_heartbeat_s,
        dead_after_s=settings.agencyclaw_dead_after_s,
        drain_s=settings.agencyclaw_drain_s,
        concurrency=settings.agencyclaw_concurrency,
    )
    worker = Queue(queue_app(db, room=pace.room), fence, handlers, pace=pace, queue=queue)
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
        house = build_house(settings, db, clickup, desk, desk)
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
            commands=house.commands,
            recent=house.proposals.recent_of,
            overview=house.oversight.waiting,
            homes=Homes(db),
            memory=house.memory,
            # A script answers its own sentences and no others; the demo's page offers those.
            openers=None if settings.model.startswith(SCRIPTED) else house.openers,
            sessions=Standings(db),
            streams=Streams(db),
            live_hosts=live_hosts(settings.clickup_api_url),
            signing_secret=settings.slack_signing_secret,
        )
        await edge.open()
        stack.push_async_callback(edge.close)
        desk.presence, desk.members = edge.presence, edge.members
        worker = working(settings, db, house.handlers(edge.deliver, edge.presence.show_again))
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
        await stack.enter_async_context(working(settings, db, handlers, queue=TERMINAL))
        yield house
