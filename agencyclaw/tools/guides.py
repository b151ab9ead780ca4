"""Guides: how this agency does things, read when one fits the request."""

from __future__ import annotations

from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.errors import NotFound
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Tier
from agencyclaw.domain.text import folded
from agencyclaw.tools.arguments import Name
from agencyclaw.tools.catalogue import reads
from agencyclaw.tools.policy_checks import allows
from agencyclaw.tools.results import Result

_INTRODUCTION = (
    "How this agency does things, in guides its people wrote. When one fits what is asked, read it"
    " first and go by it:"
)


class GuideText(Result):
    """A guide in full."""

    name: str
    text: str


def announced(deps: Deps) -> str:
    """Return a line per guide for the instructions; "" if there are none."""
    if not deps.guides or not allows(deps, read_guide.__name__):
        return ""
    return "\n".join([_INTRODUCTION, *(f"- {one.name}: {one.description}" for one in deps.guides)])


@reads(tier=Tier.VIEWER, skill_id="guide_read", needs="guides")
async def read_guide(ctx: RunContext[Deps], name: Name) -> GuideText:
    """Read one of the agency's guides.

    Args:
        name: As it is listed.
    """
    for one in ctx.deps.guides:
        if folded(one.name) == folded(name):
            return GuideText(name=one.name, text=one.text)
    names = ", ".join(one.name for one in ctx.deps.guides)
    raise NotFound(message("refused.guides.not_found", names=names), reason="not_found")
