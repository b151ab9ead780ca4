"""Two workers on one database, and the same click two hundred times: one task, one receipt."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from acting import SARA_L, TASK, creating
from stage import Stage, dm, eventually, on_stage, script_file

from agencyclaw.domain.people import Place
from agencyclaw.domain.receipts import Click, Incoming, ReceiptKind
from agencyclaw.store.engine import Database
from agencyclaw.store.receipts import Receipts
from workbench.fixture import Bench

TIMES = 200


def presses(row: dict[str, Any], *, distinct: bool) -> list[Incoming]:
    """The same button, pressed again and again; each time anew, or one press sent again."""
    place = Place(
        team_id=row["team_id"],
        channel_id=row["channel_id"],
        thread_ts=row["thread_ts"],
        is_direct=row["is_direct"],
    )
    click = Click(act="confirm", proposal_ids=(row["id"],), fingerprints=(row["fingerprint"][:16],))
    return [
        Incoming(
            key=f"click:{at if distinct else 0}",
            source="interactions",
            kind=ReceiptKind.CLICK,
            place=place,
            slack_ts=f"1800000000.{at:06d}",
            slack_user_id=row["actor_slack_user_id"],
            click=click,
        )
        for at in range(TIMES)
    ]


@pytest.mark.parametrize("distinct", [True, False])
async def test_two_workers_hammered_with_one_click_create_one_task(
    bench: Bench, agency: Database, tmp_path: Path, distinct: bool
) -> None:
    model = script_file(tmp_path, [creating()])
    second = await Database.open(agency.dsn, min_size=1)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(second.close)
        stage = await stack.enter_async_context(on_stage(bench, agency, agencyclaw_model=model))
        await stack.enter_async_context(on_stage(bench, second, agencyclaw_model=model))
        root = await stage.say(SARA_L, "make the task")
        await stage.card(SARA_L, root)
        await stage.settled()
        [row] = await stage.proposals()
        inboxes = [Receipts(agency), Receipts(second)]

        clicks = presses(row, distinct=distinct)
        kept = await asyncio.gather(*(inboxes[at % 2].accept(c) for at, c in enumerate(clicks)))

        await eventually(lambda: _is_quiet(agency), timeout=120)
        await stage.created(TASK)
        assert sum(one is not None for one in kept) == (TIMES if distinct else 1)
        await _has_happened_once(stage, root)
        await _print_figures(stage, sum(one is not None for one in kept))


async def _print_figures(stage: Stage, receipts: int) -> None:
    """Say what came of it, for whoever runs this with `-s`."""
    asked = await stage.events("consent_confirm")
    reasons = Counter(event["reason"] for event in asked)
    sent = await stage.creates_sent()
    figures = f"{TIMES} clicks, {receipts} receipts, {sent} create requests; {dict(reasons)}"
    print(f"\n{figures}")  # noqa: T201  (the figures are what one runs it for)


async def _is_quiet(db: Database) -> bool:
    return await db.pool.fetchval(
        "select not exists (select 1 from slack_event_receipts where status = 'received')"
        " and not exists (select 1 from outbox where state in ('pending', 'sending'))"
        " and not exists (select 1 from proposals where state in ('confirmed', 'executing'))"
    )


async def _has_happened_once(stage: Stage, root: str) -> None:
    assert len(await stage.tasks_named(TASK)) == 1
    assert await stage.creates_sent() == 1
    [row] = await stage.proposals()
    assert row["state"] == "done"
    rows = await stage.db.pool.fetch("select * from skill_invocation_log")
    [logged] = [one for one in rows if one["status"] != "duplicate"]
    assert logged["status"] == "success"
    assert logged["requested_by"] == logged["confirmed_by"] == row["actor_profile_id"]
    reasons = [event["reason"] for event in await stage.events("consent_confirm")]
    assert reasons.count("confirmed") == 1
    assert len(rows) == len(reasons)
    told = [m for m in await stage.bench.messages(dm(SARA_L)) if m.get("thread_ts") == root]
    assert sum(str(m["text"]).startswith("Created “") for m in told) == 1
