"""Carrying out `apply_remediation`: every link is judged again, set apart, and reported."""

from __future__ import annotations

from typing import Any, cast

import logfire

from agencyclaw.domain.brands import ApplyRemediation, Repair
from agencyclaw.domain.mapping import plan_repairs
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.receipts import Note
from agencyclaw.effects.handlers import Ledger
from agencyclaw.effects.outcomes import Done, NotDone
from agencyclaw.store.brands import read_brand, write_half
from agencyclaw.store.directory import clients_and_brands
from agencyclaw.store.engine import TROUBLE, Connection


class Remediation(Ledger[ApplyRemediation]):
    """Fills missing halves of links, and only those that are still safe to fill."""

    kind = ApplyRemediation

    async def write(self, conn: Connection, proposal: Proposal) -> Done | NotDone:
        """Write each repair that still holds; one that fails leaves the others as they are."""
        effect = self.effect_of(proposal)
        safe = await _still_safe(conn, effect)
        applied: list[Repair] = []
        failed: list[str] = []
        for repair in effect.repairs:
            why = await _apply(conn, repair, safe)
            if why:
                failed.append(f"{repair.brand.name} ({repair.field}): {why}")
            else:
                applied.append(repair)
        if not applied:
            return NotDone("changed_since", "; ".join(failed), can_retry=False)
        return Done(
            {
                "before": [_fact(one, one.before) for one in applied],
                "after": [_fact(one, one.after) for one in applied],
                "applied": [one.model_dump(mode="json") for one in applied],
                "failed": failed,
            }
        )

    def receipt(self, proposal: Proposal, done: Done) -> Note:
        """List what was repaired and what was not."""
        applied = [Repair.model_validate(one) for one in done.result["applied"]]
        whole = len(self.effect_of(proposal).repairs)
        lines = [f"Repaired {len(applied)} of {whole} ClickUp links."]
        lines += [f"• {one.sentence}" for one in applied]
        failed = cast("list[str]", done.result["failed"])
        lines += [f"• Not repaired: {one}." for one in failed]
        return Note(text="\n".join(lines))

    def undo(self, proposal: Proposal) -> ApplyRemediation | str:
        """Empty the halves that were filled, where they still hold that value."""
        effect = self.effect_of(proposal)
        applied = [Repair.model_validate(one) for one in (proposal.result or {})["applied"]]
        back = tuple(
            one.model_copy(update={"before": one.after, "after": one.before}) for one in applied
        )
        return effect.model_copy(update={"repairs": back, "blocked": ()})


async def _still_safe(conn: Connection, effect: ApplyRemediation) -> set[tuple[object, ...]]:
    clients, brands = await clients_and_brands(conn, effect.brand_ids)
    plan = plan_repairs(clients, brands)
    return {(one.brand.id, one.field, one.after) for one in plan.safe}


async def _apply(conn: Connection, repair: Repair, safe: set[tuple[object, ...]]) -> str:
    """Write one repair in a savepoint of its own; returns why not, or nothing."""
    try:
        async with conn.transaction():
            now = await read_brand(conn, repair.brand.id)
            if now is None:
                return "the brand is gone"
            if now["board" if repair.field == "list" else "space"] != repair.before:
                return "it was changed since"
            if (
                repair.after is not None
                and (repair.brand.id, repair.field, repair.after) not in safe
            ):
                return "its client's other brands don't agree on one value any more"
            await write_half(conn, repair.brand.id, repair.field, repair.after)
    except TROUBLE as error:
        logfire.warn("repair failed", brand=str(repair.brand.id), error=type(error).__name__)
        return "our own records couldn't be written"
    return ""


def _fact(repair: Repair, value: str | None) -> dict[str, Any]:
    return {"brand_id": str(repair.brand.id), "brand": repair.brand.name, repair.field: value}
