"""Carries out `apply_remediation`: each link is judged again, written and reported on its own."""

from __future__ import annotations

import logfire
from pydantic import BaseModel

from agencyclaw.domain.brands import ApplyRemediation, Repair
from agencyclaw.domain.mapping import plan_repairs
from agencyclaw.domain.messages import message
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.receipts import Note
from agencyclaw.domain.records import changed_since
from agencyclaw.proposals.handlers import DatabaseHandler
from agencyclaw.proposals.outcomes import Done, NotDone, not_written
from agencyclaw.store.brands import hold_siblings, read_brand, write_half
from agencyclaw.store.directory import clients_and_brands
from agencyclaw.store.engine import TROUBLE, Connection


class RepairResult(BaseModel):
    """What became of each repair, as the proposal stores it; the audit takes before and after."""

    before: tuple[dict[str, str | None], ...]
    after: tuple[dict[str, str | None], ...]
    applied: tuple[Repair, ...]
    failed: tuple[str, ...]


class Remediation(DatabaseHandler[ApplyRemediation]):
    """Fills missing halves of ClickUp links, as far as that is still safe."""

    kind = ApplyRemediation

    async def write(self, conn: Connection, proposal: Proposal) -> Done | NotDone:
        """Write each repair that still holds; a failing one leaves the others as they are."""
        effect = self.effect_of(proposal)
        await hold_siblings(conn, effect.brand_ids)
        safe = await _safe_now(conn, effect)
        applied: list[Repair] = []
        missed: list[Repair] = []
        failed: list[str] = []
        for repair in effect.repairs:
            why = await _apply(conn, repair, safe)
            if why:
                missed.append(repair)
                failed.append(f"{repair.brand.name} ({repair.field}): {why}")
            else:
                applied.append(repair)
        renewed = _renewed(effect, missed, safe)
        if not applied:
            return not_written(changed_since("; ".join(failed), renewed))
        result = RepairResult(
            before=tuple(_audited(repair, repair.before) for repair in applied),
            after=tuple(_audited(repair, repair.after) for repair in applied),
            applied=tuple(applied),
            failed=tuple(failed),
        )
        return Done(result.model_dump(mode="json"), renewed=renewed)

    def receipt(self, proposal: Proposal, done: Done) -> Note:
        """List what was repaired, or taken away again, and what was not."""
        result = RepairResult.model_validate(done.result)
        applied, whole = len(result.applied), len(self.effect_of(proposal).repairs)
        if proposal.undo_of:
            first = message("remediation.removed_clickup_links", applied=applied, whole=whole)
            missed = [message("remediation.not_removed", reason=why) for why in result.failed]
        else:
            first = message("remediation.repaired_clickup_links", applied=applied, whole=whole)
            missed = [message("remediation.not_repaired", reason=why) for why in result.failed]
        made = [f"• {repair.sentence}" for repair in result.applied]
        return Note(text="\n".join((first, *made, *missed)))

    def undo(self, proposal: Proposal) -> ApplyRemediation | str:
        """Clear the filled halves that still have that value."""
        effect = self.effect_of(proposal)
        result = RepairResult.model_validate(proposal.result)
        back = tuple(
            repair.model_copy(update={"before": repair.after, "after": repair.before})
            for repair in result.applied
        )
        return effect.model_copy(update={"repairs": back, "blocked": ()})


async def _safe_now(conn: Connection, effect: ApplyRemediation) -> tuple[Repair, ...]:
    homes: dict[str, str] = {}
    for repair in effect.repairs:
        if repair.after and repair.home:
            homes[repair.after] = repair.home
        if repair.after and repair.own_list:
            homes[repair.own_list] = repair.after
    return plan_repairs(*await clients_and_brands(conn, effect.brand_ids), homes).safe


def _renewed(
    effect: ApplyRemediation, missed: list[Repair], safe: tuple[Repair, ...]
) -> ApplyRemediation | None:
    """Return the failed repairs with the values that are safe by now; nothing is cleared twice."""
    halves = {(repair.brand.id, repair.field) for repair in missed if repair.after is not None}
    names = {(repair.field, repair.after): repair.name for repair in effect.repairs}
    still_safe = tuple(
        repair.model_copy(update={"name": names.get((repair.field, repair.after), "")})
        for repair in safe
        if (repair.brand.id, repair.field) in halves
    )
    return effect.model_copy(update={"repairs": still_safe, "blocked": ()}) if still_safe else None


async def _apply(conn: Connection, repair: Repair, safe: tuple[Repair, ...]) -> str:
    """Write one repair in its own savepoint; return why it failed, or ""."""
    try:
        async with conn.transaction():
            present = await read_brand(conn, repair.brand.id)
            if present is None:
                return message("remediation.brand_gone")
            if present["board" if repair.field == "list" else "space"] != repair.before:
                return message("remediation.changed_since")
            if repair.after is not None and not _is_among(safe, repair):
                return message("remediation.its_clients_other_brands")
            await write_half(conn, repair.brand.id, repair.field, repair.after)
    except TROUBLE as error:
        logfire.warn("repair failed", brand=str(repair.brand.id), error=type(error).__name__)
        return message("remediation.our_own_records_couldnt")
    return ""


def _is_among(safe: tuple[Repair, ...], repair: Repair) -> bool:
    key = (repair.brand.id, repair.field, repair.after)
    return any(
        (safe_repair.brand.id, safe_repair.field, safe_repair.after) == key for safe_repair in safe
    )


def _audited(repair: Repair, value: str | None) -> dict[str, str | None]:
    return {"brand_id": str(repair.brand.id), "brand": repair.brand.name, repair.field: value}
