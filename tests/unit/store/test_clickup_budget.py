"""What processes of one ClickUp token may send together, as the tables say."""

from __future__ import annotations

import asyncio

import httpx
import pytest

from agencyclaw.clickup.client import ClickUpClient
from agencyclaw.clickup.reader import ClickUpReader
from agencyclaw.domain.errors import Throttled
from agencyclaw.domain.request_budget import WINDOW_S
from agencyclaw.store.clickup_budget import ClickUpBudget
from agencyclaw.store.engine import Database

TOKEN, RATE = "pk_1_SECRET", 60


async def taken(budget: ClickUpBudget, times: int) -> int:
    """Try so often, all at once, and return how many requests were granted."""
    grants = await asyncio.gather(*(budget.take(is_write=True) for _ in range(times)))
    return sum(grant.requests for grant in grants)


async def test_two_processes_get_no_more_together_than_one(database: Database) -> None:
    ours, theirs = ClickUpBudget(database, TOKEN, RATE), ClickUpBudget(database, TOKEN, RATE)

    granted = await asyncio.gather(taken(ours, 40), taken(theirs, 40))
    refused = await theirs.take(is_write=True)

    assert sum(granted) == RATE
    assert refused.requests == 0
    assert 0 < refused.wait_s <= WINDOW_S + 5
    assert await taken(ClickUpBudget(database, "pk_2_OTHER", RATE), 40) == RATE


async def test_reads_leave_some_requests_for_writes(database: Database) -> None:
    budget = ClickUpBudget(database, TOKEN, RATE)

    reads = await asyncio.gather(*(budget.take(is_write=False) for _ in range(40)))

    assert sum(grant.requests for grant in reads) == RATE * 9 // 10
    assert (await budget.take(is_write=True)).requests > 0


async def test_what_was_granted_long_ago_counts_no_more(database: Database) -> None:
    budget = ClickUpBudget(database, TOKEN, RATE)
    await taken(budget, 40)

    await database.pool.execute(
        "update clickup_budgets set grants = array("
        "select at - interval '2 minutes' from unnest(grants) as at)"
    )

    assert await taken(budget, 40) == RATE


async def test_a_pause_of_one_process_holds_the_others(database: Database) -> None:
    ours, theirs = ClickUpBudget(database, TOKEN, RATE), ClickUpBudget(database, TOKEN, RATE)

    await ours.hold(30)
    await theirs.hold(5)
    grant = await theirs.take(is_write=True)

    assert grant.requests == 0
    assert 20 < grant.wait_s <= 30


async def test_a_token_is_not_stored(database: Database) -> None:
    await ClickUpBudget(database, TOKEN, RATE).take(is_write=True)

    assert TOKEN not in str(await database.pool.fetch("select * from clickup_budgets"))


def asking(db: Database, sent: list[httpx.Request]) -> ClickUpReader:
    """Return the reader of a process of its own, before a ClickUp that answers at once."""

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        return httpx.Response(200, json={"user": {"id": 1, "timezone": "Europe/Lisbon"}})

    client = ClickUpClient(
        TOKEN,
        "https://api.clickup.com/api/v2",
        rate_per_minute=10,
        transport=httpx.MockTransport(answer),
        budget=lambda token, rate: ClickUpBudget(db, token, rate),
    )
    return ClickUpReader(client, "90010001")


async def test_a_client_sends_nothing_that_another_process_has_used_up(database: Database) -> None:
    sent: list[httpx.Request] = []
    ours, theirs = asking(database, sent), asking(database, sent)
    for _ in range(9):
        await ours.whoami()

    with pytest.raises(Throttled) as refused:
        await theirs.whoami()

    assert len(sent) == 9
    assert refused.value.after > 30
