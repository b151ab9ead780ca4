"""A comment on a task, prepared in the name of whoever asks for it."""

from __future__ import annotations

from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.errors import Refused
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Tier
from agencyclaw.domain.task_comments import AUTHOR_LIMIT, CommentOnTask
from agencyclaw.domain.text import one_line
from agencyclaw.knowledge.secrets import redacted
from agencyclaw.tools.arguments import Name, Request, Text
from agencyclaw.tools.catalogue import proposes
from agencyclaw.tools.lacking import Lacking
from agencyclaw.tools.results import Ask
from agencyclaw.tools.task_lookup import find_task


@proposes(CommentOnTask, tier=Tier.MEMBER, skill_id="clickup_task_comment", on_demand=True)
async def comment_on_task(
    ctx: RunContext[Deps], task: Request, text: Text, client: Name | None = None
) -> CommentOnTask | Ask:
    """Prepare a comment (note, reply) below an existing ClickUp task, in the name of who asks.

    Args:
        task: Its title, or its link.
        text: The comment, in their words; their name is put in front.
        client: What the person called the client; not needed with a link.
    """
    lacking, words = Lacking(), redacted(text.strip())
    found = await lacking.settle(find_task(ctx.deps, task, client))
    if not words:
        lacking.refuse(Refused(message("refused.task_comments.no_text"), reason="no_text"))
    if found is None or lacking:
        return lacking.as_ask()
    return CommentOnTask(
        client=found.client.named,
        task_id=found.state.id,
        url=found.state.url,
        title=found.state.facts.title,
        list_id=found.state.list_id,
        list_name=found.state.list_name,
        author=one_line(ctx.deps.actor.name, AUTHOR_LIMIT),
        text=words,
    )
