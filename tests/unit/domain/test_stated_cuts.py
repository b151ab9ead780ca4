"""What does not fit is counted, never left out silently."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime

import pytest

from agencyclaw.domain.operations import RunChange, RunRecord
from agencyclaw.domain.org_chart import draw_chart
from agencyclaw.domain.roles import Role
from agencyclaw.tools.operations import run_retry
from tests.fakes.ports import FakeOperations, an_id, context, demo_agency


@dataclass
class OneRun(FakeOperations):
    """A failed run that had led to so many changes."""

    done: int = 0

    async def run(self, prefix: str) -> RunRecord:
        return RunRecord(
            id=an_id(prefix),
            run_type="main",
            status="failed",
            person="Sara Lindqvist",
            client=None,
            request=None,
            started_at=datetime(2026, 11, 18, tzinfo=UTC),
            completed_at=None,
            error=None,
            steps=(),
            changes=tuple(
                RunChange(headline=f"Task {at}", state="done") for at in range(self.done)
            ),
            sub_runs=0,
            tokens=0,
            cost_usd=None,
            unpriced=0,
            retries_left=3,
        )


@pytest.mark.parametrize(("done", "last"), [(20, "Task 19"), (25, "and 5 more")])
async def test_a_card_says_how_many_more_changes_a_failed_run_led_to(done: int, last: str) -> None:
    deps = replace(demo_agency().run(), operations=OneRun(done))
    retry = await run_retry(context(deps), "1a2b3c4d")

    assert retry.done_already[19:][-1] == last
    assert len(retry.done_already) <= 21


def test_an_org_chart_says_how_many_more_roles_there_are() -> None:
    roles = [Role(slug=f"role_{at}", name=f"Role {at} {'x' * 60}") for at in range(60)]
    chart = draw_chart(roles, {}).splitlines()

    assert len("\n".join(chart)) <= 2_900
    assert chart[-1] == f"… and {60 - len(chart) + 1} more roles"
    assert chart[:-1] == draw_chart(roles[: len(chart) - 1], {}).splitlines()
