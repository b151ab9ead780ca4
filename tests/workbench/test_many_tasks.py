"""A thousand tasks in forty lists are read within the requests that ClickUp allows in a minute."""

from __future__ import annotations

from benchmarks.plate import TASKS, measure


async def test_a_thousand_tasks_of_forty_lists_take_a_request_per_hundred() -> None:
    looks = await measure()

    assert looks["all open tasks of everybody"]["tasks"] == TASKS
    assert looks["all open tasks of everybody"]["requests"] <= TASKS / 100 + 1
    assert looks["all my open tasks"]["requests"] <= 3
    assert looks["my week, and what is late"]["requests"] <= 3
