"""AgencyClaw: from an accepted receipt to the answer in the outbox, through the real lane engine.

Everything is what the composition root builds, except the model, which answers at once, and Slack:
the job of the delivery is fetched and ended, but posts nothing.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from uuid import UUID

import logfire
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult

from agencyclaw.agents.main import Models
from agencyclaw.app import NoStatus, Services, build_services, working
from agencyclaw.domain.people import Place
from agencyclaw.domain.receipts import Incoming, ReceiptKind, message_key
from agencyclaw.settings import Settings
from agencyclaw.store.engine import Database
from agencyclaw.task_board import clickup_client
from agencyclaw.telemetry.tracing import configure_tracing
from benchmarks.instant import instant_model
from benchmarks.tools import PERSON, TEAM

_ROOT = "1700000000.000100"


class Collector(SpanExporter):
    """Encodes spans as they go to an OTLP endpoint, counts them, and drops them."""

    def __init__(self) -> None:
        self.spans = 0

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Encode and count."""
        encode_spans(spans).SerializeToString()
        self.spans += len(spans)
        return SpanExportResult.SUCCESS


class AgencyClaw:
    """The house on one database, and one worker of the lane engine."""

    def __init__(
        self,
        settings: Settings,
        db: Database,
        services: Services,
        stack: AsyncExitStack,
        collector: Collector,
    ) -> None:
        self._settings = settings
        self._db = db
        self._house = services
        self._stack = stack
        self._collector = collector
        self._work = AsyncExitStack()
        self._answered: dict[str, asyncio.Future[None]] = {}
        self._delivering = 0
        self._delivered = asyncio.Event()
        self._counter = 0

    @classmethod
    async def open(cls, dsn: str, models: Models | None = None) -> AgencyClaw:
        """Build the house, with logs and spans as `serve` sets them up.

        With BENCH_EXPORT, spans are exported: to a collector that encodes and drops them.
        """
        settings = Settings(
            clickup_api_token="pk_bench",
            clickup_team_id="1",
            agencyclaw_messages_per_minute=1_000_000,
        )
        collector = Collector()
        is_exporting = "BENCH_EXPORT" in os.environ
        configure_tracing(
            settings, processors=[BatchSpanProcessor(collector)] if is_exporting else []
        )
        stack = AsyncExitStack()
        db = await Database.open(dsn)
        stack.push_async_callback(db.close)
        clickup = clickup_client(settings)
        stack.push_async_callback(clickup.aclose)
        services = build_services(settings, db, clickup, NoStatus())
        services = _with_models(services, models or Models(instant_model()))
        return cls(settings, db, services, stack, collector)

    def exported(self) -> int:
        """Send what is left of the spans, and return how many there were."""
        logfire.force_flush()
        return self._collector.spans

    async def start(self) -> None:
        """Start a worker; its polling and heart-beats count as the assistant's cost."""
        handlers = self._house.handlers(self._deliver)
        handlers = replace(handlers, turn=self._noting(handlers.turn))
        await self._work.enter_async_context(working(self._settings, self._db, handlers, TEAM))

    async def turn(self, session: str, said: str) -> None:
        """Hand over one message and wait until its answer is committed to the outbox."""
        self._counter += 1
        incoming = message(session, said, self._counter)
        answered = asyncio.get_running_loop().create_future()
        self._answered[incoming.place.key] = answered
        self._delivering += 1
        await self._house.receipts.accept(incoming)
        await answered

    async def rest(self) -> None:
        """Wait for the delivery's job, which a person would not be waiting for."""
        while self._delivering:
            self._delivered.clear()
            await self._delivered.wait()

    async def answers(self, session: str) -> list[str]:
        """Return what was answered in a session, read from the outbox."""
        rows = await self._db.pool.fetch(
            "select body ->> 'text' as text from outbox"
            " where channel_id = $1 and kind = 'answer' order by seq",
            channel_of(session),
        )
        return [row["text"] for row in rows]

    async def stop(self) -> None:
        """Stop the worker."""
        await self._work.aclose()

    async def close(self) -> None:
        """Close the house."""
        await self._stack.aclose()

    def _noting(self, take: Callable[[str], Awaitable[None]]) -> Callable[[str], Awaitable[None]]:
        async def turn(lane: str) -> None:
            await take(lane)
            answered = self._answered.pop(lane, None)
            if answered is not None:
                answered.set_result(None)

        return turn

    async def _deliver(self, _: UUID) -> None:
        self._delivering -= 1
        self._delivered.set()


def message(session: str, said: str, number: int) -> Incoming:
    """Return a direct message as the Slack room hands it over; each session is a DM of its own."""
    ts = f"17000{number:05}.000200"
    channel = channel_of(session)
    place = Place(team_id=TEAM, channel_id=channel, thread_ts=_ROOT, is_direct=True)
    return Incoming(
        key=message_key(TEAM, channel, ts),
        source="events",
        kind=ReceiptKind.MESSAGE,
        place=place,
        slack_ts=ts,
        slack_user_id=PERSON,
        text=said,
        carries=(),
    )


def _with_models(services: Services, models: Models) -> Services:
    conversation = services.turn.conversation
    gatherer = replace(conversation.gatherer, models=models, model_label="instant")
    conversation = replace(conversation, gatherer=gatherer)
    return replace(services, turn=replace(services.turn, conversation=conversation))


def channel_of(session: str) -> str:
    """Return the DM of a session."""
    return f"D{session}"
