"""What was finished: closed tasks of a client in a past stretch of time."""

from __future__ import annotations

from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.people import Tier
from agencyclaw.tools.arguments import Assigned, Day, Days, Name, Page, PastRange
from agencyclaw.tools.catalogue import reads
from agencyclaw.tools.results import Ask
from agencyclaw.tools.task_queries import TaskQuery
from agencyclaw.tools.tasks import TaskList, answer_query


@reads(tier=Tier.VIEWER, skill_id="clickup_task_finished", on_demand=True)
async def finished_tasks(
    ctx: RunContext[Deps],
    client: Name | None = None,
    brand: Name | None = None,
    window: PastRange = "last_week",
    days: Days = 14,
    first: Day | None = None,
    last: Day | None = None,
    assignee: Assigned | None = None,
    page: Page = 1,
    fresh: bool = False,
) -> TaskList | Ask:
    """List finished (done, closed, completed) ClickUp tasks of a past time, of a client or all.

    Args:
        client: What the person called the client or brand; leave out for all.
        brand: Only this brand.
        window: "dates" needs first and last. Weeks begin on Monday.
        days: For last_n_days.
        first: First day.
        last: Last day, included.
        assignee: Whose, or a role; "me" is the person asking, "nobody" unassigned.
        page: Of a list that goes on.
        fresh: Not as of some minutes ago.
    """
    query = TaskQuery(client, brand, window, days, first, last, "done", assignee, fresh=fresh)
    return await answer_query(ctx.deps, query, None, page)
