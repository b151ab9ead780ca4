"""Open questions beside what a search answers today."""

from __future__ import annotations

from collections.abc import Sequence

from agencyclaw.deps.knowledge import Knowledge
from agencyclaw.domain.sops import OpenGap


async def answer_today(knowledge: Knowledge, gap: OpenGap) -> str:
    """Return the title of the procedure that a search answers the question with; "" if none."""
    hits = await knowledge.find_sops(gap.question, limit=1)
    return hits[0].sop.title if hits and hits[0].is_ground else ""


async def naming_gaps(
    knowledge: Knowledge, read: Sequence[OpenGap], *, limit: int
) -> list[OpenGap]:
    """Return questions that suggest a name for the procedure that was read for them.

    Those that a search answers by now suggest nothing any more.
    """
    naming: list[OpenGap] = []
    for gap in read:
        if len(naming) < limit and gap.suggests_a_name and not await answer_today(knowledge, gap):
            naming.append(gap)
    return naming
