"""The tool that takes over what changed in the ClickUp Docs of the procedures."""

from __future__ import annotations

from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.errors import Refused
from agencyclaw.domain.people import Tier
from agencyclaw.domain.procedures import SyncProcedures, compare, unchanged, unread_of
from agencyclaw.tools.catalogue import proposes


@proposes(SyncProcedures, tier=Tier.ADMIN, on_demand=True)
async def sop_sync_run(ctx: RunContext[Deps]) -> SyncProcedures:
    """Compare the procedures (SOPs) with ClickUp Docs and prepare taking over what changed."""
    docs = await ctx.deps.board.procedure_docs()
    stored = await ctx.deps.knowledge.stored_pages([doc.doc_id for doc in docs])
    changes = compare(docs, stored)
    if changes is None:
        raise Refused("\n".join((unchanged(docs), *unread_of(docs))), reason="no_changes")
    return changes
