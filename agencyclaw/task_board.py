"""Builds the ClickUp client of a process and its reader, from the settings."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing, asynccontextmanager
from functools import partial

from agencyclaw.clickup.client import ClickUpClient
from agencyclaw.clickup.reader import ClickUpReader
from agencyclaw.settings import Settings
from agencyclaw.store.clickup_budget import ClickUpBudget
from agencyclaw.store.clickup_cache import ClickUpCache
from agencyclaw.store.engine import Database


def clickup_client(settings: Settings, db: Database | None = None) -> ClickUpClient:
    """Build the ClickUp client of a process, which shares limit and cache through a database."""
    token, url = settings.clickup_api_token, settings.clickup_api_url
    rate, timeout_s = settings.clickup_rate_limit_per_minute, settings.clickup_timeout_s
    client = partial(ClickUpClient, token, url, rate_per_minute=rate, timeout_s=timeout_s)
    if db is None:
        return client()
    return client(budget=partial(ClickUpBudget, db), cache=partial(ClickUpCache, db))


def clickup_reader(settings: Settings, clickup: ClickUpClient) -> ClickUpReader:
    """Build the reader of ClickUp."""
    return ClickUpReader(clickup, settings.clickup_team_id, settings.clickup_docs)


@asynccontextmanager
async def open_clickup(settings: Settings) -> AsyncGenerator[ClickUpReader]:
    """Yield a reader of ClickUp with a client of its own, which shares nothing."""
    async with aclosing(clickup_client(settings)) as clickup:
        yield clickup_reader(settings, clickup)
