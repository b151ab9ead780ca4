"""A day on which something happened is that of whoever reads it, not that of the server."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from acting import INES, TASK, Acting, Turn, call, creating, offer, text, turn
from stage import Stage, whole_text
from test_commands_flow import GLINTLY, typed
from test_home_flow import home_with

from agencyclaw.domain.days import spoken_day
from agencyclaw.store.demo_agency import brand_id, person_id

ZONE = ZoneInfo("America/Los_Angeles")
# Late in the evening of the day before there.
MOMENT = datetime.now(UTC).replace(hour=3, minute=0) - timedelta(days=2)
DAY = MOMENT.astimezone(ZONE).date()
_RESULT = """
insert into brand_market_kpi_results (brand_id, marketplace, period, start, source, acos,
  updated_by, updated_at)
values ($1, 'US', 'annual', '2025-01-01', '', 20, $2, $3)
"""


async def in_los_angeles(acting: Acting, *turns: Turn) -> Stage:
    stage = await acting(*turns)
    await stage.db.pool.execute("update profiles set timezone = $1", ZONE.key)
    await stage.db.pool.execute("update client_memory_notes set created_at = $1", MOMENT)
    return stage


@pytest.mark.parametrize("tool", ["recall", "client_brief", "get_client_context"])
async def test_of_a_note(acting: Acting, tool: str) -> None:
    asked = call(tool, client="Glintly Inc")
    found = turn("look", call("search_tools", queries=[tool]), asked, text("There."))
    stage = await in_los_angeles(acting, found)
    await stage.reply(INES, await stage.say(INES, "look"))

    assert f"{DAY}" in str(await stage.result(tool))


async def test_of_a_note_in_the_home_tab(acting: Acting) -> None:
    stage = await in_los_angeles(acting, turn("hello", text("Hello.")))
    await stage.bench.open_home(INES)

    assert f"Sara Lindqvist, {DAY}" in str(await home_with(stage, INES, "concise task titles"))


async def test_of_a_result(acting: Acting) -> None:
    asked: dict[str, Any] = {"client": "Glintly Inc", "marketplace": "US"}
    lookup = call("kpi_target_lookup", **asked)
    stage = await in_los_angeles(
        acting, turn("look", call("search_tools", queries=["targets"]), lookup, text("There."))
    )
    brand = brand_id("Glintly Inc", "Glintly")
    await stage.db.pool.execute(_RESULT, brand, person_id("Ines Varga"), MOMENT)
    await stage.reply(INES, await stage.say(INES, "look"))

    [result] = (await stage.result("kpi_target_lookup"))["results"]
    assert result["source"] == f"brought by Ines Varga on {spoken_day(DAY)}"


async def test_of_a_channels_link(acting: Acting) -> None:
    stage = await in_los_angeles(acting, turn("hello", text("Hello.")))
    await stage.db.pool.execute("update surface_bindings set created_at = $1", MOMENT)

    assert f"on {DAY:%-d %B %Y}" in await typed(stage, INES, "where", GLINTLY)


async def test_of_a_task_that_was_asked_for_and_of_one_that_was_made_before(
    acting: Acting,
) -> None:
    stage = await in_los_angeles(acting, creating("make it"), creating("make it again"))
    root = await stage.say(INES, "make it")
    card = await offer(stage, INES, root)
    await stage.db.pool.execute("update proposals set created_at = $1", MOMENT)
    await stage.press(INES, card, "Create task")
    [task] = await stage.created(TASK)
    await stage.settled()
    assert f"for Ines Varga · {DAY}" in str(task)

    await stage.db.pool.execute("update agent_tasks set dispatched_at = $1", MOMENT)
    again = await offer(stage, INES, await stage.say(INES, "make it again"))
    assert f"asked for by Ines Varga on {DAY:%d %b}" in whole_text(again)
