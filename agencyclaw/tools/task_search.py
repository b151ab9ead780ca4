"""The search for tasks by words of their titles: of a client, or of all."""

from __future__ import annotations

from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.people import Tier
from agencyclaw.tools.arguments import Name, Page, Sought
from agencyclaw.tools.catalogue import reads
from agencyclaw.tools.results import Ask
from agencyclaw.tools.task_queries import TaskQuery
from agencyclaw.tools.tasks import TaskList, answer_query

# A list may hold many years of finished tasks.
_LATELY_DAYS = 365


@reads(tier=Tier.VIEWER, skill_id="clickup_task_search", on_demand=True)
async def search_tasks(
    ctx: RunContext[Deps],
    words: Sought,
    client: Name | None = None,
    brand: Name | None = None,
    finished: bool = False,
    page: Page = 1,
) -> TaskList | Ask:
    """Search (find) ClickUp tasks by words of their title or name, of a client or of all.

    "The coupon task": the closest come first; whether one is meant, you judge by its title.

    Args:
        words: What the person said of the title, in its language.
        client: What they called the client or brand; leave out for all.
        brand: Only this brand.
        finished: Search those finished in the last year instead of the open ones.
        page: Of a list that goes on.
    """
    window, date_kind = ("last_n_days", "done") if finished else ("any_time", "due")
    query = TaskQuery(client, brand, window, _LATELY_DAYS, None, None, date_kind, words=words)
    return await answer_query(ctx.deps, query, None, page)
