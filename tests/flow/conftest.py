"""The stage as a fixture: workbench, database, assistant."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator
from pathlib import Path

import logfire
import pytest
from acting import Acting, actors
from deadlines import AmpleBudget, Deadlines, SkippedTime, watched_deadlines
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from stage import Stage, on_stage

from agencyclaw.store.engine import Database
from workbench.fixture import PATIENT, Bench, running_workbench


@pytest.fixture
async def bench() -> AsyncGenerator[Bench]:
    """A seeded workbench of one's own."""
    async with running_workbench(**PATIENT) as bench:
        yield bench


@pytest.fixture
async def deadlines(monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[Deadlines]:
    """The deadlines of agent runs; they come when the test says so."""
    async with watched_deadlines(monkeypatch) as deadlines:
        yield deadlines


@pytest.fixture
async def stage(bench: Bench, agency: Database) -> AsyncGenerator[Stage]:
    """The assistant playing the tour."""
    async with on_stage(bench, agency) as stage:
        yield stage


@pytest.fixture
async def acting(bench: Bench, agency: Database, tmp_path: Path) -> AsyncGenerator[Acting]:
    """Starts the assistant with a script of the test's own."""
    async with actors(bench, agency, tmp_path) as acting:
        yield acting


@pytest.fixture
def spans() -> Generator[InMemorySpanExporter]:
    """The spans that end while a test runs."""
    exporter = InMemorySpanExporter()
    processors = [SimpleSpanProcessor(exporter)]
    logfire.configure(send_to_logfire=False, console=False, additional_span_processors=processors)
    yield exporter
    logfire.configure(send_to_logfire=False, console=False)


@pytest.fixture
def brisk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody sits out a pause that ClickUp asks for, and who is told of one comes back at once."""
    monkeypatch.setattr("agencyclaw.clickup.client.Clock", SkippedTime().clock)
    monkeypatch.setattr("agencyclaw.task_board.ClickUpBudget", AmpleBudget)
    monkeypatch.setattr("agencyclaw.clickup.limiter.FIRST_PAUSE_S", 0.05)
    monkeypatch.setattr("agencyclaw.clickup.limiter.LAST_PAUSE_S", 0.4)
    monkeypatch.setattr("agencyclaw.conversation.dead_letters.MAX_FAILURES", 2)
