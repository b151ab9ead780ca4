"""Two attempts at one message: the one that was overtaken leaves it to the other."""

from __future__ import annotations

from acting import ASKED, INES, TASK, ScriptedModel, calls, minded
from stage import eventually
from test_edited_flow import Holding

from agencyclaw.store.engine import Database
from workbench.fixture import Bench


async def test_an_attempt_whose_drafts_a_later_one_has_dropped_leaves_the_message_to_it(
    bench: Bench, agency: Database
) -> None:
    holding = Holding()
    create = calls("create_task", client="Glintly Inc", title=TASK, objective=ASKED)
    async with minded(bench, agency, ScriptedModel(create, holding)) as stage:
        root = await stage.say(INES, f"make the task: {ASKED}")
        await holding.asked.wait()
        # What a run does first that begins at the message anew.
        await agency.pool.execute("update agent_runs set status = 'cancelled'")
        await agency.pool.execute("delete from proposals where state = 'draft'")
        holding.go_on.set()

        await eventually(lambda: _has_ended(agency))
        assert await stage.replies(INES, root) == []
    row = await agency.pool.fetchrow("select status, failures from slack_event_receipts")
    assert dict(row) == {"status": "received", "failures": 0}


async def _has_ended(db: Database) -> bool:
    return await db.pool.fetchval(
        "select not exists (select from procrastinate_jobs"
        " where task_name = 'turn' and status = 'doing')"
    )
