"""Loads results of earlier runs of this conversation in full."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any, cast

from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.people import Tier
from agencyclaw.domain.text import cut
from agencyclaw.tools.arguments import Key
from agencyclaw.tools.catalogue import reads
from agencyclaw.tools.results import Result

ITEMS_AT_MOST = 60
TEXT_AT_MOST = 3_500
FINDING_AT_MOST = 20_000
DEPTH_AT_MOST = 8

# A finding, and what a person pasted, are text as a whole.
_WHOLE = frozenset({"research", "pasted"})
_LEFT_OUT = re.compile(r"… \d+ more")


class PriorResult(Result):
    """An earlier result; it shows the state of that time."""

    skill: str
    created_at: datetime
    data: dict[str, Any]
    note: str = "This is how it was then; look it up again if it may have changed."


@reads(tier=Tier.VIEWER)
async def load_prior_skill_result(ctx: RunContext[Deps], key: Key) -> PriorResult:
    """Bring back the full result of an earlier look-up, or a pasted text, of this conversation.

    Args:
        key: The key that stands beside the summary, such as "ev:...".
    """
    found = await ctx.deps.notebook.evidence(key)
    limit = FINDING_AT_MOST if found.skill in _WHOLE else TEXT_AT_MOST
    data = cast(dict[str, Any], _shortened(found.payload, DEPTH_AT_MOST, limit))
    created_at = found.created_at.astimezone(ctx.deps.actor.zone)
    return PriorResult(skill=found.skill, created_at=created_at, data=data)


def without_remarks(value: Any) -> Any:
    """Return a shortened result as it was shaped, without the remarks on what was left out."""
    if isinstance(value, dict):
        fields = cast(dict[str, Any], value)
        return {key: without_remarks(item) for key, item in fields.items() if key != "…"}
    if isinstance(value, list):
        items = cast(list[Any], value)
        return [without_remarks(item) for item in items if not _is_remark(item)]
    return value


def _is_remark(item: Any) -> bool:
    return isinstance(item, str) and _LEFT_OUT.fullmatch(item) is not None


def _shortened(value: Any, depth: int, text: int) -> Any:
    """Cut long lists, records and texts to so much `text`, and say so where something is left out.

    So one old result can't fill the window.
    """
    if depth == 0:
        return "…"
    if isinstance(value, str):
        return cut(value, text)
    if isinstance(value, dict):
        fields = list(cast(dict[str, Any], value).items())
        shown = {key: _shortened(item, depth - 1, text) for key, item in fields[:ITEMS_AT_MOST]}
        more = len(fields) - len(shown)
        return shown | ({"…": f"{more} more"} if more else {})
    if isinstance(value, list):
        items = cast(list[Any], value)
        kept = [_shortened(item, depth - 1, text) for item in items[:ITEMS_AT_MOST]]
        return [*kept, f"… {len(items) - ITEMS_AT_MOST} more"] if len(items) > len(kept) else kept
    return value
