"""A play holds one date from start to end, whenever a run begins and however long it takes."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from typing import Any, cast

import pytest

from agencyclaw.store.engine import Database
from evals import plays, world
from evals.expected import Expected, agency_today
from evals.plays import GOLD, Play, gold_of, perform
from evals.scene import Change, Scene, Target
from evals.world import Ground, World
from workbench.clock import MachineClock

DAY_S = 86_400
SCENE = Scene.model_validate({
    "person": "Sara Lindqvist", "turns": [{"say": "hello", "gold": ["Hello, what shall I do?"]}],
})  # fmt: skip


class Yesterday(MachineClock):
    """The time a day ago."""

    def now(self) -> float:
        return super().now() - DAY_S


async def due_days(ground: Ground) -> set[str]:
    async with ground.bench() as bench:
        return {task["due_date"] for task in await bench.clickup_tasks() if task["due_date"]}


async def test_what_is_played_after_midnight_finds_tasks_due_as_of_that_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    over_midnight = Ground(cast("Any", None), tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(world, "BenchClock", Yesterday)
        patch.setattr(world, "agency_today", lambda: agency_today() - timedelta(days=1))
        before = await due_days(over_midnight)
    (tmp_path / "fresh").mkdir()

    after = await due_days(over_midnight)

    assert after == await due_days(Ground(cast("Any", None), tmp_path / "fresh"))
    assert after != before


async def test_a_play_that_midnight_comes_into_is_played_again_on_one_date(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = Expected.model_validate({"turns": [{}]})
    play = Play(
        subject="dates",
        case="hello",
        variant=GOLD,
        scene=SCENE,
        expected=expected,
        steps=gold_of(SCENE),
    )
    today = agency_today()
    days = iter([today - timedelta(days=1), today, today, today])
    monkeypatch.setattr(plays, "agency_today", lambda: next(days))

    ledger = await perform(ground, play, None, lambda *_: False)

    assert ledger.today == today
    assert next(days, None) is None, "it was played once only"


async def test_a_target_is_for_the_month_that_it_is_at_the_agency(
    agency: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(world, "agency_today", lambda: date(2031, 5, 31))
    target = Target(
        client="Glintly Inc", brand="Glintly", marketplace="US", sales=9, currency="USD"
    )
    nothing = cast("Any", None)

    await World(agency, nothing, nothing, {}).apply(Change(target=target))

    begins = await agency.pool.fetchval(
        "select period_start from brand_market_kpi_targets where sales_target = 9"
    )
    assert begins == date(2031, 5, 1)
